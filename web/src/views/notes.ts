/** Notes on an answer, the gravest first; where there are many, the rest is folded away. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Warning } from '../../generated/report';
import type { Context } from '../elements/context';
import { numberAt } from '../scenario/document';
import { waysOut } from './fit';
import { gravityOf, warningText, type Gravity } from '../words/codes';

const shownAtOnce = 3;
const gravest: readonly Gravity[] = ['bad', 'warn', 'info'];
const drawings: Readonly<Record<Gravity, string>> = {
  bad: 'M10 2.5 18.5 17h-17zM10 8v4M10 14.4v.2',
  warn: 'M10 2.5 18.5 17h-17zM10 8v4M10 14.4v.2',
  info: 'M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15M10 9v5M10 6v.2',
};

/** Whether it fits is said beside the verdict, not among the other notes. */
const ofFit = /^(?:does_not_fit|may_not_fit|tight)$/;

export function fitNote(context: Context): TemplateResult | typeof nothing {
  const list = context.report?.warnings.filter(({ code }) => ofFit.test(code)) ?? [];
  return list.length === 0 || context.stale
    ? nothing
    : html`<div class="notes fit-note">${notes(context, list)}</div>`;
}

export function warningNotes(
  context: Context,
  warnings: readonly Warning[],
): TemplateResult | typeof nothing {
  const list = warnings.filter(({ code }) => !ofFit.test(code));
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
            <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
              <path d=${drawings[gravity]} />
            </svg>
            <span>
              ${warningText(warning, context.locale, numberAt(context.resolved, '/layout/tp'))}
              ${warning.code === 'does_not_fit' ? waysOut(context) : nothing}
            </span>
          </li>
        `;
      })}
    </ul>
  `;
}
