/** The bar on top of our own page: name, language, colours, offline copy, link. */
import { html, nothing, unsafeCSS, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import headerText from '../styles/header.css';
import { tokens } from '../styles/tokens';
import { locale, type Language } from '../words/locale';
import { basic, TallyElement } from './base';
import { download } from './download';
import type { Scheme, TrainTally } from './train-tally';

const shownFor = 2500;

export class Header extends TallyElement {
  static override styles = [tokens, basic, unsafeCSS(headerText)];

  @state() private copied: 'no' | 'yes' | 'by-hand' = 'no';
  private app: TrainTally | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    const app = document.querySelector('train-tally');
    this.app = app === null ? undefined : (app as TrainTally);
    this.app?.addEventListener('train-tally-change', this.onChange);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.app?.removeEventListener('train-tally-change', this.onChange);
  }

  private readonly onChange = (): void => {
    const scheme = this.app?.scheme ?? null;
    if (scheme === null) this.removeAttribute('scheme');
    else this.setAttribute('scheme', scheme);
    if (this.copied !== 'no') this.copied = 'no';
    this.requestUpdate();
  };

  protected override render(): TemplateResult | typeof nothing {
    const { app } = this;
    if (app === undefined) return nothing;
    const { t } = locale(app.language);
    const other: Language = app.language === 'en' ? 'zh-CN' : 'en';
    return html`
      <header lang=${app.language}>
        <h1 class="brand">
          <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
            <rect class="bar-1" x="2" y="12" width="5" height="9" rx="1.5" />
            <rect class="bar-2" x="9.5" y="7" width="5" height="14" rx="1.5" />
            <rect class="bar-3" x="17" y="2" width="5" height="19" rx="1.5" />
          </svg>
          <span>${t('app.name')}</span>
          <small>${t('app.subtitle')}</small>
        </h1>
        <div class="tools">
          <button
            type="button"
            class="button"
            data-tool="language"
            lang=${other}
            title=${t('tools.languageLabel')}
            @click=${() => {
              app.choose({ lang: other });
            }}
          >
            <span class="full">${t('tools.language')}</span>
            <span class="short">${t('tools.languageShort')}</span>
          </button>
          ${this.schemeButton(app)}
          <button
            type="button"
            class="button icon"
            data-tool="offline"
            aria-label=${t('tools.offline')}
            title=${t('tools.offline')}
            @click=${this.saveCopy}
          >
            <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
              <path d="M10 3v9m-4-4 4 4 4-4M4 16.5h12" />
            </svg>
          </button>
          <button
            type="button"
            class="button primary copy"
            data-tool="link"
            aria-label=${t('tools.copyLink')}
            @click=${() => void this.copyLink()}
          >
            <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
              <path
                d=${
                  this.copied === 'yes'
                    ? 'm4 10.5 4 4 8-9'
                    : 'M8.5 11.5a3.5 3.5 0 0 0 5 0l2.5-2.5a3.5 3.5 0 0 0-5-5l-1 1m1.5 3.5a3.5 3.5 0 0 0-5 0L4 11a3.5 3.5 0 0 0 5 5l1-1'
                }
              />
            </svg>
            <span>${t(this.copied === 'yes' ? 'tools.copied' : 'tools.copyLink')}</span>
          </button>
        </div>
        <p class="unseen" role="status">${this.copied === 'yes' ? t('tools.copied') : ''}</p>
        ${
          this.copied === 'by-hand'
            ? html`<label class="by-hand">
                ${t('tools.copyFailed')}
                <input
                  type="text"
                  readonly
                  .value=${app.link}
                  @focus=${(event: FocusEvent) => {
                    (event.target as HTMLInputElement).select();
                  }}
                />
              </label>`
            : nothing
        }
      </header>
    `;
  }

  private schemeButton(app: TrainTally): TemplateResult {
    const { t } = locale(app.language);
    const order: readonly (Scheme | null)[] = [null, 'light', 'dark'];
    const next = order[(order.indexOf(app.scheme) + 1) % order.length] ?? null;
    const label = t('tools.themeLabel', {
      now: t(`tools.themes.${app.scheme ?? 'system'}`),
      next: t(`tools.themes.${next ?? 'system'}`),
    });
    const drawing = {
      system: 'M10 3.5a6.5 6.5 0 1 0 0 13zM10 3.5a6.5 6.5 0 1 1 0 13',
      light:
        'M10 6.6a3.4 3.4 0 1 0 0 6.8 3.4 3.4 0 0 0 0-6.8M10 2v2m0 12v2M2 10h2m12 0h2M4.3 4.3l1.5 1.5m8.4 8.4 1.5 1.5m0-11.4-1.5 1.5m-8.4 8.4-1.5 1.5',
      dark: 'M16.5 12A6.8 6.8 0 0 1 8 3.5 6.8 6.8 0 1 0 16.5 12',
    }[app.scheme ?? 'system'];
    return html`
      <button
        type="button"
        class="button icon"
        data-tool="theme"
        aria-label=${label}
        title=${label}
        @click=${() => {
          app.choose({ scheme: next });
        }}
      >
        <svg
          width="20"
          height="20"
          viewBox="0 0 20 20"
          aria-hidden="true"
          class=${app.scheme ?? 'system'}
        >
          <path d=${drawing} />
        </svg>
      </button>
    `;
  }

  private readonly copyLink = async (): Promise<void> => {
    const link = this.app?.link ?? location.href;
    try {
      await navigator.clipboard.writeText(link);
      this.copied = 'yes';
      setTimeout(() => {
        if (this.copied === 'yes') this.copied = 'no';
      }, shownFor);
    } catch {
      this.copied = 'by-hand'; // no clipboard here, or not allowed
      await this.updateComplete;
      this.renderRoot.querySelector<HTMLInputElement>('.by-hand input')?.focus();
    }
  };

  /** The page as it stands: its own source, with the scenario in the element's attribute. */
  private readonly saveCopy = (): void => {
    const text = `<!doctype html>\n${document.documentElement.outerHTML}\n`;
    const name = locale(this.app?.language ?? 'en').t('tools.offlineName');
    download(name, text, 'text/html;charset=utf-8');
  };
}
