#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace traintally {

/// What can be suggested, and a name of it that somebody may have meant to type.
struct Suggestion {
  std::string_view shown;
  std::string_view name;
};

/// The at most `most` suggestions of which a name looks most like `name`: those that contain it, or
/// that it contains as a word, before the others, by edit distance. Letters are alike in either
/// case, and O is alike to 0. Joined by ", ", each once.
std::string nearest_names(std::string_view name, const std::vector<Suggestion>& candidates,
                          std::size_t most = 8);

/// Likewise among names that are shown as they are.
std::string nearest_names(std::string_view name, const std::vector<std::string_view>& candidates,
                          std::size_t most = 8);

/// Likewise among names of fields: those that share a word ("batch") come before the others.
std::string nearest_fields(std::string_view name, const std::vector<std::string_view>& candidates);

/// The ids of the entries of which the id, the name or an alias looks most like `name`.
template <class Entry>
std::string nearest_ids(std::string_view name, const std::vector<Entry>& entries) {
  std::vector<Suggestion> candidates;
  for (const Entry& entry : entries) {
    candidates.push_back({entry.id, entry.id});
    if constexpr (requires { entry.name.data(); }) candidates.push_back({entry.id, entry.name});
    if constexpr (requires { entry.aliases; }) {
      for (const std::string_view alias : entry.aliases) candidates.push_back({entry.id, alias});
    }
  }
  return nearest_names(name, candidates);
}

}  // namespace traintally
