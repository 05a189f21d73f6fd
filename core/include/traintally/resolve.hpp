#pragma once

#include <string>
#include <vector>

#include <traintally/catalog.hpp>
#include <traintally/job.hpp>
#include <traintally/problem.hpp>
#include <traintally/scenario.hpp>

namespace traintally {

/// A scenario with every default filled in, looked up in the catalogue and checked.
struct Resolved {
  Scenario scenario;        ///< every optional set
  Job job;                  ///< sound only where problems is empty
  const ModelEntry* model = nullptr;    ///< the catalogue entry, or the nearest for {"params"}
  const GpuEntry* gpu = nullptr;
  const OfferEntry* offer = nullptr;    ///< null: priced by the visitor, or no offer for this GPU
  const StackEntry* stack = nullptr;
  const PrecisionEntry* precision = nullptr;
  Basis basis;
  bool layout_chosen = false;  ///< layout was "auto" and has been chosen by choose_layout
  bool scaled_model = false;   ///< only a parameter count was given
  Problems problems;
  std::vector<Absent> absent;
};

/// Fills the defaults, looks names up, checks every constraint, and makes the Job.
/// Pure; never fails: what is wrong is in `problems`, each at its field.
Resolved resolve(const Scenario& scenario, const Catalog& catalog);

/// The architecture nearest in size in the catalogue, scaled to `parameters`: depth and width are
/// scaled together, widths stay multiples of the head size.
Model scale_model(const Catalog& catalog, double parameters, const ModelEntry** nearest);

/// The layout (and micro-batch where the visitor left it open) that trains fastest among those that
/// fit; if none fits, the one that needs least memory. One GPU or one node comes first. Ties go to
/// the simpler layout. Exact over the space of tp (inside the node), pp (divides the layers), cp,
/// ep, ZeRO stage and recomputation that the scenario leaves open.
void choose_layout(Job& job, const Scenario& given);

/// Checks a layout against a job. Codes: heads_not_divisible, layers_not_divisible,
/// product_not_count, batch_not_divisible, experts_not_divisible, ...
void check_layout(const Job& job, Problems& problems);

/// Bytes per parameter for a precision, an optimizer, a stack and what is trained.
StateBytes state_bytes(const PrecisionEntry& precision, const OptimizerEntry& optimizer,
                       const StackHabits& stack, const Training& training);

}  // namespace traintally
