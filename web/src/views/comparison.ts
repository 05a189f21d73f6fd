/** The article's answer beside the detailed one. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Report } from '../../generated/report';
import type { Context } from '../elements/context';
import { hasArticlePlan, numberAt } from '../scenario/document';
import { folded, rich } from './parts';
import { statements } from './statements';

type Published = NonNullable<Report['published']>;

interface Row {
  readonly label: string;
  readonly article: string | undefined;
  readonly detailed: string | undefined;
}

const secondsPerDay = 86_400;

export function comparison(context: Context): TemplateResult | typeof nothing {
  const { t } = context.locale;
  const { report } = context;
  const published = report?.published;
  if (report === undefined || published === undefined || !context.article) return nothing;
  const rows = [
    ...memoryRows(context, report, published),
    ...timeRows(context, report, published),
    ...costRows(context, report, published),
  ].filter(({ article }) => article !== undefined);
  const title = t('compare.title');
  const body = (): TemplateResult => html`
    <p class="hint">${rich(t('terms.article'))}</p>
    <div class="scroll" tabindex="0" role="group" aria-label=${title}>
      <table aria-label=${title}>
        <thead>
          <tr>
            <td></td>
            <th scope="col" class="figure">${t('compare.article')}</th>
            <th scope="col" class="figure">${t('compare.detailed')}</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ label, article, detailed }) => html`
              <tr>
                <th scope="row">${label}</th>
                <td>${article}</td>
                <td>${detailed ?? '—'}</td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
    ${
      published.full_training_only === true
        ? html`<p class="hint">${t('compare.adapters')}</p>`
        : nothing
    }
    ${statements(context, published.statements ?? [])}
    <p class="hint">${t('compare.note')}</p>
  `;
  // Of no interest before one of its plans is: folded away.
  return hasArticlePlan(context.scenario)
    ? html`<div class="card compare">
        <h2>${title}</h2>
        ${body()}
      </div>`
    : html`<div class="compare">${folded(context, 'article', title, body)}</div>`;
}

function memoryRows(context: Context, report: Report, published: Published): Row[] {
  const { t, format } = context.locale;
  const { memory } = report;
  const { vram_low_gb: low, vram_high_gb: high, vram_reduced_gb: reduced } = published;
  const n = format.integer(numberAt(context.resolved, '/cluster/count') ?? 1);
  const yesNo = (value: boolean | undefined): string | undefined =>
    value === undefined ? undefined : t(value ? 'compare.yes' : 'compare.no');
  return [
    {
      label: t('compare.memory'),
      article:
        low === undefined || high === undefined
          ? undefined
          : t('compare.memoryArticle', { low: format.number(low), high: format.number(high) }),
      detailed:
        memory && t('compare.memoryDetailed', { n, gib: format.gib(memory.device_peak.value) }),
    },
    {
      label: t('compare.reduced'),
      article:
        reduced === undefined
          ? undefined
          : t('compare.memoryArticleOne', { gb: format.number(reduced) }),
      detailed: undefined,
    },
    {
      label: t('compare.fits'),
      article: yesNo(published.fits),
      detailed: yesNo(memory?.fits),
    },
    {
      label: t('compare.gpus'),
      article: published.gpu_count === undefined ? undefined : format.integer(published.gpu_count),
      detailed: memory && t(memory.fits ? 'compare.atMost' : 'compare.moreThan', { n }),
    },
  ];
}

function timeRows({ locale: { t, format } }: Context, report: Report, published: Published): Row[] {
  const { time } = report;
  const waiting =
    time === undefined
      ? undefined
      : Object.values(time.exposed_communication).reduce((sum, seconds) => sum + seconds, 0) /
        time.step.value;
  return [
    {
      label: t('compare.communication'),
      article:
        published.communication === undefined ? undefined : format.share(published.communication),
      detailed: waiting === undefined ? undefined : format.share(waiting),
    },
    {
      label: t('compare.run'),
      article:
        published.speed?.run_days &&
        format.durationText(published.speed.run_days.value * secondsPerDay),
      detailed: time && format.durationText(time.run.value),
    },
  ];
}

function costRows({ locale: { t, format } }: Context, report: Report, published: Published): Row[] {
  const { cost, storage } = report;
  return [
    {
      label: t('compare.total'),
      article: published.total && format.moneyText(published.total),
      detailed: cost && format.moneyText(cost.total),
    },
    {
      label: t('compare.unit'),
      article: published.unit_cost_per_1k && format.moneyText(published.unit_cost_per_1k),
      detailed: cost?.per_1k_tokens && format.moneyText(cost.per_1k_tokens),
    },
    {
      label: t('compare.storage'),
      article:
        published.storage_tb === undefined
          ? undefined
          : `${format.number(published.storage_tb)} TB`,
      detailed: storage && format.bytes(storage.needed_bytes),
    },
  ];
}
