#pragma once

#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <traintally/catalog.hpp>
#include <traintally/catalog_data.hpp>
#include <traintally/session.hpp>

#include "json.hpp"
#include "json/catalog_json.hpp"

/// Answers of the whole line over the built-in catalogue, for the tests of what crosses the
/// boundary.
namespace traintally::testing {

inline const Session& session() {
  static const Session built_in{{catalog_text, catalog_text_size}};
  return built_in;
}

inline const Catalog& built_in_catalog() {
  static const Catalog loaded = [] {
    Catalog catalog;
    Problems problems;
    static const Document document({catalog_text, catalog_text_size}, problems);
    load_catalog(document.root(), catalog, problems);
    for (const Problem& problem : problems) FAIL_CHECK(problem.at << " " << problem.code);
    return catalog;
  }();
  return loaded;
}

inline Json parsed(const std::string& text) {
  Problems problems;
  Json document = parse_document(text, problems);
  for (const Problem& problem : problems) {
    FAIL_CHECK(problem.at << " " << problem.code << " in " << text.substr(0, 200));
  }
  return document;
}

inline Json answer(const std::string& scenario) {
  return parsed(session().evaluate("estimate", scenario));
}

/// The answer to a scenario that has to be a sound one.
inline Json sound_answer(const std::string& scenario) {
  Json report = answer(scenario);
  INFO(scenario);
  INFO(report["problems"].dump());
  REQUIRE(report["problems"].empty());
  return report;
}

/// "at code" of every problem, in alphabetical order, joined by "; ".
inline std::string problems_of(const std::string& scenario) {
  std::set<std::string> found;
  const Json report = answer(scenario);  // outlives the loop over a part of it
  for (const Json& problem : report["problems"]) {
    found.insert(problem["at"].get<std::string>() + " " + problem["code"].get<std::string>());
  }
  std::string joined;
  for (const std::string& each : found) joined += (joined.empty() ? "" : "; ") + each;
  return joined;
}

inline std::set<std::string> warnings_of(const Json& report) {
  std::set<std::string> found;
  for (const Json& warning : report["warnings"]) found.insert(warning["code"].get<std::string>());
  return found;
}

inline bool is_absent(const Json& report, const std::string& at, const std::string& code) {
  for (const Json& each : report["absent"]) {
    if (each["at"] == at && each["code"] == code) return true;
  }
  return false;
}

/// A file of the repository, from wherever the tests run.
inline std::string repository_file(const std::string& path) {
  std::string up;
  for (int i = 0; i < 6; ++i) {
    std::ifstream file(up + path, std::ios::binary);
    if (file) return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    up += "../";
  }
  FAIL("no " << path);
  return {};
}

/// Scenarios of every kind, the same on each run: a linear congruential generator picks.
class ScenarioMaker {
 public:
  explicit ScenarioMaker(unsigned seed) : state_(seed * 2654435761u + 1) {}

  std::string next() {
    const Catalog& catalog = built_in_catalog();
    Json scenario;
    scenario["model"] = pick(catalog.models).id;
    if (chance(10)) scenario["model"] = Json{{"params", 2e6 * (1 + below(100'000))}};
    Json& training = scenario["training"];
    training["kind"] = text({"pretrain", "full", "lora", "qlora"});
    if (chance(40)) training["stack"] = pick(catalog.stacks).id;
    if (chance(20)) training["precision"] = pick(catalog.precisions).id;
    if (chance(40)) training["optimizer"] = pick(catalog.optimizers).id;
    if (chance(50)) training["recompute"] = text({"none", "selective", "full"});
    if (chance(50)) training["sequence_length"] = 128 << below(9);
    if (chance(40)) training["micro_batch"] = 1 << below(4);
    if (chance(30)) training["fused_loss"] = true;
    if (chance(30)) training["compile"] = true;
    if (chance(30)) training["tokens"] = Json{{"dataset_tokens", 1e8}, {"epochs", 3}};
    scenario["cluster"]["gpu"] = pick(catalog.gpus).id;
    scenario["cluster"]["count"] = 1 << below(8);
    if (chance(30)) {
      const int tp = 1 << below(3);
      const int pp = 1 << below(3);
      scenario["cluster"]["count"] = tp * pp * (1 << below(4));
      scenario["layout"] = Json{{"tp", tp}, {"pp", pp}};
      if (chance(30)) {
        scenario["layout"]["offload"] = text({"optimizer", "parameters", "activations"});
      }
    }
    if (chance(30)) scenario["price"] = Json{{"per_gpu_hour", "12.50"}, {"currency", "USD"}};
    if (chance(10)) scenario["measured"] = Json{{"step_s", 1000.0}};
    if (chance(10)) scenario["method"] = "published";
    if (chance(30)) scenario["explain"] = true;
    return scenario.dump();
  }

 private:
  unsigned below(unsigned bound) {
    state_ = state_ * 1664525u + 1013904223u;
    return (state_ >> 8) % bound;
  }
  bool chance(unsigned percent) { return below(100) < percent; }
  std::string text(const std::vector<std::string>& choices) {
    return choices[below(static_cast<unsigned>(choices.size()))];
  }
  template <class Entry>
  const Entry& pick(const std::vector<Entry>& entries) {
    return entries[below(static_cast<unsigned>(entries.size()))];
  }

  unsigned state_;
};

}  // namespace traintally::testing
