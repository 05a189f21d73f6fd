#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <traintally/candidate.hpp>
#include <traintally/catalog.hpp>
#include <traintally/cost.hpp>
#include <traintally/problem.hpp>
#include <traintally/scenario.hpp>
#include <traintally/time.hpp>

namespace traintally {

/// Items of an offer's checklist, a bit each.
namespace checklist {
inline constexpr unsigned rdma = 1;
inline constexpr unsigned parallel_storage = 2;
inline constexpr unsigned frameworks = 4;
inline constexpr unsigned isolation = 8;
inline constexpr unsigned support = 16;
}  // namespace checklist

/// What a plan must keep to. What is empty binds nothing.
struct Constraints {
  std::optional<double> deadline_days;
  std::optional<std::string> budget_total;  ///< decimal, of the whole run
  std::optional<std::string> budget_month;  ///< decimal, of any month of it
  std::string currency = "CNY";             ///< of both budgets
  std::optional<std::int64_t> max_gpus;
  std::vector<std::string> gpus;       ///< ids; only these
  std::vector<std::string> providers;  ///< only these
  std::vector<std::string> excluded_providers;
  unsigned require = 0;  ///< checklist items that an offer must have
};

/// A figure or a word of why something is ruled out.
struct PlanFigure {
  std::string name;
  double value = 0;
  std::string text;  ///< in place of the value, where not empty
};

/// An offer that no entry is made of, and what binds.
struct RuledOut {
  std::string offer;
  std::string gpu;
  std::string code;
  std::vector<PlanFigure> figures;
};

/// One way to run the job: what is rented, how many, and the layout that a practitioner would run.
struct PlanEntry {
  const OfferEntry* offer = nullptr;  ///< null: the visitor's own price
  const GpuEntry* gpu = nullptr;
  const StackEntry* stack = nullptr;
  std::int64_t count = 1;
  Candidate layout;
  Candidate fastest;     ///< the fastest layout whatever rules it breaks; `layout` where that is it
  Rules applicable = 0;  ///< rules that say something about `layout`
  Bytes usable;
  Interval<Bytes> device;
  Interval<Seconds> step;
  Interval<Seconds> run;
  Throughput throughput;
  Cost cost;
  Decimal comparable;  ///< the total in the plan's currency
};

/// Constraints that cannot hold together, and the nearest of each that holds with the other.
struct Conflict {
  std::string first, second;  ///< JSON Pointers in the request
  std::optional<PlanFigure> nearest_first, nearest_second;
};

struct PlanAnswer {
  Problems problems;
  SearchCounts searched;
  bool complete = false;
  double progress = 0;  ///< share of the clusters that are searched
  std::string currency;
  std::vector<PlanEntry> front;  ///< by rising time: nothing is both faster and cheaper
  std::optional<PlanEntry> cheapest, fastest;
  /// The best entry under each constraint alone: the cheapest in time, the fastest for the money.
  std::vector<std::pair<std::string, PlanEntry>> best;
  std::vector<std::pair<std::string, std::int64_t>> minimum_gpus;
  std::vector<RuledOut> ruled_out;
  std::vector<Conflict> conflicts;
};

/// Searches every offer x count x layout that the scenario leaves open: exact, in slices.
///
/// Counts are 1, 2, 4 and a node's GPUs times powers of two; layouts are those of LayoutSearch. Of
/// a GPU and a count only the best layout counts, for every offer: with the same GPUs a faster run
/// is never dearer.
class PlanSearch {
 public:
  /// @param scenario cluster, layout and price may be empty: what is given is kept
  /// @param catalog must outlive the search
  PlanSearch(const Scenario& scenario, const Constraints& constraints, const Catalog& catalog,
             const Problems& given = {});
  ~PlanSearch();
  PlanSearch(PlanSearch&&) noexcept;
  PlanSearch& operator=(PlanSearch&&) noexcept;

  /// Goes on until about `work` more layouts are evaluated, or a cluster's are.
  /// @return whether the search is complete
  bool step(std::int64_t work);

  /// The answer so far; exact once the search is complete.
  PlanAnswer answer() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace traintally
