/** Rent or own: what the same GPUs cost either way, month by month, and when the two cross. */
import { html, nothing, svg, type TemplateResult } from 'lit';
import { extent } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import type { OwnAnswer } from '../../generated/own-answer';
import type { Money } from '../../generated/report';
import type { Context } from '../elements/context';
import type { PlotFigure } from '../elements/plot';
import {
  isObject,
  numberAt,
  objectAt,
  stringAt,
  valueAt,
  type JsonObject,
} from '../scenario/document';
import { absentText, problemText } from '../words/codes';
import { currencyChoice, gpuField, priceFields } from './inputs';
import { help } from './help';
import { warningNotes } from './notes';
import { details, facts, number, requested, rich, segmented, slider } from './parts';

const longestMonths = 72;
const shownInputs = 10;

/** The core's request: the scenario's GPUs, with what was typed here over it. */
function question(context: Context): JsonObject {
  const own = objectAt(context.requests, '/own');
  const rent = valueAt(own, '/rent');
  const asked: JsonObject = {
    version: 1,
    ...own,
    // A price is in the currency that its field shows.
    ...(isObject(rent) ? { rent: { currency: stringAt(own, '/currency') ?? 'CNY', ...rent } } : {}),
  };
  if (own['preset'] !== undefined) return asked;
  const gpu = stringAt(own, '/purchase/gpu') ?? stringAt(context.resolved, '/cluster/gpu');
  const count = numberAt(context.resolved, '/cluster/count') ?? 1;
  // Fewer than a server's can't be bought: the core's default is a server.
  const whole = count >= (context.catalog.gpu(gpu)?.per_server ?? 1) && count > 1;
  return {
    ...asked,
    purchase: {
      gpu,
      ...(whole && stringAt(own, '/purchase/gpu') === undefined ? { count } : {}),
      ...objectAt(own, '/purchase'),
    },
  };
}

export function own(context: Context): TemplateResult {
  const { t } = context.locale;
  const asked = question(context);
  const said = context.evaluate('own', asked) as OwnAnswer;
  const stale = said.problems.length > 0;
  const answer = stale ? ((context.lastGood('own') as OwnAnswer | undefined) ?? said) : said;
  const inner: Context = {
    ...requested(context, asked, answer.resolved, said.problems),
    set: (changes) => {
      context.request(changes.map(([pointer, value]) => [`/own${pointer}`, value]));
    },
  };
  return html`
    <div class="view" data-view="own">
      <header class="lead">
        <h2 class="title">${t('own.title')}</h2>
        <p>${t('own.lead')}</p>
      </header>
      <div class="columns">
        ${inputs(inner, answer)}
        <div class="right">
          ${sentence(inner, said, answer)}
          ${answer.own === undefined ? nothing : results(inner, asked, answer, stale)}
        </div>
      </div>
    </div>
  `;
}

