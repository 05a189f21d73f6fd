/** What the root element hands to the functions that draw its views. */
import type { Catalog } from '../catalog/catalog';
import type { PriceList, Problem } from '../catalog/own';
import type { PlanAnswer } from '../../generated/plan-answer';
import type { Report } from '../core/core';
import type { Json, JsonObject } from '../scenario/document';
import type { AccuracyFilter } from '../views/accuracy';
import type { DataSize } from '../views/data-size';
import type { ViewName } from '../views/views';
import type { Locale } from '../words/locale';

export type Mode = 'simple' | 'expert';

export type Change = readonly [pointer: string, value: Json | undefined];

/** State of the page that belongs to no scenario and to no link. */
export interface ViewState {
  readonly configOpen: boolean;
  readonly configText: string;
  readonly configProblem: string;
  /** Which figure's derivation is open. */
  readonly why: string | undefined;
  /** How the number of tokens is given, where the scenario doesn't say. */
  readonly much: 'dataset' | 'data' | undefined;
  readonly size: DataSize;
  readonly ownBy: 'step' | 'rate';
  readonly ownPrice: 'hour' | 'month' | undefined;
  readonly accuracy: AccuracyFilter;
  /** What is on the clipboard. */
  readonly copied: string;
  /** The browser refused to keep a scenario. */
  readonly keptFails: boolean;
  /** What is wrong with the price list that the visitor opened. */
  readonly listFails: string | readonly Problem[];
  /** Parts of the answer that are folded out. */
  readonly unfolded: readonly string[];
}

export interface Context {
  readonly locale: Locale;
  readonly catalog: Catalog;
  readonly scenario: JsonObject;
  /** The last answer without problems, and its scenario with all defaults. */
  readonly report: Report | undefined;
  readonly resolved: JsonObject;
  /** The last answer's problems. */
  readonly problems: Report['problems'];
  /** The result shown isn't the answer to what stands in the fields. */
  readonly stale: boolean;
  readonly view: ViewState;
  readonly viewName: ViewName;
  /** One view alone, without the way to the others. */
  readonly compact: boolean;
  /** Whether the article is spoken of: on somebody else's page only where one of its plans is asked for. */
  readonly article: boolean;
  /** How many of the results' parts are drawn: when the page is opened, the answer comes first. */
  readonly drawn: number;
  /** Every setting is asked, or only those that everybody knows. */
  readonly expert: boolean;
  /** Changes the scenario; everything follows in the next frame. */
  set(changes: readonly Change[]): void;
  readonly load: (scenario: JsonObject) => void;
  choose(preference: { readonly view?: ViewName; readonly mode?: Mode }): void;
  /** What the views ask the core beside the estimate (a search, a purchase): kept in the link too. */
  readonly requests: JsonObject;
  request(changes: readonly Change[]): void;
  /** Scenarios put aside to be compared. */
  readonly pinned: readonly JsonObject[];
  pin(scenarios: readonly JsonObject[]): void;
  /** Another scenario's answer, defaults filled in; the same question again costs nothing. */
  estimate(scenario: JsonObject): Report;
  /** What a plan search has found so far; it goes on by itself. */
  search(request: JsonObject): PlanAnswer | undefined;
  /** The core's answer; the same question again costs nothing. */
  evaluate(command: string, document: JsonObject): unknown;
  /** The last answer to this command that had no problems. */
  lastGood(command: string): unknown;
  /** The visitor's own price list. */
  readonly list: PriceList | undefined;
  /** @throws what is wrong with it; undefined: without one */
  bring(list: { readonly name: string; readonly text: string } | undefined): void;
  readonly undo: (() => void) | undefined;
  readonly redo: (() => void) | undefined;
  /** Where the provider takes enquiries: a link, with {scenario} for the scenario's link. */
  readonly enquiry: string | null;
  readonly link: string;
  show(view: Partial<ViewState>): void;
  /** A field holds this text, which is no number; undefined: no longer. */
  typing(field: string, text: string | undefined): void;
  /** That text, for the field when it is shown again. */
  draft(field: string): string | undefined;
}
