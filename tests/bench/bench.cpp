#include "bench.hpp"

#include <algorithm>
#include <chrono>
#include <json/catalog_json.hpp>
#include <json/scenario_json.hpp>
#include <vector>

#include <traintally/estimate.hpp>
#include <traintally/plan.hpp>
#include <traintally/session.hpp>

#include "json/plan_json.hpp"
#include "terms.hpp"

namespace {

using Clock = std::chrono::steady_clock;

// What the loop computes ends up here, so that no compiler leaves it out.
volatile double sink;

double elapsed(Clock::time_point since) {
  return std::chrono::duration<double>(Clock::now() - since).count();
}

template <class Call>
double microseconds(double seconds, Call call) {
  constexpr int runs = 20;
  // Doubling from one finds how many calls fill a run, and warms up.
  long calls = 1;
  for (double took = 0; took < seconds / runs && calls < 1'000'000'000; calls *= 2) {
    const auto start = Clock::now();
    for (long i = 0; i < calls; ++i) sink = call();
    took = elapsed(start);
  }
  calls = std::max(1L, calls / 2);
  std::vector<double> means;
  for (int run = 0; run < runs; ++run) {
    const auto start = Clock::now();
    for (long i = 0; i < calls; ++i) sink = call();
    means.push_back(elapsed(start) / static_cast<double>(calls));
  }
  std::nth_element(means.begin(), means.begin() + runs / 2, means.end());
  return means[runs / 2] * 1e6;
}

}  // namespace

double bench(std::string_view what, std::string_view catalog_text, std::string_view scenario_text,
             double seconds) {
  using namespace traintally;
  if (what == "estimate") {
    Problems problems;
    Catalog catalog;
    const Document loaded(catalog_text, problems);
    load_catalog(loaded.root(), catalog, problems);
    const Document document(scenario_text, problems);
    const Scenario scenario = read_scenario(document.root(), problems);
    if (!problems.empty() || !estimate(scenario, catalog).answered) return -1;
    return microseconds(seconds, [&] { return estimate(scenario, catalog).step.value.value; });
  }
  if (what == "layout" || what == "variant") {
    Problems problems;
    Catalog catalog;
    const Document loaded(catalog_text, problems);
    load_catalog(loaded.root(), catalog, problems);
    const Document document(scenario_text, problems);
    const Scenario scenario = read_scenario(document.root(), problems);
    Job job = resolve(scenario, catalog, problems).job;
    if (job.optimizer == nullptr) return -1;
    if (what == "layout") {
      return microseconds(seconds, [&] {
        return estimate_memory(job).stage.device.value + estimate_step_time(job).step.value;
      });
    }
    // As the search does: what layouts share is worked out once for all of these.
    const MemoryTerms memory = memory_terms(job);
    const TimeTerms time = time_terms(job);
    const StageRuns stages = stage_runs(job.model, job.layout);
    int variant = 0;
    return microseconds(seconds, [&] {
      ++variant;
      job.training.recompute = static_cast<Recompute>(variant % 3);
      job.layout.zero = variant / 3 % 2;
      job.layout.offload = variant / 6 % 2 == 0 ? Offload::none : Offload::optimizer;
      return estimate_memory(job, memory, stages).stage.device.value +
             estimate_step_time(job, time, stages).step.value;
    });
  }
  if (what == "plan" || what == "first_front" || what == "plan_layouts" ||
      what == "plan_evaluated") {
    Problems problems;
    Catalog catalog;
    const Document loaded(catalog_text, problems);
    load_catalog(loaded.root(), catalog, problems);
    const Document document(scenario_text, problems);
    const PlanRequest request = read_plan_request(document.root(), problems);
    constexpr std::int64_t kSlice = 20'000;
    const auto search = [&](bool whole) {
      PlanSearch plan(request.scenario, request.constraints, catalog, problems);
      while (!plan.step(kSlice) && (whole || plan.answer().front.size() < 3)) {
      }
      return plan.answer();
    };
    if (what == "plan_layouts") return static_cast<double>(search(true).searched.layouts);
    if (what == "plan_evaluated") return static_cast<double>(search(true).searched.evaluated);
    const bool whole = what == "plan";
    return microseconds(seconds, [&] { return static_cast<double>(search(whole).front.size()); });
  }
  if (what == "evaluate") {
    const Session session(catalog_text);
    return microseconds(seconds, [&] {
      return static_cast<double>(session.evaluate("estimate", scenario_text).size());
    });
  }
  if (what == "open") {
    return microseconds(seconds, [&] {
      return static_cast<double>(Session(catalog_text).catalog_problems().size());
    });
  }
  return -1;
}
