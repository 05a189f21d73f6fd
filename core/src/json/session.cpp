#include <traintally/session.hpp>

#include <limits>
#include <optional>

#include <traintally/estimate.hpp>

#include "catalog_json.hpp"
#include "fit_json.hpp"
#include "ownership_json.hpp"
#include "plan_json.hpp"
#include "project_json.hpp"
#include "quote_json.hpp"
#include "recipe_json.hpp"
#include "report_json.hpp"
#include "request.hpp"
#include "scenario_json.hpp"

namespace traintally {
namespace {

std::string estimate_answer(const Scenario& scenario, const Catalog& catalog,
                            const Problems& problems, const JsonValue* extension) {
  return write_report(estimate(scenario, catalog, problems), extension);
}

std::string fit_answer(const Scenario& scenario, const Catalog& catalog, const Problems& problems,
                       const JsonValue*) {
  return write_fit(find_fit(scenario, catalog, problems));
}

/// The answer to a scenario, with the entries that it brings along.
template <class Answer>
std::string scenario_answer(std::string_view document, const Catalog& catalog, Answer answer) {
  Problems problems;
  const Document parsed(document, problems);
  if (!problems.empty()) return refusal(problems);
  const Scenario scenario = read_scenario(parsed.root(), problems);
  std::optional<Catalog> merged;
  const Catalog& extended = with_extension(parsed.root(), catalog, merged, problems);
  return answer(scenario, extended, problems, parsed.root().find("catalog"));
}

std::string plan_answer(const Session& session, std::string_view document) {
  PlanSession plan(session, document);
  plan.step(std::numeric_limits<double>::max());
  return plan.answer();
}

/// What can be asked of the catalogue alone, and what answers it.
struct Command {
  const char* name;
  std::string (*answer)(std::string_view document, const Catalog& catalog);
};
constexpr Command kCommands[] = {{"own", own_answer},
                                 {"quote", quote_answer},
                                 {"project", project_answer},
                                 {"recipe", recipe_answer},
                                 {"catalog", catalog_answer}};
/// The rest.
constexpr const char* kScenarioCommands[] = {"estimate", "plan", "fit"};

}  // namespace

/// A document that the catalogue was read from: its texts stay here.
struct Source {
  Source(std::string_view json, Problems& problems) : text(json), document(text, problems) {}

  std::string text;
  Document document;
};

struct Session::Loaded {
  std::unique_ptr<Source> load(std::string_view json,
                               void (*read)(const JsonValue&, Catalog&, Problems&)) {
    Problems found;
    auto source = std::make_unique<Source>(json, found);
    if (found.empty()) read(source->document.root(), catalog, found);
    source->document.keep_texts_only();
    problems.insert(problems.end(), found.begin(), found.end());
    return source;
  }

  Catalog catalog;
  Problems problems;
  std::unique_ptr<Source> catalog_source;
  std::unique_ptr<Source> calibration_source;
};

struct PlanSession::State {
  std::unique_ptr<Source> source;  ///< of the request: its texts
  std::optional<Catalog> merged;   ///< with the request's own entries
  std::optional<PlanSearch> search;
};

PlanSession::PlanSession(const Session& session, std::string_view document)
    : state_(std::make_unique<State>()) {
  Problems problems;
  state_->source = std::make_unique<Source>(document, problems);
  const JsonValue& root = state_->source->document.root();
  PlanRequest request;
  const Catalog* catalog = &session.loaded_->catalog;
  if (problems.empty()) {
    request = read_plan_request(root, problems);
    catalog = &with_extension(root, *catalog, state_->merged, problems);
  }
  state_->search.emplace(request.scenario, request.constraints, *catalog, problems);
}

PlanSession::~PlanSession() = default;
PlanSession::PlanSession(PlanSession&&) noexcept = default;
PlanSession& PlanSession::operator=(PlanSession&&) noexcept = default;

bool PlanSession::step(double work) {
  constexpr double kMost = 9e15;
  return state_->search->step(static_cast<std::int64_t>(work < kMost ? work : kMost));
}

std::string PlanSession::answer() const { return write_plan(state_->search->answer()); }

Session::Session(std::string_view catalog_json, std::string_view calibration_json)
    : loaded_(std::make_unique<Loaded>()) {
  loaded_->catalog_source = loaded_->load(catalog_json, load_catalog);
  if (calibration_json.empty()) return;
  loaded_->calibration_source = loaded_->load(calibration_json, load_calibration);
}

Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

std::string Session::evaluate(std::string_view command, std::string_view document) const {
  if (command == "estimate") return scenario_answer(document, loaded_->catalog, &estimate_answer);
  if (command == "fit") return scenario_answer(document, loaded_->catalog, &fit_answer);
  if (command == "plan") return plan_answer(*this, document);
  for (const Command& each : kCommands) {
    if (command == each.name) return each.answer(document, loaded_->catalog);
  }
  JsonWriter writer;
  writer.begin_object();
  writer.whole("version", 1);
  writer.key("problems");
  write_problems(writer, {{"", "unknown_command", command_names()}});
  writer.end_object();
  return writer.take();
}

std::string Session::command_names() {
  std::string names;
  for (const char* name : kScenarioCommands) names.append(names.empty() ? "" : ", ").append(name);
  for (const Command& each : kCommands) names.append(", ").append(each.name);
  return names;
}

bool Session::knows(std::string_view command) {
  bool known = false;
  for (const char* name : kScenarioCommands) known = known || command == name;
  for (const Command& each : kCommands) known = known || command == each.name;
  return known;
}

std::string Session::catalog_problems() const {
  JsonWriter writer;
  write_problems(writer, loaded_->problems);
  return writer.take();
}

}  // namespace traintally
