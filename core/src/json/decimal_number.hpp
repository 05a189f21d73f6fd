#pragma once

#include <string_view>

namespace traintally {

/// The double nearest to a JSON number, the even one of two as near; infinite where there is none.
/// What strtod returns in the C locale, without the long double arithmetic that strtod brings.
double decimal_number(std::string_view text);

}  // namespace traintally
