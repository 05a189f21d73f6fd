/** Check a quote: what a seller states, pasted or typed, taken apart and reckoned again. */
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { QuoteAnswer } from '../../generated/quote-answer';
import type { Context } from '../elements/context';
import {
  isObject,
  objectAt,
  stringAt,
  valueAt,
  withValues,
  type Json,
  type JsonObject,
} from '../scenario/document';
import { sameScenario } from '../scenario/presets';
import { problemText, sentenceText } from '../words/codes';
import { currencyChoice, gpuField, kinds } from './inputs';
import { help } from './help';
import { warningNotes } from './notes';
import { details, facts, number, problemAt, requested, rich, select } from './parts';

type QuoteStatement = NonNullable<QuoteAnswer['statements']>[number];
type Verdict = QuoteStatement['verdict'];

/** Coloured as the estimate's verdicts are. */
const tones = {
  holds: 'holds',
  arithmetic_slip: 'slip',
  conflicts: 'conflict',
  does_not_fit: 'infeasible',
  implausible: 'implausible',
} as const satisfies Record<Verdict, string>;

/** The fields in the order of a quote; `tokens` and the like are shown short. */
const prices = [
  'per_month',
  'per_year',
  'per_hour',
  'per_gpu_hour',
  'per_day',
  'per_gpu_month',
  'zhe',
  'discount_percent',
  'average_per_month',
  'cheaper_percent',
  'hours',
  'hours_total',
] as const;
const claims = [
  'params_b',
  'training_days',
  'tokens_per_card_day',
  'tokens_per_day',
  'tokens_per_month',
  'unit_cost_per_1k',
  'average_unit_cost_per_1k',
  'unit_cheaper_percent',
  'storage_tb',
  'bandwidth_mbit_s',
] as const;
const feeKinds = ['none', 'fixed', 'per_month', 'percent', 'per_gb', 'per_event'] as const;
const feeCategories = [
  'network_surcharge',
  'vram_expansion',
  'data_transfer',
  'software_licence',
  'fault_diagnosis',
  'scaling_penalty',
] as const;

/** One figure or several, amounts in quotes. */
type Figures = string | number | readonly (string | number)[];

type Field = (typeof prices | typeof claims)[number] | 'count' | 'memory_gb' | 'hidden_fee_percent';

export function quote(context: Context): TemplateResult {
  const { t } = context.locale;
  const request = objectAt(context.requests, '/quote');
  // Until something is said, the answer is an example's. The form stays empty: none of it is theirs.
  const untouched = !isObject(valueAt(context.requests, '/quote'));
  const judged: JsonObject = untouched ? firstExample(context) : request;
  const asked: JsonObject = { version: 1, ...judged };
  const empty = Object.keys(judged).length === 0;
  const said = empty ? undefined : (context.evaluate('quote', asked) as QuoteAnswer);
  const stale = (said?.problems.length ?? 0) > 0;
  const good = context.lastGood('quote') as QuoteAnswer | undefined;
  // An example's answer is none to what was typed after it.
  const akin =
    valueAt(good, '/quote/plan') === valueAt(request, '/quote/plan') &&
    good !== context.evaluate('quote', { version: 1, ...firstExample(context) });
  const answer = stale ? (akin ? good : undefined) : said;
  const inner: Context = {
    ...requested(
      context,
      { version: 1, ...request },
      { quote: untouched ? {} : answer?.quote, months: 1 },
      said?.problems ?? [],
    ),
    // What is changed of an example is a quote of the visitor's own.
    set: (changes) => {
      context.request([['/quote', withValues(request, changes)]]);
    },
  };
  return html`
    <div class="view" data-view="quote">
      <header class="lead">
        <h2 class="title">${t('quote.title')}</h2>
        <p>${t('quote.lead')}</p>
      </header>
      ${examples(context, judged)}
      <div class="columns">
        ${inputs(inner, request)}
        <div class="right">
          ${untouched ? html`<p class="note" data-quote="shown">${t('quote.shown')}</p>` : nothing}
          ${verdict(inner, said, answer, stale)}
          ${answer === undefined ? nothing : results(inner, answer, stale)}
        </div>
      </div>
    </div>
  `;
}

/** What the answer is of as long as nothing is said. */
const firstExample = ({ locale: { t } }: Context): JsonObject => ({ text: t('quote.sample') });

