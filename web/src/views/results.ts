/** The right side of the Estimate view: the answer, and everything that it rests on. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Report, Warning } from '../../generated/report';
import type { Context } from '../elements/context';
import { gravityOf, warningText, type Gravity } from '../words/codes';
import { basis } from './basis';
import { billing } from './billing';
import { comparison } from './comparison';
import { kpis } from './kpis';
import { memoryFigure, timeFigure } from './figures';
import { more } from './more';
import { sources } from './sources';
import { takeAway } from './take-away';

export function results(context: Context): TemplateResult {
  const { t } = context.locale;
  const { report } = context;
  if (report === undefined) return html`<section class="results" aria-busy="true"></section>`;
  return html`
    <section class="results ${context.stale ? 'stale' : ''}" aria-label=${t('answer.region')}>
      ${warnings(context)} ${kpis(context)}
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
        <div class="stack">
          ${report.time === undefined ? nothing : timeCard(context, report.time)}
          ${billing(context)} ${more(context)}
        </div>
        <div class="stack">${comparison(context)}</div>
      </div>
      ${basis(context)} ${takeAway(context)} ${sources(context)}
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

const shownAtOnce = 3;
const gravest: readonly Gravity[] = ['bad', 'warn', 'info'];
const drawings: Readonly<Record<Gravity, string>> = {
  bad: 'M10 2.5 18.5 17h-17zM10 8v4M10 14.4v.2',
  warn: 'M10 2.5 18.5 17h-17zM10 8v4M10 14.4v.2',
  info: 'M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15M10 9v5M10 6v.2',
};

function warnings(context: Context): TemplateResult | typeof nothing {
  const list = context.report?.warnings ?? [];
  if (list.length === 0) return nothing;
  const sorted = gravest.flatMap((gravity) => list.filter((each) => gravityOf(each) === gravity));
  const rest = sorted.slice(shownAtOnce);
  return html`
    <div class="notes" data-warnings>
      ${notes(context, sorted.slice(0, shownAtOnce))}
      ${
        rest.length === 0
          ? nothing
          : html`<details class="more-notes">
              <summary>${context.locale.t('answer.more', { count: rest.length })}</summary>
              ${notes(context, rest)}
            </details>`
      }
    </div>
  `;
}

function notes(context: Context, list: readonly Warning[]): TemplateResult {
  return html`
    <ul>
      ${list.map((warning) => {
        const gravity = gravityOf(warning);
        return html`
          <li class="note ${gravity}" data-code=${warning.code}>
            <svg viewBox="0 0 20 20" aria-hidden="true"><path d=${drawings[gravity]} /></svg>
            <span>${warningText(warning, context.locale)}</span>
          </li>
        `;
      })}
    </ul>
  `;
}
