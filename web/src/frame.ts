/**
 * The page inside somebody's iframe: it tells the page around how high it is and what it answers,
 * and takes colours, language and a price list from it. Both sides check who speaks and what is said
 * (the other side is web/embed/embed.js).
 */
import type { TrainTally, TrainTallyChange } from './elements/train-tally';
import { schemeOf } from './elements/host-scheme';
import { isObject } from './scenario/document';
import { chooseLanguage } from './words/locale';

const name = 'train-tally';

/** Who has framed this page, where the browser says it. */
function hostOrigin(): string | undefined {
  const { ancestorOrigins } = location as Location & { ancestorOrigins?: DOMStringList };
  const known =
    ancestorOrigins?.[0] ?? (document.referrer === '' ? '' : new URL(document.referrer).origin);
  return known === '' || known === 'null' ? undefined : known;
}

export function talkToHost(app: TrainTally): void {
  if (parent === window) return;
  const host = hostOrigin();
  const tell = (message: object): void => {
    // A page opened from disk has no origin to address.
    parent.postMessage({ type: name, ...message }, host ?? '*');
  };

  new ResizeObserver(() => {
    tell({ height: Math.ceil(document.body.getBoundingClientRect().height) });
  }).observe(document.body);

  app.addEventListener('train-tally-change', (event) => {
    const { scenario, report, view } = (event as CustomEvent<TrainTallyChange>).detail;
    tell({ scenario, report, view });
  });

  window.addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source !== parent || (host !== undefined && origin !== host)) return;
    if (!isObject(data) || data['type'] !== name) return;
    const { around, declared, scheme, lang, catalog, enquiry } = data;
    if (Array.isArray(around))
      app.choose({ scheme: schemeOf(around, typeof declared === 'string' ? declared : '') });
    if (scheme === 'light' || scheme === 'dark') app.choose({ scheme });
    if (typeof lang === 'string') app.choose({ lang: chooseLanguage([lang]) });
    if (typeof enquiry === 'string') app.enquiry = enquiry; // never from a link: that is anybody's
    // The core checks it, entry by entry. Of texts only an `#id` that leads nowhere: never an address.
    if (isObject(catalog) || (typeof catalog === 'string' && catalog.startsWith('#'))) {
      app.catalog = catalog;
    }
  });
  tell({ ready: true });
}
