/**
 * A figure as a picture of its own: the drawing with its colours written into it, the title above,
 * the legend below. Nothing outside is asked: what the page shows is copied.
 */
const space = 'http://www.w3.org/2000/svg';
const margin = 20;
const head = 34;
const density = 2;

const styles = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'opacity',
  'fill-opacity',
  'stroke-opacity',
  'font-size',
  'font-weight',
  'font-family',
  'text-anchor',
  'dominant-baseline',
  'paint-order',
] as const;

/** A copy that looks the same where there are no style sheets. */
function copied(element: SVGElement): SVGElement {
  const copy = element.cloneNode(true) as SVGElement;
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  for (const [index, original] of [element, ...element.querySelectorAll('*')].entries()) {
    const shown = getComputedStyle(original);
    const around = original.parentElement;
    const inherited = index === 0 || around === null ? undefined : getComputedStyle(around);
    const target = copies[index];
    for (const name of styles) {
      const value = shown.getPropertyValue(name);
      const known = name === 'opacity' ? '1' : inherited?.getPropertyValue(name);
      if (value !== known) target?.setAttribute(name, value);
    }
    target?.removeAttribute('class');
  }
  const comments = document.createNodeIterator(copy, NodeFilter.SHOW_COMMENT);
  for (let each = comments.nextNode(); each !== null; each = comments.nextNode()) {
    (each as Comment).remove();
  }
  return copy;
}

function make(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** @param figure the rendered figure; its chart is shown */
export function pictureOf(figure: Element, title: string): SVGElement | undefined {
  const drawing = figure.querySelector<SVGElement>('svg[role=img]');
  if (drawing === null) return undefined;
  const { fontFamily, color } = getComputedStyle(figure);
  const box = drawing.getBoundingClientRect();
  const legend = figure.querySelector('.legend')?.getBoundingClientRect();
  const [width, height] = [
    Math.ceil(box.width) + 2 * margin,
    Math.ceil(Math.max(box.bottom, legend?.bottom ?? 0) - box.top) + head + 2 * margin,
  ];
  const at = (place: DOMRect): { readonly x: number; readonly y: number } => ({
    x: place.left - box.left + margin,
    y: place.top - box.top + margin + head,
  });
  const picture = make('svg', {
    xmlns: space,
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    'font-family': fontFamily,
    fill: color,
  });
  const background = getComputedStyle(figure).getPropertyValue('--card');
  const text = (content: string, attributes: Record<string, string | number>): void => {
    const line = make('text', attributes);
    line.textContent = content;
    picture.append(line);
  };
  picture.append(make('rect', { width, height, fill: background }));
  text(title, { x: margin, y: margin + 14, 'font-size': 15, 'font-weight': 600 });
  const chart = copied(drawing);
  for (const [name, value] of Object.entries({ x: margin, y: margin + head, width: box.width })) {
    chart.setAttribute(name, String(value));
  }
  chart.setAttribute('height', String(box.height));
  chart.setAttribute('overflow', 'visible');
  picture.append(chart);
  for (const item of figure.querySelectorAll('.legend li')) {
    const place = item.getBoundingClientRect();
    const key = item.querySelector('svg, .swatch');
    const keyBox = key?.getBoundingClientRect();
    if (key instanceof SVGElement && keyBox !== undefined) {
      const mark = copied(key);
      for (const [name, value] of Object.entries(at(keyBox)))
        mark.setAttribute(name, String(value));
      picture.append(mark);
    } else if (key !== null && keyBox !== undefined) {
      const fill = getComputedStyle(key).backgroundColor;
      picture.append(make('rect', { ...at(keyBox), width: 11, height: 11, rx: 3, fill }));
    }
    const { x, y } = at(place);
    text((item.textContent ?? '').replace(/\s+/g, ' ').trim(), {
      x: x + (keyBox === undefined ? 0 : keyBox.width + 6),
      y: y + place.height / 2,
      'dominant-baseline': 'central',
      'font-size': 13,
    });
  }
  return picture;
}

export const textOf = (picture: SVGElement): string =>
  new XMLSerializer().serializeToString(picture);

/** @throws where the host's page allows no images from data: addresses */
export async function bitmapOf(picture: SVGElement): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(textOf(picture))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width * density;
  canvas.height = image.height * density;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('no picture'));
      else resolve(blob);
    });
  });
}
