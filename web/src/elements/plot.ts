/**
 * Points and curves over two axes, linear or logarithmic. The pointer and, by a slider under the
 * picture, the keyboard go from point to point. Series differ in shape as well as in colour.
 */
import { html, nothing, svg, unsafeCSS, type PropertyValues, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { extent, least } from 'd3-array';
import { scaleLinear, scaleLog } from 'd3-scale';
import barText from '../styles/bar.css';
import plotText from '../styles/plot.css';
import { basic } from './base';
import { FigureElement, type Figure, type Tone } from './figure';

export interface PlotPoint {
  readonly x: number;
  readonly y: number;
  /** What is said of it when it is pointed at: the first line stands out. */
  readonly lines: readonly string[];
  /** Given back in the event `choose` when it is clicked. */
  readonly id?: string;
}

export interface PlotSeries {
  readonly label: string;
  readonly tone: Tone;
  /** cloud: many small dots. The others are drawn one by one. */
  readonly mark: 'cloud' | 'dot' | 'ring' | 'diamond' | 'cross' | 'none';
  /** Points are joined by a line, in order. */
  readonly line?: 'solid' | 'dashed' | 'steps';
  readonly points: readonly PlotPoint[];
}

export interface Axis {
  readonly label: string;
  readonly log: boolean;
  readonly tick: (value: number) => string;
  readonly domain?: readonly [number, number];
}

/** A line through the whole picture: y = factor · x, or upright or level at a value. */
export interface Guide {
  readonly factor?: number;
  readonly x?: number;
  readonly y?: number;
  readonly label?: string;
  readonly strong?: boolean;
}

export interface PlotFigure extends Figure {
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly PlotSeries[];
  readonly guides?: readonly Guide[];
  /** Points that aren't worth stepping through by keyboard one by one: every so many is taken. */
  readonly stride?: number;
}

const margin = { top: 28, right: 16, bottom: 44, left: 64 };
const nearEnough = 26;
const ticksWanted = 6;

type Scale = (value: number) => number;

interface Placed {
  readonly point: PlotPoint;
  readonly tone: Tone;
  readonly left: number;
  readonly top: number;
}

export class Plot extends FigureElement<PlotFigure> {
  static override styles = [basic, unsafeCSS(barText), unsafeCSS(plotText)];

  @state() private width = 640;
  @state() private hot: number | undefined;
  private placed: Placed[] = [];
  private readonly resized = new ResizeObserver(([entry]) => {
    const width = entry?.contentRect.width ?? 0;
    if (width > 0) this.width = Math.max(260, Math.round(width));
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.resized.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resized.disconnect();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('figure')) this.hot = undefined;
  }

  protected override renderChart(): TemplateResult {
    const { figure, width } = this;
    const height = Math.round(Math.min(460, Math.max(260, width * 0.56)));
    const points = figure.series.flatMap((series) => series.points);
    const x = scaleOf(
      figure.x,
      points.map((point) => point.x),
      [margin.left, width - margin.right],
    );
    const y = scaleOf(
      figure.y,
      points.map((point) => point.y),
      [height - margin.bottom, margin.top],
    );
    this.placed = figure.series.flatMap((series) =>
      series.points.map((point) => ({
        point,
        tone: series.tone,
        left: x(point.x),
        top: y(point.y),
      })),
    );
    const hot = this.hot === undefined ? undefined : this.placed[this.hot];
    return html`
      <div
        class="plot"
        @pointermove=${this.onPoint}
        @pointerleave=${() => {
          this.hot = undefined;
        }}
        @click=${() => {
          this.choose();
        }}
      >
        <svg
          width=${width}
          height=${height}
          viewBox="0 0 ${width} ${height}"
          role="img"
          aria-label=${figure.description}
        >
          ${this.axes(x, y, width, height)}
          <svg
            x=${margin.left}
            y=${margin.top}
            width=${width - margin.left - margin.right}
            height=${height - margin.top - margin.bottom}
            viewBox="${margin.left} ${margin.top} ${width - margin.left - margin.right} ${height - margin.top - margin.bottom}"
            class="frame"
          >
            ${(figure.guides ?? []).map((guide) => guideLine(guide, x, y, width, height))}
          </svg>
          ${figure.series.map((series) => drawSeries(series, x, y))}
          ${
            hot === undefined
              ? nothing
              : svg`<circle class="hot" cx=${hot.left} cy=${hot.top} r="7"></circle>`
          }
        </svg>
        ${hot === undefined ? nothing : this.tip(hot)}
      </div>
      ${this.steps()}
      ${
        figure.series.length > 1 || (figure.guides ?? []).some(({ label }) => label !== undefined)
          ? html`<ul class="legend">
              ${figure.series.map(
                (series) =>
                  html`<li>
                    <svg class="key" width="22" height="12" aria-hidden="true">
                      ${
                        series.line === undefined
                          ? nothing
                          : svg`<line class="stroke-${series.tone} ${series.line}" x1="0" x2="22" y1="6" y2="6"></line>`
                      }${series.mark === 'none' ? nothing : mark(series.mark, series.tone, 11, 6)}</svg
                    >${series.label}
                  </li>`,
              )}
              ${(figure.guides ?? []).map((guide) =>
                guide.label === undefined
                  ? nothing
                  : html`<li>
                      <svg class="key" width="22" height="12" aria-hidden="true">
                        <line
                          class="guide ${guide.strong === true ? 'strong' : ''}"
                          x1="0"
                          x2="22"
                          y1="6"
                          y2="6"
                        ></line></svg
                      >${guide.label}
                    </li>`,
              )}
            </ul>`
          : nothing
      }
    `;
  }

  private axes(x: TickScale, y: TickScale, width: number, height: number): TemplateResult {
    const { figure } = this;
    const bottom = height - margin.bottom;
    return svg`<g class="axes">
      ${y.ticks.map(
        (
          value,
        ) => svg`<line class="grid" x1=${margin.left} x2=${width - margin.right} y1=${y(value)} y2=${y(value)}></line>
          <text x=${margin.left - 8} y=${y(value)} text-anchor="end" dominant-baseline="central">${figure.y.tick(value)}</text>`,
      )}
      ${x.ticks.map(
        (
          value,
        ) => svg`<line class="grid" x1=${x(value)} x2=${x(value)} y1=${margin.top} y2=${bottom}></line>
          <text x=${x(value)} y=${bottom + 17} text-anchor="middle">${figure.x.tick(value)}</text>`,
      )}
      <text class="name" x=${width - margin.right} y=${height - 6} text-anchor="end">${figure.x.label}</text>
      <text class="name" x="0" y="12">${figure.y.label}</text>
    </g>`;
  }

  /** A slider is what keyboards and screen readers know how to step with. */
  private steps(): TemplateResult | typeof nothing {
    const stride = this.figure.stride ?? 1;
    const count = Math.ceil(this.placed.length / stride);
    if (count === 0) return nothing;
    const { t } = this.locale;
    const at = this.hot === undefined ? 0 : Math.floor(this.hot / stride);
    const point = this.placed[at * stride]?.point;
    return html`
      <input
        class="steps"
        type="range"
        min="0"
        max=${count - 1}
        .value=${String(at)}
        aria-label=${t('figure.points', { title: this.figure.title })}
        aria-valuetext=${point?.lines.join(', ') ?? ''}
        @focus=${() => {
          this.hot ??= 0;
        }}
        @blur=${() => {
          this.hot = undefined;
        }}
        @input=${(event: Event) => {
          this.hot = Number((event.target as HTMLInputElement).value) * stride;
        }}
        @keydown=${(event: KeyboardEvent) => {
          if (event.key === 'Enter') this.choose();
          if (event.key === 'Escape') this.hot = undefined;
        }}
      />
    `;
  }

  private tip({ point, left, top }: Placed): TemplateResult {
    const right = left > this.width / 2;
    return html`
      <div
        class="tip ${right ? 'left' : ''} ${top < 90 ? 'below' : ''}"
        .style=${`left:${left.toFixed(0)}px;top:${top.toFixed(0)}px`}
        aria-hidden="true"
      >
        ${point.lines.map((line, index) => (index === 0 ? html`<b>${line}</b>` : html`<span>${line}</span>`))}
      </div>
    `;
  }

  private readonly onPoint = (event: PointerEvent): void => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const [left, top] = [event.clientX - box.left, event.clientY - box.top];
    const away = ({ left: x, top: y }: Placed): number => (x - left) ** 2 + (y - top) ** 2;
    const nearest = least(this.placed, away);
    this.hot =
      nearest === undefined || away(nearest) > nearEnough ** 2
        ? undefined
        : this.placed.indexOf(nearest);
  };

  private choose(): void {
    const id = this.hot === undefined ? undefined : this.placed[this.hot]?.point.id;
    if (id !== undefined) this.dispatchEvent(new CustomEvent('choose', { detail: id }));
  }
}

