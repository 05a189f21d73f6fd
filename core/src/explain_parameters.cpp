#include "explanation.hpp"

namespace traintally {
namespace {

constexpr double real(std::int64_t n) { return static_cast<double>(n); }

constexpr const char* kShapes = "shapes of the architecture";

DerivationStep latent_attention(const Model& m, const Parameters& p) {
  const LatentAttention& a = m.mla;
  const bool ranked = a.q_lora_rank > 0;
  const double hidden = real(m.hidden);
  DerivationStep step = step_of(
      {ranked ? "h·r_q + r_q·a·(d_n + d_r) + h·(r_kv + d_r) + r_kv·a·(d_n + d_v) + a·d_v·h"
              : "h·a·(d_n + d_r) + h·(r_kv + d_r) + r_kv·a·(d_n + d_v) + a·d_v·h",
       " + # × (# + #) + # × # × (# + #) + # × #",
       {hidden, real(a.kv_lora_rank), real(a.qk_rope_head_dim), real(a.kv_lora_rank), real(m.heads),
        real(a.qk_nope_head_dim), real(a.v_head_dim), real(m.attention_out_width()), hidden},
       real(p.attention_matrix),
       "parameters of attention per layer",
       {"DeepSeek-AI 2024, arXiv 2405.04434, section 2.1"}});
  const double query = real(m.query_width());
  const double rank = real(a.q_lora_rank);
  step.numbers.insert(0, ranked ? filled("# × # + # × #", {hidden, rank, rank, query})
                                : filled("# × #", {hidden, query}));
  return step;
}

DerivationStep attention(const Model& m, const Parameters& p) {
  if (m.is_mla()) return latent_attention(m, p);
  const double hidden = real(m.hidden);
  const double query = real(m.query_width());
  return step_of({"h·a·d + 2·h·k·d + a·d·h",
                  "# × # + 2 × # × # + # × #",
                  {hidden, query, hidden, real(m.key_width()), query, hidden},
                  real(p.attention_matrix),
                  "parameters of attention per layer",
                  {kShapes}});
}

DerivationStep mlp(const char* symbols, const Model& m, std::int64_t width, const char* unit) {
  const double matrices = real(m.mlp_matrices());
  const double hidden = real(m.hidden);
  return step_of({symbols,
                  "# × # × #",
                  {matrices, hidden, real(width)},
                  matrices * hidden * real(width),
                  unit,
                  {kShapes}});
}

/// The total by its blocks; what has no block of its own is the last term.
DerivationStep total(const Model& m, const Parameters& p) {
  const std::int64_t softmax_layers = m.layers - m.linear_attention.layers;
  const double attention_all = real(softmax_layers) * real(p.attention_matrix);
  const double dense_all = real(m.dense_layers()) * real(p.dense_mlp_matrix);
  const double ends = real(p.embedding + p.head);
  std::string symbols = "L·A + L_d·F";
  std::string numbers = filled("# × # + # × #", {real(softmax_layers), real(p.attention_matrix),
                                                 real(m.dense_layers()), real(p.dense_mlp_matrix)});
  double counted = attention_all + dense_all;
  if (m.is_moe()) {
    symbols += " + L_e·(E·F_e + F_s + R)";
    numbers +=
        filled(" + # × (# × # + # + #)", {real(m.moe_layers()), real(m.moe.experts), real(p.expert),
                                          real(p.shared_expert), real(p.router)});
    counted += real(m.moe_layers()) *
               (real(m.moe.experts) * real(p.expert) + real(p.shared_expert + p.router));
  }
  symbols += " + embeddings and head + norms, biases and others";
  numbers += filled(" + # + #", {ends, real(p.total) - counted - ends});
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
  d.steps.push_back(step_of({m.tied_embeddings ? "V·h + positions" : "V·h + positions + head",
                             m.tied_embeddings && p.head == 0 ? "# × # + #" : "# × # + # + #",
                             {real(m.vocab), real(m.hidden), positions, real(p.head)},
                             real(p.embedding + p.head),
                             "parameters of embeddings and head",
                             {kShapes}}));
  d.steps.push_back(total(m, p));
  derivations.push_back(std::move(d));

  if (!job.training.adapters()) return;
  const LoraLayer& lora = job.lora_layer;
  derive(derivations, "/parameters/trainable",
         {{"L·r·Σ(in + out) of attention + L_d·r·Σ(in + out) of the MLP + L_e·(of the experts)",
           "# × # + # × # + # × #",
           {real(m.layers), real(lora.attention), real(m.dense_layers()), real(lora.dense_mlp),
            real(m.moe_layers()), real(lora.moe_mlp)},
           r.trainable_parameters,
           "parameters",
           {source::lora}}});
}

}  // namespace traintally
