/** Tokens from what a visitor knows of the data: rows, characters, gigabytes, or the file itself. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Change, Context } from '../elements/context';
import type { NumberChange } from '../elements/number-field';
import { numberAt, stringAt } from '../scenario/document';
import { countFile, sum, tokensOf, type Counts, type Range } from '../scenario/text-size';
import { modelName } from './inputs';
import { fileButton, number, rich, segmented } from './parts';

export interface DataSize {
  readonly by: 'rows' | 'characters' | 'gigabytes' | 'file';
  readonly amount: number | undefined;
  readonly perRow: number | undefined;
  readonly language: 'en' | 'zh' | 'code';
  readonly padded: boolean;
  readonly file: string;
  readonly counts: Counts | undefined;
  /** Of the file that is being counted; undefined where none is. */
  readonly share: number | undefined;
  readonly unreadable: boolean;
}

export const noData: DataSize = {
  by: 'rows',
  amount: undefined,
  perRow: undefined,
  language: 'en',
  padded: false,
  file: '',
  counts: undefined,
  share: undefined,
  unreadable: false,
};

const ways = ['rows', 'characters', 'gigabytes', 'file'] as const;
const gigabyte = 1e9;

interface Estimate {
  readonly tokens: Range;
  /** What training computes on; with padding more than the tokens themselves. */
  readonly computed: number;
}

function estimate(context: Context, size: DataSize): Estimate | undefined {
  const { languages } = context.catalog.text;
  const rate = (id: DataSize['language']) => languages.find((each) => each.id === id);
  const [written, zh, en] = [rate(size.language), rate('zh'), rate('en')];
  if (written === undefined || zh === undefined || en === undefined) return undefined;
  let tokens: Range | undefined;
  let rows: number | undefined;
  if (size.by === 'file') {
    if (size.counts === undefined) return undefined;
    const { characters, chinese } = size.counts;
    ({ rows } = size.counts);
    tokens = sum(tokensOf(chinese, zh), tokensOf(characters - chinese, en));
  } else if (size.amount !== undefined) {
    const { amount, perRow } = size;
    if (size.by === 'rows') {
      if (perRow === undefined) return undefined;
      rows = amount;
      tokens = tokensOf(amount * perRow, written);
    } else {
      tokens = tokensOf(
        size.by === 'characters' ? amount : (amount * gigabyte) / written.bytes_per_character,
        written,
      );
    }
  }
  if (tokens === undefined || tokens.value < 1) return undefined;
  const computed = size.padded && rows !== undefined ? rows * sequenceOf(context) : tokens.value;
  return { tokens, computed: Math.max(computed, tokens.value) };
}

const sequenceOf = ({ scenario, resolved }: Context): number =>
  numberAt(scenario, '/training/sequence_length') ??
  numberAt(resolved, '/training/sequence_length') ??
  1;

/** Three digits are more than an estimate has. */
const rounded = (value: number): number => Math.max(1, Number(value.toPrecision(3)));

/** Shows the new size, and lets the data set have as many tokens. */
function change(context: Context, part: Partial<DataSize>): void {
  const size = { ...context.view.size, ...part };
  context.show({ size });
  const found = estimate(context, size);
  if (found === undefined) return;
  const at: Change = ['/training/tokens/dataset_tokens', rounded(found.computed)];
  const epochs = numberAt(context.scenario, '/training/tokens/epochs');
  context.set([at, ['/training/tokens/epochs', epochs ?? 1]]);
}

export async function countData(context: Context, file: File): Promise<void> {
  const start = { by: 'file', file: file.name, counts: undefined, unreadable: false } as const;
  context.show({ much: 'data', size: { ...context.view.size, ...start, share: 0 } });
  let shown = 0;
  try {
    const counts = await countFile(file, (share) => {
      if (share - shown < 0.05) return;
      shown = share;
      context.show({ size: { ...context.view.size, ...start, share } });
    });
    change(context, { ...start, counts, share: undefined });
  } catch {
    change(context, { ...start, share: undefined, unreadable: true });
  }
}

export function dataSize(context: Context): TemplateResult {
  const { t, format } = context.locale;
  const { size } = context.view;
  const amount = (
    name: 'amount' | 'perRow',
    label: string,
    value: number | undefined,
  ): TemplateResult => html`
    <train-tally-number
      data-size=${name}
      .locale=${context.locale}
      .label=${label}
      .value=${value}
      @change=${({ detail }: CustomEvent<NumberChange>) => {
        change(context, { [name]: detail.number });
      }}
    ></train-tally-number>
  `;
  return html`
    ${segmented(
      'size-by',
      t('size.what'),
      ways.map((value) => ({ value, label: t(`size.${value}`) })),
      size.by,
      (value) => {
        change(context, { by: value as DataSize['by'] });
      },
    )}
    ${
      size.by === 'file'
        ? filePart(context)
        : html`<div class=${size.by === 'rows' ? 'pair' : ''}>
              ${amount('amount', t(`size.amount.${size.by}`), size.amount)}
              ${size.by === 'rows' ? amount('perRow', t('size.perRow'), size.perRow) : nothing}
            </div>
            ${segmented(
              'size-language',
              t('size.language'),
              context.catalog.text.languages.map(({ id }) => ({
                value: id,
                label: t(`size.languages.${id}`),
              })),
              size.language,
              (value) => {
                change(context, { language: value as DataSize['language'] });
              },
            )}`
    }
    ${
      size.by === 'rows' || size.by === 'file'
        ? segmented(
            'size-short',
            t('size.short'),
            [
              { value: 'packed', label: t('size.packed') },
              { value: 'padded', label: t('size.padded') },
            ],
            size.padded ? 'padded' : 'packed',
            (value) => {
              change(context, { padded: value === 'padded' });
            },
          )
        : nothing
    }
    ${result(context, format)}
    ${number(context, '/training/tokens/epochs', { label: t('inputs.epochs'), filled: true })}
  `;
}

