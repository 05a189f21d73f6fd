#include "explanation.hpp"

namespace traintally {
namespace {

constexpr double real(std::int64_t n) { return static_cast<double>(n); }

constexpr const char* kShapes = "shapes of the architecture";

DerivationStep attention(const Model& m, const Parameters& p) {
  if (m.is_mla()) {
    const LatentAttention& a = m.mla;
    const bool ranked = a.q_lora_rank > 0;
    const std::string query = ranked ? number(m.hidden) + " × " + number(a.q_lora_rank) + " + " +
                                           number(a.q_lora_rank) + " × " + number(m.query_width())
                                     : number(m.hidden) + " × " + number(m.query_width());
    return {ranked ? "h·r_q + r_q·a·(d_n + d_r) + h·(r_kv + d_r) + r_kv·a·(d_n + d_v) + a·d_v·h"
                   : "h·a·(d_n + d_r) + h·(r_kv + d_r) + r_kv·a·(d_n + d_v) + a·d_v·h",
            query + " + " + number(m.hidden) + " × (" + number(a.kv_lora_rank) + " + " +
                number(a.qk_rope_head_dim) + ") + " + number(a.kv_lora_rank) + " × " +
                number(m.heads) + " × (" + number(a.qk_nope_head_dim) + " + " +
                number(a.v_head_dim) + ") + " + number(m.attention_out_width()) + " × " +
                number(m.hidden),
            real(p.attention_matrix),
            "parameters of attention per layer",
            {"DeepSeek-AI 2024, arXiv 2405.04434, section 2.1"}};
  }
  return {"h·a·d + 2·h·k·d + a·d·h",
          number(m.hidden) + " × " + number(m.query_width()) + " + 2 × " + number(m.hidden) +
              " × " + number(m.key_width()) + " + " + number(m.query_width()) + " × " +
              number(m.hidden),
          real(p.attention_matrix),
          "parameters of attention per layer",
          {kShapes}};
}

DerivationStep mlp(const char* symbols, const Model& m, std::int64_t width, const char* unit) {
  return {symbols,
          number(m.mlp_matrices()) + " × " + number(m.hidden) + " × " + number(width),
          real(m.mlp_matrices()) * real(m.hidden) * real(width),
          unit,
          {kShapes}};
}

/// The total by its blocks; what has no block of its own is the last term.
DerivationStep total(const Model& m, const Parameters& p) {
  const std::int64_t softmax_layers = m.layers - m.linear_attention.layers;
  const double attention_all = real(softmax_layers) * real(p.attention_matrix);
  const double dense_all = real(m.dense_layers()) * real(p.dense_mlp_matrix);
  const double ends = real(p.embedding + p.head);
  std::string symbols = "L·A + L_d·F";
  std::string numbers = number(softmax_layers) + " × " + number(p.attention_matrix) + " + " +
                        number(m.dense_layers()) + " × " + number(p.dense_mlp_matrix);
  double counted = attention_all + dense_all;
  if (m.is_moe()) {
    symbols += " + L_e·(E·F_e + F_s + R)";
    numbers += " + " + number(m.moe_layers()) + " × (" + number(m.moe.experts) + " × " +
               number(p.expert) + " + " + number(p.shared_expert) + " + " + number(p.router) + ")";
    counted += real(m.moe_layers()) *
               (real(m.moe.experts) * real(p.expert) + real(p.shared_expert + p.router));
  }
  symbols += " + embeddings and head + norms, biases and others";
  numbers += " + " + number(ends) + " + " + number(real(p.total) - counted - ends);
  return {symbols, numbers, real(p.total), "parameters", {kShapes}};
}

}  // namespace

void explain_parameters(const Report& r, std::vector<Derivation>& derivations) {
  const Job& job = r.resolved.job;
  const Model& m = job.model;
  const Parameters& p = job.parameters;
  Derivation d{"/parameters/total", {}};
  d.steps.push_back(attention(m, p));
  if (m.dense_layers() > 0) {
    d.steps.push_back(
        mlp(m.gated ? "3·h·f" : "2·h·f", m, m.ffn_hidden, "parameters of a dense MLP"));
  }
  if (m.is_moe()) {
    d.steps.push_back(mlp(m.gated ? "3·h·f_e" : "2·h·f_e", m, m.moe.ffn_hidden,
                          "parameters of an expert, without biases"));
  }
  const double positions = real(m.learned_positions) * real(m.hidden);
  d.steps.push_back({m.tied_embeddings ? "V·h + positions" : "V·h + positions + head",
                     number(m.vocab) + " × " + number(m.hidden) + " + " + number(positions) +
                         (m.tied_embeddings && p.head == 0 ? "" : " + " + number(p.head)),
                     real(p.embedding + p.head),
                     "parameters of embeddings and head",
                     {kShapes}});
  d.steps.push_back(total(m, p));
  derivations.push_back(std::move(d));

  if (!job.training.adapters()) return;
  const LoraLayer& lora = job.lora_layer;
  derivations.push_back(
      {"/parameters/trainable",
       {{"L·r·Σ(in + out) of attention + L_d·r·Σ(in + out) of the MLP + L_e·(of the experts)",
         number(m.layers) + " × " + number(lora.attention) + " + " + number(m.dense_layers()) +
             " × " + number(lora.dense_mlp) + " + " + number(m.moe_layers()) + " × " +
             number(lora.moe_mlp),
         r.trainable_parameters,
         "parameters",
         {source::lora}}}});
}

}  // namespace traintally
