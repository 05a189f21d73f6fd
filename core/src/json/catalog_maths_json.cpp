#include <algorithm>

#include "article_json.hpp"
#include "catalog_json.hpp"
#include "fields.hpp"
#include "names.hpp"
#include "ownership_json.hpp"
#include "project_json.hpp"

namespace traintally {
namespace {

constexpr std::uint16_t kNoteLength = 4000;
constexpr RealRange kBytes{0, 1e12};
constexpr RealRange kPerParameter{0, 64};
constexpr RealRange kConstant{-1e15, 1e15};
constexpr RealRange kRatio{0, 100, true};
constexpr RealRange kError{0, 100};
constexpr WholeRange kRows{0, 1'000'000'000};

/// Something to do with the reader of each entry of a list, whatever the entry is.
class EntryTask {
 public:
  template <class Task>
  EntryTask(const Task& task)  // only while the call lasts
      : task_(&task), call_([](const void* self, ObjectReader& reader) {
          (*static_cast<const Task*>(self))(reader);
        }) {}
  void operator()(ObjectReader& reader) const { call_(task_, reader); }

 private:
  const void* task_;
  void (*call_)(const void*, ObjectReader&);
};

/// Calls `read` with a reader of every object of the list `name`.
void each_entry(const JsonValue& document, const char* name, Problems& problems,
                const EntryTask& read) {
  const JsonValue* list = document.find(name);
  if (list == nullptr) return;
  const std::string at = pointer("", name);
  if (!list->is_array()) {
    add_problem(problems, at, "wrong_type", "array");
    return;
  }
  std::size_t index = 0;
  for (const JsonValue& item : *list) {
    ObjectReader reader(item, pointer(at, index++), problems);
    if (!reader.is_object()) continue;
    read(reader);
    reader.find("sources");
    reader.text("source", kNoteLength);
    reader.text("notes", kNoteLength);
    reader.finish();
  }
}

constexpr FieldOf<StackEntry> kStack[] = {
    TRAINTALLY_FIELD(StackEntry, id).need(), TRAINTALLY_FIELD(StackEntry, family),
    TRAINTALLY_FIELD(StackEntry, name), TRAINTALLY_FIELD(StackEntry, aliases)};
#define TRAINTALLY_HABIT(name) TRAINTALLY_FIELD(StackHabits, name, &kBytes)
constexpr FieldOf<StackHabits> kHabits[] = {TRAINTALLY_HABIT(gradient_bytes),
                                            TRAINTALLY_HABIT(bf16_gradient_extra_bytes),
                                            TRAINTALLY_HABIT(step_copy_bytes),
                                            TRAINTALLY_HABIT(vocab_multiple),
                                            TRAINTALLY_HABIT(norm_saved_bytes),
                                            TRAINTALLY_HABIT(mlp_saved_gated),
                                            TRAINTALLY_HABIT(mlp_saved_plain),
                                            TRAINTALLY_HABIT(plain_score_bytes),
                                            TRAINTALLY_HABIT(residual_saved_bytes),
                                            TRAINTALLY_HABIT(quantized_saved),
                                            TRAINTALLY_HABIT(logits_bytes),
                                            TRAINTALLY_HABIT(fused_logits_bytes),
                                            TRAINTALLY_HABIT(gathered_layers),
                                            TRAINTALLY_HABIT(reserved_factor),
                                            TRAINTALLY_HABIT(adapter_bytes),
                                            TRAINTALLY_HABIT(reduce_bytes),
                                            TRAINTALLY_HABIT(step_group),
                                            TRAINTALLY_HABIT(narrow_copies),
                                            TRAINTALLY_HABIT(live_parameters),
                                            TRAINTALLY_HABIT(ragged_reserve),
                                            TRAINTALLY_HABIT(fp32_weights),
                                            TRAINTALLY_HABIT(offload_keeps_gradients),
                                            TRAINTALLY_HABIT(kv_expanded),
                                            TRAINTALLY_HABIT(dropout),
                                            TRAINTALLY_HABIT(selective_keeps_products),
                                            TRAINTALLY_HABIT(selective_keeps_half),
                                            TRAINTALLY_HABIT(gathers_root),
                                            TRAINTALLY_HABIT(fp32_embeddings),
                                            TRAINTALLY_HABIT(weighs_inside_experts),
                                            TRAINTALLY_HABIT(fused_qkv),
                                            TRAINTALLY_HABIT(adapter_copies_input),
                                            TRAINTALLY_HABIT(adapter_dropout),
                                            TRAINTALLY_HABIT(own_attention),
                                            TRAINTALLY_HABIT(hides_tensor),
                                            TRAINTALLY_HABIT(hides_expert),
                                            TRAINTALLY_HABIT(both_ways),
                                            TRAINTALLY_HABIT(sends_per_node),
                                            TRAINTALLY_HABIT(gathers_per_micro_batch),
                                            TRAINTALLY_HABIT(bucket),
                                            TRAINTALLY_HABIT(workspace),
                                            TRAINTALLY_HABIT(context),
                                            TRAINTALLY_HABIT(collective)};
#undef TRAINTALLY_HABIT

/// A habit that an entry leaves out is that of the entry whose id is its family's name, which comes
/// before it.
void load_stacks(const JsonValue& document, Catalog& catalog, Problems& problems) {
  each_entry(document, "stacks", problems, [&](ObjectReader& reader) {
    StackEntry entry;
    read_fields(reader, entry, kStack);
    if (entry.family.empty()) entry.family = entry.id;
    if (entry.name.empty()) entry.name = entry.id;
    if (const StackEntry* family = catalog.find_stack(entry.family)) {
      entry.habits = family->habits;
    } else if (entry.family != entry.id) {
      reader.problem("family", "unknown_stack", "id of an entry before this one");
    }
    ObjectReader habits(reader, "habits");
    read_fields(habits, entry.habits, kHabits);
    habits.finish();
    catalog.stacks.push_back(entry);
  });
}

constexpr FieldOf<PrecisionEntry> kPrecision[] = {
    TRAINTALLY_FIELD(PrecisionEntry, id).need(),
    TRAINTALLY_FIELD(PrecisionEntry, weight_bytes, &kPerParameter),
    TRAINTALLY_FIELD(PrecisionEntry, gradient_bytes, &kPerParameter),
    TRAINTALLY_FIELD(PrecisionEntry, master_bytes, &kPerParameter),
    TRAINTALLY_FIELD(PrecisionEntry, transient_bytes, &kPerParameter),
    TRAINTALLY_FIELD(PrecisionEntry, moment_bytes, &kPerParameter),
    TRAINTALLY_FIELD(PrecisionEntry, activation_bytes, &kPerParameter),
    TRAINTALLY_FIELD(PrecisionEntry, narrower_input_bytes, &kPerParameter),
    TRAINTALLY_FIELD(PrecisionEntry, mixed)};
constexpr FieldOf<PrecisionEntry> kFrozen[] = {
    TRAINTALLY_FIELD(PrecisionEntry, frozen_bytes, &kPerParameter)};
constexpr FieldOf<OptimizerEntry> kOptimizer[] = {
    TRAINTALLY_FIELD(OptimizerEntry, id).need(),
    TRAINTALLY_FIELD(OptimizerEntry, aliases),
    TRAINTALLY_FIELD(OptimizerEntry, moments, &kPerParameter),
    TRAINTALLY_FIELD(OptimizerEntry, fixed_state_bytes, &kPerParameter),
    TRAINTALLY_FIELD(OptimizerEntry, keeps_master),
    TRAINTALLY_FIELD(OptimizerEntry, paged),
    TRAINTALLY_FIELD(OptimizerEntry, extra_traffic_bytes, &kBytes),
    TRAINTALLY_FIELD(OptimizerEntry, extra_flops_per_hidden, &kBytes)};
constexpr FieldOf<QuantizationEntry> kQuantization[] = {
    TRAINTALLY_FIELD(QuantizationEntry, id).need(),
    TRAINTALLY_FIELD(QuantizationEntry, bytes, &kPerParameter)};
constexpr FieldOf<PowerPoint> kPower[] = {
    TRAINTALLY_FIELD(PowerPoint, limit, &limits::positive_share),
    TRAINTALLY_FIELD(PowerPoint, speed, &limits::positive_share)};

/// Reads the list `name` into `entries`, each by `fields` and then by `rest`.
template <class Entry, std::size_t count>
void load_table(const JsonValue& document, const char* name, Problems& problems,
                const FieldOf<Entry> (&fields)[count], std::vector<Entry>& entries,
                void (*rest)(ObjectReader&, std::type_identity_t<Entry>&) = nullptr) {
  each_entry(document, name, problems, [&](ObjectReader& reader) {
    Entry& entry = entries.emplace_back();
    read_fields(reader, entry, fields);
    if (rest != nullptr) rest(reader, entry);
  });
}

void load_small_tables(const JsonValue& document, Catalog& catalog, Problems& problems) {
  load_table(document, "precisions", problems, kPrecision, catalog.precisions,
             [](ObjectReader& reader, PrecisionEntry& entry) {
               entry.frozen_bytes = entry.weight_bytes;
               read_fields(reader, entry, kFrozen);
               entry.matmul = reader.one_of("matmul", names::matmul_kinds).value_or(entry.matmul);
               entry.attention =
                   reader.one_of("attention", names::matmul_kinds).value_or(entry.matmul);
             });
  load_table(document, "optimizers", problems, kOptimizer, catalog.optimizers);
  load_table(document, "quantizations", problems, kQuantization, catalog.quantizations);
  if (const JsonValue* node = document.find("measured_speed")) {
    ObjectReader reader(*node, "/measured_speed", problems);
    ObjectReader most(reader, "most_mfu");
    catalog.most_measured_mfu = most.real("value", limits::positive_share).value_or(0);
    most.real("measured", limits::positive_share);
    most.real("margin", limits::share);
    most.text("mark");
    most.text("source", kNoteLength);
    most.finish();
    reader.finish();
  }
  load_table(document, "power_limits", problems, kPower, catalog.power_limits);
  // By rising limit; there are a few.
  std::vector<PowerPoint>& points = catalog.power_limits;
  for (std::size_t i = 1; i < points.size(); ++i) {
    for (std::size_t j = i; j > 0 && points[j].limit < points[j - 1].limit; --j) {
      std::swap(points[j], points[j - 1]);
    }
  }
}

// Calibration.

using Constants = std::vector<NamedNumber>;

/// Numbers by name; a text among them says what they were fitted on.
void read_constants(const JsonValue& node, const std::string& at, Constants& constants,
                    Problems& problems) {
  if (!node.is_object()) {
    add_problem(problems, at, "wrong_type", "object");
    return;
  }
  Calibration known;
  for (const JsonValue& value : node) {
    if (!value.is_number()) continue;
    const std::string_view name = value.name();
    const double number = value.number();
    if (!set_constant(known, name, number)) {
      add_problem(problems, pointer(at, name), "unknown_constant", "a member of Calibration");
    } else if (check_range(number, kConstant, pointer(at, name), problems)) {
      constants.push_back({name, number});
    }
  }
}

void read_levels(ObjectReader& parent, const char* name, std::vector<CalibrationLevel>& levels) {
  const JsonValue* node = parent.find(name);
  if (node == nullptr) return;
  const std::string at = parent.at(name);
  if (!node->is_object()) {
    parent.problem(name, "wrong_type", "object");
    return;
  }
  for (const JsonValue& constants : *node) {
    const std::string_view id = constants.name();
    auto level = std::find_if(levels.begin(), levels.end(),
                              [id](const CalibrationLevel& each) { return each.id == id; });
    if (level == levels.end()) level = levels.insert(level, {id, {}});
    read_constants(constants, pointer(at, id), level->constants, parent.problems());
  }
}

constexpr FieldOf<Spread> kSpread[] = {
    TRAINTALLY_FIELD(Spread, low, &kRatio), TRAINTALLY_FIELD(Spread, high, &kRatio),
    TRAINTALLY_FIELD(Spread, rows, &kRows), TRAINTALLY_FIELD(Spread, sources, &kRows),
    TRAINTALLY_FIELD(Spread, median_error, &kError)};
constexpr FieldOf<FigureSpreads> kWidening[] = {
    TRAINTALLY_FIELD(FigureSpreads, measured, &kRatio),
    TRAINTALLY_FIELD(FigureSpreads, borrowed_stack, &kRatio),
    TRAINTALLY_FIELD(FigureSpreads, borrowed_gpu, &kRatio),
    TRAINTALLY_FIELD(FigureSpreads, borrowed_both, &kRatio)};

Spread read_spread(const JsonValue& node, const std::string& at, Problems& problems) {
  Spread spread;
  ObjectReader reader(node, at, problems);
  read_fields(reader, spread, kSpread);
  reader.text("source", kNoteLength);
  reader.finish();
  if (spread.low > 1 || spread.high < 1) {
    add_problem(problems, at, "out_of_range", "low <= 1 <= high");
    return {};
  }
  return spread;
}

void read_figure(ObjectReader& parent, const char* name, FigureSpreads& figure) {
  const JsonValue* node = parent.find(name);
  if (node == nullptr) return;
  ObjectReader reader(*node, parent.at(name), parent.problems());
  read_fields(reader, figure, kWidening);
  if (const JsonValue* kinds = reader.find("kinds")) {
    if (kinds->is_object()) {
      for (const JsonValue& kind : *kinds) {
        figure.kinds.push_back(
            {kind.name(),
             read_spread(kind, pointer(reader.at("kinds"), kind.name()), parent.problems())});
      }
    } else {
      reader.problem("kinds", "wrong_type", "object");
    }
  }
  reader.finish();
}

/// {"time": {"measured": 1, ..., "kinds": {"adapters": {"low": 0.8, "high": 1.3, ...}}}, ...}
void read_spreads(ObjectReader& parent, SpreadTable& spreads) {
  const JsonValue* node = parent.find("spreads");
  if (node == nullptr) return;
  ObjectReader reader(*node, parent.at("spreads"), parent.problems());
  read_figure(reader, "time", spreads.time);
  read_figure(reader, "allocated", spreads.allocated);
  read_figure(reader, "reserved", spreads.reserved);
  read_figure(reader, "device", spreads.device);
  reader.finish();
}

/// {"sequence_length": {"low": 512, "high": 65536}, ...}
void read_ranges(ObjectReader& parent, std::vector<MeasuredRange>& ranges) {
  const JsonValue* node = parent.find("ranges");
  if (node == nullptr) return;
  ObjectReader reader(*node, parent.at("ranges"), parent.problems());
  for (const char* name : {"parameters", "sequence_length", "gpus"}) {
    const JsonValue* range = reader.find(name);
    if (range == nullptr) continue;
    ObjectReader bounds(*range, reader.at(name), parent.problems());
    const double low = bounds.real_or("low", limits::tokens, 0);
    const double high = bounds.real_or("high", limits::tokens, low);
    bounds.finish();
    ranges.push_back({name, low, high});
  }
  reader.finish();
}

// Defaults of a run.

/// A number, or an object with it and where it comes from.
double noted_number(ObjectReader& reader, const char* name, RealRange range, double otherwise) {
  const JsonValue* node = reader.find(name);
  if (node == nullptr) return otherwise;
  if (node->is_number()) return reader.real_or(name, range, otherwise);
  const JsonValue* value = node->find("value");
  if (value == nullptr || !value->is_number()) {
    reader.problem(name, "wrong_type", "number, or object with a value");
    return otherwise;
  }
  const double number = value->number();
  return check_range(number, range, reader.at(name), reader.problems()) ? number : otherwise;
}

void load_run_defaults(const JsonValue& document, Catalog& catalog, Problems& problems) {
  if (const JsonValue* node = document.find("reliability")) {
    ObjectReader reader(*node, "/reliability", problems);
    Reliability& r = catalog.reliability;
    catalog.spot_interruptions_per_gpu_day =
        noted_number(reader, "spot_interruptions_per_gpu_day", limits::failures, 0);
    r.failures_per_gpu_day = noted_number(reader, "failures_per_gpu_day", limits::failures, 0);
    r.restart.value = noted_number(reader, "restart_s", limits::duration, r.restart.value);
    r.startup.value = noted_number(reader, "startup_s", limits::duration, r.startup.value);
    r.storage_write.value =
        noted_number(reader, "storage_write_gb_s", limits::rate_or_none, 0) * kGB;
  }
  if (const JsonValue* node = document.find("energy")) {
    ObjectReader reader(*node, "/energy", problems);
    catalog.energy.pue = noted_number(reader, "pue", limits::power_factor, 0);
    catalog.energy.host_factor = noted_number(reader, "host_factor", limits::power_factor, 1);
    catalog.energy.load = noted_number(reader, "load", limits::positive_share, 1);
  }
  if (const JsonValue* node = document.find("storage")) {
    ObjectReader reader(*node, "/storage", problems);
    StorageHabits& h = catalog.storage;
    h.small_vocab_token_bytes = noted_number(reader, "small_vocab_token_bytes",
                                             limits::bytes_per_token, h.small_vocab_token_bytes);
    h.token_bytes = noted_number(reader, "token_bytes", limits::bytes_per_token, h.token_bytes);
    h.checkpoints_kept = static_cast<std::int64_t>(noted_number(
        reader, "checkpoints_kept", {0, 1e6}, static_cast<double>(h.checkpoints_kept)));
    h.burst_share = noted_number(reader, "burst_share", limits::positive_share, h.burst_share);
  }
  if (const JsonValue* node = document.find("tax")) {
    ObjectReader reader(*node, "/tax", problems);
    catalog.tax_rate = reader.decimal("services").value_or("");
  }
  if (const JsonValue* node = document.find("own_run")) {
    catalog.own_run = read_spread(*node, "/own_run", problems);
  }
}

void load_currencies(const JsonValue& document, Catalog& catalog, Problems& problems) {
  const JsonValue* node = document.find("currencies");
  if (node == nullptr) return;
  ObjectReader reader(*node, "/currencies", problems);
  reader.text("base");
  const JsonValue* rates = reader.find("rates");
  reader.finish();
  if (rates == nullptr || !rates->is_array()) {
    reader.problem("rates", "wrong_type", "array");
    return;
  }
  std::size_t index = 0;
  for (const JsonValue& rate : *rates) {
    ObjectReader entry(rate, pointer(reader.at("rates"), index++), problems);
    const std::optional<std::string_view> currency = entry.text("currency");
    const std::optional<std::string_view> per_unit = entry.decimal("per_unit");
    const std::optional<std::string_view> date = entry.text("date");
    if (currency == "USD" && per_unit) {
      catalog.cny_per_usd = *per_unit;
      catalog.cny_per_usd_date = date.value_or("");
    }
  }
}

}  // namespace

void load_calibration(const JsonValue& document, Catalog& catalog, Problems& problems) {
  const JsonValue* node = document.find("calibration");
  if (node == nullptr) return;
  CalibrationTable& table = catalog.calibration;
  ObjectReader reader(*node, "/calibration", problems);
  if (const JsonValue* defaults = reader.find("defaults")) {
    read_constants(*defaults, reader.at("defaults"), table.defaults, problems);
  }
  read_levels(reader, "architectures", table.architectures);
  read_levels(reader, "gpus", table.gpus);
  read_levels(reader, "families", table.families);
  read_levels(reader, "stacks", table.stacks);
  read_spreads(reader, table.spreads);
  read_ranges(reader, table.ranges);
  table.measured_methods = reader.texts("measured_methods", limits::name_length);
  table.unmeasured = reader.texts("unmeasured", limits::name_length);
  // What it was fitted on and by, for people.
  for (const char* note : {"about", "fitted_on", "date", "sources"}) reader.find(note);
  reader.finish();
}

void load_maths_tables(const JsonValue& document, Catalog& catalog, Problems& problems) {
  load_stacks(document, catalog, problems);
  load_small_tables(document, catalog, problems);
  load_calibration(document, catalog, problems);
  load_run_defaults(document, catalog, problems);
  load_currencies(document, catalog, problems);
  load_practice(document, catalog, problems);
  load_recipe_habits(document, catalog, problems);
  load_article(document, catalog, problems);
  load_ownership(document, catalog, problems);
  load_project(document, catalog, problems);
}

}  // namespace traintally
