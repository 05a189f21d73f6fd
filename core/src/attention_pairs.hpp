#pragma once

#include <traintally/model.hpp>

namespace traintally {

/// Query-key pairs that causal attention looks at in one sequence, averaged over the softmax
/// layers: half the square, or a band where a layer's window is shorter than the sequence.
constexpr double attention_pairs(const Model& model, double sequence) {
  const double all = sequence * sequence / 2;
  const double window = static_cast<double>(model.sliding_window);
  if (model.sliding_window <= 0 || window >= sequence) return all;
  const double band = sequence * window - window * window / 2;
  return all + (band - all) * model.windowed_layer_share;
}

}  // namespace traintally
