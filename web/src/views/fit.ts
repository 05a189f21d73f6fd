/** What makes a job fit, each a click away; and the most that would fit, all else as it is. */
import { html, nothing, type TemplateResult } from 'lit';
import type { FitAnswer } from '../../generated/fit-answer';
import type { Context } from '../elements/context';
import { isObject, numberAt, stringAt, valueAt, type JsonObject } from '../scenario/document';
import { nameOf } from '../words/codes';
import { shortName, gpuOf } from './inputs';
import { folded } from './parts';

type Change = NonNullable<FitAnswer['changes']>[number];
type Patch = Change['patch'];

const shownAtOnce = 5;
const namedAtOnce = 3;

/** Changes of the speed by less than this aren't worth a word. */
const hardly = 0.02;

/** Of the changes that fit, the first few in a sentence: never what is so already. */
export function waysOut(context: Context): string {
  const { t, language } = context.locale;
  const { changes = [] } = context.evaluate('fit', context.scenario) as FitAnswer;
  const names = changes
    .filter(({ fit }) => fit !== 'no')
    .slice(0, namedAtOnce)
    .map(({ codes }) => changeName(context, codes));
  return names.length === 0
    ? t('fit.none')
    : t('fit.try', { list: names.join(language === 'en' ? '; ' : '；') });
}

function changeName({ locale }: Context, codes: Change['codes']): string {
  return codes.map((code) => nameOf('changes', code, locale)).join(' + ');
}

/** Above the key figures, where the job doesn't fit. */
export function makeFit(context: Context): TemplateResult | typeof nothing {
  if (context.report?.memory?.fits !== false || context.stale) return nothing;
  const { t } = context.locale;
  const answer = context.evaluate('fit', context.scenario) as FitAnswer;
  const changes = answer.changes ?? [];
  if (changes.length === 0) return nothing;
  const rest = changes.slice(shownAtOnce);
  return html`
    <div class="card" data-fit="changes">
      <h2>${t('fit.title')}</h2>
      <p class="hint">${t('fit.lead')}</p>
      <ul class="changes">
        ${changes.slice(0, shownAtOnce).map((change) => line(context, answer, change))}
      </ul>
      ${
        rest.length === 0
          ? nothing
          : html`<details class="more-notes">
              <summary>${t('fit.more', { count: rest.length })}</summary>
              <ul class="changes">
                ${rest.map((change) => line(context, answer, change))}
              </ul>
            </details>`
      }
      ${most(context, answer)}
    </div>
  `;
}

/** Where it fits: how much more would. */
export function room(context: Context): TemplateResult | typeof nothing {
  if (context.report?.memory?.fits !== true) return nothing;
  return folded(context, 'room', context.locale.t('fit.room'), () =>
    most(context, context.evaluate('fit', context.scenario) as FitAnswer),
  );
}

function line(context: Context, answer: FitAnswer, change: Change): TemplateResult {
  const { t, format } = context.locale;
  const { fit, device_peak: peak, time_ratio: ratio, codes } = change;
  const name = changeName(context, codes);
  const speed =
    ratio > 1 + hardly
      ? t('fit.slower', { times: format.number(ratio, 2) })
      : ratio < 1 - hardly
        ? t('fit.faster', { times: format.number(1 / ratio, 2) })
        : t('fit.asFast');
  const words = { well: 'fits', barely: 'probably', no: 'fitsNot' } as const;
  const tones = { well: 'holds', barely: 'slip', no: 'infeasible' } as const;
  return html`
    <li data-code=${codes.join('+')} data-fits=${fit}>
      <span class="tag verdict-${tones[fit]}">${t(`answer.${words[fit]}`)}</span>
      <span>
        <b>${name}</b>
        <small class="periods">
          ${format.gib(peak)} / ${format.gib(answer.usable ?? 0)} GiB · ${speed}
          ${change.changes_training ? html` · ${t('fit.otherTraining')}` : nothing}
        </small>
      </span>
      ${applyButton(context, name, change.patch)}
    </li>
  `;
}

function applyButton(context: Context, name: string, patch: Patch): TemplateResult {
  const { t } = context.locale;
  return html`<button
    type="button"
    class="button"
    aria-label=${t('fit.applyOf', { change: name })}
    @click=${() => {
      context.load(patched(context.scenario, patch));
    }}
  >
    ${t('fit.apply')}
  </button>`;
}

/** The patch has the whole of what it has, but for a GPU of the visitor's own. */
function patched(scenario: JsonObject, patch: Patch): JsonObject {
  const gpu = valueAt(scenario, '/cluster/gpu');
  const next = { ...scenario, ...(patch as unknown as JsonObject) };
  return isObject(gpu) && isObject(next['cluster'])
    ? { ...next, cluster: { ...next['cluster'], gpu } }
    : next;
}

function most(context: Context, answer: FitAnswer): TemplateResult | typeof nothing {
  const { t, format } = context.locale;
  const { largest = {}, fewest_gpus: fewest } = answer;
  const rows: (readonly [string, string, Patch | undefined])[] = [];
  const add = (
    label: string,
    found: { readonly value: number; readonly patch: Patch } | undefined,
    text: (value: number) => string,
    now?: number | boolean,
  ): void => {
    if (found === undefined) return;
    const asNow = now === true || now === found.value;
    rows.push([label, text(found.value), asNow ? undefined : found.patch]);
  };
  const current = (at: string): number | undefined => numberAt(context.resolved, at);
  const whole = (value: number): string => format.integer(value);
  add(t('fit.sequence'), largest.sequence_length, whole, current('/training/sequence_length'));
  add(t('fit.micro'), largest.micro_batch, whole, current('/training/micro_batch'));
  add(t('fit.parameters'), largest.parameters, (value) => format.compact(value));
  const id = largest.model?.patch.model;
  const model = typeof id === 'string' ? context.catalog.model(id) : undefined;
  add(
    t('fit.model'),
    largest.model,
    (value) => model?.name ?? format.compact(value),
    model !== undefined && model === context.catalog.model(stringAt(context.scenario, '/model')),
  );
  add(
    t('fit.gpus'),
    fewest,
    (value) => t('answer.cluster', { n: whole(value), gpu: shortName(gpuOf(context)) }),
    current('/cluster/count'),
  );
  if (rows.length === 0) return nothing;
  return html`
    <h3>${t('fit.most')}</h3>
    <ul class="changes" data-fit="most">
      ${rows.map(
        ([label, text, patch]) => html`
          <li>
            <span>${label} <b>${text}</b></span>
            ${
              patch === undefined
                ? html`<span class="as-now">${t('fit.asNow')}</span>`
                : applyButton(context, `${label} ${text}`, patch)
            }
          </li>
        `,
      )}
    </ul>
  `;
}
