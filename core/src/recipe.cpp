#include <traintally/recipe.hpp>

#include <algorithm>
#include <cmath>

#include <traintally/parameters.hpp>

namespace traintally {
namespace {

constexpr std::int64_t kPort = 29500;  // torchrun's usual one

constexpr double real(std::int64_t n) { return static_cast<double>(n); }

struct NamedOptimizer {
  const char* id;
  const char* deepspeed;  ///< "type" of its optimizer; null: built by the script
  const char* megatron;   ///< --optimizer; null: it has none
  const char* hf;         ///< optim of the Hugging Face trainer; null: it has none
};
constexpr NamedOptimizer kOptimizers[] = {
    {"adamw", "AdamW", "adam", "adamw_torch"},
    {"adam", "Adam", "adam", "adamw_torch"},
    {"adamw-8bit", nullptr, nullptr, "adamw_bnb_8bit"},
    {"adamw-paged", nullptr, nullptr, "paged_adamw_32bit"},
    {"adamw-paged-8bit", nullptr, nullptr, "paged_adamw_8bit"},
    {"adamw-4bit", nullptr, nullptr, "adamw_torch_4bit"},
    {"adafactor", nullptr, nullptr, "adafactor"},
    {"lion", "Lion", nullptr, "lion_32bit"},
    {"lion-8bit", nullptr, nullptr, "lion_8bit"},
    {"sgd", nullptr, "sgd", "sgd"},
    {"muon", nullptr, "muon", nullptr},
    {"galore", nullptr, nullptr, "galore_adamw"},
    {"lomo", nullptr, nullptr, "lomo"}};

double sized(const std::vector<SizedFigure>& figures, double parameters) {
  for (const SizedFigure& each : figures) {
    if (parameters < each.below) return each.value;
  }
  return 0;
}

/// A small positive number as "1.5e-04", to two digits; what is not known as `unknown`.
std::string scientific(double value, const char* unknown) {
  if (value <= 0) return unknown;
  int exponent = 0;
  for (; value < 1 && exponent < 99; ++exponent) value *= 10;
  auto tenths = static_cast<int>(std::lround(value * 10));
  if (tenths == 100) tenths = 10, --exponent;
  std::string text = std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10) + "e-";
  if (exponent < 10) text += '0';
  return text + std::to_string(exponent);
}

/// A share to hundredths: "0.03".
std::string hundredths(double value) {
  const auto whole = static_cast<int>(std::lround(value * 100));
  return std::to_string(whole / 100) + (whole % 100 < 10 ? ".0" : ".") +
         std::to_string(whole % 100);
}

/// One level of a YAML or JSON mapping, or the arguments of a command, written line by line.
class Lines {
 public:
  enum class Style { yaml, json, arguments };
  explicit Lines(Style style) : style_(style) {
    if (style == Style::json) out_ = "{";
  }

  void raw(const char* name, const std::string& value) {
    if (style_ == Style::arguments) {
      out_ += out_.empty() ? "--" : "\n--";
      out_ += name;
      if (!value.empty()) out_ += ' ';
    } else if (style_ == Style::yaml) {
      out_.append(indent_, ' ');
      out_ += name;
      out_ += ": ";
    } else {
      out_ += first_ ? "\n" : ",\n";
      out_.append(indent_ + 2, ' ');
      out_ += '"';
      out_ += name;
      out_ += "\": ";
    }
    out_ += value;
    if (style_ == Style::yaml) out_ += '\n';
    first_ = false;
  }
  void whole(const char* name, std::int64_t value) { raw(name, std::to_string(value)); }
  void flag(const char* name, bool value) { raw(name, value ? "true" : "false"); }
  void text(const char* name, const std::string& value) {
    raw(name, style_ == Style::json ? '"' + value + '"' : value);
  }
  /// In YAML, on a line of its own.
  void comment(const char* words) {
    out_.append(indent_, ' ');
    out_ += "# ";
    out_ += words;
    out_ += '\n';
  }
  void option(const char* name, bool on = true) {
    if (on) raw(name, "");
  }
  void begin(const char* name) {
    if (style_ == Style::yaml) {
      out_.append(indent_, ' ');
      out_ += name;
      out_ += ":\n";
    } else {
      raw(name, "{");
      first_ = true;
    }
    indent_ += 2;
  }
  void end() {
    indent_ -= 2;
    if (style_ == Style::yaml) return;
    out_ += '\n';
    out_.append(indent_ + 2, ' ');
    out_ += '}';
    first_ = false;
  }
  std::string take() {
    if (style_ == Style::json) out_ += "\n}\n";
    if (style_ == Style::arguments) out_ += '\n';
    return std::move(out_);
  }

