#include "nearest.hpp"

#include <algorithm>
#include <utility>

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
  std::vector<std::pair<std::size_t, std::string_view>> ranked;
  ranked.reserve(candidates.size());
  for (const std::string_view candidate : candidates) {
    const std::string other = lowered(candidate);
    const bool contains = !wanted.empty() && (other.find(wanted) != std::string::npos ||
                                              wanted.find(other) != std::string::npos);
    ranked.emplace_back(edit_distance(wanted, other) + (contains ? 0 : kCompared), candidate);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string joined;
  for (std::size_t i = 0; i < ranked.size() && i < most; ++i) {
    if (i > 0) joined += ", ";
    joined += ranked[i].second;
  }
  return joined;
}

}  // namespace traintally
