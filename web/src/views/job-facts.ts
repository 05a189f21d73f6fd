/** The settings that an estimate was counted with, in the trade's short forms. */
import type { Context } from '../elements/context';
import { numberAt, stringAt } from '../scenario/document';

export function jobFacts(context: Context): string[] {
  const { locale, resolved, catalog } = context;
  const { t, format } = locale;
  const facts: string[] = [];
  const precision = stringAt(resolved, '/training/precision');
  const optimizer = stringAt(resolved, '/training/optimizer');
  const stack = stringAt(resolved, '/training/stack');
  const recompute = stringAt(resolved, '/training/recompute');
  if (precision !== undefined) {
    facts.push(
      t(`inputs.precisions.${precision}` as 'inputs.precisions.fp32', { defaultValue: precision }),
    );
  }
  if (optimizer !== undefined) {
    facts.push(
      t(`inputs.optimizers.${optimizer}` as 'inputs.optimizers.adamw', { defaultValue: optimizer }),
    );
  }
  if (stack !== undefined) facts.push(catalog.stack(stack)?.name ?? stack);
  if (recompute === 'none' || recompute === 'selective' || recompute === 'full') {
    facts.push(t(`job.recompute.${recompute}`));
  }
  facts.push(...layoutFacts(context));
  const micro = numberAt(resolved, '/training/micro_batch');
  const steps = context.report?.time?.micro_batches;
  if (micro !== undefined && steps !== undefined) {
    facts.push(
      t('job.accumulate', {
        micro: format.integer(micro),
        steps: format.integer(steps),
        dp: format.integer(numberAt(resolved, '/layout/dp') ?? 1),
      }),
    );
  }
  return facts;
}

function layoutFacts({ resolved, locale: { t } }: Context): string[] {
  const facts: string[] = [];
  for (const [key, name] of [
    ['tp', 'TP'],
    ['pp', 'PP'],
    ['cp', 'CP'],
    ['ep', 'EP'],
  ] as const) {
    const degree = numberAt(resolved, `/layout/${key}`);
    if (degree !== undefined && degree > 1) facts.push(`${name} ${degree}`);
  }
  const zero = numberAt(resolved, '/layout/zero');
  if (zero !== undefined && zero > 0) facts.push(t('job.zero', { stage: zero }));
  const group = numberAt(resolved, '/layout/shard_group');
  if (group !== undefined && group > 0) facts.push(`HSDP ${group}`);
  const offload = stringAt(resolved, '/layout/offload');
  if (offload !== undefined && offload !== 'none') facts.push(t('job.offload'));
  return facts;
}
