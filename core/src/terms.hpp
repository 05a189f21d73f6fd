#pragma once

#include <traintally/memory.hpp>
#include <traintally/time.hpp>

#include "stage.hpp"

namespace traintally {

/// What one layer keeps of one micro-batch until its backward pass.
struct LayerActivations {
  Bytes attention;
  Bytes mlp;
  Bytes norms;
  constexpr Bytes all() const { return attention + mlp + norms; }
};

/// Device time of one direction of a piece of the model for one micro-batch on one rank.
struct Pass {
  Seconds matmul;
  Seconds attention;
  Seconds elementwise;
  Seconds dequantize;  ///< of quantised weights, before their products
  Seconds tensor;      ///< tensor-parallel collectives
  Seconds context;     ///< context-parallel exchange that the attention core doesn't hide
  Seconds expert;      ///< all-to-all of the experts
  constexpr Seconds compute() const { return matmul + attention + elementwise + dequantize; }
  constexpr Seconds device() const { return compute() + tensor + context + expert; }
};

/// Rates that every operation uses.
struct Rates {
  FlopsPerSecond matmul;
  FlopsPerSecond attention;
  BytesPerSecond memory;
};

/// The part of an estimate that tp, cp, ep, etp, sequence parallelism and the micro-batch decide,
/// worked out once for every pp, dp, ZeRO stage, number of virtual stages, recomputation and
/// offload on the same cluster. Arrays: [0] a dense layer, [1] a mixture layer.
struct MemoryTerms {
  ParameterShares parameters;
  LayerActivations whole[2];      ///< kept for backward without recomputation
  LayerActivations selective[2];  ///< kept under selective recomputation
  Bytes checkpoint;               ///< a layer's input
  Bytes logits;
};
MemoryTerms memory_terms(const Job& job);

struct TimeTerms {
  Rates rates;
  ParameterShares parameters;
  Pass forward[2];
  Pass backward[2];
  Pass selective[2];  ///< what selective recomputation does again
  // Of these passes on the device.
  Seconds forward_device[2];
  Seconds backward_device[2];
  Seconds selective_device[2];
  Seconds head;  ///< and loss, of the last stage
};
TimeTerms time_terms(const Job& job);

/// The estimates of memory.hpp and time.hpp with the terms and the stages that the job shares with
/// others: estimate_memory(job) is estimate_memory(job, memory_terms(job), stage_runs(...)).
Memory estimate_memory(const Job& job, const MemoryTerms& terms, const StageRuns& stages);
StepTime estimate_step_time(const Job& job, const TimeTerms& terms, const StageRuns& stages);

/// No less than what any job has on its fullest GPU that shares this one's model, tp, pp, ep, ZeRO
/// stage, offload and dp * cp: its states alone, without moments that may be paged out.
Bytes least_device_memory(const Job& job, const ParameterShares& parameters,
                          const StageRuns& stages);

/// No more than the time of any step that shares the terms, the stages and the micro-batches of a
/// step: without recomputation, exposed ZeRO traffic, transfers between stages and optimizer.
struct StepBound {
  Seconds slowest;  ///< stage, for a micro-batch
  Seconds all;      ///< stages together
  double micro_batches = 1;
  constexpr Seconds step(std::int64_t virtual_stages) const {
    // Less by more than what rounding can make of sums in another order.
    constexpr double kRounding = 1 - 1e-9;
    return (slowest * micro_batches + (all - slowest) / static_cast<double>(virtual_stages)) *
           kRounding;
  }
};
StepBound bound_step_time(const Job& job, const TimeTerms& terms, const StageRuns& stages);

}  // namespace traintally
