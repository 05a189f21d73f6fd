// Hugging Face configs as they are published, against the shapes that the catalogue carries.

#include <string>

#include <doctest/doctest.h>

#include "answers.hpp"
#include "json/hf_config.hpp"

namespace traintally::testing {
namespace {

struct Config {
  const char* model;  // catalogue id that it is
  const char* text;
};

// The fields that say something about size, as in the published config.json of each.
constexpr Config kConfigs[] = {
    {"llama-3.1-8b",
     R"({"architectures":["LlamaForCausalLM"],"model_type":"llama","hidden_size":4096,
         "intermediate_size":14336,"num_attention_heads":32,"num_hidden_layers":32,
         "num_key_value_heads":8,"vocab_size":128256,"tie_word_embeddings":false,
         "attention_bias":false,"mlp_bias":false,"max_position_embeddings":131072,
         "rope_scaling":{"factor":8.0},"hidden_act":"silu"})"},
    {"llama-3.2-1b",
     R"({"model_type":"llama","head_dim":64,"hidden_size":2048,"intermediate_size":8192,
         "num_attention_heads":32,"num_hidden_layers":16,"num_key_value_heads":8,
         "vocab_size":128256,"tie_word_embeddings":true})"},
    {"llama-2-70b",
     R"({"model_type":"llama","hidden_size":8192,"intermediate_size":28672,
         "num_attention_heads":64,"num_hidden_layers":80,"num_key_value_heads":8,
         "vocab_size":32000})"},
    {"mistral-7b-v0.1",
     R"({"model_type":"mistral","hidden_size":4096,"intermediate_size":14336,
         "num_attention_heads":32,"num_hidden_layers":32,"num_key_value_heads":8,
         "sliding_window":4096,"vocab_size":32000,"tie_word_embeddings":false})"},
    {"mixtral-8x7b",
     R"({"model_type":"mixtral","hidden_size":4096,"intermediate_size":14336,
         "num_attention_heads":32,"num_hidden_layers":32,"num_key_value_heads":8,
         "num_experts_per_tok":2,"num_local_experts":8,"sliding_window":null,
         "vocab_size":32000})"},
    {"qwen2.5-7b",
     R"({"model_type":"qwen2","hidden_size":3584,"intermediate_size":18944,
         "num_attention_heads":28,"num_hidden_layers":28,"num_key_value_heads":4,
         "sliding_window":131072,"use_sliding_window":false,"tie_word_embeddings":false,
         "vocab_size":152064})"},
    {"qwen2.5-0.5b",
     R"({"model_type":"qwen2","hidden_size":896,"intermediate_size":4864,
         "num_attention_heads":14,"num_hidden_layers":24,"num_key_value_heads":2,
         "tie_word_embeddings":true,"vocab_size":151936})"},
    {"qwen1.5-moe-a2.7b",
     R"({"model_type":"qwen2_moe","hidden_size":2048,"intermediate_size":5632,
         "moe_intermediate_size":1408,"shared_expert_intermediate_size":5632,
         "num_attention_heads":16,"num_hidden_layers":24,"num_key_value_heads":16,
         "num_experts":60,"num_experts_per_tok":4,"decoder_sparse_step":1,
         "tie_word_embeddings":false,"vocab_size":151936})"},
    {"qwen2-57b-a14b",
     R"({"model_type":"qwen2_moe","hidden_size":3584,"intermediate_size":18944,
         "moe_intermediate_size":2560,"shared_expert_intermediate_size":20480,
         "num_attention_heads":28,"num_hidden_layers":28,"num_key_value_heads":4,
         "num_experts":64,"num_experts_per_tok":8,"decoder_sparse_step":1,
         "tie_word_embeddings":false,"vocab_size":151936})"},
    {"qwen3-8b",
     R"({"model_type":"qwen3","head_dim":128,"hidden_size":4096,"intermediate_size":12288,
         "num_attention_heads":32,"num_hidden_layers":36,"num_key_value_heads":8,
         "attention_bias":false,"tie_word_embeddings":false,"vocab_size":151936})"},
    {"qwen3-30b-a3b",
     R"({"model_type":"qwen3_moe","head_dim":128,"hidden_size":2048,"intermediate_size":6144,
         "moe_intermediate_size":768,"num_attention_heads":32,"num_hidden_layers":48,
         "num_key_value_heads":4,"num_experts":128,"num_experts_per_tok":8,
         "decoder_sparse_step":1,"mlp_only_layers":[],"attention_bias":false,
         "tie_word_embeddings":false,"vocab_size":151936})"},
    {"deepseek-v2-lite",
     R"({"model_type":"deepseek_v2","hidden_size":2048,"intermediate_size":10944,
         "moe_intermediate_size":1408,"num_attention_heads":16,"num_key_value_heads":16,
         "num_hidden_layers":27,"n_routed_experts":64,"n_shared_experts":2,
         "num_experts_per_tok":6,"first_k_dense_replace":1,"moe_layer_freq":1,
         "kv_lora_rank":512,"q_lora_rank":null,"qk_nope_head_dim":128,"qk_rope_head_dim":64,
         "v_head_dim":128,"topk_method":"greedy","attention_bias":false,"vocab_size":102400})"},
    {"deepseek-v3",
     R"({"model_type":"deepseek_v3","hidden_size":7168,"intermediate_size":18432,
         "moe_intermediate_size":2048,"num_attention_heads":128,"num_key_value_heads":128,
         "num_hidden_layers":61,"n_routed_experts":256,"n_shared_experts":1,
         "num_experts_per_tok":8,"first_k_dense_replace":3,"moe_layer_freq":1,
         "kv_lora_rank":512,"q_lora_rank":1536,"qk_nope_head_dim":128,"qk_rope_head_dim":64,
         "v_head_dim":128,"topk_method":"noaux_tc","attention_bias":false,"vocab_size":129280})"},
    {"gpt-2-124m",
     R"({"model_type":"gpt2","n_ctx":1024,"n_embd":768,"n_head":12,"n_layer":12,
         "n_positions":1024,"vocab_size":50257,"activation_function":"gelu_new"})"},
    {"gpt-j-6b",
     R"({"model_type":"gptj","n_embd":4096,"n_head":16,"n_inner":null,"n_layer":28,
         "n_positions":2048,"tie_word_embeddings":false,"vocab_size":50400})"},
    {"gpt-neox-20b",
     R"({"model_type":"gpt_neox","hidden_size":6144,"intermediate_size":24576,
         "num_attention_heads":64,"num_hidden_layers":44,"max_position_embeddings":2048,
         "tie_word_embeddings":false,"vocab_size":50432})"},
    {"pythia-6.9b",
     R"({"model_type":"gpt_neox","hidden_size":4096,"intermediate_size":16384,
         "num_attention_heads":32,"num_hidden_layers":32,"max_position_embeddings":2048,
         "tie_word_embeddings":false,"vocab_size":50432})"},
    {"opt-1.3b",
     R"({"model_type":"opt","hidden_size":2048,"ffn_dim":8192,"num_attention_heads":32,
         "num_hidden_layers":24,"max_position_embeddings":2048,"word_embed_proj_dim":2048,
         "do_layer_norm_before":true,"vocab_size":50272})"},
    {"bloom-7b1",
     R"({"model_type":"bloom","n_embed":4096,"hidden_size":4096,"num_attention_heads":32,
         "n_layer":30,"vocab_size":250880})"},
    {"falcon-7b",
     R"({"model_type":"falcon","hidden_size":4544,"num_attention_heads":71,
         "num_hidden_layers":32,"multi_query":true,"parallel_attn":true,
         "new_decoder_architecture":false,"bias":false,"vocab_size":65024})"},
    {"falcon-40b",
     R"({"model_type":"falcon","hidden_size":8192,"num_attention_heads":128,"num_kv_heads":8,
         "num_hidden_layers":60,"multi_query":true,"parallel_attn":true,
         "new_decoder_architecture":true,"bias":false,"vocab_size":65024})"},
    {"mpt-7b",
     R"({"model_type":"mpt","d_model":4096,"n_heads":32,"n_layers":32,"expansion_ratio":4,
         "max_seq_len":2048,"no_bias":true,"attn_config":{"alibi":true},"vocab_size":50432})"},
    {"phi-2",
     R"({"model_type":"phi","hidden_size":2560,"intermediate_size":10240,
         "num_attention_heads":32,"num_key_value_heads":32,"num_hidden_layers":32,
         "qk_layernorm":false,"tie_word_embeddings":false,"vocab_size":51200})"},
    {"phi-3-mini",
     R"({"model_type":"phi3","hidden_size":3072,"intermediate_size":8192,
         "num_attention_heads":32,"num_key_value_heads":32,"num_hidden_layers":32,
         "attention_bias":false,"max_position_embeddings":131072,
         "sliding_window":262144,"vocab_size":32064})"},
    {"chatglm3-6b",
     R"({"model_type":"chatglm","hidden_size":4096,"ffn_hidden_size":13696,"kv_channels":128,
         "num_attention_heads":32,"num_layers":28,"multi_query_attention":true,
         "multi_query_group_num":2,"add_qkv_bias":true,"add_bias_linear":false,
         "padded_vocab_size":65024,"seq_length":8192,"tie_word_embeddings":false,
         "rmsnorm":true})"},
    {"gemma-7b",
     R"({"model_type":"gemma","head_dim":256,"hidden_size":3072,"intermediate_size":24576,
         "num_attention_heads":16,"num_key_value_heads":16,"num_hidden_layers":28,
         "vocab_size":256000})"},
    {"gemma-2-9b",
     R"({"model_type":"gemma2","head_dim":256,"hidden_size":3584,"intermediate_size":14336,
         "num_attention_heads":16,"num_key_value_heads":8,"num_hidden_layers":42,
         "sliding_window":4096,"vocab_size":256000})"},
    {"gemma-3-4b",
     R"({"model_type":"gemma3","text_config":{"model_type":"gemma3_text","head_dim":256,
         "hidden_size":2560,"intermediate_size":10240,"num_attention_heads":8,
         "num_key_value_heads":4,"num_hidden_layers":34,"sliding_window":1024,
         "vocab_size":262208},"vision_config":{"hidden_size":1152}})"},
    {"gpt-oss-20b",
     R"({"model_type":"gpt_oss","attention_bias":true,"head_dim":64,"hidden_size":2880,
         "intermediate_size":2880,"num_attention_heads":64,"num_key_value_heads":8,
         "num_hidden_layers":24,"num_local_experts":32,"num_experts_per_tok":4,
         "experts_per_token":4,"sliding_window":128,"tie_word_embeddings":false,
         "layer_types":["sliding_attention","full_attention"],"vocab_size":201088})"},
    {"olmo-2-7b",
     R"({"model_type":"olmo2","hidden_size":4096,"intermediate_size":11008,
         "num_attention_heads":32,"num_key_value_heads":32,"num_hidden_layers":32,
         "tie_word_embeddings":false,"vocab_size":100352})"},
    {"dbrx",
     R"({"model_type":"dbrx","d_model":6144,"n_heads":48,"n_layers":40,"max_seq_len":32768,
         "attn_config":{"kv_n_heads":8},"ffn_config":{"ffn_hidden_size":10752,
         "moe_num_experts":16,"moe_top_k":4},"tie_word_embeddings":false,"vocab_size":100352})"},
    {"glm-4.5-air",
     R"({"model_type":"glm4_moe","attention_bias":true,"head_dim":128,"hidden_size":4096,
         "intermediate_size":10944,"moe_intermediate_size":1408,"num_attention_heads":96,
         "num_key_value_heads":8,"num_hidden_layers":46,"n_routed_experts":128,
         "n_shared_experts":1,"num_experts_per_tok":8,"first_k_dense_replace":1,
         "use_qk_norm":false,"tie_word_embeddings":false,"vocab_size":151552})"},
    {"llama-4-scout",
     R"({"model_type":"llama4","text_config":{"model_type":"llama4_text","head_dim":128,
         "hidden_size":5120,"intermediate_size":8192,"intermediate_size_mlp":16384,
         "interleave_moe_layer_step":1,"num_attention_heads":40,"num_key_value_heads":8,
         "num_hidden_layers":48,"num_local_experts":16,"num_experts_per_tok":1,
         "attention_bias":false,"vocab_size":202048},"tie_word_embeddings":false})"},
    {"baichuan2-7b",
     R"({"model_type":"baichuan","hidden_size":4096,"intermediate_size":11008,
         "num_attention_heads":32,"num_hidden_layers":32,"model_max_length":4096,
         "tie_word_embeddings":false,"vocab_size":125696})"},
    {"yi-34b",
     R"({"model_type":"llama","hidden_size":7168,"intermediate_size":20480,
         "num_attention_heads":56,"num_key_value_heads":8,"num_hidden_layers":60,
         "tie_word_embeddings":false,"vocab_size":64000})"},
    {"internlm2.5-7b",
     R"({"model_type":"internlm2","bias":false,"hidden_size":4096,"intermediate_size":14336,
         "num_attention_heads":32,"num_key_value_heads":8,"num_hidden_layers":32,
         "tie_word_embeddings":false,"vocab_size":92544})"},
    {"grok-1",
     R"({"model_type":"grok-1","hidden_size":6144,"intermediate_size":32768,
         "num_attention_heads":48,"num_key_value_heads":8,"num_hidden_layers":64,
         "num_experts":8,"num_experts_per_tok":2,"vocab_size":131072})"},
};

