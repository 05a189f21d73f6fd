#include <doctest/doctest.h>

#include <traintally/parameters.hpp>
#include <traintally/training.hpp>

#include "job_builder.hpp"

namespace traintally {
namespace {

using namespace testing;

std::int64_t total(const Model& model) { return count_parameters(model).total; }

Model llama_2(std::int64_t layers, std::int64_t hidden, std::int64_t heads, std::int64_t kv_heads,
              std::int64_t ffn_hidden) {
  return dense_model(layers, hidden, heads, kv_heads, ffn_hidden, 32000);
}

/// Qwen2.5: biases on queries, keys and values; the small ones tie their embeddings.
Model qwen_2_5(std::int64_t layers, std::int64_t hidden, std::int64_t heads, std::int64_t kv_heads,
               std::int64_t ffn_hidden, std::int64_t vocab, bool tied) {
  Model m = dense_model(layers, hidden, heads, kv_heads, ffn_hidden, vocab);
  m.bias_qkv = true;
  m.tied_embeddings = tied;
  return m;
}

}  // namespace

TEST_SUITE("parameters") {
  // The counts of the published checkpoints come out to the last parameter.
  TEST_CASE("gated dense models with grouped queries") {
    CHECK(total(llama_2(32, 4096, 32, 32, 11008)) == 6'738'415'616);
    CHECK(total(llama_2(40, 5120, 40, 40, 13824)) == 13'015'864'320);
    CHECK(total(llama_2(80, 8192, 64, 8, 28672)) == 68'976'648'192);
    CHECK(total(llama_3_1_8b()) == 8'030'261'248);
    CHECK(total(llama_3_1_70b()) == 70'553'706'496);
    CHECK(total(dense_model(126, 16384, 128, 8, 53248, 128256)) == 405'853'388'800);
    CHECK(total(dense_model(32, 4096, 32, 8, 14336, 32000)) == 7'241'732'096);  // Mistral 7B
  }

  // A tied head costs nothing; without the tie it is vocabulary times hidden more.
  TEST_CASE("tied embeddings") {
    Model m = dense_model(16, 2048, 32, 8, 8192, 128256);  // Llama 3.2 1B
    m.tied_embeddings = true;
    CHECK(total(m) == 1'235'814'400);
    m.tied_embeddings = false;
    CHECK(total(m) == 1'235'814'400 + 128256 * 2048);
  }

  // Query, key and value biases, and no others.
  TEST_CASE("Qwen2.5") {
    CHECK(total(qwen_2_5(24, 896, 14, 2, 4864, 151936, true)) == 494'032'768);
    CHECK(total(qwen_2_5(28, 1536, 12, 2, 8960, 151936, true)) == 1'543'714'304);
    CHECK(total(qwen_2_5(28, 3584, 28, 4, 18944, 152064, false)) == 7'615'616'512);
    CHECK(total(qwen_2_5(80, 8192, 64, 8, 29568, 152064, false)) == 72'706'203'648);
  }

  // Query and key norms are one head wide; the query width need not be the hidden size.
  TEST_CASE("Qwen3") {
    Model m = dense_model(36, 4096, 32, 8, 12288, 151936);
    m.qk_norm = true;
    CHECK(total(m) == 8'190'735'360);
    Model moe = dense_model(48, 2048, 32, 4, 6144, 151936);
    moe.head_dim = 128;
    moe.qk_norm = true;
    moe.moe.experts = 128;
    moe.moe.experts_per_token = 8;
    moe.moe.ffn_hidden = 768;
    moe.moe.layers = 48;
    CHECK(total(moe) == 30'532'122'624);
    CHECK(real(count_parameters(moe).active) == rounded(3.3e9, 0.02));  // as its name says
  }

  // Two-matrix MLPs, layer norms of two vectors, biases everywhere, learned positions.
  TEST_CASE("GPT-2") {
    CHECK(total(gpt(12, 768, 12, 50257, 1024)) == 124'439'808);
    CHECK(total(gpt(24, 1024, 16, 50257, 1024)) == 354'823'168);
    CHECK(total(gpt(36, 1280, 20, 50257, 1024)) == 774'030'080);
    CHECK(total(gpt(48, 1600, 25, 50257, 1024)) == 1'557'611'200);
  }

  // One key-value head; heads together wider than the hidden size.
  TEST_CASE("Gemma") {
    Model m = dense_model(18, 2048, 8, 1, 16384, 256000);
    m.tied_embeddings = true;
    CHECK(total(m) == 2'506'172'416);
    Model big = dense_model(28, 3072, 16, 16, 24576, 256000);
    big.head_dim = 256;
    big.tied_embeddings = true;
    CHECK(total(big) == 8'537'680'896);
  }

  // Parallel blocks share one norm; biases of the embedding norm count: Falcon and BLOOM.
  TEST_CASE("one norm a layer, a norm after the embedding") {
    Model falcon = dense_model(32, 4544, 71, 1, 4 * 4544, 65024);
    falcon.gated = false;
    falcon.norm = Norm::layernorm;
    falcon.norms_per_layer = 1;
    falcon.tied_embeddings = true;
    CHECK(total(falcon) == 6'921'720'704);
    Model bloom = gpt(70, 14336, 112, 250880, 0);
    bloom.embedding_norm = true;
    CHECK(total(bloom) == 176'247'271'424);
  }

  // Chowdhery et al. 2022, table 1: PaLM has 8.63, 62.50 and 540.35 billion parameters.
  TEST_CASE("PaLM") {
    const auto palm = [](std::int64_t layers, std::int64_t hidden, std::int64_t heads) {
      Model m = dense_model(layers, hidden, heads, 1, 4 * hidden, 256000);
      m.head_dim = 256;
      m.tied_embeddings = true;
      m.norms_per_layer = 1;
      return real(total(m)) / 1e9;
    };
    CHECK(palm(32, 4096, 16) == rounded(8.63, 1e-3));
    CHECK(palm(64, 8192, 32) == rounded(62.50, 1e-3));
    CHECK(palm(118, 18432, 48) == rounded(540.35, 1e-4));
  }

  // Every expert is stored, the router too; a token uses its own experts.
  TEST_CASE("Mixtral") {
    CHECK(total(mixtral_8x7b()) == 46'702'792'704);
    CHECK(count_parameters(mixtral_8x7b()).active == 12'879'925'248);
  }

  // Latent attention, three dense layers before 58 mixtures, a shared expert, a router bias.
  TEST_CASE("DeepSeek-V3") {
    CHECK(total(deepseek_v3()) == 671'026'419'200);
    CHECK(real(count_parameters(deepseek_v3()).active) == rounded(37e9, 0.02));
  }

  // More experts per token change what is used, not what there is.
  TEST_CASE("experts per token leave the total alone") {
    Model m = mixtral_8x7b();
    const Parameters two = count_parameters(m);
    m.moe.experts_per_token = 4;
    const Parameters four = count_parameters(m);
    CHECK(four.total == two.total);
    CHECK(four.active - two.active == 2 * 32 * two.expert);
  }

  // Widths of any ratio, not only multiples of hidden.
  TEST_CASE("the MLP's width is free") {
    Model m = llama_3_1_8b();
    const std::int64_t before = total(m);
    m.ffn_hidden += 1;
    CHECK(total(m) - before == 32 * 3 * 4096);
  }

  // LoRA adds rank x (in + out) for each matrix: the counts that PEFT prints.
  TEST_CASE("LoRA") {
    CHECK(count_lora_parameters(llama_3_1_8b(), 16, lora_target::all_linear) == 41'943'040);
    CHECK(count_lora_parameters(llama_2(32, 4096, 32, 32, 11008), 8,
                                lora_target::q | lora_target::v) == 4'194'304);
    const Model qwen = qwen_2_5(28, 1536, 12, 2, 8960, 151936, true);
    CHECK(count_lora_parameters(qwen, 16, lora_target::attention) == 4'358'144);
    CHECK(count_lora_parameters(qwen, 16, 0) == 0);
  }

  // Twice the rank is twice the adapters; the parts of a layer sum to the whole.
  TEST_CASE("LoRA by rank and by target") {
    for (const Model& m : {llama_3_1_8b(), gpt_22b(), mixtral_8x7b(), deepseek_v3()}) {
      const std::int64_t all = count_lora_parameters(m, 16, lora_target::all_linear);
      CHECK(count_lora_parameters(m, 32, lora_target::all_linear) == 2 * all);
      std::int64_t parts = 0;
      for (unsigned bit = 1; bit <= lora_target::down; bit *= 2) {
        parts += count_lora_parameters(m, 16, bit);
      }
      CHECK(parts == all);
    }
  }

  // Latent attention: queries and keys by way of their latents.
  TEST_CASE("LoRA on latent attention") {
    const Model m = deepseek_v3();
    CHECK(count_lora_layer(m, 1, lora_target::q).attention == 7168 + 2 * 1536 + 128 * 192);
    CHECK(count_lora_layer(m, 1, lora_target::k).attention == 7168 + 512 + 64);
    CHECK(count_lora_layer(m, 1, lora_target::v).attention == 512 + 128 * (128 + 128));
    CHECK(count_lora_layer(m, 1, lora_target::o).attention == 128 * 128 + 7168);
    // 256 routed experts and a shared one.
    CHECK(count_lora_layer(m, 1, lora_target::mlp).moe_mlp == 257 * 3 * (7168 + 2048));
  }

  // Each routed expert has adapters of its own.
  TEST_CASE("LoRA on experts") {
    const Model m = mixtral_8x7b();
    CHECK(count_lora_layer(m, 16, lora_target::mlp).moe_mlp == 8 * 3 * 16 * (4096 + 14336));
  }
}

}  // namespace traintally
