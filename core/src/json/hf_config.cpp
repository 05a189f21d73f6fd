#include "hf_config.hpp"

#include <initializer_list>
#include <optional>
#include <string_view>

#include <traintally/resolve.hpp>

#include "../nearest.hpp"
#include "reader.hpp"

namespace traintally {
namespace {

using Names = std::initializer_list<const char*>;

constexpr double real(std::int64_t n) { return static_cast<double>(n); }

/// What a model family's code does without its config saying so. Read from the classes of the same
/// model_type in huggingface/transformers (and the remote code of chatglm, qwen, baichuan).
struct Family {
  const char* type;
  bool gated = true;
  bool tied = false;  ///< where tie_word_embeddings is left out
  Norm norm = Norm::rmsnorm;
  double norms_per_layer = 2;
  bool bias_qkv = false;
  bool bias_out = false;
  bool bias_mlp = false;
  bool bias_head = false;
  bool qk_norm = false;
  double ffn_ratio = 0;  ///< FFN size over hidden size where the config leaves it out
};

constexpr Family kFamilies[] = {
    {.type = "gpt2",
     .gated = false,
     .tied = true,
     .norm = Norm::layernorm,
     .bias_qkv = true,
     .bias_out = true,
     .bias_mlp = true,
     .ffn_ratio = 4},
    {.type = "gpt_bigcode",
     .gated = false,
     .tied = true,
     .norm = Norm::layernorm,
     .bias_qkv = true,
     .bias_out = true,
     .bias_mlp = true,
     .ffn_ratio = 4},
    {.type = "gpt_neo",
     .gated = false,
     .tied = true,
     .norm = Norm::layernorm,
     .bias_out = true,
     .bias_mlp = true,
     .ffn_ratio = 4},
    {.type = "gptj",
     .gated = false,
     .norm = Norm::layernorm,
     .norms_per_layer = 1,
     .bias_mlp = true,
     .bias_head = true,
     .ffn_ratio = 4},
    {.type = "codegen",
     .gated = false,
     .norm = Norm::layernorm,
     .norms_per_layer = 1,
     .bias_mlp = true,
     .bias_head = true,
     .ffn_ratio = 4},
    {.type = "gpt_neox",
     .gated = false,
     .norm = Norm::layernorm,
     .bias_qkv = true,
     .bias_out = true,
     .bias_mlp = true},
    {.type = "opt",
     .gated = false,
     .tied = true,
     .norm = Norm::layernorm,
     .bias_qkv = true,
     .bias_out = true,
     .bias_mlp = true},
    {.type = "bloom",
     .gated = false,
     .tied = true,
     .norm = Norm::layernorm,
     .bias_qkv = true,
     .bias_out = true,
     .bias_mlp = true,
     .ffn_ratio = 4},
    {.type = "falcon", .gated = false, .tied = true, .norm = Norm::layernorm, .ffn_ratio = 4},
    {.type = "RefinedWeb", .gated = false, .tied = true, .norm = Norm::layernorm, .ffn_ratio = 4},
    {.type = "RefinedWebModel",
     .gated = false,
     .tied = true,
     .norm = Norm::layernorm,
     .ffn_ratio = 4},
    {.type = "mpt", .gated = false, .tied = true, .ffn_ratio = 4},
    {.type = "phi",
     .gated = false,
     .norm = Norm::layernorm,
     .norms_per_layer = 1,
     .bias_qkv = true,
     .bias_out = true,
     .bias_mlp = true,
     .bias_head = true},
    {.type = "phimoe",
     .norm = Norm::layernorm,
     .bias_qkv = true,
     .bias_out = true,
     .bias_head = true},
    {.type = "starcoder2", .gated = false, .tied = true, .norm = Norm::layernorm},
    {.type = "nemotron", .gated = false, .norm = Norm::layernorm},
    {.type = "persimmon",
     .gated = false,
     .norm = Norm::layernorm,
     .bias_qkv = true,
     .bias_out = true,
     .bias_mlp = true},
    {.type = "stablelm", .norm = Norm::layernorm},
    {.type = "cohere", .tied = true, .norms_per_layer = 1},
    {.type = "cohere2", .tied = true, .norms_per_layer = 1},
    {.type = "dbrx"},
    {.type = "olmo", .norms_per_layer = 0},
    {.type = "olmo2"},
    {.type = "olmoe"},
    {.type = "gemma", .tied = true},
    {.type = "gemma2", .tied = true, .norms_per_layer = 4},
    {.type = "gemma3", .tied = true, .norms_per_layer = 4, .qk_norm = true},
    {.type = "gemma3_text", .tied = true, .norms_per_layer = 4, .qk_norm = true},
    {.type = "qwen", .bias_qkv = true},
    {.type = "qwen2", .bias_qkv = true},
    {.type = "qwen2_vl", .bias_qkv = true},
    {.type = "qwen2_5_vl", .bias_qkv = true},
    {.type = "qwen2_moe", .bias_qkv = true},
    {.type = "qwen3", .qk_norm = true},
    {.type = "qwen3_moe", .qk_norm = true},
    {.type = "glm4", .norms_per_layer = 4},
    {.type = "gpt_oss", .bias_mlp = true},
    {.type = "grok-1", .tied = true, .norms_per_layer = 4},
    {.type = "minicpm", .tied = true},
    {.type = "minicpm3", .tied = true},
};

/// Architectures whose size or work does not follow from the fields here.
constexpr const char* kUnsupported[] = {
    "mamba",      "mamba2", "falcon_mamba",     "jamba",   "bamba",
    "rwkv",       "rwkv5",  "recurrent_gemma",  "t5",      "mt5",
    "bart",       "bert",   "gpt_neo_japanese", "minimax", "minimax_text_01",
    "qwen3_next", "zamba",  "zamba2",           "xlnet"};

class ConfigReader {
 public:
  ConfigReader(const JsonValue& config, std::string at, Model& model, Problems& problems)
      : config_(&config), at_(std::move(at)), m_(model), problems_(problems) {}

