// Where the parts of a view stand, as numbers: x and width are compared with approved ones, so that
// a layout that breaks is noticed; heights follow the text and are free.

/** The parts that every view is made of; the first of each kind stands for all. */
const parts = [
  '.inputs',
  '.answer',
  '.sentence',
  '.presets',
  '[part=tabs]',
  '#panel',
  '.lead',
  '.filters',
  '.kpi',
  '.card',
  '.pick',
  '.two',
  '.scroll',
  '.statements',
  '[data-figure]',
  '[data-fold]',
  '[data-at] input',
  'table',
];

/** Pixels that fonts of another version may move things by. */
const slack = 12;

/** @returns [x, width] by part, and what sticks out or is cut off */
export function layoutOf(page) {
  return page.evaluate((names) => {
    const boxes = {};
    const broken = [];
    const look = (root) => {
      for (const name of names) {
        const found = root.querySelector(name);
        if (found === null || name in boxes) continue;
        const { x, width } = found.getBoundingClientRect();
        if (width > 0) boxes[name] = [Math.round(x), Math.round(width)];
      }
      for (const element of root.querySelectorAll('*')) {
        if (element.shadowRoot !== null) look(element.shadowRoot);
        const style = getComputedStyle(element);
        const text = [...element.childNodes].some(
          (node) => node.nodeType === 3 && node.data.trim() !== '',
        );
        const cut =
          text &&
          element.clientWidth > 4 && // what only screen readers see is a pixel or two wide
          !element.classList.contains('unseen') &&
          element.scrollWidth > element.clientWidth + 1 &&
          style.overflowX === 'hidden' &&
          style.textOverflow !== 'ellipsis';
        if (cut)
          broken.push(
            `${element.localName}.${element.className} cut off: ${element.textContent.trim()}`,
          );
      }
    };
    look(document);
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) broken.push(`the page scrolls sideways: ${scrollWidth}`);
    return { boxes, broken };
  }, parts);
}

/** What of a layout isn't as approved, in words. */
export function changes(boxes, approved) {
  const names = [...new Set([...Object.keys(boxes), ...Object.keys(approved)])];
  return names.flatMap((name) => {
    const [now, then] = [boxes[name], approved[name]];
    if (now === undefined) return [`${name}: gone`];
    if (then === undefined) return [`${name}: new`];
    const moved = now.some((value, i) => Math.abs(value - then[i]) > slack);
    return moved ? [`${name}: at ${now[0]}, ${now[1]} wide; was ${then[0]}, ${then[1]}`] : [];
  });
}
