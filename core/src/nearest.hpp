#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace traintally {

/// The at most `most` candidates that look most like `name` (containing it first, then by edit
/// distance, ASCII letters alike in either case), joined by ", ".
std::string nearest_names(std::string_view name, const std::vector<std::string_view>& candidates,
                          std::size_t most = 8);

}  // namespace traintally
