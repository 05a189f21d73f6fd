#pragma once

#include <string>
#include <utility>
#include <vector>

#include <traintally/recipe_habits.hpp>
#include <traintally/report.hpp>

namespace traintally {

/// A configuration file or a command that starts a resolved job with one tool.
struct Recipe {
  std::string tool;    ///< "deepspeed" | "accelerate" | "megatron" | "torchrun" | "llama_factory"
  std::string file;    ///< name that it is usually saved as
  std::string format;  ///< "json" | "yaml" | "shell"
  std::string text;
};

/// Why a tool cannot be told the job as it is.
struct Inexpressible {
  std::string tool;
  std::string code;  ///< pipeline_parallel, tensor_parallel, adapters, optimizer, ...
  std::vector<std::pair<std::string, double>> figures;
};

struct Recipes {
  std::vector<Recipe> recipes;
  std::vector<Inexpressible> inexpressible;  ///< a tool with an entry here has no recipe
};

/// The recipes for a report's job. Names of options as in DeepSpeed (configuration JSON),
/// Accelerate 1.x (FSDP configuration), Megatron-LM core 0.14 (arguments.py), LLaMA-Factory 0.9
/// (training arguments). Learning rates and such are those of `habits`; what neither it nor the job
/// says (paths, data, the chat template) is left as an upper-case placeholder, or said to be
/// unknown in a comment. Needs a report that is `answered`.
Recipes write_recipes(const Report& report, const RecipeHabits& habits);

}  // namespace traintally
