#include <cmath>

#include <traintally/estimate.hpp>

#include "explanation.hpp"

namespace traintally {

namespace {

/// What a product of two doubles lost in rounding (Dekker 1971).
double lost(double a, double b) {
  constexpr double kSplit = 134217729;  // 2^27 + 1
  const auto high = [](double x) { return kSplit * x - (kSplit * x - x); };
  const double a_high = high(a);
  const double b_high = high(b);
  const double a_low = a - a_high;
  const double b_low = b - b_high;
  return a_low * b_low - (a * b - a_high * b_high - a_low * b_high - a_high * b_low);
}

/// The whole number nearest to a small positive value, which is `rest` more than it reads; to the
/// even one of two as near.
std::int64_t rounded(double value, double rest) {
  auto whole = static_cast<std::int64_t>(value);
  const double fraction = value - static_cast<double>(whole);
  const bool above = fraction > 0.5 || (fraction == 0.5 && rest > 0);
  const bool middle = fraction == 0.5 && rest == 0;
  if (above || (middle && whole % 2 != 0)) ++whole;
  return whole;
}

/// A positive value to nine digits, as printf's %.9g writes it, without the weight of printf.
std::string nine_digits(double value) {
  constexpr int kDigits = 9;
  constexpr int kMostZeros = 4;  // after the point; smaller values are written as 1.5e-06
  int exponent = 0;
  double power = 1;
  if (value >= 1) {
    for (; value / power >= 10; power *= 10) ++exponent;
  } else {
    for (; value * power < 1; power *= 10) --exponent;
  }
  double scale = 1;  // exact up to 1e22
  const int shift = kDigits - 1 - exponent;
  for (int i = 0; i < (shift < 0 ? -shift : shift); ++i) scale *= 10;
  const double scaled = shift < 0 ? value / scale : value * scale;
  const double rest = shift < 0 ? value - scaled * scale - lost(scaled, scale) : lost(value, scale);
  std::int64_t whole = rounded(scaled, rest);
  if (whole == 1'000'000'000) {
    whole /= 10;
    ++exponent;
  }
  std::string text = std::to_string(whole);
  while (text.size() > 1 && text.back() == '0') text.pop_back();
  const bool small = exponent < -kMostZeros;
  if (!small && exponent < kDigits) {
    if (exponent < 0)
      return "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + text;
    const auto point = static_cast<std::size_t>(exponent) + 1;
    if (text.size() < point) text.resize(point, '0');
    if (text.size() > point) text.insert(point, 1, '.');
    return text;
  }
  if (text.size() > 1) text.insert(1, 1, '.');
  text += small ? "e-" : "e+";
  const int magnitude = small ? -exponent : exponent;
  if (magnitude < 10) text += '0';
  return text + std::to_string(magnitude);
}

}  // namespace

std::string number(double value) {
  constexpr double kWhole = 1e15;
  constexpr double kFractionless = 1e7;  // nobody reads the fraction of a larger number
  constexpr double kNothing = 1e-290;    // its digits could not be scaled to whole ones
  if (value > -kNothing && value < kNothing) return "0";
  const bool in_range = value > -kWhole && value < kWhole;
  if (in_range && (value > kFractionless || value < -kFractionless)) {
    value = static_cast<double>(static_cast<std::int64_t>(value < 0 ? value - 0.5 : value + 0.5));
  }
  if (!in_range || static_cast<double>(static_cast<std::int64_t>(value)) != value) {
    if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
    return value < 0 ? "-" + nine_digits(-value) : nine_digits(value);
  }
  std::string digits = std::to_string(static_cast<std::int64_t>(value));
  const std::size_t sign = digits[0] == '-' ? 1 : 0;
  for (std::size_t at = digits.size(); at > sign + 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

std::string filled(const char* pattern, std::initializer_list<double> values) {
  std::string text;
  const double* next = values.begin();
  for (; *pattern != '\0'; ++pattern) {
    if (*pattern == '#') {
      text += number(*next++);
    } else {
      text += *pattern;
    }
  }
  return text;
}

DerivationStep step_of(const Line& line) {
  DerivationStep step{line.symbols, filled(line.numbers, line.values), line.value, line.unit, {}};
  for (const char* source : line.sources) step.sources.emplace_back(source);
  return step;
}

void derive(std::vector<Derivation>& derivations, const char* at,
            std::initializer_list<Line> lines) {
  Derivation derivation{at, {}};
  for (const Line& line : lines) derivation.steps.push_back(step_of(line));
  derivations.push_back(std::move(derivation));
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
