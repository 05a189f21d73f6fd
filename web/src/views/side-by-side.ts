/** Compare: up to four scenarios side by side, with what differs marked. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Report } from '../../generated/report';
import { soldAs } from '../catalog/catalog';
import type { Context } from '../elements/context';
import { numberAt, stringAt, valueAt, withValue, type JsonObject } from '../scenario/document';
import { defaultScenario, sameScenario } from '../scenario/presets';
import { gpuOf, modelName, presetsFor, shortName } from './inputs';

export const mostPinned = 3;

interface Column {
  readonly scenario: JsonObject;
  readonly report: Report;
  readonly title: string;
}

interface Row {
  readonly label: string;
  /** What stands in the cell; nothing where it can't be said. */
  readonly text: (column: Column) => string;
  /** Only one currency can be ranked. */
  readonly money?: boolean;
  /** Where less (or more) is better. */
  readonly rank?: { readonly of: (column: Column) => number | undefined; readonly more?: boolean };
}

export function sideBySide(context: Context): TemplateResult {
  const { t } = context.locale;
  const first = column(context, context.scenario);
  const currency = first.report.cost?.total.currency;
  const columns = [first, ...context.pinned.map((scenario) => column(context, scenario, currency))];
  const alike = new Set(columns.map((each) => jobOf(context, each))).size === 1;
  return html`
    <div class="view" data-view="compare">
      <header class="lead">
        <h2 class="title">${t('sides.title')}</h2>
        <p>${t('sides.lead')}</p>
        ${alike ? nothing : html`<p data-unlike>${t('sides.unlike')}</p>`}
      </header>
      <div class="card">
        <div class="scroll sides" tabindex="0" role="group" aria-label=${t('sides.title')}>
          <table>
            <thead>
              <tr>
                <td></td>
                ${columns.map((each, index) => head(context, each, index))}
              </tr>
            </thead>
            <tbody>
              ${rows(context).map((row) => line(context, row, columns, alike))}
            </tbody>
          </table>
        </div>
      </div>
      ${context.pinned.length >= mostPinned ? nothing : more(context)}
    </div>
  `;
}

/** @param currency to be compared in, where the price isn't the visitor's own */
function column(context: Context, scenario: JsonObject, currency?: string): Column {
  const own = ['per_gpu_hour', 'per_month'].some(
    (name) => valueAt(scenario, `/price/${name}`) !== undefined,
  );
  const asked =
    currency === undefined || own ? scenario : withValue(scenario, '/price/currency', currency);
  // The current one's answer is there already.
  const report =
    scenario === context.scenario && context.report !== undefined && !context.stale
      ? context.report
      : context.estimate(asked);
  return { scenario, report, title: titleOf(context, scenario, report) };
}

