/**
 * The answer to the job that the page opens on, made when the page is built, by the same core and in
 * the same markup: it is there before the page's script has been read, and the live one takes its
 * place.
 */
import { render } from '@lit-labs/ssr';
import { collectResultSync } from '@lit-labs/ssr/lib/render-result.js';
import type { Report } from '../generated/report';
import { Catalog, type CatalogDocument } from './catalog/catalog';
import type { Context } from './elements/context';
import type { JsonObject } from './scenario/document';
import { tokens } from './styles/tokens';
import { answer } from './views/answer';
import { locale, type Language } from './words/locale';

export { defaultScenario } from './scenario/presets';
export { languages } from './words/locale';

/** The colours that the answer has in the element, for the page itself. */
export const colours = tokens.cssText.replaceAll(/:host(?:\((.*?)\))?(?= \{|,)/g, '.first$1');

export function firstAnswer(language: Language, catalog: CatalogDocument, report: Report): string {
  const context: Partial<Context> = {
    locale: locale(language),
    catalog: new Catalog(catalog),
    report,
    resolved: (report.resolved ?? {}) as unknown as JsonObject,
    problems: [],
    stale: false,
  };
  const markup = collectResultSync(render(answer(context as Context)));
  return markup
    .replaceAll(/<!--.*?-->|<\?>/g, '')
    .replaceAll(/[ \n]+/g, ' ')
    .trim();
}
