#include "bench.hpp"

#include <algorithm>
#include <chrono>
#include <json/catalog_json.hpp>
#include <json/scenario_json.hpp>
#include <vector>

#include <traintally/estimate.hpp>
#include <traintally/session.hpp>

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