/** A text's own words are judged, never what is left of an example's fields. */
function withText({ catalog }: Context, request: JsonObject, text: string): JsonObject {
  const said = request['quote'];
  const example = catalog.quotes.find(
    ({ quote: { plan } }) => plan !== undefined && plan === valueAt(said, '/plan'),
  )?.quote;
  const own = Object.entries(objectAt(request, '/quote')).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(example?.[name]),
  );
  return withValues(request, [
    ['/quote', own.length === 0 ? undefined : Object.fromEntries(own)],
    ['/text', text === '' ? undefined : text],
  ]);
}

/** A file that holds no text changes nothing. */
export async function openQuote(context: Context, file: File): Promise<void> {
  const text = await file.text();
  if (text.includes('\0')) return;
  context.request([['/quote', withText(context, objectAt(context.requests, '/quote'), text)]]);
}

/** The article's plans as a buyer would read them, and a pasted text. */
function examples(context: Context, request: JsonObject): TemplateResult {
  const { t } = context.locale;
  const chip = (name: string, label: string, example: JsonObject): TemplateResult =>
    html`<li>
      <button
        type="button"
        class="chip"
        data-quote=${name}
        aria-pressed=${sameScenario(example, request)}
        @click=${() => {
          context.request([['/quote', example]]);
        }}
      >
        ${label}
      </button>
    </li>`;
  return html`
    <nav class="presets" aria-label=${t('quote.try')}>
      <span class="label" aria-hidden="true">${t('quote.try')}</span>
      <ul>
        ${chip('example', t('quote.example'), firstExample(context))}
        ${
          context.article
            ? context.catalog.quotes.map((each) =>
                chip(each.id, each.name[context.locale.language === 'en' ? 'en' : 'zh'], {
                  quote: each.quote,
                }),
              )
            : nothing
        }
        ${chip('clear', t('quote.clear'), {})}
      </ul>
      ${context.article ? help(context.locale, 'article', t('quote.article')) : nothing}
    </nav>
  `;
}

function inputs(context: Context, request: JsonObject): TemplateResult {
  const { t } = context.locale;
  const text = stringAt(request, '/text') ?? '';
  const problem = problemAt(context, '/text');
  const of = (field: string): Json | undefined =>
    valueAt(context.scenario, `/quote/${field}`) ?? valueAt(context.resolved, `/quote/${field}`);
  const currency = of('currency') === 'USD' ? 'USD' : 'CNY';
  const figure = (field: Field): TemplateResult =>
    number(context, `/quote/${field}`, {
      label: t(`quote.fields.${field}`),
      filled: true,
      list: true,
    });
  /** What is folded away, in short. */
  const given = (fields: readonly Field[]): string =>
    fields
      .flatMap((field) => {
        const value = of(field) as Figures | undefined;
        return value === undefined
          ? []
          : [`${t(`quote.fields.${field}`)} ${[value].flat().join(' / ')}`];
      })
      .join(' · ');
  return html`
    <section class="inputs" aria-label=${t('quote.inputs')}>
      <div class="card">
        <div class="field">
          <label class="label" for="quote-text">${t('quote.text')}</label>
          <textarea
            id="quote-text"
            rows="4"
            aria-invalid=${problem === '' ? 'false' : 'true'}
            aria-describedby=${problem === '' ? nothing : 'quote-text-problem'}
            .value=${live(text)}
            @input=${(event: Event) => {
              const { value } = event.target as HTMLTextAreaElement;
              context.request([['/quote', withText(context, request, value)]]);
            }}
          ></textarea>
          ${problem === '' ? nothing : html`<p class="problem" id="quote-text-problem">${problem}</p>`}
        </div>
        ${gpuField(context, '/quote/gpu', of('gpu') as string | undefined, (id) => {
          context.set([['/quote/gpu', id]]);
        })}
        <div class="pair">${figure('count')} ${figure('memory_gb')}</div>
        <div class="pair">
          ${currencyChoice(context, 'quote-currency', currency, (value) => {
            context.set([['/quote/currency', value]]);
          })}
          ${select(
            'quote-kind',
            t('inputs.how'),
            [{ options: kinds.map((value) => ({ value, label: t(`inputs.kinds.${value}`) })) }],
            (of('kind') as string | undefined) ?? 'full',
            (value) => {
              context.set([['/quote/kind', value]]);
            },
          )}
        </div>
      </div>
      ${details(
        t('quote.groups.prices'),
        html`<div class="pair">${prices.map(figure)}</div>
          <p class="hint">${t('quote.several')}</p>`,
        given(prices),
      )}
      ${details(t('quote.groups.claims'), html`<div class="pair">${claims.map(figure)}</div>`, given(claims))}
      ${feeInputs(context, figure('hidden_fee_percent'))}
    </section>
  `;
}

