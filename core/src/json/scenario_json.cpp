#include "scenario_json.hpp"

#include "hf_config.hpp"
#include "model_json.hpp"
#include "names.hpp"

namespace traintally {
namespace {

class ScenarioReader {
 public:
  ScenarioReader(Scenario& scenario, Problems& problems) : s_(scenario), problems_(problems) {}

  void read(const JsonValue& document) {
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
    s_.explain = reader.flag("explain").value_or(false);
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
    s_.precision = reader.text("precision");
    s_.optimizer = reader.text("optimizer");
    s_.stack = reader.text("stack");
    s_.recompute = reader.one_of("recompute", names::recomputes);
    s_.flash_attention = reader.flag("flash_attention");
    s_.compile = reader.flag("compile");
    s_.fused_loss = reader.flag("fused_loss");
    s_.sequence_length = reader.whole("sequence_length", limits::sequence);
    s_.micro_batch = reader.whole("micro_batch", limits::batch);
    s_.global_batch = reader.whole("global_batch", limits::batch);
    if (const JsonValue* tokens = reader.find("tokens")) {
      if (tokens->is_object()) {
        section(reader, "tokens", &ScenarioReader::read_dataset);
      } else {
        s_.tokens = reader.real("tokens", limits::tokens);
      }
    }
  }

