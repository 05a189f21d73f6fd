import { chooseLanguage } from '../words/language';

/** Where the element shows what the page brought along, until it has an answer of its own. */
export const firstSlot = 'first';

/**
 * Shows the answer that came with the page, in the visitor's language: unless the page was opened on
 * another job, or saved with one.
 */
export function showFirstAnswer(): void {
  const app = document.querySelector('train-tally');
  if (app === null) return;
  const asked =
    location.hash.length > 1 || app.hasAttribute('scenario') || app.hasAttribute('view');
  const own = app.getAttribute('lang');
  const language = chooseLanguage(own === null ? navigator.languages : [own]);
  for (const first of app.querySelectorAll<HTMLElement>('.first')) {
    if (asked || first.lang !== language) {
      first.remove();
    } else {
      first.slot = firstSlot;
      first.hidden = false;
    }
  }
}
