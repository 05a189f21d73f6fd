#pragma once

#include <traintally/job.hpp>
#include <traintally/units.hpp>

namespace traintally {

/// Arithmetic of one training step of the whole job.
struct StepFlops {
  Flops matmul;            ///< forward, all matrix products but the attention core
  Flops attention_causal;  ///< forward, attention core, each token sees those before it
  Flops attention_full;    ///< forward, attention core, each token sees all
  Flops model_causal;      ///< forward and backward without recomputation, causal
  Flops model_full;        ///< likewise with the full square
  Flops hardware;          ///< what is really computed: recomputation in, causal
};

/// Counts the arithmetic of a step: 2 flops per parameter and token forward, twice that backward
/// (once where the matrix is frozen), attention 4 s^2 a d per sequence and layer (half if causal).
/// Source: Narayanan et al., arXiv 2104.04473, appendix; Chowdhery et al., arXiv 2204.02311,
/// appendix B (6N + 12Lhs).
StepFlops count_step_flops(const Job& job);

}  // namespace traintally