function inputs(context: Context, answer: OwnAnswer): TemplateResult {
  const { t, format } = context.locale;
  const gpu =
    stringAt(context.resolved, '/purchase/gpu') ?? stringAt(context.scenario, '/purchase/gpu');
  const currency = stringAt(context.resolved, '/currency') ?? 'CNY';
  const unit = format.moneyUnit(currency);
  const months = numberAt(context.resolved, '/months') ?? 36;
  const use = numberAt(context.resolved, '/utilization') ?? 0.5;
  const article = stringAt(context.scenario, '/preset') === 'article';
  const money = (at: string, name: 'tariff' | 'rack' | 'staff'): TemplateResult =>
    number(context, at, { label: t(`own.${name}`), unit, filled: true, decimal: true });
  const percent = (at: string, name: keyof OwnWords): TemplateResult =>
    number(context, at, { label: t(`own.input.${name}`), filled: true, percent: true });
  const { market } = answer;
  return html`
    <section class="inputs" aria-label=${t('own.inputs')}>
      <div class="card">
        ${
          !context.article
            ? nothing
            : segmented(
                'own-preset',
                t('own.whose'),
                [
                  { value: '', label: t('own.mine') },
                  { value: 'article', label: t('own.article') },
                ],
                article ? 'article' : '',
                (value) => {
                  context.show({ ownPrice: undefined });
                  context.set([['', value === '' ? undefined : { preset: value }]]);
                },
                false,
                help(context.locale, 'article', t('quote.article')),
              )
        }
        ${gpuField(context, '/purchase/gpu', gpu, (id) => {
          context.show({ ownPrice: undefined });
          context.set([
            ['/purchase', { gpu: id }], // what was said of another card's price no longer holds
            ['/rent', undefined],
            ['/preset', undefined],
          ]);
        })}
        <div class="pair">
          ${number(context, '/purchase/count', { label: t('inputs.count'), filled: true, whole: true, least: 1 })}
          ${number(context, '/purchase/gpus_per_server', { label: t('inputs.perNode'), filled: true, whole: true, least: 1 })}
        </div>
        ${slider(
          t('own.months'),
          'own-months',
          months,
          [1, longestMonths, 1],
          monthsOf(context, months),
          (value) => {
            context.set([['/months', value]]);
          },
        )}
        ${slider(t('own.use'), 'own-use', use, [0.05, 1, 0.05], format.percent(use), (value) => {
          context.set([['/utilization', value]]);
        })}
        ${
          article
            ? nothing
            : currencyChoice(context, 'own-currency', currency, (value) => {
                context.set([['/currency', value === 'CNY' ? undefined : value]]);
              })
        }
      </div>
      <div class="card">
        <h2>${t('own.buying')}</h2>
        ${number(context, '/purchase/server_price', {
          label: t('own.server'),
          unit,
          filled: true,
          decimal: true,
          hint:
            market === undefined
              ? absentText('no_market_price', context.locale)
              : t('own.market', {
                  range: `${format.moneyShort(market.low)} – ${format.moneyShort(market.high)}`,
                }),
        })}
        ${
          market === undefined || Math.abs(market.price_ratio - 1) < 1e-6
            ? nothing
            : html`<button
                type="button"
                class="link"
                data-own="market"
                @click=${() => {
                  context.set([
                    ['/purchase/server_price', article ? market.value.value : undefined],
                  ]);
                }}
              >
                ${t('own.takeMarket', { price: format.moneyShort(market.value) })}
              </button>`
        }
      </div>
      <div class="card">
        <h2>${t('own.renting')}</h2>
        ${priceFields(context, '/rent', gpu, answer.offer, currency)}
      </div>
      ${details(
        t('own.more'),
        html`
          <div class="pair">
            ${percent('/purchase/capital_rate', 'capital_rate')}
            ${percent('/purchase/residual_share', 'residual_share')}
          </div>
          <div class="pair">
            ${percent('/purchase/network_share', 'network_share')}
            ${percent('/purchase/spares_share', 'spares_share')}
          </div>
          <div class="pair">
            ${percent('/operation/operations_share', 'operations_share')}
            ${money('/operation/staff_per_year', 'staff')}
          </div>
          <div class="pair">
            ${money('/operation/tariff_per_kwh', 'tariff')}
            ${money('/operation/rack_per_kw_month', 'rack')}
          </div>
          <div class="pair">
            ${number(context, '/operation/pue', { label: 'PUE', filled: true, least: 1 })}
            ${number(context, '/operation/host_factor', { label: t('own.input.host_factor'), filled: true, least: 1 })}
          </div>
          <div class="pair">
            ${percent('/operation/load', 'load')}
            ${number(context, '/purchase/delivery_days', { label: t('own.input.delivery_days'), unit: t('plan.days'), filled: true })}
          </div>
          ${percent('/rent/rent_change', 'rent_change')}
        `,
      )}
    </section>
  `;
}

/** Names of the core's inputs. */
type OwnWords = Record<
  | 'server_price'
  | 'network_share'
  | 'spares_share'
  | 'residual_share'
  | 'residual_months'
  | 'capital_rate'
  | 'delivery_days'
  | 'load'
  | 'host_factor'
  | 'pue'
  | 'tariff_per_kwh'
  | 'rack_per_kw_month'
  | 'staff_per_year'
  | 'operations_share'
  | 'rent_change'
  | 'months'
  | 'utilization',
  string
>;

function monthsOf({ locale: { t, format } }: Context, count: number): string {
  return t('own.monthsValue', { count, n: format.integer(count) });
}

function positive(money: Money): Money {
  return { ...money, value: money.value.replace('-', '') };
}