  void read_lora(ObjectReader& reader) {
    s_.lora_rank = reader.whole("rank", limits::lora_rank);
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

  void read_dataset(ObjectReader& reader) {
    s_.dataset_tokens = reader.real("dataset_tokens", limits::tokens);
    if (!reader.has("dataset_tokens")) reader.missing("dataset_tokens", "> 0, <= 1e18");
    s_.epochs = reader.real("epochs", limits::epochs);
  }

  void read_cluster(ObjectReader& reader) {
    if (const JsonValue* gpu = reader.find("gpu")) {
      if (gpu->is_object()) {
        section(reader, "gpu", &ScenarioReader::read_gpu);
      } else if (const auto id = reader.text("gpu")) {
        s_.gpu.id = *id;
      }
    }
    s_.count = reader.whole("count", limits::gpus);
    s_.per_node = reader.whole("per_node", limits::per_node);
    s_.internode_gb_s_per_gpu = reader.real("internode_gb_s_per_gpu", limits::rate);
  }

  void read_gpu(ObjectReader& reader) {
    s_.gpu.replaced = true;
    if (const auto base = reader.text("base")) s_.gpu.id = *base;
    if (!reader.has("base")) reader.missing("base", "catalogue id");
    s_.gpu.memory_gb = reader.real("memory_gb", limits::gigabytes);
    s_.gpu.usable_gib = reader.real("usable_gib", limits::gigabytes);
    s_.gpu.memory_bandwidth_gb_s = reader.real("memory_bandwidth_gb_s", limits::rate);
    s_.gpu.bf16_tflops = reader.real("bf16_tflops", limits::rate);
    s_.gpu.fp16_tflops = reader.real("fp16_tflops", limits::rate);
    s_.gpu.fp8_tflops = reader.real("fp8_tflops", limits::rate);
    s_.gpu.link_gb_s = reader.real("link_gb_s", limits::rate_or_none);
    s_.gpu.pcie_gb_s = reader.real("pcie_gb_s", limits::rate);
    s_.gpu.power_limit_w = reader.real("power_limit_w", limits::watts);
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
    s_.tp = reader.whole("tp", limits::gpus);
    s_.pp = reader.whole("pp", limits::layers);
    s_.cp = reader.whole("cp", limits::gpus);
    s_.ep = reader.whole("ep", limits::gpus);
    s_.etp = reader.whole("etp", limits::gpus);
    s_.dp = reader.whole("dp", limits::gpus);
    s_.zero = reader.whole("zero", limits::zero);
    s_.shard_group = reader.whole("shard_group", limits::shard_group);
    s_.sequence_parallel = reader.flag("sequence_parallel");
    s_.virtual_stages = reader.whole("virtual_stages", limits::layers);
    s_.offload = reader.one_of("offload", names::offloads);
    reader.finish();
  }

  void read_price(ObjectReader& reader) {
    s_.offer = reader.text("offer");
    s_.per_gpu_hour = reader.decimal("per_gpu_hour");
    s_.per_gpu_month = reader.decimal("per_gpu_month");
    s_.per_hour = reader.decimal("per_hour");
    s_.per_month = reader.decimal("per_month");
    s_.per_year = reader.decimal("per_year");
    s_.currency = reader.text("currency");
    if (s_.currency && *s_.currency != "CNY" && *s_.currency != "USD") {
      reader.problem("currency", "not_one_of", "CNY, USD");
    }
    s_.billing = reader.one_of("billing", names::billing_modes);
    s_.annual_factor = reader.decimal("annual_factor");
    s_.cny_per_usd = reader.decimal("cny_per_usd");
    s_.tax_included = reader.flag("tax_included");
    if (s_.per_gpu_hour && s_.per_hour) {
      reader.problem("per_hour", "given_twice", "per_gpu_hour or per_hour");
    }
    if (s_.per_gpu_month && s_.per_month) {
      reader.problem("per_month", "given_twice", "per_gpu_month or per_month");
    }
  }

  void read_reliability(ObjectReader& reader) {
    s_.failures_per_gpu_day = reader.real("failures_per_gpu_day", limits::failures);
    s_.checkpoint_interval_s = reader.real("checkpoint_interval_s", limits::interval);
    s_.storage_write_gb_s = reader.real("storage_write_gb_s", limits::rate_or_none);
    s_.asynchronous_checkpoints = reader.flag("asynchronous_checkpoints");
    s_.restart_s = reader.real("restart_s", limits::duration);
    s_.startup_s = reader.real("startup_s", limits::duration);
  }

  void read_storage(ObjectReader& reader) {
    s_.storage_tb = reader.real("capacity_tb", limits::terabytes);
    s_.bytes_per_token = reader.real("bytes_per_token", limits::bytes_per_token);
    s_.checkpoints_kept = reader.whole("checkpoints_kept", limits::checkpoints);
  }

  void read_energy(ObjectReader& reader) {
    s_.pue = reader.real("pue", limits::power_factor);
    s_.host_factor = reader.real("host_factor", limits::power_factor);
    s_.load = reader.real("load", limits::positive_share);
    s_.kg_co2_per_kwh = reader.real("kg_co2_per_kwh", limits::carbon);
    s_.tariff_per_kwh = reader.decimal("tariff_per_kwh");
  }

  void read_measured(ObjectReader& reader) {
    s_.measured_tokens_per_second = reader.real("tokens_per_second", limits::tokens_per_second);
    s_.measured_step_s = reader.real("step_s", limits::positive_duration);
    const bool both = reader.has("tokens_per_second") && reader.has("step_s");
    const bool none = !reader.has("tokens_per_second") && !reader.has("step_s");
    if (both) reader.problem("step_s", "given_twice", "tokens_per_second or step_s");
    if (none) reader.missing("tokens_per_second", "tokens_per_second or step_s");
  }

  Scenario& s_;
  Problems& problems_;
};

// Writing: only what is there.

void put(JsonWriter& w, const char* name, const std::optional<std::int64_t>& value) {
  if (value) w.whole(name, *value);
}
void put(JsonWriter& w, const char* name, const std::optional<double>& value) {
  if (value) w.real(name, *value);
}
void put(JsonWriter& w, const char* name, const std::optional<bool>& value) {
  if (value) w.flag(name, *value);
}
void put(JsonWriter& w, const char* name, const std::optional<std::string>& value) {
  if (value) w.text(name, *value);
}
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
    put(w, "rank", s.lora_rank);
    if (s.lora_targets) write_targets(w, *s.lora_targets);
    put(w, "quantization", s.quantization, names::quantizations);
    w.end_object();
  }
  put(w, "precision", s.precision);
  put(w, "optimizer", s.optimizer);
  put(w, "stack", s.stack);
  put(w, "recompute", s.recompute, names::recomputes);
  put(w, "flash_attention", s.flash_attention);
  put(w, "compile", s.compile);
  put(w, "fused_loss", s.fused_loss);
  put(w, "sequence_length", s.sequence_length);
  put(w, "micro_batch", s.micro_batch);
  put(w, "global_batch", s.global_batch);
  if (s.dataset_tokens) {
    w.begin_object("tokens");
    put(w, "dataset_tokens", s.dataset_tokens);
    put(w, "epochs", s.epochs);
    w.end_object();
  } else {
    put(w, "tokens", s.tokens);
  }
  w.end_object();
}

void write_cluster(JsonWriter& w, const Scenario& s) {
  w.begin_object("cluster");
  if (s.gpu.replaced) {
    w.begin_object("gpu");
    if (!s.gpu.id.empty()) w.text("base", s.gpu.id);
    put(w, "memory_gb", s.gpu.memory_gb);
    put(w, "usable_gib", s.gpu.usable_gib);
    put(w, "memory_bandwidth_gb_s", s.gpu.memory_bandwidth_gb_s);
    put(w, "bf16_tflops", s.gpu.bf16_tflops);
    put(w, "fp16_tflops", s.gpu.fp16_tflops);
    put(w, "fp8_tflops", s.gpu.fp8_tflops);
    put(w, "link_gb_s", s.gpu.link_gb_s);
    put(w, "pcie_gb_s", s.gpu.pcie_gb_s);
    put(w, "power_limit_w", s.gpu.power_limit_w);
    w.end_object();
  } else if (!s.gpu.id.empty()) {
    w.text("gpu", s.gpu.id);
  }
  put(w, "count", s.count);
  put(w, "per_node", s.per_node);
  put(w, "internode_gb_s_per_gpu", s.internode_gb_s_per_gpu);
  w.end_object();
}

void write_layout(JsonWriter& w, const Scenario& s) {
  if (s.layout_auto) {
    w.text("layout", "auto");
    return;
  }
  w.begin_object("layout");
  put(w, "tp", s.tp);
  put(w, "pp", s.pp);
  put(w, "cp", s.cp);
  put(w, "ep", s.ep);
  put(w, "etp", s.etp);
  put(w, "dp", s.dp);
  put(w, "zero", s.zero);
  put(w, "shard_group", s.shard_group);
  put(w, "sequence_parallel", s.sequence_parallel);
  put(w, "virtual_stages", s.virtual_stages);
  put(w, "offload", s.offload, names::offloads);
  w.end_object();
}

void write_price(JsonWriter& w, const Scenario& s) {
  w.begin_object("price");
  put(w, "offer", s.offer);
  put(w, "per_gpu_hour", s.per_gpu_hour);
  put(w, "per_gpu_month", s.per_gpu_month);
  put(w, "per_hour", s.per_hour);
  put(w, "per_month", s.per_month);
  put(w, "per_year", s.per_year);
  put(w, "currency", s.currency);
  put(w, "billing", s.billing, names::billing_modes);
  put(w, "annual_factor", s.annual_factor);
  put(w, "cny_per_usd", s.cny_per_usd);
  put(w, "tax_included", s.tax_included);
  w.end_object();
}

void write_operation(JsonWriter& w, const Scenario& s) {
  w.begin_object("reliability");
  put(w, "failures_per_gpu_day", s.failures_per_gpu_day);
  put(w, "checkpoint_interval_s", s.checkpoint_interval_s);
  put(w, "storage_write_gb_s", s.storage_write_gb_s);
  put(w, "asynchronous_checkpoints", s.asynchronous_checkpoints);
  put(w, "restart_s", s.restart_s);
  put(w, "startup_s", s.startup_s);
  w.end_object();
  w.begin_object("storage");
  put(w, "capacity_tb", s.storage_tb);
  put(w, "bytes_per_token", s.bytes_per_token);
  put(w, "checkpoints_kept", s.checkpoints_kept);
  w.end_object();
  w.begin_object("energy");
  put(w, "pue", s.pue);
  put(w, "host_factor", s.host_factor);
  put(w, "load", s.load);
  put(w, "kg_co2_per_kwh", s.kg_co2_per_kwh);
  put(w, "tariff_per_kwh", s.tariff_per_kwh);
  w.end_object();
}

}  // namespace

Scenario read_scenario(const JsonValue& document, Problems& problems) {
  Scenario scenario;
  ScenarioReader(scenario, problems).read(document);
  return scenario;
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
    put(w, "tokens_per_second", s.measured_tokens_per_second);
    put(w, "step_s", s.measured_step_s);
    w.end_object();
  }
  w.flag("explain", s.explain);
  w.end_object();
}

}  // namespace traintally