 private:
  Style style_;
  std::string out_;
  std::size_t indent_ = 0;
  bool first_ = true;
};

class Writer {
 public:
  Writer(const Report& report, const RecipeHabits& habits)
      : r_(report),
        h_(habits),
        job_(report.resolved.job),
        l_(job_.layout),
        t_(job_.training),
        m_(job_.model),
        s_(report.resolved.scenario) {
    optimizer_ = {"", nullptr, nullptr, nullptr};
    for (const NamedOptimizer& each : kOptimizers) {
      if (each.id == job_.optimizer->id) optimizer_ = each;
    }
    const std::string_view precision = *s_.precision;
    bf16_ = precision.substr(0, 4) == "bf16";
    fp16_ = precision.substr(0, 4) == "fp16";
    fp8_ = precision == "fp8" || precision == "mxfp8";
    pure_ = precision == "bf16-pure" || precision == "fp16-pure";
    per_node_ = std::min(job_.cluster.count, job_.cluster.per_node);
    nodes_ = (job_.cluster.count + per_node_ - 1) / per_node_;
    size_ = real(count_parameters(m_).active);
    rate_ = sized(t_.adapters()                       ? h_.adapter_rate
                  : t_.kind == TrainingKind::pretrain ? h_.pretrain_rate
                                                      : h_.full_rate,
                  size_);
  }

  Recipes run() {
    deepspeed();
    accelerate();
    megatron();
    torchrun();
    llama_factory();
    return std::move(found_);
  }

 private:
  bool refuse(const char* tool, const char* code, const char* figure, double value) {
    found_.inexpressible.push_back({tool, code, {{figure, value}}});
    return true;
  }

  /// Only data parallel tools: every other degree is a reason.
  bool refuse_degrees(const char* tool) {
    bool refused = false;
    if (l_.tp > 1) refused = refuse(tool, "tensor_parallel", "tp", real(l_.tp));
    if (l_.pp > 1) refused = refuse(tool, "pipeline_parallel", "pp", real(l_.pp));
    if (l_.cp > 1) refused = refuse(tool, "context_parallel", "cp", real(l_.cp));
    if (l_.ep > 1) refused = refuse(tool, "expert_parallel", "ep", real(l_.ep));
    return refused;
  }

  /// Something of what is computed forward is kept, and something computed again.
  bool recomputes_in_part() const {
    return t_.recompute == Recompute::selective ||
           (t_.recompute == Recompute::full && t_.recompute_share < 1);
  }
  /// States are sharded inside groups of the data ranks, and replicated across the groups.
  bool in_groups() const { return l_.zero > 0 && l_.shard_ranks() < l_.data_ranks(); }
  bool refuse_groups(const char* tool, bool refused) {
    if (!refused || !in_groups()) return false;
    return refuse(tool, "sharding_groups", "shard_group", real(l_.shard_ranks()));
  }

  bool refuse_precision(const char* tool) {
    const bool known = bf16_ || fp16_ || *s_.precision == "fp32" || *s_.precision == "tf32";
    return !known && refuse(tool, "precision", "bits", job_.matmul == MatmulKind::fp4 ? 4 : 8);
  }

  void add(const char* tool, const char* file, const char* format, std::string text) {
    found_.recipes.push_back({tool, file, format, std::move(text)});
  }

