/** Words and formats of one language, handed down to everything that shows something. */
import { createInstance, type TFunction } from 'i18next';
import { Format, type Language } from '../format/format';
import { en } from './en';
import { zhCN } from './zh-cn';

export type { Language };
export const languages: readonly Language[] = ['zh-CN', 'en'];

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'page';
    resources: { page: typeof en };
    returnNull: false;
  }
}

export interface Locale {
  readonly language: Language;
  readonly t: TFunction<'page'>;
  readonly format: Format;
}

const i18n = createInstance();
void i18n.init({
  lng: 'en',
  fallbackLng: false, // both languages have every key: tsc sees to it
  ns: 'page',
  defaultNS: 'page',
  resources: { en: { page: en }, 'zh-CN': { page: zhCN } },
  interpolation: { escapeValue: false }, // Lit escapes
  initAsync: false,
});

const locales = new Map<Language, Locale>();

export function locale(language: Language): Locale {
  let found = locales.get(language);
  if (found === undefined) {
    const t = i18n.getFixedT(language, 'page');
    found = {
      language,
      t: language === 'zh-CN' ? closeUp(t) : t,
      format: new Format(language),
    };
    locales.set(language, found);
  }
  return found;
}

/**
 * "80.3 亿" stands apart from Latin letters and figures, but closes up with a Chinese word: the
 * sentence can't know which way a figure ends.
 */
function closeUp(t: TFunction<'page'>): TFunction<'page'> {
  const plain = t as unknown as (...given: unknown[]) => string;
  const tidy = (...given: unknown[]): string =>
    plain(...given).replace(/([\u4e00-\u9fff]) (?=[\u4e00-\u9fff])/g, '$1');
  return tidy as unknown as TFunction<'page'>;
}

/** The first of the wanted languages that the page speaks; any Chinese is read as zh-CN. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const base = tag.toLowerCase().split('-')[0];
    if (base === 'zh') return 'zh-CN';
    if (base === 'en') return 'en';
  }
  return 'en';
}

/** Whether the words under `group` know a code that came from the core. */
export function knows<Group extends 'warnings' | 'problems' | 'absent' | 'statements' | 'derived'>(
  group: Group,
  code: string,
): code is Extract<keyof (typeof en)[Group], string> {
  return Object.hasOwn(en[group], code);
}
