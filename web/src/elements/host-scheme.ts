/** Whether the page around an element is light or dark: what the visitor sees, not what is declared. */

export type Scheme = 'light' | 'dark';

/** The colour behind the element: of the nearest ancestor that has one. */
export function schemeAround(element: Element): Scheme | null {
  const colors: string[] = [];
  for (let node = parentOf(element); node !== null; node = parentOf(node)) {
    colors.push(getComputedStyle(node).backgroundColor);
  }
  return schemeOf(colors, getComputedStyle(document.documentElement).colorScheme);
}

/** @param colors computed, the nearest first; @param declared the page's `color-scheme` */
export function schemeOf(colors: readonly unknown[], declared: string): Scheme | null {
  for (const color of colors) {
    const brightness = brightnessOf(String(color));
    if (brightness !== undefined) return brightness < 0.5 ? 'dark' : 'light';
  }
  // Nothing is painted: the browser's own canvas, which follows the system only where it's told to.
  if (declared.includes('light') && declared.includes('dark')) return null;
  return declared.includes('dark') ? 'dark' : 'light';
}

function parentOf(element: Element): Element | null {
  const root = element.getRootNode();
  return element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

/** From 0 to 1; undefined for what is more than half transparent. */
function brightnessOf(color: string): number | undefined {
  const [, kind = '', values = ''] =
    /^(rgb|ok|l|color)\w*\((?:[a-z][\w-]* )?(.*)\)/.exec(color) ?? [];
  const [first = 0, second = 0, third = 0, alpha = 1] = values.split(/[\s,/]+/).map(Number);
  if (kind === '' || alpha < 0.5) return undefined;
  // oklab, oklch, lab and lch begin with their lightness.
  if (kind === 'ok') return first;
  if (kind === 'l') return first / 100;
  return (0.299 * first + 0.587 * second + 0.114 * third) / (kind === 'rgb' ? 255 : 1);
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
