/** The left side of the Estimate view: what is trained, how much, on what, at what price. */
import { html, nothing, type TemplateResult } from 'lit';
import {
  offerName,
  sizeIn,
  type CatalogGpu,
  type CatalogModel,
  type CatalogOffer,
} from '../catalog/catalog';
import type { Context, Mode } from '../elements/context';
import type { SearchOption } from '../elements/search-field';
import {
  hasArticlePlan,
  isObject,
  numberAt,
  stringAt,
  valueAt,
  type JsonObject,
} from '../scenario/document';
import { defaultScenario, presets, sameScenario } from '../scenario/presets';
import { expertSettings } from '../scenario/simple';
import { expert } from './expert';
import { dataSize, usualAmounts } from './data-size';
import { help } from './help';
import { jobFacts } from './job-facts';
import { modelConfig } from './model-config';
import { modelSummary } from './model-summary';
import { ownRun } from './own-run';
import { number, problemAt, segmented, select } from './parts';

export const kinds = ['pretrain', 'full', 'lora', 'qlora'] as const;

export function presetRow(context: Context): TemplateResult {
  const { t } = context.locale;
  return html`
    <nav class="presets" aria-label=${t('presets.label')}>
      <span class="label" aria-hidden="true">${t('presets.label')}</span>
      <ul>
        ${presetsFor(context).map(
          ({ name, scenario }) => html`
            <li>
              <button
                type="button"
                class="chip"
                data-preset=${name}
                aria-pressed=${sameScenario(scenario, context.scenario)}
                @click=${() => {
                  context.load(scenario);
                }}
              >
                ${t(`presets.${name}`)}
              </button>
            </li>
          `,
        )}
      </ul>
    </nav>
  `;
}

export const presetsFor = ({ article }: Context): readonly (typeof presets)[number][] =>
  presets.filter(({ scenario }) => article || !hasArticlePlan(scenario));

/** Back, forth, and back to the start. */
export function steps({ locale: { t }, undo, redo, scenario, load }: Context): TemplateResult {
  const button = (
    name: 'undo' | 'redo' | 'reset',
    act: (() => void) | undefined,
    drawing: string,
  ): TemplateResult => html`
    <button
      type="button"
      class="button icon"
      data-step=${name}
      aria-label=${t(`steps.${name}`)}
      title=${t(`steps.${name}`)}
      ?disabled=${act === undefined}
      @click=${act}
    >
      <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true"><path d=${drawing} /></svg>
    </button>
  `;
  return html`<div class="steps" role="group" aria-label=${t('steps.label')}>
    ${button('undo', undo, 'M7.5 4 4 7.5 7.5 11M4 7.5h8a4 4 0 0 1 0 8H8')}
    ${button('redo', redo, 'm12.5 4 3.5 3.5-3.5 3.5M16 7.5H8a4 4 0 0 0 0 8h4')}
    ${button(
      'reset',
      sameScenario(scenario, defaultScenario)
        ? undefined
        : () => {
            load(defaultScenario);
          },
      'M4 10a6 6 0 1 0 2-4.5M4 3v3.5h3.5',
    )}
  </div>`;
}

export function inputs(context: Context): TemplateResult {
  const { t } = context.locale;
  return html`
    <section class="inputs" aria-label=${t('inputs.region')}>
      ${modes(context)} ${whatCard(context)} ${muchCard(context)} ${clusterCard(context)}
      ${priceCard(context)} ${ownRun(context)} ${context.expert ? expert(context) : chosen(context)}
    </section>
  `;
}

function modes(context: Context): TemplateResult {
  const { t } = context.locale;
  return segmented(
    'mode',
    t('mode.label'),
    (['simple', 'expert'] as const).map((value) => ({ value, label: t(`mode.${value}`) })),
    context.expert ? 'expert' : 'simple',
    (value) => {
      context.choose({ mode: value as Mode });
    },
    true,
  );
}

