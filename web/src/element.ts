/** The element as one script: it carries the core and the catalogue, and unpacks and compiles them on first use. */
import { catalog, wasm } from 'traintally/data';
import { provide } from './core/services';
import { compile } from './core/blocks';
import { defineElements, embedded } from './elements/define';

provide(() => ({ compiled: compile(wasm), catalog }));

defineElements(embedded);
