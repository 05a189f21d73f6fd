#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <traintally/units.hpp>

namespace traintally {

/// What a framework does by habit, as far as memory and time depend on it. Every value is data
/// (core/catalog/stacks.json) with its source there. "Values" count per token of a micro-batch on
/// one rank; bytes are of 16-bit training.
struct StackHabits {
  // States.
  double gradient_bytes = 2;  ///< per parameter in 16-bit training, while they accumulate
  double bf16_gradient_extra_bytes = 0;  ///< more of it in bf16: 16-bit gradients beside fp32 sums
  double step_copy_bytes = 0;  ///< per parameter updated, while the optimizer steps in fp32
  double narrow_copies = 0;    ///< of each matrix, cached for narrow (fp8) products, but in ZeRO-3
  double step_group = 0;       ///< ZeRO-3 updates at most so many parameters at once; 0: all
  bool fp32_weights = false;   ///< mixed precision keeps fp32 weights and casts them on use
  double vocab_multiple = 1;   ///< the vocabulary is padded to a multiple of this times tp
  bool offload_keeps_gradients = false;  ///< offloaded optimizers leave the gradients on the GPU
  // Activations kept for backward.
  double norm_saved_bytes = 2;   ///< per hidden value and RMSNorm: 2 fused, 6 written out (an fp32
                                 ///< input, and the normalised value where its weight trains)
  double mlp_saved_gated = 3;    ///< values of the MLP's width: gate, up, product
  double mlp_saved_plain = 2;    ///< likewise of a two-matrix MLP
  double plain_score_bytes = 5;  ///< per attention score where attention is not fused
  double residual_saved_bytes = 0;  ///< per hidden value and layer, besides what backward reads
  bool kv_expanded = false;         ///< keys and values repeated to all heads before attention
  bool dropout = false;             ///< one-byte masks after attention, MLP and embedding
  bool selective_keeps_products = false;  ///< selective recompute keeps the matrix products'
                                          ///< outputs; otherwise all but the attention core
  bool selective_keeps_half = false;   ///< of these outputs every second alone, from the first on
  bool weighs_inside_experts = false;  ///< a token's share of an expert multiplies the inner
                                       ///< product, which is kept
  bool fused_qkv = false;              ///< one product, whose result its value part keeps alive
  bool adapter_copies_input = false;   ///< each adapter casts its input and keeps the copy
  bool adapter_dropout = false;        ///< each adapter keeps its dropped input and the mask
  double quantized_saved = 0;  ///< products with quantised weights keep 1: inputs, 2: outputs too
  // Logits and loss.
  double logits_bytes = 14;       ///< per logit at the peak, plain loss
  double fused_logits_bytes = 1;  ///< likewise with the fused loss, its chunks amortised
  // Buffers.
  double gathered_layers = 2;     ///< whole layers live at once under ZeRO-3
  double live_parameters = 0;     ///< ZeRO-3 lets go of gathered ones beyond so many; 0: at once
  bool gathers_root = true;       ///< embedding and head stay gathered through the step
  Bytes bucket;                   ///< communication buckets, at most the gradients themselves
  Bytes workspace;                ///< of libraries, allocated through the framework
  double reserved_factor = 1.05;  ///< reserved over allocated
  double ragged_reserve = 0;      ///< more of it over the logits' bytes, where batches of mixed
                                  ///< lengths leave blocks that no other length fits
  Bytes context;                  ///< CUDA context and kernels, as the driver counts them
  Bytes collective;               ///< more of it once collectives are used
  // Adapters.
  double adapter_bytes = 4;      ///< weight of an adapter's parameter
  bool fp32_embeddings = false;  ///< frozen embeddings and norms are raised to fp32 (QLoRA)
  // Time.
  double reduce_bytes = 2;      ///< per gradient value on the wire
  bool own_attention = false;   ///< fused attention is written for each generation of devices
  bool hides_tensor = false;    ///< products run beside tensor-parallel collectives
  bool hides_expert = false;    ///< experts' exchange runs beside another micro-batch's compute
  bool both_ways = false;       ///< a rank is a stage of each end: half the head's work on either
  bool sends_per_node = false;  ///< a token crosses the network once for all experts of a node
  bool gathers_per_micro_batch = true;  ///< ZeRO-3 gathers and reduces for every micro-batch
};

struct StackEntry {
  std::string_view id;
  std::string_view family;  ///< megatron | fsdp | deepspeed | hf | unsloth | mindspeed
  std::string_view name;
  std::vector<std::string_view> aliases;
  StackHabits habits;

  /// Whether it has Megatron's parallelism, and its defaults: MindSpeed-LLM is Megatron on Ascend.
  bool has_megatron_layouts() const { return family == "megatron" || family == "mindspeed"; }
};

}  // namespace traintally