interface TickScale extends Scale {
  readonly ticks: readonly number[];
}

function scaleOf(axis: Axis, values: readonly number[], range: [number, number]): TickScale {
  const [low = axis.log ? 1 : 0, high = 1] = extent(values);
  const domain = axis.domain ?? [axis.log ? low : Math.min(0, low), high];
  if (axis.log) {
    const scale = scaleLog([domain[0] / 1.1, domain[1] * 1.1], range);
    const all = scale.ticks(ticksWanted);
    const plain = [1, 2, 5].flatMap((digit) =>
      all.length > 2 * ticksWanted && digit !== 1 ? [] : [digit],
    );
    const ticks = all.filter((value) => plain.some((digit) => isDigit(value, digit)));
    return Object.assign((value: number) => scale(value), { ticks });
  }
  const scale = scaleLinear([domain[0], domain[1] || 1], range).nice(ticksWanted);
  return Object.assign((value: number) => scale(value), { ticks: scale.ticks(ticksWanted) });
}

/** Is it this digit and zeros? */
function isDigit(value: number, digit: number): boolean {
  return Number(value.toPrecision(3)).toExponential().startsWith(`${digit}e`);
}

function drawSeries(series: PlotSeries, x: Scale, y: Scale): TemplateResult {
  const { points, tone, line, mark: shape } = series;
  const at = ({ x: px, y: py }: PlotPoint): string => `${x(px).toFixed(1)},${y(py).toFixed(1)}`;
  const path = points.map((point, index) => {
    const before = points[index - 1];
    if (before === undefined) return `M${at(point)}`;
    return line === 'steps'
      ? `H${x(point.x).toFixed(1)}V${y(point.y).toFixed(1)}`
      : `L${at(point)}`;
  });
  return svg`<g>
    ${line === undefined ? nothing : svg`<path class="curve stroke-${tone} ${line}" d=${path.join('')}></path>`}
    ${
      shape === 'none'
        ? nothing
        : shape === 'cloud'
          ? svg`<path class="cloud stroke-${tone}" d=${points.map((point) => `M${at(point)}h0`).join('')}></path>`
          : points.map((point) => mark(shape, tone, x(point.x), y(point.y)))
    }
  </g>`;
}

