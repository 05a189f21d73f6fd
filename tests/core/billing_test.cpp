// Ways to pay beside one price throughout, by hand; and what unreliability costs.

#include <traintally/billing.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

#include <traintally/catalog_data.hpp>
#include <traintally/session.hpp>

#include "job_builder.hpp"

namespace traintally {
namespace {

using nlohmann::json;
using testing::exactly;
using testing::rounded;

constexpr double kHour = 3600;

Decimal dec(const char* text) { return *Decimal::parse(text); }
std::string text(const Money& money) { return money.amount.trimmed(2).text(); }

Tariff tariff_of_prices(const char* hour, const char* day, const char* month, const char* year,
                        double least_months = 0) {
  Tariff tariff;
  const auto set = [&](BillingMode mode, const char* value, double least) {
    if (value != nullptr) set_price(tariff, {mode, value, "CNY", true, 0, least}, false);
  };
  set(BillingMode::on_demand, hour, 0);
  set(BillingMode::daily, day, 0);
  set(BillingMode::monthly, month, least_months);
  set(BillingMode::annual, year, 0);
  return tariff;
}

CostQuestion question_of(double hours) {
  CostQuestion question;
  const Seconds run{hours * kHour};
  question.run = {run, run, run};
  return question;
}

std::optional<BillingMix> mix(const Tariff& tariff, double hours) {
  const CostQuestion question = question_of(hours);
  return best_mix(question, tariff, question.run.value);
}

Billing bill(const Tariff& tariff, double hours, const BillingTerms& terms) {
  const CostQuestion question = question_of(hours);
  return plan_billing(question, tariff, estimate_cost(question, tariff), terms, {}, nullptr);
}

const BillingWay* way_of(const Billing& billing, const char* code) {
  for (const BillingWay& way : billing.ways) {
    if (way.code == code) return &way;
  }
  return nullptr;
}

json ask(const json& scenario) {
  static const Session session({catalog_text, catalog_text_size});
  return json::parse(session.evaluate("estimate", scenario.dump()));
}

json job(const json& offers, const json& price = json::object()) {
  return {{"model", "llama-3.1-8b"},
          {"training", {{"kind", "full"}, {"tokens", 1e10}, {"recompute", "full"}}},
          {"cluster", {{"gpu", "h100-sxm-80gb"}, {"count", 8}}},
          {"catalog", {{"offers", offers}}},
          {"price", price}};
}

json offer(const char* id, const char* hour) {
  return {{"id", id},
          {"provider", "test"},
          {"gpu", "h100-sxm-80gb"},
          {"count", 8},
          {"per", "gpu"},
          {"prices", {{{"mode", "on_demand"}, {"value", hour}, {"currency", "CNY"}}}},
          {"date", "2026-09-01"}};
}

}  // namespace

TEST_SUITE("billing") {
  // The article's entry plan: 900 hours are a month and 170 hours on demand.
  TEST_CASE("a month and the rest by the hour") {
    const auto best = mix(tariff_of_prices("1.86", nullptr, "1100", nullptr), 900);
    REQUIRE(best.has_value());
    CHECK(best->months == 1);
    CHECK(best->hours == 170);
    CHECK(text(best->total) == "1416.20");
  }

  TEST_CASE("days and hours, years and months") {
    const auto days = mix(tariff_of_prices("2", "30", nullptr, nullptr), 50);
    CHECK(days->days == 2);
    CHECK(text(days->total) == "64.00");
    const auto years = mix(tariff_of_prices(nullptr, nullptr, "100", "900"), 14 * 730);
    CHECK(years->years == 1);
    CHECK(years->months == 2);
    CHECK(text(years->total) == "1100.00");
    // One price is no mix; a month that is sold for a year at least is none for 800 hours.
    CHECK_FALSE(mix(tariff_of_prices("2", nullptr, nullptr, nullptr), 50).has_value());
    CHECK(mix(tariff_of_prices("1", nullptr, "100", nullptr, 12), 800)->months == 0);
    CHECK_FALSE(mix(tariff_of_prices("1", nullptr, "100", nullptr), 51 * 8760).has_value());
  }

  // Every cover is tried.
  TEST_CASE("the best mix is the best") {
    const Tariff tariff = tariff_of_prices("2", "30", "500", "4500");
    for (const double hours : {1.0, 15.5, 24.0, 300.0, 730.0, 731.0, 1500.0, 6000.0, 9000.0}) {
      const double best = mix(tariff, hours)->total.amount.approximate();
      double least = 1e18;
      for (double y = 0; y <= 2; ++y) {
        for (double m = 0; m <= 14; ++m) {
          for (double d = 0; d <= 400; ++d) {
            const double rest = std::max(0.0, hours - y * 8760 - m * 730 - d * 24);
            least = std::min(least, y * 4500 + m * 500 + d * 30 + std::ceil(rest) * 2);
          }
        }
      }
      CHECK(best == rounded(least, 1e-12));
    }
  }

  // 100 hours of a year at 8,580: 8,660 hours are left. 97.95 used and 30% of the other 8,482.05;
  // or one month at its list price.
  TEST_CASE("leaving early") {
    Tariff tariff = tariff_of_prices(nullptr, nullptr, "1100", nullptr);
    set_annual_factor(tariff, "0.65");
    BillingTerms terms;
    terms.exit_penalty = dec("0.3");
    const Billing b = bill(tariff, 100, terms);
    REQUIRE(b.exits.size() == 2);
    CHECK(b.exits[0].mode == BillingMode::monthly);
    CHECK(b.exits[0].unused_hours == exactly(630));
    const EarlyExit& year = b.exits[1];
    CHECK(year.unused_hours == exactly(8660));
    CHECK(text(year.whole_term) == "8580.00");
    CHECK(year.penalty->amount.approximate() ==
          rounded(8580 * 100.0 / 8760 + 0.3 * 8580 * 8660 / 8760, 1e-9));
    CHECK(text(*year.clawback) == "1100.00");
  }

  TEST_CASE("discounts and free hours") {
    BillingTerms terms;
    terms.long_term_low = dec("0.05");
    terms.long_term_high = dec("0.10");
    terms.long_term_months = 6;
    terms.academic = dec("0.2");
    terms.trial_hours = 10;
    terms.stopped_hours = 100;
    terms.stopped_hour = dec("0.5");
    const Tariff tariff = tariff_of_prices("3", nullptr, "1000", nullptr);
    const Billing b = bill(tariff, 7 * 730, terms);
    CHECK(text(way_of(b, "long_term")->total.value) == "6650.00");
    CHECK(text(way_of(b, "long_term")->total.low) == "6300.00");
    CHECK(way_of(b, "long_term")->conditional);
    CHECK(text(way_of(b, "academic")->total.value) == "5600.00");
    CHECK(text(way_of(b, "trial")->total.value) == "15300.00");  // 5,100 hours of 5,110
    CHECK(text(way_of(b, "stopped")->total.value) == "15380.00");
    CHECK(b.cheapest == "monthly");
    CHECK(way_of(bill(tariff, 5 * 730, terms), "long_term") == nullptr);
    CHECK(bill(tariff, 800, terms).cheapest == "mixed");  // 1,210 against 2,000 and 2,400
  }

  TEST_CASE("tax in and out") {
    BillingTerms terms;
    terms.tax = dec("0.06");
    const Billing b = bill(tariff_of_prices("1.06", nullptr, nullptr, nullptr), 100, terms);
    CHECK(text(*b.with_tax) == "106.00");
    CHECK(text(*b.without_tax) == "100.00");
  }

  TEST_CASE("spot with its interruptions") {
    Tariff tariff = tariff_of_prices("2", nullptr, nullptr, nullptr);
    set_price(tariff, {BillingMode::spot, "1.5", "CNY", true, 0, 0}, false);
    const CostQuestion question = question_of(100);
    const Cost cost = estimate_cost(question, tariff);
    const auto total = [&](double hours) {
      const Seconds time{hours * kHour};
      const Billing b = plan_billing(question, tariff, cost, {}, {time, time, time}, nullptr);
      return b.cheapest + " " + text(b.cheapest_total);
    };
    CHECK(total(120) == "spot 180.00");
    CHECK(total(150) == "on_demand 200.00");  // spot would be 225
  }

  // Twice as dear by the hour and still cheaper, because it does not fail.
  TEST_CASE("a cheap unstable offer loses to a dear stable one") {
    json cheap = offer("cheap", "0.010");
    const json dear = offer("dear", "0.012");
    CHECK(ask(job({cheap, dear}))["resolved"]["price"]["offer"] == "cheap");
    cheap["reliability"] = {{"failures_per_gpu_day", 4}};
    const json report = ask(job({cheap, dear}));
    REQUIRE(report["problems"].empty());
    CHECK(report["resolved"]["price"]["offer"] == "dear");
    const json asked = ask(job({cheap, dear}, {{"offer", "cheap"}}));
    CHECK(asked["resolved"]["reliability"]["failures_per_gpu_day"] == 4);
    CHECK(asked["time"]["run"]["value"] > report["time"]["run"]["value"]);
    CHECK(std::stod(asked["cost"]["total"]["value"].get<std::string>()) >
          std::stod(report["cost"]["total"]["value"].get<std::string>()));
    // What it costs is the difference to the same hours without failures.
    CHECK(std::stod(asked["cost"]["unreliability"]["value"].get<std::string>()) > 0);
    // The visitor's own figure counts before the seller's.
    json mine = job({cheap, dear}, {{"offer", "cheap"}});
    mine["reliability"] = {{"failures_per_gpu_day", 0.001}};
    CHECK(ask(mine)["resolved"]["reliability"]["failures_per_gpu_day"] == 0.001);
  }

  TEST_CASE("an expired price is not used") {
    json old = offer("old", "0.010");
    old["valid_until"] = "2026-10-01";
    const json later = offer("later", "0.012");
    const json today = {{"date", "2026-11-30"}};
    CHECK(ask(job({old, later}, today))["resolved"]["price"]["offer"] == "later");
    CHECK(ask(job({old, later}, {{"date", "2026-10-01"}}))["resolved"]["price"]["offer"] == "old");
    // Without a day nothing can be told to have expired, and that is said.
    const json undated = ask(job({old, later}));
    CHECK(undated["resolved"]["price"]["offer"] == "old");
    CHECK(undated["warnings"].dump().find("validity_unchecked") != std::string::npos);
    CHECK(ask(job({old, later}, {{"date", "2026-10-01"}}))["warnings"].dump().find(
              "validity_unchecked") == std::string::npos);
    const json asked = ask(job(json::array({old}), {{"date", "2026-11-30"}, {"offer", "old"}}));
    CHECK_FALSE(asked.contains("cost"));
    CHECK(asked["absent"].dump().find("offer_expired") != std::string::npos);
  }

  TEST_CASE("fees on top of a run") {
    const json fees = {{{"category", "data_transfer"}, {"kind", "percent"}, {"amount", "25"}}};
    const json report = ask(job(json::array({offer("a", "0.010")}), {{"fees", fees}}));
    REQUIRE(report["problems"].empty());
    CHECK(report["cost"]["fees_share"].get<double>() == rounded(0.2, 1e-5));
    CHECK(report["resolved"]["price"]["fees"] == json{{{"category", "data_transfer"},
                                                       {"kind", "percent"},
                                                       {"amount", "25.00"},
                                                       {"quantity", 1}}});
    CHECK(report["cost"].contains("cheapest_way"));
    CHECK(report["cost"].contains("article_way"));
  }

  // Downtime divides, interruptions add their restarts.
  TEST_CASE("availability and interruptions") {
    Reliability r;
    r.availability = 0.999;
    const Run up = estimate_run(1e5, {10}, 8, {1e12}, r);
    CHECK(up.goodput == exactly(0.999));
    CHECK(up.lost.value == rounded(1e6 / 0.999 - 1e6, 1e-9));
    r.availability = 1;
    r.interruptions = 2;
    r.checkpoint_interval = {3600};
    r.restart = {600};
    const Run run = estimate_run(1e5, {10}, 8, {1e12}, r);
    CHECK(run.lost.value == rounded(2 * (1800 + 600), 1e-9));
    CHECK(run.wall.value == rounded(1e6 + 4800 + 300, 1e-9));
  }
}

}  // namespace traintally
