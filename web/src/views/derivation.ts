/** How a figure comes about: each step in symbols, in numbers, with the source of its constants. */
import { html, nothing, type TemplateResult } from 'lit';
import type { DerivationStep } from '../../generated/report';
import type { Context } from '../elements/context';
import { knows } from '../words/locale';
import { inChinese } from '../words/terms';

/** The figures that have a derivation behind a button, and which of the core's belong to each. */
const pointers = {
  memory: /^\/(?:parameters|memory)\//,
  time: /^\/time\/(?!mfu|hfu|tokens)/,
  cost: /^\/cost\/(?!per_)/,
  token: /^\/cost\/per_/,
  mfu: /^\/time\/(?:mfu|hfu|tokens)/,
  more: /^\/(?:storage|energy)\//,
} as const;

export type Figure = keyof typeof pointers;

/** The button that opens a figure's derivation. */
export function whyButton(context: Context, figure: Figure, label: string): TemplateResult {
  const { t } = context.locale;
  const open = context.view.why === figure;
  return html`
    <button
      type="button"
      class="link why"
      aria-expanded=${open}
      aria-controls=${open ? `why-${figure}` : nothing}
      aria-label=${t('kpi.whyOf', { figure: label })}
      @click=${() => {
        context.show({ why: open ? undefined : figure });
      }}
    >
      ${t('kpi.why')}
    </button>
  `;
}

/** The derivation itself, where it is open. */
export function derivation(
  context: Context,
  figure: Figure,
  label: string,
): TemplateResult | typeof nothing {
  if (context.view.why !== figure) return nothing;
  const { t } = context.locale;
  const lines = Object.entries(context.report?.derivations ?? {}).filter(([pointer]) =>
    pointers[figure].test(pointer),
  );
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
            <h3>${heading(context, pointer)}</h3>
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

function heading({ locale: { t } }: Context, pointer: string): string {
  const code = pointer.slice(1).replaceAll('/', '_');
  return knows('derived', code) ? t(`derived.${code}`) : pointer.slice(1).replaceAll('/', '.');
}

function stepLines(context: Context, step: DerivationStep): TemplateResult {
  const { t, language } = context.locale;
  const words = language === 'zh-CN' ? inChinese : (text: string): string => text;
  return html`
    <p class="step">
      <span class="symbols">${words(step.symbols)}</span>
      <span class="numbers">= ${step.numbers} = <b>${words(value(context, step))}</b></span>
      ${
        step.sources.length === 0
          ? nothing
          : html`<span class="from">${t('kpi.sources')}: ${step.sources.join('; ')}</span>`
      }
    </p>
  `;
}

const mebi = 2 ** 20;

/** A unit may say more than the unit: "bytes reserved". */
function value({ locale: { format } }: Context, step: DerivationStep): string {
  const [, unit = '', more = ''] = /^(\S+?),?(?: (.*))?$/.exec(step.unit) ?? [];
  const quantity =
    unit === 'bytes' && step.value >= mebi
      ? `${format.gib(step.value)} GiB`
      : unit === 's'
        ? format.durationText(step.value)
        : step.unit === 'share'
          ? format.percent(step.value, 2)
          : /^[A-Z]{3}$/.test(unit)
            ? format.price(step.value.toFixed(9), unit)
            : `${format.number(step.value, 6)} ${unit}`;
  return more === '' ? quantity : `${quantity} ${more}`;
}
