/**
 * Price lists beside the built-in one. A provider's page names its own in the `catalog` attribute:
 * `#id` of an inline `<script type="application/json">`, or the address of a file, which is the only
 * request that the element ever makes, and only because the host's page says so. A visitor opens
 * one from a file. Either is JSON, or a CSV table that the core reads.
 *
 * What was loaded last is kept as a `<template>` child of the element, which is never rendered and
 * which a browser saves along with the page: a saved copy has the list, and a page that cannot
 * reach its list has the last one, with its day.
 */
import type { Core, Report } from '../core/core';
import { isObject, stringAt, today, type Json, type JsonObject } from '../scenario/document';

const parts = ['offers', 'gpus', 'models'] as const;

/** More than any price list: a mistake. */
const longest = 2_000_000;

export type Problem = Report['problems'][number];

/** Whose it is: the page's, or the visitor's file. */
export type Whose = 'page' | 'visitor';

export interface PriceList {
  readonly entries: JsonObject;
  /** The ISO day that it was loaded. */
  readonly day: string;
  /** The file's name, or its address. */
  readonly name: string;
  /** It could not be asked for just now: this is what was loaded before. */
  readonly before?: boolean;
}

/** What is wrong with a list, row by row. */
export class ListProblems extends Error {
  constructor(readonly problems: readonly Problem[]) {
    super('the price list has mistakes');
  }
}

/** @throws with what is wrong, for the host's author */
export async function readOwn(from: string, keeper: Element, core: Core): Promise<PriceList> {
  if (from.startsWith('#')) {
    return { entries: readList(inline(from.slice(1)), core), day: today(), name: from };
  }
  let text: string;
  try {
    text = await fetched(from);
  } catch (error) {
    const kept = keptList(keeper, 'page', core);
    if (kept?.name !== from) throw error;
    return { ...kept, before: true };
  }
  const list = { entries: readList(text, core), day: today(), name: from };
  keepList(keeper, 'page', list);
  return list;
}

function inline(id: string): string {
  const text = document.getElementById(id)?.textContent;
  if (text === undefined || text === null) throw new Error(`#${id}: no such element`);
  return text;
}

async function fetched(address: string): Promise<string> {
  const response = await fetch(address, { credentials: 'omit' });
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.text();
}

/**
 * @param whole the core checks a JSON list too, at once and not entry by entry as it is used
 * @throws ListProblems where the core finds some
 */
export function readList(text: string, core: Core, whole = false): JsonObject {
  if (text.length > longest) throw new Error(`longer than ${longest} characters`);
  const json = text.trimStart().startsWith('{');
  const list = json ? ownEntries(JSON.parse(text)) : {};
  if (json && !whole) return list;
  const answer = core.evaluate('catalog', {
    version: 1,
    ...(json ? list : { csv: text }),
  }) as { readonly problems: readonly Problem[]; readonly catalog?: unknown };
  if (answer.problems.length > 0) throw new ListProblems(answer.problems);
  return json ? list : ownEntries(answer.catalog);
}

/** Only what a scenario's catalogue can have: files also carry prose ("about") and a version. */
export function ownEntries(list: unknown): JsonObject {
  if (!isObject(list)) throw new Error('a price list is a JSON object or a table');
  return Object.fromEntries(
    parts.flatMap((part) => {
      const entries = list[part];
      return Array.isArray(entries) && entries.length > 0 ? [[part, entries]] : [];
    }),
  );
}

/** The second list's entries beside the first's, in the place of those with the same id. */
export function joined(first: JsonObject, second: JsonObject): JsonObject {
  const listed = (list: JsonObject, part: string): readonly Json[] => {
    const entries = list[part];
    return Array.isArray(entries) ? (entries as readonly Json[]) : [];
  };
  return ownEntries(
    Object.fromEntries(
      parts.map((part) => {
        const added = listed(second, part);
        const ids = new Set(added.map((each) => stringAt(each, '/id')));
        const left = listed(first, part).filter((each) => !ids.has(stringAt(each, '/id')));
        return [part, [...left, ...added]];
      }),
    ),
  );
}

function keeperOf(keeper: Element, whose: Whose): HTMLTemplateElement | null {
  return keeper.querySelector<HTMLTemplateElement>(`:scope > template[data-list="${whose}"]`);
}

export function keepList(keeper: Element, whose: Whose, list: PriceList | undefined): void {
  keeperOf(keeper, whose)?.remove();
  if (list === undefined) return;
  const template = document.createElement('template');
  template.dataset['list'] = whose;
  template.dataset['day'] = list.day;
  template.dataset['name'] = list.name;
  template.content.append(JSON.stringify(list.entries));
  keeper.append(template);
}

export function keptList(keeper: Element, whose: Whose, core: Core): PriceList | undefined {
  const template = keeperOf(keeper, whose);
  if (template === null) return undefined;
  try {
    return {
      entries: readList(template.content.textContent ?? '', core),
      day: template.dataset['day'] ?? '',
      name: template.dataset['name'] ?? '',
    };
  } catch {
    return undefined; // edited by hand: as good as none
  }
}
