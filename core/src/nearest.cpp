#include "nearest.hpp"

#include <algorithm>

namespace traintally {
namespace {

constexpr std::size_t kCompared = 48;  // longer names differ enough in their first letters

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lowered(std::string_view text) {
  std::string result(text.substr(0, kCompared));
  for (char& c : result) c = lower(c);
  return result;
}

/// Levenshtein distance, one row at a time.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest_names(std::string_view name, const std::vector<std::string_view>& candidates,
                          std::size_t most) {
  const std::string wanted = lowered(name);
  std::vector<std::size_t> distances;
  distances.reserve(candidates.size());
  for (const std::string_view candidate : candidates) {
    const std::string other = lowered(candidate);
    const bool contains = !wanted.empty() && (other.find(wanted) != std::string::npos ||
                                              wanted.find(other) != std::string::npos);
    distances.push_back(edit_distance(wanted, other) + (contains ? 0 : kCompared));
  }
  // A few of many are wanted: the nearest of what is left, the first of equals, each time.
  constexpr std::size_t kTaken = static_cast<std::size_t>(-1);
  std::string joined;
  for (std::size_t rank = 0; rank < most; ++rank) {
    const auto nearest = std::min_element(distances.begin(), distances.end());
    if (nearest == distances.end() || *nearest == kTaken) break;
    const std::string_view found =
        candidates[static_cast<std::size_t>(nearest - distances.begin())];
    if (rank > 0) joined += ", ";
    joined += found;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (candidates[i] == found) distances[i] = kTaken;
    }
  }
  return joined;
}

}  // namespace traintally
