#include "scenario_json.hpp"

#include <traintally/money.hpp>

#include "entry_json.hpp"
#include "fees_json.hpp"
#include "fields.hpp"
#include "hf_config.hpp"
#include "model_json.hpp"
#include "names.hpp"

namespace traintally {
namespace {

constexpr FieldOf<Scenario> kRank[] = {
    TRAINTALLY_FIELD_AS(Scenario, "rank", lora_rank, &limits::lora_rank)};
constexpr FieldOf<Scenario> kTokens[] = {TRAINTALLY_FIELD(Scenario, tokens, &limits::tokens)};
constexpr FieldOf<Scenario> kDataset[] = {
    TRAINTALLY_FIELD(Scenario, dataset_tokens, &limits::tokens).need(),
    TRAINTALLY_FIELD(Scenario, epochs, &limits::epochs)};
constexpr FieldOf<Scenario> kMethods[] = {TRAINTALLY_FIELD(Scenario, precision),
                                          TRAINTALLY_FIELD(Scenario, optimizer),
                                          TRAINTALLY_FIELD(Scenario, stack)};
constexpr FieldOf<Scenario> kSizes[] = {
    TRAINTALLY_FIELD(Scenario, recompute_share, &limits::positive_share),
    TRAINTALLY_FIELD(Scenario, flash_attention),
    TRAINTALLY_FIELD(Scenario, compile),
    TRAINTALLY_FIELD(Scenario, fused_loss),
    TRAINTALLY_FIELD(Scenario, sequence_length, &limits::sequence),
    TRAINTALLY_FIELD(Scenario, micro_batch, &limits::batch),
    TRAINTALLY_FIELD(Scenario, global_batch, &limits::batch)};
constexpr FieldOf<GpuChoice> kGpu[] = {
    TRAINTALLY_FIELD(GpuChoice, memory_gb, &limits::gigabytes),
    TRAINTALLY_FIELD(GpuChoice, usable_gib, &limits::gigabytes),
    TRAINTALLY_FIELD(GpuChoice, memory_bandwidth_gb_s, &limits::rate),
    TRAINTALLY_FIELD(GpuChoice, bf16_tflops, &limits::rate),
    TRAINTALLY_FIELD(GpuChoice, fp16_tflops, &limits::rate),
    TRAINTALLY_FIELD(GpuChoice, fp8_tflops, &limits::rate),
    TRAINTALLY_FIELD(GpuChoice, link_gb_s, &limits::rate_or_none),
    TRAINTALLY_FIELD(GpuChoice, pcie_gb_s, &limits::rate),
    TRAINTALLY_FIELD(GpuChoice, power_limit_w, &limits::watts)};
constexpr FieldOf<Scenario> kCluster[] = {
    TRAINTALLY_FIELD(Scenario, count, &limits::gpus),
    TRAINTALLY_FIELD(Scenario, per_node, &limits::per_node),
    TRAINTALLY_FIELD(Scenario, internode_gb_s_per_gpu, &limits::rate),
    TRAINTALLY_FIELD(Scenario, rdma)};
constexpr FieldOf<Scenario> kLayout[] = {
    TRAINTALLY_FIELD(Scenario, tp, &limits::gpus),
    TRAINTALLY_FIELD(Scenario, pp, &limits::layers),
    TRAINTALLY_FIELD(Scenario, cp, &limits::gpus),
    TRAINTALLY_FIELD(Scenario, ep, &limits::gpus),
    TRAINTALLY_FIELD(Scenario, etp, &limits::gpus),
    TRAINTALLY_FIELD(Scenario, dp, &limits::gpus),
    TRAINTALLY_FIELD(Scenario, zero, &limits::zero),
    TRAINTALLY_FIELD(Scenario, shard_group, &limits::shard_group),
    TRAINTALLY_FIELD(Scenario, sequence_parallel),
    TRAINTALLY_FIELD(Scenario, virtual_stages, &limits::layers)};
constexpr FieldOf<Scenario> kPrices[] = {
    TRAINTALLY_FIELD(Scenario, offer),
    TRAINTALLY_FIELD(Scenario, per_gpu_hour).as(Field::Kind::decimal),
    TRAINTALLY_FIELD(Scenario, per_gpu_month).as(Field::Kind::decimal),
    TRAINTALLY_FIELD(Scenario, per_hour).as(Field::Kind::decimal),
    TRAINTALLY_FIELD(Scenario, per_month).as(Field::Kind::decimal),
    TRAINTALLY_FIELD(Scenario, per_year).as(Field::Kind::decimal),
    TRAINTALLY_FIELD(Scenario, currency)};
constexpr FieldOf<Scenario> kPriceTerms[] = {
    TRAINTALLY_FIELD(Scenario, annual_factor).as(Field::Kind::decimal),
    TRAINTALLY_FIELD(Scenario, cny_per_usd).as(Field::Kind::decimal),
    TRAINTALLY_FIELD(Scenario, tax_included),
    TRAINTALLY_FIELD(Scenario, tax_rate).as(Field::Kind::decimal),
    TRAINTALLY_FIELD(Scenario, long_term_discount).as(Field::Kind::decimal),
    TRAINTALLY_FIELD(Scenario, academic_discount).as(Field::Kind::decimal),
    TRAINTALLY_FIELD(Scenario, exit_penalty).as(Field::Kind::decimal),
    TRAINTALLY_FIELD(Scenario, trial_hours, &limits::duration),
    TRAINTALLY_FIELD(Scenario, stopped_hours, &limits::duration),
    TRAINTALLY_FIELD(Scenario, stopped_per_hour).as(Field::Kind::decimal),
    TRAINTALLY_FIELD(Scenario, spot_interruptions_per_gpu_day, &limits::failures),
    TRAINTALLY_FIELD(Scenario, date)};
/// Shares of at most one.
constexpr const char* kShares[] = {"tax_rate", "long_term_discount", "academic_discount",
                                   "exit_penalty"};
constexpr FieldOf<Scenario> kReliability[] = {
    TRAINTALLY_FIELD(Scenario, failures_per_gpu_day, &limits::failures),
    TRAINTALLY_FIELD(Scenario, checkpoint_interval_s, &limits::interval),
    TRAINTALLY_FIELD(Scenario, storage_write_gb_s, &limits::rate_or_none),
    TRAINTALLY_FIELD(Scenario, asynchronous_checkpoints),
    TRAINTALLY_FIELD(Scenario, availability, &limits::positive_share),
    TRAINTALLY_FIELD(Scenario, interruption_rate, &limits::failures),
    TRAINTALLY_FIELD(Scenario, restart_s, &limits::duration),
    TRAINTALLY_FIELD(Scenario, startup_s, &limits::duration)};
constexpr FieldOf<Scenario> kStorage[] = {
    TRAINTALLY_FIELD_AS(Scenario, "capacity_tb", storage_tb, &limits::terabytes),
    TRAINTALLY_FIELD(Scenario, bytes_per_token, &limits::bytes_per_token),
    TRAINTALLY_FIELD(Scenario, checkpoints_kept, &limits::checkpoints)};
constexpr FieldOf<Scenario> kEnergy[] = {
    TRAINTALLY_FIELD(Scenario, pue, &limits::power_factor),
    TRAINTALLY_FIELD(Scenario, host_factor, &limits::power_factor),
    TRAINTALLY_FIELD(Scenario, load, &limits::positive_share),
    TRAINTALLY_FIELD(Scenario, kg_co2_per_kwh, &limits::carbon),
    TRAINTALLY_FIELD(Scenario, tariff_per_kwh).as(Field::Kind::decimal)};
constexpr FieldOf<Scenario> kMeasured[] = {
    TRAINTALLY_FIELD_AS(Scenario, "tokens_per_second", measured_tokens_per_second,
                        &limits::tokens_per_second),
    TRAINTALLY_FIELD_AS(Scenario, "step_s", measured_step_s, &limits::positive_duration)};

class ScenarioReader {
 public:
  ScenarioReader(Scenario& scenario, Problems& problems) : s_(scenario), problems_(problems) {}

