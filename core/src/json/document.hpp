#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include <traintally/problem.hpp>

namespace traintally {

using Json = nlohmann::json;

/// Parses one JSON document (RFC 8259, UTF-8). Refuses what is longer, or nested deeper, than
/// limits.hpp allows, and a field given twice.
/// @return the document; a discarded one, with problems, where it is none. Codes: malformed_json
/// (accepts names the byte where reading stopped), too_large, too_deep, duplicate_field.
Json parse_document(std::string_view text, Problems& problems);

/// Adds a problem. Past limits::problems of them the rest are counted as one, more_problems.
void add_problem(Problems& problems, std::string at, std::string_view code, std::string accepts);

/// `at` extended by a field's name or an index, as a JSON Pointer (RFC 6901).
std::string pointer(std::string_view at, std::string_view name);
std::string pointer(std::string_view at, std::size_t index);

}  // namespace traintally
