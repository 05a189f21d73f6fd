#include "plan_json.hpp"

#include "figure_writer.hpp"
#include "layout_json.hpp"
#include "names.hpp"
#include "scenario_json.hpp"

namespace traintally {
namespace {

constexpr Named<unsigned> kRequirements[] = {{"rdma", checklist::rdma},
                                             {"parallel_storage", checklist::parallel_storage},
                                             {"frameworks", checklist::frameworks},
                                             {"isolation", checklist::isolation},
                                             {"support", checklist::support}};

constexpr RealRange kDays{0, 1e5, true};

/// Calls `read` with every text of a list.
template <class Read>
void each_text(ObjectReader& reader, const char* name, Read read) {
  const JsonValue* node = reader.find(name);
  if (node == nullptr) return;
  if (!node->is_array()) {
    reader.problem(name, "wrong_type", "array of names");
    return;
  }
  std::size_t i = 0;
  for (const JsonValue& each : *node) {
    if (each.is_string()) {
      read(each.text(), i);
    } else {
      add_problem(reader.problems(), pointer(reader.at(name), i), "wrong_type", "string");
    }
    ++i;
  }
}

void read_budget(ObjectReader& parent, Constraints& c) {
  const JsonValue* node = parent.find("budget");
  if (node == nullptr) return;
  ObjectReader reader(*node, parent.at("budget"), parent.problems());
  if (!reader.is_object()) return;
  const auto amount = [&reader](const char* name) -> std::optional<std::string> {
    const JsonValue* given = reader.find(name);
    if (given == nullptr || given->is_null()) return std::nullopt;
    const std::optional<std::string_view> text = reader.decimal(name);
    if (!text) return std::nullopt;
    return std::string(*text);
  };
  c.budget_total = amount("total");
  c.budget_month = amount("per_month");
  if (const auto currency = reader.text("currency")) c.currency = *currency;
  if (c.currency != "CNY" && c.currency != "USD") {
    reader.problem("currency", "not_one_of", "CNY, USD");
  }
  reader.finish();
}

void read_constraints(const JsonValue& node, Constraints& c, Problems& problems) {
  ObjectReader reader(node, "/constraints", problems);
  if (!reader.is_object()) return;
  c.deadline_days = reader.real("deadline_days", kDays);
  read_budget(reader, c);
  c.max_gpus = reader.whole("max_gpus", limits::gpus);
  const auto names = [&reader](const char* name, std::vector<std::string>& list) {
    each_text(reader, name,
              [&list](std::string_view text, std::size_t) { list.emplace_back(text); });
  };
  names("gpus", c.gpus);
  names("providers", c.providers);
  names("excluded_providers", c.excluded_providers);
  each_text(reader, "require", [&](std::string_view text, std::size_t i) {
    for (const Named<unsigned>& each : kRequirements) {
      if (text == each.name) {
        c.require |= each.value;
        return;
      }
    }
    add_problem(problems, pointer(reader.at("require"), i), "not_one_of",
                "rdma, parallel_storage, frameworks, isolation, support");
  });
  reader.finish();
}

const Interval<Money>& in(const Amounts& amounts, const std::string& currency) {
  if (currency == "CNY" && amounts.cny) return *amounts.cny;
  if (currency == "USD" && amounts.usd) return *amounts.usd;
  return amounts.own;
}

void write_entry(FigureWriter& w, const PlanEntry& e, const std::string& currency) {
  JsonWriter& json = w.json();
  json.begin_object();
  if (e.offer != nullptr) json.text("offer", e.offer->id);
  json.text("gpu", e.gpu->id);
  json.whole("count", e.count);
  json.text("stack", e.stack->id);
  write_candidate(json, e.layout);
  json.begin_object("rules");
  write_rules(json, "met", e.applicable & ~e.layout.broken);
  write_rules(json, "broken", e.layout.broken);
  json.end_object();
  w.begin("memory");
  w.bytes("device_peak", e.device);
  w.bytes("usable", e.usable);
  json.flag("fits_interval", e.layout.fit == Fit::well);
  w.end();
  w.begin("time");
  w.estimate("step", e.step.value.value, e.step.low.value, e.step.high.value);
  w.estimate("run", e.run.value.value, e.run.low.value, e.run.high.value);
  w.real("tokens_per_second", e.throughput.tokens.value);
  w.real("mfu_causal", e.throughput.mfu_causal);
  w.end();
  w.begin("cost");
  w.money("total", in(e.cost.total, currency), false);
  if (e.cost.per_million_tokens) {
    w.money("per_million_tokens", in(*e.cost.per_million_tokens, currency), true);
  }
  json.text("mode", name_of(names::billing_modes, e.cost.paid().mode));
  json.whole("units", e.cost.units);
  json.whole("rented_gpus", e.cost.rented_gpus);
  w.end();
  if (e.fastest.step < e.layout.step) {
    // What the rules cost: the fastest layout that fits, whatever it breaks.
    json.begin_object("unrestricted");
    write_candidate(json, e.fastest);
    write_rules(json, "broken", e.fastest.broken);
    json.real("step", e.fastest.step.value);
    json.end_object();
  }
  json.end_object();
}

void write_figure(JsonWriter& json, const PlanFigure& figure) {
  json.key(figure.name);
  if (figure.text.empty()) {
    json.real(figure.value);
  } else {
    json.text(figure.text);
  }
}

void write_conflict(JsonWriter& json, const Conflict& conflict) {
  json.begin_object();
  json.begin_array("between");
  json.text(conflict.first);
  json.text(conflict.second);
  json.end_array();
  json.begin_object("nearest");
  if (conflict.nearest_first) write_figure(json, *conflict.nearest_first);
  if (conflict.nearest_second) write_figure(json, *conflict.nearest_second);
  json.end_object();
  json.end_object();
}

}  // namespace

PlanRequest read_plan_request(const JsonValue& document, Problems& problems) {
  PlanRequest request;
  request.scenario = read_scenario(document, problems, "constraints");
  if (const JsonValue* constraints = document.find("constraints")) {
    read_constraints(*constraints, request.constraints, problems);
  }
  return request;
}

std::string write_plan(const PlanAnswer& answer) {
  std::vector<Absent> absent;  // an entry's figures are finite: its layout was compared by them
  FigureWriter w(absent);
  JsonWriter& json = w.json();
  json.begin_object();
  json.whole("version", 1);
  json.key("problems");
  write_problems(json, answer.problems);
  json.flag("complete", answer.complete);
  json.real("progress", answer.progress);
  json.begin_object("searched");
  json.whole("layouts", answer.searched.layouts);
  json.whole("evaluated", answer.searched.evaluated);
  json.end_object();
  json.begin_array("front");
  for (const PlanEntry& entry : answer.front) write_entry(w, entry, answer.currency);
  json.end_array();
  const auto one = [&](const char* name, const std::optional<PlanEntry>& entry) {
    if (!entry) return;
    json.key(name);
    write_entry(w, *entry, answer.currency);
  };
  one("cheapest", answer.cheapest);
  one("fastest", answer.fastest);
  json.begin_array("best");
  for (const auto& best : answer.best) {
    json.begin_object();
    json.text("under", best.first);
    json.key("entry");
    write_entry(w, best.second, answer.currency);
    json.end_object();
  }
  json.end_array();
  json.begin_object("minimum_gpus");
  for (const auto& fewest : answer.minimum_gpus) {
    json.key(fewest.first);
    json.whole(fewest.second);
  }
  json.end_object();
  json.begin_array("ruled_out");
  for (const RuledOut& out : answer.ruled_out) {
    json.begin_object();
    if (!out.offer.empty()) json.text("offer", out.offer);
    json.text("gpu", out.gpu);
    json.text("code", out.code);
    json.begin_object("figures");
    for (const PlanFigure& figure : out.figures) write_figure(json, figure);
    json.end_object();
    json.end_object();
  }
  json.end_array();
  json.begin_array("conflicts");
  for (const Conflict& conflict : answer.conflicts) write_conflict(json, conflict);
  json.end_array();
  json.end_object();
  return json.take();
}

}  // namespace traintally
