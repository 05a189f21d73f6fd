#include "stage.hpp"

namespace traintally {
namespace {

constexpr double real(std::int64_t n) { return static_cast<double>(n); }

struct Span {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

Span stage_span(std::int64_t layers, std::int64_t stages, std::int64_t stage) {
  const std::int64_t base = layers / stages;
  const std::int64_t extra = layers % stages;
  // The longer stages sit in the middle: [first, first + extra).
  const std::int64_t first = (stages - extra) / 2;
  const auto longer_before = [&](std::int64_t index) {
    if (index <= first) return std::int64_t{0};
    return index - first < extra ? index - first : extra;
  };
  return {stage * base + longer_before(stage), (stage + 1) * base + longer_before(stage + 1)};
}

}  // namespace

StageLayers stage_layers(const Model& m, const Layout& layout, std::int64_t stage) {
  const Span span = stage_span(m.layers, layout.pp, stage);
  const double layers = real(span.end - span.begin);
  if (!m.is_moe()) return {layers, 0};
  if (m.moe.first_dense_layers > 0 && m.dense_layers() == m.moe.first_dense_layers) {
    std::int64_t dense_end =
        m.moe.first_dense_layers < span.end ? m.moe.first_dense_layers : span.end;
    if (dense_end < span.begin) dense_end = span.begin;
    return {real(dense_end - span.begin), real(span.end - dense_end)};
  }
  const double share = real(m.moe_layers()) / real(m.layers);
  return {layers * (1 - share), layers * share};
}

StageRuns stage_runs(const Model& m, const Layout& layout) {
  const std::int64_t stages = layout.pp;
  const std::int64_t base = m.layers / stages;
  const std::int64_t extra = m.layers % stages;
  const std::int64_t longer = (stages - extra) / 2;
  // Where a stage may differ from the one before it, in order; then two that may lie anywhere.
  std::int64_t starts[StageRuns::kMost] = {0, 1, longer, longer + extra, stages - 1, stages};
  int count = 6;
  if (m.is_moe() && m.moe.first_dense_layers > 0) {
    // The stage of the first layer after the dense ones.
    std::int64_t layer = m.moe.first_dense_layers;
    std::int64_t stage = stages;
    if (layer < longer * base) {
      stage = layer / base;
    } else if (layer -= longer * base; layer < extra * (base + 1)) {
      stage = longer + layer / (base + 1);
    } else if (layer -= extra * (base + 1); base > 0 && layer < (stages - longer - extra) * base) {
      stage = longer + extra + layer / base;
    }
    starts[count++] = stage;
    starts[count++] = stage < stages ? stage + 1 : stages;
  }
  for (int i = 1; i < count; ++i) {  // a few, nearly in order
    for (int j = i; j > 0 && starts[j] < starts[j - 1]; --j) {
      const std::int64_t later = starts[j - 1];
      starts[j - 1] = starts[j];
      starts[j] = later;
    }
  }
  StageRuns result;
  for (int i = 0; i + 1 < count; ++i) {
    if (starts[i] == starts[i + 1]) continue;
    result.runs[result.count++] = {stage_layers(m, layout, starts[i]), starts[i],
                                   starts[i + 1] - starts[i]};
  }
  return result;
}

double padded_vocab(const Job& job) {
  const double multiple = job.stack.vocab_multiple * real(job.layout.tp);
  if (multiple <= 1) return real(job.model.vocab);
  const auto step = static_cast<std::int64_t>(multiple);
  return real((job.model.vocab + step - 1) / step * step);
}

double kv_split(const Job& job) {
  const std::int64_t t = job.layout.tp;
  return real(job.model.is_mla() || t < job.model.kv_heads ? t : job.model.kv_heads);
}

ParameterShares parameter_shares(const Job& job) {
  const Model& m = job.model;
  const Parameters& p = job.parameters;
  const Layout& l = job.layout;
  const double t = real(l.tp);
  const double expert_ranks = real(l.ep * l.etp);

  ParameterShares shares;
  const double linear_share = real(m.linear_attention.layers) / real(m.layers);
  const double kv = m.is_mla() ? 0 : real(m.hidden * (m.key_width() + m.value_width()));
  const double softmax_attention =
      (real(p.attention_matrix) - kv) / t + kv / kv_split(job) + real(p.attention_other);
  const double common = (1 - linear_share) * softmax_attention +
                        linear_share * real(m.linear_attention.params_per_layer) / t + p.norms;
  shares.norms = p.norms;
  shares.dense_layer.dense = common + real(p.dense_mlp_matrix + p.dense_mlp_other) / t;
  if (m.is_moe()) {
    shares.mixture_layer.dense = common + real(p.router) + real(p.shared_expert) / t;
    shares.mixture_layer.expert = real(m.moe.experts * p.expert) / expert_ranks;
  }
  shares.extra = real(m.extra_parameters) / real(m.layers) / t;

  const double vocab_growth = padded_vocab(job) / real(m.vocab);
  const double table = real(m.vocab * m.hidden) * vocab_growth / t;
  shares.embedding = table + real(m.learned_positions * m.hidden);
  shares.head = real(p.head) * vocab_growth / t + real(p.final);
  if (m.tied_embeddings) shares.head_copy = table;

  if (job.training.adapters()) {
    // One side of an adapter is split by tensor parallelism, the other is not: half of it, roughly.
    const double split = (1 + 1 / t) / 2;
    const double attention = split * real(job.lora_layer.attention);
    shares.dense_adapters.dense = attention + split * real(job.lora_layer.dense_mlp);
    shares.mixture_adapters.dense = attention;
    shares.mixture_adapters.expert = real(job.lora_layer.moe_mlp) / expert_ranks;
  }
  return shares;
}

StageParameters stage_parameters(const Job& job, const ParameterShares& shares,
                                 const StageLayers& layers, std::int64_t stage) {
  const bool first = stage == 0;
  const bool last = stage == job.layout.pp - 1;
  StageParameters result;
  if (first) result.ends += shares.embedding;
  if (last) result.ends += shares.head;
  if (last && !first) result.ends += shares.head_copy;

  const double linear = layers.dense * shares.dense_layer.dense +
                        layers.mixture * shares.mixture_layer.dense + layers.all() * shares.extra;
  const double experts = layers.mixture * shares.mixture_layer.expert;
  if (!job.training.adapters()) {
    result.dense_trainable = linear + result.ends;
    result.expert_trainable = experts;
    return result;
  }
  const double norms = layers.all() * shares.norms;
  result.frozen_linear = linear - norms;
  result.frozen_expert = experts;
  result.frozen_other = result.ends + norms;
  result.dense_trainable =
      layers.dense * shares.dense_adapters.dense + layers.mixture * shares.mixture_adapters.dense;
  result.expert_trainable = layers.mixture * shares.mixture_adapters.expert;
  return result;
}

double expert_shard_ranks(const Layout& layout) {
  const double ranks =
      real(layout.expert_data_ranks()) * real(layout.shard_ranks()) / real(layout.data_ranks());
  return ranks < 1 ? 1 : ranks;
}

double bytes_per_logit(const Job& job) {
  // The stacks' figures are of a 16-bit head; one that computes in fp32 has wider logits.
  const double plain = job.stack.logits_bytes + job.states.activation - 2;
  return job.training.fused_loss ? job.stack.fused_logits_bytes : plain;
}

double micro_batches_in_flight(const Job& job, std::int64_t stage, std::int64_t micro_batches) {
  const double p = real(job.layout.pp);
  const double v = real(job.layout.virtual_stages);
  const double m = real(micro_batches);
  const double r = real(stage);
  const double held = v > 1 && p > 1 ? (p * (v - 1) + 2 * (p - r) - 1) / v : p - r;
  return held < m ? held : m;
}

}  // namespace traintally
