// The module as it ships, the catalogue as the page carries it, and the native command.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import createTrainTally from '../../build/wasm/traintally.mjs';

export const root = fileURLToPath(new URL('../..', import.meta.url));

const wasmBinary = readFileSync(root + 'build/wasm/traintally.wasm');

/** The merged catalogue's text. */
export const catalogText = readFileSync(root + 'build/native/catalog.json', 'utf8');
export const catalog = JSON.parse(catalogText);

/** A Session of a module instance of its own. */
export async function openSession(text = catalogText) {
  const module = await createTrainTally({ wasmBinary });
  return new module.Session(text);
}

/** What the native command answers to these documents, one text each, in order. */
export function native(command, documents) {
  const program = root + 'build/native/traintally';
  if (!existsSync(program)) throw new Error(`${program} is not built`);
  const { status, stdout, stderr } = spawnSync(program, [command, '--jsonl'], {
    input: documents.map((document) => document + '\n').join(''),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (status !== 0) throw new Error(`traintally ${command} --jsonl: exit ${status}\n${stderr}`);
  return stdout.split('\n').slice(0, -1);
}

/** The pointer of the first value that an answer may not hold: null, or text for no number. */
export function unsound(value, at = '') {
  // A provider's own entries are repeated as they were given, wrong ones too.
  if (at === '/resolved/catalog') return undefined;
  if (value === null) return `${at} is null`;
  if (typeof value === 'number' && !Number.isFinite(value)) return `${at} is not finite`;
  // What the document itself said is repeated as it was: a model may be called "nan".
  const repeated = at.startsWith('/resolved/') || at.startsWith('/problems/');
  if (typeof value === 'string' && !repeated && /^-?(nan|inf(inity)?)$/i.test(value)) {
    return `${at} is no number`;
  }
  if (typeof value !== 'object') return undefined;
  for (const [key, part] of Object.entries(value)) {
    const found = unsound(part, `${at}/${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
