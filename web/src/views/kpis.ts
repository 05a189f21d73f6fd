/** The key figures, each with its derivation behind a button. */
import { html, type TemplateResult } from 'lit';
import type { Context } from '../elements/context';
import type { Quantity } from '../format/format';
import { help } from './help';
import { derivation, whyButton, type Figure } from './derivation';

/** Characters beyond which a figure is set smaller, so as to stay on one line. */
const longFigure = 10;

interface Kpi {
  readonly figure: Figure;
  readonly label: string;
  readonly shown: Quantity;
  readonly notes: readonly string[];
}

export function kpis(context: Context): TemplateResult {
  const { t } = context.locale;
  return html`
    <div class="kpis" role="group" aria-label=${t('kpi.region')}>
      ${kpisOf(context).map((kpi) => card(context, kpi))}
    </div>
  `;
}

function kpisOf({ report, locale: { t, format } }: Context): Kpi[] {
  /** What a job that doesn't fit would take is said to be just that. */
  const label = (name: 'time' | 'cost' | 'perToken'): string =>
    report?.memory?.fits === false
      ? t('take.ifFit', { figure: t(`kpi.${name}`) })
      : t(`kpi.${name}`);
  const list: Kpi[] = [];
  const memory = report?.memory;
  const time = report?.time;
  const cost = report?.cost;
  if (memory !== undefined) {
    const { value, low, high } = memory.device_peak;
    list.push({
      figure: 'memory',
      label: t('kpi.memory'),
      shown: {
        value: format.gib(value),
        unit: 'GiB',
      },
      notes: [
        `${format.range(format.gib(low), format.gib(high))} GiB`,
        t('kpi.memoryOf', { usable: format.gib(memory.usable) }),
      ],
    });
  }
  if (time !== undefined) {
    const { value, low, high } = time.run;
    const shown = format.duration(value);
    list.push({
      figure: 'time',
      label: label('time'),
      shown,
      notes: [
        `${format.range(format.duration(low, value).value, format.duration(high, value).value)} ${shown.unit}`,
        t('kpi.steps', {
          steps: format.integer(time.steps),
          step: format.durationText(time.step.value),
        }),
      ],
    });
  }
  if (cost !== undefined) {
    const range = format.moneyRange(cost.total);
    const other = cost.other_currency?.total;
    const mode = cost.by_billing?.find((each) => each.mode === cost.mode);
    list.push({
      figure: 'cost',
      label: label('cost'),
      shown: format.money(cost.total.value, cost.total.currency),
      notes: [
        ...(range === undefined ? [] : [range]),
        ...(other === undefined ? [] : [t('kpi.about', { price: format.moneyText(other) })]),
        ...(mode?.hourly_equivalent === undefined
          ? []
          : [
              t('kpi.hourly', {
                price: format.moneyText(mode.hourly_equivalent),
                mode: t(`inputs.billingModes.${mode.mode}`),
              }),
            ]),
      ],
    });
  }
  if (cost?.per_million_tokens !== undefined) {
    const million = cost.per_million_tokens;
    const range = format.moneyRange(million);
    list.push({
      figure: 'token',
      label: label('perToken'),
      shown: format.money(million.value, million.currency),
      notes: [
        ...(range === undefined ? [] : [range]),
        ...(cost.per_1k_tokens === undefined
          ? []
          : [t('kpi.per1k', { price: format.moneyText(cost.per_1k_tokens) })]),
      ],
    });
  }
  if (time !== undefined) {
    list.push({
      figure: 'mfu',
      label: t('kpi.mfu'),
      shown: { value: format.percent(time.mfu_causal.value, 1), unit: '' },
      notes: [
        t('kpi.speed', { rate: format.number(time.tokens_per_second_per_gpu.value) }),
        t('kpi.mfuNote', { full: format.percent(time.mfu_full_attention.value, 1) }),
      ],
    });
  }
  return list;
}

function card(context: Context, { figure, label, shown, notes }: Kpi): TemplateResult {
  return html`
    <div class="kpi" data-kpi=${figure}>
      <div class="labels kpi-label">${label}${help(context.locale, figure, label)}</div>
      <p class="kpi-value ${shown.value.length + shown.unit.length > longFigure ? 'long' : ''}">
        ${shown.value} <small>${shown.unit}</small>
      </p>
      ${notes.map((note) => html`<p class="kpi-note">${note}</p>`)}
      ${whyButton(context, figure, label)}
    </div>
    ${derivation(context, figure, label)}
  `;
}
