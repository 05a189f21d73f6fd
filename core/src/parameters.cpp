#include <traintally/parameters.hpp>

#include <traintally/training.hpp>

namespace traintally {
namespace {

std::int64_t norm_width(const Model& m) { return m.norm == Norm::layernorm ? 2 : 1; }

std::int64_t attention_matrix(const Model& m) {
  if (!m.is_mla()) {
    return m.hidden * (m.query_width() + m.key_width() + m.value_width()) +
           m.attention_out_width() * m.hidden;
  }
  const LatentAttention& a = m.mla;
  const std::int64_t query = a.q_lora_rank > 0
                                 ? m.hidden * a.q_lora_rank + a.q_lora_rank * m.query_width()
                                 : m.hidden * m.query_width();
  const std::int64_t down = m.hidden * (a.kv_lora_rank + a.qk_rope_head_dim);
  const std::int64_t up = a.kv_lora_rank * m.heads * (a.qk_nope_head_dim + a.v_head_dim);
  return query + down + up + m.attention_out_width() * m.hidden;
}

std::int64_t attention_other(const Model& m) {
  std::int64_t count = 0;
  if (m.bias_qkv) count += m.query_width() + m.key_width() + m.value_width();
  if (m.bias_attention_out) count += m.hidden;
  if (m.qk_norm) count += 2 * m.head_dim * norm_width(m);
  if (m.is_mla()) count += m.mla.q_lora_rank + m.mla.kv_lora_rank;
  return count;
}

std::int64_t mlp_bias(const Model& m, std::int64_t width) {
  return m.bias_mlp ? (m.mlp_matrices() - 1) * width + m.hidden : 0;
}

}  // namespace

Parameters count_parameters(const Model& m) {
  Parameters p;
  p.embedding = m.vocab * m.hidden + m.learned_positions * m.hidden;
  p.head_matrix = m.vocab * m.hidden;
  p.head = (m.tied_embeddings ? 0 : p.head_matrix) + (m.bias_head ? m.vocab : 0);
  p.attention_matrix = attention_matrix(m);
  p.attention_other = attention_other(m);
  p.dense_mlp_matrix = m.mlp_matrices() * m.hidden * m.ffn_hidden;
  p.dense_mlp_other = mlp_bias(m, m.ffn_hidden);
  if (m.is_moe()) {
    const MixtureOfExperts& e = m.moe;
    p.expert = m.mlp_matrices() * m.hidden * e.ffn_hidden + mlp_bias(m, e.ffn_hidden);
    p.shared_expert = m.mlp_matrices() * m.hidden * e.shared_ffn_hidden +
                      (e.shared_ffn_hidden > 0 ? mlp_bias(m, e.shared_ffn_hidden) : 0) +
                      (e.shared_gate ? m.hidden : 0);
    p.router = m.hidden * e.experts + (e.router_bias ? e.experts : 0);
  }
  const std::int64_t norm = m.hidden * norm_width(m);
  p.norms = m.norms_per_layer * static_cast<double>(norm);
  p.final = (m.final_norm ? norm : 0) + (m.embedding_norm ? norm : 0);

  const std::int64_t softmax_layers = m.layers - m.linear_attention.layers;
  const std::int64_t common = softmax_layers * (p.attention_matrix + p.attention_other) +
                              m.linear_attention.layers * m.linear_attention.params_per_layer +
                              static_cast<std::int64_t>(p.norms * static_cast<double>(m.layers)) +
                              m.dense_layers() * (p.dense_mlp_matrix + p.dense_mlp_other) +
                              p.embedding + p.head + p.final + m.extra_parameters;
  const std::int64_t mixture = p.shared_expert + p.router;
  p.total = common + m.moe_layers() * (mixture + m.moe.experts * p.expert);
  p.active = common + m.moe_layers() * (mixture + m.moe.experts_per_token * p.expert);
  return p;
}

LoraLayer count_lora_layer(const Model& m, std::int64_t rank, unsigned targets) {
  LoraLayer layer;
  const auto adapter = [rank](std::int64_t in, std::int64_t out) { return rank * (in + out); };
  const auto has = [targets](unsigned target) { return (targets & target) != 0; };

  if (m.is_mla()) {
    const LatentAttention& a = m.mla;
    if (has(lora_target::q)) {
      layer.attention += a.q_lora_rank > 0 ? adapter(m.hidden, a.q_lora_rank) +
                                                 adapter(a.q_lora_rank, m.query_width())
                                           : adapter(m.hidden, m.query_width());
    }
    if (has(lora_target::k)) {
      layer.attention += adapter(m.hidden, a.kv_lora_rank + a.qk_rope_head_dim);
    }
    if (has(lora_target::v)) {
      layer.attention += adapter(a.kv_lora_rank, m.heads * (a.qk_nope_head_dim + a.v_head_dim));
    }
  } else {
    if (has(lora_target::q)) layer.attention += adapter(m.hidden, m.query_width());
    if (has(lora_target::k)) layer.attention += adapter(m.hidden, m.key_width());
    if (has(lora_target::v)) layer.attention += adapter(m.hidden, m.value_width());
  }
  if (has(lora_target::o)) layer.attention += adapter(m.attention_out_width(), m.hidden);

  const auto mlp = [&](std::int64_t width) {
    std::int64_t count = 0;
    if (has(lora_target::gate) && m.gated) count += adapter(m.hidden, width);
    if (has(lora_target::up)) count += adapter(m.hidden, width);
    if (has(lora_target::down)) count += adapter(width, m.hidden);
    return count;
  };
  layer.dense_mlp = mlp(m.ffn_hidden);
  if (m.is_moe()) {
    layer.moe_mlp = m.moe.experts * mlp(m.moe.ffn_hidden);
    if (m.moe.shared_ffn_hidden > 0) layer.moe_mlp += mlp(m.moe.shared_ffn_hidden);
  }
  return layer;
}

std::int64_t count_lora_parameters(const Model& m, std::int64_t rank, unsigned targets) {
  const LoraLayer layer = count_lora_layer(m, rank, targets);
  return m.layers * layer.attention + m.dense_layers() * layer.dense_mlp +
         m.moe_layers() * layer.moe_mlp;
}

}  // namespace traintally
