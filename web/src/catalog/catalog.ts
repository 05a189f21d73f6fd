/**
 * What the page shows of the catalogue: names to search, shapes and prices to display. The core has
 * the same text and does all the reckoning; nothing here is computed from.
 */
import { numberAt, stringAt, type JsonObject } from '../scenario/document';
import { parseNumber } from '../scenario/number';
import type { TextLanguage } from '../scenario/text-size';
import type { Language } from '../format/format';

type Confidence = 'high' | 'medium' | 'low';

export interface CatalogModel {
  readonly id: string;
  readonly name: string;
  readonly family?: string;
  readonly aliases?: readonly string[];
  readonly published_params?: number;
  readonly published_active_params?: number;
  readonly layers: number;
  readonly hidden: number;
  readonly heads: number;
  readonly kv_heads?: number;
  readonly vocab: number;
  readonly mla?: object;
  readonly moe?: { readonly experts: number; readonly experts_per_token: number };
  readonly source?: string;
  readonly confidence?: Confidence;
}

export interface CatalogGpu {
  readonly id: string;
  readonly name: string;
  readonly vendor?: string;
  readonly architecture?: string;
  readonly aliases?: readonly string[];
  readonly memory_gb?: number;
  readonly usable_gib?: number;
  readonly per_server?: number;
  readonly verified?: boolean;
  readonly confidence?: Confidence;
  readonly sources?: readonly string[];
  readonly notes?: string;
}

export type BillingMode = 'on_demand' | 'daily' | 'monthly' | 'annual' | 'spot';

export interface OfferPrice {
  readonly mode: BillingMode;
  readonly per: 'hour' | 'day' | 'month' | 'year';
  readonly value: string;
  readonly currency: string;
}

export interface CatalogOffer {
  readonly id: string;
  readonly provider: string;
  /** A provider's own list may have none, or one alone. */
  readonly name?: { readonly zh?: string; readonly en?: string };
  readonly gpu: string;
  readonly count: number;
  /** Prices are of one GPU, or of the plan's `count` GPUs. */
  readonly per: 'gpu' | 'plan';
  readonly prices: readonly OfferPrice[];
  readonly date?: string;
  readonly source?: string;
}

export interface Stack {
  readonly id: string;
  readonly name: string;
  readonly family: string;
  readonly aliases?: readonly string[];
  readonly sources?: readonly string[];
}

export interface Choice {
  readonly id: string;
  readonly sources?: readonly string[];
}

/** What a seller stated, to try the check of a quote with. */
export interface CatalogQuote {
  readonly id: string;
  readonly name: { readonly zh: string; readonly en: string };
  readonly quote: JsonObject;
}

/** How much text makes a token, and how many tokens others trained on. */
export interface TextFacts {
  readonly languages: readonly TextLanguage[];
  readonly source: string;
  readonly tokens_per_parameter?: { readonly value: number; readonly source: string };
  readonly amounts: readonly {
    readonly id: string;
    readonly name: string;
    readonly rows?: number;
    readonly tokens?: number;
    readonly epochs?: number;
    readonly source: string;
  }[];
}

const noText: TextFacts = { languages: [], source: '', amounts: [] };

export interface CatalogDocument {
  readonly text?: TextFacts;
  readonly quotes?: readonly CatalogQuote[];
  readonly models?: readonly CatalogModel[];
  readonly gpus?: readonly CatalogGpu[];
  readonly offers?: readonly CatalogOffer[];
  readonly stacks?: readonly Stack[];
  readonly optimizers?: readonly Choice[];
  readonly precisions?: readonly Choice[];
}

export class Catalog {
  readonly quotes: readonly CatalogQuote[];
  readonly models: readonly CatalogModel[];
  readonly gpus: readonly CatalogGpu[];
  readonly offers: readonly CatalogOffer[];
  readonly stacks: readonly Stack[];
  readonly optimizers: readonly Choice[];
  readonly precisions: readonly Choice[];
  readonly text: TextFacts;
  private readonly haystacks = new Map<string, string>();

  /** @param own entries that are added, or take the place of those of the same id */
  constructor(document: CatalogDocument, own: CatalogDocument = {}) {
    this.models = merged(document.models, own.models, ['name']);
    this.gpus = merged(document.gpus, own.gpus, ['name']);
    this.offers = merged(document.offers, own.offers, ['provider', 'gpu']);
    this.quotes = document.quotes ?? [];
    this.stacks = document.stacks ?? [];
    this.optimizers = document.optimizers ?? [];
    this.precisions = document.precisions ?? [];
    this.text = document.text ?? noText;
  }

  /** By id, name or alias, as the core looks it up. */
  model(id: string | undefined): CatalogModel | undefined {
    return byName(this.models, id, plainModelName);
  }

  gpu(id: string | undefined): CatalogGpu | undefined {
    return byName(this.gpus, id);
  }

  offer(id: string | undefined): CatalogOffer | undefined {
    return this.offers.find((offer) => offer.id === id);
  }

  stack(id: string | undefined): Stack | undefined {
    return byName(this.stacks, id);
  }

  offersFor(gpu: string): readonly CatalogOffer[] {
    return this.offers.filter((offer) => (this.gpu(offer.gpu)?.id ?? offer.gpu) === gpu);
  }

  findModels(query: string): readonly CatalogModel[] {
    // Where names match equally well, the newest of a series first.
    const series = [...new Set(this.models.map(seriesOf))];
    return this.ranked(
      this.models,
      query,
      (model) => [model.name, model.id, model.family ?? '', ...(model.aliases ?? [])],
      (a, b) =>
        series.indexOf(seriesOf(a)) - series.indexOf(seriesOf(b)) ||
        generationOf(b) - generationOf(a),
    );
  }

