#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <traintally/gpu.hpp>

namespace traintally {

/// A way of training in numbers (bf16-mixed, fp8, ...): what each parameter's copies weigh.
struct PrecisionEntry {
  std::string_view id;
  double weight_bytes = 2;          ///< the copy that the forward pass reads
  double gradient_bytes = 2;        ///< 0: as the stack does (fp32 accumulation or not)
  double master_bytes = 4;          ///< fp32 master copy, 0: none
  double transient_bytes = 0;       ///< casts in flight, per parameter of the live layers
  double moment_bytes = 4;          ///< per moment value of an optimizer that follows the precision
  double activation_bytes = 2;      ///< per activation value
  double narrower_input_bytes = 0;  ///< less of it for a product's input (fp8: kept as cast)
  double frozen_bytes = 2;          ///< per frozen parameter of a matrix that is not quantised
  MatmulKind matmul = MatmulKind::bf16;
  MatmulKind attention = MatmulKind::bf16;  ///< the attention core's own products
  bool mixed = true;                        ///< a 16-bit working copy beside an fp32 one
};

/// An optimizer in numbers.
struct OptimizerEntry {
  std::string_view id;
  std::vector<std::string_view> aliases;  ///< `optim` of the Hugging Face trainer, and such
  double moments = 2;                     ///< values per parameter that follow the precision
  double fixed_state_bytes = 0;       ///< bytes per parameter whatever the precision (8-bit states)
  bool keeps_master = true;           ///< uses the precision's fp32 master copy
  bool paged = false;                 ///< states may move to host memory when the GPU is full
  double extra_traffic_bytes = 0;     ///< moved per parameter and step besides states and weights
  double extra_flops_per_hidden = 0;  ///< Muon's Newton-Schulz: flops per parameter and hidden unit
};

/// How frozen weights are stored, in numbers.
struct QuantizationEntry {
  std::string_view id;
  double bytes = 2;  ///< per weight, its share of the scales included
};

/// Bytes per trainable parameter, before sharding. Frozen parameters have only `frozen_weights`.
struct StateBytes {
  double weights = 2;
  double gradients = 2;
  double master = 4;
  double moments = 8;
  double transient = 0;
  double frozen_weights = 2;     ///< of matrices that stay frozen (LoRA 2, NF4 about 0.5)
  double frozen_embeddings = 2;  ///< of frozen embeddings, head and norms
  double activation = 2;
  double narrow_copies = 0;   ///< of matrices alone: what narrow products read, beside `weights`
  double narrower_input = 0;  ///< by which a product's kept input is narrower than activation

  constexpr double optimizer() const { return master + moments; }
  constexpr double total() const { return weights + gradients + master + moments; }
};

}  // namespace traintally