TEST_CASE("published configs come to the catalogue's parameter counts") {
  for (const Config& config : kConfigs) {
    CAPTURE(config.model);
    const ModelEntry* entry = built_in_catalog().find_model(config.model);
    REQUIRE(entry != nullptr);
    Model model;
    Problems problems;
    const bool read =
        read_hf_config(reparsed(parsed(config.text)), "/model/hf_config", model, problems);
    for (const Problem& problem : problems) FAIL_CHECK(problem.at << " " << problem.code);
    REQUIRE(read);
    const Parameters counted = count_parameters(model);
    const Parameters expected = count_parameters(entry->model);
    CHECK(counted.total == expected.total);
    CHECK(counted.active == expected.active);
    CHECK(model.layers == entry->model.layers);
    CHECK(model.kv_heads == entry->model.kv_heads);
    CHECK(model.gated == entry->model.gated);
    CHECK(model.is_mla() == entry->model.is_mla());
    CHECK(model.moe_layers() == entry->model.moe_layers());
    CHECK(model.sliding_window == entry->model.sliding_window);
    CHECK(model.windowed_layer_share == doctest::Approx(entry->model.windowed_layer_share));
  }
}

TEST_CASE("a pasted config is answered like the catalogue's model") {
  for (const Config& config : kConfigs) {
    CAPTURE(config.model);
    const std::string cluster =
        R"(,"training":{"kind":"full","stack":"megatron","sequence_length":1024},
           "cluster":{"gpu":"h100-sxm-80gb","count":8},"layout":{"dp":8}})";
    const Json pasted =
        sound_answer(R"({"model":{"hf_config":)" + std::string(config.text) + "}" + cluster);
    const Json known = sound_answer(R"({"model":")" + std::string(config.model) + "\"" + cluster);
    CHECK(pasted["parameters"] == known["parameters"]);
    CHECK(sound_answer(pasted["resolved"].dump()) == pasted);
  }
}

