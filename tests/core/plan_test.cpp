// What to rent: the plan against estimates asked one by one, its constraints, and bad requests.

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "answers.hpp"

namespace traintally::testing {
namespace {

Json plan(const std::string& request) { return parsed(session().evaluate("plan", request)); }

Json sound_plan(const std::string& request) {
  Json answer = plan(request);
  INFO(request);
  INFO(answer["problems"].dump());
  REQUIRE(answer["problems"].empty());
  CHECK(answer["complete"] == true);
  return answer;
}

/// A request about an 8B that is wholly fine-tuned.
std::string request(const std::string& constraints, const std::string& more = "") {
  return R"({"model":"llama-3.1-8b","training":{"kind":"full","sequence_length":2048,)"
         R"("global_batch":64,"tokens":2e8})" +
         more + R"(,"constraints":{)" + constraints + "}}";
}

double total(const Json& entry) {
  return std::stod(entry["cost"]["total"]["value"].get<std::string>());
}
double run(const Json& entry) { return entry["time"]["run"]["value"].get<double>(); }

std::string codes(const Json& answer) {
  std::set<std::string> found;
  for (const Json& problem : answer["problems"]) {
    found.insert(problem["at"].get<std::string>() + " " + problem["code"].get<std::string>());
  }
  std::string joined;
  for (const std::string& each : found) joined += (joined.empty() ? "" : "; ") + each;
  return joined;
}

const Json* ruled_out(const Json& answer, const std::string& code) {
  for (const Json& each : answer["ruled_out"]) {
    if (each["code"] == code) return &each;
  }
  return nullptr;
}

/// The scenario that an entry stands for.
std::string scenario_of(const Json& entry) {
  Json scenario;
  scenario["model"] = "llama-3.1-8b";
  scenario["training"] = Json{{"kind", "full"},
                              {"sequence_length", 2048},
                              {"tokens", 2e8},
                              {"global_batch", entry["global_batch"]},
                              {"micro_batch", entry["micro_batch"]},
                              {"recompute", entry["recompute"]},
                              {"stack", entry["stack"]}};
  scenario["cluster"] = Json{{"gpu", entry["gpu"]}, {"count", entry["count"]}};
  scenario["layout"] = entry["layout"];
  scenario["price"] = Json{{"offer", entry["offer"]}, {"currency", "CNY"}};
  return scenario.dump();
}

const char* const kSome = R"("max_gpus":16,"gpus":["h100-sxm-80gb","a100-sxm-80gb","rtx-4090"])";

TEST_CASE("an entry's figures are those of the scenario that it stands for") {
  const Json answer = sound_plan(request(kSome));
  REQUIRE(answer["front"].size() >= 2);
  for (const Json& entry : answer["front"]) {
    const Json report = sound_answer(scenario_of(entry));
    CHECK(report["time"]["step"]["value"].get<double>() ==
          doctest::Approx(entry["time"]["step"]["value"].get<double>()).epsilon(1e-12));
    CHECK(report["time"]["run"]["high"].get<double>() ==
          doctest::Approx(entry["time"]["run"]["high"].get<double>()).epsilon(1e-12));
    CHECK(report["time"]["mfu_causal"]["value"].get<double>() ==
          doctest::Approx(entry["time"]["mfu_causal"].get<double>()).epsilon(1e-12));
    CHECK(report["memory"]["device_peak"]["value"] == entry["memory"]["device_peak"]["value"]);
    CHECK(report["memory"]["fits"] == true);
    CHECK(report["cost"]["total"] == entry["cost"]["total"]);
    CHECK(report["cost"]["per_million_tokens"] == entry["cost"]["per_million_tokens"]);
    CHECK(report["cost"]["mode"] == entry["cost"]["mode"]);
  }
}

TEST_CASE("a seller's own failures lengthen its runs") {
  const auto offer = [](const char* id, const char* price, double failures) {
    return Json{{"id", id},
                {"provider", id},
                {"gpu", "h100-sxm-80gb"},
                {"count", 8},
                {"date", "2026-11-01"},
                {"prices",
                 Json::array({Json{{"mode", "on_demand"}, {"value", price}, {"currency", "CNY"}}})},
                {"reliability", Json{{"failures_per_gpu_day", failures}}}};
  };
  Json catalog;
  catalog["offers"] = Json::array({offer("shaky", "14.00", 40), offer("steady", "15.00", 0.0001)});
  const std::string own = R"(,"cluster":{"gpu":"h100-sxm-80gb","count":8},"catalog":)";
  const auto asked = [&](const std::string& id) {
    return sound_plan(request("", own + catalog.dump() + R"(,"price":{"offer":")" + id + "\"}"));
  };
  const Json answer =
      sound_plan(request(R"("providers":["shaky","steady"])", own + catalog.dump()));
  CHECK(answer["cheapest"]["offer"] == "steady");
  const Json shaky = asked("shaky")["cheapest"];
  CHECK(run(shaky) > 1.1 * run(asked("steady")["cheapest"]));
  CHECK(shaky["time"]["step"] == asked("steady")["cheapest"]["time"]["step"]);
  Json scenario = Json::parse(scenario_of(shaky));
  scenario["catalog"] = catalog;
  const Json report = sound_answer(scenario.dump());
  CHECK(report["time"]["run"]["value"].get<double>() == doctest::Approx(run(shaky)).epsilon(1e-12));
  CHECK(report["cost"]["total"] == shaky["cost"]["total"]);
}

TEST_CASE("the front is what offers and counts, asked one by one, leave") {
  const Json answer = sound_plan(request(kSome));
  std::vector<Json> entries;
  for (const OfferEntry& offer : built_in_catalog().offers) {
    const GpuEntry* gpu = built_in_catalog().find_gpu(offer.gpu);
    if (gpu == nullptr ||
        (gpu->id != "h100-sxm-80gb" && gpu->id != "a100-sxm-80gb" && gpu->id != "rtx-4090")) {
      continue;
    }
    for (const int count : {1, 2, 4, 8, 16}) {
      const Json one = plan(request(R"("max_gpus":16)",
                                    R"(,"cluster":{"count":)" + std::to_string(count) +
                                        R"(},"price":{"offer":")" + std::string(offer.id) + "\"}"));
      if (!one.contains("cheapest")) continue;
      CHECK(one["cheapest"]["count"] == count);
      CHECK(one["cheapest"] == one["fastest"]);
      entries.push_back(one["cheapest"]);
    }
  }
  REQUIRE(entries.size() > 20);
  const auto least = [&](double (*figure)(const Json&)) {
    double best = figure(entries[0]);
    for (const Json& entry : entries) best = std::min(best, figure(entry));
    return best;
  };
  CHECK(total(answer["cheapest"]) == least(total));
  CHECK(run(answer["fastest"]) == least(run));
  for (const Json& entry : entries) {
    bool met = false;  // by a point of the front that is no worse in either way
    for (const Json& point : answer["front"]) {
      met = met || (run(point) <= run(entry) && total(point) <= total(entry));
    }
    CHECK(met);
  }
  for (std::size_t i = 1; i < answer["front"].size(); ++i) {
    CHECK(run(answer["front"][i - 1]) < run(answer["front"][i]));
    CHECK(total(answer["front"][i - 1]) > total(answer["front"][i]));
  }
  for (const auto& item : answer["minimum_gpus"].items()) {
    const std::string& gpu = item.key();
    CAPTURE(gpu);
    if (item.value() == 1) continue;
    const int fewer = item.value().get<int>() / 2;
    const Json less = plan(request(
        "", R"(,"cluster":{"gpu":")" + gpu + R"(","count":)" + std::to_string(fewer) + "}"));
    CHECK(codes(less).find("nothing_fits") != std::string::npos);
    const Json* reason = ruled_out(less, "does_not_fit");
    REQUIRE(reason != nullptr);
    CHECK((*reason)["figures"]["needed_bytes"].get<double>() >
          (*reason)["figures"]["usable_bytes"].get<double>());
  }
}

