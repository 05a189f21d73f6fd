/** How accurate: what the core predicted for jobs that others measured and published. */
import { html, nothing, type TemplateResult } from 'lit';
import { quantileSorted, rollup } from 'd3-array';
import {
  measurements,
  sourceErrors,
  verdicts,
  type Measurement,
  type Quantity,
  type SourceErrors,
} from '../accuracy/measurements';
import type { Context } from '../elements/context';
import type { FigureTable } from '../elements/figure';
import type { PlotFigure } from '../elements/plot';
import { kinds } from './inputs';
import { segmented, select } from './parts';

export interface AccuracyFilter {
  readonly quantity: Quantity;
  /** Empty: all. */
  readonly gpu: string;
  readonly stack: string;
  readonly method: string;
}

export const allMeasurements: AccuracyFilter = { quantity: 'time', gpu: '', stack: '', method: '' };

const fields = ['gpu', 'stack', 'method'] as const;

/** Errors within this are drawn between the two thin lines. */
const band = 0.2;

/** The share that an interval should hold. */
const promised = 0.8;

/** Stepping through hundreds of points by keyboard, so many are taken at a time. */
const stops = 60;

export function accuracy(context: Context): TemplateResult {
  const { t } = context.locale;
  const filter = context.view.accuracy;
  const all = measurements().filter(({ quantity }) => quantity === filter.quantity);
  const shown = all.filter((row) =>
    fields.every((field) => filter[field] === '' || row[field] === filter[field]),
  );
  const choose = (change: Partial<AccuracyFilter>): void => {
    context.show({ accuracy: { ...filter, ...change } });
  };
  return html`
    <div class="view" data-view="accuracy">
      <header class="lead">
        <h2 class="title">${t('accuracy.title')}</h2>
        <p>
          ${t('accuracy.lead', { count: measurements().length, n: context.locale.format.integer(measurements().length), sources: new Set(sourceErrors.map(({ source }) => source)).size })}
        </p>
      </header>
      <div class="card filters">
        ${segmented(
          'quantity',
          t('accuracy.quantity'),
          (['time', 'memory'] as const).map((value) => ({
            value,
            label: t(`accuracy.quantities.${value}`),
          })),
          filter.quantity,
          (value) => {
            choose({ ...allMeasurements, quantity: value as Quantity });
          },
        )}
        ${fields.map((field) => filterBy(context, all, field, choose))}
      </div>
      ${summary(context, shown)} ${sourceTable(context, filter.quantity)}
      <div class="card">
        <train-tally-plot
          data-figure="accuracy"
          .locale=${context.locale}
          .figure=${scatter(context, shown, filter.quantity)}
        ></train-tally-plot>
      </div>
      <p class="hint">${t('accuracy.note', verdicts)}</p>
    </div>
  `;
}

/** Repositories go by their names. */
function sourceName(source: string, t: Context['locale']['t']): string {
  if (source === 'mlperf_training') return t('accuracy.mlperf');
  return source === 'misc_repos' ? t('accuracy.others') : source;
}

function nameOf(context: Context, field: (typeof fields)[number], id: string): string {
  if (field === 'gpu') return context.catalog.gpu(id)?.name ?? id;
  if (field === 'stack') return context.catalog.stack(id)?.name ?? id;
  const kind = kinds.find((known) => known === id);
  return kind === undefined ? id : context.locale.t(`inputs.kinds.${kind}`);
}