TEST_CASE("a config that lacks what is needed names the field") {
  struct Lacking {
    const char* config;
    const char* problem;
  };
  const Lacking lacking[] = {
      {R"(3)", "/model/hf_config wrong_type"},
      {R"({"model_type":"llama","num_attention_heads":32,"num_hidden_layers":32,
           "intermediate_size":8,"vocab_size":9})",
       "/model/hf_config/hidden_size missing"},
      {R"({"model_type":"llama","hidden_size":64,"num_attention_heads":8,"num_hidden_layers":2,
           "vocab_size":9})",
       "/model/hf_config/intermediate_size missing"},
      {R"({"model_type":"llama","hidden_size":"64","num_attention_heads":8,"vocab_size":9,
           "num_hidden_layers":2,"intermediate_size":8})",
       "/model/hf_config/hidden_size wrong_type"},
      {R"({"model_type":"llama","hidden_size":64,"num_attention_heads":8,"vocab_size":9,
           "num_hidden_layers":0,"intermediate_size":8})",
       "/model/hf_config/num_hidden_layers not_positive"},
      {R"({"text_config":{"model_type":"llama","num_attention_heads":8,"vocab_size":9,
           "num_hidden_layers":2,"intermediate_size":8}})",
       "/model/hf_config/text_config/hidden_size missing"},
      {R"({"model_type":"mamba","hidden_size":64})",
       "/model/hf_config/model_type unsupported_architecture"},
      {R"({"model_type":"t5","is_encoder_decoder":true})",
       "/model/hf_config/model_type unsupported_architecture"},
      {R"({"model_type":"deepseek_v3","hidden_size":64,"num_attention_heads":8,"vocab_size":9,
           "num_hidden_layers":2,"intermediate_size":8,"kv_lora_rank":16,"qk_nope_head_dim":8,
           "v_head_dim":8})",
       "/model/hf_config/qk_rope_head_dim missing"},
      {R"({"model_type":"mixtral","hidden_size":64,"num_attention_heads":8,"vocab_size":9,
           "num_hidden_layers":2,"intermediate_size":8,"num_local_experts":8})",
       "/model/hf_config/num_experts_per_tok missing"},
  };
  for (const Lacking& each : lacking) {
    CAPTURE(each.config);
    const auto found = problems_of(R"({"model":{"hf_config":)" + std::string(each.config) + "}}");
    CHECK(found == each.problem);
  }
}

}  // namespace
}  // namespace traintally::testing
