/** What a visitor takes along: text, data, print; the enquiry; the scenario put aside to compare. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Context } from '../elements/context';
import { download } from '../elements/download';
import type { JsonObject } from '../scenario/document';
import { spokenAnswer } from './answer';
import { assumptions, mostPinned, titleOf } from './side-by-side';

export function takeAway(context: Context): TemplateResult | typeof nothing {
  const { t } = context.locale;
  const { report } = context;
  if (report === undefined) return nothing;
  const button = (name: string, label: string, act: () => void): TemplateResult => html`
    <button type="button" class="button" data-take=${name} @click=${act}>${label}</button>
  `;
  const address = enquiryAddress(context);
  return html`
    <div class="card take">
      <h2>${t('take.title')}</h2>
      <div class="buttons">
        ${
          address === undefined
            ? nothing
            : html`<a class="button primary" href=${address} data-take="enquiry"
                >${t('take.enquiry')}</a
              >`
        }
        ${
          context.pinned.length >= mostPinned
            ? nothing
            : button('pin', t('take.pin'), () => {
                context.pin([...context.pinned, context.scenario]);
                context.choose({ view: 'compare' });
              })
        }
        ${(['text', 'markdown'] as const).map((name) =>
          button(name, t(context.view.copied === name ? 'take.copied' : `take.${name}`), () => {
            void copy(context, name, name === 'text' ? plain(context) : markdown(context));
          }),
        )}
        ${button('json', 'JSON', () => {
          const content = { scenario: { version: 1, ...context.scenario }, report };
          download('traintally.json', JSON.stringify(content, undefined, 2), 'application/json');
        })}
        ${button('csv', 'CSV', () => {
          // Excel takes a file for UTF-8 only by its mark.
          download('traintally.csv', `\ufeff${csv(context)}`, 'text/csv;charset=utf-8');
        })}
        ${button('print', t('take.print'), () => {
          window.print();
        })}
      </div>
    </div>
  `;
}

/** The provider's link with the scenario in it; only to where links may lead. */
function enquiryAddress({ enquiry, link }: Context): string | undefined {
  if (enquiry === null) return undefined;
  const address = enquiry.replaceAll('{scenario}', encodeURIComponent(link));
  try {
    const { protocol, origin } = new URL(address, document.baseURI);
    // The host's own pages may be anywhere, an office's network without https among them.
    const own = protocol === location.protocol && origin === location.origin;
    return own || /^(?:https|mailto):$/.test(protocol) ? address : undefined;
  } catch {
    return undefined;
  }
}

/** @param name said back by `view.copied` */
export async function copy(context: Context, name: string, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    context.show({ copied: name });
  } catch {
    download('traintally.md', text, 'text/markdown;charset=utf-8'); // no clipboard here, or not allowed
  }
}

