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

export function results(context: Context): TemplateResult {
  const { t } = context.locale;
  const { report } = context;
  if (report === undefined) return html`<section class="results" aria-busy="true"></section>`;
  return html`
    <section class="results ${context.stale ? 'stale' : ''}" aria-label=${t('answer.region')}>
      ${warningNotes(context, report.warnings)} ${makeFit(context)} ${kpis(context)}
      ${
        report.memory === undefined
          ? nothing
          : html`<div class="card">
              <train-tally-bar
                data-figure="memory"
                .locale=${context.locale}
                .figure=${memoryFigure(context, report.memory)}
              ></train-tally-bar>
              ${
                report.memory.host > 0
                  ? html`<p class="hint">
                      ${t('memory.host', { gib: context.locale.format.gib(report.memory.host) })}
                    </p>`
                  : nothing
              }
            </div>`
      }
      <div class="two">
        ${report.time === undefined || !context.expert ? nothing : timeCard(context, report.time)}
        ${billing(context)} ${more(context)}
      </div>
      ${comparison(context)} ${basis(context)} ${room(context)} ${project(context)}
      ${recipe(context)} ${paper(context)} ${takeAway(context)} ${keptScenarios(context)}
      ${sources(context)} ${glossary(context.locale)}
    </section>
  `;
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
