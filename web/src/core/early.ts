/**
 * The WebAssembly module is compiled beside the page's parsing: a small script right behind its data
 * block begins, long before the page's own script has been read.
 */
import { blockText, compile } from './blocks';

const id = 'traintally-wasm';

interface Block extends HTMLElement {
  compiled?: Promise<WebAssembly.Module>;
}

export function compileEarly(): void {
  const block: Block | null = document.getElementById(id);
  if (block === null) return;
  block.compiled = compile(blockText(id));
  // Whoever waits for it says what went wrong.
  block.compiled.catch(() => undefined);
}

export function compiledBlock(): Promise<WebAssembly.Module> {
  const block: Block | null = document.getElementById(id);
  return block?.compiled ?? compile(blockText(id));
}