function markdown(context: Context): string {
  const { t } = context.locale;
  const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
    [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
  return [
    `**${jobTitle(context)}**`,
    '',
    spokenAnswer(context),
    '',
    ...table([t('take.figure'), t('take.value')], shownFigures(context)),
    '',
    ...table([t('take.assumption'), t('take.value')], assumptions(context)),
    '',
    context.link,
  ].join('\n');
}

function plain(context: Context): string {
  const { t } = context.locale;
  const colon = context.locale.language === 'en' ? ': ' : '：';
  const lines = (rows: readonly (readonly string[])[]): string[] =>
    rows.map((row) => row.join(colon));
  return [
    jobTitle(context),
    spokenAnswer(context),
    '',
    ...lines(shownFigures(context)),
    '',
    t('take.assumptions'),
    ...lines(assumptions(context)),
    '',
    context.link,
  ].join('\n');
}

const jobTitle = (context: Context): string =>
  context.report === undefined ? '' : titleOf(context, context.scenario, context.report);

const shownFigures = (context: Context): (readonly [string, string])[] =>
  figures(context).flatMap(({ label, shown }) => (shown === '' ? [] : [[label, shown] as const]));

/** For paper alone: whose answer this is, what it assumes, where to open it again. */
export function paper(context: Context): TemplateResult {
  const { t, format } = context.locale;
  return html`
    <div class="card paper">
      <h2>${t('take.assumptions')} · ${jobTitle(context)}</h2>
      <dl>
        ${assumptions(context).map(
          ([name, value]) => html`
            <div>
              <dt>${name}</dt>
              <dd>${value}</dd>
            </div>
          `,
        )}
      </dl>
      <p class="from">${format.date(new Date().toISOString().slice(0, 10))} · ${context.link}</p>
    </div>
  `;
}

interface Line {
  readonly label: string;
  readonly unit: string;
  readonly value: number | string | undefined;
  readonly low?: number | string;
  readonly high?: number | string;
  /** As the page has it. */
  readonly shown: string;
}

const gib = 2 ** 30;

/** The very figures that the page shows, once for people and once for machines. */
function figures({ report, locale: { t, format } }: Context): Line[] {
  const asIf = (figure: string): string =>
    report?.memory?.fits === false ? t('take.ifFit', { figure }) : figure;
  const { memory, time, cost, energy } = report ?? {};
  const lines: Line[] = [];
  if (memory !== undefined) {
    const { value, low, high } = memory.device_peak;
    lines.push(
      {
        label: t('kpi.memory'),
        unit: 'GiB',
        value: value / gib,
        low: low / gib,
        high: high / gib,
        shown: `${format.gib(value)} (${format.range(format.gib(low), format.gib(high))}) GiB`,
      },
      {
        label: t('take.usable'),
        unit: 'GiB',
        value: memory.usable / gib,
        shown: `${format.gib(memory.usable)} GiB`,
      },
    );
  }
  if (time !== undefined) {
    lines.push(
      {
        label: asIf(t('kpi.time')),
        unit: 's',
        ...time.run,
        shown: `${format.durationText(time.run.value)} (${format.durationText(time.run.low)} – ${format.durationText(time.run.high)})`,
      },
      {
        label: asIf(t('take.rate')),
        unit: 'token/s',
        ...time.tokens_per_second,
        shown: format.number(time.tokens_per_second.value),
      },
      {
        label: t('kpi.mfu'),
        unit: '1',
        ...time.mfu_causal,
        shown: format.percent(time.mfu_causal.value, 1),
      },
    );
  }
  if (cost !== undefined) {
    for (const [label, money] of [
      [t('kpi.cost'), cost.total],
      [t('kpi.perToken'), cost.per_million_tokens],
    ] as const) {
      if (money === undefined) continue;
      const range = format.moneyRange(money);
      const { value, low, high, currency } = money;
      lines.push({
        label: asIf(label),
        unit: currency,
        value,
        ...(low === undefined ? {} : { low }),
        ...(high === undefined ? {} : { high }),
        shown: `${format.moneyText(money)}${range === undefined ? '' : ` (${range})`}`,
      });
    }
  }
  if (energy !== undefined) {
    lines.push({
      label: t('more.energy'),
      unit: 'kWh',
      value: energy.kwh,
      shown: t('more.kwh', { kwh: format.number(energy.kwh) }),
    });
  }
  return lines;
}

/** Units in a column of their own, plain numbers in the cells; then every assumption. */
function csv(context: Context): string {
  const { t } = context.locale;
  const cell = (value: unknown): string => {
    const text =
      typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
    // A leading sign makes a spreadsheet take text for a formula.
    const safe = typeof value === 'string' && /^[=+\-@]/.test(text) ? `'${text}` : text;
    return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const table = [
    [t('take.figure'), t('take.value'), t('take.low'), t('take.high'), t('take.unit')],
    ...figures(context).map(({ label, value, low, high, unit }) => [label, value, low, high, unit]),
    [],
    [t('take.assumption'), t('take.value')],
    ...leaves(context.resolved),
  ];
  return table.map((row) => row.map(cell).join(',')).join('\r\n');
}

function leaves(node: JsonObject, path = ''): (readonly [string, unknown])[] {
  return Object.entries(node).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? leaves(value as JsonObject, `${path}${key}.`)
      : [[`${path}${key}`, value] as const],
  );
}
