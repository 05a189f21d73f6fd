/** "I ran it": the visitor's own step time recalibrates the answer, and is ready to be contributed. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Context } from '../elements/context';
import { numberAt, valueAt, withValue } from '../scenario/document';
import { number, segmented } from './parts';
import { titleOf } from './side-by-side';
import { copy } from './take-away';

const fields = { step: '/measured/step_s', rate: '/measured/tokens_per_second' } as const;

export function ownRun(context: Context): TemplateResult {
  const { t, format } = context.locale;
  const by = numberAt(context.scenario, fields.rate) === undefined ? context.view.ownBy : 'rate';
  const ratio = context.report?.warnings.find(({ code }) => code === 'recalibrated')?.figures.ratio;
  return html`
    <details class="card ran" ?open=${valueAt(context.scenario, '/measured') !== undefined}>
      <summary>${t('ran.title')}</summary>
      <p class="facts">${t('ran.lead')}</p>
      ${segmented(
        'own-by',
        t('ran.by'),
        (['step', 'rate'] as const).map((value) => ({ value, label: t(`ran.${value}`) })),
        by,
        (value) => {
          context.show({ ownBy: value as 'step' });
          context.set([['/measured', undefined]]);
        },
        true,
      )}
      ${number(context, fields[by], { label: t(`ran.${by}`), hint: t(`ran.${by}Hint`) })}
      ${
        ratio === undefined
          ? nothing
          : html`<p class="facts" data-ratio>${t('ran.ratio', { ratio: format.number(ratio) })}</p>
              <button
                type="button"
                class="button"
                data-contribute
                @click=${() => {
                  void copy(context, 'contribute', contribution(context));
                }}
              >
                ${t(context.view.copied === 'contribute' ? 'ran.copied' : 'ran.contribute')}
              </button>
              <p class="hint">${t('ran.note')}</p>`
      }
    </details>
  `;
}

/** Everything that somebody else needs to set the figure beside the model's. */
export function contribution(context: Context): string {
  const { t } = context.locale;
  const predicted = context.estimate(withValue(context.scenario, '/measured', undefined));
  const { report, scenario } = context;
  const configuration = withValue(context.resolved, '/measured', undefined);
  const line = (name: string, time: typeof predicted.time): string =>
    `- ${name}: ${time?.step.value ?? '?'} s/step, ${time?.tokens_per_second.value ?? '?'} tokens/s`;
  return [
    `### ${t('ran.heading')}: ${titleOf(context, scenario, report ?? predicted)}`,
    '',
    line(t('ran.measured'), report?.time),
    line(t('ran.predicted'), predicted.time),
    `- ${context.link}`,
    '',
    '```json',
    JSON.stringify(configuration, undefined, 2),
    '```',
    '',
    t('ran.source'),
    '',
  ].join('\n');
}
