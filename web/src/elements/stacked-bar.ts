/**
 * Parts of a whole as one bar against a limit, with the same figures as a table. SVG in percent of
 * its width: it needs no measuring, prints, and survives saving. Its scale is D3's.
 */
import { html, nothing, svg, unsafeCSS, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { cumsum, max } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import barText from '../styles/bar.css';
import { basic } from './base';
import { FigureElement, type Figure, type Tone } from './figure';

export interface Segment {
  readonly code: string;
  readonly label: string;
  readonly value: number;
  readonly text: string;
  readonly tone: Tone;
}

export interface BarFigure extends Figure {
  readonly segments: readonly Segment[];
  readonly limit?: { readonly value: number; readonly label: string };
  readonly interval?: { readonly low: number; readonly high: number; readonly label: string };
  /** Where given, an axis is drawn with these many ticks, each labelled by this. */
  readonly tick?: (value: number) => string;
}

const barTop = 0;
const barHeight = 38;

export class StackedBar extends FigureElement<BarFigure> {
  static override styles = [basic, unsafeCSS(barText)];

  @state() private hot: string | undefined;

  protected override renderChart(): TemplateResult {
    const { segments, limit, interval, tick, description } = this.figure;
    const ends = cumsum(segments, ({ value }) => value);
    const end = ends.at(-1) ?? 0;
    const top = max([end, limit?.value ?? 0, interval?.high ?? 0]) ?? 1;
    const x = scaleLinear()
      .domain([0, (limit === undefined && interval === undefined ? end : top * 1.001) || 1])
      .range([0, 100]);
    const at = (value: number): string => `${x(value).toFixed(3)}%`;
    const width = (low: number, high: number): string => `${(x(high) - x(low)).toFixed(3)}%`;

    const above = limit === undefined ? 0 : 20;
    const bar = barTop + above;
    const below = bar + barHeight;
    const intervalY = below + 9;
    const axisY = interval === undefined ? below : below + 26;
    const height = tick === undefined ? axisY : axisY + 22;

    return html`
      <svg height=${height} role="img" aria-label=${description}>
        ${
          limit === undefined
            ? nothing
            : svg`<rect class="beyond" x=${at(limit.value)} y=${bar} height=${barHeight}
              width=${width(limit.value, x.domain()[1] ?? 0)}></rect>`
        }
        <rect
          class="well"
          x="0"
          y=${bar}
          height=${barHeight}
          width=${limit === undefined ? '100%' : at(limit.value)}
          rx="6"
        ></rect>
        ${segments.map((segment, index) => {
          const high = ends[index] ?? 0;
          const low = high - segment.value;
          if (high <= low) return nothing;
          const wide = x(high) - x(low) >= 9;
          return svg`<g class="segment ${this.dimmed(segment.code)}"
              @pointerenter=${() => (this.hot = segment.code)}
              @pointerleave=${() => (this.hot = undefined)}>
            <title>${segment.label}: ${segment.text}</title>
            <svg x=${at(low)} y=${bar} width=${width(low, high)} height=${barHeight}>
              <rect class="tone-${segment.tone}" width="100%" height="100%" rx="3"></rect>
              ${
                wide
                  ? svg`<text class="on-${segment.tone}" x="50%" y="50%" text-anchor="middle"
                      dominant-baseline="central">${segment.text}</text>`
                  : nothing
              }
            </svg>
          </g>`;
        })}
        ${
          interval === undefined
            ? nothing
            : svg`<g class="interval">
              <line x1=${at(interval.low)} x2=${at(interval.high)} y1=${intervalY} y2=${intervalY}></line>
              <line x1=${at(interval.low)} x2=${at(interval.low)} y1=${intervalY - 4} y2=${intervalY + 4}></line>
              <line x1=${at(interval.high)} x2=${at(interval.high)} y1=${intervalY - 4} y2=${intervalY + 4}></line>
              ${this.edgeText(x(interval.high), intervalY, interval.label, x(interval.low))}
            </g>`
        }
        ${
          limit === undefined
            ? nothing
            : svg`<g class="limit">
              <line x1=${at(limit.value)} x2=${at(limit.value)} y1=${bar - 5} y2=${below + 3}></line>
              <text x=${at(limit.value)} y=${bar - 9}
                text-anchor=${x(limit.value) > 70 ? 'end' : x(limit.value) < 30 ? 'start' : 'middle'}>${limit.label}</text>
            </g>`
        }
        ${
          tick === undefined
            ? nothing
            : svg`<g class="tick">${x.ticks(5).map(
                (value) => svg`
                <line x1=${at(value)} x2=${at(value)} y1=${axisY} y2=${axisY + 5}></line>
                <text x=${at(value)} y=${axisY + 18}
                  text-anchor=${x(value) < 3 ? 'start' : x(value) > 97 ? 'end' : 'middle'}>${tick(value)}</text>`,
              )}</g>`
        }
      </svg>
      <ul class="legend">
        ${segments.map(
          (segment) =>
            html`<li
              class=${this.dimmed(segment.code)}
              @pointerenter=${() => {
                this.hot = segment.code;
              }}
              @pointerleave=${() => {
                this.hot = undefined;
              }}
            >
              <span class="swatch tone-${segment.tone}"></span>${segment.label}
              <b>${segment.text}</b>
            </li>`,
        )}
      </ul>
    `;
  }

  /** Right of the interval where there is room, else left of it. */
  private edgeText(high: number, y: number, label: string, low: number): TemplateResult {
    return high > 65
      ? svg`<text x="${low.toFixed(3)}%" dx="-8" y=${y} text-anchor="end" dominant-baseline="central">${label}</text>`
      : svg`<text x="${high.toFixed(3)}%" dx="8" y=${y} dominant-baseline="central">${label}</text>`;
  }

  private dimmed(code: string): string {
    return this.hot === undefined || this.hot === code ? '' : 'dim';
  }
}
