#pragma once

#include <cstdint>

#include <traintally/training.hpp>

namespace traintally {

/// a / b rounded down, of whole numbers from 0 below 2^52: exact there, and several times quicker
/// than dividing integers.
constexpr std::int64_t quotient(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<double>(a) / static_cast<double>(b));
}

/// How a job is spread over its GPUs: tp * pp * cp * dp == GPU count. The ep expert ranks are taken
/// out of dp * cp (and of tp where the experts have their own tensor degree etp).
struct Layout {
  std::int64_t tp = 1;
  std::int64_t pp = 1;
  std::int64_t cp = 1;
  std::int64_t ep = 1;
  std::int64_t etp = 1;
  std::int64_t dp = 1;
  std::int64_t zero = 0;         ///< ZeRO stage 0 to 3; FSDP full shard is 3
  std::int64_t shard_group = 0;  ///< GPUs that states are sharded over (HSDP), 0: all of dp * cp
  bool sequence_parallel = false;
  std::int64_t virtual_stages = 1;
  Offload offload = Offload::none;

  constexpr std::int64_t gpus() const { return tp * pp * cp * dp; }
  constexpr std::int64_t data_ranks() const { return dp * cp; }
  constexpr std::int64_t shard_ranks() const {
    return shard_group > 0 && shard_group < data_ranks() ? shard_group : data_ranks();
  }
  /// The optimizer's states lie on the host, and it steps there.
  constexpr bool steps_on_host() const {
    return offload == Offload::optimizer || offload == Offload::parameters;
  }
  /// Ranks over which one expert's parameters are replicated.
  constexpr std::int64_t expert_data_ranks() const {
    const std::int64_t ranks = quotient(tp * cp * dp, ep * etp);
    return ranks > 0 ? ranks : 1;
  }
};

}  // namespace traintally
