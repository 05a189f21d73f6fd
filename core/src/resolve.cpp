#include <traintally/resolve.hpp>

#include "limits.hpp"
#include "nearest.hpp"

namespace traintally {
namespace {

constexpr double real(std::int64_t n) { return static_cast<double>(n); }

constexpr double kLargeModel = 7e9;           // parameters, from which recomputation is usual
constexpr std::int64_t kLongSequence = 4096;  // tokens, likewise
constexpr double kAdapterTokens = 1e7;
constexpr double kTuningTokens = 1e8;
constexpr double kTokensPerParameter = 20;  // Hoffmann et al. 2022, arXiv 2203.15556, table 3
constexpr std::int64_t kTwoByteVocabulary = 65536;

bool has_bf16(const Gpu& gpu) { return gpu.rate(MatmulKind::bf16).value > 0; }

/// Fused attention kernels need Ampere or later on NVIDIA's side (Dao 2023, arXiv 2307.08691).
bool has_flash_attention(const GpuEntry& gpu) {
  return gpu.architecture != "Volta" && gpu.architecture != "Turing" &&
         gpu.architecture != "Pascal";
}

double power_share(const std::vector<PowerPoint>& points, double limit) {
  PowerPoint before{0, 0};
  for (const PowerPoint& point : points) {
    if (limit <= point.limit) {
      const double along = (limit - before.limit) / (point.limit - before.limit);
      return before.speed + along * (point.speed - before.speed);
    }
    before = point;
  }
  return 1;
}

template <class T, class Value>
void fill(std::optional<T>& field, Value value) {
  if (!field) field = value;
}

class Resolver {
 public:
  Resolver(const Scenario& scenario, const Catalog& catalog, const Problems& given)
      : catalog_(catalog), given_(scenario) {
    r_.scenario = scenario;
    r_.problems = given;
  }

  /// @param layout false: all but the layout, the batch and what follows from them
  Resolved run(bool layout) {
    look_up_gpu();
    look_up_model();
    look_up_training();
    look_up_offer();
    fill_constants();
    if (!r_.problems.empty()) return std::move(r_);
    make_model();
    if (s().method == Method::published) {
      make_published();
      return std::move(r_);
    }
    if (r_.problems.empty()) make_cluster();
    if (!r_.problems.empty()) return std::move(r_);
    make_training();
    if (layout && r_.problems.empty()) make_layout();
    return std::move(r_);
  }

 private:
  void problem(std::string at, std::string code, std::string accepts) {
    if (r_.problems.size() < limits::problems) {
      r_.problems.push_back({std::move(at), std::move(code), std::move(accepts)});
    }
  }

  Scenario& s() { return r_.scenario; }

  // Names.

  void look_up_gpu() {
    if (s().gpu.id.empty()) s().gpu.id = "rtx-4090";
    r_.gpu = catalog_.find_gpu(s().gpu.id);
    if (r_.gpu == nullptr) {
      problem(s().gpu.replaced ? "/cluster/gpu/base" : "/cluster/gpu", "unknown_gpu",
              nearest_ids(s().gpu.id, catalog_.gpus));
      return;
    }
    s().gpu.id = r_.gpu->id;
  }

  void look_up_model() {
    if (s().model.form != ModelForm::catalog_id) return;
    if (s().model.id.empty()) return;  // reported when it was read
    r_.model = catalog_.find_model(s().model.id);
    if (r_.model == nullptr) {
      problem("/model", "unknown_model", nearest_ids(s().model.id, catalog_.models));
      return;
    }
    s().model.id = r_.model->id;
  }

  void look_up_training() {
    fill(s().kind, TrainingKind::lora);
    fill(s().stack, default_stack());
    r_.stack = catalog_.find_stack(*s().stack);
    if (r_.stack == nullptr) {
      problem("/training/stack", "unknown_stack", nearest_ids(*s().stack, catalog_.stacks));
    } else {
      s().stack = r_.stack->id;
    }
    if (!s().precision && r_.gpu != nullptr) {
      s().precision = has_bf16(r_.gpu->gpu) ? "bf16-mixed" : "fp16-mixed";
    }
    if (s().precision) {
      r_.precision = catalog_.find_precision(*s().precision);
      if (r_.precision == nullptr) {
        problem("/training/precision", "unknown_precision",
                nearest_ids(*s().precision, catalog_.precisions));
      }
    }
    fill(s().optimizer, "adamw");
    r_.job.optimizer = catalog_.find_optimizer(*s().optimizer);
    if (r_.job.optimizer == nullptr) {
      problem("/training/optimizer", "unknown_optimizer",
              nearest_ids(*s().optimizer, catalog_.optimizers));
    } else {
      s().optimizer = r_.job.optimizer->id;
    }
  }

