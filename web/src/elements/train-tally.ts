/**
 * <train-tally>: the calculator. Its attributes say what it shows and always hold what it shows now,
 * so that a page which the browser saves comes back as it was:
 *
 *   scenario   the scenario, written as in a link (`v=1&model=qwen3-8b&kind=full&gpus=8`)
 *   view       which view it opens on: estimate, compare, accuracy, …
 *   lang       zh-CN or en; without it, the language of the page or of the browser
 *   scheme     light or dark; without it, that of the page around
 *   catalog    the provider's own price list: `#id` of an inline JSON script, or the address of a
 *              JSON or CSV file; where that can't be reached, the list that was loaded last is used
 *   mode       simple or expert: how much is asked; simple where nothing is said
 *   compact    that view alone, without the tabs to the others
 *   enquiry    a link for enquiries; {scenario} in it becomes the link to the scenario
 *   url-state  the address's fragment is read and kept up to date (for a page that is all ours)
 *
 * It stores nothing, and asks no server anything but the price list that `catalog` names.
 */
import { html, nothing, unsafeCSS, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { Catalog } from '../catalog/catalog';
import {
  joined,
  keepList,
  keptList,
  ListProblems,
  ownEntries,
  readList,
  readOwn,
  type PriceList,
} from '../catalog/own';
import { Search } from '../core/search';
import { whenReady, type Services } from '../core/services';
import type { PlanAnswer } from '../../generated/plan-answer';
import type { Report } from '../core/core';
import {
  hasArticlePlan,
  isObject,
  onThisDay,
  stringAt,
  today,
  withValues,
  type JsonObject,
} from '../scenario/document';
import {
  longest,
  readFragment,
  readScenario,
  writeFragment,
  type PageState,
} from '../scenario/fragment';
import { defaultScenario, sameScenario } from '../scenario/presets';
import { asksEverybody } from '../scenario/simple';
import { allMeasurements } from '../views/accuracy';
import { spokenAnswer } from '../views/answer';
import { countData, noData } from '../views/data-size';
import { openConfig } from '../views/model-config';
import { openPriceList } from '../views/price-list';
import { openQuote } from '../views/quote';
import { mostPinned } from '../views/side-by-side';
import { tabs } from '../views/tabs';
import { viewNamed, views, type ViewName } from '../views/views';
import { chooseLanguage, locale, type Language, type Locale } from '../words/locale';
import answerText from '../styles/answer.css';
import viewText from '../styles/view.css';
import { tokens } from '../styles/tokens';
import { afterPaint } from './after-paint';
import { basic, TallyElement } from './base';
import type { Change, Context, Mode, ViewState } from './context';
import { History } from './history';
import { firstSlot } from './first';
import { schemeAround, watchScheme, type Scheme } from './host-scheme';

export type { Scheme };

/** Long enough that a drag or a burst of keys is one entry, short enough to be there when asked. */
const addressDelay = 250;
/** A screen reader hears the answer once the visitor pauses. */
const spokenDelay = 900;
const bootLimit = 10_000;
/** On opening, so many of the results' parts are drawn in each turn: in one, they block the answer. */
const turns = [0, 3, 6, 10, Infinity];
/** Answers to other scenarios than the current one are kept, so many at most. */
const keptEstimates = 20;
const unanswered: Report = { version: 1, problems: [], absent: [], warnings: [] };

/** Top-level names in a link that belong to the views' requests, not to the scenario. */
const requestNames = ['plan', 'own', 'quote', 'project'];

/** Between pinned scenarios in a link; their own text never has it. */
const pinSeparator = '|';

/** Fields that another scenario closes. */
const fieldsClosed = {
  configOpen: false,
  configText: '',
  configProblem: '',
  much: undefined,
  size: noData,
  ownPrice: undefined,
};

const initialView: ViewState = {
  ...fieldsClosed,
  why: undefined,
  accuracy: allMeasurements,
  ownBy: 'step',
  copied: '',
  keptFails: false,
  listFails: '',
  unfolded: [],
};

/** What `train-tally-change` tells in its `detail`. */
export interface TrainTallyChange {
  readonly scenario: JsonObject;
  readonly report: Report | undefined;
  readonly view: ViewName;
}

/** For the list's author, who reads pointers. */
function pointed({ problems }: ListProblems): string {
  return problems.map(({ at, code }) => `${at} ${code}`).join(', ');
}

export class TrainTally extends TallyElement {
  static override styles = [tokens, basic, unsafeCSS(answerText), unsafeCSS(viewText)];

  @property({ attribute: 'scenario', reflect: true }) scenarioText: string | null = null;
  @property({ reflect: true }) view: string | null = null;
  @property({ attribute: 'lang', reflect: true }) langText: string | null = null;
  @property({ reflect: true }) scheme: Scheme | null = null;
  /** An address or `#id`; as a property, also the list itself, or its `{ text }`. */
  @property() catalog: string | object | null = null;
  @property({ type: Boolean, reflect: true }) compact = false;
  @property({ reflect: true }) mode: string | null = null;
  @property() enquiry: string | null = null;
  @property({ attribute: 'url-state', type: Boolean }) urlState = false;

  @state() private viewState: ViewState = initialView;
  @state() private failure: 'unsupported' | 'failed' | undefined;
  @state() private listProblem = '';
  @state() private unread = '';
  @state() private spoken = '';
  @state() private turn = 0;

  report: Report | undefined;
  problems: Report['problems'] = [];
  private current: JsonObject = defaultScenario;
  private requests: JsonObject = {};
  private pinned: readonly JsonObject[] = [];
  private readonly history = new History();
  private services: Services | undefined;
  private entries: Catalog | undefined;
  /** The list of the page around, the visitor's own, and both together. */
  private pageList: PriceList | undefined;
  private list: PriceList | undefined;
  private own: JsonObject = {};
  private readonly answers = new Map<string, unknown>();
  private readonly good = new Map<string, unknown>();
  private readonly estimates = new Map<string, Report>();
  private readonly planSearch = new Search(() => {
    this.requestUpdate();
  });
  private frame: number | undefined;
  private addressTimer: number | undefined;
  private spokenTimer: number | undefined;
  /** Texts in fields that are no numbers; those of the scenario's own fields begin with a slash. */
  private readonly wrong = new Map<string, string>();
  /** As read from a link of a later version, whose address stays until something is changed. */
  private newer: JsonObject | undefined;
  private evaluated: JsonObject | undefined;
  private unwatch: (() => void) | undefined;
  private tabInSight = 'tab-estimate';

  // --- what others read ------------------------------------------------------------------------

  /** The scenario as a JSON document with only what was set. Setting it shows it. */
  get scenario(): JsonObject {
    return this.current;
  }

  set scenario(scenario: JsonObject) {
    this.load(isObject(scenario) ? scenario : defaultScenario);
  }

  get language(): Language {
    if (this.langText !== null) return chooseLanguage([this.langText]);
    const around = this.urlState ? undefined : this.closest<HTMLElement>('[lang]')?.lang;
    return chooseLanguage([...(around === undefined ? [] : [around]), ...navigator.languages]);
  }

  get locale(): Locale {
    return locale(this.language);
  }

  get viewName(): ViewName {
    return viewNamed(this.view);
  }

  get stale(): boolean {
    return this.problems.length > 0 || [...this.wrong.keys()].some((field) => field[0] === '/');
  }

  /** A link to exactly this scenario, without the visitor's language and colours. */
  get link(): string {
    const address = new URL(location.href);
    address.hash = this.fragment(this.linkedView);
    return address.href;
  }

  private get linkedView(): PageState {
    return {
      ...(this.viewName === 'estimate' ? {} : { view: this.viewName }),
      ...(this.mode === null ? {} : { mode: this.mode }),
      ...this.beside,
    };
  }

  private get beside(): PageState {
    return this.pinned.length === 0
      ? {}
      : { with: this.pinned.map((scenario) => writeFragment(scenario)).join(pinSeparator) };
  }

  /** What the attribute `scenario` holds. */
  private get written(): string {
    return this.fragment(this.beside);
  }

  /** On somebody else's page, or in a frame of it. */
  private get embedded(): boolean {
    return this.compact || !this.urlState || this.hasAttribute('framed');
  }

  private get asksArticle(): boolean {
    return stringAt(this.requests, '/own/preset') === 'article';
  }

  /** What the views get to see. */
  private get context(): Context {
    const { history } = this;
    return {
      locale: this.locale,
      catalog: this.entries ?? new Catalog({}),
      scenario: this.current,
      report: this.report,
      resolved: (this.report?.resolved ?? {}) as unknown as JsonObject,
      problems: this.problems,
      stale: this.stale,
      view: this.viewState,
      viewName: this.viewName,
      drawn: turns[this.turn]!,
      compact: this.compact,
      article: !this.embedded || hasArticlePlan(this.current) || this.asksArticle,
      expert: this.mode === 'expert',
      requests: this.requests,
      pinned: this.pinned,
      enquiry: this.enquiry,
      link: this.link,
      list: this.list,
      bring: this.bring,
      undo: history.canUndo ? this.undo : undefined,
      redo: history.canRedo ? this.redo : undefined,
      set: this.set,
      load: this.load,
      choose: this.choose,
      show: this.show,
      typing: this.typing,
      draft: (field) => this.wrong.get(field),
      request: this.request,
      pin: this.pin,
      search: this.searchFor,
      estimate: this.estimateOf,
      evaluate: this.answer,
      lastGood: (command) => this.good.get(command),
    };
  }

  // --- what the views do -----------------------------------------------------------------------

  private readonly set = (changes: readonly Change[]): void => {
    const next = withValues(this.current, changes);
    this.history.note(this.current, changes.map(([pointer]) => pointer).join());
    this.current = next;
    this.schedule();
  };

  private readonly load = (scenario: JsonObject): void => {
    this.history.note(this.current);
    this.replace(scenario);
  };

  private readonly undo = (): void => {
    this.replace(this.history.undo(this.current));
  };

  private readonly redo = (): void => {
    this.replace(this.history.redo(this.current));
  };

  /** At once: not for one frame may the last scenario's answer stand beside this one's fields. */
  private replace(scenario: JsonObject): void {
    this.take(scenario);
    this.evaluate();
  }

  private readonly show = (view: Partial<ViewState>): void => {
    const explains = view.why !== undefined && this.viewState.why === undefined;
    this.viewState = { ...this.viewState, ...view };
    if (explains) this.schedule(); // derivations are only made when somebody reads them
  };

  private readonly typing = (field: string, text: string | undefined): void => {
    if (text === undefined) this.wrong.delete(field);
    else this.wrong.set(field, text);
    this.requestUpdate();
  };

  private readonly request = (changes: readonly Change[]): void => {
    this.requests = withValues(this.requests, changes);
    this.scenarioText = this.written || null;
    this.requestUpdate();
    this.scheduleAddress();
  };

  private readonly pin = (scenarios: readonly JsonObject[]): void => {
    this.pinned = scenarios.slice(0, mostPinned);
    this.scenarioText = this.written || null;
    this.requestUpdate();
    this.scheduleAddress();
  };

  private readonly searchFor = (request: JsonObject): PlanAnswer | undefined =>
    this.services === undefined
      ? undefined
      : this.planSearch.ask(this.services.core, this.withOwn(onThisDay(request)));

  private readonly estimateOf = (scenario: JsonObject): Report => {
    const asked = JSON.stringify(this.withOwn(onThisDay(scenario)));
    const last = this.estimates.get(asked);
    if (last !== undefined) return last;
    const report = this.services?.core.estimate(JSON.parse(asked) as JsonObject) ?? unanswered;
    if (this.estimates.size > keptEstimates) this.estimates.clear();
    this.estimates.set(asked, report);
    return report;
  };

  private readonly answer = (command: string, document: JsonObject): unknown => {
    const asked = JSON.stringify(this.withOwn(document));
    const key = command + asked;
    if (!this.answers.has(key)) {
      if (this.answers.size > keptEstimates) this.answers.clear();
      const said = this.services?.core.evaluate(command, JSON.parse(asked) as JsonObject);
      this.answers.set(key, said);
      if ((said as Report).problems.length === 0) this.good.set(command, said);
    }
    return this.answers.get(key);
  };

  /** The visitor chose; null: back to what the browser says. */
  readonly choose = (preference: {
    readonly view?: ViewName;
    readonly lang?: Language;
    readonly scheme?: Scheme | null;
    readonly mode?: Mode;
  }): void => {
    if (preference.mode !== undefined) this.mode = preference.mode;
    if (preference.view !== undefined) this.view = preference.view;
    if (preference.lang !== undefined) this.langText = preference.lang;
    if (preference.scheme !== undefined) this.scheme = preference.scheme;
    this.scheduleAddress();
    this.announce();
  };

  // --- life ------------------------------------------------------------------------------------

  override connectedCallback(): void {
    super.connectedCallback();
    // A link wins over what the page was saved with, and takes nothing from it.
    if (!(this.urlState && this.open(location.hash, true))) this.open(this.scenarioText ?? '');
    if (this.urlState) {
      window.addEventListener('hashchange', this.onHash);
      window.addEventListener('pagehide', this.onLeave);
    } else {
      this.unwatch = watchScheme(this.followHost);
      this.followHost();
    }
    void this.boot();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('hashchange', this.onHash);
    window.removeEventListener('pagehide', this.onLeave);
    this.unwatch?.();
    this.planSearch.stop();
    this.services?.core.onRestart.delete(this.onRestart);
  }

  private readonly followHost = (): void => {
    const around = schemeAround(this);
    if (around === null) this.removeAttribute('host-scheme');
    else this.setAttribute('host-scheme', around);
  };

  private async boot(): Promise<void> {
    if (typeof WebAssembly !== 'object') {
      this.failure = 'unsupported';
      return;
    }
    const limit = setTimeout(() => {
      this.failure = 'failed';
    }, bootLimit);
    try {
      const ready = whenReady();
      this.locale.format.warm();
      this.services = await ready;
      this.services.core.onRestart.add(this.onRestart);
      this.failure = undefined;
      this.list = keptList(this, 'visitor', this.services.core);
      if (this.catalog === null) this.useLists();
      else await this.openList(this.catalog);
    } catch (error) {
      console.error(error);
      this.failure = error instanceof WebAssembly.CompileError ? 'unsupported' : 'failed';
    } finally {
      clearTimeout(limit);
    }
  }

  private async openList(from: string | object): Promise<void> {
    const { services } = this;
    if (services === undefined) return;
    const text = stringAt(from, '/text');
    let list: PriceList | undefined;
    let problem = '';
    try {
      list =
        typeof from === 'string'
          ? await readOwn(from, this, services.core)
          : {
              entries: text === undefined ? ownEntries(from) : readList(text, services.core),
              day: today(),
              name: '',
            };
    } catch (error) {
      // The list's author must see it; visitors still get the built-in prices.
      problem = error instanceof ListProblems ? pointed(error) : String(error);
    }
    if (this.catalog !== from) return; // another was named meanwhile
    this.pageList = list;
    this.listProblem = problem;
    this.useLists();
  }

  /** @throws what is wrong with the list */
  private readonly bring = (file: { readonly name: string; readonly text: string } | undefined) => {
    if (this.services === undefined) return;
    const { core } = this.services;
    this.list =
      file === undefined
        ? undefined
        : { entries: readList(file.text, core, true), day: today(), name: file.name };
    keepList(this, 'visitor', this.list);
    this.useLists();
  };

  private useLists(): void {
    if (this.services === undefined) return;
    this.own = joined(this.pageList?.entries ?? {}, this.list?.entries ?? {});
    this.entries = new Catalog(this.services.catalog, this.own);
    this.querySelector(`:scope > [slot=${firstSlot}]`)?.remove();
    this.evaluate();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!this.hasUpdated) return;
    // The host's page gave another scenario, or another list.
    if (changed.has('scenarioText')) {
      const text = this.scenarioText ?? '';
      if (text !== this.written && this.open(text)) this.evaluate();
    }
    if (changed.has('catalog') && this.services !== undefined) {
      void this.openList(this.catalog ?? {});
    }
  }

  protected override updated(): void {
    this.showChosenTab();
    this.drawOn();
  }

  private drawOn(): void {
    const { turn } = this;
    if (this.report === undefined || this.viewName !== 'estimate' || turn === turns.length - 1)
      return;
    afterPaint(() => {
      if (this.turn === turn) this.turn += 1;
    });
  }

  /** On a phone the tabs scroll: the one that is chosen is in sight. */
  private showChosenTab(): void {
    const tab = this.renderRoot.querySelector<HTMLElement>('[role=tab][aria-selected=true]');
    const list = tab?.parentElement;
    if (!tab || !list || tab.id === this.tabInSight) return;
    this.tabInSight = tab.id;
    list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.clientWidth) / 2;
  }

  private readonly onHash = (): void => {
    if (this.open(location.hash, true)) this.evaluate();
  };

  private readonly onLeave = (): void => {
    if (this.addressTimer !== undefined) this.writeAddress();
  };

  /** After an abort: again, unless it is this very document that the core can't stand. */
  private readonly onRestart = (): void => {
    if (this.current !== this.evaluated) this.evaluate();
  };

  private take(scenario: JsonObject): void {
    this.current = scenario;
    this.viewState = { ...this.viewState, ...fieldsClosed };
    this.wrong.clear();
  }

  /**
   * @param fromAddress the address says which view it is; the attribute of a saved page leaves it be
   * @returns whether the text was one of our links
   */
  private open(text: string, fromAddress = false): boolean {
    const link = readFragment(text) ?? (fromAddress ? undefined : readScenario(text));
    this.unread = link?.lost.join('&') ?? (fromAddress ? '' : text);
    if (link === undefined) return false;
    const entries = Object.entries(link.scenario);
    const asks = entries.filter(([name]) => requestNames.includes(name));
    const scenario = Object.fromEntries(entries.filter(([name]) => !requestNames.includes(name)));
    this.take(Object.keys(scenario).length === 0 ? defaultScenario : scenario);
    this.newer = link.newer ? this.current : undefined;
    this.requests = Object.fromEntries(asks);
    const pinned = (link.page.with ?? '').split(pinSeparator).map(readFragment);
    this.pinned = pinned.flatMap((each) => (each ? [each.scenario] : [])).slice(0, mostPinned);
    if (link.page.view !== undefined || fromAddress) this.view = link.page.view ?? null;
    if (link.page.compact !== undefined) this.compact = true;
    if (link.page.mode !== undefined) this.mode = link.page.mode;
    if (link.page.lang !== undefined) this.langText = chooseLanguage([link.page.lang]);
    const { scheme } = link.page;
    if (scheme === 'light' || scheme === 'dark') this.scheme = scheme;
    return true;
  }

  // --- from a change to the answer -------------------------------------------------------------

  /** Once a frame, however fast the changes come. A hidden page has no frames. */
  private schedule(): void {
    if (this.entries === undefined || this.frame !== undefined) return;
    if (document.hidden) {
      this.evaluate();
      return;
    }
    this.frame = requestAnimationFrame(() => {
      this.frame = undefined;
      this.evaluate();
    });
  }

  private withOwn(document: JsonObject): JsonObject {
    return {
      version: 1,
      ...document,
      ...(Object.keys(this.own).length === 0 ? {} : { catalog: this.own }),
    };
  }

  private evaluate(): void {
    if (this.services === undefined) return;
    this.evaluated = this.current;
    if (this.viewState.copied !== '') this.viewState = { ...this.viewState, copied: '' };
    const report = this.services.core.estimate(
      this.withOwn({
        ...onThisDay(this.current),
        ...(this.viewState.why === undefined ? {} : { explain: true }),
      }),
    );
    this.problems = report.problems;
    if (report.problems.length === 0) this.report = report;
    // What must be corrected must be seen.
    if (this.problems.some(({ at }) => at !== '' && !asksEverybody(at.slice(1))))
      this.mode = 'expert';
    this.scenarioText = this.written || null;
    this.requestUpdate();
    if (this.current !== this.newer) this.scheduleAddress();
    this.announce();
    clearTimeout(this.spokenTimer);
    this.spokenTimer = window.setTimeout(() => {
      this.spoken = spokenAnswer(this.context);
    }, spokenDelay);
  }

  /** The scenario and the views' requests as a link has them; nothing where all is default. */
  private fragment(page: PageState = {}): string {
    const scenario = sameScenario(this.current, defaultScenario) ? {} : this.current;
    return writeFragment({ ...scenario, ...this.requests }, page);
  }

  private scheduleAddress(): void {
    if (!this.urlState) return;
    clearTimeout(this.addressTimer);
    this.addressTimer = window.setTimeout(() => {
      this.writeAddress();
    }, addressDelay);
  }

  private writeAddress(): void {
    clearTimeout(this.addressTimer);
    this.addressTimer = undefined;
    const fragment = this.fragment({
      ...this.linkedView,
      ...(this.langText === null ? {} : { lang: this.langText }),
      ...(this.scheme === null ? {} : { scheme: this.scheme }),
      ...(this.compact ? { compact: '1' } : {}),
    });
    // What no link can hold stays in the fields.
    if (location.hash.slice(1) === fragment || fragment.length > longest) return;
    history.replaceState(history.state, '', fragment === '' ? '#' : `#${fragment}`);
  }

  private announce(): void {
    const detail: TrainTallyChange = {
      scenario: this.current,
      report: this.report,
      view: this.viewName,
    };
    this.dispatchEvent(
      new CustomEvent('train-tally-change', { bubbles: true, composed: true, detail }),
    );
  }

  // --- what is seen ----------------------------------------------------------------------------

  protected override render(): TemplateResult {
    return html`<div class="root">${this.content()}</div>`;
  }

  private content(): TemplateResult {
    const { t } = this.locale;
    if (this.failure !== undefined) {
      return html`<div class="app" part="app" lang=${this.language}>
        <p class="card failure" role="alert">${t(`failure.${this.failure}`)}</p>
      </div>`;
    }
    if (this.entries === undefined) {
      return html`<slot name=${firstSlot}>
        <div class="app" part="app" lang=${this.language}>
          <p class="card">${t('answer.waiting')}</p>
        </div>
      </slot>`;
    }
    const { context } = this;
    return html`
      <div
        class="app"
        part="app"
        lang=${this.language}
        @dragover=${this.onDrag}
        @drop=${this.onDrop}
      >
        ${[
          this.newer !== this.current ? '' : t('failure.newer'),
          this.unread && t('failure.unread', { text: this.unread.slice(0, 80) }),
          this.listProblem && t('failure.list', { reason: this.listProblem }),
        ].map((said) =>
          said === '' ? nothing : html`<p class="note bad" role="alert">${said}</p>`,
        )}
        ${
          this.pageList?.before === true
            ? html`<p class="note" role="status" data-list="before">
                ${t('failure.listBefore', { day: this.locale.format.date(this.pageList.day) })}
              </p>`
            : nothing
        }
        ${tabs(context)}
        <div
          id="panel"
          part="panel"
          role=${this.compact ? nothing : 'tabpanel'}
          aria-labelledby=${this.compact ? nothing : `tab-${this.viewName}`}
        >
          ${views[this.viewName](context)}
        </div>
        <p class="unseen" role="status">${this.spoken}</p>
      </div>
    `;
  }

  private readonly onDrag = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
  };

  private readonly onDrop = (event: DragEvent): void => {
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    // A config.json describes the model, and any other text is data to be counted; where plans are
    // sought, a file is a price list, and where quotes are checked, a quote.
    const open: Partial<Record<ViewName, (context: Context, file: File) => Promise<void>>> = {
      estimate: file.name.toLowerCase().endsWith('.json') ? openConfig : countData,
      rent: openPriceList,
      quote: openQuote,
    };
    void open[this.viewName]?.(this.context, file);
  };
}
