#include <traintally/money.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "wide.hpp"

namespace traintally {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

constexpr std::array<std::uint64_t, 19> kPowersOfTen = [] {
  std::array<std::uint64_t, 19> powers{};
  std::uint64_t power = 1;
  for (std::uint64_t& entry : powers) {
    entry = power;
    power *= 10;
  }
  return powers;
}();

constexpr std::uint64_t power_of_ten(int exponent) {
  return kPowersOfTen[static_cast<std::size_t>(exponent)];
}

// The range is kept symmetric, so a magnitude always fits.
constexpr std::uint64_t magnitude(std::int64_t units) {
  return units < 0 ? static_cast<std::uint64_t>(-units) : static_cast<std::uint64_t>(units);
}

constexpr Decimal end_of_range(bool negative, int scale) {
  return {negative ? -kMost : kMost, scale, true};
}

[[gnu::noinline]] constexpr Decimal signed_decimal(bool negative, const Wide& value, int scale,
                                                   bool saturated) {
  if (!value.fits_64() || value.low_64() > static_cast<std::uint64_t>(kMost)) {
    return end_of_range(negative, scale);
  }
  const auto units = static_cast<std::int64_t>(value.low_64());
  return {negative ? -units : units, scale, saturated};
}

// Half away from zero, on a magnitude. Needs 0 < divisor < 2^63.
[[gnu::noinline]] constexpr void divide_rounded(Wide& value, std::uint64_t divisor) {
  const std::uint64_t remainder = value.divide(divisor);
  if (remainder >= divisor - remainder) value.add(1);
}

// From one scale to another. Dropping more than 18 digits first truncates the lowest ones: half
// away from zero looks at the first dropped digit alone.
[[gnu::noinline]] constexpr void rescale(Wide& value, int from, int to) {
  for (; to - from > Decimal::kMaxScale; from += Decimal::kMaxScale) {
    value.multiply(power_of_ten(Decimal::kMaxScale));
  }
  if (to > from) value.multiply(power_of_ten(to - from));
  while (from - to > Decimal::kMaxScale) {
    value.divide(power_of_ten(Decimal::kMaxScale));
    from -= Decimal::kMaxScale;
  }
  if (from > to) divide_rounded(value, power_of_ten(from - to));
}

constexpr int count_digits(std::uint64_t value) {
  int digits = 1;
  while (value >= 10) {
    value /= 10;
    ++digits;
  }
  return digits;
}

struct Binary {
  std::uint64_t mantissa = 0;
  int exponent = 0;  // value = mantissa * 2^exponent
};

// Needs a finite value >= 0.
Binary binary_parts(double value) {
  static_assert(std::numeric_limits<double>::is_iec559 && sizeof(double) == 8);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  const int field = static_cast<int>((bits >> 52) & 0x7ff);
  if (field == 0) return {fraction, -1074};
  return {fraction | (std::uint64_t{1} << 52), field - 1075};
}

}  // namespace

std::optional<Decimal> Decimal::parse(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  Decimal result;
  bool digit_before = false;  // a digit stands on both sides of every point
  bool point = false;
  for (const char c : text) {
    if (c == '.') {
      if (point || !digit_before) return std::nullopt;
      point = true;
      digit_before = false;
      continue;
    }
    if (c < '0' || c > '9') return std::nullopt;
    const std::int64_t digit = c - '0';
    if (result.units > (kMost - digit) / 10) return std::nullopt;
    if (point && result.scale == kMaxScale) return std::nullopt;
    result.units = result.units * 10 + digit;
    result.scale += point ? 1 : 0;
    digit_before = true;
  }
  if (!digit_before) return std::nullopt;
  if (negative) result.units = -result.units;
  return result;
}

std::string Decimal::text() const {
  std::string digits = std::to_string(magnitude(units));
  const auto places = static_cast<std::size_t>(scale);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  if (places > 0) digits.insert(digits.size() - places, 1, '.');
  if (units < 0) digits.insert(0, 1, '-');
  return digits;
}

