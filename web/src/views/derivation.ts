/** How a figure comes about: each step in symbols, in numbers, with the source of its constants. */
import { html, nothing, type TemplateResult } from 'lit';
import type { DerivationStep } from '../../generated/report';
import type { Context } from '../elements/context';
import type { Figure } from './kpis';

/** Which of the report's derivations belong to a key figure, by the beginning of their pointer. */
const pointers: Readonly<Record<Figure, readonly string[]>> = {
  memory: ['/memory'],
  time: [
    '/time/step',
    '/time/compute',
    '/time/run',
    '/time/exposed',
    '/time/bubble',
    '/time/opt',
    '/time/',
  ],
  cost: ['/cost/total', '/cost/by_billing', '/cost/fees'],
  token: ['/cost/per_'],
  mfu: ['/time/mfu', '/time/hfu', '/time/tokens', '/flops'],
};

function belongs(pointer: string, figure: Figure): boolean {
  if (figure === 'time' && belongs(pointer, 'mfu')) return false;
  return pointers[figure].some((start) => pointer.startsWith(start));
}

export function derivation(context: Context, figure: Figure, label: string): TemplateResult {
  const { t } = context.locale;
  const all = Object.entries(context.report?.derivations ?? {});
  const lines = all.filter(([pointer]) => belongs(pointer, figure));
  return html`
    <div
      class="why-panel"
      id="why-${figure}"
      role="region"
      aria-label=${t('kpi.whyOf', { figure: label })}
    >
      ${lines.length === 0 ? html`<p class="hint">${t('kpi.noDerivation')}</p>` : nothing}
      ${lines.map(
        ([pointer, steps]) => html`
          <section>
            <h3><code>${pointer.slice(1).replaceAll('/', '.')}</code></h3>
            ${(steps ?? []).map((step) => stepLines(context, step))}
          </section>
        `,
      )}
      <button
        type="button"
        class="link"
        @click=${() => {
          context.show({ why: undefined });
        }}
      >
        ${t('kpi.close')}
      </button>
    </div>
  `;
}

function stepLines({ locale: { t, format } }: Context, step: DerivationStep): TemplateResult {
  const value =
    step.unit === 'bytes'
      ? `${format.gib(step.value)} GiB`
      : step.unit === 's' || step.unit === 'seconds'
        ? format.durationText(step.value)
        : `${format.number(step.value, 4)} ${step.unit}`;
  return html`
    <p class="step">
      <span class="symbols">${step.symbols}</span>
      <span class="numbers">= ${step.numbers} = <b>${value}</b></span>
      ${
        step.sources.length === 0
          ? nothing
          : html`<span class="from">${t('kpi.sources')}: ${step.sources.join('; ')}</span>`
      }
    </p>
  `;
}
