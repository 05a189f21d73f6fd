/** What every chart has: a title, a picture, and the same figures as a table. */
import { html, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Locale } from '../words/locale';
import { TallyElement } from './base';
import { download } from './download';
import { bitmapOf, pictureOf, textOf } from './picture';

export type Tone = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

export interface TableRow {
  readonly cells: readonly string[];
  readonly sub?: boolean;
}

export interface FigureTable {
  readonly head: readonly string[];
  readonly rows: readonly TableRow[];
  readonly foot?: readonly string[];
}

export interface Figure {
  readonly title: string;
  /** What the picture shows, for those who don't see it. */
  readonly description: string;
  readonly table: FigureTable;
}

export abstract class FigureElement<F extends Figure> extends TallyElement {
  @property({ attribute: false }) locale!: Locale;
  @property({ attribute: false }) figure!: F;
  @state() private asTable = false;

  protected abstract renderChart(): TemplateResult;

  protected override render(): TemplateResult {
    const { t } = this.locale;
    const { title } = this.figure;
    return html`
      <figure aria-labelledby="title">
        <div class="head">
          <h2 id="title">${title}</h2>
          <div class="toggles">
            ${
              this.asTable
                ? nothing
                : (['SVG', 'PNG'] as const).map(
                    (kind) =>
                      html`<button
                        class="link save"
                        type="button"
                        data-save=${kind}
                        aria-label=${t('figure.save', { title, kind })}
                        @click=${() => void this.save(kind)}
                      >
                        ${kind}
                      </button>`,
                  )
            }
            <button
              class="link toggle"
              type="button"
              aria-label=${
                this.asTable ? t('figure.showChart', { title }) : t('figure.showTable', { title })
              }
              @click=${() => {
                this.asTable = !this.asTable;
              }}
            >
              ${this.asTable ? t('figure.chart') : t('figure.table')}
            </button>
          </div>
        </div>
        ${this.asTable ? this.renderTable() : this.renderChart()}
      </figure>
    `;
  }

  private async save(kind: 'SVG' | 'PNG'): Promise<void> {
    const { title } = this.figure;
    const picture = pictureOf(this.renderRoot.querySelector('figure')!, title);
    if (picture === undefined) return;
    const name = `traintally-${this.dataset['figure'] ?? 'chart'}`;
    const save = (): void => {
      download(`${name}.svg`, textOf(picture), 'image/svg+xml');
    };
    if (kind === 'SVG') {
      save();
      return;
    }
    try {
      download(`${name}.png`, await bitmapOf(picture), 'image/png');
    } catch {
      save(); // a host's page may allow no images: the drawing then
    }
  }

  private renderTable(): TemplateResult {
    const { head, rows, foot = [] } = this.figure.table;
    const line = (cells: readonly string[]): TemplateResult[] =>
      cells.map((cell, index) =>
        index === 0 ? html`<th scope="row">${cell}</th>` : html`<td>${cell}</td>`,
      );
    return html`
      <div class="scroll" tabindex="0" role="group" aria-labelledby="title">
        <table aria-labelledby="title">
          <thead>
            <tr>
              ${head.map(
                (cell, index) =>
                  html`<th scope="col" class=${index === 0 ? '' : 'figure'}>${cell}</th>`,
              )}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              (row) =>
                html`<tr class=${row.sub === true ? 'sub' : ''}>
                  ${line(row.cells)}
                </tr>`,
            )}
          </tbody>
          <tfoot>
            <tr>
              ${line(foot)}
            </tr>
          </tfoot>
        </table>
      </div>
    `;
  }
}