function mark(shape: PlotSeries['mark'], tone: Tone, x: number, y: number): TemplateResult {
  switch (shape) {
    case 'ring':
      return svg`<circle class="ring stroke-${tone}" cx=${x} cy=${y} r="4"></circle>`;
    case 'diamond':
      return svg`<path class="tone-${tone} edged" d="M${x},${y - 6.5}l6.5,6.5l-6.5,6.5l-6.5,-6.5z"></path>`;
    case 'cross':
      return svg`<path class="ring stroke-${tone}" d="M${x - 4},${y - 4}l8,8m0,-8l-8,8"></path>`;
    default:
      return svg`<circle class="tone-${tone} edged" cx=${x} cy=${y} r="4.5"></circle>`;
  }
}

function guideLine(
  guide: Guide,
  x: Scale,
  y: Scale,
  width: number,
  height: number,
): TemplateResult | typeof nothing {
  const style = guide.strong === true ? 'guide strong' : 'guide';
  if (guide.factor !== undefined) {
    // On two logarithmic axes it is straight; far-off ends are cut off by the frame.
    const [low, high] = [1e-9, 1e15];
    return svg`<line class=${style} x1=${x(low)} y1=${y(low * guide.factor)} x2=${x(high)} y2=${y(high * guide.factor)}></line>`;
  }
  if (guide.x !== undefined) {
    return svg`<line class=${style} x1=${x(guide.x)} x2=${x(guide.x)} y1="0" y2=${height}></line>`;
  }
  if (guide.y !== undefined) {
    return svg`<line class=${style} x1="0" x2=${width} y1=${y(guide.y)} y2=${y(guide.y)}></line>`;
  }
  return nothing;
}
