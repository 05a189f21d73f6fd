/**
 * A number as people type it. What was typed stays; `change` brings the number only when it is one,
 * and `undefined` when the field was emptied: back to the default.
 */
import { html, nothing, unsafeCSS, type PropertyValues, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { property, state } from 'lit/decorators.js';
import type { Locale } from '../words/locale';
import { parseNumber, type NumberProblem, type ParsedNumber } from '../scenario/number';
import fieldText from '../styles/field.css';
import { basic, TallyElement } from './base';

/** `number`: undefined is "not said". `decimal`: the same to the last digit. */
export interface NumberChange {
  readonly number: number | undefined;
  readonly decimal: string | undefined;
  /** All of several. */
  readonly decimals: readonly string[] | undefined;
}

type Figure = number | string;

/** Between several figures; a comma may belong to a figure. */
const between = /[/;；、]|[,，]\s+/;

type FieldProblem = NumberProblem['code'] | 'not_whole' | 'too_small';

export class NumberField extends TallyElement {
  static override styles = [basic, unsafeCSS(fieldText)];

  @property({ attribute: false }) locale!: Locale;
  @property() label = '';
  /** What stands beside the label. */
  @property({ attribute: false }) explained: TemplateResult | typeof nothing = nothing;
  /** What the visitor said. */
  @property({ attribute: false }) value: Figure | readonly Figure[] | undefined;
  /** What holds as long as the visitor says nothing. */
  @property({ attribute: false }) fallback: Figure | readonly Figure[] | undefined;
  /** Show the fallback as if it had been typed, rather than as "Auto: …". */
  @property({ type: Boolean }) filled = false;
  @property() unit = '';
  @property() hint = '';
  /** What the core says against the value. */
  @property() problem = '';
  @property({ type: Boolean }) whole = false;
  @property({ type: Number }) least = 0;
  /** Several figures may stand here: 1100 / 1110. */
  @property({ type: Boolean }) list = false;

  /** What was typed before the view was left, and is no number yet. */
  @property({ attribute: false }) draft: string | undefined;

  /** What stands in the field while it isn't the plain display of the value. */
  @state() private typed: string | undefined;
  @state() private typedProblem: FieldProblem | undefined;
  private announced = '';

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!this.hasUpdated && this.draft !== undefined) {
      this.typed = this.draft;
      this.typedProblem = this.judge(this.read(this.draft));
      return;
    }
    if (this.typed === undefined || !changed.has('value')) return;
    // The value came from elsewhere (a preset, a link, the slider): what was typed is history.
    const read = this.read(this.typed);
    const figures = read.map((each) => (each.ok ? each.value : undefined));
    const current = this.value === undefined ? [] : [this.value].flat().map(Number);
    // What was typed a frame ago has arrived; meanwhile more was typed.
    if (JSON.stringify(current) === this.announced) return;
    const same =
      this.typed === ''
        ? current.length === 0
        : JSON.stringify(figures) === JSON.stringify(current);
    if (!same && !(this.typedProblem !== undefined && changed.get('value') === this.value)) {
      this.typed = undefined;
      this.reportProblem(undefined);
    }
  }

  protected override render(): TemplateResult {
    const { t, format } = this.locale;
    const shown = this.value ?? (this.filled ? this.fallback : undefined);
    const text = this.typed ?? (shown === undefined ? '' : this.display(shown));
    const problem =
      this.typedProblem === undefined
        ? this.problem
        : t(`number.${this.typedProblem === 'empty' ? 'not_a_number' : this.typedProblem}`, {
            least: format.number(this.least),
          });
    const echo = this.echo();
    const described = [problem !== '' && 'problem', (echo ?? this.hint) !== '' && 'hint']
      .filter(Boolean)
      .join(' ');
    return html`
      <div class="labels"><label for="input">${this.label}</label>${this.explained}</div>
      <div class="box">
        <input
          id="input"
          type="text"
          inputmode="decimal"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          .value=${live(text)}
          placeholder=${
            this.fallback === undefined || this.filled
              ? nothing
              : t('inputs.autoIs', { value: this.display(this.fallback) })
          }
          aria-invalid=${problem === '' ? 'false' : 'true'}
          aria-describedby=${described === '' ? nothing : described}
          @input=${this.onInput}
          @blur=${this.onBlur}
          @keydown=${this.onKey}
        />
        ${this.unit === '' ? nothing : html`<span class="unit">${this.unit}</span>`}
      </div>
      ${problem === '' ? nothing : html`<p class="problem" id="problem">${problem}</p>`}
      ${
        (echo ?? this.hint) === ''
          ? nothing
          : html`<p class="hint" id="hint">${echo ?? this.hint}</p>`
      }
    `;
  }

  private display(value: Figure | readonly Figure[]): string {
    return [value]
      .flat()
      .map((each) => (typeof each === 'string' ? each : this.locale.format.exact(each)))
      .join(' / ');
  }

  private read(text: string): (ParsedNumber | NumberProblem)[] {
    return (this.list ? text.split(between) : [text]).map(parseNumber);
  }

  /** "1.5万" is shown written out beneath, so that a slip of a unit is seen. */
  private echo(): string | undefined {
    const text = this.typed;
    if (text === undefined || this.typedProblem !== undefined) return undefined;
    const parsed = parseNumber(text);
    if (this.list || !parsed.ok || /^[\d\s.,]*$/.test(text)) return undefined;
    return this.locale.t('inputs.equals', { value: this.locale.format.integer(parsed.value) });
  }

  private readonly onInput = (event: InputEvent): void => {
    this.typed = (event.target as HTMLInputElement).value;
    const empty = this.typed.trim() === '';
    const read = empty ? [] : this.read(this.typed);
    const problem = this.judge(read);
    this.reportProblem(problem);
    if (problem === undefined) this.announce(read.filter((each) => each.ok));
  };

  private judge(read: readonly (ParsedNumber | NumberProblem)[]): FieldProblem | undefined {
    const wrong = read.find((each) => !each.ok);
    if (wrong !== undefined) return wrong.code;
    const good = read.filter((each) => each.ok);
    return this.whole && good.some(({ value }) => !Number.isInteger(value))
      ? 'not_whole'
      : good.some(({ value }) => value < this.least)
        ? 'too_small'
        : undefined;
  }

  /** Once left, a good entry is shown as the page writes numbers; a bad one stays as it is. */
  private readonly onBlur = (): void => {
    if (this.typedProblem === undefined && this.problem === '') this.typed = undefined;
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    if (!this.whole || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    const current = Number(this.value ?? this.fallback);
    if (!Number.isInteger(current)) return;
    event.preventDefault();
    const next = Math.max(this.least, current + (event.key === 'ArrowUp' ? 1 : -1));
    this.typed = undefined;
    this.reportProblem(undefined);
    this.announce([{ value: next, decimal: String(next) }]);
  };

  private announce(figures: readonly Pick<ParsedNumber, 'value' | 'decimal'>[]): void {
    const [first] = figures;
    this.announced = JSON.stringify(figures.map(({ value }) => value));
    const detail: NumberChange = {
      number: first?.value,
      decimal: first?.decimal,
      decimals: first && figures.map(({ decimal }) => decimal),
    };
    this.dispatchEvent(new CustomEvent<NumberChange>('change', { detail }));
  }

  /** The page dims its result while a field holds no number. */
  private reportProblem(problem: FieldProblem | undefined): void {
    if (problem === undefined && this.typedProblem === undefined) return;
    this.typedProblem = problem;
    const detail = problem && this.typed;
    this.dispatchEvent(new CustomEvent<string | undefined>('typing-problem', { detail }));
  }
}