/** In place of the expert's fields: what was chosen, and that what was set there still holds. */
function chosen(context: Context): TemplateResult {
  const { t } = context.locale;
  const count = expertSettings(context.scenario);
  return html`
    <div class="card" data-chosen>
      <h2>${t('mode.chosen')}</h2>
      <p class="facts">${jobFacts(context).join(' · ')}</p>
      ${count === 0 ? nothing : html`<p class="facts">${t('mode.kept', { count })}</p>`}
      <button
        type="button"
        class="link"
        @click=${() => {
          context.choose({ mode: 'expert' });
        }}
      >
        ${t('mode.show')}
      </button>
    </div>
  `;
}

export function whatCard(context: Context): TemplateResult {
  const { t } = context.locale;
  const kind =
    stringAt(context.scenario, '/training/kind') ?? stringAt(context.resolved, '/training/kind');
  return html`
    <div class="card">
      <h2>${t('inputs.what')}</h2>
      ${modelSearch(context)} ${modelSummary(context)} ${modelConfig(context)}
      ${segmented(
        'kind',
        t('inputs.how'),
        kinds.map((value) => ({ value, label: t(`inputs.kinds.${value}`) })),
        kind ?? '',
        (value) => {
          context.set([['/training/kind', value]]);
        },
        false,
        help(context.locale, 'kind', t('inputs.how')),
      )}
    </div>
  `;
}

function modelSearch(context: Context): TemplateResult {
  const { t } = context.locale;
  const model = valueAt(context.scenario, '/model');
  const entry = typeof model === 'string' ? context.catalog.model(model) : undefined;
  return html`
    <train-tally-search
      data-at="/model"
      .label=${t('inputs.model')}
      .explained=${help(context.locale, 'model', t('inputs.model'))}
      .text=${modelName(context)}
      .chosen=${entry?.id ?? ''}
      .placeholder=${t('inputs.modelPlaceholder')}
      .empty=${t('inputs.modelNone')}
      .problem=${context.view.configOpen ? '' : problemAt(context, '/model')}
      .find=${(query: string) => modelOptions(context, query)}
      @choose=${(event: CustomEvent<string>) => {
        const size = sizeIn(event.detail);
        context.set([['/model', size === undefined ? event.detail : { params: size }]]);
      }}
    ></train-tally-search>
  `;
}

export function modelName({
  scenario,
  catalog,
  locale: { t, format },
}: Pick<Context, 'scenario' | 'catalog' | 'locale'>): string {
  const model = valueAt(scenario, '/model');
  if (typeof model === 'string') return catalog.model(model)?.name ?? model;
  const params = numberAt(model, '/params');
  if (params !== undefined) return t('inputs.modelBySize', { size: format.compact(params) });
  if (isObject(model) && isObject(model['hf_config'])) {
    const name =
      stringAt(model, '/hf_config/_name_or_path') ??
      catalog.shapedAs(textOf(model['hf_config']))?.name ??
      stringAt(model, '/hf_config/model_type');
    return name === undefined || name === ''
      ? t('inputs.modelConfigUnnamed')
      : t('inputs.modelConfig', { name });
  }
  return t('inputs.modelCustom');
}

/** The language part of a model that sees or hears too. */
export const textOf = (config: JsonObject): JsonObject =>
  isObject(config['text_config']) ? config['text_config'] : config;

function modelOptions({ catalog, locale: { t, format } }: Context, query: string): SearchOption[] {
  const detail = (model: CatalogModel): string =>
    [
      model.published_params === undefined ? '' : format.compact(model.published_params),
      model.published_active_params === undefined
        ? ''
        : t('inputs.active', { n: format.compact(model.published_active_params) }),
    ]
      .filter(Boolean)
      .join(' · ');
  const found = catalog.findModels(query).map((model) => ({
    id: model.id,
    label: model.name,
    detail: detail(model),
    group: model.family ?? '',
  }));
  // As they are shown, a family together: arrow keys go down the list.
  const families = [...new Set(found.map(({ group }) => group))];
  const options = families.flatMap((family) => found.filter(({ group }) => group === family));
  const size = sizeIn(query);
  if (size !== undefined) {
    options.push({
      id: String(size),
      label: t('inputs.modelBySize', { size: format.compact(size) }),
      detail: t('inputs.modelBySizeNote'),
      group: '…',
    });
  }
  return options;
}

