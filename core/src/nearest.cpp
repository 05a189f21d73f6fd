#include "nearest.hpp"

#include <algorithm>

#include "ascii.hpp"

namespace traintally {
namespace {

constexpr std::size_t kCompared = 48;  // longer names differ enough in their first letters

char folded(char c) {
  if (c == 'O' || c == 'o') return '0';
  return lower(c);
}

std::string folded(std::string_view text) {
  std::string result(text.substr(0, kCompared));
  for (char& c : result) c = folded(c);
  return result;
}

bool is_word_end(char c) { return c == ' ' || c == '-' || c == '_' || c == '/'; }

/// Whether `part` stands in `text` with nothing but the ends of words beside it.
bool contains_word(const std::string& text, const std::string& part) {
  const std::size_t at = part.empty() ? std::string::npos : text.find(part);
  if (at == std::string::npos) return false;
  const std::size_t end = at + part.size();
  return (at == 0 || is_word_end(text[at - 1])) && (end == text.size() || is_word_end(text[end]));
}

/// Whether a word of `a` that says something (not "per") is in `b`.
bool share_word(const std::string& a, const std::string& b) {
  constexpr std::size_t kShortest = 4;
  for (std::size_t begin = 0; begin < a.size();) {
    std::size_t end = begin;
    while (end < a.size() && !is_word_end(a[end])) ++end;
    const std::string word = a.substr(begin, end - begin);
    if (word.size() >= kShortest && contains_word(b, word)) return true;
    begin = end + 1;
  }
  return false;
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

std::string nearest(std::string_view name, const std::vector<Suggestion>& candidates,
                    std::size_t most, bool fields) {
  const std::string wanted = folded(name);
  std::vector<std::size_t> distances;
  distances.reserve(candidates.size());
  for (const Suggestion& candidate : candidates) {
    const std::string other = folded(candidate.name);
    const bool contains =
        !wanted.empty() && (other.find(wanted) != std::string::npos ||
                            contains_word(wanted, other) || (fields && share_word(wanted, other)));
    distances.push_back(edit_distance(wanted, other) + (contains ? 0 : kCompared));
  }
  // A few of many are wanted: the nearest of what is left, the first of equals, each time.
  constexpr std::size_t kTaken = static_cast<std::size_t>(-1);
  std::string joined;
  for (std::size_t rank = 0; rank < most; ++rank) {
    const auto best = std::min_element(distances.begin(), distances.end());
    if (best == distances.end() || *best == kTaken) break;
    const std::string_view found =
        candidates[static_cast<std::size_t>(best - distances.begin())].shown;
    if (rank > 0) joined += ", ";
    joined += found;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (candidates[i].shown == found) distances[i] = kTaken;
    }
  }
  return joined;
}

std::vector<Suggestion> as_shown(const std::vector<std::string_view>& names) {
  std::vector<Suggestion> suggestions;
  suggestions.reserve(names.size());
  for (const std::string_view name : names) suggestions.push_back({name, name});
  return suggestions;
}

}  // namespace

std::string nearest_names(std::string_view name, const std::vector<Suggestion>& candidates,
                          std::size_t most) {
  return nearest(name, candidates, most, false);
}

std::string nearest_names(std::string_view name, const std::vector<std::string_view>& candidates,
                          std::size_t most) {
  return nearest(name, as_shown(candidates), most, false);
}

std::string nearest_fields(std::string_view name, const std::vector<std::string_view>& candidates) {
  constexpr std::size_t kMost = 8;
  return nearest(name, as_shown(candidates), kMost, true);
}

}  // namespace traintally