  bool read() {
    const std::size_t before = problems_.size();
    if (!config_->is_object()) {
      add_problem(problems_, at_, "wrong_type", "object");
      return false;
    }
    enter_text_model();
    choose_family();
    if (problems_.size() > before) return false;
    read_sizes();
    read_norms_and_biases();
    if (problems_.size() > before) return false;
    read_latent_attention();
    read_experts();
    read_positions_and_windows();
    if (problems_.size() > before) return false;
    check_model(m_, at_, problems_);
    return problems_.size() == before;
  }

 private:
  // Fields.

  const JsonValue* field(const char* name) const { return member(*config_, name); }

  static const JsonValue* member(const JsonValue& object, const char* name) {
    const JsonValue* found = object.find(name);
    return found == nullptr || found->is_null() ? nullptr : found;
  }

  std::optional<std::int64_t> whole_in(const JsonValue& object, const std::string& at, Names names,
                                       WholeRange range) {
    for (const char* name : names) {
      const JsonValue* node = member(object, name);
      if (node == nullptr) continue;
      if (node->is_array()) {
        if (node->size() == 0) continue;
        node = &*node->begin();  // one value a layer, all alike
      }
      const std::string place = pointer(at, name);
      const std::optional<std::int64_t> value = node->whole();
      if (!value) {
        add_problem(problems_, place, "wrong_type", "integer");
        return std::nullopt;
      }
      if (!check_range(*value, range, place, problems_)) return std::nullopt;
      return value;
    }
    return std::nullopt;
  }

  std::optional<std::int64_t> whole(Names names, WholeRange range) {
    return whole_in(*config_, at_, names, range);
  }

