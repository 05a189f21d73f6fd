#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

namespace traintally {

/// A double that carries its unit in its type. Quantities of one unit add and compare; a product
/// with a plain number keeps the unit; the quotient of two of the same unit is a plain number.
template <class Unit>
struct Quantity {
  double value = 0;

  constexpr Quantity& operator+=(Quantity other) {
    value += other.value;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    value -= other.value;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return {a.value + b.value}; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return {a.value - b.value}; }
  friend constexpr Quantity operator*(Quantity a, double k) { return {a.value * k}; }
  friend constexpr Quantity operator*(double k, Quantity a) { return {a.value * k}; }
  friend constexpr Quantity operator/(Quantity a, double k) { return {a.value / k}; }
  friend constexpr double operator/(Quantity a, Quantity b) { return a.value / b.value; }
  friend constexpr auto operator<=>(Quantity a, Quantity b) = default;
};

using Bytes = Quantity<struct BytesUnit>;
using Flops = Quantity<struct FlopsUnit>;
using Seconds = Quantity<struct SecondsUnit>;
using FlopsPerSecond = Quantity<struct FlopsPerSecondUnit>;
using BytesPerSecond = Quantity<struct BytesPerSecondUnit>;
using TokensPerSecond = Quantity<struct TokensPerSecondUnit>;
using Watts = Quantity<struct WattsUnit>;

constexpr Seconds operator/(Flops work, FlopsPerSecond rate) { return {work.value / rate.value}; }
constexpr Seconds operator/(Bytes size, BytesPerSecond rate) { return {size.value / rate.value}; }

template <class Unit>
constexpr Quantity<Unit> max(Quantity<Unit> a, Quantity<Unit> b) {
  return a.value < b.value ? b : a;
}
template <class Unit>
constexpr Quantity<Unit> min(Quantity<Unit> a, Quantity<Unit> b) {
  return b.value < a.value ? b : a;
}

inline constexpr double kGiB = 1073741824.0;  ///< bytes in a gibibyte, 2^30
inline constexpr double kGB = 1e9;            ///< bytes in a gigabyte, as datasheets count

/// A figure that a sentence is filled with, or a constant of a table.
struct NamedNumber {
  std::string_view name;
  double value = 0;

  friend bool operator==(const NamedNumber&, const NamedNumber&) = default;
};

/// An estimate with the bounds of its central 80% interval, all in the unit of `value`.
template <class T>
struct Interval {
  T value{};
  T low{};
  T high{};
};

}  // namespace traintally
