/** The answer in one sentence, and the same for screen readers. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Report } from '../../generated/report';
import type { Context } from '../elements/context';
import { join } from '../format/format';
import { problemText } from '../words/codes';
import { gpuOf, shortName } from './inputs';
import { rich } from './parts';
import { numberAt, valueAt } from '../scenario/document';
import { defaultScenario } from '../scenario/presets';

type Memory = NonNullable<Report['memory']>;

/** Less than this of the card left over: an allocator's bad day away from failing. */
const tightShare = 0.05;

interface AnswerWords {
  readonly state: 'fits' | 'probably' | 'tight' | 'fitsNot';
  readonly cluster: string;
  readonly time: string;
  readonly cost: string | undefined;
  readonly million: string | undefined;
}

/** Green alone is certain: where the interval's high end is above the card, it only probably fits. */
function fitOf({ fits, margin, usable, device_peak }: Memory): AnswerWords['state'] {
  if (!fits) return 'fitsNot';
  if (margin < usable * tightShare) return 'tight';
  return device_peak.high > usable ? 'probably' : 'fits';
}

const marks: Readonly<Record<AnswerWords['state'], string>> = {
  fits: 'm3.5 8.5 3 3 6-7',
  probably: 'M8 3v6M8 12.4v.2',
  tight: 'M8 3v6M8 12.4v.2',
  fitsNot: 'm4.5 4.5 7 7m0-7-7 7',
};

function wordsOf(context: Context): AnswerWords | undefined {
  const { report, locale, resolved } = context;
  const { t, format } = locale;
  const memory = report?.memory;
  const time = report?.time;
  if (memory === undefined || time === undefined) return undefined;
  const count = numberAt(resolved, '/cluster/count') ?? 1;
  return {
    state: fitOf(memory),
    cluster: t('answer.cluster', { n: format.integer(count), gpu: shortName(gpuOf(context)) }),
    time: format.durationText(time.run.value),
    cost: report?.cost === undefined ? undefined : format.moneyText(report.cost.total),
    million:
      report?.cost?.per_million_tokens === undefined
        ? undefined
        : format.moneyText(report.cost.per_million_tokens),
  };
}

export function answer(context: Context): TemplateResult {
  const { t, format } = context.locale;
  const { report } = context;
  const words = wordsOf(context);
  const memory = report?.memory;
  if (words === undefined || memory === undefined) {
    return html`<div class="card answer" data-state="waiting">
      <p class="sentence">
        ${t(context.problems.length > 0 ? 'answer.problems' : 'answer.waiting')}
      </p>
      ${context.problems.length > 0 ? problemList(context) : nothing}
    </div>`;
  }
  const need = format.gib(memory.device_peak.value);
  const usable = format.gib(memory.usable);
  return html`
    <div
      class="card answer ${context.stale ? 'stale' : ''}"
      part="answer"
      data-state=${words.state}
      role="group"
      aria-label=${t('answer.region')}
    >
      <div class="verdict">
        <span class="badge">
          <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
            <path d=${marks[words.state]} />
          </svg>
          ${t(`answer.${words.state}`)}
        </span>
        <span class="need">
          ${rich(t('answer.memory', { need, usable }))}
          <span class="spare">
            ·
            ${
              memory.fits
                ? t('answer.margin', { margin: format.gib(memory.margin) })
                : t('answer.lacking', { lacking: format.gib(-memory.margin) })
            }
          </span>
        </span>
      </div>
      ${meter(memory.device_peak.value, memory.usable)}
      <p class="sentence">${sentence(context, words)}</p>
      ${
        context.stale
          ? html`<div class="sub bad" role="alert">
              ${t('answer.stale')} ${context.problems.length > 0 ? problemList(context) : nothing}
            </div>`
          : html`<p class="sub">${interval(context)}</p>`
      }
    </div>
  `;
}

