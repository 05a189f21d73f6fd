// The catalogue as the page carries it.
import { readdir, readFile } from 'node:fs/promises';
import { root } from './bundle.mjs';

/** The files of core/catalog, merged as the core expects them: keys don't repeat, "about" is prose. */
export async function mergedCatalog() {
  const directory = `${root}core/catalog/`;
  const merged = {};
  for (const name of (await readdir(directory)).filter((file) => file.endsWith('.json')).sort()) {
    const file = JSON.parse(await readFile(directory + name, 'utf8'));
    for (const [key, value] of Object.entries(file)) {
      if (key === 'about') continue;
      if (Object.hasOwn(merged, key)) throw new Error(`${name}: "${key}" is in another file too`);
      merged[key] = value;
    }
  }
  return merged;
}

/** For the files' own readers: neither the core reckons with these, nor does the page show them. */
const unread = new Set([
  'license',
  'published_precision',
  'published_note',
  'count_note',
  'year',
  'memory_type',
  'form_factor',
  'usable_source',
  'driver_mib',
  'networks',
  'internode_network',
  'usable_memory_rules',
  'usable_rule',
  'variant_of',
  'extra_note',
  'tariffs',
  'causes',
  'derived_from',
  'host_factor_nameplate',
]);

export function withoutUnread(value) {
  if (Array.isArray(value)) return value.map(withoutUnread);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !unread.has(key))
      .map(([key, item]) => [key, withoutUnread(item)]),
  );
}

export async function shippedCatalog() {
  return withoutUnread(await mergedCatalog());
}
