/** Small pieces that the views share. */
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { problemText } from '../words/codes';
import type { Context } from '../elements/context';
import type { NumberChange } from '../elements/number-field';
import { help } from './help';
import {
  booleanAt,
  numberAt,
  stringAt,
  valueAt,
  type Json,
  type JsonObject,
} from '../scenario/document';

export { rich } from './rich';

/** The core's problem with a field or with what lies beneath it, in words. */
export function problemAt(context: Context, pointer: string): string {
  const problem = context.problems.find(({ at }) => at === pointer || at.startsWith(`${pointer}/`));
  return problem === undefined
    ? ''
    : problemText(problem, context.locale, valueAt(context.scenario, problem.at));
}

export interface ChoiceOption {
  readonly value: string;
  readonly label: string;
}

/** Radio buttons side by side. */
export function segmented(
  name: string,
  label: string,
  options: readonly ChoiceOption[],
  chosen: string,
  choose: (value: string) => void,
  hideLabel = false,
  explained: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  return html`
    <fieldset class="choice">
      <legend class="unseen">${label}</legend>
      ${
        hideLabel
          ? nothing
          : html`<div class="labels">
              <span class="label" aria-hidden="true">${label}</span>${explained}
            </div>`
      }
      <div class="segments">
        ${options.map(
          ({ value, label: text }) => html`
            <label class="segment">
              <input
                type="radio"
                name=${name}
                value=${value}
                .checked=${live(value === chosen)}
                @change=${() => {
                  choose(value);
                }}
              /><span>${text}</span>
            </label>
          `,
        )}
      </div>
    </fieldset>
  `;
}

export interface SelectGroup {
  readonly label?: string;
  readonly options: readonly ChoiceOption[];
}

export function select(
  id: string,
  label: string,
  groups: readonly SelectGroup[],
  chosen: string,
  choose: (value: string) => void,
  problem = '',
  explained: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  const option = ({ value, label: text }: ChoiceOption): TemplateResult =>
    html`<option value=${value} .selected=${live(value === chosen)}>${text}</option>`;
  return html`
    <div class="field">
      <div class="labels"><label class="label" for=${id}>${label}</label>${explained}</div>
      <select
        id=${id}
        aria-invalid=${problem === '' ? 'false' : 'true'}
        aria-describedby=${problem === '' ? nothing : `${id}-problem`}
        @change=${(event: Event) => {
          choose((event.target as HTMLSelectElement).value);
        }}
      >
        ${groups.map((group) =>
          group.label === undefined
            ? group.options.map(option)
            : html`<optgroup label=${group.label}>${group.options.map(option)}</optgroup>`,
        )}
      </select>
      ${problem === '' ? nothing : html`<p class="problem" id="${id}-problem">${problem}</p>`}
    </div>
  `;
}

export interface NumberOptions {
  readonly label: string;
  readonly unit?: string;
  readonly hint?: string;
  readonly filled?: boolean;
  readonly whole?: boolean;
  readonly least?: number;
  /** Where the default stands in the resolved scenario, if not at the same place. */
  readonly fallbackAt?: string;
  /** Pass the exact decimal on, as money fields want it. */
  readonly decimal?: boolean;
  /** A fraction, shown and typed in percent. */
  readonly percent?: boolean;
  /** Several figures: decimals, as `decimal` passes them on. */
  readonly list?: boolean;
  readonly store?: (value: Json | undefined) => void;
}

/** A number of the scenario. */
export function number(context: Context, pointer: string, options: NumberOptions): TemplateResult {
  const store = options.store ?? ((value) => context.set([[pointer, value]]));
  const value = valueAt(context.scenario, pointer);
  const fallback = options.list
    ? valueAt(context.resolved, pointer)
    : fallbackOf(context, options.fallbackAt ?? pointer);
  const shown = (figure: unknown): unknown =>
    options.percent && typeof figure === 'number' ? scaled(figure, 100) : figure;
  return html`
    <train-tally-number
      data-at=${pointer}
      .locale=${context.locale}
      .label=${options.label}
      .unit=${options.unit ?? (options.percent ? '%' : '')}
      .explained=${help(context.locale, pointer.slice(pointer.lastIndexOf('/') + 1), options.label)}
      .hint=${options.hint ?? ''}
      .value=${shown(value)}
      .fallback=${shown(fallback)}
      .list=${options.list ?? false}
      .filled=${options.filled ?? false}
      .whole=${options.whole ?? false}
      .least=${options.least ?? 0}
      .problem=${problemAt(context, pointer)}
      .draft=${context.draft(pointer)}
      @change=${(event: CustomEvent<NumberChange>) => {
        const { number: figure, decimal, decimals } = event.detail;
        store(
          options.list
            ? decimals
            : options.decimal
              ? decimal
              : options.percent && figure !== undefined
                ? scaled(figure, 0.01)
                : figure,
        );
      }}
      @typing-problem=${(event: CustomEvent<string | null>) => {
        context.typing(pointer, event.detail ?? undefined); // an event without detail has null
      }}
    ></train-tally-number>
  `;
}

