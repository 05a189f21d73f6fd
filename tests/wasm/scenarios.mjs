// Random scenarios over the whole contract, the same ones for the same seed: sensible ones, and
// ones with something wrong in them.

/** mulberry32: numbers in [0, 1), the same everywhere for the same seed. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 15), z | 1);
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
    return ((z ^ (z >>> 14)) >>> 0) / 4294967296;
  };
}

/** Draws from a catalogue and from the contract's own words. */
export class Scenarios {
  constructor(catalog, seed) {
    this.catalog = catalog;
    this.next = random(seed);
  }

  chance(share) {
    return this.next() < share;
  }
  below(bound) {
    return Math.floor(this.next() * bound);
  }
  pick(values) {
    return values[this.below(values.length)];
  }
  id(table) {
    return this.pick(this.catalog[table]).id;
  }
  power(low, high) {
    return 2 ** (low + this.below(high - low + 1));
  }
  /** A number of any size between the two, as likely small as large. */
  spread(low, high) {
    return low * (high / low) ** this.next();
  }
  /** Fields, each there by its own chance. */
  some(share, fields) {
    return Object.fromEntries(
      Object.entries(fields)
        .filter(() => this.chance(share))
        .map(([name, draw]) => [name, draw()]),
    );
  }

  shape() {
    const heads = this.power(2, 7);
    const headDim = this.pick([64, 80, 96, 128]);
    const shape = {
      layers: 1 + this.below(96),
      hidden: heads * headDim,
      heads,
      ffn_hidden: 256 * (1 + this.below(160)),
      vocab: this.pick([32000, 50257, 128256, 151936]),
      ...this.some(0.3, {
        kv_heads: () => this.pick([1, heads / 2, heads / 4]),
        head_dim: () => headDim,
        gated: () => this.chance(0.5),
        tied_embeddings: () => this.chance(0.5),
        norm: () => this.pick(['rmsnorm', 'layernorm']),
        max_sequence: () => this.power(10, 20),
        learned_positions: () => this.power(9, 12),
        qk_norm: () => this.chance(0.5),
        bias_qkv: () => this.chance(0.5),
        bias_mlp: () => this.chance(0.5),
        sliding_window: () => this.power(9, 13),
        windowed_layer_share: () => this.next(),
      }),
    };
    if (this.chance(0.2)) {
      const experts = this.power(3, 8);
      shape.moe = {
        experts,
        experts_per_token: Math.min(experts, this.power(0, 3)),
        ffn_hidden: this.power(8, 12),
        ...this.some(0.3, {
          shared_ffn_hidden: () => this.power(8, 12),
          first_dense_layers: () => this.below(2),
        }),
      };
    }
    if (this.chance(0.1)) {
      shape.mla = {
        kv_lora_rank: 512,
        qk_nope_head_dim: 128,
        qk_rope_head_dim: 64,
        v_head_dim: 128,
        ...this.some(0.5, { q_lora_rank: () => 1536 }),
      };
    }
    return shape;
  }

  hfConfig() {
    const heads = this.power(3, 6);
    const hidden = heads * 128;
    return {
      architectures: ['LlamaForCausalLM'],
      model_type: this.pick(['llama', 'qwen2', 'qwen3', 'mistral', 'gemma2', 'phi3']),
      hidden_size: hidden,
      intermediate_size: hidden * this.pick([2.75, 3, 3.5, 4]),
      num_hidden_layers: 1 + this.below(80),
      num_attention_heads: heads,
      num_key_value_heads: this.pick([heads, heads / 4]),
      vocab_size: this.pick([32000, 128256, 151936]),
      rope_theta: 500000.0,
      torch_dtype: 'bfloat16',
      ...this.some(0.3, {
        tie_word_embeddings: () => this.chance(0.5),
        head_dim: () => this.pick([64, 128]),
        max_position_embeddings: () => this.power(11, 17),
        attention_bias: () => this.chance(0.5),
        transformers_version: () => '4.46.0',
      }),
    };
  }

  model() {
    const form = this.next();
    if (form < 0.6) return this.id('models');
    if (form < 0.75) return this.shape();
    if (form < 0.9) return { hf_config: this.hfConfig() };
    return { params: Math.round(this.spread(1e8, 1e12)) };
  }

  training() {
    const kind = this.pick(['pretrain', 'full', 'lora', 'qlora']);
    return {
      kind,
      ...this.some(0.4, {
        lora: () =>
          this.some(0.7, {
            rank: () => this.power(2, 8),
            targets: () => this.pick([['all-linear'], ['attention'], ['q_proj', 'v_proj']]),
            quantization: () => this.pick(['none', 'nf4', 'nf4-double', 'int8', 'gptq']),
          }),
        precision: () => this.id('precisions'),
        optimizer: () => this.id('optimizers'),
        stack: () => this.id('stacks'),
        recompute: () => this.pick(['none', 'selective', 'full']),
        flash_attention: () => this.chance(0.5),
        compile: () => this.chance(0.5),
        fused_loss: () => this.chance(0.5),
        micro_batch: () => this.power(0, 4),
        global_batch: () => this.power(0, 12),
      }),
      ...this.some(0.7, {
        sequence_length: () => this.power(7, 17),
        tokens: () =>
          this.chance(0.7)
            ? Math.round(this.spread(1e5, 1e13))
            : { dataset_tokens: this.spread(1e5, 1e12), epochs: 1 + this.below(5) },
      }),
    };
  }