  std::int64_t needed(Names names, WholeRange range) {
    const std::size_t before = problems_.size();
    const std::optional<std::int64_t> value = whole(names, range);
    if (!value && problems_.size() == before) {
      std::string accepts;
      for (const char* name : names) {
        if (!accepts.empty()) accepts += ", ";
        accepts += name;
      }
      add_problem(problems_, pointer(at_, *names.begin()), "missing", std::move(accepts));
    }
    return value.value_or(0);
  }

  std::optional<bool> flag(Names names) const {
    for (const char* name : names) {
      const JsonValue* node = field(name);
      if (node == nullptr) continue;
      if (node->is_boolean()) return node->boolean();
    }
    return std::nullopt;
  }

  std::string_view text(const char* name) const {
    const JsonValue* node = field(name);
    return node == nullptr ? std::string_view() : node->text();
  }

  bool is(std::initializer_list<std::string_view> types) const {
    for (const std::string_view type : types) {
      if (type == type_) return true;
    }
    return false;
  }

  // Steps.

  /// Multimodal configs carry the language model's inside.
  void enter_text_model() {
    for (const char* name : {"text_config", "llm_config", "language_config"}) {
      const JsonValue* inner = field(name);
      if (inner == nullptr || !inner->is_object()) continue;
      outer_ = config_;
      config_ = inner;
      at_ = pointer(at_, name);
      return;
    }
  }

  void choose_family() {
    type_ = text("model_type");
    bool encoder_decoder = flag({"is_encoder_decoder"}).value_or(false);
    for (const char* type : kUnsupported) encoder_decoder = encoder_decoder || type_ == type;
    if (encoder_decoder) {
      add_problem(problems_, pointer(at_, "model_type"), "unsupported_architecture",
                  "decoder-only transformer");
      return;
    }
    family_ = {.type = ""};
    for (const Family& family : kFamilies) {
      if (type_ == family.type) family_ = family;
    }
  }

  void read_sizes() {
    m_.layers = needed({"num_hidden_layers", "n_layer", "n_layers", "num_layers"}, limits::layers);
    m_.hidden = needed({"hidden_size", "n_embd", "d_model", "model_dim"}, limits::hidden);
    m_.heads = needed({"num_attention_heads", "n_head", "n_heads", "num_heads"}, limits::heads);
    m_.vocab = needed({"padded_vocab_size", "vocab_size", "embedding_size"}, limits::vocab);
    if (m_.layers < 1 || m_.hidden < 1 || m_.heads < 1 || m_.vocab < 1) return;
    m_.kv_heads = kv_heads();
    m_.head_dim = whole({"head_dim", "kv_channels", "attention_head_dim"}, limits::head_dim)
                      .value_or(m_.hidden / m_.heads);
    m_.ffn_hidden = ffn_hidden();
    m_.gated = family_.gated;
    m_.tied_embeddings = tied();
    if (is({"opt"})) {
      const std::int64_t projected =
          whole({"word_embed_proj_dim"}, limits::hidden).value_or(m_.hidden);
      if (projected != m_.hidden) {  // OPT-350m alone: a projection on either side
        m_.extra_parameters += 2 * projected * m_.hidden - m_.vocab * (m_.hidden - projected);
      }
    }
  }

  std::int64_t kv_heads() {
    if (is({"falcon", "RefinedWeb", "RefinedWebModel"})) {
      const bool grouped = flag({"new_decoder_architecture"}).value_or(is({"RefinedWeb"}));
      if (grouped) {
        return whole({"num_kv_heads", "n_head_kv"}, limits::heads).value_or(m_.heads);
      }
      return flag({"multi_query"}).value_or(true) ? 1 : m_.heads;
    }
    if (is({"gpt_bigcode"})) return flag({"multi_query"}).value_or(true) ? 1 : m_.heads;
    if (flag({"multi_query_attention"}).value_or(false)) {
      return needed({"multi_query_group_num"}, limits::heads);
    }
    if (const JsonValue* attention = field("attn_config")) {
      return whole_in(*attention, pointer(at_, "attn_config"), {"kv_n_heads"}, limits::heads)
          .value_or(m_.heads);
    }
    return whole({"num_key_value_heads", "num_kv_heads", "n_head_kv", "num_query_groups"},
                 limits::heads)
        .value_or(m_.heads);
  }