  findGpus(query: string): readonly CatalogGpu[] {
    return this.ranked(this.gpus, query, (gpu) => [
      gpu.name,
      gpu.id,
      gpu.vendor ?? '',
      gpu.architecture ?? '',
      ...(gpu.aliases ?? []),
    ]);
  }

  findOffers(query: string, language: Language): readonly CatalogOffer[] {
    return this.ranked(this.offers, query, (offer) => [
      offerName(offer, language),
      offer.provider,
      ...Object.values(offer.name ?? {}),
      ...(this.gpu(offer.gpu)?.aliases ?? []),
      offer.gpu,
    ]);
  }

  /** Every word of the query must be found; a name that begins with it comes first. */
  private ranked<T extends { readonly id: string }>(
    entries: readonly T[],
    query: string,
    texts: (entry: T) => readonly string[],
    tie: (a: T, b: T) => number = () => 0,
  ): readonly T[] {
    const words = query.normalize('NFKC').toLowerCase().split(/\s+/).map(plain).filter(Boolean);
    if (words.length === 0) return [...entries].sort(tie);
    const whole = words.join('');
    const found: { entry: T; rank: number }[] = [];
    for (const entry of entries) {
      let haystack = this.haystacks.get(entry.id);
      if (haystack === undefined) {
        haystack = texts(entry)
          .map((text) => plain(text.normalize('NFKC').toLowerCase()))
          .join('\n');
        this.haystacks.set(entry.id, haystack);
      }
      if (!words.every((word) => haystack.includes(word))) continue;
      const rank = haystack.startsWith(whole) ? 0 : haystack.includes(`\n${whole}`) ? 1 : 2;
      found.push({ entry, rank });
    }
    return found.sort((a, b) => a.rank - b.rank || tie(a.entry, b.entry)).map(({ entry }) => entry);
  }

  /** The newest model of this shape, by the names that a config.json has for it. */
  shapedAs(config: JsonObject): CatalogModel | undefined {
    const of = (...names: readonly string[]): number | undefined =>
      names.map((name) => numberAt(config, `/${name}`)).find((value) => value !== undefined);
    const heads = of('num_attention_heads', 'n_head');
    const kv = of('num_key_value_heads') ?? heads;
    return this.models.findLast(
      (model) =>
        model.layers === of('num_hidden_layers', 'n_layer') &&
        model.hidden === of('hidden_size', 'n_embd') &&
        model.heads === heads &&
        (model.mla !== undefined || (model.kv_heads ?? model.heads) === kv) &&
        model.vocab === of('vocab_size'),
    );
  }
}

/** "Qwen" of Qwen2.5: what all generations have in common. */
const seriesOf = ({ family, name }: CatalogModel): string =>
  /^[a-z]+/i.exec(family ?? name)?.[0] ?? name;

/** 2.5 of "Qwen2.5 32B": the first number that is no size. */
const generationOf = ({ name }: CatalogModel): number =>
  Number(/\d+(?:\.\d+)?(?![\d.]*[BMTx])/.exec(name)?.[0] ?? 0);

function merged<T extends { readonly id: string }>(
  entries: readonly T[] = [],
  given: readonly T[] = [],
  texts: readonly string[],
): readonly T[] {
  // The core says what is wrong with an entry; here it is only not shown.
  const own = given.filter((entry) =>
    ['id', ...texts].every((path) => stringAt(entry, `/${path.replace('.', '/')}`) !== undefined),
  );
  const ids = new Set(own.map(({ id }) => id));
  return [...own, ...entries.filter(({ id }) => !ids.has(id))];
}

export function offerName(offer: CatalogOffer, language: Language): string {
  const { zh, en } = offer.name ?? {};
  return (language === 'zh-CN' ? (zh ?? en) : (en ?? zh)) ?? offer.gpu;
}

/** Who sells it and as what, each said once. */
export function soldAs(offer: CatalogOffer, language: Language): string {
  const name = offerName(offer, language);
  return name.startsWith(offer.provider) || offer.provider.startsWith('market')
    ? name
    : `${offer.provider} · ${name}`;
}

/** "7B", "130亿": a size that a model could have; plain small numbers are names ("7" as in "Qwen 7…"). */
export function sizeIn(query: string): number | undefined {
  const number = parseNumber(query);
  return number.ok && number.value >= 1e6 && number.value <= 1e14 ? number.value : undefined;
}

function plain(text: string): string {
  return text.replace(/[\s\-_.·×x/]/g, '');
}

/** By id, name or alias, as the core spells names (core/src/spelling.hpp). */
function byName<
  T extends {
    readonly id: string;
    readonly name?: string;
    readonly vendor?: string;
    readonly aliases?: readonly string[];
  },
>(entries: readonly T[], id: string | undefined, spelt = plainName): T | undefined {
  if (id === undefined) return undefined;
  const exact = entries.find((entry) => entry.id === id);
  const wanted = spelt(id);
  if (exact !== undefined || wanted === '') return exact;
  const among = (names: (entry: T) => readonly string[]): T | undefined =>
    entries.find((entry) => {
      const vendor = plainName(entry.vendor ?? '');
      return names(entry)
        .map(spelt)
        .some((name) => name === wanted || (vendor !== '' && vendor + name === wanted));
    });
  return (
    among(({ id, name }) => (name === undefined ? [id] : [id, name])) ??
    among(({ aliases }) => aliases ?? [])
  );
}

function plainName(name: string): string {
  return name.replace(/[ _-]/g, '').toLowerCase();
}

function plainModelName(name: string): string {
  const words = name.slice(name.lastIndexOf('/') + 1).split(/[ _-]/);
  return plainName(words.filter((word) => !/^(base|chat|hf|instruct|it|pt)$/i.test(word)).join(''));
}