TEST_CASE("a search in slices ends in the same words") {
  const std::string asked = request(kSome);
  const std::string whole = session().evaluate("plan", asked);
  for (const double work : {10.0, 100.0}) {
    PlanSession sliced(session(), asked);
    double progress = 0;
    int slices = 0;
    for (; !sliced.step(work); ++slices) {
      const Json so_far = parsed(sliced.answer());
      CHECK(so_far["complete"] == false);
      CHECK(so_far["problems"].empty());
      CHECK(so_far["progress"].get<double>() >= progress);
      progress = so_far["progress"].get<double>();
    }
    CHECK(slices >= 1);
    CHECK(sliced.answer() == whole);
  }
}

TEST_CASE("constraints hold for every entry, and their nearest values can be met") {
  const Json free = sound_plan(request(kSome));
  const double fastest_days = run(free["fastest"]) / 86400;
  const double cheapest = total(free["cheapest"]);
  REQUIRE(total(free["fastest"]) > 1.2 * cheapest);

  const std::string some = std::string(kSome);
  const Json timed =
      sound_plan(request(some + R"(,"deadline_days":)" + std::to_string(2 * fastest_days)));
  for (const Json& entry : timed["front"]) CHECK(run(entry) <= 2 * fastest_days * 86400);
  CHECK(timed["best"][0]["under"] == "/constraints/deadline_days");
  CHECK(timed["best"][0]["entry"] == timed["cheapest"]);
  CHECK(ruled_out(timed, "too_slow") != nullptr);

  const auto money = [](double amount) { return std::to_string(amount); };
  const Json cheap = sound_plan(
      request(some + R"(,"budget":{"total":")" + money(1.1 * cheapest) + R"(","per_month":null})"));
  for (const Json& entry : cheap["front"]) CHECK(total(entry) <= 1.1 * cheapest);
  const Json* dear = ruled_out(cheap, "too_dear");
  REQUIRE(dear != nullptr);
  CHECK(std::stod((*dear)["figures"]["total"].get<std::string>()) > 1.1 * cheapest);

  const std::string both = R"(,"deadline_days":)" + std::to_string(1.01 * fastest_days) +
                           R"(,"budget":{"total":")" + money(1.01 * cheapest) + "\"}";
  const Json neither = plan(request(some + both));
  CHECK(codes(neither) == "/constraints/deadline_days contradicts");
  REQUIRE(neither["conflicts"].size() == 1);
  const Json& conflict = neither["conflicts"][0];
  CHECK(conflict["between"] == Json{"/constraints/deadline_days", "/constraints/budget/total"});
  const std::string days =
      std::to_string(conflict["nearest"]["deadline_days"].get<double>() + 1e-5);
  const std::string budget = conflict["nearest"]["total"].get<std::string>();
  sound_plan(request(some + R"(,"deadline_days":)" + days + R"(,"budget":{"total":")" +
                     money(1.01 * cheapest) + "\"}"));
  sound_plan(request(some + R"(,"deadline_days":)" + std::to_string(1.01 * fastest_days) +
                     R"(,"budget":{"total":")" + std::to_string(std::stod(budget) + 0.01) + "\"}"));

  const Json late =
      plan(request(some + R"(,"deadline_days":)" + std::to_string(fastest_days / 10)));
  CHECK(codes(late) == "/constraints/deadline_days contradicts");
  CHECK(late["conflicts"][0]["between"][1] == "/constraints/max_gpus");
}

