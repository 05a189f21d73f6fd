#include <traintally/resolve.hpp>

#include "limits.hpp"

namespace traintally {
namespace {

constexpr double real(std::int64_t n) { return static_cast<double>(n); }

std::string up_to(std::int64_t high) { return ">= 0, <= " + std::to_string(high); }

/// An upper bound of the parameter count in doubles, so that the exact count can be made in
/// integers once it is known to be in range.
double rough_parameters(const Model& m) {
  const double h = real(m.hidden);
  const double mlp = 3 * h;
  double attention = h * (real(m.query_width()) + real(m.key_width()) + real(m.value_width()) +
                          real(m.attention_out_width()));
  if (m.is_mla()) {
    const double latent = real(m.mla.kv_lora_rank + m.mla.qk_rope_head_dim + m.mla.q_lora_rank);
    attention += latent * (h + 2 * real(m.query_width()) + real(m.attention_out_width()));
  }
  const double mixture =
      mlp * (real(m.moe.ffn_hidden) * real(m.moe.experts) + real(m.moe.shared_ffn_hidden)) +
      h * real(m.moe.experts);
  const double layer = attention + mlp * real(m.ffn_hidden) + (m.is_moe() ? mixture : 0) +
                       h * (m.norms_per_layer * 2 + 8) + real(m.linear_attention.params_per_layer);
  const double extra = real(m.extra_parameters < 0 ? -m.extra_parameters : m.extra_parameters);
  return real(m.layers) * layer + h * (2 * real(m.vocab) + real(m.learned_positions)) + extra;
}

}  // namespace

void check_model(const Model& m, const std::string& at, Problems& problems) {
  const std::size_t before = problems.size();
  const auto problem = [&](const char* field, const char* code, std::string accepts) {
    problems.push_back({at + field, code, std::move(accepts)});
  };
  if (m.layers < 1 || m.hidden < 1 || m.heads < 1 || m.kv_heads < 1 || m.vocab < 1) {
    problem("", "not_positive", "layers, hidden, heads, kv_heads, vocab >= 1");
    return;
  }
  if (!m.is_mla() && m.heads % m.kv_heads != 0) {
    problem("/kv_heads", "not_divisible", "divides heads = " + std::to_string(m.heads));
  }
  if (m.is_moe()) {
    if (m.moe.experts_per_token > m.moe.experts) {
      problem("/moe/experts_per_token", "out_of_range", up_to(m.moe.experts));
    }
    if (m.moe.layers < 1 || m.moe.layers + m.moe.first_dense_layers > m.layers) {
      problem("/moe/layers", "out_of_range",
              ">= 1, <= " + std::to_string(m.layers - m.moe.first_dense_layers));
    }
    if (m.moe.ffn_hidden < 1) problem("/moe/ffn_hidden", "not_positive", ">= 1");
  }
  if (m.ffn_hidden < 1 && m.dense_layers() > 0) problem("/ffn_hidden", "not_positive", ">= 1");
  if (m.linear_attention.layers > m.layers) {
    problem("/linear_attention/layers", "out_of_range", up_to(m.layers));
  }
  if (rough_parameters(m) > limits::model_parameters) {
    problem("", "model_too_large", "<= 1e15 parameters");
    return;
  }
  if (problems.size() == before && count_parameters(m).total < 1) {
    problem("/extra_parameters", "out_of_range", "total >= 1");
  }
}

}  // namespace traintally
