#pragma once

#include <cstdint>

#include <traintally/practice.hpp>

namespace traintally {

/// How well a layout meets the memory: even at the upper end of the interval, at its centre, not.
enum class Fit : std::uint8_t { well, barely, no };

/// A layout with its figures.
struct Candidate {
  Layout layout;
  Recompute recompute = Recompute::none;
  std::int64_t micro_batch = 1;
  std::int64_t global_batch = 1;
  Fit fit = Fit::no;
  Rules broken = 0;
  Bytes device;
  Seconds step;
  double seconds_per_sequence = 0;
  std::int64_t order = 0;  ///< in the enumeration, simpler layouts first: ties go to the first

  /// The better rank fits better, then breaks fewer rules.
  int rank() const { return static_cast<int>(fit) * (kRules + 1) + count_rules(broken); }
  void apply_to(Job& job) const;
};

/// How far a search has come.
struct SearchCounts {
  std::int64_t layouts = 0;    ///< valid ones in the space
  std::int64_t evaluated = 0;  ///< of them, in full; the others cannot be an answer
};

}  // namespace traintally
