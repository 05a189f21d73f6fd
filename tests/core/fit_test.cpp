// What makes a job fit, and what would: every answer is checked by estimating its patched scenario.

#include <algorithm>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include "answers.hpp"

namespace traintally::testing {
namespace {

Json fit(const std::string& scenario) {
  Json answer = parsed(session().evaluate("fit", scenario));
  INFO(scenario);
  INFO(answer["problems"].dump());
  REQUIRE(answer["problems"].empty());
  return answer;
}

/// The report of a scenario with a patch applied as a page does.
Json patched(const std::string& scenario, const Json& patch) {
  Json document = parsed(scenario);
  document.merge_patch(patch);
  return sound_answer(document.dump());
}

double peak(const Json& report) { return report["memory"]["device_peak"]["value"].get<double>(); }

double per_sequence(const Json& report) {
  return report["time"]["step"]["value"].get<double>() /
         report["resolved"]["training"]["global_batch"].get<double>();
}

const char* const kTooLarge[] = {
    R"({"model":"llama-3.1-8b","training":{"kind":"full","micro_batch":4,"recompute":"none"},
        "cluster":{"gpu":"rtx-4090","count":8}})",
    R"({"model":"llama-3.1-8b","training":{"kind":"full"},"cluster":{"gpu":"a100-sxm-80gb"}})",
    R"({"model":"llama-3.1-70b","training":{"kind":"lora"},"cluster":{"gpu":"a100-sxm-80gb"}})",
    R"({"model":"qwen2.5-14b","training":{"kind":"full","stack":"deepspeed","micro_batch":2},
        "cluster":{"gpu":"h100-sxm-80gb","count":4},"layout":{"zero":1}})"};

TEST_CASE("every change has the figures of its patched scenario") {
  for (const char* scenario : kTooLarge) {
    CAPTURE(scenario);
    const Json before = sound_answer(scenario);
    REQUIRE(before["memory"]["fits"] == false);
    const Json answer = fit(scenario);
    CHECK(answer["fit"] == "no");
    CHECK(answer["device_peak"] == before["memory"]["device_peak"]["value"]);
    REQUIRE(answer["changes"].size() > 3);
    int fitting = 0;
    for (const Json& change : answer["changes"]) {
      CAPTURE(change["codes"].dump());
      const Json after = patched(scenario, change["patch"]);
      CHECK(peak(after) == change["device_peak"].get<double>());
      CHECK(peak(before) - peak(after) ==
            doctest::Approx(change["saved"].get<double>()).epsilon(1e-9).scale(peak(before)));
      CHECK(change["saved"].get<double>() > 0);
      CHECK(after["memory"]["fits"].get<bool>() == (change["fit"] != "no"));
      CHECK(per_sequence(after) / per_sequence(before) ==
            doctest::Approx(change["time_ratio"].get<double>()).epsilon(1e-9));
      if (change["fit"] != "no") ++fitting;
    }
    CHECK(fitting > 0);
  }
}

TEST_CASE(
    "changes are ranked: what fits first, then what keeps the training, then those of less GPU "
    "time") {
  for (const char* scenario : kTooLarge) {
    const Json answer = fit(scenario);
    const auto rank = [](const Json& change) {
      return change["fit"] == "well" ? 0 : change["fit"] == "barely" ? 1 : 2;
    };
    const double count = parsed(scenario)["cluster"].value("count", 1.0);
    const auto gpu_time = [count](const Json& change) {
      const Json patch = change["patch"].value("cluster", Json::object());
      const double gpus = patch.value("count", count);
      return change["time_ratio"].get<double>() * gpus;
    };
    std::set<std::string> fits_alone;
    for (std::size_t i = 0; i < answer["changes"].size(); ++i) {
      const Json& change = answer["changes"][i];
      if (change["codes"].size() == 1 && rank(change) < 2) {
        fits_alone.insert(change["codes"][0].get<std::string>());
      }
      if (i == 0) continue;
      const Json& last = answer["changes"][i - 1];
      REQUIRE(rank(last) <= rank(change));
      if (rank(last) != rank(change)) continue;
      if (rank(change) == 2) {
        CHECK(last["device_peak"] <= change["device_peak"]);
      } else if (last["changes_training"] == change["changes_training"]) {
        CHECK(gpu_time(last) <= gpu_time(change));
      } else {
        CHECK(change["changes_training"] == true);
      }
    }
    for (const Json& change : answer["changes"]) {
      if (change["codes"].size() < 2) continue;
      CHECK(rank(change) < 2);
      for (const Json& code : change["codes"]) {
        CHECK(fits_alone.count(code.get<std::string>()) == 0);
      }
    }
  }
}

