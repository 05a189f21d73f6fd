/** What every <train-tally> of a page shares: one core, one catalogue. */
import type { CatalogDocument } from '../catalog/catalog';
import { Core } from './core';

export interface Services {
  readonly core: Core;
  readonly catalog: CatalogDocument;
}

type Load = () => Promise<{ readonly compiled: WebAssembly.Module; readonly catalog: string }>;

let load: Load | undefined;
let services: Promise<Services> | undefined;

/** Where the WebAssembly module and the catalogue come from: the page's data blocks, for one. */
export function provide(from: Load): void {
  load ??= from;
}

/** Starts the core when the first element asks for it. */
export function whenReady(): Promise<Services> {
  if (load === undefined) return Promise.reject(new Error('the core was not provided'));
  services ??= load().then(async ({ compiled, catalog }) => ({
    core: await Core.start(compiled, catalog),
    catalog: JSON.parse(catalog) as CatalogDocument,
  }));
  return services;
}