function sentence(context: Context, said: OwnAnswer, answer: OwnAnswer): TemplateResult {
  const { t, format } = context.locale;
  const { saving_by_owning: saving, cheaper } = answer;
  const stale = said !== answer || said.problems.length > 0;
  return html`
    <div
      class="card answer ${stale ? 'stale' : ''}"
      part="answer"
      data-state=${cheaper ?? 'waiting'}
      role="group"
      aria-label=${t('answer.region')}
    >
      ${
        saving === undefined || cheaper === undefined
          ? nothing
          : html`<p class="sentence">
                ${rich(
                  t(`own.sentence.${cheaper}`, {
                    months: monthsOf(context, numberAt(context.resolved, '/months') ?? 0),
                    saving: format.moneyShort(positive(saving)),
                  }),
                )}
              </p>
              <p class="sub">${crossing(context, answer)}</p>`
      }
      ${
        said.problems.length === 0
          ? nothing
          : html`<ul class="sub bad problems" role="alert">
              ${said.problems.map(
                (problem) =>
                  html`<li data-code=${problem.code}>
                    ${problem.code === 'missing' ? t(problem.at === '/rent' ? 'inputs.noOffer' : 'own.missing') : problemText(problem, context.locale)}
                  </li>`,
              )}
            </ul>`
      }
    </div>
  `;
}

function crossing(context: Context, answer: OwnAnswer): string {
  const { t, format } = context.locale;
  const { breakeven_month: month, breakeven_utilization: use } = answer;
  return [
    month === undefined ? t('own.never') : t('own.cross', { month: monthsOf(context, month) }),
    use === undefined || !use.reachable
      ? t('own.noUse')
      : t(`own.crossUse.${use.of}`, { use: format.percent(use.value) }),
  ].join(context.locale.language === 'en' ? ' ' : '');
}

function results(
  context: Context,
  asked: JsonObject,
  answer: OwnAnswer,
  stale: boolean,
): TemplateResult {
  const { t, format } = context.locale;
  const { own: bought, rent } = answer;
  if (bought === undefined || rent === undefined) return html``;
  const tile = (label: string, money: Money, note: string): TemplateResult => {
    const text = format.moneyShort(money);
    return html`<div class="kpi">
      <p class="kpi-label">${label}</p>
      <p class="kpi-value ${text.length > 10 ? 'long' : ''}">${text}</p>
      <p class="kpi-note">${note}</p>
    </div>`;
  };
  const perHour = (money: Money): string => t('own.perHour', { price: format.moneyText(money) });
  return html`
    <section class="results ${stale ? 'stale' : ''}" aria-label=${t('answer.region')}>
      ${asked['preset'] === 'article' ? articleCard(context, asked, answer) : nothing}
      ${
        // The article's table says it itself.
        warningNotes(
          context,
          answer.warnings.filter(({ code }) => code !== 'counts_purchase_and_depreciation'),
        )
      }
      <div class="kpis">
        ${tile(t('own.ownTotal'), bought.total, perHour(bought.per_used_gpu_hour))}
        ${tile(t('own.rentTotal'), rent.total, `${t(`own.way.${rent.way}`)} · ${perHour(rent.per_used_gpu_hour)}`)}
        ${tile(t('own.purchase'), bought.purchase, t('own.perMonth', { price: format.moneyShort(bought.operation_per_month) }))}
      </div>
      <div class="card">
        <train-tally-plot
          data-figure="own"
          .locale=${context.locale}
          .figure=${curve(context, answer, rent.total.currency)}
        ></train-tally-plot>
      </div>
      <div class="two">${parts(context, bought)} ${tornado(context, answer)}</div>
      ${sources(context, answer)}
    </section>
  `;
}

