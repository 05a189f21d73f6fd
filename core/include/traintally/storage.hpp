#pragma once

#include <cstdint>

#include <traintally/memory.hpp>
#include <traintally/run.hpp>
#include <traintally/units.hpp>

namespace traintally {

/// How data and checkpoints are usually kept.
struct StorageHabits {
  double small_vocab_token_bytes = 2;  ///< of a token id where two bytes hold the vocabulary
  double token_bytes = 4;              ///< of a token id elsewhere
  std::int64_t checkpoints_kept = 3;
  double burst_share = 0.05;  ///< of a checkpoint's interval that writing it may take
};

struct Storage {
  Bytes dataset;
  Bytes checkpoint;
  Bytes checkpoints;     ///< all that are kept
  Bytes weights;         ///< the result: the model, or the adapters
  Bytes needed;          ///< dataset + checkpoints + weights
  BytesPerSecond read;   ///< what training reads
  BytesPerSecond burst;  ///< that writes a checkpoint in its share of the interval; 0: not known
};

/// Storage of a run: `tokens` distinct tokens at `token_bytes` each, and its checkpoints.
Storage estimate_storage(const Memory& memory, const Run& run, TokensPerSecond speed,
                         double dataset_tokens, double token_bytes, std::int64_t kept,
                         double burst_share);

}  // namespace traintally