function muchCard(context: Context): TemplateResult {
  const { t } = context.locale;
  const said = valueAt(context.scenario, '/training/tokens');
  const by = context.view.much ?? (isObject(said) ? 'dataset' : 'tokens');
  return html`
    <div class="card">
      <h2>${t('inputs.much')}</h2>
      ${segmented(
        'much',
        t('inputs.muchBy'),
        [
          { value: 'tokens', label: t('inputs.byTokens') },
          { value: 'dataset', label: t('inputs.byDataset') },
          { value: 'data', label: t('size.by') },
        ],
        by,
        (value) => {
          countBy(context, value as 'data');
        },
        true,
      )}
      ${by === 'data' ? dataSize(context) : nothing}
      <div class="pair">
        ${
          by === 'data'
            ? nothing
            : by === 'dataset'
              ? html`${number(context, '/training/tokens/dataset_tokens', {
                  label: t('inputs.dataset'),
                  filled: true,
                  fallbackAt: '/training/tokens',
                })}
                ${number(context, '/training/tokens/epochs', { label: t('inputs.epochs'), filled: true })}`
              : number(context, '/training/tokens', { label: t('inputs.tokens'), filled: true })
        }
        ${
          context.expert
            ? number(context, '/training/sequence_length', {
                label: t('inputs.sequence'),
                filled: true,
                whole: true,
              })
            : nothing
        }
      </div>
      ${usualAmounts(context)}
    </div>
  `;
}

function countBy(context: Context, by: 'tokens' | 'dataset' | 'data'): void {
  const resolved = valueAt(context.resolved, '/training/tokens');
  const tokens = isObject(resolved) ? numberAt(resolved, '/dataset_tokens') : resolved;
  context.show({ much: by === 'tokens' ? undefined : by });
  if (by === 'data') return;
  context.set([
    [
      '/training/tokens',
      by === 'dataset' && typeof tokens === 'number'
        ? { dataset_tokens: tokens, epochs: 1 }
        : tokens,
    ],
  ]);
}

/** Where the slider stops. Any other count can be typed. */
const counts = [
  1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
  6144, 8192, 12288, 16384,
] as const;

function nearestStop(count: number): number {
  const above = counts.findIndex((stop) => stop >= count);
  return above < 0 ? counts.length - 1 : above;
}

