/** A field that finds one thing among many by name: the ARIA combobox with a list of suggestions. */
import { html, nothing, unsafeCSS, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { property, query, state } from 'lit/decorators.js';
import fieldText from '../styles/field.css';
import { basic, TallyElement } from './base';

export interface SearchOption {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  readonly group: string;
}

export class SearchField extends TallyElement {
  static override styles = [basic, unsafeCSS(fieldText)];

  @property() label = '';
  /** What stands beside the label. */
  @property({ attribute: false }) explained: TemplateResult | typeof nothing = nothing;
  /** The chosen one, in words. */
  @property() text = '';
  @property() chosen = '';
  @property() placeholder = '';
  @property() empty = '';
  @property() problem = '';
  @property({ attribute: false }) find: (query: string) => readonly SearchOption[] = () => [];

  @state() private open = false;
  @state() private typed: string | undefined;
  @state() private active = 0;
  @query('input') private input!: HTMLInputElement;

  protected override render(): TemplateResult {
    const options = this.open ? this.find(this.typed ?? '') : [];
    const active = Math.min(this.active, options.length - 1);
    return html`
      <div class="labels"><label for="input">${this.label}</label>${this.explained}</div>
      <div class="box search">
        <svg class="glass" width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
          <circle cx="8.5" cy="8.5" r="5.5" />
          <path d="m13 13 4.5 4.5" />
        </svg>
        <input
          id="input"
          type="text"
          role="combobox"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          aria-autocomplete="list"
          aria-expanded=${this.open}
          aria-controls="list"
          aria-activedescendant=${this.open && active >= 0 ? `option-${active}` : nothing}
          aria-invalid=${this.problem === '' ? 'false' : 'true'}
          aria-describedby=${this.problem === '' ? nothing : 'problem'}
          placeholder=${this.placeholder}
          .value=${live(this.typed ?? this.text)}
          @input=${this.onInput}
          @click=${this.show}
          @blur=${this.hide}
          @keydown=${(event: KeyboardEvent) => {
            this.onKey(event, options, active);
          }}
        />
        <div class="list" id="list" role="listbox" aria-label=${this.label} ?hidden=${!this.open}>
          ${this.renderList(options, active)}
        </div>
      </div>
      ${this.problem === '' ? nothing : html`<p class="problem" id="problem">${this.problem}</p>`}
    `;
  }

  private renderList(options: readonly SearchOption[], active: number): unknown {
    if (!this.open) return nothing;
    if (options.length === 0) {
      return html`<div class="none" role="option" aria-disabled="true" aria-selected="false">
        ${this.empty}
      </div>`;
    }
    const groups = [...new Set(options.map((option) => option.group))];
    return groups.map(
      (group) => html`
        <div role="group" aria-label=${group}>
          <div class="group" aria-hidden="true">${group}</div>
          ${options.map((option, index) =>
            option.group === group ? this.renderOption(option, index, index === active) : nothing,
          )}
        </div>
      `,
    );
  }

  private renderOption(option: SearchOption, index: number, active: boolean): TemplateResult {
    return html`
      <div
        id="option-${index}"
        class="option"
        role="option"
        aria-selected=${option.id === this.chosen}
        ?data-active=${active}
        @pointerdown=${(event: Event) => {
          event.preventDefault(); // keep the focus in the field
        }}
        @click=${() => {
          this.choose(option);
        }}
      >
        <span>${option.label}</span><small>${option.detail}</small>
      </div>
    `;
  }

  override updated(): void {
    if (!this.open) return;
    this.renderRoot.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  }

  private readonly show = (): void => {
    if (this.open) return;
    this.open = true;
    this.typed = undefined;
    this.active = Math.max(
      0,
      this.find('').findIndex((option) => option.id === this.chosen),
    );
    this.input.select();
  };

  private readonly hide = (): void => {
    this.open = false;
    this.typed = undefined;
  };

  private readonly onInput = (): void => {
    this.typed = this.input.value;
    this.open = true;
    this.active = 0;
  };

  private onKey(event: KeyboardEvent, options: readonly SearchOption[], active: number): void {
    if (event.isComposing) return;
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        event.preventDefault();
        if (!this.open) {
          this.show();
          return;
        }
        const step = event.key === 'ArrowDown' ? 1 : -1;
        this.active = Math.max(0, Math.min(options.length - 1, active + step));
        return;
      }
      case 'Enter': {
        const option = options[active];
        if (this.open && option !== undefined) {
          event.preventDefault();
          this.choose(option);
        }
        return;
      }
      case 'Escape':
        if (this.open) {
          event.preventDefault();
          this.hide();
        }
        return;
      default:
    }
  }

  private choose(option: SearchOption): void {
    this.hide();
    this.dispatchEvent(new CustomEvent<string>('choose', { detail: option.id }));
  }
}
