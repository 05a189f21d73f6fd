#include <traintally/storage.hpp>

namespace traintally {

Storage estimate_storage(const Memory& memory, const Run& run, TokensPerSecond speed,
                         double dataset_tokens, double token_bytes, std::int64_t kept,
                         double burst_share) {
  Storage storage;
  storage.dataset = {dataset_tokens * token_bytes};
  storage.checkpoint = memory.checkpoint;
  storage.checkpoints = memory.checkpoint * static_cast<double>(kept);
  storage.weights = memory.weights_file;
  storage.needed = storage.dataset + storage.checkpoints + storage.weights;
  storage.read = {speed.value * token_bytes};
  if (run.checkpoint_interval.value > 0) {
    storage.burst = {memory.checkpoint.value / (run.checkpoint_interval.value * burst_share)};
  }
  return storage;
}

}  // namespace traintally
