#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <traintally/candidate.hpp>
#include <traintally/resolve.hpp>

#include "terms.hpp"

namespace traintally {

/// What parallelism a stack's users have.
struct Abilities {
  bool model_parallel = false;  ///< tp, pp, cp, ep and virtual stages
  bool zero[4] = {true, false, false, false};
  bool hybrid = false;   ///< ZeRO-3 inside a node, replicas of it across nodes
  bool offload = false;  ///< of the optimizer
};
Abilities abilities(const StackEntry& stack);

/// What a search keeps as it was given; the rest is its to choose.
struct FixedLayout {
  std::optional<std::int64_t> tp, pp, cp, ep, etp, dp, zero, shard_group, virtual_stages;
  std::optional<bool> sequence_parallel;
  std::optional<Offload> offload;
  std::optional<Recompute> recompute;
  std::optional<std::int64_t> micro_batch;
  std::optional<std::int64_t> global_batch;  ///< empty: default_global_batch of each layout
  std::int64_t usual_batch = 64;             ///< that it comes near to
};
FixedLayout fixed_layout(const Scenario& scenario);

/// The layouts of one job on one cluster: tp (powers of two inside the node), pp (divides the
/// layers, or leaves up to three stages, the ends first, a layer shorter), cp, ep and micro-batch
/// (powers of two), virtual stages (divisors of a stage's layers up to 8), ZeRO stages, offload of
/// the optimizer and recomputation, as far as the stack has them; full sharding also inside each
/// node alone. Exact: what is not evaluated is
/// shown not to matter, by its states alone not fitting, by a smaller micro-batch not fitting, or
/// by a bound below its time.
class LayoutSearch {
 public:
  /// @param job all but layout, recompute and batches, which are set as the search goes
  /// @param upper factor of the upper end of the memory interval
  LayoutSearch(const Job& job, const StackEntry& stack, const FixedLayout& fixed,
               const PracticeLimits& limits, double upper);

  /// Goes on until about `work` more layouts are evaluated.
  /// @return whether the search is complete
  bool step(std::int64_t work);

  /// The fastest layout (Candidate::weighed) of the best rank; null where none fits.
  const Candidate* recommended() const { return recommended_ ? &*recommended_ : nullptr; }
  /// The fastest layout that fits, whatever rules it breaks.
  const Candidate* fastest() const { return fastest_ ? &*fastest_ : nullptr; }
  /// The layout that needs least memory, fitting or not; null where none is valid. Not part of
  /// step().
  std::optional<Candidate> leanest();
  const SearchCounts& counts() const { return counts_; }

 private:
  struct Pipeline {
    std::int64_t stages = 1;
    StageRuns runs;
    std::int64_t virtual_stages[8] = {1};
    int choices = 1;
  };
  /// Layouts that differ in ZeRO stage, offload, virtual stages and recomputation alone.
  struct Node {
    std::int64_t tp, cp, ep, micro_batch;
    int pipeline;
    unsigned states;  ///< that fit on their own
    int least_broken;
    StepBound bound;
    double least_seconds;  ///< per sequence
    std::int64_t order;
  };

  /// How states are sharded.
  struct Sharding {
    std::int64_t zero = 0;
    std::int64_t group = 0;  ///< Layout::shard_group
  };
  using States = unsigned;  ///< a set of pairs of sharding and offload

  void choose_space(const StackEntry& stack);
  bool set_group(std::int64_t tp, std::int64_t cp, std::int64_t ep, const Pipeline& pipeline);
  bool set_batch(std::int64_t micro_batch);
  bool set_state(unsigned state);
  void enumerate();
  void enumerate_batches(std::int64_t tp, std::int64_t cp, std::int64_t ep,
                         std::vector<States> states);
  States states_that_fit(const ParameterShares& parameters, const Pipeline& pipeline);
  bool any_fits(const MemoryTerms& terms, const Pipeline& pipeline, States states);
  std::int64_t variants(const Pipeline& pipeline);
  void evaluate(const Node& node);
  Fit consider(const Pipeline& pipeline, std::int64_t order);
  bool beaten(double seconds, int rank) const;
  Candidate candidate(const Memory& memory, std::int64_t order) const;

  Job job_;
  FixedLayout fixed_;
  PracticeLimits limits_;
  double upper_;
  std::int64_t most_tp_ = 1;
  std::int64_t most_cp_ = 1;
  std::int64_t most_ep_ = 1;
  std::int64_t most_micro_batch_ = 1;
  bool sequence_parallel_ = false;
  std::vector<Sharding> shardings_;
  std::vector<Offload> offloads_;
  std::vector<Recompute> recomputes_;
  std::vector<Pipeline> pipelines_;
  std::vector<Node> nodes_;
  MemoryTerms memory_terms_;  ///< of the node at hand
  TimeTerms time_terms_;
  std::size_t next_ = 0;
  bool enumerated_ = false;
  std::int64_t order_ = 0;
  std::optional<Candidate> recommended_;
  std::optional<Candidate> fastest_;
  SearchCounts counts_;
};

}  // namespace traintally
