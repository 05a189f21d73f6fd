#pragma once

#include <cstdint>

#include <doctest/doctest.h>

#include <traintally/job.hpp>

/// Jobs for the tests of the maths, from plain structs: shapes of well-known models, and a stack,
/// a GPU and constants so plain that the textbook's figures come out.
namespace traintally::testing {

constexpr double real(std::int64_t n) { return static_cast<double>(n); }

/// Equal but for the rounding of doubles on the way.
inline doctest::Approx exactly(double value) { return doctest::Approx(value).epsilon(1e-12); }

/// Equal to the digits that a paper prints.
inline doctest::Approx rounded(double value, double relative) {
  return doctest::Approx(value).epsilon(relative).scale(0);
}

inline Model dense_model(std::int64_t layers, std::int64_t hidden, std::int64_t heads,
                         std::int64_t kv_heads, std::int64_t ffn_hidden, std::int64_t vocab) {
  Model m;
  m.layers = layers;
  m.hidden = hidden;
  m.heads = heads;
  m.kv_heads = kv_heads;
  m.head_dim = hidden / heads;
  m.ffn_hidden = ffn_hidden;
  m.vocab = vocab;
  return m;
}

inline Model llama_3_1_8b() { return dense_model(32, 4096, 32, 8, 14336, 128256); }
inline Model llama_3_1_70b() { return dense_model(80, 8192, 64, 8, 28672, 128256); }

/// GPT of two-matrix MLPs four times as wide, layer norms, biases and tied embeddings.
inline Model gpt(std::int64_t layers, std::int64_t hidden, std::int64_t heads, std::int64_t vocab,
                 std::int64_t positions) {
  Model m = dense_model(layers, hidden, heads, heads, 4 * hidden, vocab);
  m.gated = false;
  m.tied_embeddings = true;
  m.norm = Norm::layernorm;
  m.learned_positions = positions;
  m.bias_qkv = m.bias_attention_out = m.bias_mlp = true;
  return m;
}

// The four models of Korthikanti et al., arXiv 2205.05198, table 3.
inline Model gpt_22b() { return gpt(48, 6144, 64, 51200, 2048); }
inline Model gpt_175b() { return gpt(96, 12288, 96, 51200, 2048); }
inline Model gpt_530b() { return gpt(105, 20480, 128, 51200, 2048); }
inline Model gpt_1t() { return gpt(128, 25600, 160, 51200, 2048); }

inline Model mixtral_8x7b() {
  Model m = dense_model(32, 4096, 32, 8, 14336, 32000);
  m.moe.experts = 8;
  m.moe.experts_per_token = 2;
  m.moe.ffn_hidden = 14336;
  m.moe.layers = 32;
  return m;
}

inline Model deepseek_v3() {
  Model m = dense_model(61, 7168, 128, 128, 18432, 129280);
  m.mla = {.q_lora_rank = 1536,
           .kv_lora_rank = 512,
           .qk_nope_head_dim = 128,
           .qk_rope_head_dim = 64,
           .v_head_dim = 128};
  m.head_dim = 192;
  m.moe.experts = 256;
  m.moe.experts_per_token = 8;
  m.moe.ffn_hidden = 2048;
  m.moe.shared_ffn_hidden = 2048;
  m.moe.layers = 58;
  m.moe.first_dense_layers = 3;
  m.moe.router_bias = true;
  return m;
}

/// No buffers, no padding, no overheads, nothing kept beyond what the papers count; fused norms
/// keep their 16-bit input, the plain loss one fp32 copy of the logits (Korthikanti, section 4.3).
inline StackHabits textbook_habits() {
  StackHabits s;
  s.logits_bytes = 4;
  s.fused_logits_bytes = 0;
  s.gathered_layers = 0;
  s.gathers_root = false;
  s.reserved_factor = 1;
  s.gathers_per_micro_batch = true;
  return s;
}

/// Every rate is the nominal one; nothing but arithmetic, bytes and volumes takes time.
inline Calibration ideal_calibration() {
  Calibration c;
  c.matmul_efficiency = c.fp8_efficiency = c.attention_efficiency = c.attention_backward = 1;
  c.matmul_half_depth = c.matmul_half_area = c.attention_half_sequence = 0;
  c.bandwidth_efficiency = c.link_efficiency = c.pcie_efficiency = c.internode_efficiency = 1;
  c.host_bounce = 0.5;
  c.link_latency = c.internode_latency = {0};
  c.elementwise_hidden = c.elementwise_mlp = 0;
  c.elementwise_backward = 2;
  c.plain_score_traffic = c.loss_traffic = c.fused_loss_traffic = 0;
  c.launch_floor = c.launch_added = c.launch_tensor = c.launch_step = {0};
  c.overlap = c.tensor_overlap = 0;
  c.optimizer_traffic = 1;
  c.pipeline_slack = 0;
  c.product_scale = c.attention_scale = c.ported_attention = c.misaligned_attention =
      c.narrow_elementwise = 1;
  c.launch_mixture = 1;
  c.expert_overlap = 0;
  c.moe_imbalance = 1;
  c.dequantize_traffic = c.adapter_traffic = 0;
  return c;
}

/// A100 SXM 80 GB, as its datasheet has it; links one way.
inline Gpu a100() {
  Gpu g;
  g.usable_memory = {79.25 * kGiB};
  g.memory_bandwidth = {2039e9};
  const double peaks[kMatmulKinds] = {19.5e12, 156e12, 312e12, 312e12, 0, 0};
  for (int i = 0; i < kMatmulKinds; ++i) g.peak[i] = {peaks[i]};
  g.link = {300e9};
  g.link_domain = 8;
  g.pcie = {31.5e9};
  g.internode = {25e9};
  return g;
}

inline const OptimizerEntry& adamw() {
  static const OptimizerEntry entry{};
  return entry;
}

/// Sets what follows from the model, the adapters and the layout; call it after changing those.
inline void settle(Job& job) {
  job.parameters = count_parameters(job.model);
  job.lora_layer = {};
  if (job.training.adapters()) {
    job.lora_layer = count_lora_layer(job.model, job.training.lora.rank, job.training.lora.targets);
  }
  job.cluster.count = job.layout.gpus();
  job.cluster.internode = job.cluster.gpu.internode;
  job.cluster.per_node = job.cluster.gpu.per_node;
}

/// Full bf16 training with AdamW (2 + 2 + 4 + 4 + 4 bytes), no recomputation, fused attention, one
/// micro-batch a rank and step, on A100s without overheads.
inline Job make_job(const Model& model, const Layout& layout = {}) {
  Job job;
  job.model = model;
  job.layout = layout;
  job.training.kind = TrainingKind::full;
  job.training.recompute = Recompute::none;
  job.training.global_batch = layout.dp;
  job.cluster.gpu = a100();
  job.optimizer = &adamw();
  job.stack = textbook_habits();
  job.calibration = ideal_calibration();
  settle(job);
  return job;
}

}  // namespace traintally::testing