export function titleOf(context: Context, scenario: JsonObject, report: Report): string {
  const { t, format } = context.locale;
  const resolved = (report.resolved ?? {}) as unknown as JsonObject;
  const gpu = context.catalog.gpu(stringAt(resolved, '/cluster/gpu'));
  const kind = stringAt(resolved, '/training/kind') as 'full' | undefined;
  return [
    modelName({ ...context, scenario }),
    kind === undefined ? '' : t(`inputs.kinds.${kind}`),
    `${format.integer(numberAt(resolved, '/cluster/count') ?? 1)} × ${shortName(gpu)}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

function head(context: Context, { scenario, title }: Column, index: number): TemplateResult {
  const { t } = context.locale;
  const others = context.pinned.filter((_, at) => at !== index - 1);
  return html`
    <th scope="col">
      <span class="side-title">${title}</span>
      ${
        index === 0
          ? html`<span class="tag">${t('sides.current')}</span>`
          : html`<button
                type="button"
                class="link"
                aria-label=${t('sides.openOf', { title })}
                @click=${() => {
                  context.pin([...others, context.scenario]);
                  context.load(scenario);
                }}
              >
                ${t('sides.open')}
              </button>
              <button
                type="button"
                class="link"
                aria-label=${t('sides.removeOf', { title })}
                @click=${() => {
                  context.pin(others);
                }}
              >
                ${t('sides.remove')}
              </button>`
      }
    </th>
  `;
}

/** What must be the same for one way of doing it to be better than another. */
function jobOf(context: Context, column: Column): string {
  const { scenario, report } = column;
  const model = valueAt(report.resolved, '/model') ?? modelName({ ...context, scenario });
  return JSON.stringify([model, tokensOf(context, column)]);
}

/** @param alike whether all train the same model on as much */
function line(
  context: Context,
  row: Row,
  columns: readonly Column[],
  alike: boolean,
): TemplateResult | typeof nothing {
  const texts = columns.map(row.text);
  if (texts.every((text) => text === '')) return nothing;
  const differs = new Set(texts).size > 1;
  const comparable = alike && (row.money !== true || currenciesOf(columns).size === 1);
  // What doesn't fit is no better for being quick, and what several share is nobody's best.
  const ranks = columns.map((each) =>
    comparable && each.report.memory?.fits !== false ? row.rank?.of(each) : undefined,
  );
  const known = ranks.filter((value) => value !== undefined);
  const best = row.rank?.more === true ? Math.max(...known) : Math.min(...known);
  const first = texts[ranks.indexOf(best)];
  const marked = known.length > 1 && texts.filter((text) => text === first).length === 1;
  return html`
    <tr class=${differs ? 'differs' : ''}>
      <th scope="row">
        ${row.label}${differs ? html`<span class="unseen"> (${context.locale.t('sides.differs')})</span>` : nothing}
      </th>
      ${texts.map(
        (text, index) =>
          html`<td class=${marked && ranks[index] === best ? 'best' : ''}>
            ${text === '' ? '—' : text}
            ${marked && ranks[index] === best ? html`<span class="tag">${context.locale.t('sides.best')}</span>` : nothing}
          </td>`,
      )}
    </tr>
  `;
}

function rows(context: Context): readonly Row[] {
  const { t, format } = context.locale;
  return [
    {
      label: t('kpi.memory'),
      text: ({ report: { memory } }) =>
        memory === undefined
          ? ''
          : `${format.gib(memory.device_peak.value)} / ${format.gib(memory.usable)} GiB`,
    },
    {
      label: t('compare.fits'),
      text: ({ report: { memory } }) =>
        memory === undefined ? '' : t(memory.fits ? 'compare.yes' : 'compare.no'),
    },
    {
      label: t('kpi.time'),
      text: ({ report: { time } }) =>
        time === undefined ? '' : format.durationText(time.run.value),
      rank: { of: ({ report: { time } }) => time?.run.value },
    },
    {
      label: t('kpi.cost'),
      text: ({ report: { cost } }) => (cost === undefined ? '' : format.moneyText(cost.total)),
      money: true,
      rank: { of: ({ report: { cost } }) => cost && Number(cost.total.value) },
    },
    {
      label: t('kpi.perToken'),
      text: ({ report: { cost } }) =>
        cost?.per_million_tokens === undefined ? '' : format.moneyText(cost.per_million_tokens),
      money: true,
      rank: {
        of: ({ report: { cost } }) =>
          cost?.per_million_tokens && Number(cost.per_million_tokens.value),
      },
    },
    {
      label: t('kpi.mfu'),
      text: ({ report: { time } }) =>
        time === undefined ? '' : format.percent(time.mfu_causal.value, 1),
      rank: { of: ({ report: { time } }) => time?.mfu_causal.value, more: true },
    },
    {
      label: t('more.energy'),
      text: ({ report: { energy } }) =>
        energy === undefined ? '' : t('more.kwh', { kwh: format.number(energy.kwh) }),
      rank: { of: ({ report: { energy } }) => energy?.kwh },
    },
    ...settings(context),
  ];
}

/** What the answer rests on, in the words of the fields. */
function settings(context: Context): readonly Row[] {
  const { t, format } = context.locale;
  const resolved = ({ report }: Column, at: string): string => stringAt(report.resolved, at) ?? '';
  /** The words' name for a choice; one that they don't know keeps its own. */
  const known = (group: 'precisions' | 'optimizers', id: string): string =>
    id === '' ? '' : t(`inputs.${group}.${id}` as 'inputs.precision') || id;
  const count = ({ report }: Column, at: string): string => {
    const value = numberAt(report.resolved, at);
    return value === undefined ? '' : format.exact(value);
  };
  return [
    { label: t('inputs.tokens'), text: (each) => tokensOf(context, each) },
    { label: t('inputs.sequence'), text: (each) => count(each, '/training/sequence_length') },
    { label: t('inputs.global'), text: (each) => count(each, '/training/global_batch') },
    {
      label: t('inputs.precision'),
      text: (each) => known('precisions', resolved(each, '/training/precision')),
    },
    {
      label: t('inputs.optimizer'),
      text: (each) => known('optimizers', resolved(each, '/training/optimizer')),
    },
    {
      label: t('inputs.stack'),
      text: (each) => context.catalog.stack(resolved(each, '/training/stack'))?.name ?? '',
    },
    {
      label: t('inputs.layout'),
      text: ({ report }) =>
        ['tp', 'pp', 'dp', 'zero']
          .map((name) => [name, numberAt(report.resolved, `/layout/${name}`)] as const)
          .filter(([name, value]) => value !== undefined && (value > 1 || name === 'dp'))
          .map(
            ([name, value]) =>
              `${name === 'zero' ? 'ZeRO-' : `${name.toUpperCase()} `}${value ?? ''}`,
          )
          .join(' · '),
    },
    {
      label: t('inputs.recompute'),
      text: (each) => {
        const value = resolved(each, '/training/recompute') as 'none' | '';
        return value === '' ? '' : t(`inputs.recomputes.${value}`);
      },
    },
  ];
}

/** The current scenario's settings, price included, for those who read on paper. */
export function assumptions(context: Context): (readonly [string, string])[] {
  const { t, format, language } = context.locale;
  const { report, resolved, catalog } = context;
  if (report === undefined) return [];
  const here = column(context, context.scenario);
  const offer = catalog.offer(stringAt(resolved, '/price/offer'));
  const count = numberAt(resolved, '/cluster/count') ?? 1;
  return [
    [t('inputs.model'), modelName(context)],
    [t('inputs.cluster'), `${format.integer(count)} × ${gpuOf(context)?.name ?? ''}`],
    ...settings(context).map(({ label, text }) => [label, text(here)] as const),
    [
      t('inputs.price'),
      offer === undefined ? '' : [soldAs(offer, language), offer.date].join(' · '),
    ],
    [
      t('inputs.billing'),
      report.cost === undefined ? '' : t(`inputs.billingModes.${report.cost.mode}`),
    ],
  ].filter((row): row is [string, string] => row[1] !== '');
}

const currenciesOf = (columns: readonly Column[]): Set<string> =>
  new Set(columns.flatMap(({ report: { cost } }) => (cost ? [cost.total.currency] : [])));

function tokensOf({ locale: { format } }: Context, { report }: Column): string {
  const tokens =
    numberAt(report.resolved, '/training/tokens') ??
    (numberAt(report.resolved, '/training/tokens/dataset_tokens') ?? 0) *
      (numberAt(report.resolved, '/training/tokens/epochs') ?? 1);
  return tokens === 0 ? '' : format.exact(tokens);
}

/** What may be put beside it: the current one as it is now, twice as many GPUs, a preset. */
function more(context: Context): TemplateResult {
  const { t } = context.locale;
  const add = (scenario: JsonObject): void => {
    context.pin([...context.pinned, scenario]);
  };
  const shown = [context.scenario, ...context.pinned];
  return html`
    <div class="card add">
      <h2>${t('sides.add')}</h2>
      <ul class="chips">
        ${
          context.pinned.some((each) => sameScenario(each, context.scenario))
            ? nothing
            : html`<li>
                <button
                  type="button"
                  class="chip"
                  data-pin="current"
                  @click=${() => {
                    add(context.scenario);
                  }}
                >
                  ${t('sides.addCurrent')}
                </button>
              </li>`
        }
        ${presetsFor(context)
          .filter(({ scenario }) => !shown.some((each) => sameScenario(each, scenario)))
          .map(
            ({ name, scenario }) =>
              html`<li>
                <button
                  type="button"
                  class="chip"
                  data-pin=${name}
                  @click=${() => {
                    add(scenario === defaultScenario ? { ...scenario } : scenario);
                  }}
                >
                  ${t(`presets.${name}`)}
                </button>
              </li>`,
          )}
      </ul>
    </div>
  `;
}
