/**
 * A scenario as the page keeps it: a sparse JSON document with only what the visitor said. The core
 * fills in the rest and says what it took (`report.resolved`). Documents are never changed in
 * place, so that a document can be compared by identity.
 */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** RFC 6901. */
export function parsePointer(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~'));
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function valueAt(document: unknown, pointer: string): Json | undefined {
  let value: unknown = document;
  for (const key of parsePointer(pointer)) {
    if (Array.isArray(value)) value = (value as readonly unknown[])[Number(key)];
    else if (isObject(value) && Object.hasOwn(value, key)) value = value[key];
    else return undefined;
  }
  return value as Json | undefined;
}

export function stringAt(document: unknown, pointer: string): string | undefined {
  const value = valueAt(document, pointer);
  return typeof value === 'string' ? value : undefined;
}

/** Empty where there is none. */
export function objectAt(document: unknown, pointer: string): JsonObject {
  const value = valueAt(document, pointer);
  return isObject(value) ? value : {};
}

export function numberAt(document: unknown, pointer: string): number | undefined {
  const value = valueAt(document, pointer);
  return typeof value === 'number' ? value : undefined;
}

export function booleanAt(document: unknown, pointer: string): boolean | undefined {
  const value = valueAt(document, pointer);
  return typeof value === 'boolean' ? value : undefined;
}

/**
 * The document with one value replaced. `undefined` takes it away, with the objects that this
 * leaves empty. What stands in the way of the path (a string where an object must be) gives way.
 */
export function withValue(
  document: JsonObject,
  pointer: string,
  value: Json | undefined,
): JsonObject {
  return (replace(document, parsePointer(pointer), value) ?? {}) as JsonObject;
}

function replace(
  node: Json | undefined,
  path: readonly string[],
  value: Json | undefined,
): Json | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const object: JsonObject = isObject(node) ? node : {};
  const child = replace(Object.hasOwn(object, key) ? object[key] : undefined, rest, value);
  if (child === undefined) {
    const others = Object.entries(object).filter(([name]) => name !== key);
    return others.length === 0 ? undefined : Object.fromEntries(others);
  }
  return { ...object, [key]: child };
}

/** Several replacements, left to right. */
export function withValues(
  document: JsonObject,
  changes: readonly (readonly [pointer: string, value: Json | undefined])[],
): JsonObject {
  return changes.reduce((result, [pointer, value]) => withValue(result, pointer, value), document);
}

/** One of the article's plans is what the scenario rents. */
export function hasArticlePlan(scenario: JsonObject): boolean {
  return stringAt(scenario, '/price/offer')?.startsWith('article-') === true;
}

/** The visitor's day, in ISO form. */
export function today(): string {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}

/** With the visitor's day, unless it says one: prices that have run out are not used. */
export function onThisDay(scenario: JsonObject): JsonObject {
  const price = scenario['price'] ?? {};
  if (!isObject(price)) return scenario;
  return { ...scenario, price: { date: today(), ...price } };
}
