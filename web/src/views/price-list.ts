/** A visitor's own price list: opened from a file, JSON or CSV, beside the built-in offers. */
import { html, nothing, type TemplateResult } from 'lit';
import { ListProblems } from '../catalog/own';
import type { Context } from '../elements/context';
import { download } from '../elements/download';
import { stringAt, today, valueAt } from '../scenario/document';
import { problemText } from '../words/codes';
import { fileButton, folded } from './parts';

const shownProblems = 8;

/** What a table must have, and what most have beside it. */
const tables = {
  en: [
    'id,provider,name,gpu,count,per_month,per_gpu_hour,currency,tax_included,rdma,date,valid_until',
    'a100-8,Acme,8 x A100,A100 80GB,8,31500,,CNY,yes,yes',
  ],
  'zh-CN': [
    '编号,服务商,名称,GPU,卡数,月租,单卡时租,币种,含税,RDMA,报价日期,有效期至',
    'a100-8,某云,8 卡 A100,A100 80GB,8,31500,,CNY,是,是',
  ],
} as const;

export function priceList(context: Context): TemplateResult {
  const { t } = context.locale;
  return folded(context, 'list', t('list.title'), () => body(context));
}

function body(context: Context): TemplateResult {
  const { list, requests, view, locale } = context;
  const { t, format, language } = locale;
  const offers = list?.entries['offers'];
  const providers = Array.isArray(offers)
    ? [...new Set(offers.map((each) => stringAt(each, '/provider') ?? ''))]
    : [];
  return html`
    <p class="hint">${t('list.lead')}</p>
    <div class="buttons">
      ${fileButton('list', t('list.open'), '.csv,.json,text/csv,application/json', (file) => openPriceList(context, file))}
      <button
        type="button"
        class="button"
        @click=${() => {
          const [head, row] = tables[language];
          // The mark at the start makes Excel read it as UTF-8.
          download('price-list.csv', `\ufeff${head}\r\n${row},${today()},\r\n`, 'text/csv');
        }}
      >
        ${t('list.template')}
      </button>
    </div>
    ${
      list === undefined
        ? nothing
        : html`<p class="facts" role="status" data-list="visitor">
              ${t('list.now', {
                count: Array.isArray(offers) ? offers.length : 0,
                name: list.name,
                day: format.date(list.day),
              })}
            </p>
            <div class="buttons">
              <label class="toggle">
                <input
                  type="checkbox"
                  .checked=${valueAt(requests, '/plan/providers') !== undefined}
                  @change=${(event: Event) => {
                    const only = (event.target as HTMLInputElement).checked;
                    context.request([['/plan/providers', only ? providers : undefined]]);
                  }}
                /><span>${t('list.only')}</span>
              </label>
              <button
                type="button"
                class="button"
                @click=${() => {
                  context.request([['/plan/providers', undefined]]);
                  context.bring(undefined);
                }}
              >
                ${t('list.remove')}
              </button>
            </div>`
    }
    ${fails(context, view.listFails)}
  `;
}

function fails(
  { locale }: Context,
  found: Context['view']['listFails'],
): TemplateResult | typeof nothing {
  const { t } = locale;
  if (found.length === 0) return nothing;
  if (typeof found === 'string') return html`<p class="note bad" role="alert">${found}</p>`;
  return html`<div class="note bad" role="alert">
    ${t('list.wrong', { count: found.length })}
    <ul>
      ${found.slice(0, shownProblems).map((problem) => {
        const [, row, column = ''] = /^\/csv\/(\d+)(?:\/(.*))?$/.exec(problem.at) ?? [];
        const where = row === undefined ? problem.at : t('list.cell', { row, column });
        return html`<li>${where}: ${problemText(problem, locale)}</li>`;
      })}
    </ul>
  </div>`;
}

export async function openPriceList(context: Context, file: File): Promise<void> {
  const { unfolded } = context.view;
  let listFails: Context['view']['listFails'] = '';
  try {
    context.bring({ name: file.name, text: await file.text() });
  } catch (error) {
    listFails =
      error instanceof ListProblems
        ? error.problems
        : context.locale.t('failure.list', { reason: String(error) });
  }
  context.show({ listFails, unfolded: [...new Set([...unfolded, 'list'])] });
}
