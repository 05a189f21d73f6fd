#pragma once

namespace traintally {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// In lower case; what is no ASCII letter stays as it is.
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace traintally
