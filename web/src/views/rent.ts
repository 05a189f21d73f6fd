/** What to rent: every offer, count and layout that does the job, cost against time. */
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { PlanAnswer, Entry } from '../../generated/plan-answer';
import type { Context } from '../elements/context';
import type { PlotFigure, PlotPoint } from '../elements/plot';
import { offerName, soldAs } from '../catalog/catalog';
import {
  isObject,
  numberAt,
  stringAt,
  valueAt,
  withValue,
  type JsonObject,
} from '../scenario/document';
import { currencyChoice, seen, shortName } from './inputs';
import { ruledOutText, nameOf as wordOf } from '../words/codes';
import { facts, folded, number, requested, rich } from './parts';
import { priceList } from './price-list';

const shownRows = 12;

/** The job without what is to be found, and what it must keep to. */
function question({ scenario, requests }: Context): JsonObject {
  const constraints = valueAt(requests, '/plan');
  const currency = stringAt(requests, '/plan/budget/currency');
  const kept = Object.fromEntries(
    Object.entries(scenario).filter(([name]) => !['cluster', 'layout', 'price'].includes(name)),
  );
  return {
    version: 1,
    ...kept,
    ...(isObject(constraints) ? { constraints } : {}),
    ...(currency === undefined ? {} : { price: { currency } }),
  };
}

export function rent(context: Context): TemplateResult {
  const { t } = context.locale;
  const asked = question(context);
  const answer = context.search(asked);
  const inner: Context = {
    ...requested(context, asked, {}, answer?.problems ?? []),
    set: (changes) => {
      context.request(
        changes.map(([pointer, value]) => [pointer.replace('/constraints', '/plan'), value]),
      );
    },
  };
  return html`
    <div class="view" data-view="rent">
      <header class="lead">
        <h2 class="title">${t('plan.title')}</h2>
        <p>${rich(t('plan.lead', { job: jobOf(context) }))}</p>
      </header>
      <div class="card filters">
        ${number(inner, '/constraints/deadline_days', { label: t('plan.deadline'), unit: t('plan.days'), hint: t('plan.none') })}
        ${number(inner, '/constraints/budget/total', { label: t('plan.budget'), hint: t('plan.none'), decimal: true })}
        ${currencyChoice(
          context,
          'plan-currency',
          stringAt(context.requests, '/plan/budget/currency') ?? 'CNY',
          (value) => {
            context.request([['/plan/budget/currency', value === 'CNY' ? undefined : value]]);
          },
        )}
        ${number(inner, '/constraints/max_gpus', { label: t('plan.most'), hint: t('plan.none'), whole: true, least: 1 })}
        ${checklist(context)}
      </div>
      ${priceList(context)} ${answer === undefined ? nothing : results(context, answer)}
    </div>
  `;
}

const requirements = ['rdma', 'parallel_storage', 'frameworks', 'isolation', 'support'] as const;
type Requirement = (typeof requirements)[number];

/** What an offer must be known to have: the article's checklist. */
function checklist(context: Context): TemplateResult {
  const { t } = context.locale;
  const said = valueAt(context.requests, '/plan/require');
  const wanted = (Array.isArray(said) ? said : []) as readonly string[];
  return html`
    <fieldset class="toggles whole">
      <legend class="label">${t('filters.require')}</legend>
      ${requirements.map(
        (name) => html`
          <label class="toggle">
            <input
              type="checkbox"
              data-require=${name}
              .checked=${live(wanted.includes(name))}
              @change=${() => {
                const next = requirements.filter(
                  (each) => wanted.includes(each) !== (each === name),
                );
                context.request([['/plan/require', next.length === 0 ? undefined : next]]);
              }}
            /><span>${t(`filters.items.${name}`)}</span>
          </label>
        `,
      )}
    </fieldset>
  `;
}

function jobOf({ report, scenario, catalog, locale: { t, format } }: Context): string {
  const kind = (stringAt(report?.resolved, '/training/kind') ?? 'lora') as 'lora';
  const model = stringAt(scenario, '/model');
  const tokens = numberAt(report?.resolved, '/training/tokens');
  return [
    catalog.model(model)?.name ?? model ?? format.compact(report?.parameters?.total ?? 0),
    t(`inputs.kinds.${kind}`),
    tokens === undefined ? '' : t('plan.tokens', { n: format.compact(tokens) }),
  ]
    .filter(Boolean)
    .join(' · ');
}