/** The price of a million tokens is a part of its own: a phone has no room for it up here. */
function sentence({ locale: { t } }: Context, words: AnswerWords): TemplateResult {
  const { time, cluster, cost = '', million } = words;
  const unfit = words.state === 'fitsNot' ? 'Unfit' : '';
  const priced = words.cost === undefined ? 'NoPrice' : '';
  return html`${rich(t(`answer.sentence${unfit}${priced}`, { time, cluster, cost }))}${
    million === undefined
      ? nothing
      : html`<span class="also">${rich(t('answer.perMillion', { million }))}</span>`
  }${t('answer.stop')}`;
}

function interval({ report, locale: { t, format } }: Context): string {
  const run = report?.time?.run;
  if (run === undefined) return '';
  const low = format.duration(run.low, run.value);
  const high = format.duration(run.high, run.value);
  const time = join({ value: format.range(low.value, high.value), unit: high.unit });
  const cost = report?.cost === undefined ? undefined : format.moneyRange(report.cost.total);
  return cost === undefined
    ? t('answer.intervalNoPrice', { time })
    : t('answer.interval', { time, cost });
}

/** How full the card is, at a glance. */
function meter(need: number, usable: number): TemplateResult {
  const top = Math.max(need, usable);
  const percent = (value: number): string => `${((value / top) * 100).toFixed(2)}%`;
  return html`
    <svg class="meter" height="6" aria-hidden="true">
      <rect class="track" width="100%" height="6" rx="3"></rect>
      <rect class="fill" width=${percent(Math.min(need, usable))} height="6" rx="3"></rect>
      <rect
        class="over"
        x=${percent(usable)}
        width=${percent(Math.max(0, need - usable))}
        height="6"
      ></rect>
    </svg>
  `;
}

/** What can't be taken as it is, each named as its field is. */
function problemList(context: Context): TemplateResult {
  const { t } = context.locale;
  return html`<ul class="problems">
    ${context.problems.map((problem) => {
      const name = fieldName(context, problem.at);
      return html`<li data-code=${problem.code}>
        ${name === '' ? nothing : html`<b>${name}</b>`}
        ${problemText(problem, context.locale, valueAt(context.scenario, problem.at))}
      </li>`;
    })}
    <li>
      <button
        type="button"
        class="link"
        @click=${() => {
          context.load(defaultScenario);
        }}
      >
        ${t('steps.reset')}
      </button>
    </li>
  </ul>`;
}

/** The labels of fields, by the last part of their place in the scenario; other places as they are. */
const fieldNames = {
  model: 'inputs.model',
  kind: 'inputs.how',
  tokens: 'inputs.tokens',
  dataset_tokens: 'inputs.dataset',
  epochs: 'inputs.epochs',
  sequence_length: 'inputs.sequence',
  micro_batch: 'inputs.micro',
  global_batch: 'inputs.global',
  precision: 'inputs.precision',
  optimizer: 'inputs.optimizer',
  stack: 'inputs.stack',
  recompute: 'inputs.recompute',
  rank: 'inputs.rank',
  gpu: 'inputs.gpu',
  count: 'inputs.count',
  per_node: 'inputs.perNode',
  layout: 'inputs.layout',
  offer: 'inputs.offerGroup',
  price: 'inputs.price',
  billing: 'inputs.billing',
  currency: 'inputs.currency',
} as const;

function fieldName({ locale: { t } }: Context, at: string): string {
  const last = at.slice(at.lastIndexOf('/') + 1);
  return Object.hasOwn(fieldNames, last)
    ? t(fieldNames[last as keyof typeof fieldNames])
    : at.slice(1).replaceAll('/', '.');
}

/** The sentence for the live region: short, and without what the page shows anyway. */
export function spokenAnswer(context: Context): string {
  const { t, format } = context.locale;
  const words = wordsOf(context);
  const memory = context.report?.memory;
  if (words === undefined || memory === undefined) return '';
  const common = {
    fits: t(`answer.${words.state}`),
    need: format.gib(memory.device_peak.value),
    usable: format.gib(memory.usable),
    time: words.time,
    cluster: words.cluster,
    // Never a bare price for what can't be done.
    if: words.state === 'fitsNot' ? t('answer.ifFit') : '',
  };
  return words.cost === undefined
    ? t('answer.spokenNoPrice', common)
    : t('answer.spoken', { ...common, cost: words.cost });
}
