#include <traintally/flops.hpp>

#include "attention_pairs.hpp"

namespace traintally {
namespace {
constexpr double real(std::int64_t n) { return static_cast<double>(n); }
}  // namespace

StepFlops count_step_flops(const Job& job) {
  const Model& m = job.model;
  const Parameters& p = job.parameters;
  const double sequence = real(job.training.sequence_length);
  const double sequences = real(job.training.global_batch);
  const double tokens = sequence * sequences;
  const double softmax_layers = real(m.layers - m.linear_attention.layers);

  const double layers_matrix =
      softmax_layers * real(p.attention_matrix) +
      real(m.linear_attention.layers * m.linear_attention.params_per_layer) +
      real(m.dense_layers()) * real(p.dense_mlp_matrix) +
      real(m.moe_layers()) *
          (real(p.shared_expert + m.hidden * m.moe.experts) +
           real(m.moe.experts_per_token) * real(m.mlp_matrices() * m.hidden * m.moe.ffn_hidden));
  const double head = real(p.head_matrix);
  const double core_width = real(m.query_width() + m.attention_out_width());

  StepFlops flops;
  flops.matmul = {2 * tokens * (layers_matrix + head)};
  flops.attention_causal = {2 * sequences * softmax_layers * core_width *
                            attention_pairs(m, sequence)};
  flops.attention_full = {2 * sequences * softmax_layers * core_width * sequence * sequence};

  // Backward: two products for each forward one, one where the matrix is frozen.
  const double matmul_passes = job.training.adapters() ? 2 : 3;
  flops.model_causal = flops.matmul * matmul_passes + flops.attention_causal * 3;
  flops.model_full = flops.matmul * matmul_passes + flops.attention_full * 3;
  flops.hardware = flops.model_causal;
  double adapter_passes = 3;
  const double again = job.training.recompute_share;
  switch (job.training.recompute) {
    case Recompute::full:
      flops.hardware += (Flops{2 * tokens * layers_matrix} + flops.attention_causal) * again;
      adapter_passes += again;
      break;
    case Recompute::selective:
      if (!job.stack.selective_keeps_products) flops.hardware += flops.attention_causal * again;
      break;
    case Recompute::none:
      break;
  }
  if (job.training.adapters()) {
    // A token meets the adapters of its own experts (and of the shared ones, spread likewise).
    const double met = m.is_moe() ? real(m.moe.experts_per_token) / real(m.moe.experts) : 0;
    const double adapters = real(m.layers * job.lora_layer.attention) +
                            real(m.dense_layers() * job.lora_layer.dense_mlp) +
                            real(m.moe_layers() * job.lora_layer.moe_mlp) * met;
    flops.hardware += Flops{2 * adapter_passes * tokens * adapters};
  }
  return flops;
}

}  // namespace traintally
