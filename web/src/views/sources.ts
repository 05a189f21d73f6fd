/** Where the catalogue has its figures from, for what this estimate used. */
import { html, nothing, type TemplateResult } from 'lit';
import { offerName } from '../catalog/catalog';
import type { Context } from '../elements/context';
import { stringAt, valueAt } from '../scenario/document';
import { gpuOf } from './inputs';

export function sources(context: Context): TemplateResult {
  const { t, format, language } = context.locale;
  const { catalog, scenario, resolved } = context;
  const model = valueAt(scenario, '/model');
  const modelEntry = typeof model === 'string' ? catalog.model(model) : undefined;
  const gpu = gpuOf(context);
  const offer = catalog.offer(
    stringAt(scenario, '/price/offer') ?? stringAt(resolved, '/price/offer'),
  );
  const stack = catalog.stack(stringAt(resolved, '/training/stack'));
  const rows: TemplateResult[] = [];
  const row = (
    kind: string,
    name: string,
    from: readonly string[],
    notes: readonly string[],
  ): void => {
    rows.push(html`
      <div>
        <dt>${kind}</dt>
        <dd>
          <b>${name}</b> ${notes.filter(Boolean).join(' · ')}
          <span class="from" lang="en"
            >${from.length === 0 ? t('sources.none') : from.join('; ')}</span
          >
        </dd>
      </div>
    `);
  };
  const confidence = (level: 'high' | 'medium' | 'low' | undefined): string =>
    level === undefined ? '' : t(`sources.confidence.${level}`);
  if (modelEntry !== undefined) {
    row(
      t('sources.model'),
      modelEntry.name,
      modelEntry.source === undefined ? [] : [modelEntry.source],
      [confidence(modelEntry.confidence)],
    );
  }
  if (gpu !== undefined) {
    row(
      t('sources.gpu'),
      gpu.name,
      [...(gpu.sources ?? []), ...(gpu.notes === undefined ? [] : [gpu.notes])],
      [confidence(gpu.confidence)],
    );
  }
  if (offer !== undefined) {
    row(
      t('sources.offer'),
      offerName(offer, language),
      offer.source === undefined ? [] : [offer.source],
      [offer.date === undefined ? '' : t('inputs.seen', { date: format.date(offer.date) })],
    );
  }
  if (stack !== undefined) row(t('sources.stack'), stack.name, stack.sources ?? [], []);
  if (rows.length === 0) return html`${nothing}`;
  return html`
    <details class="card sources">
      <summary>${t('sources.title')}</summary>
      <dl>${rows}</dl>
    </details>
  `;
}
