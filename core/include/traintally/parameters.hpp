#pragma once

#include <cstdint>

#include <traintally/model.hpp>

namespace traintally {

/// Parameter counts by what they are used for. Exact: they follow from the shapes alone.
/// "Matrix" counts leave out biases and norms; they are what a token is multiplied with.
struct Parameters {
  std::int64_t embedding = 0;         ///< vocab x hidden, and learned positions
  std::int64_t head = 0;              ///< output projection's own parameters, 0 where tied
  std::int64_t head_matrix = 0;       ///< hidden x vocab, tied or not: work, not storage
  std::int64_t attention_matrix = 0;  ///< per softmax layer
  std::int64_t attention_other = 0;   ///< per layer: biases, query/key norms, latent norms
  std::int64_t dense_mlp_matrix = 0;  ///< per dense layer
  std::int64_t dense_mlp_other = 0;
  std::int64_t expert = 0;         ///< one routed expert, biases included
  std::int64_t shared_expert = 0;  ///< per mixture layer, all shared experts and their gate
  std::int64_t router = 0;         ///< per mixture layer
  double norms = 0;                ///< per layer, full-width norms
  std::int64_t final = 0;          ///< final and embedding norms
  std::int64_t total = 0;
  std::int64_t active = 0;  ///< used by one token, embeddings included
};

/// Counts the parameters of a model.
/// Source: the shapes of the published architectures; checked against the published totals of the
/// catalogue's models. Needs a validated model (every count positive, heads dividing).
Parameters count_parameters(const Model& model);

/// Parameters that LoRA adds: rank x (in + out) for each target matrix (Hu et al., arXiv
/// 2106.09685, section 4). `targets` is a bit set of LoraTarget.
std::int64_t count_lora_parameters(const Model& model, std::int64_t rank, unsigned targets);

/// Of one layer (dense and mixture alike): LoRA parameters of the attention and of the MLP targets.
struct LoraLayer {
  std::int64_t attention = 0;
  std::int64_t dense_mlp = 0;
  std::int64_t moe_mlp = 0;
};
LoraLayer count_lora_layer(const Model& model, std::int64_t rank, unsigned targets);

}  // namespace traintally
