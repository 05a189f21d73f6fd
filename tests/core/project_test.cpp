// A project's phases, fleets and budget, by hand.

#include <traintally/project.hpp>

#include <doctest/doctest.h>

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

Decimal dec(const char* text) { return *Decimal::parse(text); }
std::string text(Decimal value) { return value.trimmed(2).text(); }

ProjectPhase phase(double hours, std::int64_t gpus, const char* month) {
  ProjectPhase p;
  p.gpu = "x";
  p.hours = hours;
  p.gpus = gpus;
  p.gpu_hour = dec("10");
  p.cost = multiply(p.gpu_hour, hours * static_cast<double>(gpus), kMoneyScale);
  p.gpu_month = dec(month);
  return p;
}

/// 100 h on 2, 200 h on 8, 50 h on 1: 1,850 GPU-hours at 10.
std::vector<ProjectPhase> three(const char* month) {
  return {phase(100, 2, month), phase(200, 8, month), phase(50, 1, month)};
}

json ask(const json& request) {
  static const Session session({catalog_text, catalog_text_size});
  return json::parse(session.evaluate("project", request.dump()));
}

}  // namespace

TEST_SUITE("project") {
  TEST_CASE("elastic against a fixed cluster for the peak") {
    const FleetComparison r = compare_fleets(three("5000"), 730);
    CHECK(text(r.elastic) == "18500.00");
    CHECK(text(r.fixed) == "28000.00");  // 8 x 350 h x 10; a month of 8 is 40,000
    CHECK_FALSE(r.fixed_by_month);
    CHECK(r.peak_gpus == 8);
    CHECK(r.utilization == exactly(1850.0 / 2800));
  }

  // k = 2 and the rest on demand: 2 x 2,000 + 6 x 200 h x 10 = 16,000; k = 1: 17,000; k = 8:
  // 16,000.
  TEST_CASE("the best number to reserve") {
    FleetComparison r = compare_fleets(three("2000"), 730);
    REQUIRE(r.mix.has_value());
    CHECK(r.mix->gpus == 2);
    CHECK(text(r.mix->reserved) == "4000.00");
    CHECK(text(r.mix->on_demand) == "12000.00");
    CHECK(text(r.mix->total) == "16000.00");
    CHECK(compare_fleets(three("1900"), 730).mix->gpus == 8);
    CHECK(compare_fleets(three("5000"), 730).mix->gpus == 0);
  }

  // No other number of GPUs is cheaper.
  TEST_CASE("the best is the best") {
    for (const char* month : {"500", "1500", "1999", "2400", "3300"}) {
      const std::vector<ProjectPhase> phases = three(month);
      const Decimal best = compare_fleets(phases, 730).mix->total;
      for (std::int64_t k = 0; k <= 8; ++k) {
        Decimal total = multiply(dec(month), k, 1, 6);
        for (const ProjectPhase& p : phases) {
          const auto rest = static_cast<double>(std::max<std::int64_t>(0, p.gpus - k));
          total = total + multiply(p.gpu_hour, rest * p.hours, 6);
        }
        CHECK(best <= total);
      }
    }
  }

  TEST_CASE("phases on different GPUs are not mixed") {
    std::vector<ProjectPhase> phases = three("100");
    phases[0].gpu = "y";
    CHECK_FALSE(compare_fleets(phases, 730).mix.has_value());
  }

  // Ten terabytes through 32 Mb/s: 8e13 bits over 3.2e7 a second are 2.5e6 s.
  TEST_CASE("data on a thin line") {
    CHECK(transfer_days(10, 32) == exactly(2.5e6 / 86400));
    CHECK(transfer_days(10, 32) == rounded(28.94, 1e-3));
  }

  // 10,000 and a tenth, a twentieth, a twentieth, 3,000, 0.5 x 2,000 GB, 20 x 5 x 3: 16,300; a
  // tenth of it in reserve.
  TEST_CASE("a budget") {
    ProjectExtras extras;
    extras.data_preparation = dec("3000");
    extras.transfer_per_gb = dec("0.5");
    extras.upload_tb = 1.5;
    extras.download_tb = 0.5;
    extras.storage_per_tb_month = dec("20");
    extras.storage_tb = 5;
    extras.storage_months = 3;
    const ProjectBudget b = project_budget(dec("10000"), {0.1, 0.05, 0.05, 0.1}, extras);
    CHECK(text(b.trial_runs) == "1000.00");
    CHECK(text(b.failed_runs) == "500.00");
    CHECK(text(b.transfer) == "1000.00");
    CHECK(text(b.storage) == "300.00");
    CHECK(text(b.contingency) == "1630.00");
    CHECK(text(b.total) == "17930.00");
    CHECK_FALSE(b.upload_days.has_value());
  }

  TEST_CASE("phases as hours, and the article's line") {
    const json a = ask({{"phases",
                         {{{"name", "preprocess"},
                           {"hours", 100},
                           {"gpus", 2},
                           {"price", {{"per_gpu_hour", "10"}}}},
                          {{"name", "train"},
                           {"hours", 200},
                           {"gpus", 8},
                           {"price", {{"per_gpu_hour", "10"}, {"per_gpu_month", "2000"}}}}}},
                        {"budget", {{"upload_tb", 10}, {"line_mbit_s", 32}}}});
    REQUIRE(a["problems"].empty());
    CHECK(a["elastic"]["value"] == "18000.00");
    CHECK(a["budget"]["upload_days"].get<double>() == rounded(28.94, 1e-3));
    CHECK(a["warnings"][0]["code"] == "transfer_longer_than_training");
    CHECK(a["budget"]["factors"]["trial_runs_share"] == 0.1);
    CHECK(a["budget"]["total"]["value"] == "23760.00");  // 18,000 x 1.2 x 1.1
  }

  // A phase that is a scenario costs what its estimate says.
  TEST_CASE("phases as scenarios") {
    const json scenario = {{"model", "llama-3.1-8b"}, {"cluster", {{"gpu", "rtx-4090"}}}};
    static const Session session({catalog_text, catalog_text_size});
    const json report = json::parse(session.evaluate("estimate", scenario.dump()));
    const json a = ask({{"phases", json::array({{{"name", "tune"}, {"scenario", scenario}}})},
                        {"currency", report["cost"]["total"]["currency"]}});
    REQUIRE(a["problems"].empty());
    CHECK(a["phases"][0]["cost"]["value"] == report["cost"]["total"]["value"]);
    CHECK(a["phases"][0]["hours"].get<double>() * 3600 ==
          rounded(report["time"]["run"]["value"].get<double>(), 1e-12));
    CHECK(a["phases"][0]["fits"] == report["memory"]["fits"]);
  }

  TEST_CASE("what is wrong with a request") {
    const auto problem = [](const json& request) {
      const json a = ask(request);
      return a["problems"].empty() ? std::string()
                                   : a["problems"][0]["at"].get<std::string>() + " " +
                                         a["problems"][0]["code"].get<std::string>();
    };
    CHECK(problem(json::object()) == "/phases missing");
    CHECK(problem({{"phases", {{{"hours", -1}, {"gpus", 1}, {"price", {{"per_hour", "1"}}}}}}}) ==
          "/phases/0/hours not_positive");
    CHECK(problem({{"phases", {{{"hours", 1}, {"gpus", 1}}}}}) == "/phases/0/price missing");
    CHECK(problem({{"phases", {{{"scenario", {{"model", "none"}}}}}}}) ==
          "/phases/0/scenario/model unknown_model");
  }

  // One phase is its own peak: the fixed cluster is the elastic one.
  TEST_CASE("one phase saves nothing") {
    const json a = ask({{"phases", {{{"scenario", {{"model", "llama-3.1-8b"}}}}}}});
    REQUIRE(a["problems"].empty());
    CHECK(a["elastic"]["value"] == a["fixed"]["total"]["value"]);
    CHECK(std::stod(a["saving_by_elastic"]["value"].get<std::string>()) == 0);
  }

  TEST_CASE("one mistake is one problem") {
    const auto problems = [](const json& request) {
      std::string all;
      const json answer = ask(request);
      for (const json& each : answer["problems"]) {
        all += each["at"].get<std::string>() + " " + each["code"].get<std::string>() + ";";
      }
      return all;
    };
    const json phase = {{"hours", 1}, {"gpus", 1}, {"price", {{"per_gpu_hour", "1"}}}};
    CHECK(problems({{"phases", std::vector<json>(33, phase)}}) == "/phases too_many;");
    CHECK(problems({{"phases", json::array()}}) == "/phases missing;");
    json wrong = phase;
    wrong["price"]["per_gpu_hour"] = "999999999999999";
    CHECK(problems({{"phases", {wrong}}}) == "/phases/0/price/per_gpu_hour not_decimal;");
    CHECK(problems({{"phases", {phase}}, {"cny_per_usd", "0"}, {"currency", "USD"}}) ==
          "/cny_per_usd not_positive;");
    // Characters, as the schema counts them; not bytes.
    std::string name;
    for (int i = 0; i < 200; ++i) name += "汉";
    json named = phase;
    named["name"] = name;
    CHECK(problems({{"phases", {named}}}) == "");
    named["name"] = name + "汉";
    CHECK(problems({{"phases", {named}}}) == "/phases/0/name too_long;");
  }
}

}  // namespace traintally
