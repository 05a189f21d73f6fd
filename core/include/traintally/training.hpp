#pragma once

#include <cstdint>

namespace traintally {

enum class TrainingKind : std::uint8_t { pretrain, full, lora, qlora };

enum class Recompute : std::uint8_t { none, selective, full };

/// How the frozen base weights of a QLoRA run are stored (Dettmers et al., arXiv 2305.14314).
enum class Quantization : std::uint8_t { none, nf4, nf4_double, int8, gptq };

enum class Offload : std::uint8_t { none, optimizer, parameters, activations };

/// Matrices that an adapter can attach to, as a bit set.
namespace lora_target {
inline constexpr unsigned q = 1;
inline constexpr unsigned k = 2;
inline constexpr unsigned v = 4;
inline constexpr unsigned o = 8;
inline constexpr unsigned gate = 16;
inline constexpr unsigned up = 32;
inline constexpr unsigned down = 64;
inline constexpr unsigned attention = q | k | v | o;
inline constexpr unsigned mlp = gate | up | down;
inline constexpr unsigned all_linear = attention | mlp;
}  // namespace lora_target

struct Lora {
  std::int64_t rank = 16;
  unsigned targets = lora_target::all_linear;
  Quantization quantization = Quantization::none;
};

/// What is trained and in which portions. Batches count sequences.
struct Training {
  TrainingKind kind = TrainingKind::lora;
  Lora lora;
  Recompute recompute = Recompute::full;
  double recompute_share = 1;  ///< of the layers that `recompute` is for; the rest keep everything
  bool flash_attention = true;
  bool compile = false;
  bool fused_loss = false;
  std::int64_t sequence_length = 2048;
  std::int64_t micro_batch = 1;
  std::int64_t global_batch = 1;
  double tokens = 0;  ///< of the whole run

  constexpr bool adapters() const {
    return kind == TrainingKind::lora || kind == TrainingKind::qlora;
  }
};

}  // namespace traintally