  void deepspeed() {
    const char* tool = "deepspeed";
    bool refused = refuse_degrees(tool);
    refused = refuse_precision(tool) || refused;
    if (l_.offload == Offload::activations) {
      refused = refuse(tool, "activation_offload", "zero", real(l_.zero));
    }
    refused = refuse_groups(tool, l_.zero < 3) || refused;
    if (l_.offload == Offload::parameters && l_.zero < 3) {
      refused = refuse(tool, "parameter_offload_needs_zero_3", "zero", real(l_.zero));
    }
    if (refused) return;
    Lines j(Lines::Style::json);
    j.whole("train_batch_size", t_.global_batch);
    j.whole("train_micro_batch_size_per_gpu", t_.micro_batch);
    j.whole("gradient_accumulation_steps", job_.micro_batches());
    j.raw("gradient_clipping", "1.0");
    if (bf16_ || fp16_) {
      j.begin(bf16_ ? "bf16" : "fp16");
      j.flag("enabled", true);
      j.end();
    }
    if (optimizer_.deepspeed != nullptr) {
      j.begin("optimizer");
      j.text("type", optimizer_.deepspeed);
      j.begin("params");
      j.raw("lr", scientific(rate_, "\"auto\""));
      j.end();
      j.end();
    }
    j.begin("zero_optimization");
    j.whole("stage", l_.zero);
    if (l_.zero > 0) {
      j.flag("overlap_comm", true);
      j.flag("contiguous_gradients", true);
    }
    if (l_.zero == 3) {
      // MiCS: all states inside the group. ZeRO++'s hpZ keeps there a copy of the weights alone.
      if (in_groups()) j.whole("mics_shard_size", l_.shard_ranks());
      j.flag("stage3_gather_16bit_weights_on_model_save", true);
    }
    const auto offload = [&j](const char* what) {
      j.begin(what);
      j.text("device", "cpu");
      j.flag("pin_memory", true);
      j.end();
    };
    if (l_.steps_on_host()) offload("offload_optimizer");
    if (l_.offload == Offload::parameters) offload("offload_param");
    j.end();
    add(tool, "ds_config.json", "json", j.take());
  }

  void accelerate() {
    const char* tool = "accelerate";
    const bool deepspeed = r_.resolved.stack->family == "deepspeed" && has_recipe("deepspeed");
    bool refused = refuse_degrees(tool);
    refused = refuse_precision(tool) || refused;
    if (!deepspeed && l_.zero == 1) refused = refuse(tool, "zero_1", "zero", 1);
    // FSDP's groups are nodes. MiCS needs a model made under deepspeed.zero.MiCS_Init, which
    // neither Accelerate nor LLaMA-Factory does.
    refused = refuse_groups(tool, deepspeed || l_.shard_ranks() != per_node_) || refused;
    if (recomputes_in_part()) {
      refused = refuse(tool, "selective_recompute", "layers", real(m_.layers));
    }
    if (l_.offload == Offload::activations || (!deepspeed && l_.offload == Offload::optimizer)) {
      refused = refuse(tool, "offload", "zero", real(l_.zero));
    }
    if (refused) return;
    const bool sharded = l_.zero > 0 && !deepspeed;
    Lines y(Lines::Style::yaml);
    y.text("compute_environment", "LOCAL_MACHINE");
    y.text("distributed_type", deepspeed                ? "DEEPSPEED"
                               : sharded                ? "FSDP"
                               : job_.cluster.count > 1 ? "MULTI_GPU"
                                                        : "'NO'");
    if (deepspeed) {  // whose file says the precision; Accelerate refuses to be told twice
      y.begin("deepspeed_config");
      y.text("deepspeed_config_file", "ds_config.json");
      y.flag("zero3_init_flag", l_.zero == 3);
      if (nodes_ > 1) y.text("deepspeed_multinode_launcher", "standard");
      y.end();
    } else {
      y.text("mixed_precision", pure_ ? "'no'" : bf16_ ? "bf16" : fp16_ ? "fp16" : "'no'");
    }
    y.whole("num_machines", nodes_);
    y.whole("num_processes", job_.cluster.count);
    if (nodes_ > 1) {
      y.comment("The head node's address; machine_rank is 0 there, 1, 2 and so on elsewhere.");
      y.text("main_process_ip", "HEAD_NODE");
      y.whole("main_process_port", kPort);
    }
    y.whole("machine_rank", 0);
    y.text("main_training_function", "main");
    y.text("rdzv_backend", nodes_ > 1 && !deepspeed ? "c10d" : "static");
    y.flag("same_network", true);
    if (sharded) {
      const bool full = l_.zero == 3;
      y.begin("fsdp_config");
      y.text("fsdp_sharding_strategy", in_groups() ? full ? "HYBRID_SHARD" : "HYBRID_SHARD_ZERO2"
                                       : full      ? "FULL_SHARD"
                                                   : "SHARD_GRAD_OP");
      y.text("fsdp_auto_wrap_policy", "TRANSFORMER_BASED_WRAP");
      y.text("fsdp_backward_prefetch", "BACKWARD_PRE");
      y.text("fsdp_state_dict_type", "SHARDED_STATE_DICT");
      y.flag("fsdp_offload_params", l_.offload == Offload::parameters);
      y.flag("fsdp_activation_checkpointing", t_.recompute == Recompute::full);
      y.flag("fsdp_use_orig_params", true);
      y.flag("fsdp_sync_module_states", true);
      y.flag("fsdp_cpu_ram_efficient_loading", true);
      y.end();
    }
    add(tool, "accelerate.yaml", "yaml", y.take());
  }

