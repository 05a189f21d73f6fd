#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace traintally {

/// An exact decimal number: units * 10^-scale. Prices, rates and amounts are decimals from the text
/// that states them to the text that reports them; a binary fraction never enters a sum.
/// What would pass the range (about 9.2e18 units) stays at its end, and `saturated` is set and
/// kept by everything computed from it. Nothing wraps.
struct Decimal {
  std::int64_t units = 0;
  int scale = 0;  ///< digits after the point, 0 to kMaxScale
  bool saturated = false;

  static constexpr int kMaxScale = 18;

  static constexpr Decimal from_integer(std::int64_t value) { return {value, 0, false}; }

  /// Reads "12", "-0.5", "1.860": digits with at most one point, no exponent, no spaces, no plus
  /// sign, no digit grouping, a digit on both sides of the point, at most kMaxScale digits after
  /// it.
  /// @return nothing for any other text or a number out of range
  static std::optional<Decimal> parse(std::string_view text);

  /// All digits to the scale: {1860, 3} is "1.860".
  std::string text() const;

  /// Rounded half away from zero to `digits` after the point; exact when that adds digits.
  Decimal rounded(int digits) const;

  /// Rounded half away from zero to `count` significant digits (1 to 18).
  Decimal rounded_significant(int count) const;

  /// Without zeros at the end, but with at least `least` digits after the point.
  Decimal trimmed(int least = 0) const;

  /// The nearest double, for figures that are not money and for ratios.
  double approximate() const;

  constexpr bool is_zero() const { return units == 0; }
  constexpr bool is_negative() const { return units < 0; }

  friend Decimal operator+(Decimal a, Decimal b);
  friend Decimal operator-(Decimal a, Decimal b);
  friend Decimal operator-(Decimal a);
  /// By value: 1.50 equals 1.5.
  friend std::strong_ordering operator<=>(Decimal a, Decimal b);
  friend bool operator==(Decimal a, Decimal b) { return (a <=> b) == 0; }
};

/// a * b, rounded half away from zero to `scale` digits after the point.
Decimal multiply(Decimal a, Decimal b, int scale);

/// a * numerator / denominator in one rounding, half away from zero, to `scale` digits after the
/// point. Needs denominator > 0.
Decimal multiply(Decimal a, std::int64_t numerator, std::int64_t denominator, int scale);

/// a * quantity in one rounding, half away from zero, to `scale` digits after the point. The
/// quantity is taken as the exact value of the double (hours of a run); the product is formed in
/// integers, so it is the same on every platform. Needs quantity >= 0; a quantity that is negative,
/// infinite or not a number gives zero, saturated.
Decimal multiply(Decimal a, double quantity, int scale);

/// a / b, rounded half away from zero to `digits` significant digits (2 to 17), or to kMaxScale
/// digits after the point where that is fewer. Needs b other than zero: zero gives the end of the
/// range, saturated.
Decimal divide(Decimal a, Decimal b, int digits);

/// The decimal with `scale` digits after the point nearest to a double, half away from zero. For
/// quantities that were never decimal (a token count, a share that came from measurements).
Decimal decimal_from(double value, int scale);

/// Code of a currency, ISO 4217.
struct Currency {
  std::array<char, 3> code{'C', 'N', 'Y'};

  /// Three upper-case letters.
  static std::optional<Currency> parse(std::string_view text);
  constexpr std::string_view text() const { return {code.data(), code.size()}; }
  friend constexpr bool operator==(const Currency&, const Currency&) = default;
};
inline constexpr Currency kCny{{'C', 'N', 'Y'}};
inline constexpr Currency kUsd{{'U', 'S', 'D'}};

/// An amount in a currency.
struct Money {
  Decimal amount;
  Currency currency;
};

/// What one unit of `base` costs in `quote`: {USD, CNY, 7.10}. Needs rate > 0.
struct ExchangeRate {
  Currency base = kUsd;
  Currency quote = kCny;
  Decimal rate;
};

/// Digits after the point that amounts are kept to until they are reported.
inline constexpr int kMoneyScale = 6;

/// Converts at `rate`, either way round, to `scale` digits after the point.
/// @return nothing where the rate is not about the two currencies, or is not positive
std::optional<Money> convert(Money money, const ExchangeRate& rate, Currency to,
                             int scale = kMoneyScale);

/// An amount as a bill or a report states it: to the cent; below one unit of the currency to four
/// significant digits, so that a small cost is not told as nothing.
Decimal reported_amount(Decimal amount);

/// A unit cost as a report states it: six significant digits, at least two after the point.
Decimal reported_unit_cost(Decimal amount);

}  // namespace traintally
