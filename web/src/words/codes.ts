/** Sentences for the codes that the core answers with. */
import type { Problem, Statement, Warning } from '../../generated/report';
import { knows, type Key, type Locale } from './locale';

type Figures = Readonly<Record<string, number | undefined>>;

/** Disks are sold in units of 1000, memory is counted in units of 1024. */
const onDisk = new Set(['needed_bytes', 'capacity_bytes']);
const shares = new Set(['share', 'fraction', 'goodput']);
const counts = new Set(['params', 'parameters', 'tokens']);

/** A figure's name ends in its unit; the sentence gets the figure as people write that unit. */
function written(name: string, value: number, { format }: Locale): string {
  const words = name.split('_');
  const unit = words.at(-1) ?? '';
  if (onDisk.has(name)) return format.bytes(value);
  if (words.length > 1 && words.includes('bytes')) return `${format.gib(value)} GiB`;
  if (unit === 'gb' || unit === 'tb') return `${format.number(value)} ${unit.toUpperCase()}`;
  if (unit === 's' && words[0] !== 'mbit') return format.durationText(value);
  if (unit === 'days') return format.durationText(value * 86_400);
  if (shares.has(unit)) return format.share(value);
  if (counts.has(unit)) return format.compact(value);
  if (unit === 'b') return format.compact(value * 1e9); // billions of parameters
  // Amounts are exact to the last digit, what physics says isn't.
  return Math.abs(value) >= 1e6 && !Number.isInteger(value)
    ? format.compact(value)
    : format.number(value, 4);
}

function writtenAll(figures: Figures, locale: Locale): Record<string, string> {
  return Object.fromEntries(
    Object.entries(figures).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, written(name, value, locale)]],
    ),
  );
}

/** With what makes an English noun plural beside a count. */
function ofStatement(figures: Figures, locale: Locale): Record<string, string> {
  return {
    ...writtenAll(figures, locale),
    s: (figures['count'] ?? figures['cards']) === 1 ? '' : 's',
  };
}

/** bad: the run fails. warn: money or time is lost. info: how to read the answer. */
export type Gravity = 'bad' | 'warn' | 'info';

const gravities: Readonly<Record<string, Gravity>> = {
  does_not_fit: 'bad',
  memory_unused: 'info',
  recompute_unneeded: 'info',
  host_memory: 'info',
  usable_memory_assumed: 'info',
  gpu_low_confidence: 'info',
  recalibrated: 'info',
  scaled_model: 'info',
  extrapolated: 'info',
  power_limited: 'info',
  no_bf16: 'info',
  spot_interruptions: 'info',
  price_undated: 'info',
  validity_unchecked: 'info',
  price_low_confidence: 'info',
  mixed_currencies: 'info',
  currencies_not_compared: 'info',
};

export function gravityOf(warning: Warning): Gravity {
  return gravities[warning.code] ?? 'warn';
}

/** @param tp tensor-parallel degree: what isn't split can't be split less */
export function warningText(warning: Warning, locale: Locale, tp = 1): string {
  const { figures } = warning;
  // What is beyond the measurements is told by which figure comes with it.
  const beyond = ['parameters', 'sequence_length', 'gpus'].find((name) => name in figures);
  const code =
    warning.code === 'extrapolated' && beyond !== undefined
      ? `extrapolated_${beyond}`
      : warning.code === 'communication_bound' && tp > 1
        ? 'communication_bound_tensor'
        : warning.code;
  if (!knows('warnings', code)) return unknownCode(code, figures, locale);
  const values = writtenAll(figures, locale);
  if (beyond === 'parameters' && warning.code === 'extrapolated') {
    for (const name of ['measured_low', 'measured_high']) {
      const value = figures[name];
      if (value !== undefined) values[name] = locale.format.compact(value);
    }
  }
  return say(locale, `warnings.${code}`, values);
}

export function statementText(statement: Statement, locale: Locale): string {
  return sentenceText(statement.sentence_code ?? statement.code, statement.figures ?? {}, locale);
}

