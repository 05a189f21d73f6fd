#pragma once

#include <cstdint>
#include <string>

#include <traintally/units.hpp>

namespace traintally {

/// What a framework does by habit, as far as memory and time depend on it. Every value is data
/// (core/catalog/stacks.json) with its source there. "Values" count per token of a micro-batch on
/// one rank; bytes are of 16-bit training.
struct StackHabits {
  double gradient_bytes = 2;   ///< per parameter, while they are accumulated
  double norm_saved_bytes = 2; ///< per hidden value and norm, kept for backward
  double norm_statistics_bytes = 0;  ///< per token and norm
  double mlp_saved_values = 3; ///< of width f in a gated MLP: gate, up, product (2 when not gated)
  bool kv_expanded = false;    ///< keys and values repeated to all heads before attention
  bool dropout = false;        ///< masks of one byte after attention and MLP
  bool residual_saved = false; ///< the residual stream is kept apart from the norm's input
  double selective_keeps_attention = 0;  ///< 1: selective recompute keeps the MLP, drops the core
  double logits_bytes = 14;    ///< per logit at the peak, plain loss (2 the 16-bit logits alone)
  double fused_logits_bytes = 0;  ///< per logit with the fused loss, amortised over chunks
  double logits_kept_bytes = 6;   ///< per logit held until backward begins
  double vocab_multiple = 1;   ///< the vocabulary is padded to this times tp
  double gathered_layers = 2;  ///< whole layers live at once under ZeRO-3
  Bytes bucket;                ///< communication buckets of data parallelism
  double reduce_bytes = 2;     ///< per gradient value on the wire
  bool fp32_embeddings = false;///< adapters: frozen embeddings and norms raised to fp32
  bool adapter_fp32 = true;    ///< adapters are trained in fp32
  Bytes workspace;             ///< cuBLAS and the like, allocated through the framework
  double reserved_factor = 1.05;  ///< reserved over allocated
  Bytes context;               ///< CUDA context and library kernels, one GPU
  Bytes collective;            ///< more of it once collectives are used
  bool overlap_gradients = true;  ///< data-parallel traffic runs beside the backward pass
  bool fused_attention_default = true;
  bool pads_packed = false;
};

struct StackEntry {
  std::string id;
  std::string family;  ///< megatron | fsdp | deepspeed | hf | unsloth | mindspeed
  std::string name;
  StackHabits habits;
};

}  // namespace traintally
