/** The answer in one sentence, and the same for screen readers. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Context } from '../elements/context';
import { join } from '../format/format';
import { problemText } from '../words/codes';
import { gpuOf, shortName } from './inputs';
import { rich } from './parts';
import { numberAt } from '../scenario/document';

/** Less than this of the card left over: an allocator's bad day away from failing. */
const tightShare = 0.05;

interface AnswerWords {
  readonly state: 'fits' | 'tight' | 'fitsNot';
  readonly cluster: string;
  readonly time: string;
  readonly cost: string | undefined;
  readonly million: string | undefined;
}

function wordsOf(context: Context): AnswerWords | undefined {
  const { report, locale, resolved } = context;
  const { t, format } = locale;
  const memory = report?.memory;
  const time = report?.time;
  if (memory === undefined || time === undefined) return undefined;
  const count = numberAt(resolved, '/cluster/count') ?? 1;
  return {
    state: !memory.fits ? 'fitsNot' : memory.margin < memory.usable * tightShare ? 'tight' : 'fits',
    cluster: t('answer.cluster', { n: format.integer(count), gpu: shortName(gpuOf(context)) }),
    time: format.durationText(time.run.value, 2),
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
        ${context.problems.length > 0 ? problemList(context) : t('answer.waiting')}
      </p>
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
            <path d=${words.state === 'fitsNot' ? 'm4.5 4.5 7 7m0-7-7 7' : 'm3.5 8.5 3 3 6-7'} />
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
      <p class="sentence">${rich(sentence(context, words))}</p>
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

function sentence({ locale: { t } }: Context, words: AnswerWords): string {
  const { time, cluster, cost, million } = words;
  const priced = cost !== undefined && million !== undefined;
  if (words.state === 'fitsNot') {
    return priced
      ? t('answer.sentenceUnfit', { time, cluster, cost, million })
      : t('answer.sentenceUnfitNoPrice', { time, cluster });
  }
  return priced
    ? t('answer.sentence', { time, cluster, cost, million })
    : t('answer.sentenceNoPrice', { time, cluster });
}

function interval({ report, locale: { t, format } }: Context): string {
  const run = report?.time?.run;
  if (run === undefined) return '';
  const low = format.duration(run.low, 2, run.value);
  const high = format.duration(run.high, 2, run.value);
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

function problemList(context: Context): TemplateResult {
  return html`<ul class="problems">
    ${context.problems.map(
      (problem) =>
        html`<li data-code=${problem.code}>
          ${problem.at === '' ? nothing : html`<code>${problem.at.slice(1).replaceAll('/', '.')}</code>`}
          ${problemText(problem, context.locale)}
        </li>`,
    )}
  </ul>`;
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
  };
  return words.cost === undefined
    ? t('answer.spokenNoPrice', common)
    : t('answer.spoken', { ...common, cost: words.cost });
}
