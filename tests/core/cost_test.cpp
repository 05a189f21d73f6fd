// What a run costs in every billing mode, to the last digit of the bill.

#include <traintally/cost.hpp>

#include <doctest/doctest.h>

#include <string>

namespace traintally {
namespace {

constexpr double kHour = 3600;

Decimal dec(const char* text) {
  const std::optional<Decimal> value = Decimal::parse(text);
  REQUIRE_MESSAGE(value.has_value(), text);
  return *value;
}

struct Printed {
  BillingMode mode;
  const char* value;
  const char* currency = "CNY";
};

Tariff tariff_with(std::initializer_list<Printed> prices, std::int64_t unit_gpus = 1,
                   bool per_gpu = false) {
  Tariff tariff;
  tariff.unit_gpus = unit_gpus;
  for (const Printed& price : prices) {
    OfferPrice offered;
    offered.mode = price.mode;
    offered.value = price.value;
    offered.currency = price.currency;
    REQUIRE(set_price(tariff, offered, per_gpu));
  }
  return tariff;
}

/// The article's entry plan, billed by started hours.
Tariff entry_plan() {
  return tariff_with({{BillingMode::on_demand, "1.86"}, {BillingMode::monthly, "1100"}});
}

CostQuestion hours(double value, double tokens = 0, std::int64_t gpus = 1) {
  CostQuestion question;
  question.run = {Seconds{value * kHour}, Seconds{value * kHour}, Seconds{value * kHour}};
  question.tokens = tokens;
  question.gpus = gpus;
  question.rate = ExchangeRate{kUsd, kCny, dec("7.10")};
  return question;
}

const ModeCost& mode_of(const Cost& cost, BillingMode mode) {
  for (int i = 0; i < cost.modes; ++i) {
    if (cost.by_billing[i].mode == mode) return cost.by_billing[i];
  }
  FAIL("no such mode");
  return cost.by_billing[0];
}

std::string total(const ModeCost& cost) { return cost.total.own.value.amount.rounded(2).text(); }

}  // namespace

TEST_CASE("an hour begun is an hour paid, unless the price says a finer step") {
  CHECK(total(estimate_cost(hours(50), entry_plan()).paid()) == "93.00");
  CHECK(total(estimate_cost(hours(10.01), entry_plan()).paid()) == "20.46");
  CHECK(total(estimate_cost(hours(0), entry_plan()).paid()) == "0.00");

  Tariff by_second = entry_plan();
  by_second.price(BillingMode::on_demand)->step = Seconds{1};
  // 36,036 seconds at 1.86 an hour are 18.6186, not a rounding of the hours.
  const Cost cost = estimate_cost(hours(10.01), by_second);
  CHECK(cost.total.own.value.amount.text() == "18.618600");
  CHECK(cost.paid().periods.value == doctest::Approx(10.01).epsilon(1e-12));

  CostQuestion exact = hours(10.01);
  exact.on_demand_step = Seconds{0};
  CHECK(estimate_cost(exact, entry_plan()).total.own.value.amount.rounded(4) == dec("18.6186"));
}

TEST_CASE("months are paid whole, and the cheapest mode changes where the article says") {
  // 1100 / 1.86 = 591.4 hours.
  const Cost before = estimate_cost(hours(591), entry_plan());
  CHECK(before.paid().mode == BillingMode::on_demand);
  CHECK(total(before.paid()) == "1099.26");
  const Cost after = estimate_cost(hours(592), entry_plan());
  CHECK(after.paid().mode == BillingMode::monthly);
  CHECK(total(after.paid()) == "1100.00");
  REQUIRE(after.breakeven_hours.has_value());
  CHECK(after.breakeven_hours->rounded(1) == dec("591.4"));
  CHECK(after.breakeven_reachable);

  CHECK(mode_of(estimate_cost(hours(730), entry_plan()), BillingMode::monthly).periods.value == 1);
  CHECK(mode_of(estimate_cost(hours(730.1), entry_plan()), BillingMode::monthly).periods.value ==
        2);
}

TEST_CASE("at 1.32 an hour the month never pays") {
  const Tariff tariff =
      tariff_with({{BillingMode::on_demand, "1.32"}, {BillingMode::monthly, "1100"}});
  const Cost cost = estimate_cost(hours(730), tariff);
  CHECK(cost.paid().mode == BillingMode::on_demand);
  CHECK(cost.breakeven_hours->rounded(1) == dec("833.3"));
  CHECK_FALSE(cost.breakeven_reachable);
}

TEST_CASE("a year is twelve months at the share that is paid, said both ways") {
  Tariff plan = tariff_with({{BillingMode::monthly, "27600"}}, 4);
  REQUIRE(set_annual_factor(plan, "0.65"));
  const Cost cost = estimate_cost(hours(8760, 0, 4), plan);
  const ModeCost& year = mode_of(cost, BillingMode::annual);
  CHECK(year.derived);
  CHECK(total(year) == "215280.00");
  CHECK(total(mode_of(cost, BillingMode::monthly)) == "331200.00");
  CHECK(year.compared_with == BillingMode::monthly);
  CHECK(*year.paid_fraction == dec("0.65"));
  CHECK(*year.discount == dec("0.35"));
  CHECK(cost.paid().mode == BillingMode::annual);

  // A stated year of its own counts instead: 177120 is 53.48% of twelve months.
  Tariff stated = plan;
  OfferPrice price;
  price.mode = BillingMode::annual;
  price.value = "177120";
  price.currency = "CNY";
  REQUIRE(set_price(stated, price, false));
  const Cost stated_cost = estimate_cost(hours(8760, 0, 4), stated);
  const ModeCost& own = mode_of(stated_cost, BillingMode::annual);
  CHECK_FALSE(own.derived);
  CHECK(*own.paid_fraction == dec("0.5348"));
}

TEST_CASE("a month against the hours it replaces") {
  const Cost cost = estimate_cost(hours(100), entry_plan());
  const ModeCost& month = mode_of(cost, BillingMode::monthly);
  CHECK(month.compared_with == BillingMode::on_demand);
  CHECK(*month.paid_fraction == dec("0.8101"));  // 1100 / (730 x 1.86)
  CHECK(*month.discount == dec("0.1899"));
  CHECK_FALSE(mode_of(cost, BillingMode::on_demand).compared_with.has_value());
}

TEST_CASE("whole units are rented") {
  const Tariff per_unit = tariff_with({{BillingMode::monthly, "192000"}}, 8);
  const Cost cost = estimate_cost(hours(100, 0, 9), per_unit);
  CHECK(cost.units == 2);
  CHECK(cost.rented_gpus == 16);
  CHECK(total(cost.paid()) == "384000.00");
  const Tariff per_gpu = tariff_with({{BillingMode::on_demand, "12.00"}}, 8, true);
  const Cost by_gpu = estimate_cost(hours(10, 0, 9), per_gpu);
  CHECK(by_gpu.rented_gpus == 16);
  CHECK(total(by_gpu.paid()) == "1920.00");
  // An hour of a GPU costs 12.00 if all 16 are used, and more for the 9 that are.
  CHECK(by_gpu.paid().gpu_hour.amount == dec("12"));
  CHECK(by_gpu.paid().run_gpu_hour->amount.rounded(4) == dec("21.3333"));
}

TEST_CASE("unit costs keep their digits, in both currencies") {
  const Cost cost = estimate_cost(hours(10.5, 1e11), tariff_with({{BillingMode::on_demand, "2"}}));
  REQUIRE(cost.per_1k_tokens.has_value());
  CHECK(total(cost.paid()) == "22.00");
  CHECK(reported_unit_cost(cost.per_1k_tokens->own.value.amount).text() == "0.00000022");
  CHECK(reported_unit_cost(cost.per_million_tokens->own.value.amount).text() == "0.00022");
  CHECK(reported_unit_cost(cost.per_1k_tokens->usd->value.amount).text() == "0.0000000309859");
  CHECK(cost.total.usd->value.amount.rounded(4) == dec("3.0986"));
  CHECK(cost.total.cny->value.amount == cost.total.own.value.amount);
}

TEST_CASE("unit cost times tokens is the total again") {
  for (const double tokens : {1.0, 999.0, 3.7e6, 1e9, 15e12}) {
    const Cost cost = estimate_cost(hours(1000, tokens, 64),
                                    tariff_with({{BillingMode::on_demand, "13.194"}}, 1, true));
    CAPTURE(tokens);
    const double back = cost.per_million_tokens->own.value.amount.approximate() * tokens / 1e6;
    CHECK(back == doctest::Approx(cost.total.own.value.amount.approximate()).epsilon(1e-9));
    const double thousand = cost.per_1k_tokens->own.value.amount.approximate();
    CHECK(thousand * 1000 ==
          doctest::Approx(cost.per_million_tokens->own.value.amount.approximate()).epsilon(1e-9));
  }
}

TEST_CASE("the interval of the time becomes that of the cost") {
  CostQuestion question = hours(100, 1e9);
  question.run.low = Seconds{80 * kHour};
  question.run.high = Seconds{130 * kHour};
  const Cost cost = estimate_cost(question, entry_plan());
  CHECK(cost.total.own.low.amount.rounded(2) == dec("148.80"));
  CHECK(cost.total.own.value.amount.rounded(2) == dec("186"));
  CHECK(cost.total.own.high.amount.rounded(2) == dec("241.80"));
  CHECK(cost.per_1k_tokens->own.low.amount < cost.per_1k_tokens->own.value.amount);
  CHECK(cost.per_1k_tokens->own.value.amount < cost.per_1k_tokens->own.high.amount);
}

TEST_CASE("more time never costs less") {
  Tariff tariff = tariff_with({{BillingMode::on_demand, "1.86"},
                               {BillingMode::daily, "40"},
                               {BillingMode::monthly, "1100"}});
  REQUIRE(set_annual_factor(tariff, "0.65"));
  Decimal before;
  for (double h = 0; h < 20000; h += 37.5) {
    const Cost cost = estimate_cost(hours(h), tariff);
    CAPTURE(h);
    REQUIRE(cost.modes == 4);
    for (int i = 0; i < cost.modes; ++i) {
      REQUIRE(cost.paid().total.own.value.amount <= cost.by_billing[i].total.own.value.amount);
    }
    REQUIRE(before <= cost.total.own.value.amount);
    before = cost.total.own.value.amount;
  }
}

TEST_CASE("a mode that is asked for is paid, or said not to be there") {
  CostQuestion question = hours(10);
  question.mode = BillingMode::monthly;
  const Cost monthly = estimate_cost(question, entry_plan());
  CHECK(monthly.paid().mode == BillingMode::monthly);
  CHECK_FALSE(monthly.mode_unavailable);
  CHECK(monthly.by_billing[monthly.cheapest].mode == BillingMode::on_demand);
  question.mode = BillingMode::daily;
  const Cost daily = estimate_cost(question, entry_plan());
  CHECK(daily.mode_unavailable);
  CHECK(daily.paid().mode == BillingMode::on_demand);
}

TEST_CASE("spot is paid only when asked for, or when there is nothing else") {
  const Tariff tariff = tariff_with({{BillingMode::on_demand, "2"}, {BillingMode::spot, "0.50"}});
  CHECK(estimate_cost(hours(10), tariff).paid().mode == BillingMode::on_demand);
  CostQuestion question = hours(10);
  question.mode = BillingMode::spot;
  const Cost spot = estimate_cost(question, tariff);
  CHECK(total(spot.paid()) == "5.00");
  CHECK(*spot.paid().paid_fraction == dec("0.25"));
  const Tariff only_spot = tariff_with({{BillingMode::spot, "0.50"}});
  CHECK(estimate_cost(hours(10), only_spot).paid().mode == BillingMode::spot);
}

TEST_CASE("a shortest term is billed whole") {
  Tariff tariff = tariff_with({{BillingMode::monthly, "76000"}}, 8);
  tariff.price(BillingMode::monthly)->least_months = 12;
  CHECK(total(estimate_cost(hours(10, 0, 8), tariff).paid()) == "912000.00");
  CHECK(total(estimate_cost(hours(730 * 13, 0, 8), tariff).paid()) == "988000.00");
}

TEST_CASE("prices in two currencies compare at the rate") {
  // 1.00 USD is 7.10 CNY an hour: dearer than 5 CNY.
  const Tariff tariff =
      tariff_with({{BillingMode::on_demand, "1.00", "USD"}, {BillingMode::daily, "120", "CNY"}});
  const Cost cost = estimate_cost(hours(24), tariff);
  CHECK(cost.paid().mode == BillingMode::daily);
  CHECK_FALSE(mode_of(cost, BillingMode::daily).paid_fraction.has_value());
  CHECK_FALSE(cost.breakeven_hours.has_value());
  CostQuestion without_rate = hours(24);
  without_rate.rate.reset();
  const Cost unrated = estimate_cost(without_rate, tariff);
  CHECK_FALSE(unrated.total.cny.has_value());
  CHECK(unrated.total.usd.has_value());
}

TEST_CASE("what cannot be read is no price") {
  Tariff tariff;
  for (const char* value : {"", "-1", "1e3", "abc", "1,000"}) {
    OfferPrice price;
    price.value = value;
    price.currency = "CNY";
    CHECK_MESSAGE(!set_price(tariff, price, false), value);
  }
  OfferPrice price;
  price.value = "1";
  price.currency = "yuan";
  CHECK_FALSE(set_price(tariff, price, false));
  CHECK(tariff.empty());
  for (const char* share : {"0", "1.01", "-0.5", "65%", ""}) {
    CHECK_MESSAGE(!set_annual_factor(tariff, share), share);
  }
}

TEST_CASE("amounts past all range are marked, not wrapped") {
  const Tariff tariff = tariff_with({{BillingMode::on_demand, "900000000000"}});
  const Cost cost = estimate_cost(hours(1e9, 1e9, 1000000), tariff);
  CHECK(cost.saturated);
  CHECK_FALSE(estimate_cost(hours(1), tariff).saturated);
  // A large but real bill: 1,024 GPUs for a year, per million tokens.
  const Tariff h100 = tariff_with({{BillingMode::on_demand, "13.194"}}, 8, true);
  const Cost large = estimate_cost(hours(8760, 15e12, 1024), h100);
  CHECK_FALSE(large.saturated);
  CHECK(total(large.paid()) == "118353346.56");
}

TEST_CASE("an offer becomes a tariff, term and step and all") {
  OfferEntry offer;
  offer.count = 4;
  OfferPrice month;
  month.mode = BillingMode::monthly;
  month.value = "27600";
  month.currency = "CNY";
  month.tax_included = false;
  month.minimum_term_months = 3;
  OfferPrice hour;
  hour.value = "40";
  hour.currency = "CNY";
  hour.rounding_s = 60;
  offer.prices = {month, hour};
  offer.annual_factor = "0.65";
  const Tariff tariff = tariff_of(offer);
  CHECK(tariff.unit_gpus == 4);
  CHECK(tariff.price(BillingMode::on_demand)->step.value == 60);
  const Cost cost = estimate_cost(hours(0.76, 0, 4), tariff);
  CHECK(total(cost.paid()) == "30.67");  // 46 minutes
  const ModeCost& monthly = mode_of(cost, BillingMode::monthly);
  CHECK(total(monthly) == "82800.00");
  CHECK_FALSE(monthly.tax_included);
  CHECK(mode_of(cost, BillingMode::annual).derived);
}

TEST_CASE("billing periods are those of the calendar") {
  const Calendar calendar;
  CHECK(calendar.hours_per_period(BillingMode::on_demand) == 1);
  CHECK(calendar.hours_per_period(BillingMode::spot) == 1);
  CHECK(calendar.hours_per_period(BillingMode::daily) == 24);
  CHECK(calendar.hours_per_period(BillingMode::monthly) == 730);
  CHECK(calendar.hours_per_period(BillingMode::annual) == 8760);
}

}  // namespace traintally