TEST_CASE("offers are ruled out for what they lack or are known to lack") {
  const Json rdma = sound_plan(request(std::string(kSome) + R"(,"require":["rdma"])"));
  const Catalog& catalog = built_in_catalog();
  for (const Json& entry : rdma["front"]) {
    CHECK(catalog.find_offer(entry["offer"].get<std::string>())->rdma == Known::yes);
  }
  CHECK(ruled_out(rdma, "requirement_unknown") != nullptr);
  const Json* missing = ruled_out(rdma, "requirement_missing");
  REQUIRE(missing != nullptr);
  CHECK((*missing)["figures"]["requirement"] == "rdma");

  const Json one = sound_plan(request(R"("max_gpus":16,"providers":["Lambda"])"));
  for (const Json& entry : one["front"]) {
    CHECK(catalog.find_offer(entry["offer"].get<std::string>())->provider == "Lambda");
  }
  const Json others =
      sound_plan(request(std::string(kSome) + R"(,"excluded_providers":["Lambda"])"));
  for (const Json& entry : others["front"]) {
    CHECK(catalog.find_offer(entry["offer"].get<std::string>())->provider != "Lambda");
  }

  const char* const old = R"(,"catalog":{"offers":[{"id":"old","provider":"x","gpu":"rtx-4090",
      "count":8,"per":"plan","prices":[{"mode":"on_demand","value":"0.01","currency":"CNY"}],
      "date":"2026-05-01","valid_until":"2026-06-30"}]})";
  const Json expired =
      sound_plan(request(kSome, std::string(old) + R"(,"price":{"date":"2026-07-01"})"));
  CHECK(ruled_out(expired, "expired") != nullptr);
  CHECK(expired["cheapest"]["offer"] != "old");
  const Json valid =
      sound_plan(request(kSome, std::string(old) + R"(,"price":{"date":"2026-06-30"})"));
  CHECK(valid["cheapest"]["offer"] == "old");
}

TEST_CASE("what is given is kept") {
  const Json mine = sound_plan(request("", R"(,"cluster":{"gpu":"h100-sxm-80gb","count":8},
      "price":{"per_gpu_hour":"12.5"},"layout":{"tp":2})"));
  REQUIRE(mine["front"].size() == 1);
  const Json& entry = mine["front"][0];
  CHECK_FALSE(entry.contains("offer"));
  CHECK(entry["layout"]["tp"] == 2);
  CHECK(entry["count"] == 8);
  CHECK(entry["cost"]["total"]["currency"] == "CNY");
  const Json micro = sound_plan(
      R"({"model":"llama-3.1-8b","training":{"kind":"lora","micro_batch":2,"recompute":"full"},
      "constraints":{"max_gpus":4,"gpus":["rtx-4090"]}})");
  for (const Json& each : micro["front"]) {
    CHECK(each["micro_batch"] == 2);
    CHECK(each["recompute"] == "full");
    CHECK(each["stack"] == "hf");
  }
}

