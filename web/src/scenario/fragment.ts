/**
 * A scenario as the fragment of a link: `#v=1&model=qwen3-32b&kind=pretrain&tokens=5e10&gpus=64`.
 *
 * Made to be read and typed by people: one `name=value` for each thing that the visitor set, short
 * names for the common fields, dotted paths for all others (`storage.kept_checkpoints=3`,
 * `phases:0.tokens=1e9`). A field that this version of the page doesn't know is a dotted path too:
 * it goes into the document, and out again into the next link.
 */
import { isObject, type Json, type JsonObject } from './document';

export const fragmentVersion = 1;

/** text: never read as a number or a list ("12.00" stays what it is). */
type Kind = 'text' | 'any';

/** Short names. Once in a published version, a name keeps its meaning. */
const names: readonly (readonly [name: string, path: string, kind: Kind])[] = [
  ['model', 'model', 'text'],
  ['params', 'model.params', 'any'],
  ['kind', 'training.kind', 'text'],
  ['tokens', 'training.tokens', 'any'],
  ['dataset', 'training.tokens.dataset_tokens', 'any'],
  ['epochs', 'training.tokens.epochs', 'any'],
  ['seq', 'training.sequence_length', 'any'],
  ['micro', 'training.micro_batch', 'any'],
  ['batch', 'training.global_batch', 'any'],
  ['precision', 'training.precision', 'text'],
  ['optimizer', 'training.optimizer', 'text'],
  ['stack', 'training.stack', 'text'],
  ['recompute', 'training.recompute', 'text'],
  ['reshare', 'training.recompute_share', 'any'],
  ['flash', 'training.flash_attention', 'any'],
  ['compile', 'training.compile', 'any'],
  ['fused', 'training.fused_loss', 'any'],
  ['rank', 'training.lora.rank', 'any'],
  ['targets', 'training.lora.targets', 'any'],
  ['quant', 'training.lora.quantization', 'text'],
  ['gpu', 'cluster.gpu', 'text'],
  ['gpus', 'cluster.count', 'any'],
  ['node', 'cluster.per_node', 'any'],
  ['net', 'cluster.internode_gb_s_per_gpu', 'any'],
  ['layout', 'layout', 'text'],
  ['tp', 'layout.tp', 'any'],
  ['pp', 'layout.pp', 'any'],
  ['cp', 'layout.cp', 'any'],
  ['ep', 'layout.ep', 'any'],
  ['etp', 'layout.etp', 'any'],
  ['dp', 'layout.dp', 'any'],
  ['zero', 'layout.zero', 'any'],
  ['shard', 'layout.shard_group', 'any'],
  ['sp', 'layout.sequence_parallel', 'any'],
  ['vpp', 'layout.virtual_stages', 'any'],
  ['offload', 'layout.offload', 'text'],
  ['offer', 'price.offer', 'text'],
  ['hourly', 'price.per_gpu_hour', 'text'],
  ['monthly', 'price.per_month', 'text'],
  ['currency', 'price.currency', 'text'],
  ['billing', 'price.billing', 'text'],
  ['hf', 'model.hf_config', 'any'],
];

const pathOfName = new Map(names.map(([name, path]) => [name, path]));
/** Longest paths first: `model.hf_config.…` is written `hf.…`, not `model.hf_config.…`. */
const byLength = [...names].sort((a, b) => b[1].length - a[1].length);
const kindOfPath = new Map(names.map(([, path, kind]) => [path, kind]));

/** What of the page's own state travels beside the scenario. */
export interface PageState {
  readonly view?: string;
  readonly lang?: string;
  readonly scheme?: string;
  /** Scenarios to compare with, each written as a link is. */
  readonly with?: string;
  readonly compact?: string;
  readonly mode?: string;
}

const pageKeys = ['view', 'lang', 'scheme', 'with', 'compact', 'mode'] as const;

export interface Link {
  readonly scenario: JsonObject;
  readonly page: PageState;
  /** The link was made by a page of a later version: some of it may not be understood here. */
  readonly newer: boolean;
  /** What of the link couldn't be read: it may have been cut. */
  readonly lost: readonly string[];
}

/** Longer than any scenario: a hostile or a broken link. */
export const longest = 100_000;
/** Deeper than any scenario, and than any config.json. */
const deepest = 64;

export function writeFragment(scenario: JsonObject, page: PageState = {}): string {
  const pairs: string[] = [];
  for (const key of pageKeys) {
    const value = page[key];
    if (value !== undefined) pairs.push(`${key}=${escape(value)}`);
  }
  for (const [path, value] of leaves(scenario, [])) {
    if (path[0] === 'version' || path[0] === 'explain') continue;
    pairs.push(`${writePath(path)}=${writeValue(value, kindOfPath.get(path.join('.')) ?? 'any')}`);
  }
  return pairs.length === 0 ? '' : [`v=${fragmentVersion}`, ...pairs].join('&');
}

/** @returns undefined when the text isn't a link of ours (an anchor of the host's page, say). */
export function readFragment(text: string): Link | undefined {
  const body = text.startsWith('#') ? text.slice(1) : text;
  if (body.length > longest) return undefined;
  const version = /^v=(\d{1,6})(?:&|$)/.exec(body)?.[1];
  if (version === undefined) return undefined;

  const scenario: Record<string, unknown> = {};
  const page: Record<string, string> = {};
  const lost: string[] = [];
  for (const pair of body.split('&').slice(1)) {
    const at = pair.indexOf('=');
    const name = at < 0 ? pair : pair.slice(0, at);
    const written = at < 0 ? '' : pair.slice(at + 1);
    if ((pageKeys as readonly string[]).includes(name)) {
      const value = unescape(written);
      if (value === undefined) lost.push(pair);
      else page[name] = value;
      continue;
    }
    const path = readPath(name);
    const value = path && readValue(written, kindOfPath.get(path.join('.')) ?? 'any');
    if (path === undefined || value === undefined) {
      if (pair !== '') lost.push(pair);
    } else {
      put(scenario, path, value);
    }
  }
  return {
    scenario: scenario as JsonObject,
    page,
    newer: Number(version) > fragmentVersion,
    lost,
  };
}

