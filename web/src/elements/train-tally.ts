/**
 * <train-tally>: the calculator. Its attributes say what it shows and always hold what it shows now,
 * so that a page which the browser saves comes back as it was:
 *
 *   scenario   the scenario, written as in a link (`v=1&model=qwen3-8b&kind=full&gpus=8`)
 *   view       which view it opens on: estimate, accuracy
 *   compact    that view alone, without the tabs to the others
 *   lang       zh-CN or en; without it, the language of the page or of the browser
 *   theme      light or dark; without it, the system's
 *   url-state  the address's fragment is read and kept up to date (for a page that is all ours)
 *
 * It stores nothing and asks no server anything.
 */
import { html, nothing, unsafeCSS, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { whenReady, type Services } from '../core/services';
import type { Report } from '../core/core';
import { withValues, type JsonObject } from '../scenario/document';
import { readFragment, writeFragment, type PageState } from '../scenario/fragment';
import { defaultScenario, sameScenario } from '../scenario/presets';
import { allMeasurements } from '../views/accuracy';
import { spokenAnswer } from '../views/answer';
import { openConfig } from '../views/model-config';
import { tabs } from '../views/tabs';
import { viewNamed, views, type ViewName } from '../views/views';
import { chooseLanguage, locale, type Language } from '../words/locale';
import viewText from '../styles/view.css';
import { tokens } from '../styles/tokens';
import { basic, TallyElement } from './base';
import type { Change, Context, ViewState } from './context';

/** Long enough that a drag or a burst of keys is one entry, short enough to be there when asked. */
const addressDelay = 250;
/** A screen reader hears the answer once the visitor pauses. */
const spokenDelay = 900;
const bootLimit = 10_000;

/** Fields that another scenario closes. */
const fieldsClosed = {
  configOpen: false,
  configText: '',
  configProblem: '',
  byDataset: false,
  ownPrice: undefined,
};

const initialView: ViewState = {
  ...fieldsClosed,
  why: undefined,
  accuracy: allMeasurements,
};

export type Theme = 'light' | 'dark';

export class TrainTally extends TallyElement implements Omit<Context, 'report'> {
  static override styles = [tokens, basic, unsafeCSS(viewText)];

  @property({ attribute: 'scenario', reflect: true }) scenarioText: string | null = null;
  @property({ attribute: 'view', reflect: true }) viewText: string | null = null;
  @property({ attribute: 'lang', reflect: true }) langText: string | null = null;
  @property({ reflect: true }) theme: Theme | null = null;
  @property({ attribute: 'url-state', type: Boolean }) urlState = false;
  @property({ type: Boolean, reflect: true }) compact = false;

  @state() view: ViewState = initialView;
  @state() private failure: 'unsupported' | 'failed' | undefined;
  @state() private spoken = '';

  scenario: JsonObject = defaultScenario;
  report: Report | undefined;
  problems: Report['problems'] = [];
  private services: Services | undefined;
  private frame: number | undefined;
  private addressTimer: number | undefined;
  private spokenTimer: number | undefined;
  private readonly wrong = new Set<string>();
  private evaluated: JsonObject | undefined;

  // --- what the views read ---------------------------------------------------------------------

  get language(): Language {
    if (this.langText !== null) return chooseLanguage([this.langText]);
    const around = this.urlState ? undefined : this.closest<HTMLElement>('[lang]')?.lang;
    return chooseLanguage([...(around === undefined ? [] : [around]), ...navigator.languages]);
  }

  get locale(): Context['locale'] {
    return locale(this.language);
  }

  get viewName(): ViewName {
    return viewNamed(this.viewText);
  }

  get catalog(): Context['catalog'] {
    if (this.services === undefined) throw new Error('not ready');
    return this.services.catalog;
  }

  get resolved(): JsonObject {
    return (this.report?.resolved ?? {}) as unknown as JsonObject;
  }

  get stale(): boolean {
    return this.problems.length > 0 || this.wrong.size > 0;
  }

  /** A link to exactly this scenario, without the visitor's language and colours. */
  get link(): string {
    const address = new URL(location.href);
    address.hash = this.fragment(this.linkedView);
    return address.href;
  }

  private get linkedView(): PageState {
    return this.viewName === 'estimate' ? {} : { view: this.viewName };
  }

  // --- what the views do -----------------------------------------------------------------------

  set(changes: readonly Change[]): void {
    this.scenario = withValues(this.scenario, changes);
    this.schedule();
  }

  load(scenario: JsonObject): void {
    this.scenario = scenario;
    this.view = { ...this.view, ...fieldsClosed };
    this.wrong.clear();
    this.schedule();
  }

  show(view: Partial<ViewState>): void {
    const explains = view.why !== undefined && this.view.why === undefined;
    this.view = { ...this.view, ...view };
    if (explains) this.schedule(); // derivations are only made when somebody reads them
  }

  typing(field: string, wrong: boolean): void {
    if (wrong) this.wrong.add(field);
    else this.wrong.delete(field);
    this.requestUpdate();
  }

  /** The visitor chose; null: back to what the browser says. */
  choose(preference: {
    readonly view?: ViewName;
    readonly lang?: Language;
    readonly theme?: Theme | null;
  }): void {
    if (preference.view !== undefined) this.viewText = preference.view;
    if (preference.lang !== undefined) this.langText = preference.lang;
    if (preference.theme !== undefined) this.theme = preference.theme;
    this.scheduleAddress();
    this.announce();
  }

  // --- life ------------------------------------------------------------------------------------

  override connectedCallback(): void {
    super.connectedCallback();
    // A link wins over what the page was saved with, and takes nothing from it.
    if (!(this.urlState && this.open(location.hash))) this.open(this.scenarioText ?? '');
    if (this.urlState) {
      window.addEventListener('hashchange', this.onHash);
      window.addEventListener('pagehide', this.onLeave);
    }
    void this.boot();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('hashchange', this.onHash);
    window.removeEventListener('pagehide', this.onLeave);
    this.services?.core.onRestart.delete(this.onRestart);
  }

  private async boot(): Promise<void> {
    if (typeof WebAssembly !== 'object') {
      this.failure = 'unsupported';
      return;
    }
    const limit = setTimeout(() => {
      this.failure = 'failed';
    }, bootLimit);
    try {
      this.services = await whenReady();
      this.services.core.onRestart.add(this.onRestart);
      this.failure = undefined;
      this.evaluate();
    } catch (error) {
      console.error(error);
      this.failure = error instanceof WebAssembly.CompileError ? 'unsupported' : 'failed';
    } finally {
      clearTimeout(limit);
    }
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    // The host's page gave another scenario.
    if (changed.has('scenarioText') && this.hasUpdated) {
      const text = this.scenarioText ?? '';
      if (text !== this.fragment() && this.open(text)) this.evaluate();
    }
  }

  private readonly onHash = (): void => {
    if (this.open(location.hash)) this.evaluate();
  };

  private readonly onLeave = (): void => {
    if (this.addressTimer !== undefined) this.writeAddress();
  };

  /** After an abort: again, unless it is this very document that the core can't stand. */
  private readonly onRestart = (): void => {
    if (this.scenario !== this.evaluated) this.evaluate();
  };

  /** @returns whether the text was one of our links */
  private open(text: string): boolean {
    const link = readFragment(text);
    if (link === undefined) return false;
    this.scenario = Object.keys(link.scenario).length === 0 ? defaultScenario : link.scenario;
    this.view = { ...this.view, ...fieldsClosed };
    this.wrong.clear();
    this.viewText = link.page.view ?? null;
    if (link.page.lang !== undefined) this.langText = chooseLanguage([link.page.lang]);
    if (link.page.theme === 'light' || link.page.theme === 'dark') this.theme = link.page.theme;
    return true;
  }

  // --- from a change to the answer -------------------------------------------------------------

  /** Once a frame, however fast the changes come. A hidden page has no frames. */
  private schedule(): void {
    if (this.services === undefined || this.frame !== undefined) return;
    if (document.hidden) {
      this.evaluate();
      return;
    }
    this.frame = requestAnimationFrame(() => {
      this.frame = undefined;
      this.evaluate();
    });
  }

  private evaluate(): void {
    if (this.services === undefined) return;
    this.evaluated = this.scenario;
    const report = this.services.core.estimate({
      version: 1,
      ...this.scenario,
      ...(this.view.why === undefined ? {} : { explain: true }),
    });
    this.problems = report.problems;
    if (report.problems.length === 0) this.report = report;
    this.scenarioText = this.fragment() || null;
    this.requestUpdate();
    this.scheduleAddress();
    this.announce();
    clearTimeout(this.spokenTimer);
    this.spokenTimer = window.setTimeout(() => {
      this.spoken = spokenAnswer(this);
    }, spokenDelay);
  }

  /** The scenario as a link has it; nothing where it is the default one. */
  private fragment(page: PageState = {}): string {
    return writeFragment(sameScenario(this.scenario, defaultScenario) ? {} : this.scenario, page);
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
      ...(this.theme === null ? {} : { theme: this.theme }),
    });
    if (location.hash.slice(1) === fragment) return;
    history.replaceState(history.state, '', fragment === '' ? '#' : `#${fragment}`);
  }

  private announce(): void {
    this.dispatchEvent(new CustomEvent('train-tally-change', { bubbles: true, composed: true }));
  }

  // --- what is seen ----------------------------------------------------------------------------

  protected override render(): TemplateResult {
    const { t } = this.locale;
    if (this.failure !== undefined) {
      return html`<div class="app" lang=${this.language}>
        <p class="card failure" role="alert">${t(`failure.${this.failure}`)}</p>
      </div>`;
    }
    if (this.services === undefined) {
      return html`<div class="app" lang=${this.language}>
        <p class="card">${t('answer.waiting')}</p>
      </div>`;
    }
    return html`
      <div class="app" lang=${this.language} @dragover=${this.onDrag} @drop=${this.onDrop}>
        ${tabs(this)}
        <div
          id="panel"
          role=${this.compact ? nothing : 'tabpanel'}
          aria-labelledby="tab-${this.viewName}"
        >
          ${views[this.viewName](this)}
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
    void openConfig(this, file);
  };
}