  void megatron() {
    const char* tool = "megatron";
    bool refused = false;
    if (t_.adapters()) refused = refuse(tool, "adapters", "rank", real(t_.lora.rank));
    if (optimizer_.megatron == nullptr) {
      refused = refuse(tool, "optimizer", "bytes", job_.states.optimizer());
    }
    if (*s_.precision == "nvfp4") refused = refuse(tool, "precision", "bits", 4);
    if (l_.offload == Offload::parameters || l_.offload == Offload::activations) {
      refused = refuse(tool, "offload", "zero", real(l_.zero));
    }
    if (m_.linear_attention.layers > 0) {
      refused = refuse(tool, "linear_attention", "layers", real(m_.linear_attention.layers));
    }
    // A share of stages is whole; layers that the ends lack are a split of their own.
    const std::int64_t parts = l_.pp * l_.virtual_stages;
    if (m_.layers % parts != 0 && l_.virtual_stages > 1) {
      refused = refuse(tool, "uneven_virtual_stages", "layers", real(m_.layers));
    }
    if (refused) return;
    Lines a(Lines::Style::arguments);
    a.whole("tensor-model-parallel-size", l_.tp);
    a.whole("pipeline-model-parallel-size", l_.pp);
    if (l_.cp > 1) a.whole("context-parallel-size", l_.cp);
    if (m_.is_moe()) {
      a.whole("expert-model-parallel-size", l_.ep);
      a.whole("expert-tensor-parallel-size", l_.etp);
    }
    if (l_.virtual_stages > 1) {
      a.whole("num-layers-per-virtual-pipeline-stage", m_.layers / parts);
    }
    if (m_.layers % l_.pp != 0) {
      // The first and last stage take a layer less: with embedding and head they are as full.
      const std::int64_t inner = (m_.layers + 2) / l_.pp;
      const std::int64_t ends = m_.layers - inner * (l_.pp - 2);
      a.whole("decoder-first-pipeline-num-layers", ends - ends / 2);
      a.whole("decoder-last-pipeline-num-layers", ends / 2);
    }
    a.option("sequence-parallel", l_.sequence_parallel && l_.tp > 1);
    if (l_.zero == 1) a.option("use-distributed-optimizer");
    if (in_groups()) {
      a.whole("num-distributed-optimizer-instances", l_.data_ranks() / l_.shard_ranks());
    }
    if (l_.zero > 1) {
      a.option("use-megatron-fsdp");
      a.text("data-parallel-sharding-strategy",
             l_.zero == 3 ? "optim_grads_params" : "optim_grads");
      a.option("no-gradient-accumulation-fusion");
      a.option("use-distributed-optimizer");
    }
    a.option("overlap-grad-reduce", l_.data_ranks() > 1);
    a.option("optimizer-cpu-offload", l_.offload == Offload::optimizer);
    a.whole("num-layers", m_.layers);
    a.whole("hidden-size", m_.hidden);
    a.whole("ffn-hidden-size", m_.ffn_hidden > 0 ? m_.ffn_hidden : m_.moe.ffn_hidden);
    a.whole("num-attention-heads", m_.heads);
    if (m_.is_mla()) {
      a.option("multi-latent-attention");
      if (m_.mla.q_lora_rank > 0) a.whole("q-lora-rank", m_.mla.q_lora_rank);
      a.whole("kv-lora-rank", m_.mla.kv_lora_rank);
      a.whole("qk-head-dim", m_.mla.qk_nope_head_dim);
      a.whole("qk-pos-emb-head-dim", m_.mla.qk_rope_head_dim);
      a.whole("v-head-dim", m_.mla.v_head_dim);
    } else {
      a.whole("kv-channels", m_.head_dim);
      if (m_.kv_heads != m_.heads) {
        a.option("group-query-attention");
        a.whole("num-query-groups", m_.kv_heads);
      }
    }
    if (m_.is_moe()) {
      a.whole("num-experts", m_.moe.experts);
      a.whole("moe-router-topk", m_.moe.experts_per_token);
      a.whole("moe-ffn-hidden-size", m_.moe.ffn_hidden);
      if (m_.moe.shared_ffn_hidden > 0) {
        a.whole("moe-shared-expert-intermediate-size", m_.moe.shared_ffn_hidden);
      }
      a.option("moe-grouped-gemm");
    }
    a.option("swiglu", m_.gated);
    a.text("normalization", m_.norm == Norm::rmsnorm ? "RMSNorm" : "LayerNorm");
    a.text("position-embedding-type", m_.learned_positions > 0 ? "learned_absolute" : "rope");
    if (const Rotary* rotary = rotary_of()) {
      a.whole("rotary-base", static_cast<std::int64_t>(rotary->base));
      if (rotary->scaling > 0) {
        a.option("use-rope-scaling");
        a.whole("rope-scaling-factor", static_cast<std::int64_t>(rotary->scaling));
      }
    }
    a.option("untie-embeddings-and-output-weights", !m_.tied_embeddings);
    a.option("disable-bias-linear", !m_.bias_mlp);
    a.option("add-qkv-bias", m_.bias_qkv && !m_.bias_mlp);
    a.option("qk-layernorm", m_.qk_norm);
    a.whole("seq-length", t_.sequence_length);
    a.whole("max-position-embeddings", std::max(t_.sequence_length, m_.learned_positions));
    a.whole("micro-batch-size", t_.micro_batch);
    a.whole("global-batch-size", t_.global_batch);
    a.raw("train-iters", std::to_string(steps()));
    a.text("optimizer", optimizer_.megatron);
    schedule(a);
    a.option(fp16_ ? "fp16" : "bf16", bf16_ || fp16_ || fp8_);
    if (fp8_) a.text("fp8-format", "hybrid");
    if (*s_.precision == "mxfp8") a.text("fp8-recipe", "mxfp8");
    a.option("use-flash-attn", t_.flash_attention);
    if (t_.recompute == Recompute::full) {
      a.text("recompute-granularity", "full");
      const double share = t_.recompute_share;
      const double layers = real(m_.layers) / real(l_.pp * l_.virtual_stages);
      a.text("recompute-method", share < 1 ? "block" : "uniform");
      // Of each chunk of layers, the first so many (block); one at a time of all (uniform).
      a.whole("recompute-num-layers",
              share < 1 ? std::max<std::int64_t>(1, std::llround(share * layers)) : 1);
    } else if (t_.recompute == Recompute::selective) {
      a.text("recompute-granularity", "selective");
    }
    a.option("cross-entropy-loss-fusion", t_.fused_loss);
    a.text("tokenizer-type", "NullTokenizer");
    a.whole("vocab-size", m_.vocab);
    a.text("data-path", "DATA");
    a.text("save", "CHECKPOINTS");
    add(tool, "megatron.args", "shell", a.take());
  }