  std::string_view default_stack() const {
    const auto above_one = [](const std::optional<std::int64_t>& degree) {
      return degree.value_or(1) > 1;
    };
    const Scenario& g = given_;
    if (above_one(g.tp) || above_one(g.pp) || above_one(g.cp) || above_one(g.ep)) {
      return r_.gpu == nullptr ? "megatron" : megatron_on(*r_.gpu);
    }
    const TrainingKind kind = g.kind.value_or(TrainingKind::lora);
    if (kind == TrainingKind::lora || kind == TrainingKind::qlora) return "hf";
    const std::int64_t zero = g.zero.value_or(0);
    return zero == 1 || zero == 2 ? "deepspeed" : "fsdp";
  }

  void look_up_offer() {
    const bool priced =
        s().per_gpu_hour || s().per_gpu_month || s().per_hour || s().per_month || s().per_year;
    if (priced && s().offer) {
      problem("/price/offer", "offer_or_price", "offer, or prices");
      return;
    }
    if (!s().offer) return;
    r_.offer = catalog_.find_offer(*s().offer);
    if (r_.offer == nullptr) {
      problem("/price/offer", "unknown_offer", nearest_ids(*s().offer, catalog_.offers));
      return;
    }
    if (r_.gpu != nullptr && catalog_.find_gpu(r_.offer->gpu) != r_.gpu) {
      std::string accepts;
      for (const OfferEntry& offer : catalog_.offers) {
        if (catalog_.find_gpu(offer.gpu) != r_.gpu) continue;
        if (!accepts.empty()) accepts += ", ";
        accepts += offer.id;
      }
      problem("/price/offer", "offer_of_other_gpu", std::move(accepts));
    }
  }

  // Defaults that follow from nothing else.

  void fill_constants() {
    fill(s().count, std::int64_t{1});
    if (adapters()) {
      fill(s().lora_rank, std::int64_t{16});
      fill(s().lora_targets, lora_target::all_linear);
      fill(s().quantization,
           *s().kind == TrainingKind::qlora ? Quantization::nf4_double : Quantization::none);
      if (*s().kind == TrainingKind::qlora && *s().quantization == Quantization::none) {
        problem("/training/lora/quantization", "not_one_of", "nf4, nf4-double, int8, gptq");
      }
    }
    fill(s().compile, false);
    fill(s().sequence_length, std::int64_t{2048});
    fill(s().micro_batch, std::int64_t{1});
    if (s().dataset_tokens) fill(s().epochs, 1.0);

    const Reliability& reliability = catalog_.reliability;
    fill(s().failures_per_gpu_day, reliability.failures_per_gpu_day);
    fill(s().checkpoint_interval_s, reliability.checkpoint_interval.value);
    fill(s().storage_write_gb_s, reliability.storage_write.value / kGB);
    fill(s().asynchronous_checkpoints, reliability.asynchronous);
    fill(s().restart_s, reliability.restart.value);
    fill(s().startup_s, reliability.startup.value);
    fill(s().checkpoints_kept, catalog_.storage.checkpoints_kept);
    if (catalog_.energy.pue > 0) {
      fill(s().pue, catalog_.energy.pue);
      fill(s().host_factor, catalog_.energy.host_factor);
      fill(s().load, catalog_.energy.load);
    }
    if (!catalog_.cny_per_usd.empty()) fill(s().cny_per_usd, catalog_.cny_per_usd);
    fill(s().tax_included, true);
  }

  bool adapters() const {
    return r_.scenario.kind == TrainingKind::lora || r_.scenario.kind == TrainingKind::qlora;
  }

  // The job.

  void make_model() {
    Model& model = r_.job.model;
    switch (s().model.form) {
      case ModelForm::catalog_id:
        model = r_.model->model;
        break;
      case ModelForm::shape:
      case ModelForm::hf_config:
        model = s().model.model;
        break;
      case ModelForm::parameters_only:
        model = scale_model(catalog_, s().model.parameters, &r_.model);
        r_.scaled_model = true;
        if (r_.model == nullptr) {
          problem("/model/params", "no_model_to_scale", "a dense model in the catalogue");
          return;
        }
        break;
    }
    if (s().model.form != ModelForm::catalog_id) check_model(model, "/model", r_.problems);
    if (r_.problems.empty()) r_.job.parameters = count_parameters(model);
  }

