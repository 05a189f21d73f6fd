/** Storage, reliability and energy of the run: asked for less often, answered all the same. */
import { html, nothing, type TemplateResult } from 'lit';
import { derivation, whyButton } from './derivation';
import type { Context } from '../elements/context';

/** Above this share failures aren't worth a line. */
const nearlyAll = 0.9995;

export function more(context: Context): TemplateResult | typeof nothing {
  const { t, format } = context.locale;
  const { report } = context;
  if (report === undefined) return nothing;
  const { storage, energy, time } = report;
  const rows: (readonly [string, string])[] = [];
  if (storage !== undefined) {
    rows.push(
      [t('more.dataset'), format.bytes(storage.dataset_bytes)],
      [t('more.checkpoint'), format.bytes(storage.checkpoint_bytes)],
      [t('more.weights'), format.bytes(storage.weights_bytes)],
      [t('more.storage'), format.bytes(storage.needed_bytes)],
    );
  }
  if (time?.goodput !== undefined && time.goodput < nearlyAll) {
    rows.push([
      t('more.goodput'),
      t('more.goodputValue', { share: format.percent(time.goodput, 1) }),
    ]);
  }
  if (time?.mean_time_between_failures !== undefined) {
    rows.push([t('more.mtbf'), format.durationText(time.mean_time_between_failures)]);
  }
  if (energy !== undefined) {
    rows.push([
      t('more.energy'),
      [
        t('more.kwh', { kwh: format.number(energy.kwh) }),
        t('more.power', { kw: format.number(energy.grid_kw ?? energy.gpu_kw) }),
      ].join(' · '),
    ]);
    if (energy.kg_co2 !== undefined) {
      rows.push([t('more.co2'), t('more.kg', { kg: format.number(energy.kg_co2) })]);
    }
  }
  if (rows.length === 0) return nothing;
  return html`
    <div class="card">
      <div class="head">
        <h2>${t('more.title')}</h2>
        ${whyButton(context, 'more', t('more.title'))}
      </div>
      ${derivation(context, 'more', t('more.title'))}
      <dl>
        ${rows.map(
          ([name, value]) => html`
            <div>
              <dt>${name}</dt>
              <dd>${value}</dd>
            </div>
          `,
        )}
      </dl>
    </div>
  `;
}
