#pragma once

#include <cstdint>

#include <traintally/calibration.hpp>
#include <traintally/gpu.hpp>
#include <traintally/layout.hpp>
#include <traintally/model.hpp>
#include <traintally/parameters.hpp>
#include <traintally/stack.hpp>
#include <traintally/states.hpp>
#include <traintally/training.hpp>

namespace traintally {

/// The GPUs of a job.
struct Cluster {
  Gpu gpu;
  std::int64_t count = 1;
  std::int64_t per_node = 8;
  BytesPerSecond internode;  ///< one way, per GPU
  bool rdma = true;          ///< between nodes; otherwise the hosts copy what the network carries
};

/// A resolved job: all that the maths reads, as plain numbers. Nothing in it allocates, so that the
/// plan search can evaluate millions of them by changing `layout` and a few training fields.
/// Needs: every count positive, heads and layers dividing as `layout` asks, layout.gpus() ==
/// cluster.count, global_batch a multiple of micro_batch * dp (see resolve.hpp).
struct Job {
  Model model;
  Parameters parameters;
  LoraLayer lora_layer;  ///< zero unless adapters are trained
  Training training;
  Cluster cluster;
  Layout layout;
  StateBytes states;
  MatmulKind matmul = MatmulKind::bf16;
  MatmulKind attention_matmul = MatmulKind::bf16;
  OptimizerEntry const* optimizer = nullptr;  ///< never null in a resolved job
  StackHabits stack;
  Calibration calibration;

  constexpr std::int64_t micro_batches() const {
    return quotient(training.global_batch, training.micro_batch * layout.dp);
  }
  /// Tokens of one micro-batch on one rank: s * b / c.
  constexpr double micro_tokens() const {
    return static_cast<double>(training.sequence_length) *
           static_cast<double>(training.micro_batch) / static_cast<double>(layout.cp);
  }
};

}  // namespace traintally
