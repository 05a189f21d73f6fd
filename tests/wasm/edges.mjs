// The values at and beyond the edges of what a schema accepts, one field at a time.

const decimals = ['0', '1', '0.5', '1.5', '12.50', '999999999999', '9999999999999'];
const moreDecimals = ['0.000001', '0.1234567', '01', '1.0', '-1', '1.', 'x', '', '1e3'];

function* valuesOf(schema) {
  for (const each of schema.anyOf ?? []) yield* valuesOf(each);
  if (schema.type === 'number' || schema.type === 'integer') {
    const { minimum, maximum, exclusiveMinimum } = schema;
    for (const edge of [minimum, maximum, exclusiveMinimum]) {
      if (edge === undefined) continue;
      yield edge;
      yield edge + 1;
      yield edge - 1;
    }
    if (minimum !== 0) yield 1e-300;
    yield 'text';
  } else if (schema.type === 'string' && schema.pattern !== undefined) {
    yield* decimals;
    yield* moreDecimals;
    yield 1;
  } else if (schema.type === 'string') {
    yield '汉'.repeat(schema.maxLength ?? 10);
    yield '汉'.repeat((schema.maxLength ?? 10) + 1);
    yield 1;
  } else if (schema.enum !== undefined) {
    yield* schema.enum;
    yield 'other';
  } else if (schema.type === 'boolean') {
    yield true;
    yield 'true';
  }
}

/** Yields [path, value] of every field of `schema` whose path `wanted` lets through. */
export function* edgesOf(schema, resolve, wanted, path = []) {
  if (!wanted(path)) return;
  const node = schema.$ref === undefined ? schema : resolve(schema.$ref);
  if (node.type === 'object') {
    for (const [name, property] of Object.entries(node.properties ?? {})) {
      yield* edgesOf(property, resolve, wanted, [...path, name]);
    }
  } else if (node.type === 'array') {
    yield* edgesOf(node.items, resolve, wanted, [...path, 0]);
  } else {
    for (const value of valuesOf(node)) yield [path, value];
  }
}

/** A copy of the document with the value in its place. */
export function withValue(document, path, value) {
  const copy = structuredClone(document);
  let node = copy;
  path.forEach((part, i) => {
    if (i === path.length - 1) node[part] = value;
    else node = node[part] ??= typeof path[i + 1] === 'number' ? [] : {};
  });
  return copy;
}