  gpu() {
    if (this.chance(0.8)) return this.id('gpus');
    return {
      base: this.id('gpus'),
      ...this.some(0.5, {
        memory_gb: () => this.spread(8, 300),
        memory_bandwidth_gb_s: () => this.spread(200, 8000),
        bf16_tflops: () => this.spread(50, 3000),
        power_limit_w: () => this.spread(150, 1500),
      }),
    };
  }

  cluster(count) {
    return {
      gpu: this.gpu(),
      count,
      ...this.some(0.2, {
        per_node: () => this.power(0, 3),
        internode_gb_s_per_gpu: () => this.spread(1, 100),
      }),
    };
  }

  layout(count) {
    const degrees = { tp: 1, pp: 1, cp: 1 };
    let left = count;
    for (const name of ['tp', 'pp', 'cp']) {
      const degree = this.power(0, 3);
      if (this.chance(0.4) && left % degree === 0) {
        degrees[name] = degree;
        left /= degree;
      }
    }
    return {
      ...degrees,
      ...this.some(0.4, {
        dp: () => left,
        ep: () => this.power(0, 3),
        etp: () => 1,
        zero: () => this.below(4),
        shard_group: () => this.pick([0, left]),
        sequence_parallel: () => this.chance(0.5),
        virtual_stages: () => this.power(0, 2),
        offload: () => this.pick(['none', 'optimizer', 'parameters', 'activations']),
      }),
    };
  }

  decimal() {
    return this.spread(0.1, 1e6).toFixed(this.below(5));
  }

  price() {
    if (this.chance(0.3)) return { offer: this.id('offers') };
    const unit = this.pick(['per_gpu_hour', 'per_gpu_month', 'per_hour', 'per_month', 'per_year']);
    return {
      [unit]: this.decimal(),
      currency: this.pick(['CNY', 'USD']),
      ...this.some(0.2, {
        billing: () => this.pick(['on_demand', 'daily', 'monthly', 'annual', 'spot']),
        annual_factor: () => '0.65',
        cny_per_usd: () => '7.1',
        tax_included: () => this.chance(0.5),
      }),
    };
  }

  /** A scenario that a visitor could mean. */
  sensible() {
    const count = this.chance(0.8) ? this.power(0, 11) : 1 + this.below(3000);
    return {
      version: 1,
      model: this.model(),
      training: this.training(),
      cluster: this.cluster(count),
      ...this.some(0.4, { layout: () => (this.chance(0.3) ? 'auto' : this.layout(count)) }),
      ...this.some(0.3, {
        method: () => this.pick(['detailed', 'published']),
        price: () => this.price(),
        explain: () => this.chance(0.5),
      }),
      ...this.some(0.1, {
        measured: () =>
          this.chance(0.5)
            ? { tokens_per_second: this.spread(10, 1e7) }
            : { step_s: this.spread(0.01, 100) },
        reliability: () =>
          this.some(0.5, {
            failures_per_gpu_day: () => this.spread(1e-6, 1e-2),
            checkpoint_interval_s: () => this.spread(60, 1e5),
            storage_write_gb_s: () => this.spread(0.1, 1000),
            asynchronous_checkpoints: () => this.chance(0.5),
            restart_s: () => this.spread(10, 3600),
            startup_s: () => this.spread(10, 3600),
          }),
        storage: () =>
          this.some(0.5, {
            capacity_tb: () => this.spread(0.1, 1000),
            bytes_per_token: () => this.pick([2, 4]),
            checkpoints_kept: () => this.below(10),
          }),
        energy: () =>
          this.some(0.5, {
            pue: () => 1 + this.next(),
            load: () => 0.1 + 0.9 * this.next(),
            kg_co2_per_kwh: () => this.next(),
            tariff_per_kwh: () => '0.8',
          }),
      }),
    };
  }

  /** Replaces one value somewhere in the document by one that doesn't belong there. */
  spoil(document) {
    const places = [];
    const visit = (node) => {
      for (const key of Object.keys(node)) {
        places.push([node, key]);
        if (typeof node[key] === 'object' && node[key] !== null) visit(node[key]);
      }
    };
    visit(document);
    const [node, key] = this.pick(places);
    const wrong = [
      null,
      true,
      -1,
      0,
      0.5,
      1e300,
      -1e300,
      1e9,
      2 ** 53,
      '',
      'no-such-thing',
      [],
      {},
    ];
    const how = this.next();
    if (how < 0.15) {
      delete node[key];
    } else if (how < 0.3) {
      node[`${key}_`] = node[key];
    } else {
      node[key] = this.pick(wrong);
    }
    return document;
  }

  /** The text of a scenario: mostly sensible, some spoilt, a few no JSON at all. */
  text() {
    const document = this.sensible();
    const kind = this.next();
    if (kind < 0.75) return JSON.stringify(document);
    while (this.chance(0.4)) this.spoil(document);
    const text = JSON.stringify(this.spoil(document));
    return kind < 0.97 ? text : text.slice(0, this.below(text.length));
  }
}

/** `count` scenario texts. */
export function scenarioTexts(catalog, count, seed) {
  const scenarios = new Scenarios(catalog, seed);
  return Array.from({ length: count }, () => scenarios.text());
}
