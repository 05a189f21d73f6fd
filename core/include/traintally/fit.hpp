#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <traintally/candidate.hpp>
#include <traintally/resolve.hpp>

namespace traintally {

/// One way to run the job otherwise: a single change or a pair of them.
struct FitChange {
  std::vector<std::string> codes;  ///< what changes: "recompute_full", "optimizer_8bit", ...
  Scenario scenario;               ///< the resolved scenario with the change
  Bytes device;                    ///< peak with it
  Bytes saved;                     ///< less than before, may be negative
  Fit fit = Fit::no;
  double time_ratio = 1;          ///< time per sequence over that before
  bool changes_training = false;  ///< other weights are trained: adapters alone
};

/// The most of something that fits, with all else as it is.
struct FitMost {
  double value = 0;
  Scenario scenario;
};

struct FitAnswer {
  Resolved resolved;
  Bytes device;
  Bytes usable;
  Fit fit = Fit::no;
  /// Single changes, and pairs that fit where neither change does alone: those that fit first, then
  /// those that keep what is trained, then those of less GPU time.
  std::vector<FitChange> changes;
  std::optional<FitMost> sequence_length;  ///< tokens
  std::optional<FitMost> micro_batch;      ///< sequences; the global batch grows where it has to
  std::optional<FitMost> parameters;       ///< of a model scaled from the catalogue's nearest
  std::optional<FitMost> model;            ///< the largest of the catalogue's, its parameters
  std::optional<FitMost> gpus;  ///< the fewest that fit, 1, 2, 4, then a node's times 2^k
};

/// The inverse questions: what would fit, and what makes this fit. Everything is an estimate of a
/// changed scenario by the functions of a single one.
FitAnswer find_fit(const Scenario& scenario, const Catalog& catalog, const Problems& given = {});

}  // namespace traintally
