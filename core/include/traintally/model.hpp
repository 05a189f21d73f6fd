#pragma once

#include <cstdint>

namespace traintally {

enum class Norm : std::uint8_t { rmsnorm, layernorm };

/// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, section 2.1). All zero: not used.
struct LatentAttention {
  std::int64_t q_lora_rank = 0;  ///< 0: the query is projected directly
  std::int64_t kv_lora_rank = 0;
  std::int64_t qk_nope_head_dim = 0;
  std::int64_t qk_rope_head_dim = 0;
  std::int64_t v_head_dim = 0;
};

/// Mixture of experts in place of the dense feed-forward network. experts == 0: a dense model.
struct MixtureOfExperts {
  std::int64_t experts = 0;            ///< routed experts of a layer
  std::int64_t experts_per_token = 0;  ///< of them, used by each token
  std::int64_t ffn_hidden = 0;         ///< width of one routed expert
  std::int64_t shared_ffn_hidden = 0;  ///< width of all shared experts together, 0: none
  std::int64_t layers = 0;             ///< how many layers are mixtures
  std::int64_t first_dense_layers = 0;
  bool router_bias = false;
  bool shared_gate = false;
};

/// Layers whose token mixing is linear in the sequence (lightning attention and such).
struct LinearAttention {
  std::int64_t layers = 0;
  std::int64_t params_per_layer = 0;
};

/// The architecture of a decoder-only transformer: everything that its size and work follow from.
struct Model {
  std::int64_t layers = 0;
  std::int64_t hidden = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t ffn_hidden = 0;
  std::int64_t vocab = 0;
  std::int64_t max_sequence = 0;
  std::int64_t learned_positions = 0;  ///< rows of a learned position table, 0: none
  bool gated = true;                   ///< SwiGLU, GeGLU: three matrices instead of two
  bool tied_embeddings = false;
  Norm norm = Norm::rmsnorm;
  double norms_per_layer = 2;  ///< full-width norms; a fraction where not every layer has them
  bool final_norm = true;
  bool embedding_norm = false;
  bool qk_norm = false;  ///< one norm of head_dim values for queries, one for keys
  bool bias_qkv = false;
  bool bias_attention_out = false;
  bool bias_mlp = false;
  bool bias_head = false;
  LatentAttention mla;
  MixtureOfExperts moe;
  LinearAttention linear_attention;
  std::int64_t sliding_window = 0;    ///< tokens that a windowed layer looks back, 0: all
  double windowed_layer_share = 0;    ///< of the softmax layers, how many are windowed, 0 to 1
  std::int64_t extra_parameters = 0;  ///< what the fields above don't describe, with its note

  constexpr bool is_moe() const { return moe.experts > 0; }
  constexpr bool is_mla() const { return mla.kv_lora_rank > 0; }
  constexpr std::int64_t moe_layers() const { return is_moe() ? moe.layers : 0; }
  constexpr std::int64_t dense_layers() const { return layers - moe_layers(); }
  constexpr std::int64_t mlp_matrices() const { return gated ? 3 : 2; }
  /// Width of all query heads together as the attention core sees them.
  constexpr std::int64_t query_width() const {
    return is_mla() ? heads * (mla.qk_nope_head_dim + mla.qk_rope_head_dim) : heads * head_dim;
  }
  constexpr std::int64_t key_width() const {
    return is_mla() ? query_width() : kv_heads * head_dim;
  }
  constexpr std::int64_t value_width() const {
    return is_mla() ? heads * mla.v_head_dim : kv_heads * head_dim;
  }
  /// Width of the attention core's output, the input of the output projection.
  constexpr std::int64_t attention_out_width() const {
    return is_mla() ? heads * mla.v_head_dim : heads * head_dim;
  }
};

}  // namespace traintally
