/**
 * Numbers as people type them: "1.5万", "10亿", "1e9", "2T", "1,000", "１．５万", "三千万", "2^20".
 * Every unit is a power of ten, so a number stays an exact decimal until the very end.
 */

/** coefficient * 10^exponent */
interface Decimal {
  readonly coefficient: bigint;
  readonly exponent: number;
}

export interface ParsedNumber {
  readonly ok: true;
  readonly value: number;
  /** The same, exactly, without exponent or grouping: what a money field passes on. */
  readonly decimal: string;
}

export interface NumberProblem {
  readonly ok: false;
  readonly code: 'empty' | 'not_a_number' | 'out_of_range';
}

/** small: 十 百 千, inside a section; section: 万 亿, closing one; scale: k M B T, closing the number. */
type UnitKind = 'small' | 'section' | 'scale';

type Token =
  | { readonly kind: 'number'; readonly number: Decimal; readonly singleDigit: boolean }
  | { readonly kind: UnitKind; readonly power: number };

const zero: Decimal = { coefficient: 0n, exponent: 0 };
const one: Decimal = { coefficient: 1n, exponent: 0 };
const notANumber: NumberProblem = { ok: false, code: 'not_a_number' };
const outOfRange: NumberProblem = { ok: false, code: 'out_of_range' };

/** Beyond these a field of this page holds no number that means anything. */
const longestInput = 64;
const largestExponent = 60;
const largest = 1e60;

const chineseDigits = '零一二三四五六七八九';
const otherDigits: Readonly<Record<string, number>> = { 〇: 0, 两: 2, 兩: 2 };

/** Powers of ten; the first that matches is taken. */
const units: readonly (readonly [spelling: RegExp, kind: UnitKind, power: number])[] = [
  [/^(?:trillion|tn|t)/, 'scale', 12],
  [/^(?:billion|bn|b|g)/, 'scale', 9],
  [/^(?:million|mn|mm|m)/, 'scale', 6],
  [/^(?:thousand|k)/, 'scale', 3],
  [/^[亿億]/, 'section', 8],
  [/^[万萬]/, 'section', 4],
  [/^[千仟]/, 'small', 3],
  [/^[百佰]/, 'small', 2],
  [/^[十拾]/, 'small', 1],
];

/** What a number may be dressed in without meaning anything else. */
const prefix = /^(?:cn¥|rmb|cny|usd|us\$|[¥$€~≈约])+/;
const suffix =
  /(?:tokens?|个|词元|人民币|美元|美金|元|块|条|张|卡|步|天|小时|cny|rmb|usd|gpus?|gib|gb)+$/;

