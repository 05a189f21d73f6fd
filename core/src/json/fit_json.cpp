#include "fit_json.hpp"

#include <cmath>

#include "names.hpp"
#include "scenario_json.hpp"
#include "writer.hpp"

namespace traintally {
namespace {

void write_bytes(JsonWriter& w, const char* name, Bytes bytes) {
  w.whole(name, static_cast<std::int64_t>(std::floor(bytes.value + 0.5)));
}

const char* name_of_fit(Fit fit) {
  return fit == Fit::well ? "well" : fit == Fit::barely ? "barely" : "no";
}

void write_most(JsonWriter& w, const char* name, const std::optional<FitMost>& most,
                const Scenario& base) {
  if (!most) return;
  w.begin_object(name);
  w.real("value", most->value);
  w.key("patch");
  write_scenario_patch(w, base, most->scenario);
  w.end_object();
}

}  // namespace

std::string write_fit(const FitAnswer& answer) {
  const Scenario& base = answer.resolved.scenario;
  JsonWriter w;
  w.begin_object();
  w.whole("version", 1);
  w.key("problems");
  write_problems(w, answer.resolved.problems);
  if (answer.resolved.problems.empty()) {
    write_bytes(w, "device_peak", answer.device);
    write_bytes(w, "usable", answer.usable);
    w.text("fit", name_of_fit(answer.fit));
    w.begin_array("changes");
    for (const FitChange& change : answer.changes) {
      w.begin_object();
      w.begin_array("codes");
      for (const std::string& code : change.codes) w.text(code);
      w.end_array();
      write_bytes(w, "device_peak", change.device);
      write_bytes(w, "saved", change.saved);
      w.text("fit", name_of_fit(change.fit));
      w.real("time_ratio", change.time_ratio);
      w.flag("changes_training", change.changes_training);
      w.key("patch");
      write_scenario_patch(w, base, change.scenario);
      w.end_object();
    }
    w.end_array();
    w.begin_object("largest");
    write_most(w, "sequence_length", answer.sequence_length, base);
    write_most(w, "micro_batch", answer.micro_batch, base);
    write_most(w, "parameters", answer.parameters, base);
    write_most(w, "model", answer.model, base);
    w.end_object();
    write_most(w, "fewest_gpus", answer.gpus, base);
  }
  w.end_object();
  return w.take();
}

}  // namespace traintally
