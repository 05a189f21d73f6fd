#include "report_json.hpp"

#include "figure_writer.hpp"
#include "names.hpp"
#include "published_json.hpp"
#include "scenario_json.hpp"

namespace traintally {
namespace {

constexpr FieldOf<StageMemory> kMemoryParts[] = {
    TRAINTALLY_FIELD(StageMemory, weights),
    TRAINTALLY_FIELD(StageMemory, gradients),
    TRAINTALLY_FIELD_AS(StageMemory, "master_weights", master),
    TRAINTALLY_FIELD(StageMemory, moments),
    TRAINTALLY_FIELD(StageMemory, checkpoints),
    TRAINTALLY_FIELD(StageMemory, attention),
    TRAINTALLY_FIELD(StageMemory, mlp),
    TRAINTALLY_FIELD(StageMemory, norms),
    TRAINTALLY_FIELD(StageMemory, working_set),
    TRAINTALLY_FIELD(StageMemory, embedding),
    TRAINTALLY_FIELD(StageMemory, logits),
    TRAINTALLY_FIELD(StageMemory, gathered),
    TRAINTALLY_FIELD(StageMemory, buckets),
    TRAINTALLY_FIELD(StageMemory, workspace)};
constexpr FieldOf<StageMemory> kMemorySums[] = {
    TRAINTALLY_FIELD(StageMemory, weights),   TRAINTALLY_FIELD(StageMemory, gradients),
    TRAINTALLY_FIELD(StageMemory, optimizer), TRAINTALLY_FIELD(StageMemory, activations),
    TRAINTALLY_FIELD(StageMemory, logits),    TRAINTALLY_FIELD(StageMemory, buffers)};
constexpr FieldOf<StageMemory> kStage[] = {TRAINTALLY_FIELD(StageMemory, context),
                                           TRAINTALLY_FIELD(StageMemory, allocated),
                                           TRAINTALLY_FIELD(StageMemory, reserved),
                                           TRAINTALLY_FIELD(StageMemory, device),
                                           TRAINTALLY_FIELD(StageMemory, micro_batches_in_flight),
                                           TRAINTALLY_FIELD(StageMemory, parameters),
                                           TRAINTALLY_FIELD(StageMemory, trainable_parameters)};
constexpr FieldOf<Memory> kMemory[] = {
    TRAINTALLY_FIELD(Memory, usable), TRAINTALLY_FIELD(Memory, fits),
    TRAINTALLY_FIELD(Memory, host), TRAINTALLY_FIELD_AS(Memory, "checkpoint_bytes", checkpoint),
    TRAINTALLY_FIELD_AS(Memory, "weights_file_bytes", weights_file)};

constexpr FieldOf<StepTime> kTimeParts[] = {
    TRAINTALLY_FIELD(StepTime, matmul),
    TRAINTALLY_FIELD(StepTime, attention),
    TRAINTALLY_FIELD(StepTime, elementwise),
    TRAINTALLY_FIELD(StepTime, head_and_loss),
    TRAINTALLY_FIELD(StepTime, recompute),
    TRAINTALLY_FIELD(StepTime, launch),
    TRAINTALLY_FIELD_AS(StepTime, "tensor", tensor_exposed),
    TRAINTALLY_FIELD_AS(StepTime, "data", data_exposed),
    TRAINTALLY_FIELD_AS(StepTime, "pipeline", pipeline_exposed),
    TRAINTALLY_FIELD_AS(StepTime, "context", context_exposed),
    TRAINTALLY_FIELD_AS(StepTime, "expert", expert_exposed),
    TRAINTALLY_FIELD(StepTime, bubble),
    TRAINTALLY_FIELD(StepTime, optimizer),
    TRAINTALLY_FIELD(StepTime, offload)};
constexpr FieldOf<StepTime> kExposed[] = {TRAINTALLY_FIELD_AS(StepTime, "tp", tensor_exposed),
                                          TRAINTALLY_FIELD_AS(StepTime, "dp", data_exposed),
                                          TRAINTALLY_FIELD_AS(StepTime, "pp", pipeline_exposed),
                                          TRAINTALLY_FIELD_AS(StepTime, "cp", context_exposed),
                                          TRAINTALLY_FIELD_AS(StepTime, "ep", expert_exposed)};
constexpr FieldOf<StepTime> kStep[] = {
    TRAINTALLY_FIELD(StepTime, bubble), TRAINTALLY_FIELD_AS(StepTime, "optimizer_step", optimizer),
    TRAINTALLY_FIELD(StepTime, offload), TRAINTALLY_FIELD(StepTime, micro_batches),
    TRAINTALLY_FIELD(StepTime, floor_bound)};

constexpr FieldOf<StepFlops> kFlops[] = {
    TRAINTALLY_FIELD(StepFlops, matmul),         TRAINTALLY_FIELD(StepFlops, attention_causal),
    TRAINTALLY_FIELD(StepFlops, attention_full), TRAINTALLY_FIELD(StepFlops, model_causal),
    TRAINTALLY_FIELD(StepFlops, model_full),     TRAINTALLY_FIELD(StepFlops, hardware)};
constexpr FieldOf<Storage> kStorage[] = {
    TRAINTALLY_FIELD_AS(Storage, "dataset_bytes", dataset),
    TRAINTALLY_FIELD_AS(Storage, "checkpoint_bytes", checkpoint),
    TRAINTALLY_FIELD_AS(Storage, "checkpoints_bytes", checkpoints),
    TRAINTALLY_FIELD_AS(Storage, "weights_bytes", weights),
    TRAINTALLY_FIELD_AS(Storage, "needed_bytes", needed),
    TRAINTALLY_FIELD_AS(Storage, "read_bytes_per_second", read)};
constexpr FieldOf<Energy> kEnergy[] = {TRAINTALLY_FIELD(Energy, kwh),
                                       TRAINTALLY_FIELD(Energy, gpu_kw),
                                       TRAINTALLY_FIELD(Energy, grid_kw)};

void write_parameters(FigureWriter& w, const Report& r) {
  w.begin("parameters");
  w.whole("total", r.resolved.job.parameters.total);
  w.whole("active", r.resolved.job.parameters.active);
  w.bytes("trainable", r.trainable_parameters);
  w.end();
}

void write_stage(FigureWriter& w, const StageMemory& stage, std::int64_t index) {
  w.json().begin_object();
  w.whole("stage", index);
  w.figures(stage, kMemorySums);
  w.figures(stage, kStage);
  w.parts(stage, kMemoryParts, "bytes");
  w.json().end_object();
}

void write_memory(FigureWriter& w, const Report& r) {
  const Memory& memory = r.memory;
  w.begin("memory");
  w.whole("stage", memory.stage_index);
  w.figures(memory.stage, kMemorySums);
  w.bytes("allocated_peak", r.allocated);
  w.bytes("reserved_peak", r.reserved);
  w.bytes("device_peak", r.device);
  w.bytes("context", memory.stage.context);
  w.bytes("margin", memory.usable - memory.stage.device);
  w.figures(memory, kMemory);
  w.parts(memory.stage, kMemoryParts, "bytes");
  w.json().begin_array("stages");
  for (std::size_t i = 0; i < r.stages.size(); ++i) {
    write_stage(w, r.stages[i], static_cast<std::int64_t>(i));
  }
  w.json().end_array();
  w.end();
}

void write_step(FigureWriter& w, const Report& r) {
  const StepTime& step = r.step_parts;
  w.estimate("step", r.step.value.value, r.step.low.value, r.step.high.value);
  w.seconds("compute", step.compute);
  w.begin("exposed_communication");
  w.figures(step, kExposed);
  w.end();
  w.figures(step, kStep);
  w.parts(step, kTimeParts, "seconds");
}

void write_throughput(FigureWriter& w, const Report& r) {
  const Throughput& v = r.throughput_value;
  const Throughput& l = r.throughput_low;
  const Throughput& h = r.throughput_high;
  w.estimate("tokens_per_second", v.tokens.value, l.tokens.value, h.tokens.value);
  w.estimate("tokens_per_second_per_gpu", v.tokens_per_gpu.value, l.tokens_per_gpu.value,
             h.tokens_per_gpu.value);
  w.estimate("mfu_causal", v.mfu_causal, l.mfu_causal, h.mfu_causal);
  w.estimate("mfu_full_attention", v.mfu_full, l.mfu_full, h.mfu_full);
  w.estimate("hfu", v.hfu, l.hfu, h.hfu);
}

void write_time(FigureWriter& w, const Report& r) {
  w.begin("time");
  write_step(w, r);
  write_throughput(w, r);
  w.bytes("steps", r.run.steps);
  w.seconds("training", r.run.training);
  w.estimate("run", r.run_time.value.value, r.run_time.low.value, r.run_time.high.value);
  if (r.run.mean_time_between_failures.value > 0) {
    w.real("goodput", r.run.goodput);
    w.seconds("lost", r.run.lost);
    w.seconds("mean_time_between_failures", r.run.mean_time_between_failures);
    w.seconds("checkpoint_interval", r.run.checkpoint_interval);
  }
  if (r.run.checkpoint_time.value > 0) w.seconds("checkpoint_time", r.run.checkpoint_time);
  w.end();
}

void write_flops(FigureWriter& w, const StepFlops& flops) {
  w.begin("flops");
  w.figures(flops, kFlops);
  w.end();
}

/// Amounts in the currency that was asked for, where the rate allows; else in the price's.
const Interval<Money>& in(const Amounts& amounts, std::optional<std::string_view> currency) {
  if (currency == "CNY" && amounts.cny) return *amounts.cny;
  if (currency == "USD" && amounts.usd) return *amounts.usd;
  return amounts.own;
}

void write_amounts(FigureWriter& w, const Report& r, std::optional<std::string_view> currency) {
  w.money("total", in(r.cost.total, currency), false);
  if (r.cost.per_1k_tokens) {
    w.money("per_1k_tokens", in(*r.cost.per_1k_tokens, currency), true);
  }
  if (r.cost.per_million_tokens) {
    w.money("per_million_tokens", in(*r.cost.per_million_tokens, currency), true);
  }
}

void write_mode(FigureWriter& w, const Report& r, const ModeCost& mode) {
  std::optional<std::string_view> currency = r.resolved.scenario.currency;
  w.json().begin_object();
  w.text("mode", name_of(names::billing_modes, mode.mode));
  w.money("total", in(mode.total, currency), false);
  w.flag("derived", mode.derived);
  w.flag("tax_included", mode.tax_included);
  if (mode.compared_with) {
    w.text("compared_with", name_of(names::billing_modes, *mode.compared_with));
  }
  if (mode.paid_fraction) w.text("paid_fraction", mode.paid_fraction->trimmed(2).text());
  if (mode.discount) w.text("discount", mode.discount->trimmed(2).text());
  w.estimate("periods", mode.periods.value, mode.periods.low, mode.periods.high);
  w.money("period_price", {mode.period_price, mode.total.own.value.currency});
  w.unit_cost("gpu_hour", mode.gpu_hour);
  const Decimal gpus = Decimal::from_integer(r.cost.rented_gpus);
  w.unit_cost("hourly_equivalent",
              {multiply(mode.gpu_hour.amount, gpus, kMoneyScale), mode.gpu_hour.currency});
  w.json().end_object();
}

/// In the currency that was asked for, where the rate allows.
Money in_asked(const Report& r, const Money& money) {
  const std::optional<Currency> to = Currency::parse(r.resolved.scenario.currency.value_or(""));
  const std::optional<ExchangeRate>& rate = r.cost_question.rate;
  if (!to || money.currency == *to || !rate) return money;
  return convert(money, *rate, *to).value_or(money);
}

void write_billing(FigureWriter& w, const Report& r) {
  const Billing& billing = r.billing;
  JsonWriter& json = w.json();
  const auto put = [&](const char* name, const std::optional<Money>& money) {
    if (money) w.money(name, in_asked(r, *money));
  };
  json.begin_array("ways");
  for (const BillingWay& way : billing.ways) {
    json.begin_object();
    w.text("code", way.code);
    w.money("total",
            {in_asked(r, way.total.value), in_asked(r, way.total.low), in_asked(r, way.total.high)},
            false);
    w.flag("conditional", way.conditional);
    if (way.mix) {
      w.real("years", way.mix->years);
      w.real("months", way.mix->months);
      w.real("days", way.mix->days);
      w.real("hours", way.mix->hours);
    }
    json.end_object();
  }
  json.end_array();
  w.text("cheapest_way", billing.cheapest);
  put("cheapest_total", billing.cheapest_total);
  w.real("months", billing.months);
  if (!billing.article_way.empty()) w.text("article_way", billing.article_way);
  json.begin_array("early_exit");
  for (const EarlyExit& leaving : billing.exits) {
    json.begin_object();
    w.text("mode", name_of(names::billing_modes, leaving.mode));
    w.real("unused_hours", leaving.unused_hours);
    put("whole_term", leaving.whole_term);
    put("penalty", leaving.penalty);
    put("clawback", leaving.clawback);
    json.end_object();
  }
  json.end_array();
  put("without_tax", billing.without_tax);
  put("with_tax", billing.with_tax);
  put("unreliability", r.unreliability);
  if (r.fees) {
    put("fees", Money{r.fees->total, r.cost.total.own.value.currency});
    w.real("fees_share", r.fees->share);
    if (!r.fees->band.empty()) w.text("fees_band", r.fees->band);
  }
}

void write_cost(FigureWriter& w, const Report& r) {
  const Cost& cost = r.cost;
  const Scenario& s = r.resolved.scenario;
  w.begin("cost");
  write_amounts(w, r, s.currency);
  // The same in the other currency: the page shows both.
  const std::string_view other = s.currency == "USD" ? "CNY" : "USD";
  if (other == "CNY" ? cost.total.cny.has_value() : cost.total.usd.has_value()) {
    w.begin("other_currency");
    write_amounts(w, r, other);
    w.end();
  }
  w.text("mode", name_of(names::billing_modes, cost.paid().mode));
  w.text("cheapest_mode", name_of(names::billing_modes, cost.by_billing[cost.cheapest].mode));
  w.flag("tax_included", cost.tax_included);
  w.whole("units", cost.units);
  w.whole("rented_gpus", cost.rented_gpus);
  if (cost.breakeven_hours) {
    w.text("breakeven_hours", cost.breakeven_hours->rounded(1).text());
    w.flag("breakeven_reachable", cost.breakeven_reachable);
  }
  w.json().begin_array("by_billing");
  for (int i = 0; i < cost.modes; ++i) write_mode(w, r, cost.by_billing[i]);
  w.json().end_array();
  write_billing(w, r);
  w.end();
}

void write_storage(FigureWriter& w, const Report& r) {
  const Storage& storage = r.storage;
  w.begin("storage");
  w.figures(storage, kStorage);
  if (storage.burst.value > 0) {
    w.real("checkpoint_burst_bytes_per_second", storage.burst.value);
  }
  if (r.storage_capacity_bytes > 0) w.bytes("capacity_bytes", r.storage_capacity_bytes);
  if (r.published.known) w.real("published_tb", r.published.storage.terabytes);
  w.end();
}

void write_energy(FigureWriter& w, const Report& r) {
  const Scenario& s = r.resolved.scenario;
  w.begin("energy");
  w.figures(r.energy, kEnergy);
  if (s.kg_co2_per_kwh) w.real("kg_co2", r.energy.kwh * *s.kg_co2_per_kwh);
  if (s.tariff_per_kwh) {
    const std::optional<Decimal> tariff = Decimal::parse(*s.tariff_per_kwh);
    const std::optional<Currency> currency = Currency::parse(s.currency.value_or("CNY"));
    if (tariff && currency) {
      w.money("cost", {multiply(*tariff, r.energy.kwh, kMoneyScale), *currency});
    }
  }
  w.end();
}

void write_basis(FigureWriter& w, const Basis& basis) {
  const auto from = [](bool measured) { return measured ? "measured" : "borrowed"; };
  w.begin("basis");
  w.text("gpu", from(basis.gpu_measured));
  if (!basis.gpu_from.empty()) w.text("gpu_from", basis.gpu_from);
  w.text("stack", from(basis.stack_measured));
  if (!basis.stack_from.empty()) w.text("stack_from", basis.stack_from);
  w.text("method", from(basis.method_measured));
  if (const Spread& time = basis.spreads.time; time.rows > 0) {
    w.text("kind", basis.time_kind);
    w.whole("rows", time.rows);
    w.whole("sources", time.sources);
    w.real("median_error", time.median_error);
  }
  if (const Spread& memory = basis.spreads.device; memory.rows > 0) {
    w.text("memory_kind", basis.memory_kind);
    w.whole("memory_rows", memory.rows);
    w.whole("memory_sources", memory.sources);
    w.real("memory_median_error", memory.median_error);
  }
  w.end();
}

void write_derivations(FigureWriter& w, const std::vector<Derivation>& derivations) {
  JsonWriter& json = w.json();
  json.begin_object("derivations");
  for (const Derivation& derivation : derivations) {
    json.key(derivation.at);
    json.begin_array();
    for (const DerivationStep& step : derivation.steps) {
      json.begin_object();
      json.text("symbols", step.symbols);
      json.text("numbers", step.numbers);
      w.real("value", step.value);
      json.text("unit", step.unit);
      json.begin_array("sources");
      for (const std::string& source : step.sources) json.text(source);
      json.end_array();
      json.end_object();
    }
    json.end_array();
  }
  json.end_object();
}

void write_figures(FigureWriter& w, const Report& r) {
  write_parameters(w, r);
  if (r.detailed) {
    write_memory(w, r);
    write_time(w, r);
    write_flops(w, r.flops);
    if (r.cost_known) write_cost(w, r);
    write_storage(w, r);
    if (r.energy_known) write_energy(w, r);
    write_basis(w, r.resolved.basis);
  }
  if (r.published.known) write_published(w, r.published);
  if (r.detailed && r.resolved.scenario.explain) write_derivations(w, r.derivations);
}

}  // namespace

void write_absent(JsonWriter& w, const std::vector<Absent>& absent) {
  w.begin_array("absent");
  for (const Absent& each : absent) {
    w.begin_object();
    w.text("at", each.at);
    w.text("code", each.code);
    w.end_object();
  }
  w.end_array();
}

void write_warnings(JsonWriter& w, const std::vector<Warning>& warnings) {
  w.begin_array("warnings");
  for (const Warning& warning : warnings) {
    w.begin_object();
    w.text("code", warning.code);
    w.figures(warning.figures);
    w.end_object();
  }
  w.end_array();
}

std::string write_report(const Report& report, const JsonValue* extension) {
  // The figures come last, and what is absent among them is known once they are written.
  std::vector<Absent> absent = report.absent;
  FigureWriter figures(absent);
  figures.json().begin_object();
  if (report.answered) write_figures(figures, report);

  JsonWriter w;
  w.begin_object();
  w.whole("version", 1);
  w.key("problems");
  write_problems(w, report.resolved.problems);
  write_absent(w, absent);
  write_warnings(w, report.warnings);
  w.key("resolved");
  write_scenario(w, report.resolved.scenario, extension);
  std::string text = w.take();
  const std::string rest = figures.json().take();
  if (rest.size() > 1) {
    text += ',';
    text.append(rest, 1);  // without its opening brace
  }
  text += '}';
  return text;
}

}  // namespace traintally
