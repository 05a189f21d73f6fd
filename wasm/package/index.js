import createTrainTally from './traintally.mjs';

/** The bytes or text of a file of this package, in node and in browsers alike. */
async function read(name, as) {
  const address = new URL(name, import.meta.url);
  if (address.protocol === 'file:' && globalThis.process?.versions?.node) {
    const { readFile } = await import('node:fs/promises');
    return readFile(address, as === 'text' ? 'utf8' : undefined);
  }
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return as === 'text' ? response.text() : response.arrayBuffer();
}

export async function openSession({ catalog, wasmBinary } = {}) {
  const { Session } = await createTrainTally({
    wasmBinary: wasmBinary ?? (await read('./traintally.wasm', 'bytes')),
  });
  return new Session(catalog ?? (await read('./catalog.json', 'text')));
}