/** A statement that holds needs no sentence of its own: it agrees with what it was held against. */
export function sentenceText(code: string, figures: Figures, locale: Locale): string {
  const known = knows('statements', code) ? code : code.endsWith('_holds') ? 'holds' : undefined;
  return known === undefined
    ? unknownCode(code, figures, locale)
    : onceWhereEqual(say(locale, `statements.${known}`, ofStatement(figures, locale)));
}

/** A range with equal ends, "462,000 to 462,000", is one figure. */
function onceWhereEqual(text: string): string {
  return text.replace(/(?<![\d.,])(\d[\d.,]*(?: ?(?:GB|亿|万))?) ?(?:至|to) \1(?![\d.,])/g, '$1');
}

/** Their sentences say all; what the core lists beside them is in its own words. */
const saysAll = new Set(['missing', 'unsupported_architecture', 'malformed_json']);

/** @param given what stands at the problem's place */
export function problemText(problem: Problem, locale: Locale, given?: unknown): string {
  const { code } = problem;
  const gap = locale.language === 'en' ? ' ' : ''; // full-width marks bring their own
  const text = knows('problems', code)
    ? locale.t(`problems.${code}`)
    : locale.t('problem.unknown', { code });
  const named =
    typeof given === 'string' && given !== ''
      ? `${text}${gap}${locale.t('problem.given', { given })}`
      : text;
  const unknown = code.startsWith('unknown_');
  const accepts = unknown ? alike(problem.accepts, given) : problem.accepts;
  return accepts === '' || saysAll.has(code)
    ? named
    : `${named}${gap}${locale.t(unknown ? 'problem.alike' : 'problem.accepts', { accepts: acceptable(accepts, locale) })}`;
}

/** Of the names that the core offers, those that have something of the given one. */
function alike(accepts: string, given: unknown): string {
  if (typeof given !== 'string') return accepts;
  const parts = given
    .toLowerCase()
    .match(/[a-z]+|\d+(?:\.\d+)?/g)
    ?.filter((part) => part.length > 1);
  return accepts
    .split(', ')
    .filter((name) => parts?.some((part) => name.includes(part)))
    .join(', ');
}

/** What the core writes without words: ">= 1, <= 100000000". */
function acceptable(accepts: string, { format }: Locale): string {
  return accepts
    .replaceAll('>=', '≥')
    .replaceAll('<=', '≤')
    .replace(/\b\d{5,15}\b/g, (digits) => format.integer(Number(digits)));
}

/** Figures of a plan may be amounts and dates, as text. */
export function ruledOutText(
  code: string,
  figures: Readonly<Record<string, number | string | undefined>>,
  locale: Locale,
): string {
  if (!knows('ruledOut', code)) {
    return problemText({ at: '', code, accepts: '' }, locale);
  }
  const values = Object.entries(figures).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [[name, typeof value === 'number' ? written(name, value, locale) : value] as const],
  );
  return say(locale, `ruledOut.${code}`, Object.fromEntries(values));
}

/** A code that is a name by itself. */
export function nameOf(
  group: 'rules' | 'changes' | 'inexpressible',
  code: string,
  locale: Locale,
): string {
  const known: boolean = knows(group, code);
  return known ? say(locale, `${group}.${code}`, {}) : code;
}

export function absentText(code: string, locale: Locale): string {
  return knows('absent', code) ? locale.t(`absent.${code}`) : code;
}

/** Which figures a code's sentence needs is known where the code is, not to the type of the key. */
function say({ t }: Locale, key: string, values: Readonly<Record<string, string>>): string {
  return t(key as Key, values);
}

/** A core newer than these words: its code and figures as they are, rather than nothing. */
function unknownCode(code: string, figures: Figures, locale: Locale): string {
  const list = Object.entries(writtenAll(figures, locale)).map(
    ([name, value]) => `${name} ${value}`,
  );
  return [code, ...list].join(' · ');
}