function results(context: Context, answer: PlanAnswer): TemplateResult {
  const { t, format } = context.locale;
  const { front, cheapest, fastest, searched } = answer;
  const status = html`<p class="hint" role="status" data-complete=${answer.complete}>
    ${
      answer.complete
        ? t('plan.searched', {
            n: format.integer(searched.layouts),
            evaluated: format.integer(searched.evaluated),
          })
        : t('plan.searching', { share: format.percent(answer.progress) })
    }
  </p>`;
  if (front.length === 0) {
    return html`${
      answer.complete
        ? html`<div class="card" data-plan="none">
            <p>${t(answer.problems.length > 0 ? 'plan.wrong' : 'plan.nothing')}</p>
          </div>`
        : nothing
    }
    ${answer.complete ? leftOut(context, answer) : nothing} ${status}`;
  }
  return html`
    <div class="picks">
      ${pick(context, balanced(front), 'balanced')}
      ${cheapest === undefined ? nothing : pick(context, cheapest, 'cheapest')}
      ${fastest === undefined ? nothing : pick(context, fastest, 'fastest')}
    </div>
    <div class="card">
      <train-tally-plot
        data-figure="plan"
        .locale=${context.locale}
        .figure=${pareto(context, answer)}
        @choose=${(event: CustomEvent<string>) => {
          const entry = front[Number(event.detail)];
          if (entry !== undefined) take(context, entry);
        }}
      ></train-tally-plot>
    </div>
    ${table(context, front)} ${article(context, cheapest)}
    ${answer.complete ? leftOut(context, answer) : nothing} ${status}
  `;
}

/** What the article's bands say of the size, the budget and the duration, beside what was reckoned. */
function article(context: Context, cheapest: Entry | undefined): TemplateResult | typeof nothing {
  const { t, format, language } = context.locale;
  const published = context.report?.published;
  if (published === undefined || !context.article) return nothing;
  const { recommended = [], profile, profile_plan: plan, billing } = published;
  const range = (least: number, most: number | undefined): string =>
    most === undefined
      ? `≥ ${format.integer(least)}`
      : format.range(format.integer(least), format.integer(most));
  const offer = plan === undefined ? undefined : context.catalog.offer(`article-${plan}`);
  const rows: (readonly [string, string])[] = [
    ...(recommended.length === 0
      ? []
      : [
          [
            t('filters.cluster'),
            recommended
              .map(
                ({ name, least_cards: least, most_cards: most }) =>
                  `${range(least, most)} × ${name}`,
              )
              .join(' / '),
          ] as const,
        ]),
    ...(profile === undefined
      ? []
      : [[t('filters.kind'), t(`filters.profiles.${profile as 'individual'}`)] as const]),
    ...(offer === undefined ? [] : [[t('filters.plan'), offerName(offer, language)] as const]),
    ...(billing === undefined
      ? []
      : [[t('filters.duration'), t(`filters.billing.${billing as 'monthly'}`)] as const]),
  ];
  if (rows.length === 0) return nothing;
  return folded(
    context,
    'advice',
    t('filters.article'),
    () => html`
      <p class="hint">${rich(t('terms.article'))}</p>
      ${facts([
        ...rows,
        ...(cheapest === undefined
          ? []
          : [
              [
                html`<b>${t('filters.chosen')}</b>`,
                html`<b>${cardsOf(context, cheapest)}</b> · ${nameOf(context, cheapest)} ·
                  ${t(`inputs.billingModes.${cheapest.cost.mode}`)}`,
              ] as const,
            ]),
      ])}
    `,
  );
}

