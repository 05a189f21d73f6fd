#include "recipe_json.hpp"

#include <traintally/estimate.hpp>
#include <traintally/recipe.hpp>

#include "request.hpp"
#include "scenario_json.hpp"

namespace traintally {

std::string recipe_answer(std::string_view document, const Catalog& builtin) {
  Problems problems;
  std::vector<Absent> absent;
  FigureWriter figures(absent);
  JsonWriter& w = figures.json();
  w.begin_object();
  const Document parsed(document, problems);
  const JsonValue& node = parsed.root();
  if (problems.empty()) {
    Scenario scenario = read_scenario(node, problems);
    scenario.method = Method::detailed;  // the article's rules know no layout
    ObjectReader reader(node, "", problems);
    reader.find("catalog");
    std::optional<Catalog> merged;
    const Catalog& catalog = with_extension(node, builtin, merged, problems);
    const Report report = estimate(scenario, catalog, problems);
    problems = report.resolved.problems;
    if (report.answered) {
      w.key("resolved");
      write_scenario(w, report.resolved.scenario, reader.find("catalog"));
      if (report.detailed) w.flag("fits", report.memory.fits);
      const Recipes found = write_recipes(report, catalog.recipes);
      w.begin_array("recipes");
      for (const Recipe& recipe : found.recipes) {
        w.begin_object();
        w.text("tool", recipe.tool);
        w.text("file", recipe.file);
        w.text("format", recipe.format);
        w.text("text", recipe.text);
        w.end_object();
      }
      w.end_array();
      w.begin_array("inexpressible");
      for (const Inexpressible& each : found.inexpressible) {
        w.begin_object();
        w.text("tool", each.tool);
        w.text("code", each.code);
        w.figures(each.figures);
        w.end_object();
      }
      w.end_array();
    }
  }
  w.end_object();
  return join_answer(problems, absent, {}, figures);
}

}  // namespace traintally
