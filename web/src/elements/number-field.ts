/**
 * A number as people type it. What was typed stays; `change` brings the number only when it is one,
 * and `undefined` when the field was emptied: back to the default.
 */
import { html, nothing, unsafeCSS, type PropertyValues, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { property, state } from 'lit/decorators.js';
import type { Locale } from '../words/locale';
import { parseNumber, type NumberProblem } from '../scenario/number';
import fieldText from '../styles/field.css';
import { basic, TallyElement } from './base';

/** `number`: undefined is "not said". `decimal`: the same to the last digit. */
export interface NumberChange {
  readonly number: number | undefined;
  readonly decimal: string | undefined;
}

type FieldProblem = NumberProblem['code'] | 'not_whole' | 'too_small';

export class NumberField extends TallyElement {
  static override styles = [basic, unsafeCSS(fieldText)];

  @property({ attribute: false }) locale!: Locale;
  @property() label = '';
  /** What the visitor said. */
  @property({ attribute: false }) value: number | string | undefined;
  /** What holds as long as the visitor says nothing. */
  @property({ attribute: false }) fallback: number | undefined;
  /** Show the fallback as if it had been typed, rather than as "Auto: …". */
  @property({ type: Boolean }) filled = false;
  @property() unit = '';
  @property() hint = '';
  /** What the core says against the value. */
  @property() problem = '';
  @property({ type: Boolean }) whole = false;
  @property({ type: Number }) least = 0;

  /** What stands in the field while it isn't the plain display of the value. */
  @state() private typed: string | undefined;
  @state() private typedProblem: FieldProblem | undefined;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (this.typed === undefined || !changed.has('value')) return;
    // The value came from elsewhere (a preset, a link, the slider): what was typed is history.
    const parsed = parseNumber(this.typed);
    const current = this.value === undefined ? undefined : Number(this.value);
    const same = parsed.ok ? parsed.value === current : current === undefined && this.typed === '';
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
      <label for="input">${this.label}</label>
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
              : t('inputs.autoIs', { value: format.exact(this.fallback) })
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

  private display(value: number | string): string {
    return typeof value === 'string' ? value : this.locale.format.exact(value);
  }

  /** "1.5万" is shown written out beneath, so that a slip of a unit is seen. */
  private echo(): string | undefined {
    const text = this.typed;
    if (text === undefined || this.typedProblem !== undefined) return undefined;
    const parsed = parseNumber(text);
    if (!parsed.ok || /^[\d\s.,]*$/.test(text)) return undefined;
    return this.locale.t('inputs.equals', { value: this.locale.format.integer(parsed.value) });
  }

  private readonly onInput = (event: InputEvent): void => {
    this.typed = (event.target as HTMLInputElement).value;
    const parsed = parseNumber(this.typed);
    if (parsed.ok) {
      const problem =
        this.whole && !Number.isInteger(parsed.value)
          ? 'not_whole'
          : parsed.value < this.least
            ? 'too_small'
            : undefined;
      this.reportProblem(problem);
      if (problem === undefined) this.announce(parsed.value, parsed.decimal);
    } else if (parsed.code === 'empty') {
      this.reportProblem(undefined);
      this.announce(undefined, undefined);
    } else {
      this.reportProblem(parsed.code);
    }
  };

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
    this.announce(next, String(next));
  };

  private announce(number: number | undefined, decimal: string | undefined): void {
    this.dispatchEvent(new CustomEvent<NumberChange>('change', { detail: { number, decimal } }));
  }

  /** The page dims its result while a field holds no number. */
  private reportProblem(problem: FieldProblem | undefined): void {
    if (problem === this.typedProblem) return;
    this.typedProblem = problem;
    this.dispatchEvent(
      new CustomEvent<boolean>('typing-problem', { detail: problem !== undefined }),
    );
  }
}
