/** What the article says about this case and what it comes to, the closest to the job first. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Statement } from '../../generated/report';
import type { Context } from '../elements/context';
import { statementText } from '../words/codes';

const shownAtOnce = 4;

/** Statements about fit, speed and price of the very job come before the rest. */
const closest =
  /^(?:fits|days_fit|memory_use|accounts_of_fit|unit_cost|annual|tokens_per|breakeven|vram)/;

export function statements(
  context: Context,
  all: readonly Statement[],
): TemplateResult | typeof nothing {
  const { t } = context.locale;
  const wrong = all.filter(({ verdict }) => verdict !== 'holds' && verdict !== 'unchecked');
  if (wrong.length === 0) return nothing;
  const near = (statement: Statement): boolean => closest.test(statement.sentence_code ?? '');
  const sorted = [...wrong.filter(near), ...wrong.filter((statement) => !near(statement))];
  const rest = sorted.slice(shownAtOnce);
  return html`
    <h3>${t('compare.statements')}</h3>
    ${list(context, sorted.slice(0, shownAtOnce))}
    ${
      rest.length === 0
        ? nothing
        : html`<details>
            <summary>${t('compare.more', { count: rest.length })}</summary>
            ${list(context, rest)}
          </details>`
    }
  `;
}

function list(context: Context, shown: readonly Statement[]): TemplateResult {
  return html`
    <ul class="statements">
      ${shown.map(
        (statement) => html`
          <li data-code=${statement.code} data-verdict=${statement.verdict}>
            <span class="tag verdict-${statement.verdict}">
              ${context.locale.t(`compare.verdicts.${statement.verdict}`)}
            </span>
            <span>${statementText(statement, context.locale)}</span>
          </li>
        `,
      )}
    </ul>
  `;
}
