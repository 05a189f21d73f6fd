// clang-tidy over the core, the command and the bindings' neighbours: one check a source file.
// A clean file is remembered by the hash of all that its verdict depends on, so that only what
// changed is looked at again.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { each, root, run, sources } from './sources.mjs';

const build = 'build/sanitize';
const stamps = root + 'build/tidy/';
mkdirSync(stamps, { recursive: true });

const version = (await run('clang-tidy', ['--version'])).output;
const settings = readFileSync(root + '.clang-tidy');

/** The project's own files that a source includes, itself first. */
async function dependencies(file) {
  const { status, output } = await run('clang++', [
    ...['-std=c++20', '-MM', '-DJSON_NOEXCEPTION', '-Icore/include', '-Icore/src', file],
  ]);
  if (status !== 0) throw new Error(output);
  return output.replace(/\\\n/g, ' ').split(':')[1].trim().split(/\s+/);
}

const counts = { passed: 0, failed: 0 };
const files = sources(/^core\/(src|cli)\/.*\.cpp$/);
let done = 0;
await each(files, availableParallelism(), async (file) => {
  const hash = createHash('sha256').update(version).update(settings);
  let ok = false;
  let output = '';
  try {
    for (const path of await dependencies(file))
      hash.update(path).update(readFileSync(root + path));
    const stamp = stamps + hash.digest('hex');
    ok = existsSync(stamp);
    if (!ok) {
      const verdict = await run('clang-tidy', ['--quiet', '-p', build, file]);
      ok = verdict.status === 0;
      output = verdict.output;
      if (ok) writeFileSync(stamp, '');
    }
  } catch (error) {
    output = error.message;
  }
  counts[ok ? 'passed' : 'failed'] += 1;
  done += 1;
  console.log(`[${done}/${files.length}] ${file}${ok ? '' : `\n${output}`}`);
});

console.log(`tidy: ${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 ? 1 : 0;
