/** One question, for a documentation page: does this model fit on this GPU? Small and quiet. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Context } from '../elements/context';
import { answer } from './answer';
import { memoryFigure } from './figures';
import { clusterCard, whatCard } from './inputs';
import { fitNote } from './notes';

export function vram(context: Context): TemplateResult {
  const memory = context.report?.memory;
  return html`
    <div class="view quiet" data-view="vram">
      ${answer(context)} ${fitNote(context)}
      <div class="two">${whatCard(context)} ${clusterCard(context)}</div>
      ${
        memory === undefined
          ? nothing
          : html`<div class="card">
              <train-tally-bar
                data-figure="memory"
                .locale=${context.locale}
                .figure=${memoryFigure(context, memory)}
              ></train-tally-bar>
            </div>`
      }
    </div>
  `;
}