  void read(const JsonValue& document, const char* also) {
    ObjectReader reader(document, "", problems_);
    if (!reader.is_object()) return;
    reader.whole("version", {1, 1});
    if (const auto method = reader.one_of("method", names::methods)) s_.method = *method;
    if (const JsonValue* node = reader.find("model")) {
      read_model(*node);
    } else {
      reader.missing("model", "catalogue id, shape, hf_config or params");
    }
    section(reader, "training", &ScenarioReader::read_training);
    section(reader, "cluster", &ScenarioReader::read_cluster);
    if (const JsonValue* node = reader.find("layout")) read_layout(*node);
    section(reader, "price", &ScenarioReader::read_price);
    section(reader, "reliability", &ScenarioReader::read_reliability);
    section(reader, "storage", &ScenarioReader::read_storage);
    section(reader, "energy", &ScenarioReader::read_energy);
    section(reader, "measured", &ScenarioReader::read_measured);
    reader.find("catalog");  // read by load_entries, against the catalogue
    if (also != nullptr) reader.find(also);
    s_.explain = reader.flag_or("explain", false);
    reader.finish();
  }

 private:
  using Section = void (ScenarioReader::*)(ObjectReader&);

  void section(ObjectReader& parent, const char* name, Section body) {
    ObjectReader reader(parent, name);
    if (!reader.is_object()) return;
    (this->*body)(reader);
    reader.finish();
  }

