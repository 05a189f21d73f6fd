/** The element as one script: it carries the core and the catalogue, and unpacks them on first use. */
import { catalog, wasm } from 'traintally/data';
import { provide } from './core/services';
import { unpack } from './core/unpack';
import { defineElements, embedded } from './elements/define';

provide(async () => ({ wasm: await unpack(wasm), catalog }));

defineElements(embedded);
