#pragma once

namespace traintally {

/// e^x - 1 for x >= 0, exact to a few last bits, by + * / alone: libraries differ in the last bit
/// of exp, and a report must read the same everywhere. Beyond `kLargestExponent` it stays where it
/// is.
inline constexpr double kLargestExponent = 40;

inline double exponential_minus_one(double x) {
  double rest = x < kLargestExponent ? x : kLargestExponent;
  int halvings = 0;
  for (; rest > 0.0625; ++halvings) rest /= 2;
  // Taylor's series of (e^x - 1), from the small end; the next term is below 2^-60 of the first.
  double sum = 0;
  for (int n = 10; n >= 1; --n) sum = rest / n * (1 + sum);
  for (; halvings > 0; --halvings) sum *= sum + 2;  // e^2y - 1 = (e^y - 1)(e^y + 1)
  return sum;
}

}  // namespace traintally
