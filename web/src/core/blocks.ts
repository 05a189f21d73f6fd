/** The data blocks of the page: what the build put into `<script type="application/…">`. */

export function blockText(id: string): string {
  const text = document.getElementById(id)?.textContent;
  if (text === undefined || text === null) throw new Error(`data block #${id} is missing`);
  return text;
}

/**
 * Rejects, and never throws, where the browser has no WebAssembly.
 * @param base64 of gzip, as the build writes the WebAssembly module
 */
export async function compile(base64: string): Promise<WebAssembly.Module> {
  const text = atob(base64.trim());
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  // Compiled while it is unpacked.
  const headers = { 'Content-Type': 'application/wasm' };
  return WebAssembly.compileStreaming(new Response(stream, { headers }));
}