  void read_model(const JsonValue& node) {
    const std::string at = "/model";
    if (node.is_string()) {
      const std::string_view id = node.text();
      if (id.size() > static_cast<std::size_t>(limits::name_length)) {
        add_problem(problems_, at, "too_long",
                    "<= " + std::to_string(limits::name_length) + " bytes");
        return;
      }
      s_.model.form = ModelForm::catalog_id;
      s_.model.id = id;
      if (id.empty()) add_problem(problems_, at, "unknown_model", "catalogue id");
      return;
    }
    if (!node.is_object()) {
      add_problem(problems_, at, "wrong_type", "string or object");
      return;
    }
    ObjectReader reader(node, at, problems_);
    if (const JsonValue* config = reader.find("hf_config")) {
      s_.model.form = ModelForm::hf_config;
      read_hf_config(*config, reader.at("hf_config"), s_.model.model, problems_);
    } else if (reader.has("params")) {
      s_.model.form = ModelForm::parameters_only;
      s_.model.parameters = reader.real("params", limits::parameters).value_or(0);
    } else {
      s_.model.form = ModelForm::shape;
      read_model_shape(reader, s_.model.model);
    }
    reader.finish();
  }

  void read_training(ObjectReader& reader) {
    s_.kind = reader.one_of("kind", names::kinds);
    section(reader, "lora", &ScenarioReader::read_lora);
    read_fields(reader, s_, kMethods);
    s_.recompute = reader.one_of("recompute", names::recomputes);
    read_fields(reader, s_, kSizes);
    const JsonValue* tokens = reader.find("tokens");
    if (tokens == nullptr) return;
    if (tokens->is_object()) {
      section(reader, "tokens", &ScenarioReader::read_dataset);
    } else {
      read_fields(reader, s_, kTokens);
    }
  }

  void read_lora(ObjectReader& reader) {
    read_fields(reader, s_, kRank);
    s_.quantization = reader.one_of("quantization", names::quantizations);
    const JsonValue* targets = reader.find("targets");
    if (targets == nullptr) return;
    if (!targets->is_array() || targets->size() == 0) {
      reader.problem("targets", targets->is_array() ? "empty" : "wrong_type", "array of names");
      return;
    }
    unsigned set = 0;
    std::size_t index = 0;
    for (const JsonValue& target : *targets) {
      set |= read_target(target, pointer(reader.at("targets"), index++));
    }
    if (set != 0) s_.lora_targets = set;
  }

  unsigned read_target(const JsonValue& node, const std::string& at) {
    const NameList targets = names::lora_targets;
    const std::size_t place = targets.find(node.text());
    if (place < targets.count) return names::lora_targets[place].value;
    add_problem(problems_, at, node.is_string() ? "not_one_of" : "wrong_type", targets.joined());
    return 0;
  }

  void read_dataset(ObjectReader& reader) { read_fields(reader, s_, kDataset); }

