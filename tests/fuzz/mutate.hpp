#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// A small generator of numbers (splitmix64): the same numbers everywhere for the same seed.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }
  bool chance(unsigned percent) { return below(100) < percent; }

 private:
  std::uint64_t state_;
};

/// A document made from one of the seeds (JSON texts): some values replaced by hostile ones, fields
/// dropped, moved or renamed, taken from another seed; sometimes bytes cut, flipped or spliced, so
/// that it may be no JSON at all.
std::string mutate(const std::vector<std::string>& seeds, Random& random);
