#include <traintally/session.hpp>

#include <traintally/estimate.hpp>

#include "catalog_json.hpp"
#include "report_json.hpp"
#include "scenario_json.hpp"

namespace traintally {
namespace {

/// The answer to a document that could not be read at all.
std::string refusal(const Problems& problems) {
  JsonWriter writer;
  writer.begin_object();
  writer.whole("version", 1);
  writer.key("problems");
  write_problems(writer, problems);
  writer.begin_array("absent");
  writer.end_array();
  writer.begin_array("warnings");
  writer.end_array();
  writer.end_object();
  return writer.take();
}

std::string estimate_answer(std::string_view document, const Catalog& catalog) {
  Problems problems;
  const Document parsed(document, problems);
  if (!problems.empty()) return refusal(problems);
  const Scenario scenario = read_scenario(parsed.root(), problems);
  const JsonValue* extension = parsed.root().find("catalog");
  if (extension == nullptr) return write_report(estimate(scenario, catalog, problems), nullptr);
  Catalog merged = catalog;
  load_entries(*extension, "/catalog", merged, problems);
  return write_report(estimate(scenario, merged, problems), extension);
}

}  // namespace

Session::Session(std::string_view catalog_json, std::string_view calibration_json)
    : catalog_(std::make_unique<Catalog>()) {
  Problems problems;
  const Document document(catalog_json, problems);
  if (problems.empty()) load_catalog(document.root(), *catalog_, problems);
  if (!calibration_json.empty()) {
    const std::size_t before = problems.size();
    const Document calibration(calibration_json, problems);
    if (problems.size() == before) load_calibration(calibration.root(), *catalog_, problems);
  }
  JsonWriter writer;
  write_problems(writer, problems);
  problems_ = writer.take();
}

Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

std::string Session::evaluate(std::string_view command, std::string_view document) const {
  if (command == "estimate") return estimate_answer(document, *catalog_);
  if (command == "catalog") return catalog_answer(document, *catalog_);
  JsonWriter writer;
  writer.begin_object();
  writer.whole("version", 1);
  writer.key("problems");
  write_problems(writer, {{"", "unknown_command", "estimate, catalog"}});
  writer.end_object();
  return writer.take();
}

std::string Session::catalog_problems() const { return problems_; }

}  // namespace traintally
