/** Numbers, money, durations and dates for people, through Intl. Formats what the core computed; computes nothing. */
import type { Money } from '../../generated/report';

export type Language = 'zh-CN' | 'en';

/** A figure and its unit, apart, so that they can be set in different type. */
export interface Quantity {
  readonly value: string;
  readonly unit: string;
}

interface DurationUnit {
  readonly name: 'second' | 'minute' | 'hour' | 'day' | 'year';
  readonly seconds: number;
  /** The unit is used up to this many seconds. */
  readonly upTo: number;
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

const durationUnits: readonly DurationUnit[] = [
  { name: 'second', seconds: 1, upTo: 100 },
  { name: 'minute', seconds: minute, upTo: 100 * minute },
  { name: 'hour', seconds: hour, upTo: 72 * hour },
  { name: 'day', seconds: day, upTo: 1000 * day },
  { name: 'year', seconds: year, upTo: Infinity },
];

const gib = 2 ** 30;

/** Shares below this are said to be below it. */
const leastShare = 0.001;

/** Units that Intl spells out worse than the trade does. */
const moneyUnits: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  'zh-CN': { CNY: '元', USD: '美元' },
  en: {},
};

export class Format {
  private readonly formats = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

  constructor(readonly language: Language) {}

  private intl(options: Intl.NumberFormatOptions): Intl.NumberFormat {
    return this.kept(options, () => new Intl.NumberFormat(this.language, options));
  }

  /** A language's first formatter of a kind takes 20 ms: better made where there is time. */
  warm(): void {
    this.compact(0);
    this.date('2000-01');
  }

  /** Making a formatter takes far longer than using it. */
  private kept<T extends Intl.NumberFormat | Intl.DateTimeFormat>(
    options: object,
    make: () => T,
  ): T {
    const key = JSON.stringify(options);
    let format = this.formats.get(key) as T | undefined;
    if (format === undefined) {
      format = make();
      this.formats.set(key, format);
    }
    return format;
  }

  /** Grouped, with the given number of significant digits: 1,210; 0.00121. */
  number(value: number, significant = 3): string {
    return Math.abs(value) >= 10 ** significant
      ? this.integer(value)
      : this.intl({ maximumSignificantDigits: significant }).format(value);
  }

  integer(value: number): string {
    return this.intl({ maximumFractionDigits: 0 }).format(value);
  }

  /** 8.03B, 80.3 亿. */
  compact(value: number, significant = 3): string {
    return this.spaced(value, { notation: 'compact', maximumSignificantDigits: significant }).join(
      this.language === 'en' ? '' : ' ',
    );
  }

  /** The figure, and 万 or 亿 or M apart (or nothing). */
  private spaced(value: number | string, options: Intl.NumberFormatOptions): string[] {
    const parts = this.intl(options).formatToParts(value as Intl.StringNumericLiteral);
    const figure = parts.filter((part) => part.type !== 'compact' && part.type !== 'literal');
    const scale = parts.find((part) => part.type === 'compact');
    return [figure.map((part) => part.value).join(''), ...(scale ? [scale.value] : [])];
  }

  /** As a field shows it: 10 亿 where that is the whole number, else all digits, grouped. */
  exact(value: number): string {
    if (Math.abs(value) >= 1e5 && Number(value.toPrecision(4)) === value) {
      return this.compact(value, 4);
    }
    return this.intl({ maximumFractionDigits: 12 }).format(value);
  }

  percent(fraction: number, digits = 0): string {
    return this.intl({ style: 'percent', maximumFractionDigits: digits }).format(fraction);
  }

  /** Two significant digits, for shares that can be small. */
  share(fraction: number): string {
    if (fraction > 0 && fraction < leastShare) return `<${this.share(leastShare)}`;
    return this.intl({ style: 'percent', maximumSignificantDigits: 2 }).format(fraction);
  }

  /** Bytes as GiB, a bare number. */
  gib(bytes: number): string {
    const value = bytes / gib;
    const digits = Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 0.095 || value === 0 ? 1 : 3;
    return this.intl({
      minimumFractionDigits: digits === 1 ? 1 : 0,
      maximumFractionDigits: digits,
    }).format(value);
  }

  /** Bytes with a decimal unit, as disks are sold: 16.1 GB, 1.5 TB. */
  bytes(value: number): string {
    const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'];
    let index = 0;
    let scaled = value;
    while (scaled >= 1000 && index < units.length - 1) {
      scaled /= 1000;
      index += 1;
    }
    return `${this.number(scaled)} ${units[index] ?? ''}`;
  }

