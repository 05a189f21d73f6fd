/** Precision, software, batches and parallel layout: everything that has a sound default. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Context } from '../elements/context';
import { booleanAt, isObject, numberAt, stringAt, valueAt, type Json } from '../scenario/document';
import {
  autoSelect,
  number,
  problemAt,
  segmented,
  select,
  toggle,
  type SelectGroup,
} from './parts';
import { help } from './help';
import { jobFacts } from './job-facts';

const recomputes = ['none', 'selective', 'full'] as const;
const offloads = ['none', 'optimizer', 'parameters', 'activations'] as const;
const quantizations = ['none', 'nf4', 'nf4-double', 'int8', 'gptq'] as const;

/** The sets of LoRA targets that have names; others come by link and are shown as they are. */
const targetSets: readonly (readonly [
  name: 'all' | 'attention' | 'mlp' | 'qv',
  targets: readonly string[],
])[] = [
  ['all', ['all-linear']],
  ['attention', ['attention']],
  ['mlp', ['mlp']],
  ['qv', ['q_proj', 'v_proj']],
];

export function expert(context: Context): TemplateResult {
  const { t } = context.locale;
  return html`
    <details class="card expert" ?open=${context.expert}>
      <summary>
        <span class="expert-title">${t('inputs.expert')}</span>
        <span class="facts">${jobFacts(context).join(' · ')}</span>
      </summary>
      <div class="expert-body">
        <div class="pair">
          ${autoSelect(context, 'precision', '/training/precision', t('inputs.precision'), [
            { options: named(context, context.catalog.precisions, 'precisions') },
          ])}
          ${autoSelect(context, 'optimizer', '/training/optimizer', t('inputs.optimizer'), [
            { options: named(context, context.catalog.optimizers, 'optimizers') },
          ])}
        </div>
        ${autoSelect(context, 'stack', '/training/stack', t('inputs.stack'), stackGroups(context))}
        ${autoSelect(context, 'recompute', '/training/recompute', t('inputs.recompute'), [
          {
            options: recomputes.map((value) => ({ value, label: t(`inputs.recomputes.${value}`) })),
          },
        ])}
        ${number(context, '/training/recompute_share', {
          label: t('inputs.recomputeShare'),
          hint: t('inputs.recomputeShareHint'),
          decimal: true,
        })}
        <fieldset class="toggles">
          <legend class="unseen">${t('inputs.switches')}</legend>
          ${toggle(context, '/training/flash_attention', t('inputs.flash'))}
          ${toggle(context, '/training/compile', t('inputs.compile'))}
          ${toggle(context, '/training/fused_loss', t('inputs.fused'))}
        </fieldset>
        <div class="pair">
          ${number(context, '/training/micro_batch', {
            label: t('inputs.micro'),
            hint: t('inputs.microUnit'),
            whole: true,
          })}
          ${number(context, '/training/global_batch', {
            label: t('inputs.global'),
            hint: t('inputs.globalUnit'),
            whole: true,
          })}
        </div>
        ${adapters(context)} ${layout(context)}
        ${number(context, '/price/cny_per_usd', { label: t('inputs.rate'), decimal: true })}
        <button
          type="button"
          class="link"
          @click=${() => {
            resetExpert(context);
          }}
        >
          ${t('inputs.reset')}
        </button>
      </div>
    </details>
  `;
}

function resetExpert(context: Context): void {
  const kept = ['kind', 'tokens', 'sequence_length'];
  const training = valueAt(context.scenario, '/training');
  const fields = isObject(training) ? Object.keys(training) : [];
  context.set([
    ...fields
      .filter((field) => !kept.includes(field))
      .map((field) => [`/training/${field}`, undefined] as const),
    ['/layout', undefined],
    ['/measured', undefined],
    ['/price/cny_per_usd', undefined],
  ]);
}

function named(
  { locale: { t } }: Context,
  entries: readonly { readonly id: string }[],
  group: 'precisions' | 'optimizers',
): SelectGroup['options'] {
  return entries.map(({ id }) => ({
    value: id,
    label: t(`inputs.${group}.${id}` as 'inputs.precisions.fp32', { defaultValue: id }),
  }));
}

function stackGroups({ catalog }: Context): SelectGroup[] {
  const families = [...new Set(catalog.stacks.map(({ family }) => family))];
  return families.map((family) => {
    const members = catalog.stacks.filter((stack) => stack.family === family);
    return {
      label: members.find(({ id }) => id === family)?.name ?? family,
      options: members.map(({ id, name }) => ({ value: id, label: name })),
    };
  });
}