  /// Megatron's own schedule. A long run warms up over so many steps, a short one over a share.
  void schedule(Lines& a) {
    a.raw("lr", scientific(rate_, "LEARNING_RATE"));
    a.text("lr-decay-style", "cosine");
    const bool pretrain = t_.kind == TrainingKind::pretrain;
    constexpr double kLong = 10;  // times the steps of warm-up
    if (pretrain && real(steps()) >= kLong * h_.pretrain_warmup_steps) {
      a.whole("lr-warmup-iters", static_cast<std::int64_t>(h_.pretrain_warmup_steps));
    } else {
      a.raw("lr-warmup-fraction", hundredths(h_.tuning_warmup_share));
    }
    a.raw("min-lr", pretrain && rate_ > 0 ? scientific(rate_ * h_.pretrain_least_rate, "0") : "0");
    if (!pretrain) return;
    a.raw("weight-decay", hundredths(h_.weight_decay));
    if (std::string_view(optimizer_.megatron) == "adam") {
      a.raw("adam-beta2", hundredths(h_.adam_beta2));
    }
    a.raw("clip-grad", "1.0");
  }

  /// Null where the model has no rotary embeddings, or nobody says which.
  const Rotary* rotary_of() const {
    if (r_.resolved.model == nullptr || m_.learned_positions > 0) return nullptr;
    for (const Rotary& each : h_.rotary) {
      if (each.family == r_.resolved.model->family) return &each;
    }
    return nullptr;
  }

