/** Sentences for the codes that the core answers with. */
import type { Problem, Statement, Warning } from '../../generated/report';
import { knows, type Locale } from './locale';

type Figures = Readonly<Record<string, number | undefined>>;

const billion = 1e9;

/** A figure's name ends in its unit; the sentence gets it as people write that unit. */
function written(name: string, value: number, { format }: Locale): string {
  const unit = /(?:^|_)([a-z0-9]+)$/.exec(name)?.[1] ?? '';
  switch (unit) {
    case 'bytes':
      return `${format.gib(value)} GiB`;
    case 'gib':
      return `${format.number(value)} GiB`;
    case 'gb':
      return `${format.number(value)} GB`;
    case 'tb':
      return `${format.number(value)} TB`;
    case 's':
    case 'seconds':
      return format.durationText(value);
    case 'days':
      return format.durationText(value * 86400, 3);
    case 'cny':
      return format.moneyText({ value: decimal(value), currency: 'CNY' });
    case 'usd':
      return format.moneyText({ value: decimal(value), currency: 'USD' });
    case 'share':
    case 'fraction':
    case 'ratio':
      return format.share(value);
    case 'params':
    case 'parameters':
    case 'tokens':
      return format.compact(value);
    case 'b':
      return format.compact(value * billion);
    default:
      return format.number(value, 4);
  }
}

function decimal(value: number): string {
  return value.toFixed(Math.abs(value) < 1 ? 9 : 2);
}

function writtenAll(figures: Figures | undefined, locale: Locale): Record<string, string> {
  const entries = Object.entries(figures ?? {});
  return Object.fromEntries(
    entries.flatMap(([name, value]) =>
      value === undefined ? [] : [[name, written(name, value, locale)]],
    ),
  );
}

export function warningText(warning: Warning, locale: Locale): string {
  if (!knows('warnings', warning.code)) return unknownCode(warning.code, warning.figures, locale);
  return locale.t(`warnings.${warning.code}` as never, writtenAll(warning.figures, locale));
}

export function statementText(statement: Statement, locale: Locale): string {
  const code = statement.sentence_code ?? statement.code;
  const figures = {
    ...statement.figures,
    ...(statement.stated === undefined ? {} : { stated: statement.stated }),
    ...(statement.computed === undefined ? {} : { computed: statement.computed }),
  };
  if (!knows('statements', code)) return unknownCode(code, figures, locale);
  return locale.t(`statements.${code}` as never, writtenAll(figures, locale));
}

export function problemText(problem: Problem, locale: Locale): string {
  const text = knows('problems', problem.code)
    ? locale.t(`problems.${problem.code}` as never)
    : locale.t('problem.unknown', { code: problem.code });
  return problem.accepts === ''
    ? text
    : `${text} ${locale.t('problem.accepts', { accepts: problem.accepts })}`;
}

export function absentText(code: string, locale: Locale): string {
  return knows('absent', code) ? locale.t(`absent.${code}` as never) : code;
}

/** A core newer than these words: its code and figures as they are, rather than nothing. */
function unknownCode(code: string, figures: Figures | undefined, locale: Locale): string {
  const list = Object.entries(writtenAll(figures, locale)).map(
    ([name, value]) => `${name} ${value}`,
  );
  return [code, ...list].join(' · ');
}
