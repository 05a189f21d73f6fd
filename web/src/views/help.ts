/** The explanations of words: beside labels, and all of them as a list. */
import { html, nothing, type TemplateResult } from 'lit';
import { en } from '../words/en';
import type { Locale } from '../words/locale';
import { rich } from './rich';

type Term = keyof typeof en.terms;
const terms = Object.keys(en.terms) as Term[];

/** @param name what the label is of: a field's name in the scenario, a figure's in the report */
export function help({ t }: Locale, name: string, label: string): TemplateResult | typeof nothing {
  const term = terms.find((known) => known === name);
  if (term === undefined) return nothing;
  return html`<train-tally-help
    data-term=${term}
    .label=${t('help.of', { term: label })}
    .text=${t(`terms.${term}`)}
  ></train-tally-help>`;
}

export function glossary({ t }: Locale): TemplateResult {
  return html`
    <details class="card sources glossary">
      <summary>${t('help.title')}</summary>
      <ul>
        ${terms.map((term) => html`<li>${rich(t(`terms.${term}`))}</li>`)}
      </ul>
    </details>
  `;
}
