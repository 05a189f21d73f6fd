/** The right side of the Estimate view: the answer, and everything that it rests on. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Report } from '../../generated/report';
import type { Context } from '../elements/context';
import { warningText } from '../words/codes';
import { basis } from './basis';
import { billing } from './billing';
import { comparison } from './comparison';
import { kpis } from './kpis';
import { memoryFigure, timeFigure } from './figures';
import { more } from './more';
import { sources } from './sources';

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
      ${basis(context)} ${sources(context)}
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

function warnings(context: Context): TemplateResult | typeof nothing {
  const list = context.report?.warnings ?? [];
  if (list.length === 0) return nothing;
  return html`
    <ul class="notes" data-warnings>
      ${list.map(
        (warning) => html`
          <li class="note warn" data-code=${warning.code}>
            <svg viewBox="0 0 20 20" aria-hidden="true">
              <path d="M10 2.5 18.5 17h-17z" />
              <path d="M10 8v4M10 14.4v.2" />
            </svg>
            <span>${warningText(warning, context.locale)}</span>
          </li>
        `,
      )}
    </ul>
  `;
}
