#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include <traintally/calibration.hpp>
#include <traintally/cost.hpp>
#include <traintally/energy.hpp>
#include <traintally/gpu.hpp>
#include <traintally/model.hpp>
#include <traintally/offer.hpp>
#include <traintally/ownership.hpp>
#include <traintally/practice.hpp>
#include <traintally/problem.hpp>
#include <traintally/project.hpp>
#include <traintally/published.hpp>
#include <traintally/recipe_habits.hpp>
#include <traintally/run.hpp>
#include <traintally/shared.hpp>
#include <traintally/stack.hpp>
#include <traintally/states.hpp>
#include <traintally/storage.hpp>

namespace traintally {

struct ModelEntry {
  std::string_view id;
  std::string_view name;
  std::string_view family;
  std::vector<std::string_view> aliases;
  Model model;
  double published_parameters = 0;  ///< 0: not published
  std::string_view count_note;      ///< why the count differs, for the few where it does
};

struct Job;

/// Fitted constants at one level of the hierarchy (an architecture, a GPU, a stack family, a
/// stack): the names and values that this level sets, later levels win.
struct CalibrationLevel {
  std::string_view id;
  std::vector<NamedNumber> constants;
};

/// The left-out residuals of one figure (time, or one count of memory) by kind of configuration.
struct FigureSpreads {
  struct Kind {
    std::string_view id;  ///< as time_kind() and memory_kind() name it, or "all"
    Spread spread;
  };
  std::vector<Kind> kinds;
  // What a kind's spread is multiplied by, given what of the configuration was measured.
  double measured = 1;
  double borrowed_stack = 1;
  double borrowed_gpu = 1;
  double borrowed_both = 1;
};

struct SpreadTable {
  FigureSpreads time;
  FigureSpreads allocated;
  FigureSpreads reserved;
  FigureSpreads device;
};

/// What the measurements span, of one property of a job.
struct MeasuredRange {
  std::string_view name;  ///< "parameters", "sequence_length" or "gpus"
  double low = 0;
  double high = 0;
};

struct CalibrationTable {
  std::vector<NamedNumber> defaults;
  std::vector<CalibrationLevel> architectures;
  std::vector<CalibrationLevel> gpus;
  std::vector<CalibrationLevel> families;
  std::vector<CalibrationLevel> stacks;
  SpreadTable spreads;
  std::vector<std::string_view> measured_methods;
  std::vector<std::string_view> unmeasured;  ///< GPUs and stacks whose constants are only expected
  std::vector<MeasuredRange> ranges;
};

/// Speed left when a board is limited to a share of its power.
struct PowerPoint {
  double limit = 1;  ///< share of the usual board power
  double speed = 1;  ///< share of the unlimited speed
};

/// Everything that a provider or a newer measurement changes. Looked up by id; immutable once
/// loaded. All its texts lie in the document that it was loaded from, which has to outlive it.
struct Catalog {
  std::vector<GpuEntry> gpus;
  std::vector<ModelEntry> models;
  std::vector<OfferEntry> offers;
  std::vector<StackEntry> stacks;
  std::vector<PrecisionEntry> precisions;
  std::vector<OptimizerEntry> optimizers;
  std::vector<QuantizationEntry> quantizations;
  CalibrationTable calibration;
  Reliability reliability;
  EnergyFactors energy;
  StorageHabits storage;
  Practice practice;
  RecipeHabits recipes;
  std::vector<PowerPoint> power_limits;  ///< by rising limit
  Spread own_run;                        ///< of a run about the visitor's own measurement of it
  double most_measured_mfu = 0;          ///< training beyond it was never seen; 0: not known
  Calendar calendar;
  OwnershipTable ownership;
  ProjectFactors project;
  std::string_view tax_rate;  ///< of rented computing where prices are in yuan, decimal
  double spot_interruptions_per_gpu_day = 0;
  Shared<Article> article;       ///< never changed, so shared by copies; may be null
  std::string_view cny_per_usd;  ///< decimal
  std::string_view cny_per_usd_date;

  const GpuEntry* find_gpu(std::string_view id) const;
  const ModelEntry* find_model(std::string_view id) const;
  const OfferEntry* find_offer(std::string_view id) const;
  const StackEntry* find_stack(std::string_view id) const;
  const PrecisionEntry* find_precision(std::string_view id) const;
  const OptimizerEntry* find_optimizer(std::string_view id) const;
};

/// The calibration constant `name`, null if there is none of that name.
double* find_constant(Calibration& calibration, std::string_view name);

/// Sets the calibration constant `name`; false if there is none of that name.
bool set_constant(Calibration& calibration, std::string_view name, double value);

/// The constants for a GPU under a stack: defaults, then architecture, GPU, family, stack.
/// `basis` says which of them were measured.
Calibration resolve_calibration(const Catalog& catalog, const GpuEntry& gpu,
                                const StackEntry& stack, Basis& basis);

/// Kind of configuration as far as the errors of time differ: "mixture", "adapters", "one_node" or
/// "several_nodes".
std::string_view time_kind(const Job& job);

/// Likewise of memory: "adapters_one_gpu", "adapters", "megatron", "full_one_gpu" or "sharded".
std::string_view memory_kind(const Job& job, const StackEntry& stack);

/// Sets the basis's kinds and spreads: those of the job's kind ("all" where it has none), wider
/// where its GPU or its stack was not measured. A GPU that was not adds nothing to memory: a card
/// holds what the stack puts there.
void resolve_spreads(const SpreadTable& table, const Job& job, const StackEntry& stack,
                     Basis& basis);

}  // namespace traintally