  /// The article's rules ask for size, cards and tokens alone, of any card that is sold.
  void make_published() {
    r_.job.cluster.gpu = r_.gpu->gpu;
    r_.job.cluster.count = *s().count;
    if (r_.problems.empty()) fill_tokens(real(r_.job.parameters.total));
    r_.job.training.tokens = s().tokens.value_or(0);
  }

  void make_cluster() {
    if (!r_.gpu->verified) {
      problem(s().gpu.replaced ? "/cluster/gpu/base" : "/cluster/gpu", "unverified_gpu",
              "a GPU whose figures a vendor states");
      return;
    }
    Cluster& cluster = r_.job.cluster;
    cluster.gpu = replaced_gpu();
    cluster.count = *s().count;
    const std::int64_t usual = cluster.gpu.per_node > 0 ? cluster.gpu.per_node : 1;
    fill(s().per_node, *s().count < usual ? *s().count : usual);
    cluster.per_node = *s().per_node;
    const bool several_nodes = cluster.count > cluster.per_node;
    if (cluster.gpu.internode.value > 0) {
      fill(s().internode_gb_s_per_gpu, cluster.gpu.internode.value / kGB);
    }
    cluster.internode = {s().internode_gb_s_per_gpu.value_or(0) * kGB};
    fill(s().rdma, true);
    cluster.rdma = *s().rdma;
    if (several_nodes && cluster.internode.value <= 0) {
      problem("/cluster/internode_gb_s_per_gpu", "missing", "> 0");
    }
    const std::int64_t together = several_nodes ? cluster.per_node : cluster.count;
    const bool linked = cluster.gpu.link.value > 0 && together <= cluster.gpu.link_domain;
    const bool to_host =
        s().offload.value_or(Offload::none) != Offload::none || r_.job.optimizer->paged;
    if (cluster.gpu.pcie.value <= 0 && (to_host || (together > 1 && !linked))) {
      problem("/cluster/gpu/pcie_gb_s", "missing", "> 0");
    }
    check_precision();
  }

  Gpu replaced_gpu() {
    constexpr double kTera = 1e12;
    Gpu gpu = r_.gpu->gpu;
    const GpuChoice& choice = s().gpu;
    if (choice.memory_gb) {
      gpu.usable_memory = gpu.usable_memory * (*choice.memory_gb / r_.gpu->memory_gb);
    }
    if (choice.usable_gib) gpu.usable_memory = {*choice.usable_gib * kGiB};
    if (choice.memory_bandwidth_gb_s) gpu.memory_bandwidth = {*choice.memory_bandwidth_gb_s * kGB};
    const auto set_peak = [&gpu](MatmulKind kind, const std::optional<double>& tflops) {
      if (tflops) gpu.peak[static_cast<int>(kind)] = {*tflops * kTera};
    };
    set_peak(MatmulKind::bf16, choice.bf16_tflops);
    set_peak(MatmulKind::fp16, choice.fp16_tflops);
    set_peak(MatmulKind::fp8, choice.fp8_tflops);
    if (choice.link_gb_s) {
      gpu.link = {*choice.link_gb_s * kGB};
      if (gpu.link_domain <= 1) gpu.link_domain = gpu.per_node;
    }
    if (choice.pcie_gb_s) gpu.pcie = {*choice.pcie_gb_s * kGB};
    if (choice.power_limit_w && gpu.power.value > 0) {
      const double limit = *choice.power_limit_w / gpu.power.value;
      gpu.power_limit_share = power_share(catalog_.power_limits, limit);
      if (limit < 1) gpu.power = {*choice.power_limit_w};
    }
    return gpu;
  }

  void check_precision() {
    const Gpu& gpu = r_.job.cluster.gpu;
    const auto supported = [&gpu](const PrecisionEntry& precision) {
      return gpu.rate(precision.matmul).value > 0 && gpu.rate(precision.attention).value > 0;
    };
    if (supported(*r_.precision)) return;
    std::string accepts;
    for (const PrecisionEntry& precision : catalog_.precisions) {
      if (!supported(precision)) continue;
      if (!accepts.empty()) accepts += ", ";
      accepts += precision.id;
    }
    problem("/training/precision", "unsupported_precision", std::move(accepts));
  }

