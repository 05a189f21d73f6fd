/** Once what was just drawn is on the screen; a hidden page has no frames. */
export function afterPaint(next: () => void): void {
  if (document.hidden) setTimeout(next);
  else requestAnimationFrame(() => setTimeout(next));
}