  void read_cluster(ObjectReader& reader) {
    if (const JsonValue* gpu = reader.find("gpu")) {
      if (gpu->is_object()) {
        section(reader, "gpu", &ScenarioReader::read_gpu);
      } else if (const auto id = reader.text("gpu")) {
        s_.gpu.id = *id;
      }
    }
    read_fields(reader, s_, kCluster);
  }

  void read_gpu(ObjectReader& reader) {
    s_.gpu.replaced = true;
    s_.gpu.id = reader.text_or("base", s_.gpu.id);
    reader.require("base", "catalogue id");
    read_fields(reader, s_.gpu, kGpu);
  }

  void read_layout(const JsonValue& node) {
    const std::string at = "/layout";
    if (node.is_string()) {
      if (node.text() != "auto") add_problem(problems_, at, "not_one_of", "auto, object");
      return;
    }
    if (!node.is_object()) {
      add_problem(problems_, at, "wrong_type", "\"auto\" or object");
      return;
    }
    ObjectReader reader(node, at, problems_);
    s_.layout_auto = false;
    read_fields(reader, s_, kLayout);
    s_.offload = reader.one_of("offload", names::offloads);
    reader.finish();
  }

  void read_price(ObjectReader& reader) {
    read_fields(reader, s_, kPrices);
    if (s_.currency && *s_.currency != "CNY" && *s_.currency != "USD") {
      reader.problem("currency", "not_one_of", "CNY, USD");
    }
    s_.billing = reader.one_of("billing", names::billing_modes);
    read_fields(reader, s_, kPriceTerms);
    for (const char* name : kShares) {
      const JsonValue* node = reader.find(name);
      const auto share = node == nullptr ? std::nullopt : Decimal::parse(node->text());
      if (share && Decimal::from_integer(1) < *share) reader.problem(name, "out_of_range", "<= 1");
    }
    if (s_.annual_factor) {
      const std::optional<Decimal> factor = Decimal::parse(*s_.annual_factor);
      if (factor && (factor->is_zero() || Decimal::from_integer(1) < *factor)) {
        reader.problem("annual_factor", "out_of_range", "> 0, <= 1");
      }
    }
    if (s_.cny_per_usd) {
      const std::optional<Decimal> rate = Decimal::parse(*s_.cny_per_usd);
      if (rate && rate->is_zero()) reader.problem("cny_per_usd", "not_positive", "> 0");
    }
    if (s_.date) read_day(reader, "date");
    s_.fees = read_fees(reader);
    if (s_.per_gpu_hour && s_.per_hour) {
      reader.problem("per_hour", "given_twice", "per_gpu_hour or per_hour");
    }
    if (s_.per_gpu_month && s_.per_month) {
      reader.problem("per_month", "given_twice", "per_gpu_month or per_month");
    }
  }

  void read_reliability(ObjectReader& reader) { read_fields(reader, s_, kReliability); }

  void read_storage(ObjectReader& reader) { read_fields(reader, s_, kStorage); }

  void read_energy(ObjectReader& reader) { read_fields(reader, s_, kEnergy); }

  void read_measured(ObjectReader& reader) {
    read_fields(reader, s_, kMeasured);
    const bool both = reader.has("tokens_per_second") && reader.has("step_s");
    const bool none = !reader.has("tokens_per_second") && !reader.has("step_s");
    if (both) reader.problem("step_s", "given_twice", "tokens_per_second or step_s");
    if (none) reader.missing("tokens_per_second", "tokens_per_second or step_s");
  }