  bool has_recipe(std::string_view tool) const {
    return std::any_of(found_.recipes.begin(), found_.recipes.end(),
                       [tool](const Recipe& each) { return each.tool == tool; });
  }

  std::int64_t steps() const {
    const double whole = t_.tokens / real(t_.sequence_length * t_.global_batch);
    constexpr double kMost = 9e15;
    const auto complete = static_cast<std::int64_t>(std::min(whole, kMost));
    return real(complete) < whole ? complete + 1 : complete;
  }

  void torchrun() {
    const bool megatron = r_.resolved.stack->has_megatron_layouts();
    std::string line;
    if (megatron && m_.learned_positions == 0 && rotary_of() == nullptr) {
      line += "# Not known here for this model: --rotary-base. Megatron-LM's default is 10000.\n";
    }
    line += "torchrun";
    if (nodes_ > 1) {
      line += " --nnodes " + std::to_string(nodes_) +
              " --rdzv_backend c10d --rdzv_endpoint HEAD_NODE:" + std::to_string(kPort) +
              " --rdzv_id run";
    } else {
      line += " --standalone";
    }
    line += " --nproc_per_node " + std::to_string(per_node_);
    line += megatron ? " pretrain_gpt.py $(cat megatron.args)" : " TRAIN.py";
    line += '\n';
    add("torchrun", "launch.sh", "shell", std::move(line));
  }

