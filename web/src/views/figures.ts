/** The two bars: what fills a GPU's memory, and where a step's time goes. */
import { sum } from 'd3-array';
import type { Report } from '../../generated/report';
import type { Context } from '../elements/context';
import type { TableRow, Tone } from '../elements/figure';
import type { BarFigure, Segment } from '../elements/stacked-bar';
import { gpuOf, shortName } from './inputs';

type Memory = NonNullable<Report['memory']>;
type Time = NonNullable<Report['time']>;

/** Neighbours alternate between dark and light, so that they part without colour too. */
const memoryTones = {
  weights: 1,
  gradients: 2,
  optimizer: 3,
  activations: 4,
  logits: 5,
  buffers: 6,
  fragmentation: 8,
  context: 7,
} as const satisfies Record<string, Tone>;

/** Which finer parts belong to which coarse one. */
const partsOf = {
  weights: [],
  gradients: [],
  optimizer: ['master_weights', 'moments'],
  activations: ['checkpoints', 'attention', 'mlp', 'norms', 'working_set', 'embedding'],
  logits: [],
  buffers: ['gathered', 'buckets', 'workspace'],
  fragmentation: [],
  context: [],
} as const;

export function memoryFigure(context: Context, memory: Memory): BarFigure {
  const { t, format } = context.locale;
  const gpu = shortName(gpuOf(context));
  const total = memory.device_peak.value;
  const values: Record<keyof typeof memoryTones, number> = {
    weights: memory.weights,
    gradients: memory.gradients,
    optimizer: memory.optimizer,
    activations: memory.activations,
    logits: memory.logits,
    buffers: memory.buffers,
    fragmentation: memory.reserved_peak.value - memory.allocated_peak.value,
    context: memory.context,
  };
  const codes = (Object.keys(values) as (keyof typeof values)[]).filter((code) => values[code] > 0);
  const segments = codes.map((code): Segment => ({
    code,
    label: t(`memory.${code}`),
    value: values[code],
    text: format.gib(values[code]),
    tone: memoryTones[code],
  }));
  const rows = codes.flatMap((code): TableRow[] => [
    {
      cells: [t(`memory.${code}`), format.gib(values[code]), format.share(values[code] / total)],
    },
    ...partsOf[code].flatMap((part): TableRow[] => {
      const bytes = memory.parts.find((candidate) => candidate.code === part)?.bytes ?? 0;
      return bytes === 0
        ? []
        : [
            {
              cells: [t(`memory.${part}`), format.gib(bytes), format.share(bytes / total)],
              sub: true,
            },
          ];
    }),
  ]);
  const need = format.gib(total);
  const usable = format.gib(memory.usable);
  const { low, high } = memory.device_peak;
  return {
    title:
      memory.stages.length > 1
        ? t('memory.titleStage', { stage: memory.stage + 1, stages: memory.stages.length })
        : t('memory.title'),
    description: t('memory.describe', {
      parts: segments.map(({ label, text }) => `${label} ${text}`).join(', '),
      need,
      usable,
    }),
    segments,
    limit: { value: memory.usable, label: t('memory.usable', { gpu, usable }) },
    interval: {
      low,
      high,
      label: t('memory.interval', { range: format.range(format.gib(low), format.gib(high)) }),
    },
    table: {
      head: [t('memory.what'), t('memory.gib'), t('memory.share')],
      rows,
      foot: [t('memory.total'), need, format.share(1)],
    },
  };
}

const timeGroups = [
  ['matmul', ['matmul'], 1],
  ['attention', ['attention'], 2],
  ['elementwise', ['elementwise', 'head_and_loss'], 3],
  ['recompute', ['recompute'], 4],
  ['launch', ['launch'], 7],
  ['communication', ['tensor', 'data', 'pipeline', 'context', 'expert'], 5],
  ['bubble', ['bubble'], 8],
  ['optimizer', ['optimizer'], 6],
  ['offload', ['offload'], 9],
] as const satisfies readonly (readonly [string, readonly string[], Tone])[];

export function timeFigure(context: Context, time: Time): BarFigure {
  const { t, format } = context.locale;
  const seconds = (code: string): number =>
    time.parts.find((part) => part.code === code)?.seconds ?? 0;
  const step = time.step.value;
  const groups = timeGroups
    .map(([code, parts, tone]) => ({ code, parts, tone, value: sum(parts, seconds) }))
    .filter(({ value }) => value > 0);
  const segments = groups.map(({ code, tone, value }): Segment => ({
    code,
    label: t(`time.groups.${code}`),
    value,
    text: format.share(value / step),
    tone,
  }));
  const rows = groups.flatMap(({ code, parts, value }): TableRow[] => [
    {
      cells: [t(`time.groups.${code}`), format.durationText(value), format.share(value / step)],
    },
    ...(parts.length === 1
      ? []
      : parts.flatMap((part): TableRow[] =>
          seconds(part) === 0
            ? []
            : [
                {
                  cells: [
                    t(`time.parts.${part}`),
                    format.durationText(seconds(part)),
                    format.share(seconds(part) / step),
                  ],
                  sub: true,
                },
              ],
        )),
  ]);
  const stepText = format.durationText(step);
  return {
    title: t('time.title', { step: stepText }),
    description: t('time.describe', {
      parts: segments.map(({ label, text }) => `${label} ${text}`).join(', '),
      step: stepText,
    }),
    segments,
    table: {
      head: [t('time.what'), t('time.seconds'), t('time.share')],
      rows,
      foot: [t('memory.total'), stepText, format.share(1)],
    },
  };
}