  std::int64_t ffn_hidden() {
    if (const JsonValue* ffn = field("ffn_config")) {  // DBRX: experts alone
      return whole_in(*ffn, pointer(at_, "ffn_config"), {"ffn_hidden_size"}, limits::ffn_hidden)
          .value_or(0);
    }
    if (is({"llama4", "llama4_text"})) {
      if (const auto dense = whole({"intermediate_size_mlp"}, limits::ffn_hidden)) return *dense;
    }
    if (is({"mpt"})) {
      const JsonValue* ratio = field("expansion_ratio");
      const double factor = ratio != nullptr && ratio->is_number() ? ratio->number() : 4;
      return within(factor * real(m_.hidden), "expansion_ratio");
    }
    const Names names = {"intermediate_size", "ffn_hidden_size", "ffn_dim",
                         "n_inner",           "inner_size",      "ffn_hidden"};
    const std::optional<std::int64_t> given = whole(names, limits::ffn_hidden);
    if (!given && family_.ffn_ratio > 0) {
      return within(family_.ffn_ratio * real(m_.hidden), "hidden_size");
    }
    const std::int64_t size = given ? *given : needed(names, limits::ffn_hidden);
    return is({"qwen"}) ? size / 2 : size;  // Qwen 1 counts both halves of its gated layer
  }

  std::int64_t within(double size, const char* name) {
    if (size >= 1 && size <= real(limits::ffn_hidden.high)) return static_cast<std::int64_t>(size);
    add_problem(problems_, pointer(at_, name), "out_of_range",
                "FFN size >= 1, <= " + std::to_string(limits::ffn_hidden.high));
    return 0;
  }

  bool tied() const {
    if (const std::optional<bool> inner = flag({"tie_word_embeddings"})) return *inner;
    if (outer_ != nullptr) {
      const JsonValue* node = member(*outer_, "tie_word_embeddings");
      if (node != nullptr && node->is_boolean()) return node->boolean();
    }
    return family_.tied;
  }

  void read_norms_and_biases() {
    m_.norm = family_.norm;
    m_.norms_per_layer = family_.norms_per_layer;
    m_.final_norm = !is({"olmo"});
    m_.embedding_norm = is({"bloom"});
    m_.bias_qkv = family_.bias_qkv;
    m_.bias_attention_out = family_.bias_out;
    m_.bias_mlp = family_.bias_mlp;
    m_.bias_head = family_.bias_head;
    m_.qk_norm = flag({"use_qk_norm", "qk_layernorm"}).value_or(family_.qk_norm);

    if (is({"falcon", "RefinedWeb", "RefinedWebModel"})) {
      const bool all = flag({"bias"}).value_or(false);
      m_.bias_qkv = m_.bias_attention_out = m_.bias_mlp = all;
      const bool grouped = flag({"new_decoder_architecture"}).value_or(is({"RefinedWeb"}));
      if (!grouped && flag({"parallel_attn"}).value_or(true)) m_.norms_per_layer = 1;
    } else if (is({"mpt"})) {
      const bool all = !flag({"no_bias"}).value_or(true);
      m_.bias_qkv = m_.bias_attention_out = m_.bias_mlp = all;
      m_.norm = all ? Norm::layernorm : Norm::rmsnorm;  // without biases: the size of an rmsnorm
    } else if (is({"starcoder2"})) {
      const bool all = flag({"use_bias"}).value_or(true);
      m_.bias_qkv = m_.bias_attention_out = m_.bias_mlp = all;
    } else if (is({"gpt_neox"})) {
      m_.bias_qkv = m_.bias_attention_out = flag({"attention_bias"}).value_or(true);
    } else if (is({"opt"})) {
      m_.bias_qkv = m_.bias_attention_out = m_.bias_mlp = flag({"enable_bias"}).value_or(true);
    } else if (is({"chatglm"})) {
      m_.bias_qkv = flag({"add_qkv_bias"}).value_or(false);
      const bool all = flag({"add_bias_linear"}).value_or(false);
      m_.bias_qkv = m_.bias_qkv || all;
      m_.bias_attention_out = m_.bias_mlp = all;
    } else if (is({"glm", "glm4", "glm4_moe"})) {
      m_.bias_qkv = flag({"attention_bias"}).value_or(false);
    } else if (is({"stablelm"})) {
      m_.bias_qkv = flag({"use_qkv_bias"}).value_or(false);
    } else if (is({"gpt_oss"})) {
      m_.bias_qkv = m_.bias_attention_out = flag({"attention_bias"}).value_or(true);
      m_.extra_parameters += m_.layers * m_.heads;  // attention sinks
    } else if (family_.type == std::string_view("")) {
      m_.bias_qkv = flag({"qkv_bias"}).value_or(false);
      if (flag({"attention_bias", "bias"}).value_or(false)) {
        m_.bias_qkv = m_.bias_attention_out = true;
      }
      m_.bias_mlp = flag({"mlp_bias"}).value_or(false);
    }
    if (is({"olmo2", "olmoe"})) {  // one norm over the width of all heads
      m_.extra_parameters += m_.layers * (m_.heads + m_.kv_heads) * m_.head_dim;
    }
  }

