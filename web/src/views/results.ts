/** The right side of the Estimate view: the answer, and everything that it rests on. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Report } from '../../generated/report';
import type { Context } from '../elements/context';
import { basis } from './basis';
import { billing } from './billing';
import { comparison } from './comparison';
import { makeFit, room } from './fit';
import { glossary } from './help';
import { keptScenarios } from './kept';
import { kpis } from './kpis';
import { memoryFigure, timeFigure } from './figures';
import { more } from './more';
import { warningNotes } from './notes';
import { project } from './project';
import { recipe } from './recipe';
import { sources } from './sources';
import { paper, takeAway } from './take-away';

type Part = (context: Context, report: Report) => TemplateResult | typeof nothing;

/** As they come down the page. */
const parts: readonly Part[] = [
  (context, { warnings }) => html`${warningNotes(context, warnings)}`,
  makeFit,
  kpis,
  memoryCard,
  (context, { time }) => html`
    <div class="two">
      ${time === undefined || !context.expert ? nothing : timeCard(context, time)}
      ${billing(context)} ${more(context)}
    </div>
  `,
  comparison,
  basis,
  room,
  project,
  recipe,
  paper,
  takeAway,
  keptScenarios,
  sources,
  ({ locale }) => glossary(locale),
];

export function results(context: Context): TemplateResult {
  const { t } = context.locale;
  const { report } = context;
  if (report === undefined) return html`<section class="results" aria-busy="true"></section>`;
  const drawn = parts.slice(0, context.drawn);
  return html`
    <section
      class="results ${context.stale ? 'stale' : ''}"
      aria-label=${t('answer.region')}
      aria-busy=${drawn.length < parts.length ? 'true' : nothing}
    >
      ${drawn.map((part) => part(context, report))}
    </section>
  `;
}

function memoryCard(context: Context, { memory }: Report): TemplateResult | typeof nothing {
  if (memory === undefined) return nothing;
  const { t, format } = context.locale;
  return html`<div class="card">
    <train-tally-bar
      data-figure="memory"
      .locale=${context.locale}
      .figure=${memoryFigure(context, memory)}
    ></train-tally-bar>
    ${
      memory.host > 0
        ? html`<p class="hint">${t('memory.host', { gib: format.gib(memory.host) })}</p>`
        : nothing
    }
  </div>`;
}

function timeCard(context: Context, time: NonNullable<Report['time']>): TemplateResult {
  const { t, format } = context.locale;
  return html`
    <div class="card">
      <train-tally-bar
        data-figure="time"
        .locale=${context.locale}
        .figure=${timeFigure(context, time)}
      ></train-tally-bar>
      <p class="hint">${t('time.hfu', { hfu: format.percent(time.hfu.value, 1) })}</p>
    </div>
  `;
}
