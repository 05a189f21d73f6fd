/** What every <train-tally> of a page shares: one core, one catalogue. */
import { Catalog } from '../catalog/catalog';
import { Core } from './core';

export interface Services {
  readonly core: Core;
  readonly catalog: Catalog;
}

let services: Promise<Services> | undefined;

/** Where the element finds the WebAssembly module and the catalogue: the page's data blocks, for one. */
export function provide(load: () => Promise<{ wasm: Uint8Array; catalog: string }>): void {
  services ??= load().then(async ({ wasm, catalog }) => ({
    core: await Core.start(wasm, catalog),
    catalog: new Catalog(catalog),
  }));
}

export function whenReady(): Promise<Services> {
  return services ?? Promise.reject(new Error('the core was not provided'));
}