  void make_training() {
    Job& job = r_.job;
    const double parameters = real(job.parameters.total);
    const bool megatron = r_.stack->has_megatron_layouts();
    const bool large = parameters >= kLargeModel || *s().sequence_length >= kLongSequence;
    fill(s().recompute, megatron ? Recompute::selective
                        : large  ? Recompute::full
                                 : Recompute::none);
    fill(s().flash_attention, has_flash_attention(*r_.gpu));
    fill(s().fused_loss, r_.stack->family == "unsloth");
    fill_tokens(parameters);

    Training& training = job.training;
    training.kind = *s().kind;
    training.recompute = *s().recompute;
    training.recompute_share = s().recompute_share.value_or(1);
    training.flash_attention = *s().flash_attention;
    training.compile = *s().compile;
    training.fused_loss = *s().fused_loss;
    training.sequence_length = *s().sequence_length;
    training.micro_batch = *s().micro_batch;
    training.tokens = s().tokens.value_or(0);
    double quantized = 0;
    if (adapters()) {
      training.lora.rank = *s().lora_rank;
      training.lora.targets = *s().lora_targets;
      if (!check_adapters(job.model, training.lora.rank)) return;
      training.lora.quantization = *s().quantization;
      job.lora_layer = count_lora_layer(job.model, training.lora.rank, training.lora.targets);
      if (training.lora.quantization != Quantization::none) {
        training.kind = TrainingKind::qlora;  // frozen weights are unpacked, whatever it is called
        quantized = quantized_bytes(training.lora.quantization);
      }
    }
    job.stack = r_.stack->habits;
    job.matmul = r_.precision->matmul;
    job.attention_matmul = r_.precision->attention;
    job.states = state_bytes(*r_.precision, *job.optimizer, job.stack, training, quantized);
    job.calibration = resolve_calibration(catalog_, *r_.gpu, *r_.stack, r_.basis);
    resolve_spreads(catalog_.calibration.spreads, job, *r_.stack, r_.basis);
    check_method();

    s().bytes_per_token = s().bytes_per_token.value_or(
        job.model.vocab <= kTwoByteVocabulary ? catalog_.storage.small_vocab_token_bytes
                                              : catalog_.storage.token_bytes);
  }

  /// An upper bound of the adapters' parameters, so that they can be counted in integers.
  bool check_adapters(const Model& m, std::int64_t rank) {
    const double h = real(m.hidden);
    double widths = 8 * h + 2 * (real(m.query_width()) + real(m.key_width()) +
                                 real(m.value_width()) + real(m.attention_out_width()));
    widths += real(m.mla.q_lora_rank + m.mla.kv_lora_rank) * 4;
    widths += 3 * (h + real(m.ffn_hidden));
    if (m.is_moe()) {
      widths += 3 * (h + real(m.moe.ffn_hidden)) * real(m.moe.experts);
      widths += 3 * (h + real(m.moe.shared_ffn_hidden));
    }
    const double most = limits::model_parameters / (real(m.layers) * widths);
    if (real(rank) <= most) return true;
    problem("/training/lora/rank", "out_of_range",
            "<= " + std::to_string(static_cast<std::int64_t>(most)));
    return false;
  }

  void fill_tokens(double parameters) {
    if (s().dataset_tokens) {
      s().tokens = *s().dataset_tokens * *s().epochs;
      if (*s().tokens > limits::tokens.high) {
        problem("/training/tokens/epochs", "out_of_range", "dataset_tokens * epochs <= 1e18");
      }
      return;
    }
    switch (*s().kind) {
      case TrainingKind::pretrain:
        fill(s().tokens, kTokensPerParameter * parameters);
        break;
      case TrainingKind::full:
        fill(s().tokens, kTuningTokens);
        break;
      case TrainingKind::lora:
      case TrainingKind::qlora:
        fill(s().tokens, kAdapterTokens);
        break;
    }
  }

  double quantized_bytes(Quantization quantization) {
    const char* id = quantization == Quantization::int8         ? "int8"
                     : quantization == Quantization::gptq       ? "gptq"
                     : quantization == Quantization::nf4_double ? "nf4-double"
                                                                : "nf4";
    for (const QuantizationEntry& entry : catalog_.quantizations) {
      if (entry.id == id) return entry.bytes;
    }
    problem("/training/lora/quantization", "unknown_quantization",
            nearest_ids(id, catalog_.quantizations));
    return 0;
  }

  void check_method() {
    const char* method = *s().kind == TrainingKind::pretrain ? "pretrain"
                         : *s().kind == TrainingKind::full   ? "full"
                         : *s().kind == TrainingKind::lora   ? "lora"
                                                             : "qlora";
    for (const std::string_view measured : catalog_.calibration.measured_methods) {
      if (measured == method) r_.basis.method_measured = true;
    }
  }