TEST_CASE("a large job gets a layout that practitioners run") {
  const Json answer = sound_plan(R"({"model":"llama-3.1-70b","training":{"kind":"pretrain",
      "sequence_length":8192,"global_batch":1024,"tokens":1e11,"stack":"megatron"},
      "cluster":{"gpu":"h100-sxm-80gb","count":256}})");
  const Json& entry = answer["cheapest"];
  CHECK(entry["rules"]["broken"].empty());
  CHECK(entry["layout"]["tp"] >= 4);
  CHECK(entry["layout"]["tp"] <= 8);
  CHECK(entry["layout"]["cp"] == 1);
  CHECK(entry["layout"]["zero"] <= 1);
  CHECK(entry["memory"]["fits_interval"] == true);
  if (entry.contains("unrestricted")) {
    CHECK(entry["unrestricted"]["step"] < entry["time"]["step"]["value"]);
    CHECK_FALSE(entry["unrestricted"]["broken"].empty());
  }
}

TEST_CASE("bad requests are problems at their fields") {
  const auto of = [](const std::string& text) { return codes(plan(text)); };
  CHECK(of("") != "");
  CHECK(of("[]") == " wrong_type");
  CHECK(of("{}") == "/model missing");
  CHECK(of(R"({"model":"no-such"})") == "/model unknown_model");
  CHECK(of(request(R"("deadline_days":0)")) == "/constraints/deadline_days not_positive");
  CHECK(of(request(R"("budget":{"total":"-5"})")).find("/constraints/budget/total") == 0);
  CHECK(of(request(R"("budget":{"total":"0"})")) == "/constraints/budget/total not_positive");
  CHECK(of(request(R"("budget":{"total":"1","currency":"EUR"})")) ==
        "/constraints/budget/currency not_one_of");
  CHECK(of(request(R"("max_gpus":0)")) == "/constraints/max_gpus not_positive");
  CHECK(of(request(R"("gpus":["x"])")) == "/constraints/gpus/0 unknown_gpu");
  CHECK(of(request(R"("gpus":7)")) == "/constraints/gpus wrong_type");
  CHECK(of(request(R"("require":["coffee"])")) == "/constraints/require/0 not_one_of");
  CHECK(of(request("", R"(,"price":{"date":"soon"})")) == "/price/date not_date");
  CHECK(of(request(R"("surprise":1)")) == "/constraints/surprise unknown_field");
  CHECK(of(request(R"("providers":["nobody"])")) == "/constraints/providers no_offer");
  CHECK(of(request(R"("providers":["Lambda"],"excluded_providers":["Lambda"])")) ==
        "/constraints/providers contradicts");
  CHECK(of(request(R"("max_gpus":4)", R"(,"cluster":{"gpu":"rtx-4090","count":8})")) ==
        "/cluster/count contradicts");
  CHECK(of(request(R"("gpus":["rtx-4090"])", R"(,"cluster":{"gpu":"a40"})")) ==
        "/cluster/gpu contradicts");
  CHECK(of(request(R"("gpus":["rtx-4090"],"providers":["Lambda"])")) ==
        "/constraints/gpus contradicts");
  CHECK(of(request("", R"(,"price":{"per_gpu_hour":"5"})")) == "/cluster/gpu missing");
  CHECK(of(request("", R"(,"price":{"offer":"no-such"})")) == "/price/offer no_offer");
  CHECK(of(R"({"model":"llama-3.1-405b","training":{"kind":"full"},
      "constraints":{"max_gpus":2,"gpus":["rtx-4090"]}})") == "/constraints/max_gpus nothing_fits");
}

TEST_CASE("an empty catalogue and prices without a rate are said") {
  const Json document = parsed({catalog_text, catalog_text_size});
  Json bare = document;
  bare["offers"] = Json::array();
  const Session none(bare.dump());
  const Json empty = parsed(none.evaluate("plan", request("")));
  CHECK(codes(empty) == "/catalog/offers empty");
  bare["offers"] = Json::array();
  for (const Json& offer : document["offers"]) {
    if (offer["prices"][0]["currency"] == "USD") bare["offers"].push_back(offer);
  }
  bare.erase("currencies");
  const Session dollars(bare.dump());
  const Json mixed = parsed(dollars.evaluate("plan", request("")));
  CHECK(codes(mixed) == "/price/cny_per_usd missing");
  const Json priced =
      parsed(dollars.evaluate("plan", request(R"("gpus":["h100-sxm-80gb"],"max_gpus":8)",
                                              R"(,"price":{"cny_per_usd":"7"})")));
  CHECK(codes(priced) == "");
}

}  // namespace
}  // namespace traintally::testing