interface Fee extends JsonObject {
  readonly category: string;
}

function feeInputs(context: Context, stated: TemplateResult): TemplateResult {
  const { t } = context.locale;
  const said = valueAt(context.scenario, '/quote/fees');
  const fees = (Array.isArray(said) ? said : []) as readonly Fee[];
  const change = (category: string, fee: JsonObject | undefined): void => {
    const others = fees.filter((each) => each.category !== category);
    const next = fee === undefined ? others : [...others, { ...fee, category }];
    context.set([['/quote/fees', next.length === 0 ? undefined : next]]);
  };
  const line = (category: (typeof feeCategories)[number]): TemplateResult => {
    const index = fees.findIndex((each) => each.category === category);
    const fee = fees[index];
    const kind = stringAt(fee, '/kind') ?? 'none';
    const amount = (field: 'amount' | 'quantity', label: string): TemplateResult =>
      number(context, `/quote/fees/${index}/${field}`, {
        label,
        decimal: field === 'amount',
        store: (value) => {
          change(category, { ...fee, [field]: value });
        },
      });
    return html`
      <div>
        ${select(
          `fee-${category}`,
          t(`quote.fee.categories.${category}`),
          [{ options: feeKinds.map((value) => ({ value, label: t(`quote.fee.kinds.${value}`) })) }],
          kind,
          (value) => {
            change(category, value === 'none' ? undefined : { amount: '0', ...fee, kind: value });
          },
        )}
        ${
          kind === 'none'
            ? nothing
            : html`<div class="pair">
                ${amount('amount', t(`quote.fee.kinds.${kind as 'fixed'}`))}
                ${
                  kind === 'per_gb' || kind === 'per_event'
                    ? amount('quantity', t(`quote.fee.quantity.${kind}`))
                    : nothing
                }
              </div>`
        }
      </div>
    `;
  };
  return details(
    t('quote.groups.fees'),
    html`
      ${feeCategories.map(line)}
      <div class="pair">
        ${number(context, '/months', { label: t('quote.fee.months'), filled: true })} ${stated}
      </div>
    `,
  );
}

function verdict(
  context: Context,
  said: QuoteAnswer | undefined,
  answer: QuoteAnswer | undefined,
  stale: boolean,
): TemplateResult {
  const { t, format } = context.locale;
  const statements = answer?.statements ?? [];
  const sound = answer?.counts?.holds ?? 0;
  const wrong = statements.length - sound;
  const counts = Object.entries(answer?.counts ?? {}) as [Verdict, number][];
  return html`
    <div
      class="card answer ${stale ? 'stale' : ''}"
      part="answer"
      data-state=${statements.length === 0 ? 'waiting' : wrong === 0 ? 'fits' : 'fitsNot'}
      role="group"
      aria-label=${t('answer.region')}
    >
      <p class="sentence" role="status">
        ${rich(
          statements.length === 0
            ? t('quote.nothing')
            : wrong === 0
              ? t('quote.sound', { n: format.integer(sound) })
              : t('quote.unsound', {
                  count: wrong,
                  n: format.integer(wrong),
                  of: format.integer(statements.length),
                }),
        )}
      </p>
      ${
        statements.length === 0
          ? nothing
          : html`<p class="sub chips">
              ${counts
                .filter(([, n]) => n > 0)
                .map(
                  ([name, n]) =>
                    html`<span class="tag verdict-${tones[name]}"
                      >${t(`quote.verdicts.${name}`)} ${format.integer(n)}</span
                    >`,
                )}
            </p>`
      }
      ${
        stale
          ? html`<ul class="sub bad problems" role="alert">
              ${said?.problems.map((problem) => html`<li>${problemText(problem, context.locale)}</li>`)}
            </ul>`
          : nothing
      }
    </div>
  `;
}

