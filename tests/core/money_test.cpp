// Decimal arithmetic: what is printed is what was meant, to the last digit.

#include <traintally/money.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace traintally {
namespace {

__extension__ using Int128 = __int128;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

Decimal dec(const char* text) {
  const std::optional<Decimal> value = Decimal::parse(text);
  REQUIRE_MESSAGE(value.has_value(), text);
  return *value;
}

/// A stream of numbers that is the same on every platform (Marsaglia's xorshift64).
class Numbers {
 public:
  std::uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_;
  }
  /// Positive, of any length up to 63 bits.
  std::int64_t positive() { return static_cast<std::int64_t>(next() >> (1 + next() % 62)) | 1; }
  int below(int limit) { return static_cast<int>(next() % static_cast<std::uint64_t>(limit)); }

 private:
  std::uint64_t state_ = 88172645463325252ULL;
};

/// a / b, half away from zero, by another way than the code under test.
Int128 rounded_quotient(Int128 a, Int128 b) {
  const Int128 quotient = a / b;
  return quotient + (2 * (a - quotient * b) >= b ? 1 : 0);
}

}  // namespace

TEST_CASE("a decimal prints the digits that it was read from") {
  for (const char* text :
       {"0", "12", "12.00", "1.86", "0.65", "-0.50", "1257600", "0.0000002", "9223372036854775807",
        "-9223372036854775807", "9.223372036854775807", "0.000000000000000001"}) {
    CHECK(dec(text).text() == text);
  }
}

TEST_CASE("what is not a plain decimal is refused") {
  for (const char* text : {"",
                           "-",
                           ".",
                           "1.",
                           ".5",
                           "+1",
                           " 1",
                           "1 ",
                           "1,000",
                           "1e3",
                           "1..2",
                           "1.2.3",
                           "--1",
                           "-.5",
                           "0x10",
                           "NaN",
                           "inf",
                           "1.",
                           "9223372036854775808",
                           "92233720368547758070",
                           "0.0000000000000000001",
                           "１２"}) {
    CHECK_MESSAGE(!Decimal::parse(text).has_value(), text);
  }
}

TEST_CASE("rounding is half away from zero and happens once") {
  CHECK(dec("2.345").rounded(2).text() == "2.35");
  CHECK(dec("-2.345").rounded(2).text() == "-2.35");
  CHECK(dec("2.344999").rounded(2).text() == "2.34");
  CHECK(dec("0.5").rounded(0).text() == "1");
  CHECK(dec("0.49").rounded(0).text() == "0");
  CHECK(dec("1.2").rounded(4).text() == "1.2000");
  // Rounding in two steps would give 0.5, then 1.
  CHECK(dec("0.449").rounded(0).text() == "0");
  CHECK(multiply(dec("0.0449"), dec("10"), 0).text() == "0");
}

TEST_CASE("significant digits reach past the point as well") {
  CHECK(dec("0.00021384615").rounded_significant(6).text() == "0.000213846");
  CHECK(dec("27.428571").rounded_significant(4).text() == "27.43");
  CHECK(dec("123456").rounded_significant(2).text() == "120000");
  CHECK(dec("129.5").rounded_significant(2).text() == "130");
  CHECK(dec("99999").rounded_significant(3).text() == "100000");
  CHECK(dec("7").rounded_significant(3).text() == "7");
}

TEST_CASE("sums and products of prices are exact") {
  Decimal sum;
  for (int i = 0; i < 1000; ++i) sum = sum + dec("0.1");
  CHECK(sum == dec("100"));
  CHECK((dec("0.1") + dec("0.2")).text() == "0.3");
  CHECK((dec("1") - dec("1.0001")).text() == "-0.0001");
  CHECK(multiply(dec("1.86"), dec("50"), 2).text() == "93.00");
  CHECK(multiply(dec("27600"), 12, 1, 2) == dec("331200"));
  CHECK(multiply(dec("331200"), dec("0.65"), 2).text() == "215280.00");
  CHECK(multiply(dec("-1.5"), dec("-1.5"), 2).text() == "2.25");
  CHECK(multiply(dec("10"), 1, 3, 4).text() == "3.3333");
  CHECK(multiply(dec("10"), 2, 3, 4).text() == "6.6667");
  CHECK(multiply(dec("-10"), 2, 3, 4).text() == "-6.6667");
  CHECK(multiply(dec("1.25"), 1, 1, 1).text() == "1.3");
}

