#pragma once

#include <cstdint>

#include <traintally/practice.hpp>

namespace traintally {

/// How well a layout meets the memory: even at the upper end of the interval, at its centre, not.
enum class Fit : std::uint8_t { well, barely, no };

/// A layout that fits at the centre of the interval alone is preferred where one that fits at its
/// upper end takes longer by more than this factor.
inline constexpr double kTightFit = 1.5;

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

  /// The better rank breaks fewer rules.
  int rank() const { return count_rules(broken); }
  /// Time as preferences count it, never less than it takes.
  double weighed() const { return seconds_per_sequence * (fit == Fit::barely ? kTightFit : 1); }
  /// Of another stack's: fits rather than not, breaks fewer rules, takes less time; where neither
  /// fits, needs less memory.
  bool better_than(const Candidate& other) const {
    if (fit == Fit::no && other.fit == Fit::no) return device < other.device;
    if (fit == Fit::no || other.fit == Fit::no) return other.fit == Fit::no;
    return rank() != other.rank() ? rank() < other.rank() : weighed() < other.weighed();
  }
  void apply_to(Job& job) const;
};

/// How far a search has come.
struct SearchCounts {
  std::int64_t layouts = 0;    ///< valid ones in the space
  std::int64_t evaluated = 0;  ///< of them, in full; the others cannot be an answer
};

}  // namespace traintally
