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
  if (command == "estimate") return estimate_answer(document, loaded_->catalog);
  if (command == "catalog") return catalog_answer(document, loaded_->catalog);
  JsonWriter writer;
  writer.begin_object();
  writer.whole("version", 1);
  writer.key("problems");
  write_problems(writer, {{"", "unknown_command", "estimate, catalog"}});
  writer.end_object();
  return writer.take();
}

std::string Session::catalog_problems() const {
  JsonWriter writer;
  write_problems(writer, loaded_->problems);
  return writer.take();
}

}  // namespace traintally
