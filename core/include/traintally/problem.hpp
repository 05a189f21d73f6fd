#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace traintally {

/// Something wrong with what the visitor gave. The words are the page's; this is the fact.
struct Problem {
  std::string at;       ///< JSON Pointer (RFC 6901) to the field, "" for the whole document
  std::string code;     ///< stable, lower_snake_case
  std::string accepts;  ///< what would be accepted, in a form that needs no translation
};

/// A figure that could not be computed, and why.
struct Absent {
  std::string at;
  std::string_view code;
};

using Problems = std::vector<Problem>;

}  // namespace traintally