  void read_latent_attention() {
    const std::optional<std::int64_t> rank = whole({"kv_lora_rank"}, limits::latent_rank);
    if (!rank) return;
    m_.mla.kv_lora_rank = *rank;
    m_.mla.q_lora_rank = whole({"q_lora_rank"}, limits::optional_rank).value_or(0);
    m_.mla.qk_nope_head_dim = needed({"qk_nope_head_dim"}, limits::head_dim);
    m_.mla.qk_rope_head_dim = needed({"qk_rope_head_dim"}, limits::part_dim);
    m_.mla.v_head_dim = needed({"v_head_dim"}, limits::head_dim);
    m_.kv_heads = m_.heads;
  }

  void read_experts() {
    const JsonValue* inner = field("ffn_config");
    std::optional<std::int64_t> experts;
    MixtureOfExperts moe;
    if (inner != nullptr) {
      const std::string at = pointer(at_, "ffn_config");
      experts = whole_in(*inner, at, {"moe_num_experts"}, limits::experts);
      moe.experts_per_token = whole_in(*inner, at, {"moe_top_k"}, limits::experts).value_or(1);
    } else {
      experts = whole({"num_local_experts", "n_routed_experts", "num_experts", "moe_num_experts"},
                      limits::experts);
      if (!experts || *experts < 2) return;
      moe.experts_per_token = needed({"num_experts_per_tok", "experts_per_token", "moe_topk",
                                      "moe_top_k", "moe_k", "num_selected_experts"},
                                     limits::experts);
    }
    if (!experts || *experts < 2) return;
    moe.experts = *experts;
    const std::int64_t expert_width =
        whole({"moe_intermediate_size", "expert_dim"}, limits::expert_hidden)
            .value_or(whole({"intermediate_size"}, limits::ffn_hidden).value_or(m_.ffn_hidden));
    moe.ffn_hidden = expert_width;
    read_shared_experts(moe);
    read_mixture_layers(moe);
    moe.router_bias = is({"gpt_oss"}) || text("topk_method") == "noaux_tc" ||
                      flag({"moe_router_enable_expert_bias"}).value_or(false) || is({"glm4_moe"});
    m_.moe = moe;
    if (m_.dense_layers() == 0) m_.ffn_hidden = 0;
  }

