#include <doctest/doctest.h>

#include <traintally/flops.hpp>
#include <traintally/time.hpp>

#include "job_builder.hpp"

namespace traintally {
namespace {

using namespace testing;

double tokens(const Job& job) {
  return real(job.training.sequence_length * job.training.global_batch);
}

/// Matrix parameters of a dense job: layers and head, without biases, norms and embedding.
double matrix_parameters(const Job& job) {
  const Parameters& p = job.parameters;
  return real(job.model.layers * (p.attention_matrix + p.dense_mlp_matrix) + p.head_matrix);
}

/// 12 L h s, or 12 L a d s: the attention core's training flops per token, the full square.
double attention_per_token(const Job& job) {
  return 12 * real(job.model.layers * job.model.query_width() * job.training.sequence_length);
}

Model palm_540b() {
  Model m = dense_model(118, 18432, 48, 1, 4 * 18432, 256000);
  m.head_dim = 256;
  m.tied_embeddings = true;
  m.norms_per_layer = 1;
  return m;
}

}  // namespace

TEST_SUITE("flops") {
  // Full training: 6 flops per matrix parameter and token, and 12 L h s for the core.
  TEST_CASE("6N + 12Lhs") {
    for (const Model& m : {llama_3_1_8b(), gpt_175b(), llama_3_1_70b()}) {
      const Job job = make_job(m);
      const StepFlops f = count_step_flops(job);
      const double n = matrix_parameters(job);
      CHECK(f.model_full.value / tokens(job) == exactly(6 * n + attention_per_token(job)));
    }
  }

  // Causal attention computes half the square: 6 L h s.
  TEST_CASE("causal attention is half") {
    const Job job = make_job(llama_3_1_8b());
    const StepFlops f = count_step_flops(job);
    CHECK(f.attention_causal.value == exactly(f.attention_full.value / 2));
    CHECK(f.model_causal.value / tokens(job) ==
          exactly(6 * matrix_parameters(job) + attention_per_token(job) / 2));
  }

  // LoRA computes no gradient of frozen matrices: 4N. Attention has none to leave out.
  TEST_CASE("LoRA is two thirds") {
    Job job = make_job(llama_3_1_8b());
    job.training.kind = TrainingKind::lora;
    settle(job);
    const StepFlops f = count_step_flops(job);
    CHECK(f.model_full.value / tokens(job) ==
          exactly(4 * matrix_parameters(job) + attention_per_token(job)));
    // The adapters' own products are computed besides.
    CHECK((f.hardware - f.model_causal).value / tokens(job) == exactly(6 * 41943040.0));
  }

  // Full recomputation does the layers' forward again: 8 flops a parameter; the head's 6 stay.
  TEST_CASE("full recomputation is 8N") {
    Job job = make_job(llama_3_1_70b());
    job.training.recompute = Recompute::full;
    const StepFlops f = count_step_flops(job);
    const double head = real(job.parameters.head_matrix);
    CHECK(f.hardware.value / tokens(job) == exactly(8 * (matrix_parameters(job) - head) + 6 * head +
                                                    attention_per_token(job) / 2 * 4 / 3));
    job.training.recompute_share = 0.5;
    CHECK((count_step_flops(job).hardware - f.model_causal).value ==
          exactly((f.hardware - f.model_causal).value / 2));
    job.training.recompute = Recompute::none;
    CHECK(count_step_flops(job).hardware.value == count_step_flops(job).model_causal.value);
    CHECK(count_step_flops(job).model_causal.value == f.model_causal.value);
  }

  // Selective recomputation does the attention core's forward again and nothing else; where the
  // stack keeps the products it does none of them.
  TEST_CASE("selective recomputation is one core forward") {
    Job job = make_job(gpt_175b());
    job.training.recompute = Recompute::selective;
    const StepFlops f = count_step_flops(job);
    CHECK((f.hardware - f.model_causal).value == exactly(f.attention_causal.value));
    job.stack.selective_keeps_products = true;
    CHECK(count_step_flops(job).hardware.value == f.model_causal.value);
  }

  // Korthikanti et al., arXiv 2205.05198, appendix A: 72 B L s h^2 (1 + s/6h + v/12hL).
  TEST_CASE("the Megatron formula") {
    for (const Model& m : {gpt_22b(), gpt_175b(), gpt_530b(), gpt_1t()}) {
      const Job job = make_job(m);
      const double s = real(job.training.sequence_length);
      const double h = real(m.hidden);
      const double layers = real(m.layers);
      const double v = real(m.vocab);
      CHECK(count_step_flops(job).model_full.value ==
            exactly(72 * layers * s * h * h * (1 + s / (6 * h) + v / (12 * h * layers))));
    }
  }

  // The same paper, table 5: from its iteration times its model flops utilisations follow.
  TEST_CASE("utilisation of the four Megatron models") {
    struct Row {
      Model model;
      std::int64_t pp, dp, batch;
      double seconds, mfu;
    };
    const Row rows[] = {{gpt_22b(), 1, 1, 4, 1.10, 0.415},
                        {gpt_175b(), 8, 1, 64, 13.75, 0.514},
                        {gpt_530b(), 35, 1, 280, 37.83, 0.560},
                        {gpt_530b(), 35, 8, 2240, 39.15, 0.542},
                        {gpt_1t(), 64, 1, 512, 71.49, 0.563}};
    for (const Row& row : rows) {
      Layout layout;
      layout.tp = 8;
      layout.pp = row.pp;
      layout.dp = row.dp;
      Job job = make_job(row.model, layout);
      job.training.global_batch = row.batch;
      const Throughput t = throughput(job, count_step_flops(job), {row.seconds});
      CHECK(t.mfu_full == rounded(row.mfu, 0.005));
    }
  }

  // Chowdhery et al. 2022, appendix B: PaLM 540B at 238,300 tokens/s on 6,144 chips of 275 TFLOP/s
  // is at 46.2%.
  TEST_CASE("utilisation of PaLM") {
    Layout layout;
    layout.dp = 6144;
    Job job = make_job(palm_540b(), layout);
    job.training.global_batch = 6144;
    job.cluster.gpu.peak[static_cast<int>(MatmulKind::bf16)] = {275e12};
    const Throughput t = throughput(job, count_step_flops(job), {6144 * 2048 / 238300.0});
    CHECK(t.tokens.value == exactly(238300));
    CHECK(t.tokens_per_gpu.value == exactly(238300.0 / 6144));
    CHECK(t.mfu_full == rounded(0.462, 0.001));
  }

  // A mixture computes with the experts that a token is sent to, the shared one and the router.
  TEST_CASE("mixtures count active experts") {
    Job job = make_job(mixtral_8x7b());
    const double attention = 4096.0 * 128 * (32 + 8 + 8 + 32);
    const double expert = 3.0 * 4096 * 14336;
    const double n = 32 * (attention + 2 * expert + 4096 * 8) + 32000.0 * 4096;
    CHECK(count_step_flops(job).matmul.value / tokens(job) == exactly(2 * n));
    job.model.moe.experts_per_token = 4;
    settle(job);
    CHECK(count_step_flops(job).matmul.value / tokens(job) == exactly(2 * (n + 32 * 2 * expert)));
  }

  // A token meets its own experts' adapters, not all experts'.
  TEST_CASE("adapters of experts") {
    Job job = make_job(mixtral_8x7b());
    job.training.kind = TrainingKind::lora;
    settle(job);
    const StepFlops f = count_step_flops(job);
    const double attention = 16.0 * (2 * (4096 + 4096) + 2 * (4096 + 1024));
    const double expert = 16.0 * 3 * (4096 + 14336);
    CHECK((f.hardware - f.model_causal).value / tokens(job) ==
          exactly(6 * 32 * (attention + 2 * expert)));
  }

  // A tied head is multiplied with as any other.
  TEST_CASE("tied embeddings save no arithmetic") {
    Job job = make_job(llama_3_1_8b());
    const double untied = count_step_flops(job).matmul.value;
    job.model.tied_embeddings = true;
    settle(job);
    CHECK(count_step_flops(job).matmul.value == untied);
  }

  // A windowed layer looks at a band of the square: w*s - w^2/2 pairs.
  TEST_CASE("sliding windows") {
    Job job = make_job(llama_3_1_8b());
    job.training.sequence_length = 8192;
    const double all = count_step_flops(job).attention_causal.value;
    job.model.sliding_window = 1024;
    job.model.windowed_layer_share = 1;
    const double band = 1024.0 * 8192 - 1024.0 * 1024 / 2;
    CHECK(count_step_flops(job).attention_causal.value == exactly(all * band / (8192.0 * 4096)));
    job.model.windowed_layer_share = 0.5;
    CHECK(count_step_flops(job).attention_causal.value ==
          exactly(all * (0.5 + 0.5 * band / (8192.0 * 4096))));
    job.model.sliding_window = 8192;
    CHECK(count_step_flops(job).attention_causal.value == exactly(all));
  }

  // Layers that are linear in the sequence multiply their matrices and have no square.
  TEST_CASE("linear attention") {
    Job job = make_job(llama_3_1_8b());
    const StepFlops softmax = count_step_flops(job);
    job.model.linear_attention.layers = 24;
    job.model.linear_attention.params_per_layer = 2 * job.parameters.attention_matrix;
    settle(job);
    const StepFlops linear = count_step_flops(job);
    CHECK(linear.attention_full.value == exactly(softmax.attention_full.value / 4));
    CHECK((linear.matmul - softmax.matmul).value / tokens(job) ==
          exactly(2 * 24 * real(job.parameters.attention_matrix)));
  }

  // Latent attention multiplies queries and keys of 192, values of 128.
  TEST_CASE("latent attention") {
    const Job job = make_job(deepseek_v3());
    const double s = real(job.training.sequence_length);
    CHECK(count_step_flops(job).attention_full.value ==
          exactly(2 * 61 * s * s * 128 * (192 + 128)));
  }

  // Of the whole job: linear in the batch, whatever the layout.
  TEST_CASE("layouts don't change the work") {
    Layout layout;
    layout.tp = 8;
    layout.pp = 4;
    layout.dp = 2;
    Job spread = make_job(llama_3_1_70b(), layout);
    Job alone = make_job(llama_3_1_70b());
    spread.training.global_batch = alone.training.global_batch = 64;
    CHECK(count_step_flops(spread).hardware.value == count_step_flops(alone).hardware.value);
    alone.training.global_batch = 128;
    CHECK(count_step_flops(alone).hardware.value ==
          exactly(2 * count_step_flops(spread).hardware.value));
  }
}

}  // namespace traintally