  Scenario& s_;
  Problems& problems_;
};

// Writing: only what is there.

template <class E, std::size_t count>
void put(JsonWriter& w, const char* name, const std::optional<E>& value,
         const Named<E> (&table)[count]) {
  if (value) w.text(name, name_of(table, *value));
}

void write_model(JsonWriter& w, const ModelChoice& model) {
  switch (model.form) {
    case ModelForm::catalog_id:
      if (!model.id.empty()) w.text("model", model.id);
      break;
    case ModelForm::shape:
    case ModelForm::hf_config:
      w.begin_object("model");
      write_model_shape(w, model.model);
      w.end_object();
      break;
    case ModelForm::parameters_only:
      w.begin_object("model");
      w.real("params", model.parameters);
      w.end_object();
      break;
  }
}

void write_targets(JsonWriter& w, unsigned targets) {
  w.begin_array("targets");
  for (const Named<unsigned>& target : names::lora_targets) {
    if ((targets & target.value) != target.value) continue;
    w.text(target.name);
    targets &= ~target.value;
  }
  w.end_array();
}

void write_training(JsonWriter& w, const Scenario& s) {
  w.begin_object("training");
  put(w, "kind", s.kind, names::kinds);
  if (s.lora_rank || s.lora_targets || s.quantization) {
    w.begin_object("lora");
    write_fields(w, s, kRank);
    if (s.lora_targets) write_targets(w, *s.lora_targets);
    put(w, "quantization", s.quantization, names::quantizations);
    w.end_object();
  }
  write_fields(w, s, kMethods);
  put(w, "recompute", s.recompute, names::recomputes);
  write_fields(w, s, kSizes);
  if (s.dataset_tokens) {
    w.begin_object("tokens");
    write_fields(w, s, kDataset);
    w.end_object();
  } else {
    write_fields(w, s, kTokens);
  }
  w.end_object();
}

void write_cluster(JsonWriter& w, const Scenario& s) {
  w.begin_object("cluster");
  if (s.gpu.replaced) {
    w.begin_object("gpu");
    if (!s.gpu.id.empty()) w.text("base", s.gpu.id);
    write_fields(w, s.gpu, kGpu);
    w.end_object();
  } else if (!s.gpu.id.empty()) {
    w.text("gpu", s.gpu.id);
  }
  write_fields(w, s, kCluster);
  w.end_object();
}

void write_layout(JsonWriter& w, const Scenario& s) {
  if (s.layout_auto) {
    w.text("layout", "auto");
    return;
  }
  w.begin_object("layout");
  write_fields(w, s, kLayout);
  put(w, "offload", s.offload, names::offloads);
  w.end_object();
}

void write_model_of(JsonWriter& w, const Scenario& s) { write_model(w, s.model); }

using Writer = void (*)(JsonWriter&, const Scenario&);
std::string section_text(Writer write, const Scenario& s) {
  JsonWriter w;
  w.begin_object();
  write(w, s);
  w.end_object();
  return w.take();
}

void write_price(JsonWriter& w, const Scenario& s) {
  w.begin_object("price");
  write_fields(w, s, kPrices);
  put(w, "billing", s.billing, names::billing_modes);
  write_fields(w, s, kPriceTerms);
  if (!s.fees.empty()) write_fees(w, s.fees);
  w.end_object();
}

void write_operation(JsonWriter& w, const Scenario& s) {
  w.begin_object("reliability");
  write_fields(w, s, kReliability);
  w.end_object();
  w.begin_object("storage");
  write_fields(w, s, kStorage);
  w.end_object();
  w.begin_object("energy");
  write_fields(w, s, kEnergy);
  w.end_object();
}

}  // namespace

Scenario read_scenario(const JsonValue& document, Problems& problems, const char* also) {
  Scenario scenario;
  ScenarioReader(scenario, problems).read(document, also);
  return scenario;
}

void write_scenario_patch(JsonWriter& w, const Scenario& base, const Scenario& changed) {
  w.begin_object();
  for (const Writer write : {&write_model_of, &write_cluster}) {
    if (section_text(write, base) != section_text(write, changed)) write(w, changed);
  }
  write_training(w, changed);
  write_layout(w, changed);
  w.end_object();
}

void write_scenario(JsonWriter& w, const Scenario& s, const JsonValue* extension) {
  w.begin_object();
  w.whole("version", 1);
  w.text("method", name_of(names::methods, s.method));
  write_model(w, s.model);
  write_training(w, s);
  write_cluster(w, s);
  write_layout(w, s);
  write_price(w, s);
  write_operation(w, s);
  if (extension != nullptr) {
    w.key("catalog");
    w.json(*extension);
  }
  if (s.measured_tokens_per_second || s.measured_step_s) {
    w.begin_object("measured");
    write_fields(w, s, kMeasured);
    w.end_object();
  }
  w.flag("explain", s.explain);
  w.end_object();
}

}  // namespace traintally