  void read_shared_experts(MixtureOfExperts& moe) {
    if (const auto width = whole({"shared_expert_intermediate_size"}, limits::ffn_hidden)) {
      moe.shared_ffn_hidden = *width;
      moe.shared_gate = *width > 0 && is({"qwen2_moe"});
      return;
    }
    if (is({"llama4", "llama4_text"})) {
      moe.shared_ffn_hidden = moe.ffn_hidden;
      return;
    }
    const std::int64_t shared =
        whole({"n_shared_experts", "num_shared_expert", "moe_num_shared_experts"},
              limits::shared_experts)
            .value_or(0);
    moe.shared_ffn_hidden = shared * moe.ffn_hidden;
  }

  void read_mixture_layers(MixtureOfExperts& moe) {
    moe.first_dense_layers =
        whole({"first_k_dense_replace", "moe_layer_start_index"}, limits::some_layers).value_or(0);
    const std::int64_t step = whole({"decoder_sparse_step", "interleave_moe_layer_step",
                                     "moe_layer_freq", "moe_layer_interval"},
                                    limits::layers)
                                  .value_or(1);
    std::int64_t dense = 0;
    if (const JsonValue* only = field("mlp_only_layers")) {
      dense = static_cast<std::int64_t>(only->size());
    }
    const std::int64_t candidates = m_.layers - moe.first_dense_layers - dense;
    moe.layers = candidates > 0 ? candidates / step : 0;
  }

  void read_positions_and_windows() {
    m_.max_sequence = whole({"max_position_embeddings", "n_positions", "max_seq_len", "seq_length",
                             "n_ctx", "max_sequence_length", "model_max_length"},
                            limits::positions)
                          .value_or(0);
    if (is({"gpt2", "gpt_bigcode", "gpt_neo"})) m_.learned_positions = m_.max_sequence;
    if (is({"opt"})) m_.learned_positions = m_.max_sequence + 2;  // two rows of offset
    if (is({"mpt"})) {
      const JsonValue* attention = field("attn_config");
      const JsonValue* alibi = attention == nullptr ? nullptr : member(*attention, "alibi");
      if (alibi == nullptr || !alibi->boolean()) m_.learned_positions = m_.max_sequence;
    }
    read_window();
  }

  void read_window() {
    if (field("use_sliding_window") != nullptr && !flag({"use_sliding_window"}).value_or(false)) {
      return;
    }
    const std::optional<std::int64_t> window = whole({"sliding_window"}, limits::positions);
    if (!window || *window == 0) return;
    if (m_.max_sequence > 0 && *window >= m_.max_sequence) return;  // no position lies outside
    m_.sliding_window = *window;
    m_.windowed_layer_share = 1;
    if (const JsonValue* types = field("layer_types")) {
      std::int64_t windowed = 0;
      std::int64_t count = 0;
      if (types->is_array()) {
        for (const JsonValue& type : *types) {
          ++count;
          if (type.text() == "sliding_attention") ++windowed;
        }
      }
      if (count > 0) m_.windowed_layer_share = real(windowed) / real(count);
      return;
    }
    if (is({"gemma2", "gpt_oss"})) m_.windowed_layer_share = 0.5;  // every other layer
    if (is({"gemma3", "gemma3_text", "cohere2"})) {
      const std::int64_t pattern =
          whole({"sliding_window_pattern"}, limits::full_every).value_or(is({"cohere2"}) ? 4 : 6);
      const std::int64_t full = m_.layers / pattern;
      m_.windowed_layer_share = real(m_.layers - full) / real(m_.layers);
    }
  }

  const JsonValue* config_;
  const JsonValue* outer_ = nullptr;
  std::string at_;
  std::string_view type_;
  Family family_{.type = ""};
  Model& m_;
  Problems& problems_;
};

}  // namespace

bool read_hf_config(const JsonValue& config, const std::string& at, Model& model,
                    Problems& problems) {
  return ConfigReader(config, at, model, problems).read();
}

}  // namespace traintally