function filterBy(
  context: Context,
  all: readonly Measurement[],
  field: (typeof fields)[number],
  choose: (change: Partial<AccuracyFilter>) => void,
): TemplateResult {
  const { t, format } = context.locale;
  const filter = context.view.accuracy;
  // What the other filters leave.
  const left = all.filter((row) =>
    fields.every(
      (other) => other === field || filter[other] === '' || row[other] === filter[other],
    ),
  );
  const counts = [
    ...rollup(
      left,
      (rows) => rows.length,
      (row) => row[field],
    ),
  ].sort((a, b) => b[1] - a[1]);
  return select(
    `accuracy-${field}`,
    t(`accuracy.${field}`),
    [
      { options: [{ value: '', label: t('accuracy.all', { n: format.integer(left.length) }) }] },
      {
        options: counts.map(([id, count]) => ({
          value: id,
          label: `${nameOf(context, field, id)} (${format.integer(count)})`,
        })),
      },
    ],
    filter[field],
    (value) => {
      choose({ [field]: value });
    },
  );
}

/**
 * What an estimate of somebody else's job may be off by: errors on sources that the fit never saw.
 * Those of the fit itself are smaller, and stand below.
 */
function summary(
  {
    locale: { t, format },
    view: {
      accuracy: { quantity },
    },
  }: Context,
  shown: readonly Measurement[],
): TemplateResult {
  const names = new Set(shown.map(({ source }) => source));
  const sources = sourceErrors.filter((row) => row.quantity === quantity && names.has(row.source));
  const unseen = sources
    .flatMap(({ leftOut }) => (leftOut === undefined ? [] : [leftOut]))
    .sort((a, b) => a.median - b.median);
  const error = (value: number | undefined): string =>
    value === undefined ? '—' : `±${format.share(value)}`;
  const covered = sources.reduce((sum, { coverage, rows }) => sum + coverage * rows, 0);
  const rows = sources.reduce((sum, each) => sum + each.rows, 0);
  const coverages = sources.map(({ coverage }) => coverage);
  const tiles = [
    [
      t('accuracy.typical'),
      error(
        quantileSorted(
          unseen.map(({ median }) => median),
          0.5,
        ),
      ),
    ],
    [t('accuracy.worst'), error(unseen.at(-1)?.median)],
    [
      t('accuracy.coverage'),
      rows === 0 ? '—' : format.percent(covered / rows),
      t('accuracy.coverages', {
        low: format.percent(Math.min(...coverages)),
        high: format.percent(Math.max(...coverages)),
      }),
    ],
    [t('accuracy.count'), format.integer(shown.length)],
  ] as const;
  const errors = shown
    .map(({ measured, predicted }) => Math.abs(predicted / measured - 1))
    .sort((a, b) => a - b);
  return html`
    <div class="kpis" role="group" aria-label=${t('accuracy.summary')}>
      ${tiles.map(
        ([label, value, note]) =>
          html`<div class="kpi">
            <p class="kpi-label">${label}</p>
            <p class="kpi-value">${value}</p>
            ${note === undefined || rows === 0 ? nothing : html`<p class="kpi-note">${note}</p>`}
          </div>`,
      )}
    </div>
    <p class="hint">
      ${t('accuracy.fitted', {
        half: error(quantileSorted(errors, 0.5)),
        ninety: error(quantileSorted(errors, 0.9)),
      })}
    </p>
  `;
}

