/** A sentence about a word, on demand: a button beside a label, the sentence on the line below. */
import { html, nothing, unsafeCSS, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import helpText from '../styles/help.css';
import { rich } from '../views/rich';
import { basic, TallyElement } from './base';

export class Help extends TallyElement {
  static override styles = [basic, unsafeCSS(helpText)];

  /** The question that the button asks. */
  @property() label = '';
  @property() text = '';
  @state() private open = false;

  protected override render(): TemplateResult {
    return html`
      <button
        type="button"
        aria-label=${this.label}
        aria-expanded=${this.open}
        aria-controls=${this.open ? 'text' : nothing}
        @click=${() => {
          this.open = !this.open;
        }}
        @keydown=${(event: KeyboardEvent) => {
          if (event.key === 'Escape') this.open = false;
        }}
      >
        <span aria-hidden="true">?</span>
      </button>
      ${this.open ? html`<p id="text">${rich(this.text)}</p>` : nothing}
    `;
  }
}
