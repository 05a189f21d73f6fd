#pragma once

#include <cstdint>

namespace traintally {

/// A range that an integer is accepted in, both ends included.
struct WholeRange {
  std::int64_t low = 1;
  std::int64_t high = 1;
};

/// A range that a number is accepted in; the low end is left out where `above` is set. Where
/// `least` is set, what lies between zero and it is not accepted either: divided by, it would be
/// infinite.
struct RealRange {
  double low = 0;
  double high = 1;
  bool above = false;
  double least = 0;
};

/// What a scenario or a catalogue entry may ask for: far beyond anything that is built, and small
/// enough that no product in the maths leaves 64 bits (model_too_large guards the model's own). The
/// same bounds stand in core/schema/scenario.schema.json.
namespace limits {

// Model.
inline constexpr WholeRange layers{1, 10'000};
inline constexpr WholeRange some_layers{0, 10'000};
inline constexpr WholeRange hidden{1, 1'000'000};
inline constexpr WholeRange heads{1, 100'000};
inline constexpr WholeRange head_dim{1, 100'000};
inline constexpr WholeRange part_dim{0, 100'000};
inline constexpr WholeRange ffn_hidden{0, 10'000'000};
inline constexpr WholeRange expert_hidden{1, 10'000'000};
inline constexpr WholeRange latent_rank{1, 1'000'000};
inline constexpr WholeRange optional_rank{0, 1'000'000};
inline constexpr WholeRange vocab{1, 100'000'000};
inline constexpr WholeRange positions{0, 100'000'000};
inline constexpr WholeRange experts{1, 100'000};
inline constexpr WholeRange shared_experts{0, 1'000};
inline constexpr RealRange norms_per_layer{0, 16};
inline constexpr WholeRange full_every{1, 10'000};
inline constexpr WholeRange layer_parameters{1, 1'000'000'000'000};
inline constexpr WholeRange extra_parameters{-100'000'000'000'000, 100'000'000'000'000};
inline constexpr RealRange parameters{1e6, 1e14};
inline constexpr double model_parameters = 1e15;  ///< that a shape, or its adapters, may come to

// Training.
inline constexpr WholeRange lora_rank{1, 100'000};
inline constexpr WholeRange sequence{1, 100'000'000};
inline constexpr WholeRange batch{1, 1'000'000'000};
inline constexpr RealRange tokens{0, 1e18, true};
inline constexpr RealRange epochs{0, 1e6, true};

// Cluster and layout.
inline constexpr RealRange gigabytes{0, 1e6, true};
inline constexpr RealRange rate{1e-6, 1e9};
inline constexpr RealRange rate_or_none{0, 1e9, false, 1e-6};
inline constexpr RealRange watts{1, 1e6};
inline constexpr WholeRange gpus{1, 1'000'000};
inline constexpr WholeRange per_node{1, 100'000};
inline constexpr WholeRange zero{0, 3};
inline constexpr WholeRange shard_group{0, 1'000'000};

// Reliability, storage, energy.
inline constexpr RealRange failures{0, 1e3, false, 1e-9};
inline constexpr RealRange duration{0, 1e9};
inline constexpr RealRange interval{0, 1e9, false, 1e-3};
inline constexpr RealRange positive_duration{1e-9, 1e9};
inline constexpr RealRange terabytes{0, 1e9};
inline constexpr RealRange bytes_per_token{0, 1e6, true};
inline constexpr WholeRange checkpoints{0, 1'000'000};
inline constexpr RealRange power_factor{1, 10};
inline constexpr RealRange share{0, 1};
inline constexpr RealRange positive_share{0, 1, true};
inline constexpr RealRange carbon{0, 1e3};
inline constexpr RealRange tokens_per_second{1e-6, 1e15};

// Documents.
inline constexpr std::int64_t document_bytes = 16 * 1024 * 1024;
inline constexpr int document_depth = 64;
inline constexpr int problems = 100;
inline constexpr int name_length = 200;

}  // namespace limits
}  // namespace traintally
