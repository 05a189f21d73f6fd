#pragma once

#include <optional>
#include <string>
#include <vector>

#include <traintally/candidate.hpp>
#include <traintally/catalog.hpp>
#include <traintally/job.hpp>
#include <traintally/problem.hpp>
#include <traintally/scenario.hpp>

namespace traintally {

/// A scenario with every default filled in, looked up in the catalogue and checked.
struct Resolved {
  Scenario scenario;                  ///< every optional set, as far as it goes
  Job job;                            ///< sound only where problems is empty
  const ModelEntry* model = nullptr;  ///< the catalogue entry, or the nearest for {"params"}
  const GpuEntry* gpu = nullptr;
  const OfferEntry* offer = nullptr;  ///< null: priced by the visitor, or no offer for this GPU
  const StackEntry* stack = nullptr;
  const PrecisionEntry* precision = nullptr;
  Basis basis;
  std::optional<Candidate> chosen;  ///< by choose_layout, where the layout was "auto"
  bool scaled_model = false;        ///< only a parameter count was given
  Problems problems;
};

/// Fills the defaults, looks names up, checks every constraint, and makes the Job. Where neither
/// stack nor layout is given and Megatron's layouts are usual for the job, they are looked through
/// too, and the better stack is taken. Pure; never fails: what is wrong is in `problems`, each at
/// its field.
/// @param given what was wrong already when the scenario was read; with any problem, in it or in a
/// name that is looked up, nothing is derived and the rest is left as it was given.
Resolved resolve(const Scenario& scenario, const Catalog& catalog, const Problems& given = {});

/// As resolve(), but for the layout, the global batch and, where they are open, the micro-batch and
/// recomputation: those are the plan search's.
Resolved resolve_job(const Scenario& scenario, const Catalog& catalog);

/// Checks that the figures of an architecture agree. `at` is the pointer of the model. Codes:
/// not_divisible, out_of_range, not_positive, model_too_large.
void check_model(const Model& model, const std::string& at, Problems& problems);

/// The architecture nearest in size in the catalogue, scaled to `parameters`: depth and width are
/// scaled together, widths stay multiples of the head size.
/// @param nearest set to the entry that was scaled, null where the catalogue has no dense model
Model scale_model(const Catalog& catalog, double parameters, const ModelEntry** nearest);

/// The layout that a practitioner would run: of those that fit and break the fewest rules of
/// practice.hpp the fastest, but for one that does not fit at the upper end of the memory interval
/// (`upper`, a factor) and is little faster (kTightFit); where none fits, the one that needs least
/// memory. Ties go to the simpler layout. Exact over the space of tp (powers of two inside the
/// node), pp (divides the layers, or leaves up to three stages, the ends first, a layer shorter),
/// virtual stages (up to 8), cp and ep (powers of two), and ZeRO stage, as far as the stack has
/// them, and of recomputation, global batch and, but for adapters, micro-batch where the scenario
/// leaves those open.
/// @return nothing where no layout is valid; the job is left as it was
std::optional<Candidate> choose_layout(Job& job, const StackEntry& stack, const Scenario& given,
                                       const Practice& practice, double upper);

/// The stack that has Megatron's layouts on this GPU: on Ascend that is MindSpeed-LLM.
const char* megatron_on(const GpuEntry& gpu);

/// Whether Megatron's layouts are looked through beside those of FSDP: for pre-training, and for
/// mixtures of experts, where the scenario leaves stack and layout open.
bool tries_megatron(const Scenario& given, const Job& job);

/// Sequences of a usual step: of pre-training a power of two, as many as the tokens of `practice`
/// hold; mixtures of experts on many GPUs take larger ones.
std::int64_t usual_batch(const Practice& practice, const Job& job);

/// Sequences of a step where the scenario leaves them open: the multiple of micro_batch * dp
/// nearest to the usual ones, at least one.
std::int64_t default_global_batch(std::int64_t micro_batch, std::int64_t dp, std::int64_t usual);

/// Checks a layout against a job. Codes: product_not_count, not_divisible, out_of_range,
/// not_a_mixture, batch_not_divisible.
void check_layout(const Job& job, Problems& problems);

/// Whether check_layout finds nothing wrong; allocates nothing.
bool layout_holds(const Job& job);

/// Bytes per parameter for a precision, an optimizer, a stack and what is trained.
/// @param quantized bytes of a frozen quantised weight, scales included; 0: not quantised
StateBytes state_bytes(const PrecisionEntry& precision, const OptimizerEntry& optimizer,
                       const StackHabits& stack, const Training& training, double quantized);

}  // namespace traintally