function scatter(context: Context, shown: readonly Measurement[], quantity: Quantity): PlotFigure {
  const { t, format } = context.locale;
  const write =
    quantity === 'time'
      ? (value: number) => format.durationText(value)
      : (value: number) => `${format.gib(value)} GiB`;
  const tick =
    quantity === 'time' ? (value: number) => format.number(value) : format.gib.bind(format);
  const tones = { pretrain: 1, full: 3, lora: 4, qlora: 6 } as const;
  const marks = { pretrain: 'cloud', full: 'ring', lora: 'diamond', qlora: 'cross' } as const;
  const series = kinds.flatMap((kind) => {
    const rows = shown.filter(({ method }) => method === kind);
    if (rows.length === 0) return [];
    return [
      {
        label: `${t(`inputs.kinds.${kind}`)} (${format.integer(rows.length)})`,
        tone: tones[kind],
        mark: marks[kind],
        points: rows.map((row) => ({
          x: row.measured,
          y: row.predicted,
          lines: [
            t('accuracy.point', { measured: write(row.measured), predicted: write(row.predicted) }),
            `${nameOf(context, 'gpu', row.gpu)} · ${nameOf(context, 'stack', row.stack)}`,
            sourceName(row.source, t),
          ],
        })),
      },
    ];
  });
  const values = shown.flatMap(({ measured, predicted }) => [measured, predicted]);
  const domain: [number, number] =
    values.length === 0 ? [1, 10] : [Math.min(...values), Math.max(...values)];
  return {
    title: t(`accuracy.chart.${quantity}`),
    description: t('accuracy.describe', { n: format.integer(shown.length) }),
    x: { label: t(`accuracy.measured.${quantity}`), log: true, tick, domain },
    y: { label: t(`accuracy.predicted.${quantity}`), log: true, tick, domain },
    series,
    stride: Math.max(1, Math.ceil(shown.length / stops)),
    guides: [
      { factor: 1, strong: true, label: t('accuracy.exact') },
      { factor: 1 + band, label: t('accuracy.band', { band: format.percent(band) }) },
      { factor: 1 / (1 + band) },
    ],
    table: bySource(context, shown),
  };
}

/** The picture's points are too many to read: the table sums them up by source. */
function bySource({ locale: { t, format } }: Context, shown: readonly Measurement[]): FigureTable {
  const groups = rollup(
    shown,
    (rows) => {
      const errors = rows
        .map(({ measured, predicted }) => Math.abs(predicted / measured - 1))
        .sort((a, b) => a - b);
      return [
        format.integer(rows.length),
        `±${format.share(quantileSorted(errors, 0.5) ?? 0)}`,
        `±${format.share(quantileSorted(errors, 0.9) ?? 0)}`,
      ];
    },
    ({ source }) => source,
  );
  return {
    head: [t('accuracy.source'), t('accuracy.count'), t('accuracy.half'), t('accuracy.ninety')],
    rows: [...groups].map(([source, cells]) => ({ cells: [sourceName(source, t), ...cells] })),
  };
}

function sourceTable({ locale: { t, format } }: Context, quantity: Quantity): TemplateResult {
  const rows = sourceErrors
    .filter((row) => row.quantity === quantity)
    .sort((a, b) => Number(b.complete) - Number(a.complete) || b.rows - a.rows);
  const error = (value: number | undefined): string =>
    value === undefined ? '—' : `±${format.share(value)}`;
  const line = (row: SourceErrors): TemplateResult => html`
    <tr>
      <th scope="row">
        ${sourceName(row.source, t)}
        ${row.complete ? '' : html`<small class="periods">${t('accuracy.incomplete')}</small>`}
      </th>
      <td>${format.integer(row.rows)}</td>
      <td>${error(row.leftOut?.median)}</td>
      <td>${error(row.leftOut?.p90)}</td>
      <td>${error(row.median)}</td>
      <td class=${row.coverage < promised ? 'old' : ''}>${format.percent(row.coverage)}</td>
    </tr>
  `;
  return html`
    <div class="card">
      <h2 id="accuracy-sources">${t('accuracy.sources')}</h2>
      <div class="scroll" tabindex="0" role="group" aria-labelledby="accuracy-sources">
        <table aria-labelledby="accuracy-sources">
          <thead>
            <tr>
              <th scope="col">${t('accuracy.source')}</th>
              <th scope="col" class="figure">${t('accuracy.count')}</th>
              <th scope="col" class="figure">${t('accuracy.unseen')}</th>
              <th scope="col" class="figure">${t('accuracy.unseen90')}</th>
              <th scope="col" class="figure">${t('accuracy.seen')}</th>
              <th scope="col" class="figure">${t('accuracy.coverage')}</th>
            </tr>
          </thead>
          <tbody>
            ${rows.map(line)}
          </tbody>
        </table>
      </div>
    </div>
  `;
}
