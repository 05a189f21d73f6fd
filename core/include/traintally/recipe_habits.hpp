#pragma once

#include <string_view>
#include <vector>

namespace traintally {

/// A figure of models below a size.
struct SizedFigure {
  double below = 0;  ///< active parameters
  double value = 0;
};

/// Rotary embeddings of a family of models.
struct Rotary {
  std::string_view family;
  double base = 0;
  double scaling = 0;  ///< factor of Llama 3.1's scaling; 0: none
};

/// What a recipe says beyond its job: core/catalog/recipes.json, with the sources. 0, or an empty
/// list, is not known, and no recipe says it.
struct RecipeHabits {
  std::vector<SizedFigure> pretrain_rate;  ///< peak learning rates, by rising size
  std::vector<SizedFigure> full_rate;
  std::vector<SizedFigure> adapter_rate;
  std::vector<SizedFigure> adapter_dropout;
  double adapter_alpha = 0;
  double tuning_warmup_share = 0;  ///< of the steps
  double pretrain_warmup_steps = 0;
  double pretrain_least_rate = 0;  ///< share of the peak that the rate falls to
  double weight_decay = 0;
  double adam_beta2 = 0;
  std::vector<Rotary> rotary;
};

}  // namespace traintally
