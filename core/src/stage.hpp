#pragma once

#include <traintally/job.hpp>

namespace traintally {

/// Layers of one pipeline stage. Mixture layers come after the first dense ones; where a model
/// alternates, every stage has its share, which may be a fraction.
struct StageLayers {
  double dense = 0;
  double mixture = 0;
  constexpr double all() const { return dense + mixture; }
};

/// Uneven splits leave the ends a layer shorter: embedding and head weigh there.
StageLayers stage_layers(const Model& model, const Layout& layout, std::int64_t stage);

/// Parameters that one GPU of a stage computes with, before any ZeRO sharding.
struct StageParameters {
  double dense_trainable = 0;   ///< replicated over the dp * cp ranks
  double expert_trainable = 0;  ///< replicated over the expert data ranks
  double frozen_linear = 0;     ///< frozen matrices outside experts
  double frozen_expert = 0;
  double frozen_other = 0;  ///< frozen embeddings, head and norms
  constexpr double trainable() const { return dense_trainable + expert_trainable; }
  constexpr double all() const {
    return trainable() + frozen_linear + frozen_expert + frozen_other;
  }
};
StageParameters stage_parameters(const Job& job, std::int64_t stage);

/// Parameters of one layer on one GPU under tensor and expert parallelism.
struct LayerParameters {
  double dense = 0;  ///< attention, norms, dense MLP or shared expert and router
  double expert = 0;
  constexpr double all() const { return dense + expert; }
};
LayerParameters layer_parameters(const Job& job, bool mixture);

/// The vocabulary as the stack pads it.
double padded_vocab(const Job& job);

/// Micro-batches whose activations stage `stage` holds, in units of the stage's whole share.
double micro_batches_in_flight(const Job& job, std::int64_t stage);

}  // namespace traintally
