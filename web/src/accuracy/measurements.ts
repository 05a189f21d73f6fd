/** The published measurements that the core is tested against, as web/tools/accuracy.mjs packed them. */
import digest from '../../data/accuracy.json';

export type Quantity = 'time' | 'memory';

export interface Measurement {
  readonly quantity: Quantity;
  readonly source: string;
  readonly gpu: string;
  readonly stack: string;
  readonly method: string;
  /** Seconds of a step, or bytes; rounded for drawing. */
  readonly measured: number;
  readonly predicted: number;
}

/** Errors of one source, to the last digit as the test run reports them. */
export interface SourceErrors {
  readonly source: string;
  readonly quantity: Quantity;
  /** Whether the source states everything that the estimate needs. */
  readonly complete: boolean;
  readonly rows: number;
  readonly median: number;
  readonly p90: number;
  /** Share of the rows within intervals that the source had no part in, where that was tried. */
  readonly coverage: number;
  /** The same errors where the source had no part in the fit; undefined where that wasn't tried. */
  readonly leftOut: { readonly median: number; readonly p90: number } | undefined;
}

type Group = readonly [number, Quantity, string, string, string, number, number, string];
type Errors = readonly [
  ...fitted: readonly [number, string, boolean, number, number, number, number],
  ...leftOut: readonly number[],
];

/** As the digest's writer has it. */
const alphabet = Array.from({ length: 92 }, (_, index) => String.fromCharCode(35 + index)).filter(
  (character) => !'\\<&>'.includes(character),
);
const steps = alphabet.length - 1;
const half = Math.floor(steps / 2);

const sourceName = (index: number): string => {
  const source: { id: string; repository?: string } | undefined = digest.sources[index];
  return source?.repository ?? source?.id ?? '';
};

let unpacked: readonly Measurement[] | undefined;

export function measurements(): readonly Measurement[] {
  unpacked ??= (digest.groups as unknown as readonly Group[]).flatMap(unpack);
  return unpacked;
}

function unpack([index, quantity, gpu, stack, method, low, high, points]: Group): Measurement[] {
  const source = sourceName(index);
  const rows: Measurement[] = [];
  for (let at = 0; at < points.length; at += 2) {
    const share = alphabet.indexOf(points.charAt(at)) / steps;
    const root = (alphabet.indexOf(points.charAt(at + 1)) - half) / half;
    const measured = low * (high / low) ** share;
    const predicted = measured * Math.exp(Math.sign(root) * root ** 2);
    rows.push({ quantity, source, gpu, stack, method, measured, predicted });
  }
  return rows;
}

export const sourceErrors: readonly SourceErrors[] = (
  digest.errors as unknown as readonly Errors[]
).map(([index, kind, complete, rows, median, p90, coverage, left, left90, covered]) => ({
  source: sourceName(index),
  quantity: kind === 'time' ? 'time' : 'memory',
  complete,
  rows,
  median,
  p90,
  coverage: covered ?? coverage,
  leftOut: left === undefined || left90 === undefined ? undefined : { median: left, p90: left90 },
}));

export const verdicts = digest.verdicts;
