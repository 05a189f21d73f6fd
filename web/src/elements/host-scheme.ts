/** Whether the page around an element is light or dark: what the visitor sees, not what is declared. */

export type Scheme = 'light' | 'dark';

/** The colour behind the element: of the nearest ancestor that has one. */
export function schemeAround(element: Element): Scheme | null {
  for (let node = parentOf(element); node !== null; node = parentOf(node)) {
    const brightness = brightnessOf(getComputedStyle(node).backgroundColor);
    if (brightness !== undefined) return brightness < 0.5 ? 'dark' : 'light';
  }
  // Nothing is painted: the browser's own canvas, which follows the system only where it's told to.
  const declared = getComputedStyle(document.documentElement).colorScheme;
  if (declared.includes('light') && declared.includes('dark')) return null;
  return declared.includes('dark') ? 'dark' : 'light';
}

function parentOf(element: Element): Element | null {
  const root = element.getRootNode();
  return element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

/** From 0 to 1; undefined for what is more than half transparent. */
function brightnessOf(color: string): number | undefined {
  const [red = 0, green = 0, blue = 0, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number);
  if (!color.startsWith('rgb') || alpha < 0.5) return undefined;
  return (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
}

/** Calls back whenever it may have changed: a class on the root, or the system's setting. */
export function watchScheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  const attributeFilter = ['class', 'style', 'data-theme', 'data-color-mode', 'data-bs-theme'];
  for (const node of [document.documentElement, document.body]) {
    observer.observe(node, { attributes: true, attributeFilter });
  }
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', changed);
  return () => {
    observer.disconnect();
    system.removeEventListener('change', changed);
  };
}