  /**
   * A length of time in the unit that suits `like` (itself by default): two significant digits, three
   * where the first is a 1, so that 9.9 and 10.1 are said equally finely.
   */
  duration(seconds: number, like = seconds): Quantity {
    const unit = durationUnits.find((candidate) => like < candidate.upTo) ?? durationUnits[0]!;
    const value = seconds / unit.seconds;
    const digits = value.toExponential(1).startsWith('1') ? 3 : 2;
    return this.measured(
      value,
      unit.name,
      value >= 10 ** digits ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: digits },
    );
  }

  private measured(value: number, unit: string, digits: Intl.NumberFormatOptions): Quantity {
    const parts = this.intl({
      style: 'unit',
      unit,
      unitDisplay: this.language === 'en' ? 'long' : 'short', // long is 秒钟 in Chinese
      ...digits,
    }).formatToParts(value);
    const name = parts.find((part) => part.type === 'unit')?.value ?? '';
    const figure = parts
      .filter((part) => part.type !== 'unit' && part.type !== 'literal')
      .map((part) => part.value)
      .join('');
    return { value: figure, unit: name };
  }

  durationText(seconds: number): string {
    return join(this.duration(seconds));
  }

  /** Exact decimals go to Intl as strings; only how many digits to show is read off the number. */
  money(amount: string, currency: string, shortFrom = 1e7): Quantity {
    const size = Math.abs(Number(amount));
    const digits: Intl.NumberFormatOptions =
      size >= shortFrom
        ? { notation: 'compact', maximumSignificantDigits: 4 }
        : size >= 100
          ? { maximumFractionDigits: 0 }
          : size >= 1
            ? { minimumFractionDigits: 2, maximumFractionDigits: 2 }
            : { maximumSignificantDigits: 3 };
    const [value = '', scale = ''] = this.spaced(amount, digits);
    return this.language === 'en'
      ? { value: value + scale, unit: this.moneyUnit(currency) }
      : { value, unit: scale + this.moneyUnit(currency) };
  }

  /** A price as it was set, to the last digit. */
  price(amount: string, currency: string): string {
    const value = this.intl({ maximumFractionDigits: 9 }).format(
      amount as Intl.StringNumericLiteral,
    );
    return this.beside({ value, unit: this.moneyUnit(currency) });
  }

  moneyText(money: Pick<Money, 'value' | 'currency'>): string {
    return this.beside(this.money(money.value, money.currency));
  }

  /** Where four digits are enough: 984 万元, CNY 9.84M. */
  moneyShort({ value, currency }: Pick<Money, 'value' | 'currency'>): string {
    return this.beside(this.money(value, currency, 1e5));
  }

  /** From low to high; undefined where the amount is exact. */
  moneyRange(money: Money): string | undefined {
    if (money.low === undefined || money.high === undefined) return undefined;
    const low = this.money(money.low, money.currency);
    const high = this.money(money.high, money.currency);
    if (low.unit !== high.unit) return this.range(this.beside(low), this.beside(high));
    if (low.value === high.value) return undefined;
    return this.beside({ value: this.range(low.value, high.value), unit: low.unit });
  }

  range(low: string, high: string): string {
    return low === high ? low : `${low}–${high}`;
  }

  moneyUnit(currency: string): string {
    return moneyUnits[this.language][currency] ?? currency;
  }

  /** A currency goes before the figure in English, after it in Chinese. */
  private beside({ value, unit }: Quantity): string {
    return this.language === 'en' ? `${unit}\u00a0${value}` : `${value} ${unit}`;
  }

  /** So many days as whole months, "9 months". */
  age(days: number): string {
    return join(this.measured(days / 30.44, 'month', { maximumFractionDigits: 0 }));
  }

  /** An ISO day, or a month. */
  date(iso: string): string {
    const date = new Date(iso);
    if (Number.isNaN(date.getTime())) return iso;
    const style: Intl.DateTimeFormatOptions =
      iso.length > 7 ? { dateStyle: 'medium' } : { year: 'numeric', month: 'long' };
    return this.kept(
      style,
      () => new Intl.DateTimeFormat(this.language, { ...style, timeZone: 'UTC' }),
    ).format(date);
  }
}

export function join({ value, unit }: Quantity): string {
  return unit === '' ? value : `${value} ${unit}`;
}
