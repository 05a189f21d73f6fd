/** The Estimate view: inputs on the left (on a phone: on top), the answer and its grounds on the right. */
import { html, type TemplateResult } from 'lit';
import type { Context } from '../elements/context';
import { answer } from './answer';
import { inputs, presetRow, steps } from './inputs';
import { fitNote } from './notes';
import { results } from './results';

export function estimate(context: Context): TemplateResult {
  return html`
    <div class="start">${presetRow(context)} ${steps(context)}</div>
    <div class="columns">
      ${inputs(context)}
      <div class="right">${answer(context)} ${fitNote(context)} ${results(context)}</div>
    </div>
  `;
}
