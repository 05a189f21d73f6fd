#include <cstdio>

#include <traintally/estimate.hpp>

#include "explanation.hpp"

namespace traintally {

std::string number(double value) {
  constexpr double kWhole = 1e15;
  constexpr double kFractionless = 1e7;  // nobody reads the fraction of a larger number
  const bool in_range = value > -kWhole && value < kWhole;
  if (in_range && (value > kFractionless || value < -kFractionless)) {
    value = static_cast<double>(static_cast<std::int64_t>(value < 0 ? value - 0.5 : value + 0.5));
  }
  if (!in_range || static_cast<double>(static_cast<std::int64_t>(value)) != value) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.9g", value);
    return buffer;
  }
  std::string digits = std::to_string(static_cast<std::int64_t>(value));
  const std::size_t sign = digits[0] == '-' ? 1 : 0;
  for (std::size_t at = digits.size(); at > sign + 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

std::string sum_of(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) {
    if (!text.empty()) text += " + ";
    text += number(value);
  }
  return text;
}

std::vector<Derivation> explain(const Report& report) {
  std::vector<Derivation> derivations;
  explain_parameters(report, derivations);
  explain_memory(report, derivations);
  explain_time(report, derivations);
  explain_cost(report, derivations);
  return derivations;
}

}  // namespace traintally
