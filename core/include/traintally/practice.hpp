#pragma once

#include <cstdint>
#include <vector>

#include <traintally/job.hpp>

namespace traintally {

/// What practitioners keep to when they lay out a job. Figures and sources:
/// core/catalog/practice.json, where each rule has an entry of its name.
enum class Rule : std::uint8_t {
  tensor_on_fast_link,         ///< tp > 1 only among GPUs that a scale-up link joins
  tensor_as_needed,            ///< tp no larger than models of the size need
  tensor_before_pipeline,      ///< pp > 1 only once tp is what models of the size use; dense models
  pipeline_shards_optimizer,   ///< with pp > 1, ZeRO stage 1 at most
  pipeline_filled,             ///< at least as many micro-batches as pipeline stages
  interleaved_rounds,          ///< with virtual stages, pp divides the micro-batches
  context_for_long_sequences,  ///< cp leaves each rank a long sequence still
  full_shard_bounded,          ///< ZeRO-3 over no more ranks than it is known to serve
  states_on_device,            ///< nothing is offloaded to host memory
};
inline constexpr int kRules = 9;

/// A set of rules, one bit each.
using Rules = unsigned;
constexpr Rules rule_bit(Rule rule) { return 1U << static_cast<unsigned>(rule); }
constexpr int count_rules(Rules rules) {
  int count = 0;
  for (; rules != 0; rules &= rules - 1) ++count;
  return count;
}

/// Tensor-parallel degrees of models below a size.
struct TensorSize {
  double below = 0;  ///< active parameters
  std::int64_t low = 1;
  std::int64_t high = 1;
};

/// The rules' figures.
struct Practice {
  std::vector<TensorSize> tensor_sizes;      ///< by rising size
  std::int64_t context_tokens_per_rank = 0;  ///< 0: no rule
  std::int64_t full_shard_ranks = 0;         ///< 0: no rule
  double pretrain_batch_tokens = 0;          ///< least, of any model
  double dense_batch_tokens = 0;             ///< most of a dense model
  double dense_tokens_per_gpu = 0;           ///< what a dense model's batch grows with in between
  double mixture_batch_tokens = 0;           ///< most of a mixture of experts
  double mixture_sequences_per_gpu = 0;
  std::int64_t tuning_batch = 1;  ///< sequences
  std::int64_t most_gpus = 1;
};

/// The rules' figures for one model, sequence and cluster.
struct PracticeLimits {
  std::int64_t tensor_low = 1;
  std::int64_t tensor_high = 1;
  std::int64_t context_high = 1;
  std::int64_t full_shard_ranks = 0;
};
PracticeLimits practice_limits(const Practice& practice, const Job& job);

/// The rules that the job's layout breaks.
Rules broken_rules(const Job& job, const PracticeLimits& limits);

/// The rules that say something about the job's layout: those of a pipeline only where there is
/// one, and so on. Every broken rule is among them.
Rules applicable_rules(const Job& job);

}  // namespace traintally