  void make_layout() {
    Job& job = r_.job;
    Layout& layout = job.layout;
    if (s().layout_auto) {
      layout.offload = s().offload.value_or(Offload::none);
      r_.chosen =
          choose_layout(job, *r_.stack, given_, catalog_.practice, r_.basis.spreads.device.high);
      if (!r_.chosen) {
        // All GPUs data-parallel is always possible, but for the batch.
        problem("/training/global_batch", "batch_not_divisible", closest_batch());
        return;
      }
    } else {
      layout = given_layout();
      if (layout.dp < 1) return;
      const std::int64_t batch =
          default_global_batch(*s().micro_batch, layout.dp, usual_batch(catalog_.practice, job));
      job.training.global_batch = s().global_batch.value_or(batch);
      check_layout(job, r_.problems);
    }
    echo_layout();
  }

  std::string closest_batch() const {
    return "multiple of micro_batch * count = " +
           std::to_string(r_.job.training.micro_batch * r_.job.cluster.count);
  }

  Layout given_layout() {
    Layout layout;
    layout.tp = s().tp.value_or(1);
    layout.pp = s().pp.value_or(1);
    layout.cp = s().cp.value_or(1);
    layout.ep = s().ep.value_or(1);
    layout.virtual_stages = s().virtual_stages.value_or(1);
    layout.shard_group = s().shard_group.value_or(0);
    layout.offload = s().offload.value_or(Offload::none);
    // Degrees are at most 1e6, and pp 1e4: their product may pass 64 bits before it is compared.
    const double others = real(layout.tp) * real(layout.pp) * real(layout.cp);
    const double product = others * real(s().dp.value_or(1));
    const std::int64_t count = *s().count;
    if (product > real(count) || (!s().dp && count % (layout.tp * layout.pp * layout.cp) != 0)) {
      problem(s().dp ? "/layout/dp" : "/layout", "product_not_count",
              "tp * pp * cp * dp = " + std::to_string(count));
      layout.dp = 0;
      return layout;
    }
    layout.dp = s().dp.value_or(count / (layout.tp * layout.pp * layout.cp));
    layout.etp = s().etp.value_or(default_expert_tensor_degree(layout));
    layout.zero = s().zero.value_or(default_zero(layout));
    const bool megatron = r_.stack->has_megatron_layouts();
    layout.sequence_parallel = s().sequence_parallel.value_or(megatron && layout.tp > 1);
    return layout;
  }

  /// Experts are split like the rest where they are not spread, as Megatron-LM does by default.
  std::int64_t default_expert_tensor_degree(const Layout& layout) const {
    const MixtureOfExperts& moe = r_.job.model.moe;
    const bool splits = r_.job.model.is_moe() && layout.ep == 1 && moe.ffn_hidden % layout.tp == 0;
    return splits ? layout.tp : 1;
  }

  std::int64_t default_zero(const Layout& layout) const {
    if (layout.data_ranks() == 1) return 0;
    if (r_.stack->has_megatron_layouts()) return 1;
    const std::string_view family = r_.stack->family;
    if (family == "fsdp") return 3;
    if (family == "deepspeed") return real(r_.job.parameters.total) >= kLargeModel ? 3 : 2;
    return 0;
  }

  void echo_layout() {
    const Layout& layout = r_.job.layout;
    s().layout_auto = false;
    s().tp = layout.tp;
    s().pp = layout.pp;
    s().cp = layout.cp;
    s().ep = layout.ep;
    s().etp = layout.etp;
    s().dp = layout.dp;
    s().zero = layout.zero;
    s().shard_group = layout.shard_group;
    s().virtual_stages = layout.virtual_stages;
    s().sequence_parallel = layout.sequence_parallel;
    s().offload = layout.offload;
    s().recompute = r_.job.training.recompute;
    s().micro_batch = r_.job.training.micro_batch;
    s().global_batch = r_.job.training.global_batch;
  }

  const Catalog& catalog_;
  const Scenario& given_;
  Resolved r_;
};

}  // namespace

Resolved resolve(const Scenario& scenario, const Catalog& catalog, const Problems& given) {
  Resolved resolved = Resolver(scenario, catalog, given).run(true);
  if (!resolved.chosen || !resolved.problems.empty() || resolved.job.cluster.count == 1 ||
      !tries_megatron(scenario, resolved.job)) {
    return resolved;
  }
  Scenario other = scenario;
  other.stack = megatron_on(*resolved.gpu);
  Resolved megatron = Resolver(other, catalog, given).run(true);
  const bool better = megatron.chosen && megatron.problems.empty() &&
                      megatron.chosen->better_than(*resolved.chosen);
  return better ? megatron : resolved;
}

Resolved resolve_job(const Scenario& scenario, const Catalog& catalog) {
  return Resolver(scenario, catalog, {}).run(false);
}

}  // namespace traintally
