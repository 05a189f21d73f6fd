/** What was understood of the model, in one line under the field. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Context } from '../elements/context';
import { isObject, numberAt, valueAt } from '../scenario/document';
import { textOf } from './inputs';

export function modelSummary(context: Context): TemplateResult | typeof nothing {
  const { t, format } = context.locale;
  const { report } = context;
  const parameters = report?.parameters;
  if (parameters === undefined) return nothing;
  const facts: string[] = [t('inputs.parameters', { n: format.compact(parameters.total) })];
  if (parameters.active !== parameters.total) {
    facts.push(t('inputs.active', { n: format.compact(parameters.active) }));
  }
  const config = valueAt(context.scenario, '/model/hf_config');
  const like = isObject(config) ? context.catalog.shapedAs(textOf(config)) : undefined;
  if (like !== undefined) facts.unshift(t('inputs.configLike', { name: like.name }));
  const shape = shapeOf(context);
  if (shape !== undefined) facts.push(...shapeFacts(context, shape));
  if (parameters.trainable !== parameters.total) {
    facts.push(t('inputs.trainable', { n: format.compact(parameters.trainable) }));
  }
  return html`<p class="facts" data-summary>${facts.join(' · ')}</p>`;
}

function shapeOf({ scenario, resolved, catalog }: Context): object | undefined {
  const said = valueAt(scenario, '/model');
  if (typeof said === 'string') return catalog.model(said);
  const model = valueAt(resolved, '/model');
  if (typeof model === 'string') return catalog.model(model);
  return isObject(model) && 'layers' in model ? model : undefined;
}

function shapeFacts({ locale: { t, format } }: Context, shape: object): string[] {
  const facts: string[] = [];
  const at = (pointer: string): number | undefined => numberAt(shape, pointer);
  const layers = at('/layers');
  const heads = at('/heads');
  const kv = at('/kv_heads') ?? heads;
  const experts = at('/moe/experts');
  const used = at('/moe/experts_per_token');
  const vocab = at('/vocab');
  if (layers !== undefined) facts.push(t('inputs.layers', { n: format.integer(layers) }));
  if (heads !== undefined) {
    facts.push(
      'mla' in shape
        ? t('inputs.headsMla', { heads: format.integer(heads) })
        : t('inputs.heads', { heads: format.integer(heads), kv: format.integer(kv ?? heads) }),
    );
  }
  if (experts !== undefined && used !== undefined) {
    facts.push(
      t('inputs.experts', { experts: format.integer(experts), used: format.integer(used) }),
    );
  }
  if (vocab !== undefined) facts.push(t('inputs.vocab', { n: format.integer(vocab) }));
  return facts;
}