Decimal Decimal::rounded(int digits) const {
  if (digits == scale) return *this;
  Wide value = Wide::of(magnitude(units));
  rescale(value, scale, digits);
  return signed_decimal(units < 0, value, digits, saturated);
}

Decimal Decimal::rounded_significant(int count) const {
  const int excess = count_digits(magnitude(units)) - count;
  if (excess <= 0) return *this;
  if (excess <= scale) return rounded(scale - excess);
  // The digits to drop reach before the point: round there, and fill with zeros.
  Wide value = Wide::of(magnitude(units));
  divide_rounded(value, power_of_ten(excess));
  value.multiply(power_of_ten(excess - scale));
  return signed_decimal(units < 0, value, 0, saturated);
}

Decimal Decimal::trimmed(int least) const {
  if (scale < least) return rounded(least);
  Decimal result = *this;
  while (result.scale > least && result.units % 10 == 0) {
    result.units /= 10;
    --result.scale;
  }
  return result;
}

double Decimal::approximate() const {
  // One rounding for up to 15 digits: both numbers are then exact doubles.
  return static_cast<double>(units) / static_cast<double>(power_of_ten(scale));
}

Decimal operator-(Decimal a) {
  a.units = -a.units;
  return a;
}

Decimal operator+(Decimal a, Decimal b) {
  const int scale = a.scale > b.scale ? a.scale : b.scale;
  a = a.rounded(scale);
  b = b.rounded(scale);
  const bool saturated = a.saturated || b.saturated;
  if (a.units > 0 && b.units > kMost - a.units) return end_of_range(false, scale);
  if (a.units < 0 && b.units < -kMost - a.units) return end_of_range(true, scale);
  return {a.units + b.units, scale, saturated};
}

Decimal operator-(Decimal a, Decimal b) { return a + -b; }

std::strong_ordering operator<=>(Decimal a, Decimal b) {
  if (a.is_negative() != b.is_negative()) {
    return a.is_negative() ? std::strong_ordering::less : std::strong_ordering::greater;
  }
  Wide left = Wide::of(magnitude(a.units));
  Wide right = Wide::of(magnitude(b.units));
  left.multiply(power_of_ten(b.scale));
  right.multiply(power_of_ten(a.scale));
  if (left == right) return std::strong_ordering::equal;
  return (left < right) != a.is_negative() ? std::strong_ordering::less
                                           : std::strong_ordering::greater;
}

Decimal multiply(Decimal a, Decimal b, int scale) {
  Wide value = Wide::of(magnitude(a.units));
  value.multiply(magnitude(b.units));
  rescale(value, a.scale + b.scale, scale);
  return signed_decimal(a.is_negative() != b.is_negative(), value, scale,
                        a.saturated || b.saturated);
}

Decimal multiply(Decimal a, std::int64_t numerator, std::int64_t denominator, int scale) {
  Wide value = Wide::of(magnitude(a.units));
  value.multiply(magnitude(numerator));
  const auto divisor = static_cast<std::uint64_t>(denominator);
  if (scale >= a.scale) {
    value.multiply(power_of_ten(scale - a.scale));
    divide_rounded(value, divisor);
  } else {
    value.divide(divisor);
    divide_rounded(value, power_of_ten(a.scale - scale));
  }
  return signed_decimal(a.is_negative() != (numerator < 0), value, scale, a.saturated);
}