TEST_CASE("the largest that fits does, and a little more does not") {
  const std::string scenario =
      R"({"model":"llama-3.1-8b","training":{"kind":"lora","recompute":"full"},
      "cluster":{"gpu":"a100-sxm-80gb","count":2}})";
  const Json answer = fit(scenario);
  CHECK(answer["fit"] == "well");
  const Json& largest = answer["largest"];
  for (const char* name : {"sequence_length", "micro_batch", "parameters", "model"}) {
    CAPTURE(name);
    REQUIRE(largest.contains(name));
    CHECK(patched(scenario, largest[name]["patch"])["memory"]["fits"] == true);
  }
  Json longer = parsed(scenario);
  longer.merge_patch(largest["sequence_length"]["patch"]);
  CHECK(longer["training"]["sequence_length"] == largest["sequence_length"]["value"]);
  longer["training"]["sequence_length"] =
      largest["sequence_length"]["value"].get<std::int64_t>() + 128;
  CHECK(sound_answer(longer.dump())["memory"]["fits"] == false);

  Json wider = parsed(scenario);
  wider.merge_patch(largest["micro_batch"]["patch"]);
  const std::int64_t more = largest["micro_batch"]["value"].get<std::int64_t>() + 1;
  wider["training"]["micro_batch"] = more;
  wider["training"]["global_batch"] = more * 2 * 64;
  CHECK(sound_answer(wider.dump())["memory"]["fits"] == false);

  // No larger model of the catalogue fits.
  const double most = largest["model"]["value"].get<double>();
  int larger = 0;
  for (const ModelEntry& entry : built_in_catalog().models) {
    const double size = static_cast<double>(count_parameters(entry.model).total);
    if (size <= most || size > 4 * most) continue;
    ++larger;
    Json other = parsed(scenario);
    other["model"] = entry.id;
    const Json report = parsed(session().evaluate("estimate", other.dump()));
    if (report["problems"].empty()) CHECK(report["memory"]["fits"] == false);
  }
  CHECK(larger > 3);
}

TEST_CASE("the fewest GPUs fit, and half of them do not") {
  const std::string scenario =
      R"({"model":"llama-3.1-70b","training":{"kind":"full","stack":"megatron"},
      "cluster":{"gpu":"h100-sxm-80gb","count":8}})";
  const Json answer = fit(scenario);
  REQUIRE(answer.contains("fewest_gpus"));
  const Json after = patched(scenario, answer["fewest_gpus"]["patch"]);
  CHECK(after["memory"]["fits"] == true);
  CHECK(after["resolved"]["cluster"]["count"] == answer["fewest_gpus"]["value"]);
  Json fewer = parsed(scenario);
  fewer["cluster"]["count"] = answer["fewest_gpus"]["value"].get<int>() / 2;
  CHECK(sound_answer(fewer.dump())["memory"]["fits"] == false);
}

TEST_CASE("what is wrong with a scenario is said, and no figure with it") {
  const Json answer = parsed(session().evaluate("fit", R"({"model":"no-such"})"));
  CHECK(answer["problems"][0]["code"] == "unknown_model");
  CHECK_FALSE(answer.contains("changes"));
  const Json published =
      parsed(session().evaluate("fit", R"({"model":"llama-3.1-8b","method":"published"})"));
  CHECK(published["problems"][0]["at"] == "/method");
}

}  // namespace
}  // namespace traintally::testing