export function clusterCard(context: Context): TemplateResult {
  const { t } = context.locale;
  const gpu = gpuOf(context);
  const count =
    numberAt(context.scenario, '/cluster/count') ??
    numberAt(context.resolved, '/cluster/count') ??
    1;
  const stop = nearestStop(count);
  const step = (to: number): void => {
    context.set([['/cluster/count', Math.max(1, to)]]);
  };
  const offerAt = `${stringAt(context.scenario, '/price/offer') ?? ''}`;
  const gpuName = gpu?.name ?? stringAt(context.scenario, '/cluster/gpu') ?? '';
  return html`
    <div class="card">
      <h2>${t('inputs.cluster')}</h2>
      <train-tally-search
        data-at="/cluster/gpu"
        .label=${t('inputs.gpu')}
        .explained=${help(context.locale, 'gpu', t('inputs.gpu'))}
        .text=${gpuName}
        .chosen=${offerAt === '' ? (gpu?.id ?? '') : `offer:${offerAt}`}
        .placeholder=${t('inputs.gpuPlaceholder')}
        .empty=${t('inputs.gpuNone')}
        .problem=${problemAt(context, '/cluster/gpu')}
        .find=${(query: string) => gpuOptions(context, query)}
        @choose=${(event: CustomEvent<string>) => {
          chooseGpu(context, event.detail);
        }}
      ></train-tally-search>
      ${gpu === undefined ? nothing : html`<p class="facts">${gpuFacts(context, gpu)}</p>`}
      <div class="count">
        ${number(context, '/cluster/count', {
          label: t('inputs.count'),
          filled: true,
          whole: true,
          least: 1,
        })}
        <div class="stepper">
          <button
            type="button"
            class="button"
            aria-label=${t('inputs.fewer')}
            ?disabled=${count <= 1}
            @click=${() => {
              step(counts.findLast((candidate) => candidate < count) ?? 1);
            }}
          >
            <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
              <path d="M3 8h10" />
            </svg>
          </button>
          <button
            type="button"
            class="button"
            aria-label=${t('inputs.more')}
            @click=${() => {
              step(counts.find((candidate) => candidate > count) ?? count);
            }}
          >
            <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
              <path d="M3 8h10M8 3v10" />
            </svg>
          </button>
        </div>
      </div>
      <input
        class="slider"
        type="range"
        min="0"
        max=${counts.length - 1}
        .value=${String(stop)}
        aria-label=${t('inputs.count')}
        aria-valuetext=${t('inputs.countValue', { count })}
        @input=${(event: Event) => {
          step(counts[Number((event.target as HTMLInputElement).value)] ?? 1);
        }}
      />
      ${
        count > 1 && context.expert
          ? html`<div class="pair">
              ${number(context, '/cluster/per_node', {
                label: t('inputs.perNode'),
                filled: true,
                whole: true,
                least: 1,
              })}
              ${number(context, '/cluster/internode_gb_s_per_gpu', {
                label: t('inputs.network'),
                unit: t('inputs.networkUnit'),
                filled: true,
              })}
            </div>`
          : nothing
      }
    </div>
  `;
}

/** A GPU of a request that has one, and no plan with it. */
export function gpuField(
  context: Context,
  at: string,
  gpu: string | undefined,
  choose: (id: string) => void,
): TemplateResult {
  const { t } = context.locale;
  const entry = context.catalog.gpu(gpu);
  return html`
    <train-tally-search
      data-at=${at}
      .label=${t('inputs.gpu')}
      .text=${entry?.name ?? gpu ?? ''}
      .chosen=${entry?.id ?? ''}
      .placeholder=${t('inputs.gpuPlaceholder')}
      .empty=${t('inputs.gpuNone')}
      .problem=${problemAt(context, at)}
      .find=${(query: string) => gpuList(context, query)}
      @choose=${(event: CustomEvent<string>) => {
        choose(event.detail);
      }}
    ></train-tally-search>
  `;
}

export function gpuOf({ scenario, resolved, catalog }: Context): CatalogGpu | undefined {
  const said = valueAt(scenario, '/cluster/gpu') ?? valueAt(resolved, '/cluster/gpu');
  return catalog.gpu(typeof said === 'string' ? said : stringAt(said, '/base'));
}

/** As people say it: a sentence has no room for "GeForce". */
export function shortName(gpu: CatalogGpu | undefined): string {
  return (gpu?.name ?? '').replace(/^(?:GeForce|Tesla|Quadro) /, '');
}