/** The article's table to the yuan, and the same purchase reckoned properly, at its price and the market's. */
function articleCard(context: Context, asked: JsonObject, answer: OwnAnswer): TemplateResult {
  const { t, format } = context.locale;
  const { article, own: bought, rent, market } = answer;
  if (article === undefined || bought === undefined || rent === undefined) return html``;
  const atMarket =
    market === undefined
      ? undefined
      : (context.evaluate('own', {
          ...asked,
          purchase: { ...(asked['purchase'] as JsonObject), server_price: market.value.value },
        }) as OwnAnswer);
  const money = (value: Money | undefined): string =>
    value === undefined || Number(value.value) === 0 ? '—' : format.moneyShort(value);
  const minus = (value: Money | undefined): string =>
    value === undefined ? '—' : `−${money(value)}`;
  const fair = [answer, ...(atMarket?.own === undefined ? [] : [atMarket])];
  const years = { n: format.number(article.years) };
  const row = (
    label: string,
    first: string,
    rest: (each: OwnAnswer) => string,
    total = false,
  ): TemplateResult => html`
    <tr class=${total ? 'chosen' : ''}>
      <th scope="row">${label}</th>
      <td>${first}</td>
      ${fair.map((each) => html`<td>${rest(each)}</td>`)}
    </tr>
  `;
  return html`
    <div class="card" data-own="article">
      <h2 id="own-article">${t('own.table.title')}</h2>
      <div class="scroll wide" tabindex="0" role="group" aria-labelledby="own-article">
        <table aria-labelledby="own-article">
          <thead>
            <tr>
              <td></td>
              <th scope="col" class="figure">${t('own.table.article')}</th>
              <th scope="col" class="figure">${t('own.table.proper')}</th>
              ${fair.length > 1 ? html`<th scope="col" class="figure">${t('own.table.market')}</th>` : nothing}
            </tr>
          </thead>
          <tbody>
            ${row(t('own.purchase'), money(article.purchase), (each) => money(each.own?.purchase))}
            ${row(t('own.table.operation', years), t('own.table.times', { ...years, each: money(article.operation_per_year) }), (each) => money(each.own?.operation_total))}
            ${row(t('own.table.refresh'), t('own.table.times', { ...years, each: money(article.refresh_per_year) }), (each) => minus(each.own?.residual_value))}
            ${row(t('own.part.capital'), '—', (each) => money(each.own?.capital_cost))}
            ${row(t('own.part.bridging'), '—', (each) => money(each.own?.bridging_rent))}
            ${row(t('own.ownTotal'), money(article.own_total), (each) => money(each.own?.total), true)}
            ${row(t('own.rentTotal'), money(article.rent_printed), (each) => money(each.rent?.total), true)}
            ${row(
              t('own.table.saving'),
              `${money(article.saving)} (${format.percent(article.saving_share)})`,
              (each) => {
                const saving = each.saving_by_owning;
                if (saving === undefined) return '—';
                return each.cheaper === 'rent' ? money(positive(saving)) : minus(saving);
              },
            )}
          </tbody>
        </table>
      </div>
      <p class="hint">
        ${t('own.table.note', {
          years: years.n,
          twice: money(article.counted_twice),
          without: money(article.own_without_refresh),
        })}
      </p>
    </div>
  `;
}

function curve(context: Context, answer: OwnAnswer, currency: string): PlotFigure {
  const { t, format } = context.locale;
  const points = answer.curve ?? [];
  const money = (value: string): string => format.moneyShort({ value, currency });
  const lines = (at: (typeof points)[number]): string[] => [
    monthsOf(context, at.month),
    `${t('own.ownLine')} ${money(at.own)}`,
    `${t('own.paid')} ${money(at.paid)}`,
    `${t('own.rentLine')} ${money(at.rent)}`,
  ];
  const { breakeven_month: cross } = answer;
  const last = points.at(-1)?.month ?? 0;
  const series = (
    label: string,
    name: 'own' | 'paid' | 'rent',
    tone: 1 | 4 | 7,
    line: 'solid' | 'dashed',
  ) =>
    ({
      label,
      tone,
      mark: 'none',
      line,
      points: points.map((at) => ({ x: at.month, y: Number(at[name]), lines: lines(at) })),
    }) as const;
  return {
    title: t('own.chart'),
    description: `${t('own.describe', { months: monthsOf(context, last) })} ${crossing(context, answer)}`,
    x: { label: t('own.xAxis'), log: false, tick: (value) => format.integer(value) },
    y: {
      label: t('own.yAxis', { currency: format.moneyUnit(currency) }),
      log: false,
      tick: (value) => format.compact(value),
    },
    series: [
      series(t('own.ownLine'), 'own', 1, 'solid'),
      series(t('own.rentLine'), 'rent', 4, 'solid'),
      series(t('own.paid'), 'paid', 7, 'dashed'),
    ],
    guides:
      cross === undefined || cross > last
        ? []
        : [{ x: cross, label: t('own.crossAt', { month: monthsOf(context, cross) }) }],
    table: {
      head: [t('own.xAxis'), t('own.ownLine'), t('own.paid'), t('own.rentLine')],
      rows: points.map((at) => ({
        cells: [format.integer(at.month), money(at.own), money(at.paid), money(at.rent)],
      })),
    },
  };
}

function parts(context: Context, bought: NonNullable<OwnAnswer['own']>): TemplateResult {
  const { t, format } = context.locale;
  const rows = (list: readonly (readonly [keyof OwnParts, Money])[]) =>
    list
      .filter(([, money]) => Number(money.value) !== 0)
      .map(
        ([name, money]) =>
          [
            t(`own.part.${name}`),
            `${name === 'residual' ? '−' : ''}${format.moneyShort(money)}`,
          ] as const,
      );
  return html`
    <div class="card">
      <h2>${t('own.parts')}</h2>
      ${facts([
        ...rows([
          ['servers', bought.servers],
          ['network', bought.network],
          ['spares', bought.spares],
          ['operation', bought.operation_total],
          ['bridging', bought.bridging_rent],
          ['capital', bought.capital_cost],
          ['residual', bought.residual_value],
        ]),
        [t('own.ownTotal'), format.moneyShort(bought.total)],
      ])}
      <h3>${t('own.monthly')}</h3>
      ${facts([
        ...rows([
          ['power', bought.power_per_month],
          ['rack', bought.rack_per_month],
          ['staff', bought.staff_per_month],
          ['operations', bought.operations_per_month],
        ]),
        [
          t('more.energy'),
          `${t('more.kwh', { kwh: format.integer(bought.kwh_per_month) })} · ${format.number(bought.grid_kw)} kW`,
        ],
      ])}
    </div>
  `;
}

