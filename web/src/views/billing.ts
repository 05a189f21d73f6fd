/** The run under each billing mode. A discount is always said both ways: what is paid, what is off. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Billing } from '../../generated/report';
import type { Context } from '../elements/context';

export function billing(context: Context): TemplateResult | typeof nothing {
  const { t, format } = context.locale;
  const cost = context.report?.cost;
  const modes = cost?.by_billing ?? [];
  if (cost === undefined || modes.length === 0) return nothing;
  return html`
    <div class="card">
      <h2 id="billing-title">${t('billing.title')}</h2>
      <div class="scroll" tabindex="0" role="group" aria-labelledby="billing-title">
        <table aria-labelledby="billing-title">
          <thead>
            <tr>
              <th scope="col">${t('billing.mode')}</th>
              <th scope="col" class="figure">${t('billing.total')}</th>
              <th scope="col" class="figure">${t('billing.hourly')}</th>
            </tr>
          </thead>
          <tbody>
            ${modes.map((mode) => {
              const chosen = mode.mode === cost.mode;
              return html`
                <tr class=${chosen ? 'chosen' : ''}>
                  <th scope="row">
                    ${t(`inputs.billingModes.${mode.mode}`)}
                    ${chosen ? html`<span class="tag">${t('billing.chosen')}</span>` : nothing}
                    ${discount(context, mode)}${periods(context, mode)}
                  </th>
                  <td>${format.moneyText(mode.total)}</td>
                  <td>
                    ${
                      mode.hourly_equivalent === undefined
                        ? '—'
                        : format.moneyText(mode.hourly_equivalent)
                    }
                  </td>
                </tr>
              `;
            })}
          </tbody>
        </table>
      </div>
    </div>
  `;
}

function discount({ locale }: Context, mode: Billing): TemplateResult | typeof nothing {
  if (mode.paid_fraction === undefined || mode.discount === undefined) return nothing;
  const paid = Number(mode.paid_fraction);
  const off = Number(mode.discount);
  if (off <= 0) return nothing;
  return html`<small class="discount">${discountText(locale, paid, off)}</small>`;
}

/** What is paid for: whole periods, however short the run. */
function periods(
  { locale: { t, format } }: Context,
  mode: Billing,
): TemplateResult | typeof nothing {
  if (mode.period_price === undefined) return nothing;
  const price = format.moneyText(mode.period_price);
  const n = format.number(mode.periods.value);
  return html`<small class="periods"
    >${t(`billing.periods.${mode.mode}`, { count: mode.periods.value, n, price })}</small
  >`;
}

/** "pay 65% (35% off)", "6.5 折（优惠 35%）". */
export function discountText({ t, format }: Context['locale'], paid: number, off: number): string {
  return t('billing.pays', {
    paid: format.percent(paid, 1),
    tenths: format.number(paid * 10, 3),
    off: format.percent(off, 1),
  });
}