Decimal multiply(Decimal a, double quantity, int scale) {
  if (!std::isfinite(quantity) || quantity < 0) return {0, scale, true};
  if (a.is_zero() || quantity == 0) return {0, scale, a.saturated};
  const Binary factor = binary_parts(quantity);
  // Even after the digits that are dropped, such a product has more than 63 bits.
  constexpr int kExponentLimit = 10;
  constexpr int kBitsOfMaxScale = 60;
  const bool adds_digits = scale >= a.scale;
  if (factor.exponent > kExponentLimit + (adds_digits ? 0 : kBitsOfMaxScale)) {
    return end_of_range(a.is_negative(), scale);
  }
  Wide value = Wide::of(magnitude(a.units));
  value.multiply(factor.mantissa);
  if (adds_digits) value.multiply(power_of_ten(scale - a.scale));
  int exponent = factor.exponent;
  for (; exponent > 0; --exponent) value.multiply(2);
  if (exponent < 0) {
    // Truncate all bits but one below the last digit, which says which way to round.
    value.shift_right(-exponent - 1);
    const bool half = value.bit(0);
    value.shift_right(1);
    if (adds_digits && half) value.add(1);
  }
  if (!adds_digits) divide_rounded(value, power_of_ten(a.scale - scale));
  return signed_decimal(a.is_negative(), value, scale, a.saturated);
}

Decimal divide(Decimal a, Decimal b, int digits) {
  const bool negative = a.is_negative() != b.is_negative();
  const bool saturated = a.saturated || b.saturated;
  if (b.is_zero()) return end_of_range(negative, 0);
  if (a.is_zero()) return {0, 0, saturated};
  const std::uint64_t top = magnitude(a.units);
  const std::uint64_t bottom = magnitude(b.units);
  // Shifted left by `shift` digits, top / bottom has `digits` digits, or one more.
  int shift = digits - (count_digits(top) - count_digits(bottom));
  const auto quotient = [&](int by) {
    Wide value = Wide::of(top);
    std::uint64_t divisor = bottom;
    for (; by > Decimal::kMaxScale; by -= Decimal::kMaxScale) {
      value.multiply(power_of_ten(Decimal::kMaxScale));
    }
    if (by > 0) value.multiply(power_of_ten(by));
    for (int i = by; i < 0; ++i) divisor *= 10;
    divide_rounded(value, divisor);
    return value;
  };
  Wide limit = Wide::of(power_of_ten(digits));
  if (!(quotient(shift) < limit)) --shift;
  // The result's scale is shift + a.scale - b.scale.
  const int offset = a.scale - b.scale;
  if (shift + offset > Decimal::kMaxScale) shift = Decimal::kMaxScale - offset;
  if (shift + offset < 0) shift = -offset;
  return signed_decimal(negative, quotient(shift), shift + offset, saturated);
}

Decimal decimal_from(double value, int scale) {
  const Decimal one = Decimal::from_integer(1);
  return value < 0 ? -multiply(one, -value, scale) : multiply(one, value, scale);
}

std::optional<Currency> Currency::parse(std::string_view text) {
  Currency currency;
  if (text.size() != currency.code.size()) return std::nullopt;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] < 'A' || text[i] > 'Z') return std::nullopt;
    currency.code[i] = text[i];
  }
  return currency;
}

std::optional<Money> convert(Money money, const ExchangeRate& rate, Currency to, int scale) {
  if (money.currency == to) return Money{money.amount.rounded(scale), to};
  if (rate.rate.units <= 0) return std::nullopt;
  if (money.currency == rate.base && to == rate.quote) {
    return Money{multiply(money.amount, rate.rate, scale), to};
  }
  if (money.currency == rate.quote && to == rate.base) {
    // money / (units / 10^s) = money * 10^s / units, in one rounding.
    const auto power = static_cast<std::int64_t>(power_of_ten(rate.rate.scale));
    Money result{multiply(money.amount, power, rate.rate.units, scale), to};
    result.amount.saturated = result.amount.saturated || rate.rate.saturated;
    return result;
  }
  return std::nullopt;
}

Decimal reported_amount(Decimal amount) {
  const Decimal one = Decimal::from_integer(1);
  const bool small = amount < one && -one < amount;
  return small ? amount.rounded_significant(4).trimmed(2) : amount.rounded(2);
}

Decimal reported_unit_cost(Decimal amount) { return amount.rounded_significant(6).trimmed(2); }

}  // namespace traintally
