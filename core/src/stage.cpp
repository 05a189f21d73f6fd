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

double padded_vocab(const Job& job) {
  const double multiple = job.stack.vocab_multiple * real(job.layout.tp);
  if (multiple <= 1) return real(job.model.vocab);
  const auto step = static_cast<std::int64_t>(multiple);
  return real((job.model.vocab + step - 1) / step * step);
}

LayerParameters layer_parameters(const Job& job, bool mixture) {
  const Model& m = job.model;
  const Parameters& p = job.parameters;
  const double t = real(job.layout.tp);
  const double linear_share = real(m.linear_attention.layers) / real(m.layers);
  LayerParameters layer;
  layer.dense = (1 - linear_share) * (real(p.attention_matrix) / t + real(p.attention_other)) +
                linear_share * real(m.linear_attention.params_per_layer) / t + p.norms;
  if (mixture) {
    layer.dense += real(p.router) + real(p.shared_expert) / t;
    layer.expert = real(m.moe.experts * p.expert) / real(job.layout.ep * job.layout.etp);
  } else {
    layer.dense += real(p.dense_mlp_matrix + p.dense_mlp_other) / t;
  }
  return layer;
}

StageParameters stage_parameters(const Job& job, std::int64_t stage) {
  const Model& m = job.model;
  const Parameters& p = job.parameters;
  const Layout& l = job.layout;
  const double t = real(l.tp);
  const StageLayers layers = stage_layers(m, l, stage);
  const bool first = stage == 0;
  const bool last = stage == l.pp - 1;

  const double vocab_growth = padded_vocab(job) / real(m.vocab);
  const double table = real(m.vocab * m.hidden) * vocab_growth / t;
  const double positions = real(m.learned_positions * m.hidden);
  double ends = 0;
  if (first) ends += table + positions;
  if (last && !m.tied_embeddings) ends += real(p.head) * vocab_growth / t;
  if (last && m.tied_embeddings && !first) ends += table;  // the copy that the head reads
  if (last) ends += real(p.final);
  ends += real(m.extra_parameters) * layers.all() / real(m.layers) / t;

  const LayerParameters dense = layer_parameters(job, false);
  const LayerParameters mixture = m.is_moe() ? layer_parameters(job, true) : LayerParameters{};
  const double linear = layers.dense * dense.dense + layers.mixture * mixture.dense;
  const double experts = layers.mixture * mixture.expert;

  StageParameters result;
  if (!job.training.adapters()) {
    result.dense_trainable = linear + ends;
    result.expert_trainable = experts;
    return result;
  }
  const double norms = layers.all() * p.norms;
  result.frozen_linear = linear - norms;
  result.frozen_expert = experts;
  result.frozen_other = ends + norms;
  // One side of an adapter is split by tensor parallelism, the other is not: half of it, roughly.
  const double split = (1 + 1 / t) / 2;
  result.dense_trainable = split * (layers.all() * real(job.lora_layer.attention) +
                                    layers.dense * real(job.lora_layer.dense_mlp));
  result.expert_trainable = layers.mixture * real(job.lora_layer.moe_mlp) / real(l.ep * l.etp);
  return result;
}

double micro_batches_in_flight(const Job& job, std::int64_t stage) {
  const double p = real(job.layout.pp);
  const double v = real(job.layout.virtual_stages);
  const double m = real(job.micro_batches());
  const double r = real(stage);
  const double held = v > 1 && p > 1 ? (p * (v - 1) + 2 * (p - r) - 1) / v : p - r;
  return held < m ? held : m;
}

}  // namespace traintally