TEST_CASE("decimals compare by value") {
  CHECK(dec("1.50") == dec("1.5"));
  CHECK(dec("-1.5") < dec("-1.49"));
  CHECK(dec("-1") < dec("0.001"));
  CHECK(dec("9223372036854775807") > dec("0.000000000000000001"));
  CHECK(Decimal{0, 5, false} == dec("0"));
  CHECK(dec("2") > dec("1.999999999999999999"));
}

TEST_CASE("a quantity of hours is taken as the exact value of the double") {
  CHECK(multiply(dec("1.86"), 50.0, 6).text() == "93.000000");
  CHECK(multiply(dec("1.86"), 0.5, 6).text() == "0.930000");
  // 0.1 as a double is 0.1000000000000000055...
  CHECK(multiply(dec("1"), 0.1, 18).text() == "0.100000000000000006");
  CHECK(multiply(dec("1000000"), 0.1, 12).text() == "100000.000000000006");
  CHECK(multiply(dec("0.005"), 0.5, 3).text() == "0.003");  // 0.0025, a tie
  CHECK(multiply(dec("0.25"), 0.5, 1).text() == "0.1");     // 0.125
  CHECK(multiply(dec("0.3"), 0.5, 1).text() == "0.2");      // 0.15, a tie, digits dropped
  CHECK(multiply(dec("-1.86"), 0.5, 2).text() == "-0.93");
  CHECK(multiply(dec("1.86"), 1e-300, 6).text() == "0.000000");
  CHECK(multiply(dec("1.86"), std::numeric_limits<double>::denorm_min(), 6).is_zero());
  CHECK(multiply(dec("2"), 4503599627370497.0, 0).text() == "9007199254740994");
  CHECK(multiply(dec("0.000001"), 1180591620717411303424.0, 0).text() ==
        "1180591620717411");  // 2^70
  // 1e24 as a double is 999999999999999983222784.
  CHECK(multiply(dec("0.000001"), 1e24, 0).text() == "999999999999999983");
}

TEST_CASE("products agree with 128-bit integers") {
  Numbers numbers;
  int compared = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t a = numbers.positive();
    const std::int64_t b = numbers.positive();
    const std::int64_t c = numbers.positive();
    const Int128 expected = rounded_quotient(static_cast<Int128>(a) * b, c);
    const Decimal product = multiply(Decimal::from_integer(a), b, c, 0);
    if (expected > kMost) {
      CHECK((product.saturated && product.units == kMost));
      continue;
    }
    ++compared;
    REQUIRE(static_cast<Int128>(product.units) == expected);
    REQUIRE_FALSE(product.saturated);
    // Division, to as many digits as fit: the remainder is at most half a unit of the last one.
    const Decimal quotient = divide(Decimal::from_integer(a), Decimal::from_integer(b), 17);
    Int128 back = static_cast<Int128>(quotient.units) * b;
    Int128 goal = a;
    Int128 unit = b;
    // Compared at the quotient's scale where that fits 128 bits.
    if (quotient.scale <= 17) {
      for (int digit = 0; digit < quotient.scale; ++digit) goal *= 10;
      const Int128 error = back > goal ? back - goal : goal - back;
      REQUIRE(2 * error <= unit);
    }
  }
  CHECK(compared > 5000);
}

TEST_CASE("products with doubles agree with 128-bit integers") {
  Numbers numbers;
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t a = numbers.positive() >> 24;
    const int bits = numbers.below(30);
    const std::int64_t mantissa = numbers.positive() >> 11;  // at most 52 bits: exact
    const double quantity = std::ldexp(static_cast<double>(mantissa), -bits);
    const Int128 expected =
        rounded_quotient(static_cast<Int128>(a) * mantissa, static_cast<Int128>(1) << bits);
    const Decimal product = multiply(Decimal::from_integer(a), quantity, 0);
    if (expected > kMost) {
      REQUIRE(product.saturated);
    } else {
      REQUIRE(static_cast<Int128>(product.units) == expected);
    }
  }
}

TEST_CASE("sums are undone by differences") {
  Numbers numbers;
  for (int i = 0; i < 5000; ++i) {
    const Decimal a{numbers.positive() >> 20, numbers.below(3), false};
    const Decimal b{numbers.positive() >> 20, numbers.below(3), false};
    REQUIRE(a + b - b == a);
    REQUIRE(a + b == b + a);
    REQUIRE((a < b) == (a - b).is_negative());
  }
}

