#include "decimal_number.hpp"

#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace traintally {
namespace {

/// An unsigned integer of any size, its lowest 32 bits first.
class BigInteger {
 public:
  explicit BigInteger(std::uint64_t value) {
    for (; value != 0; value >>= 32) words_.push_back(static_cast<std::uint32_t>(value));
  }

  void multiply_add(std::uint32_t factor, std::uint32_t addend) {
    std::uint64_t carry = addend;
    for (std::uint32_t& word : words_) {
      carry += static_cast<std::uint64_t>(word) * factor;
      word = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) words_.push_back(static_cast<std::uint32_t>(carry));
  }
  void multiply_power_of_ten(int exponent) {
    for (; exponent >= 9; exponent -= 9) multiply_add(1'000'000'000, 0);
    for (; exponent > 0; --exponent) multiply_add(10, 0);
  }
  void shift_left(int bits) {
    multiply_add(std::uint32_t{1} << (bits % 32), 0);
    if (!words_.empty()) words_.insert(words_.begin(), static_cast<std::size_t>(bits / 32), 0);
  }

  /// Below zero, zero or above as this is less than, equal to or more than `other`.
  int compare(const BigInteger& other) const {
    if (words_.size() != other.words_.size()) return words_.size() < other.words_.size() ? -1 : 1;
    for (std::size_t i = words_.size(); i-- > 0;) {
      if (words_[i] != other.words_[i]) return words_[i] < other.words_[i] ? -1 : 1;
    }
    return 0;
  }

 private:
  std::vector<std::uint32_t> words_;
};

/// digits * 10^exponent, the digits without leading zeros.
struct Decimal {
  // Two neighbouring doubles have their middle within 768 digits: what lies beyond only says on
  // which side of it a number is.
  static constexpr std::size_t kMostDigits = 800;

  char digits[kMostDigits + 1];
  std::size_t count = 0;
  int exponent = 0;

  void add(char digit, bool fraction) {
    if (fraction && exponent > -kFar) --exponent;
    if (count == 0 && digit == '0') return;
    if (count < kMostDigits) {
      digits[count++] = digit;
    } else {
      if (exponent < kFar) ++exponent;
      if (digit != '0') more = true;
    }
  }
  void finish() {
    if (!more) return;
    digits[count++] = '1';
    --exponent;
  }

  static constexpr int kFar = 1'000'000'000;  // documents are shorter
  bool more = false;
};

Decimal parse(std::string_view text) {
  Decimal decimal;
  std::size_t i = 0;
  bool fraction = false;
  for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i) {
    if (text[i] == '.') {
      fraction = true;
    } else {
      decimal.add(text[i], fraction);
    }
  }
  decimal.finish();
  if (i == text.size()) return decimal;
  ++i;
  const bool negative = text[i] == '-';
  if (negative || text[i] == '+') ++i;
  int exponent = 0;
  for (; i < text.size(); ++i) {
    if (exponent < Decimal::kFar / 10) exponent = exponent * 10 + (text[i] - '0');
  }
  decimal.exponent += negative ? -exponent : exponent;
  return decimal;
}

double of_bits(std::uint64_t bits) {
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::uint64_t bits_of(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// As compare: the decimal against the middle between the double of these bits and the next.
int compare_to_middle(const Decimal& decimal, std::uint64_t bits) {
  constexpr int kFractionBits = 52;
  constexpr int kBias = 1075;  // of the exponent, once the fraction is a whole number
  const auto biased = static_cast<int>(bits >> kFractionBits);
  std::uint64_t fraction = bits & ((std::uint64_t{1} << kFractionBits) - 1);
  if (biased > 0) fraction |= std::uint64_t{1} << kFractionBits;
  const int exponent = (biased > 0 ? biased : 1) - kBias - 1;  // of the middle

  BigInteger middle(2 * fraction + 1);
  BigInteger given(0);
  for (std::size_t i = 0; i < decimal.count; ++i) {
    given.multiply_add(10, static_cast<std::uint32_t>(decimal.digits[i] - '0'));
  }
  if (decimal.exponent > 0) given.multiply_power_of_ten(decimal.exponent);
  if (decimal.exponent < 0) middle.multiply_power_of_ten(-decimal.exponent);
  if (exponent > 0) middle.shift_left(exponent);
  if (exponent < 0) given.shift_left(-exponent);
  return given.compare(middle);
}

/// A double a few places of its last bit off at most.
double approximate(const Decimal& decimal, bool& exact) {
  constexpr std::size_t kExactDigits = 15;
  constexpr int kExactPower = 22;  // 10^22 is the highest power of ten that is a double
  constexpr std::size_t kDigits = 18;
  std::int64_t whole = 0;
  int exponent = decimal.exponent;
  for (std::size_t i = 0; i < decimal.count; ++i) {
    if (i < kDigits) {
      whole = whole * 10 + (decimal.digits[i] - '0');
    } else {
      ++exponent;
    }
  }
  auto value = static_cast<double>(whole);
  exact = decimal.count <= kExactDigits && exponent >= -kExactPower && exponent <= kExactPower;
  while (exponent != 0) {
    const int magnitude = exponent < 0 ? -exponent : exponent;
    const int step = magnitude < kExactPower ? magnitude : kExactPower;
    double power = 1;
    for (int i = 0; i < step; ++i) power *= 10;
    value = exponent < 0 ? value / power : value * power;
    exponent += exponent < 0 ? step : -step;
  }
  return value;
}

double magnitude_of(const Decimal& decimal) {
  constexpr int kHighest = 310;  // decimal places; above is infinite
  constexpr int kLowest = -330;  // below is zero
  if (decimal.count == 0) return 0;
  const int top = static_cast<int>(decimal.count) + decimal.exponent;
  if (top > kHighest) return std::numeric_limits<double>::infinity();
  if (top < kLowest) return 0;
  bool exact = false;
  const double value = approximate(decimal, exact);
  if (exact) return value;
  const std::uint64_t highest = bits_of(std::numeric_limits<double>::max());
  std::uint64_t bits = bits_of(value);
  if (bits > highest) bits = highest;
  const auto goes_up = [&decimal](std::uint64_t from) {
    const int side = compare_to_middle(decimal, from);
    return side > 0 || (side == 0 && from % 2 != 0);
  };
  if (goes_up(bits)) {
    do {
      ++bits;
    } while (bits <= highest && goes_up(bits));
  } else {
    while (bits > 0 && !goes_up(bits - 1)) --bits;
  }
  return of_bits(bits);  // one above the highest are infinity's
}

}  // namespace

double decimal_number(std::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  const double magnitude = magnitude_of(parse(negative ? text.substr(1) : text));
  return negative ? -magnitude : magnitude;
}

}  // namespace traintally