function results(context: Context, answer: QuoteAnswer, stale: boolean): TemplateResult {
  const { t } = context.locale;
  const statements = answer.statements ?? [];
  const list = (
    title: string,
    shown: readonly QuoteStatement[],
  ): TemplateResult | typeof nothing =>
    shown.length === 0
      ? nothing
      : html`<div class="card">
          <h2>${title}</h2>
          <ul class="statements">
            ${shown.map((statement) => line(context, statement))}
          </ul>
        </div>`;
  const holds = ({ verdict: each }: QuoteStatement): boolean => each === 'holds';
  return html`
    <section class="results ${stale ? 'stale' : ''}" aria-label=${t('answer.region')}>
      ${warningNotes(context, answer.warnings)}
      ${list(
        t('quote.wrong'),
        statements.filter((each) => !holds(each)),
      )}
      ${fees(context, answer)} ${list(t('quote.holds'), statements.filter(holds))}
      ${understood(context, answer)}
    </section>
  `;
}

function line({ locale }: Context, statement: QuoteStatement): TemplateResult {
  const { t } = locale;
  const { verdict: judged, sentence_code: code, figures, fields } = statement;
  const name = (field: string): string => t(`quote.fields.${field as Field}`);
  return html`<li data-code=${code} data-verdict=${judged}>
    <span class="tag verdict-${tones[judged]}">${t(`quote.verdicts.${judged}`)}</span>
    <span>
      ${sentenceText(code, figures, locale).replaceAll(t('quote.article'), t('quote.seller'))}
      <small class="periods">${fields.map(name).join(' · ')}</small>
    </span>
  </li>`;
}

function fees(context: Context, { fees: sum }: QuoteAnswer): TemplateResult | typeof nothing {
  const { t, format } = context.locale;
  if (sum === undefined) return nothing;
  const band = sum.bands.find(({ code }) => code === sum.band);
  type Band = 'small_platform';
  const range = ({ low, high }: { readonly low: number; readonly high: number }): string =>
    format.range(format.percent(low), format.percent(high));
  return html`
    <div class="card" data-quote="fees">
      <h2>${t('quote.groups.fees')}</h2>
      <p>
        ${rich(
          t('quote.fee.share', {
            total: format.moneyText(sum.total),
            rent: format.moneyText(sum.rent),
            share: format.percent(sum.share, 1),
          }),
        )}
        ${
          band === undefined
            ? t('quote.fee.outside')
            : t('quote.fee.band', {
                band: t(`quote.fee.bands.${band.code as Band}`),
                range: range(band),
              })
        }
      </p>
      ${facts(
        Object.entries(sum.by_category).flatMap(([category, money]) =>
          money === undefined || Number(money.value) === 0
            ? []
            : [
                [
                  t(`quote.fee.categories.${category as 'data_transfer'}`),
                  format.moneyText(money),
                ] as const,
              ],
        ),
      )}
      <p class="hint">
        ${sum.bands
          .map((each) => `${t(`quote.fee.bands.${each.code as Band}`)} ${range(each)}`)
          .join(' · ')}
      </p>
    </div>
  `;
}

/** What was read out of the text, so that a misreading is seen. */
function understood(context: Context, { text }: QuoteAnswer): TemplateResult | typeof nothing {
  const { t, format } = context.locale;
  if (text === undefined) return nothing;
  const { gpu } = text;
  return html`
    <div class="card">
      <h2>${t('quote.understood')}</h2>
      ${facts([
        ...(gpu === undefined
          ? []
          : [
              [
                html`${t('inputs.gpu')} <small>“${gpu.text}”</small>`,
                html`${context.catalog.gpu(gpu.value)?.name ?? gpu.value}
                ${gpu.assumed ? html`<span class="tag">${t('quote.assumed')}</span>` : nothing}`,
              ] as const,
            ]),
        ...text.understood.map(
          ({ field, value, text: words }) =>
            [
              html`${t(`quote.fields.${field as Field}`)} <small>“${words}”</small>`,
              format.exact(value),
            ] as const,
        ),
      ])}
      ${
        text.not_understood.length === 0
          ? nothing
          : html`<p class="hint">
              ${t('quote.notUnderstood', {
                list: text.not_understood.map((words) => `“${words}”`).join(' '),
              })}
            </p>`
      }
    </div>
  `;
}