TEST_CASE("nothing wraps: the end of the range is kept and remembered") {
  const Decimal most = Decimal::from_integer(kMost);
  CHECK((most + dec("1")).units == kMost);
  CHECK((most + dec("1")).saturated);
  CHECK((-most - dec("1")).units == -kMost);
  CHECK((-most - dec("1")).saturated);
  CHECK((most + dec("1") - most).saturated);
  CHECK(multiply(most, dec("2"), 0).saturated);
  CHECK(multiply(most, dec("-2"), 0).units == -kMost);
  CHECK(multiply(most, 1e300, 0).saturated);
  CHECK(multiply(dec("1"), 1e19, 0).saturated);
  CHECK(multiply(dec("9"), 1e18, 0).text() == "9000000000000000000");
  CHECK(most.rounded(1).saturated);
  CHECK(multiply(most, dec("0.5"), 0).text() == "4611686018427387904");
  CHECK_FALSE(multiply(most, dec("0.5"), 0).saturated);
  CHECK(divide(dec("1"), dec("0"), 6).saturated);
  for (const double bad :
       {-1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    CHECK(multiply(dec("1"), bad, 2).saturated);
  }
}

TEST_CASE("quotients keep significant digits, however small the result") {
  CHECK(divide(dec("21.15"), dec("100000000000"), 6).text() == "0.000000000211500");
  CHECK(divide(dec("192000"), dec("70000"), 7).text() == "2.742857");
  CHECK(divide(dec("2"), dec("3"), 4).text() == "0.6667");
  CHECK(divide(dec("-2"), dec("3"), 4).text() == "-0.6667");
  CHECK(divide(dec("1"), dec("1"), 4) == dec("1"));
  CHECK(divide(dec("0"), dec("3"), 4).is_zero());
  // Nothing before the point is lost even where more than the digits asked for stand there.
  CHECK(divide(dec("123456789"), dec("1"), 3).text() == "123456789");
  // Below the last place that a decimal has, fewer digits are left.
  CHECK(divide(dec("1"), dec("3000000000000000"), 17).text() == "0.000000000000000333");
  CHECK(divide(dec("9223372036854775807"), dec("0.000001"), 6).saturated);
}

TEST_CASE("doubles that were never decimal become decimals") {
  CHECK(decimal_from(1.86, 6).text() == "1.860000");
  CHECK(decimal_from(-0.65, 2).text() == "-0.65");
  CHECK(decimal_from(15e12, 0).text() == "15000000000000");
  CHECK(dec("1.86").approximate() == 1.86);
  CHECK(dec("215280.00").approximate() == 215280.0);
}

TEST_CASE("currencies are codes of three letters") {
  CHECK(Currency::parse("USD") == kUsd);
  CHECK(Currency{} == kCny);
  CHECK(kCny.text() == "CNY");
  for (const char* text : {"", "US", "usd", "USDT", "U$D"}) {
    CHECK_MESSAGE(!Currency::parse(text).has_value(), text);
  }
}

TEST_CASE("money converts at a decimal rate, either way, and only where the rate applies") {
  const ExchangeRate rate{kUsd, kCny, dec("7.10")};
  CHECK(convert({dec("2.50"), kUsd}, rate, kCny)->amount == dec("17.75"));
  CHECK(convert({dec("17.75"), kCny}, rate, kUsd)->amount == dec("2.5"));
  CHECK(convert({dec("1"), kCny}, rate, kUsd)->amount.text() == "0.140845");
  CHECK(convert({dec("1"), kCny}, rate, kCny)->amount == dec("1"));
  const Currency euro{{'E', 'U', 'R'}};
  CHECK_FALSE(convert({dec("1"), euro}, rate, kCny).has_value());
  CHECK_FALSE(convert({dec("1"), kUsd}, rate, euro).has_value());
  CHECK_FALSE(convert({dec("1"), kUsd}, {kUsd, kCny, dec("0")}, kCny).has_value());
}

TEST_CASE("reports state amounts to the cent and unit costs to six digits") {
  CHECK(reported_amount(dec("14800")).text() == "14800.00");
  CHECK(reported_amount(dec("21.153846")).text() == "21.15");
  CHECK(reported_amount(dec("0.999951")).text() == "1.00");
  CHECK(reported_amount(dec("0.003412")).text() == "0.003412");
  CHECK(reported_amount(dec("-0.5")).text() == "-0.50");
  CHECK(reported_amount(dec("0")).text() == "0.00");
  CHECK(reported_unit_cost(dec("0.000213846153")).text() == "0.000213846");
  CHECK(reported_unit_cost(dec("2.742857142857")).text() == "2.74286");
  CHECK(reported_unit_cost(dec("2.76")).text() == "2.76");
  CHECK(reported_unit_cost(dec("3")).text() == "3.00");
  CHECK(reported_unit_cost(dec("0.0000002")).text() == "0.0000002");
}

}  // namespace traintally