/** Offers that nothing came of, each with what binds. */
function leftOut(
  context: Context,
  { ruled_out: list }: PlanAnswer,
): TemplateResult | typeof nothing {
  const { locale, catalog } = context;
  if (list.length === 0) return nothing;
  const name = (id: string | undefined, gpu: string): string => {
    const offer = catalog.offer(id);
    return offer === undefined ? shortName(catalog.gpu(gpu)) : soldAs(offer, locale.language);
  };
  const figures = (
    each: (typeof list)[number],
  ): Readonly<Record<string, number | string | undefined>> => {
    const { requirement } = each.figures;
    return requirement === undefined
      ? each.figures
      : { ...each.figures, requirement: locale.t(`filters.items.${requirement as Requirement}`) };
  };
  return folded(context, 'leftOut', locale.t('filters.leftOut', { count: list.length }), () =>
    facts(
      list.map((each) => [
        name(each.offer, each.gpu),
        ruledOutText(each.code, figures(each), locale),
      ]),
    ),
  );
}

function nameOf({ catalog, locale }: Context, entry: Entry): string {
  const offer = catalog.offer(entry.offer);
  return offer === undefined ? '' : soldAs(offer, locale.language);
}

function cardsOf({ catalog, locale: { t, format } }: Context, entry: Entry): string {
  return t('answer.cluster', {
    n: format.integer(entry.count),
    gpu: shortName(catalog.gpu(entry.gpu)),
  });
}

function layoutOf({ layout }: Entry): string {
  const parts = (['tp', 'pp', 'cp', 'ep', 'dp'] as const)
    .filter((name) => layout[name] > 1)
    .map((name) => `${name.toUpperCase()} ${layout[name]}`);
  if (layout.zero > 0) parts.push(`ZeRO-${layout.zero}`);
  if (layout.shard_group > 0) parts.push(`HSDP ${layout.shard_group}`);
  return parts.join(' · ');
}

/** Where less of the one costs most of the other: the least product of both. */
function balanced(front: readonly Entry[]): Entry {
  const product = ({ cost, time }: Entry): number => Number(cost.total.value) * time.run.value;
  return front.reduce((best, each) => (product(each) < product(best) ? each : best));
}

const year = 365 * 86_400;

function pick(
  context: Context,
  entry: Entry,
  which: 'balanced' | 'cheapest' | 'fastest',
): TemplateResult {
  const { t, format } = context.locale;
  const offer = context.catalog.offer(entry.offer);
  return html`
    <div class="card pick" data-pick=${which}>
      <h2>${t(`plan.${which}`)}</h2>
      <p class="kpi-value">${cardsOf(context, entry)}</p>
      <p class="pick-line">
        ${rich(
          t('plan.pick', {
            time: format.durationText(entry.time.run.value),
            cost: format.moneyText(entry.cost.total),
          }),
        )}
      </p>
      ${which === 'balanced' ? html`<p class="facts">${t('plan.balancedWhy')}</p>` : nothing}
      ${entry.time.run.value > year ? html`<p class="facts old">${t('plan.years')}</p>` : nothing}
      <p class="facts">
        ${nameOf(context, entry)} ${offer === undefined ? nothing : seen(context, offer)}
      </p>
      <p class="facts">
        ${t(`inputs.billingModes.${entry.cost.mode}`)} · ${layoutOf(entry) || t('plan.single')} ·
        ${format.gib(entry.memory.device_peak.value)} / ${format.gib(entry.memory.usable)} GiB
      </p>
      ${rules(context, entry)} ${useButton(context, entry)}
    </div>
  `;
}

/** Which rules of practice the layout keeps to; nothing where it splits nothing. */
function rules(
  { locale }: Context,
  { rules: { met, broken } }: Entry,
): TemplateResult | typeof nothing {
  if (met.length + broken.length === 0) return nothing;
  const list = (codes: readonly string[]): string =>
    codes.map((code) => wordOf('rules', code, locale)).join(locale.language === 'en' ? ', ' : '、');
  return html`<p class="facts">
    ${met.length === 0 ? nothing : locale.t('filters.rules', { met: list(met) })}${
      broken.length === 0 ? nothing : locale.t('filters.broken', { broken: list(broken) })
    }
  </p>`;
}

function useButton(context: Context, entry: Entry): TemplateResult {
  const { t } = context.locale;
  return html`<button
    type="button"
    class="button"
    aria-label=${t('plan.useOf', { cluster: cardsOf(context, entry) })}
    @click=${() => {
      take(context, entry);
    }}
  >
    ${t('plan.use')}
  </button>`;
}