  void llama_factory() {
    const char* tool = "llama_factory";
    bool refused = refuse_degrees(tool);
    refused = refuse_groups(tool, true) || refused;
    refused = refuse_precision(tool) || refused;
    if (optimizer_.hf == nullptr && job_.optimizer->id != "muon") {
      refused = refuse(tool, "optimizer", "bytes", job_.states.optimizer());
    }
    if (recomputes_in_part()) {
      refused = refuse(tool, "selective_recompute", "layers", real(m_.layers));
    }
    if (l_.offload == Offload::activations) {
      refused = refuse(tool, "activation_offload", "zero", real(l_.zero));
    }
    if (refused) return;
    Lines y(Lines::Style::yaml);
    y.text("model_name_or_path", model_path());
    y.text("stage", t_.kind == TrainingKind::pretrain ? "pt" : "sft");
    y.flag("do_train", true);
    y.text("finetuning_type", t_.adapters() ? "lora" : "full");
    if (t_.adapters()) {
      y.whole("lora_rank", t_.lora.rank);
      if (h_.adapter_alpha > 0) {
        y.whole("lora_alpha", static_cast<std::int64_t>(h_.adapter_alpha));
      }
      // As memory was estimated: a stack without dropout keeps no masks.
      y.raw("lora_dropout",
            hundredths(job_.stack.adapter_dropout ? sized(h_.adapter_dropout, size_) : 0));
      y.text("lora_target", targets());
      if (t_.lora.quantization != Quantization::none &&
          t_.lora.quantization != Quantization::gptq) {  // a GPTQ model says so itself
        const bool eight = t_.lora.quantization == Quantization::int8;
        y.whole("quantization_bit", eight ? 8 : 4);
        y.text("quantization_method", "bnb");
        if (!eight) {
          y.flag("double_quantization", t_.lora.quantization == Quantization::nf4_double);
        }
      }
    }
    y.text("dataset", "DATASET");
    if (t_.kind != TrainingKind::pretrain) {
      y.comment("Not known here: the chat template by LLaMA-Factory's name (llama3, qwen, ...).");
      y.text("template", "TEMPLATE");
    }
    y.whole("cutoff_len", t_.sequence_length);
    y.flag("packing", true);
    y.whole("per_device_train_batch_size", t_.micro_batch);
    y.whole("gradient_accumulation_steps", job_.micro_batches());
    y.raw("max_steps", std::to_string(steps()));
    y.raw("learning_rate", scientific(rate_, "LEARNING_RATE"));
    y.text("lr_scheduler_type", "cosine");
    y.raw("warmup_ratio", hundredths(h_.tuning_warmup_share));
    if (bf16_ || fp16_) y.flag(bf16_ ? "bf16" : "fp16", true);
    if (*s_.precision == "bf16-pure") y.flag("pure_bf16", true);
    if (optimizer_.hf != nullptr) {
      y.text("optim", optimizer_.hf);
    } else {
      y.flag("use_muon", true);
    }
    y.flag("disable_gradient_checkpointing", t_.recompute == Recompute::none);
    y.text("flash_attn", t_.flash_attention ? "fa2" : "disabled");
    if (t_.fused_loss) y.flag("enable_liger_kernel", true);
    if (r_.resolved.stack->family == "unsloth") y.flag("use_unsloth", true);
    if (l_.zero > 0) y.text("deepspeed", "ds_config.json");
    y.text("output_dir", "CHECKPOINTS");
    add(tool, "llama_factory.yaml", "yaml", y.take());
  }

  /// The Hugging Face repository, where an alias is one.
  std::string model_path() const {
    if (r_.resolved.model != nullptr && !r_.resolved.scaled_model) {
      for (const std::string_view alias : r_.resolved.model->aliases) {
        if (alias.find('/') != std::string_view::npos) return std::string(alias);
      }
    }
    return "MODEL";
  }

  std::string targets() const {
    if (t_.lora.targets == lora_target::all_linear) return "all";
    constexpr const char* kNames[] = {"q_proj",    "k_proj",  "v_proj",   "o_proj",
                                      "gate_proj", "up_proj", "down_proj"};
    std::string list;
    for (unsigned i = 0; i < 7; ++i) {
      if ((t_.lora.targets & (1U << i)) == 0) continue;
      if (!list.empty()) list += ',';
      list += kNames[i];
    }
    return list;
  }

  const Report& r_;
  const RecipeHabits& h_;
  const Job& job_;
  const Layout& l_;
  const Training& t_;
  const Model& m_;
  const Scenario& s_;
  NamedOptimizer optimizer_{};
  bool bf16_ = false;
  bool fp16_ = false;
  bool fp8_ = false;
  bool pure_ = false;
  double size_ = 0;  ///< parameters that a token uses
  double rate_ = 0;  ///< peak learning rate; 0: not known
  std::int64_t per_node_ = 1;
  std::int64_t nodes_ = 1;
  Recipes found_;
};

}  // namespace

Recipes write_recipes(const Report& report, const RecipeHabits& habits) {
  return Writer(report, habits).run();
}

}  // namespace traintally