function gpuFacts({ locale: { t, format } }: Context, gpu: CatalogGpu): string {
  return [
    gpu.memory_gb === undefined ? '' : t('inputs.gpuMemory', { gb: format.number(gpu.memory_gb) }),
    gpu.vendor ?? '',
    gpu.architecture ?? '',
    gpu.verified === false ? t('inputs.gpuUnverified') : '',
    gpu.confidence === 'low' && gpu.verified !== false ? t('inputs.gpuLow') : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

function gpuOptions(context: Context, query: string): SearchOption[] {
  const { catalog, locale } = context;
  const { t } = locale;
  const plans = catalog
    .findOffers(query, locale.language)
    .filter((offer) => offer.per === 'plan')
    .map((offer) => ({
      id: `offer:${offer.id}`,
      label: `${offerName(offer, locale.language)} · ${offer.count} × ${catalog.gpu(offer.gpu)?.name ?? offer.gpu}`,
      detail: `${offer.provider} · ${offerPrice(context, offer)}`,
      group: t('inputs.offerGroup'),
    }));
  const gpus = gpuList(context, query);
  return query === '' ? [...plans, ...gpus] : [...gpus, ...plans];
}

function gpuList(context: Context, query: string): SearchOption[] {
  return context.catalog.findGpus(query).map((gpu) => ({
    id: gpu.id,
    label: gpu.name,
    detail: gpuFacts(context, { ...gpu, vendor: '' }),
    group: context.locale.t('inputs.gpuGroup'),
  }));
}

function chooseGpu(context: Context, id: string): void {
  const offer = id.startsWith('offer:') ? context.catalog.offer(id.slice(6)) : undefined;
  if (offer !== undefined) {
    context.show({ ownPrice: undefined });
    context.set([
      ['/cluster/gpu', offer.gpu],
      ['/cluster/count', offer.count],
      ['/cluster/per_node', undefined],
      ['/cluster/internode_gb_s_per_gpu', undefined],
      ['/price', { offer: offer.id }],
    ]);
    return;
  }
  context.set([
    ['/cluster/gpu', id],
    ['/cluster/per_node', undefined],
    ['/cluster/internode_gb_s_per_gpu', undefined],
    ['/price/offer', undefined], // it was for another card
  ]);
}

function offerPrice({ locale: { t, format } }: Context, offer: CatalogOffer): string {
  const price = offer.prices[0];
  if (price === undefined) return '';
  return t(`inputs.per.${price.per}`, { price: format.price(price.value, price.currency) });
}

function priceCard(context: Context): TemplateResult {
  const { t } = context.locale;
  const { scenario, resolved } = context;
  const currency =
    stringAt(scenario, '/price/currency') ??
    context.report?.cost?.total.currency ??
    stringAt(resolved, '/price/currency') ??
    'CNY';
  const modes = context.report?.cost?.by_billing ?? [];
  const billing = stringAt(scenario, '/price/billing');

  return html`
    <div class="card">
      <h2>${t('inputs.price')}</h2>
      ${priceFields(context, '/price', gpuOf(context)?.id, stringAt(resolved, '/price/offer'), currency)}
      <div class="pair uneven">
        ${
          context.expert && (modes.length > 1 || billing !== undefined)
            ? select(
                'billing',
                t('inputs.billing'),
                [
                  {
                    options: [
                      { value: '', label: t('inputs.billingAuto') },
                      ...[...new Set([...modes.map(({ mode }) => mode as string), billing ?? ''])]
                        .filter((mode) => mode !== '')
                        .map((mode) => ({
                          value: mode,
                          label: t(`inputs.billingModes.${mode}` as 'inputs.billingModes.monthly'),
                        })),
                    ],
                  },
                ],
                billing ?? '',
                (value) => {
                  context.set([['/price/billing', value === '' ? undefined : value]]);
                },
                problemAt(context, '/price/billing'),
                help(context.locale, 'billing', t('inputs.billing')),
              )
            : nothing
        }
        ${currencyChoice(context, 'currency', currency, (value) => {
          context.set([['/price/currency', value]]);
        })}
      </div>
    </div>
  `;
}

export function currencyChoice(
  { locale }: Context,
  name: string,
  chosen: string,
  choose: (currency: string) => void,
): TemplateResult {
  const label = locale.t('inputs.currency');
  return segmented(
    name,
    label,
    ['CNY', 'USD'].map((value) => ({ value, label: locale.format.moneyUnit(value) })),
    chosen,
    choose,
    false,
    help(locale, 'currency', label),
  );
}

/**
 * Which offer's price counts, or the visitor's own: of a scenario, or of a request that has the
 * same fields.
 * @param at where the price stands in it
 * @param taken the offer that the core took
 */
export function priceFields(
  context: Context,
  at: '/price' | '/rent',
  gpu: string | undefined,
  taken: string | undefined,
  currency: string,
): TemplateResult {
  const { t, format, language } = context.locale;
  const { scenario, catalog } = context;
  const offer = stringAt(scenario, `${at}/offer`);
  const own =
    valueAt(scenario, `${at}/per_gpu_hour`) !== undefined
      ? 'hour'
      : valueAt(scenario, `${at}/per_month`) !== undefined
        ? 'month'
        : (context.view.ownPrice ??
          // A request may bring a price of its own.
          (taken === undefined && valueAt(context.resolved, `${at}/per_month`) !== undefined
            ? 'month'
            : undefined));
  const offers = catalog.offersFor(gpu ?? '');
  const cheapest = catalog.offer(offer === undefined && own === undefined ? taken : undefined);
  const label = (entry: CatalogOffer): string =>
    `${entry.count > 1 ? `${entry.count} × ` : ''}${offerName(entry, language)} · ${offerPrice(context, entry)}`;
  const shownOffer = catalog.offer(offer) ?? cheapest;
  const ownField = (field: string, name: 'ownHourLabel' | 'ownMonthLabel'): TemplateResult =>
    number(context, `${at}/${field}`, {
      label: t(`inputs.${name}`),
      unit: format.moneyUnit(currency),
      filled: true,
      decimal: true,
    });
  return html`
    ${select(
      `${at.slice(1)}-from`,
      t('inputs.priceFrom'),
      [
        {
          options: [
            {
              value: '',
              label:
                cheapest === undefined
                  ? t('inputs.cheapest')
                  : t('inputs.cheapestFor', { offer: label(cheapest) }),
            },
            { value: 'own:hour', label: t('inputs.ownHour') },
            { value: 'own:month', label: t('inputs.ownMonth') },
          ],
        },
        ...(offers.length === 0
          ? []
          : [
              {
                label: t('inputs.offerGroup'),
                options: offers.map((entry) => ({ value: entry.id, label: label(entry) })),
              },
            ]),
      ],
      own === undefined ? (offer ?? '') : `own:${own}`,
      (value) => {
        choosePrice(context, at, value);
      },
      problemAt(context, `${at}/offer`),
      help(context.locale, 'price-from', t('inputs.priceFrom')),
    )}
    ${
      shownOffer === undefined
        ? nothing
        : html`<p class="facts">${shownOffer.provider} ${seen(context, shownOffer)}</p>`
    }
    ${
      own === 'hour'
        ? ownField('per_gpu_hour', 'ownHourLabel')
        : own === 'month'
          ? ownField('per_month', 'ownMonthLabel')
          : offers.length === 0
            ? html`<p class="facts">${t('inputs.noOffer')}</p>`
            : nothing
    }
  `;
}

/** Prices older than this are said to be. */
const stale = 60;

/** When a price was seen, and that it is old where it is; the article's, that they are the article's. */
export function seen(
  { locale }: Context,
  { id, date }: CatalogOffer,
): TemplateResult | typeof nothing {
  const { t, format } = locale;
  const days = date === undefined ? 0 : (Date.now() - Date.parse(date)) / 86_400_000;
  const name = t('quote.article');
  return html`${date === undefined ? nothing : `· ${t('inputs.seen', { date: format.date(date) })}`}
  ${
    days > stale
      ? html`<span class="old">${t('inputs.old', { age: format.age(days) })}</span>`
      : nothing
  }
  ${id.startsWith('article-') ? html`· ${name}${help(locale, 'article', name)}` : nothing}`;
}

function choosePrice(context: Context, at: string, value: string): void {
  const own = value === 'own:hour' ? 'hour' : value === 'own:month' ? 'month' : undefined;
  context.show({ ownPrice: own });
  context.set([
    [`${at}/offer`, own === undefined && value !== '' ? value : undefined],
    [`${at}/per_gpu_hour`, undefined],
    [`${at}/per_month`, undefined],
    ...(at === '/price' ? ([[`${at}/billing`, undefined]] as const) : []),
  ]);
}
