#pragma once

#include <cstdint>

#include <traintally/job.hpp>
#include <traintally/units.hpp>

namespace traintally {

/// Memory of one GPU of one pipeline stage, by what it holds. model.md names: weights, gradients,
/// optimizer, activations, logits, buffers, context.
struct StageMemory {
  // Resident.
  Bytes weights;
  Bytes gradients;
  Bytes master;   ///< fp32 master weights
  Bytes moments;  ///< the optimizer's moments
  // Live at the peak.
  Bytes checkpoints;  ///< layer inputs kept for recomputation
  Bytes attention;    ///< what the attention blocks keep for backward, all layers in flight
  Bytes mlp;          ///< likewise the MLPs and experts
  Bytes norms;        ///< likewise norms, residuals and dropout masks
  Bytes working_set;  ///< the layer being recomputed, or computed, on top of what is kept
  Bytes embedding;    ///< embedding output and its mask, token ids
  Bytes logits;       ///< the logits and loss chain
  Bytes gathered;     ///< whole layers gathered by ZeRO-3, casts in flight, dequantised matrices
  Bytes buckets;      ///< communication buckets
  Bytes workspace;    ///< library workspaces allocated through the framework
  // Sums.
  Bytes optimizer;    ///< master + moments
  Bytes activations;  ///< checkpoints to embedding
  Bytes buffers;      ///< gathered + buckets + workspace
  Bytes allocated;    ///< the framework's peak: max over the phases of a step
  Bytes reserved;
  Bytes context;
  Bytes device;  ///< what nvidia-smi shows
  Bytes host;    ///< host memory that this GPU's offloaded share needs
  double micro_batches_in_flight = 0;
  double parameters = 0;  ///< parameters whose weights this GPU's stage shards hold
  double trainable_parameters = 0;
};

struct Memory {
  StageMemory stage;  ///< of the fullest stage
  std::int64_t stage_index = 0;
  std::int64_t stage_count = 1;
  Bytes usable;
  Bytes host;          ///< host memory per GPU that offloading needs
  Bytes checkpoint;    ///< of the whole job, on disk, optimizer states included
  Bytes weights_file;  ///< weights alone (adapters alone for LoRA)
  bool fits = false;
};

/// What the framework reserves over what it allocates: fragmentation and rounding.
double reserved_over_allocated(const Job& job);

/// Memory of pipeline stage `stage` (0 to pp - 1).
/// Sources: Korthikanti et al., arXiv 2205.05198, section 4 (activations); Rajbhandari et al.,
/// arXiv 1910.02054, section 3 (states); Narayanan et al., arXiv 2104.04473, section 2.2 (in
/// flight).
StageMemory estimate_stage_memory(const Job& job, std::int64_t stage);

/// Memory of the fullest stage.
Memory estimate_memory(const Job& job);

}  // namespace traintally
