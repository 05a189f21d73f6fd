/**
 * A provider's own entries, as the `catalog` attribute names them: `#id` of an inline
 * `<script type="application/json">`, or the address of a file, which is the only request that the
 * element ever makes, and only because the host's page says so.
 */
import { isObject, type JsonObject } from '../scenario/document';

const parts = ['offers', 'gpus', 'models'] as const;

/** More than any price list: a mistake. */
const longest = 2_000_000;

/** @throws with what is wrong, for the host's author */
export async function readOwn(from: string): Promise<JsonObject> {
  const text = from.startsWith('#') ? inline(from.slice(1)) : await fetched(from);
  if (text.length > longest) throw new Error(`${from}: longer than ${longest} characters`);
  return ownEntries(JSON.parse(text));
}

function inline(id: string): string {
  const text = document.getElementById(id)?.textContent;
  if (text === undefined || text === null) throw new Error(`#${id}: no such element`);
  return text;
}

async function fetched(address: string): Promise<string> {
  const response = await fetch(address, { credentials: 'omit' });
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.text();
}

/** Only what a scenario's catalogue can have: files also carry prose ("about") and a version. */
export function ownEntries(list: unknown): JsonObject {
  if (!isObject(list)) throw new Error('a price list is a JSON object');
  return Object.fromEntries(
    parts.flatMap((part) => (Array.isArray(list[part]) ? [[part, list[part]]] : [])),
  );
}
