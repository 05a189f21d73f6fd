/** Types of <train-tally>, for pages that are written in TypeScript. Importing the script defines it. */

export interface TrainTallyChange {
  /** Only what was set: schema/scenario.schema.json. */
  readonly scenario: Readonly<Record<string, unknown>>;
  /** The last answer without problems: schema/report.schema.json. */
  readonly report: Readonly<Record<string, unknown>> | undefined;
  readonly view: string;
}

export interface TrainTallyElement extends HTMLElement {
  scenario: Readonly<Record<string, unknown>>;
  readonly report: Readonly<Record<string, unknown>> | undefined;
  readonly problems: readonly {
    readonly at: string;
    readonly code: string;
    readonly accepts: string;
  }[];
  view: string | null;
  scheme: 'light' | 'dark' | null;
  catalog: string | object | null;
  compact: boolean;
  mode: string | null;
  enquiry: string | null;
  readonly link: string;
}

declare global {
  interface HTMLElementTagNameMap {
    'train-tally': TrainTallyElement;
  }
  interface HTMLElementEventMap {
    'train-tally-change': CustomEvent<TrainTallyChange>;
  }
}