function filePart(context: Context): TemplateResult {
  const { t, format } = context.locale;
  const { file, counts, share, unreadable } = context.view.size;
  return html`
    <div class="drop">
      ${fileButton('data', t('size.open'), '.txt,.jsonl,.ndjson,.md,.csv,.tsv,text/*', (chosen) => countData(context, chosen))}
      <p class="hint">${t('size.drop')}</p>
    </div>
    ${
      share !== undefined
        ? html`<p class="facts">${t('size.counting', { share: format.percent(share) })}</p>`
        : unreadable
          ? html`<p class="problem" role="alert">${t('size.unreadable')}</p>`
          : counts === undefined
            ? nothing
            : html`<p class="facts" data-counted>
                ${t('size.counted', {
                  name: file,
                  rows: format.integer(counts.rows),
                  characters: format.integer(counts.characters),
                  chinese: format.share(counts.characters && counts.chinese / counts.characters),
                })}
              </p>`
    }
  `;
}

function result(context: Context, format: Context['locale']['format']): unknown {
  const { t } = context.locale;
  const { size } = context.view;
  const found = estimate(context, size);
  if (found === undefined) return nothing;
  const { tokens, computed } = found;
  const rows = size.by === 'rows' || size.by === 'file';
  return html`
    <div class="estimate" data-estimate>
      <p>
        ${rich(
          t('size.result', {
            tokens: format.compact(tokens.value),
            low: format.compact(tokens.low),
            high: format.compact(tokens.high),
          }),
        )}
      </p>
      ${
        rows
          ? html`<p class="facts">
              ${
                size.padded
                  ? t('size.paddedNote', {
                      sequence: format.integer(sequenceOf(context)),
                      share: format.share(tokens.value / computed),
                    })
                  : t('size.packedNote')
              }
            </p>`
          : nothing
      }
      <p class="facts">
        ${t('size.source', { source: '' })}<span class="from" lang="en"
          >${context.catalog.text.source}</span
        >
      </p>
    </div>
  `;
}

/** What others trained on, for those who don't know how much they need. */
export function usualAmounts(context: Context): TemplateResult {
  const { t, format } = context.locale;
  const { amounts, tokens_per_parameter: optimal } = context.catalog.text;
  const kind =
    stringAt(context.scenario, '/training/kind') ?? stringAt(context.resolved, '/training/kind');
  const use = (name: string, tokens: number, epochs = 1): TemplateResult => html`
    <button
      type="button"
      class="link"
      data-use=${name}
      @click=${() => {
        context.show({ much: undefined });
        context.set([
          ['/training/tokens', epochs === 1 ? tokens : { dataset_tokens: tokens, epochs }],
        ]);
      }}
    >
      ${t('size.use', { tokens: format.compact(tokens * epochs) })}
    </button>
  `;
  const line = (text: string, source: string, act: unknown): TemplateResult =>
    html`<li>${text} ${act}<span class="from" lang="en">${source}</span></li>`;
  const parameters = context.report?.parameters?.active;
  return html`
    <details class="usual">
      <summary>${t('size.need')}</summary>
      <ul>
        ${
          kind === 'pretrain'
            ? html`${
                optimal === undefined || parameters === undefined
                  ? nothing
                  : line(
                      t('size.optimal', {
                        model: modelName(context),
                        ratio: format.number(optimal.value),
                      }),
                      optimal.source,
                      use('optimal', rounded(parameters * optimal.value)),
                    )
              }
              ${amounts
                .filter(({ epochs }) => epochs === undefined)
                .map(({ id, name, tokens, source }) =>
                  line(
                    t('size.overtrained', { name }),
                    source,
                    tokens === undefined ? nothing : use(id, tokens),
                  ),
                )}`
            : html`${amounts.map(({ id, name, rows, tokens, epochs, source }) =>
                  rows === undefined || epochs === undefined
                    ? nothing
                    : line(
                        t('size.tuned', { name, rows: format.integer(rows), epochs }),
                        source,
                        tokens === undefined ? nothing : use(id, tokens, epochs),
                      ),
                )}
                <li>${t('size.needNote')}</li>`
        }
      </ul>
    </details>
  `;
}