/** The found plan as the scenario, layout and all. */
function take(context: Context, entry: Entry): void {
  const { layout } = entry;
  let next: JsonObject = {
    ...context.scenario,
    cluster: { gpu: entry.gpu, count: entry.count },
    layout: Object.fromEntries(
      Object.entries(layout).filter(([name, value]) => name !== 'shard_group' || value !== 0),
    ),
    price: {
      ...(entry.offer === undefined ? {} : { offer: entry.offer }),
      billing: entry.cost.mode,
      currency: entry.cost.total.currency,
    },
  };
  for (const name of ['micro_batch', 'global_batch', 'recompute', 'stack'] as const) {
    next = withValue(next, `/training/${name}`, entry[name]);
  }
  context.load(next);
  context.choose({ view: 'estimate' });
}

function pareto(context: Context, { front }: PlanAnswer): PlotFigure {
  const { t, format } = context.locale;
  const hour = 3600;
  const currency = front[0]?.cost.total.currency ?? 'CNY';
  const point = (entry: Entry, index: number): PlotPoint => ({
    x: entry.time.run.value / hour,
    y: Number(entry.cost.total.value),
    id: String(index),
    lines: [
      cardsOf(context, entry),
      `${format.durationText(entry.time.run.value)} · ${format.moneyText(entry.cost.total)}`,
      nameOf(context, entry),
    ],
  });
  const { report, stale } = context;
  const now = report?.time && report.cost && !stale ? report : undefined;
  const paid = [now?.cost?.total, now?.cost?.other_currency?.total].find(
    (money) => money?.currency === currency,
  );
  return {
    title: t('plan.chart'),
    description: t('plan.describe', { n: format.integer(front.length) }),
    x: { label: t('plan.xAxis'), log: true, tick: (value) => format.number(value) },
    y: {
      label: t('plan.yAxis', { currency: format.moneyUnit(currency) }),
      log: true,
      tick: (value) => format.compact(value),
    },
    series: [
      { label: t('plan.front'), tone: 1, mark: 'dot', line: 'dashed', points: front.map(point) },
      ...(now?.time && paid
        ? [
            {
              label: t('plan.current'),
              tone: 5 as const,
              mark: 'diamond' as const,
              points: [
                {
                  x: now.time.run.value / hour,
                  y: Number(paid.value),
                  lines: [
                    t('plan.current'),
                    `${format.durationText(now.time.run.value)} · ${format.moneyText(paid)}`,
                  ],
                },
              ],
            },
          ]
        : []),
    ],
    table: {
      head: [t('plan.cluster'), t('kpi.time'), t('kpi.cost'), t('plan.offer')],
      rows: front.map((entry) => ({
        cells: [
          cardsOf(context, entry),
          format.durationText(entry.time.run.value),
          format.moneyText(entry.cost.total),
          nameOf(context, entry),
        ],
      })),
    },
  };
}

function table(context: Context, front: readonly Entry[]): TemplateResult {
  const { t, format } = context.locale;
  // Dearest and fastest first comes from the core; people look for the cheapest.
  const rows = [...front].reverse().slice(0, shownRows);
  return html`
    <div class="card">
      <h2 id="plan-table">${t('plan.table')}</h2>
      <div class="scroll wide plans" tabindex="0" role="group" aria-labelledby="plan-table">
        <table aria-labelledby="plan-table">
          <thead>
            <tr>
              <th scope="col">${t('plan.cluster')}</th>
              <th scope="col" class="figure">${t('kpi.time')}</th>
              <th scope="col" class="figure">${t('kpi.cost')}</th>
              <th scope="col" class="figure">${t('kpi.memory')}</th>
              <td></td>
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              (entry) => html`
                <tr>
                  <th scope="row">
                    ${cardsOf(context, entry)}
                    <small class="periods">${nameOf(context, entry)}</small>
                  </th>
                  <td data-label=${t('kpi.time')}>${format.durationText(entry.time.run.value)}</td>
                  <td data-label=${t('kpi.cost')}>${format.moneyText(entry.cost.total)}</td>
                  <td data-label=${t('kpi.memory')}>
                    ${format.gib(entry.memory.device_peak.value)} /
                    ${format.gib(entry.memory.usable)}
                  </td>
                  <td>${useButton(context, entry)}</td>
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
    </div>
  `;
}