/** What a page may put in an attribute: a link without its version, or the scenario as JSON. */
export function readScenario(text: string): Link | undefined {
  if (/^\s*\{/.test(text)) {
    try {
      return { scenario: JSON.parse(text) as JsonObject, page: {}, newer: false, lost: [] };
    } catch {
      return undefined;
    }
  }
  return /^[\w.:]+=/.test(text) ? readFragment(`v=${fragmentVersion}&${text}`) : undefined;
}

/** Every leaf with its path; lists of plain values and empty containers are leaves. */
function* leaves(node: Json | undefined, path: readonly string[]): Generator<[string[], Json]> {
  if (node === undefined) return;
  if (Array.isArray(node)) {
    const list = node as readonly Json[];
    if (list.every((item) => typeof item !== 'object' || item === null)) {
      yield [[...path], list];
    } else {
      const parents = path.slice(0, -1);
      for (const [index, item] of list.entries()) {
        yield* leaves(item, [...parents, `${path.at(-1) ?? ''}:${index}`]);
      }
    }
  } else if (isObject(node)) {
    const entries = Object.entries(node);
    if (entries.length === 0 && path.length > 0) yield [[...path], node];
    for (const [key, value] of entries) yield* leaves(value, [...path, key]);
  } else {
    yield [[...path], node];
  }
}

function writePath(path: readonly string[]): string {
  const joined = path.join('.');
  for (const [name, long] of byLength) {
    if (joined === long) return name;
    if (name === 'hf' && joined.startsWith(`${long}.`)) {
      return [name, ...path.slice(long.split('.').length).map(escapeKey)].join('.');
    }
  }
  return path.map(escapeKey).join('.');
}

function readPath(name: string): string[] | undefined {
  const long = pathOfName.get(name);
  if (long !== undefined) return long.split('.');
  const parts: string[] = [];
  // "a:0:1" are three steps.
  if (name.split(/[.:]/).length > deepest) return undefined;
  for (const part of name.split('.')) {
    const key = unescape(part);
    if (key === undefined || key === '' || key === '__proto__') return undefined;
    parts.push(key);
  }
  if (parts[0] === 'hf') parts.splice(0, 1, 'model', 'hf_config');
  return parts;
}

function writeValue(value: Json, kind: Kind): string {
  if (Array.isArray(value)) {
    const list = (value as readonly Json[]).map((item) => writeValue(item, 'any'));
    return list.length === 1 ? `,${list[0] ?? ''}` : list.length === 0 ? ',' : list.join(',');
  }
  if (typeof value === 'number') return writeNumber(value);
  if (typeof value === 'string') {
    const text = escape(value);
    return kind === 'text' || readScalar(text) === value ? text : `~${text}`;
  }
  return typeof value === 'boolean' ? String(value) : value === null ? 'null' : '{}';
}

function readValue(written: string, kind: Kind): Json | undefined {
  if (kind === 'text') return unescape(written);
  if (written === '{}') return {};
  if (written.includes(',')) {
    const items = written.split(',');
    if (items[0] === '') items.shift();
    return items.filter((item) => item !== '').map((item) => readScalar(item) ?? '');
  }
  return readScalar(written);
}

function readScalar(written: string): Json | undefined {
  if (written.startsWith('~')) return unescape(written.slice(1));
  if (written === 'true') return true;
  if (written === 'false') return false;
  if (written === 'null') return null;
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(written)) {
    const number = Number(written);
    if (Number.isFinite(number)) return number;
  }
  return unescape(written);
}

/** The shorter of 50000000000 and 5e10. */
function writeNumber(value: number): string {
  const plain = String(value);
  const scientific = value.toExponential().replace('e+', 'e');
  return scientific.length < plain.length ? scientific : plain.replace('e+', 'e');
}

/** Percent-encodes what a fragment can't hold and what this format gives a meaning to. */
function escape(text: string): string {
  return encodeURIComponent(text).replace(/%(?:2F|3A|40|20)/g, (code) =>
    code === '%20' ? '+' : decodeURIComponent(code),
  );
}

function escapeKey(key: string): string {
  return escape(key).replace(/\./g, '%2E');
}

function unescape(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '));
  } catch {
    return undefined; // a link cut in the middle of a %XX: this pair is lost, not the link
  }
}

function put(root: Record<string, unknown>, path: readonly string[], value: Json): void {
  let node: Record<string, unknown> | unknown[] = root;
  const steps = path.flatMap((part): (string | number)[] => {
    const [key = '', ...indexes] = part.split(/:(?=\d{1,3}(?::|$))/);
    return [key, ...indexes.map(Number)];
  });
  for (const [depth, step] of steps.entries()) {
    const target = node as Record<string | number, unknown>;
    const next = steps[depth + 1];
    if (next === undefined) {
      target[step] = value;
      return;
    }
    const child = Object.hasOwn(target, step) ? target[step] : undefined;
    if (typeof child === 'object' && child !== null) {
      node = child as Record<string, unknown>;
    } else {
      const made: Record<string, unknown> | unknown[] = typeof next === 'number' ? [] : {};
      target[step] = made;
      node = made;
    }
  }
}
