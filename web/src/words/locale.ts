/** Words and formats of one language, handed down to everything that shows something. */
import rosetta from 'rosetta';
import { Format, type Language } from '../format/format';
import { en } from './en';
import type { enCodes } from './en-codes';
import { zhCN } from './zh-cn';

export { chooseLanguage } from './language';
export type { Language };
export const languages: readonly Language[] = ['zh-CN', 'en'];

/** `count` chooses the plural: `key_one` or `key_other`, as Intl.PluralRules has it. */
type Values = Readonly<Record<string, string | number>>;

type Singular<K extends string> = K extends `${infer Stem}_one`
  ? Stem
  : K extends `${infer Stem}_other`
    ? Stem
    : K;

type Paths<T, Before extends string = ''> = {
  [K in keyof T & string]: T[K] extends string
    ? `${Before}${Singular<K>}`
    : Paths<T[K], `${Before}${K}.`>;
}[keyof T & string];

/** Every key of the words, `_one` and `_other` under their stem. */
export type Key = Paths<typeof en>;

export type Translate = (key: Key, values?: Values) => string;

export interface Locale {
  readonly language: Language;
  readonly t: Translate;
  readonly format: Format;
}

const words = rosetta<object>({ en, 'zh-CN': zhCN });

const locales = new Map<Language, Locale>();

export function locale(language: Language): Locale {
  let found = locales.get(language);
  if (found === undefined) {
    found = { language, t: translator(language), format: new Format(language) };
    locales.set(language, found);
  }
  return found;
}

function translator(language: Language): Translate {
  const plural = new Intl.PluralRules(language);
  const said = (key: string, values: Values | undefined): string => {
    const text: unknown = words.t(key, values, language);
    return typeof text === 'string' ? text : '';
  };
  const plain: Translate = (key, values) => {
    const count = values?.['count'];
    const counted = typeof count === 'number' ? said(`${key}_${plural.select(count)}`, values) : '';
    return counted === '' ? said(key, values) : counted;
  };
  return language === 'zh-CN' ? closeUp(plain) : plain;
}

/**
 * "80.3 亿" stands apart from Latin letters and figures, but closes up with a Chinese word: the
 * sentence can't know which way a figure ends.
 */
function closeUp(t: Translate): Translate {
  return (key, values) => t(key, values).replace(/([\u4e00-\u9fff]) (?=[\u4e00-\u9fff])/g, '$1');
}

/** Whether the words under `group` know a code that came from the core. */
export function knows<Group extends keyof typeof enCodes>(
  group: Group,
  code: string,
): code is Extract<keyof (typeof en)[Group], string> {
  return Object.hasOwn(en[group], code);
}