/** Without the last bit's noise: 7% is 0.07. */
function scaled(figure: number, by: number): number {
  return Number((figure * by).toPrecision(12));
}

/** Amounts are exact decimals, in quotes. */
function fallbackOf({ resolved }: Context, pointer: string): number | undefined {
  const text = stringAt(resolved, pointer);
  return text === undefined ? numberAt(resolved, pointer) : Number(text);
}

export function toggle(context: Context, pointer: string, label: string): TemplateResult {
  const value = booleanAt(context.scenario, pointer) ?? booleanAt(context.resolved, pointer);
  const explained = help(context.locale, pointer.slice(pointer.lastIndexOf('/') + 1), label);
  return html`<div class="labels">
    <label class="toggle">
      <input
        type="checkbox"
        data-at=${pointer}
        .checked=${live(value ?? false)}
        @change=${(event: Event) => {
          context.set([[pointer, (event.target as HTMLInputElement).checked]]);
        }}
      /><span>${label}</span> </label
    >${explained}
  </div>`;
}

/** A choice whose first entry leaves it to the core, saying what the core takes. */
export function autoSelect(
  context: Context,
  id: string,
  pointer: string,
  label: string,
  groups: readonly SelectGroup[],
): TemplateResult {
  const { t } = context.locale;
  const said = stringAt(context.scenario, pointer);
  const resolved = said === undefined ? stringAt(context.resolved, pointer) : undefined;
  const name =
    groups.flatMap((group) => group.options).find(({ value }) => value === resolved)?.label ??
    resolved;
  return select(
    id,
    label,
    [
      {
        options: [
          {
            value: '',
            label: name === undefined ? t('inputs.auto') : t('inputs.autoIs', { value: name }),
          },
        ],
      },
      ...groups,
    ],
    said ?? '',
    (value) => {
      context.set([[pointer, value === '' ? undefined : value]]);
    },
    problemAt(context, pointer),
    help(context.locale, id, label),
  );
}

/** For a view whose fields are those of a request, not of the scenario; it says how to `set` them. */
export function requested(
  context: Context,
  asked: JsonObject,
  resolved: unknown,
  problems: Context['problems'],
): Context {
  return {
    ...context,
    scenario: asked,
    resolved: (resolved ?? {}) as JsonObject,
    problems,
    typing: (field, text) => {
      context.typing(context.viewName + field, text);
    },
    draft: (field) => context.draft(context.viewName + field),
  };
}

/** @param range least, most, step */
export function slider(
  label: string,
  id: string,
  value: number,
  range: readonly [number, number, number],
  text: string,
  change: (value: number) => void,
): TemplateResult {
  return html`
    <div>
      <label class="label spread" for=${id}><span>${label}</span> <b>${text}</b></label>
      <input
        class="slider"
        type="range"
        id=${id}
        min=${range[0]}
        max=${range[1]}
        step=${range[2]}
        .value=${live(String(value))}
        aria-valuetext=${text}
        @input=${(event: Event) => {
          change(Number((event.target as HTMLInputElement).value));
        }}
      />
    </div>
  `;
}

/** Names and values. */
export function facts(rows: readonly (readonly [name: unknown, value: unknown])[]): TemplateResult {
  return html`<dl>
    ${rows.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** What is folded away until asked for. */
export function details(title: string, body: TemplateResult, note = ''): TemplateResult {
  return html`
    <details class="card expert">
      <summary>
        <span class="expert-title">${title}</span>
        ${note === '' ? nothing : html`<span class="facts">${note}</span>`}
      </summary>
      <div class="expert-body">${body}</div>
    </details>
  `;
}

/** Opens a file from the visitor's disk. */
export function fileButton(
  name: string,
  label: string,
  accept: string,
  open: (file: File) => Promise<void>,
): TemplateResult {
  return html`<label class="button file">
    <input
      class="unseen"
      type="file"
      data-open=${name}
      accept=${accept}
      @change=${(event: Event) => {
        const input = event.target as HTMLInputElement;
        const file = input.files?.[0];
        if (file !== undefined) void open(file);
        input.value = ''; // the same file again, once it is corrected
      }}
    />${label}
  </label>`;
}

/** The same of an answer: reckoned only once it is open. */
export function folded(
  context: Context,
  name: string,
  title: string,
  body: () => TemplateResult | typeof nothing,
): TemplateResult {
  const { unfolded } = context.view;
  const open = unfolded.includes(name);
  return html`
    <details
      class="card unfold"
      data-fold=${name}
      .open=${open}
      @toggle=${(event: Event) => {
        const now = (event.target as HTMLDetailsElement).open;
        if (now === open) return;
        const others = unfolded.filter((each) => each !== name);
        context.show({ unfolded: now ? [...others, name] : others });
      }}
    >
      <summary><span class="expert-title">${title}</span></summary>
      <div class="expert-body">${open ? body() : nothing}</div>
    </details>
  `;
}
