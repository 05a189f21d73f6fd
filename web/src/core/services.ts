/** What every <train-tally> of a page shares: one core, one catalogue. */
import type { CatalogDocument } from '../catalog/catalog';
import { Core } from './core';

export interface Services {
  readonly core: Core;
  readonly catalog: CatalogDocument;
}

interface Source {
  readonly compiled: Promise<WebAssembly.Module>;
  readonly catalog: string;
}

type Load = () => Source;

let load: Load | undefined;
let services: Promise<Services> | undefined;

/** Where the WebAssembly module and the catalogue come from: the page's data blocks, for one. */
export function provide(from: Load): void {
  load ??= from;
}

/** Starts the core when the first element asks for it. */
export function whenReady(): Promise<Services> {
  if (load === undefined) return Promise.reject(new Error('the core was not provided'));
  services ??= start(load());
  return services;
}

/** What can be done meanwhile is done while the module is being compiled. */
async function start({ compiled, catalog }: Source): Promise<Services> {
  const document = JSON.parse(catalog) as CatalogDocument;
  return { core: await Core.start(await compiled, catalog), catalog: document };
}