export function parseNumber(input: string): ParsedNumber | NumberProblem {
  if (input.length > longestInput) return notANumber;
  // NFKC turns full-width digits, letters, commas and stops into the plain ones.
  let text = input
    .normalize('NFKC')
    .toLowerCase()
    .replace(/。/g, '.')
    .replace(/、/g, ',')
    .replace(/[\s\u00a0\u202f_'’]/g, '')
    .replace(/[−–]/g, '-');
  if (text === '') return { ok: false, code: 'empty' };
  text = text.replace(prefix, '').replace(suffix, '');
  const negative = text.startsWith('-');
  if (/^[+-]/.test(text)) text = text.slice(1);

  const decimal = readPower(text) ?? readSum(text);
  if (decimal === undefined) return notANumber;
  if (!isZero(decimal) && Math.abs(decimal.exponent) > largestExponent) return outOfRange;
  const signed = negative
    ? { coefficient: -decimal.coefficient, exponent: decimal.exponent }
    : decimal;
  const plain = toPlain(signed);
  const value = Number(plain);
  return Math.abs(value) > largest ? outOfRange : { ok: true, value, decimal: plain };
}

/** "10^9", "2**20", "1.5×10^9", "3*10^12". */
function readPower(text: string): Decimal | undefined {
  const match = /^(?:([\d.,]+)[×x*·])?(\d{1,3})(?:\^|\*\*)(\d{1,3})$/.exec(text);
  if (match === null) return undefined;
  const factor = match[1] === undefined ? { coefficient: 1n, exponent: 0 } : readDigits(match[1]);
  if (factor === undefined) return undefined;
  const power = BigInt(match[2] ?? '0') ** BigInt(match[3] ?? '0');
  return { coefficient: factor.coefficient * power, exponent: factor.exponent };
}

/** A run of numbers and units: "1.5万", "1亿2000万", "2万亿", "三千五百", "1.5k". */
function readSum(text: string): Decimal | undefined {
  const tokens = tokenize(text);
  if (tokens === undefined || tokens.length === 0) return undefined;
  let total = zero; // the sections closed by 万 or 亿
  let section = zero; // the open one
  let pending: Decimal | undefined; // a number whose unit hasn't come yet
  let lastPower = 0;
  let largestSection = 0;
  for (const [index, token] of tokens.entries()) {
    const last = index === tokens.length - 1;
    switch (token.kind) {
      case 'number': {
        if (pending !== undefined) return undefined;
        if (isZero(token.number) && index > 0 && !last) {
          lastPower = 0; // 零 between sections only holds a place
          continue;
        }
        // "1万5" is said for 15,000, "1万零5" for 10,005.
        const colloquial = last && lastPower >= 2 && token.singleDigit;
        pending = colloquial ? shift(token.number, lastPower - 1) : token.number;
        continue;
      }
      case 'small':
        // 十 is 10 anywhere, 百万 a million, but nobody says 一亿百万.
        if (pending === undefined && token.power > 1 && index > 0) return undefined;
        section = add(section, shift(pending ?? one, token.power));
        break;
      case 'section': {
        if (tokens.length === 1) return undefined; // 万亿, but not a bare 万
        const open = index === 0 ? one : add(section, pending ?? zero);
        if (isZero(open) || token.power > largestSection) {
          total = shift(add(total, open), token.power); // 2万亿; 1万5千亿
        } else {
          total = add(total, shift(open, token.power)); // 1亿2000万
        }
        largestSection = Math.max(largestSection, token.power);
        section = zero;
        break;
      }
      case 'scale':
        if (!last || index === 0) return undefined;
        return shift(add(add(total, section), pending ?? zero), token.power);
    }
    pending = undefined;
    lastPower = token.power;
  }
  return add(add(total, section), pending ?? zero);
}

function tokenize(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  let rest = text;
  while (rest !== '') {
    const digits = /^[\d.,]+(?:e[+-]?\d{1,3})?/.exec(rest)?.[0];
    if (digits !== undefined) {
      const number = readDigits(digits);
      if (number === undefined) return undefined;
      tokens.push({ kind: 'number', number, singleDigit: digits.length === 1 });
      rest = rest.slice(digits.length);
      continue;
    }
    const character = rest.charAt(0);
    const digit = otherDigits[character] ?? chineseDigits.indexOf(character);
    if (digit >= 0) {
      tokens.push({
        kind: 'number',
        number: { coefficient: BigInt(digit), exponent: 0 },
        singleDigit: true,
      });
      rest = rest.slice(1);
      continue;
    }
    const unit = units.find(([spelling]) => spelling.test(rest));
    if (unit === undefined) return undefined;
    tokens.push({ kind: unit[1], power: unit[2] });
    rest = rest.replace(unit[0], '');
  }
  return tokens;
}

/** Digits with separators. A comma before groups of three (or four, by 万) groups; else it's decimal. */
function readDigits(text: string): Decimal | undefined {
  const [mantissa = '', power = '0'] = text.split('e');
  const commas = mantissa.split(',').length - 1;
  const stops = mantissa.split('.').length - 1;
  let plain: string;
  if (commas > 0 && stops > 0) {
    const decimalIsComma = mantissa.lastIndexOf(',') > mantissa.lastIndexOf('.');
    const [grouping, decimal] = decimalIsComma ? ['.', ','] : [',', '.'];
    if (mantissa.split(decimal).length !== 2) return undefined;
    const [whole = '', fraction = ''] = mantissa.split(decimal);
    if (!grouped(whole, grouping)) return undefined;
    plain = `${whole.split(grouping).join('')}.${fraction}`;
  } else if (commas > 0) {
    if (grouped(mantissa, ',')) plain = mantissa.split(',').join('');
    else if (commas === 1) plain = mantissa.replace(',', '.');
    else return undefined;
  } else if (stops > 1) {
    if (!grouped(mantissa, '.')) return undefined;
    plain = mantissa.split('.').join('');
  } else {
    plain = mantissa;
  }
  const match = /^(\d*)\.?(\d*)$/.exec(plain);
  const whole = match?.[1] ?? '';
  const fraction = match?.[2] ?? '';
  if (match === null || whole + fraction === '') return undefined;
  return { coefficient: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

function grouped(text: string, separator: string): boolean {
  const groups = text.split(separator);
  const [first = '', ...others] = groups;
  if (!/^[1-9]\d{0,3}$/.test(first)) return false;
  const size = others[0]?.length;
  return (size === 3 || size === 4) && others.every((group) => group.length === size);
}

const isZero = (d: Decimal): boolean => d.coefficient === 0n;
const shift = (d: Decimal, power: number): Decimal => ({
  coefficient: d.coefficient,
  exponent: d.exponent + power,
});

function add(a: Decimal, b: Decimal): Decimal {
  if (isZero(a)) return b;
  if (isZero(b)) return a;
  const exponent = Math.min(a.exponent, b.exponent);
  if (Math.max(a.exponent, b.exponent) - exponent > 2 * largestExponent) return a;
  return {
    coefficient:
      a.coefficient * 10n ** BigInt(a.exponent - exponent) +
      b.coefficient * 10n ** BigInt(b.exponent - exponent),
    exponent,
  };
}

function toPlain({ coefficient, exponent }: Decimal): string {
  const sign = coefficient < 0n ? '-' : '';
  const digits = (coefficient < 0n ? -coefficient : coefficient).toString();
  if (digits === '0') return '0';
  if (exponent >= 0) return sign + digits + '0'.repeat(exponent);
  const padded = digits.padStart(1 - exponent, '0');
  const whole = padded.slice(0, exponent);
  const fraction = padded.slice(exponent).replace(/0+$/, '');
  return sign + (fraction === '' ? whole : `${whole}.${fraction}`);
}
