#pragma once

#include <traintally/job.hpp>

namespace traintally {

/// Layers of one pipeline stage. Mixture layers come after the first dense ones; where a model
/// alternates, every stage has its share, which may be a fraction.
struct StageLayers {
  double dense = 0;
  double mixture = 0;
  constexpr double all() const { return dense + mixture; }
  constexpr bool operator==(const StageLayers&) const = default;
};

/// Uneven splits leave the ends a layer shorter: embedding and head weigh there.
StageLayers stage_layers(const Model& model, const Layout& layout, std::int64_t stage);

/// Neighbouring stages that have the same layers. The first and the last stage are runs of their
/// own: embedding and head weigh there.
struct StageRun {
  StageLayers layers;
  std::int64_t first = 0;
  std::int64_t count = 0;
};
struct StageRuns {
  static constexpr int kMost = 8;
  StageRun runs[kMost];
  int count = 0;
  const StageRun* begin() const { return runs; }
  const StageRun* end() const { return runs + count; }
};
StageRuns stage_runs(const Model& model, const Layout& layout);

/// Ways that keys and values are split in: tensor-parallel ranks beyond the KV heads hold copies.
double kv_split(const Job& job);

/// Parameters of one layer on one GPU under tensor and expert parallelism.
struct LayerParameters {
  double dense = 0;  ///< attention, norms, dense MLP or shared expert and router
  double expert = 0;
  constexpr double all() const { return dense + expert; }
};

/// One GPU's share of the parameters under tensor and expert parallelism, before any ZeRO sharding:
/// the pieces that every pipeline stage is made of.
struct ParameterShares {
  LayerParameters dense_layer;
  LayerParameters mixture_layer;
  LayerParameters dense_adapters;  ///< LoRA's, of a dense layer
  LayerParameters mixture_adapters;
  double norms = 0;      ///< of a layer, counted in its dense part
  double extra = 0;      ///< per layer, what the shapes don't describe
  double embedding = 0;  ///< of the first stage
  double head = 0;       ///< of the last stage, final norm included
  double head_copy = 0;  ///< of the last stage where it isn't the first: the tied table again
};
ParameterShares parameter_shares(const Job& job);

/// Parameters that one GPU of a stage computes with, before any ZeRO sharding.
struct StageParameters {
  double dense_trainable = 0;   ///< replicated over the dp * cp ranks
  double expert_trainable = 0;  ///< replicated over the expert data ranks
  double frozen_linear = 0;     ///< frozen matrices outside experts
  double frozen_expert = 0;
  double frozen_other = 0;  ///< frozen embeddings, head and norms
  double ends = 0;          ///< of all of them, outside layers: embeddings, head, final norm
  constexpr double trainable() const { return dense_trainable + expert_trainable; }
  constexpr double all() const {
    return trainable() + frozen_linear + frozen_expert + frozen_other;
  }
};
StageParameters stage_parameters(const Job& job, const ParameterShares& shares,
                                 const StageLayers& layers, std::int64_t stage);

/// Ranks that one expert's states are sharded over: a shard group smaller than the data-parallel
/// ranks shards the experts in the same proportion.
double expert_shard_ranks(const Layout& layout);

/// The vocabulary as the stack pads it.
double padded_vocab(const Job& job);

/// Bytes of a logit and of what the loss makes of it, at the peak.
double bytes_per_logit(const Job& job);

/// Micro-batches whose activations stage `stage` holds, in units of the stage's whole share.
/// @param micro_batches of a step
double micro_batches_in_flight(const Job& job, std::int64_t stage, std::int64_t micro_batches);

}  // namespace traintally