type OwnParts = Record<
  | 'servers'
  | 'network'
  | 'spares'
  | 'operation'
  | 'bridging'
  | 'capital'
  | 'residual'
  | 'power'
  | 'rack'
  | 'staff'
  | 'operations',
  string
>;

/** What the saving hangs on: each input at its low and its high end, the widest first. */
function tornado(context: Context, answer: OwnAnswer): TemplateResult | typeof nothing {
  const { t, format } = context.locale;
  const rows = (answer.sensitivity ?? []).slice(0, shownInputs);
  const base = Number(answer.saving_by_owning?.value);
  if (rows.length === 0 || Number.isNaN(base)) return nothing;
  const ends = rows.flatMap(({ saving_at_low: low, saving_at_high: high }) => [
    Number(low.value),
    Number(high.value),
  ]);
  const [least = 0, most = 0] = extent([base, ...ends]);
  const x = scaleLinear([least, most === least ? least + 1 : most], [1, 99]);
  const bar = (tone: string, end: number): TemplateResult => {
    const [from, to] = [x(Math.min(base, end)), x(Math.max(base, end))];
    return svg`<rect class=${tone} x="${from.toFixed(2)}%" width="${(to - from).toFixed(2)}%" y="3" height="12" rx="2"></rect>`;
  };
  const line = (tone: string, at: number): TemplateResult =>
    svg`<line class=${tone} x1="${x(at).toFixed(2)}%" x2="${x(at).toFixed(2)}%" y1="0" y2="18"></line>`;
  return html`
    <div class="card">
      <h2 id="own-tornado">${t('own.tornado')}</h2>
      <table class="tornado" aria-labelledby="own-tornado">
        <thead class="unseen">
          <tr>
            <th scope="col">${t('own.inputName')}</th>
            <th scope="col">${t('own.savingRange')}</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr>
                <th scope="row">
                  ${t(`own.input.${row.input as keyof OwnWords}`)}
                  <small>${rangeOf(context, row.at, row.low, row.high)}</small>
                </th>
                <td>
                  <svg height="18" width="100%" aria-hidden="true">
                    ${bar('tone-1', Number(row.saving_at_low.value))}${bar('tone-4', Number(row.saving_at_high.value))}
                    ${least < 0 && most > 0 ? line('zero', 0) : nothing}${line('axis', base)}
                  </svg>
                  <small>
                    ${format.moneyShort(row.saving_at_low)} →
                    ${format.moneyShort(row.saving_at_high)}
                  </small>
                </td>
              </tr>`,
          )}
        </tbody>
      </table>
      <p class="hint">
        <i class="swatch tone-1"></i> ${t('own.low')} <i class="swatch tone-4"></i> ${t('own.high')}
        · ${t('own.tornadoNote')}
      </p>
    </div>
  `;
}

const shareInputs = /_share$|_rate$|utilization|load|rent_change/;

function rangeOf({ locale: { format } }: Context, at: string, low: number, high: number): string {
  const text = (value: number): string =>
    shareInputs.test(at) ? format.percent(value, 1) : format.compact(value);
  return format.range(text(low), text(high));
}

function sources(context: Context, answer: OwnAnswer): TemplateResult | typeof nothing {
  const { t } = context.locale;
  const list = Object.entries(answer.sources ?? {});
  if (list.length === 0) return nothing;
  const name = (at: string): string => {
    const key = at.split('/').at(-1) ?? '';
    return key === 'rent' ? t('own.renting') : t(`own.input.${key as keyof OwnWords}`);
  };
  return html`
    <details class="card sources">
      <summary>${t('own.sources')}</summary>
      <dl>
        ${list.map(
          ([at, text]) =>
            html`<div>
              <dt>${name(at)}</dt>
              <dd><span class="from" lang="en">${text}</span></dd>
            </div>`,
        )}
      </dl>
    </details>
  `;
}