function adapters(context: Context): TemplateResult | typeof nothing {
  const { t } = context.locale;
  const kind =
    stringAt(context.scenario, '/training/kind') ?? stringAt(context.resolved, '/training/kind');
  if (kind !== 'lora' && kind !== 'qlora') return nothing;
  const targets =
    valueAt(context.scenario, '/training/lora/targets') ??
    valueAt(context.resolved, '/training/lora/targets');
  const same = (set: readonly string[]): boolean => JSON.stringify(set) === JSON.stringify(targets);
  const chosen = targetSets.find(([, set]) => same(set))?.[0];
  return html`
    <div class="pair">
      ${number(context, '/training/lora/rank', { label: t('inputs.rank'), whole: true })}
      ${select(
        'targets',
        t('inputs.targets'),
        [
          {
            options: [
              ...targetSets.map(([name]) => ({
                value: name,
                label: t(`inputs.targetSets.${name}`),
              })),
              ...(chosen === undefined && Array.isArray(targets)
                ? [{ value: '', label: (targets as readonly string[]).join(', ') }]
                : []),
            ],
          },
        ],
        chosen ?? '',
        (value) => {
          const set = targetSets.find(([name]) => name === value)?.[1];
          if (set !== undefined) context.set([['/training/lora/targets', set]]);
        },
        problemAt(context, '/training/lora/targets'),
        help(context.locale, 'targets', t('inputs.targets')),
      )}
    </div>
    ${autoSelect(context, 'quantization', '/training/lora/quantization', t('inputs.quantization'), [
      {
        options: quantizations.map((value) => ({
          value,
          label: t(`inputs.quantizations.${value}`),
        })),
      },
    ])}
  `;
}

function layout(context: Context): TemplateResult {
  const { t } = context.locale;
  const own = isObject(valueAt(context.scenario, '/layout'));
  const degree = (key: string, label: string): TemplateResult =>
    number(context, `/layout/${key}`, { label, whole: true, least: 1 });
  const problem = context.problems.some(({ at }) => at === '/layout')
    ? problemAt(context, '/layout')
    : '';
  return html`
    ${segmented(
      'layout',
      t('inputs.layout'),
      [
        { value: 'auto', label: t('inputs.layoutAuto') },
        { value: 'own', label: t('inputs.layoutOwn') },
      ],
      own ? 'own' : 'auto',
      (value) => {
        context.set([['/layout', value === 'own' ? startingLayout(context) : undefined]]);
      },
      false,
      help(context.locale, 'layout', t('inputs.layout')),
    )}
    ${problem === '' ? nothing : html`<p class="problem" role="alert">${problem}</p>`}
    ${
      own
        ? html`
            <div class="triple">
              ${degree('tp', t('inputs.tp'))} ${degree('pp', t('inputs.pp'))}
              ${degree('cp', t('inputs.cp'))} ${degree('ep', t('inputs.ep'))}
              ${degree('dp', t('inputs.dp'))}
              ${number(context, '/layout/zero', { label: t('inputs.zero'), whole: true })}
              ${degree('virtual_stages', t('inputs.virtual'))}
            </div>
            <fieldset class="toggles">
              <legend class="unseen">${t('inputs.sp')}</legend>
              ${toggle(context, '/layout/sequence_parallel', t('inputs.sp'))}
            </fieldset>
            ${autoSelect(context, 'offload', '/layout/offload', t('inputs.offload'), [
              {
                options: offloads.map((value) => ({ value, label: t(`inputs.offloads.${value}`) })),
              },
            ])}
          `
        : nothing
    }
  `;
}

/** The visitor's own layout begins as the one that was found; dp follows from the rest. */
function startingLayout({ resolved }: Context): Json {
  const layout: Record<string, Json> = {};
  for (const key of ['tp', 'pp', 'cp', 'ep', 'zero', 'virtual_stages']) {
    const value = numberAt(resolved, `/layout/${key}`);
    if (value !== undefined) layout[key] = value;
  }
  const sequence = booleanAt(resolved, '/layout/sequence_parallel');
  if (sequence !== undefined) layout['sequence_parallel'] = sequence;
  const offload = stringAt(resolved, '/layout/offload');
  if (offload !== undefined && offload !== 'none') layout['offload'] = offload;
  return layout;
}
