/** What the whole project costs: trial runs, failures, evaluation, data, and a reserve on all of it. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Money } from '../../generated/report';
import type { ProjectAnswer } from '../../generated/project-answer';
import type { Context } from '../elements/context';
import { objectAt } from '../scenario/document';
import { problemText } from '../words/codes';
import { warningNotes } from './notes';
import { facts, folded, number, requested } from './parts';

const shares = ['trial_runs', 'failed_runs', 'evaluation', 'contingency'] as const;
const sums = [
  'run',
  'trial_runs',
  'failed_runs',
  'evaluation',
  'data_preparation',
  'transfer',
  'storage',
  'contingency',
] as const;
const sizes = ['upload_tb', 'download_tb', 'line_mbit_s', 'storage_tb', 'storage_months'] as const;
const prices = ['data_preparation', 'transfer_per_gb', 'storage_per_tb_month'] as const;

export function project(context: Context): TemplateResult | typeof nothing {
  const { t, format } = context.locale;
  const { cost, memory } = context.report ?? {};
  if (cost === undefined || memory?.fits !== true) return nothing;
  return folded(context, 'project', t('project.title'), () => {
    const { currency } = cost.total;
    const asked = {
      version: 1,
      phases: [{ scenario: context.scenario }],
      currency,
      budget: objectAt(context.requests, '/project'),
    };
    const answer = context.evaluate('project', asked) as ProjectAnswer;
    const { budget } = answer;
    const inner: Context = {
      ...requested(context, asked, { budget: budget?.factors ?? {} }, answer.problems),
      set: (changes) => {
        context.request(
          changes.map(([pointer, value]) => [pointer.replace('/budget', '/project'), value]),
        );
      },
    };
    const days = (label: string, value: number | undefined): (readonly [string, string])[] =>
      value === undefined ? [] : [[label, format.durationText(value * 86_400)]];
    const line = (name: (typeof sums)[number]): (readonly [string, string])[] => {
      const money: Money | undefined = budget?.[name];
      return money === undefined || Number(money.value) === 0
        ? []
        : [[t(`project.${name}`), format.moneyText(money)]];
    };
    return html`
      <p class="hint">${t('project.lead')}</p>
      <div class="filters">
        ${shares.map((name) =>
          number(inner, `/budget/${name}_share`, {
            label: t(`project.${name}`),
            filled: true,
            percent: true,
          }),
        )}
        ${prices.map((name) =>
          number(inner, `/budget/${name}`, {
            label: t(`project.${name}`),
            unit: format.moneyUnit(currency),
            decimal: true,
          }),
        )}
        ${sizes.map((name) => number(inner, `/budget/${name}`, { label: t(`project.${name}`) }))}
      </div>
      ${warningNotes(context, answer.warnings)}
      ${
        budget === undefined
          ? html`<p class="problem">
              ${answer.problems.map((problem) => problemText(problem, context.locale))}
            </p>`
          : facts([
              ...sums.flatMap(line),
              [html`<b>${t('project.total')}</b>`, html`<b>${format.moneyText(budget.total)}</b>`],
              ...days(t('project.upload'), budget.upload_days),
              ...days(t('project.download'), budget.download_days),
            ])
      }
    `;
  });
}
