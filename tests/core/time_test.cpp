#include <doctest/doctest.h>

#include <traintally/flops.hpp>
#include <traintally/time.hpp>

#include "job_builder.hpp"

namespace traintally {
namespace {

using namespace testing;

constexpr double kPeak = 312e12;   // of an A100 in bf16
constexpr double kLink = 300e9;    // its NVLink, one way
constexpr double kNetwork = 25e9;  // its network adapter

/// Memory and links so fast that arithmetic alone takes time.
Job compute_bound(const Model& model, const Layout& layout = {}) {
  Job job = make_job(model, layout);
  job.cluster.gpu.memory_bandwidth = {1e30};
  job.cluster.gpu.link = {1e30};
  job.cluster.gpu.pcie = {1e30};
  job.cluster.internode = {1e30};
  return job;
}

/// A model whose head is next to nothing, so that all pipeline stages are equal.
Model headless(std::int64_t layers) {
  Model m = dense_model(layers, 8192, 64, 8, 28672, 1);
  return m;
}

Layout data_parallel(std::int64_t dp, std::int64_t zero) {
  Layout layout;
  layout.dp = dp;
  layout.zero = zero;
  return layout;
}

Job adapters(Job job) {
  job.training.kind = TrainingKind::lora;
  settle(job);
  return job;
}

}  // namespace

TEST_SUITE("roofline") {
  // With infinite bandwidth and plain attention a step is its model flops over the peak.
  TEST_CASE("arithmetic alone") {
    for (const Model& m : {llama_3_1_8b(), gpt_22b(), llama_3_1_70b()}) {
      Job job = compute_bound(m);
      job.training.flash_attention = false;
      const StepFlops f = count_step_flops(job);
      const StepTime t = estimate_step_time(job);
      CHECK(t.step.value == exactly(f.model_full.value / kPeak));
      CHECK(t.matmul.value + t.head_and_loss.value == exactly(3 * f.matmul.value / kPeak));
      CHECK(t.attention.value == exactly(3 * f.attention_full.value / kPeak));
      CHECK(throughput(job, f, t.step).mfu_full == exactly(1));
    }
  }

  // Fused attention skips the upper half, and computes the scores again backward: 1 + 2.5.
  TEST_CASE("fused attention") {
    Job job = compute_bound(llama_3_1_8b());
    CHECK(estimate_step_time(job).attention.value ==
          exactly(3.5 * count_step_flops(job).attention_causal.value / kPeak));
    job.calibration.attention_efficiency = 0.5;
    job.calibration.attention_backward = 0.8;
    CHECK(estimate_step_time(job).attention.value ==
          exactly((1 + 2.5 / 0.8) * count_step_flops(job).attention_causal.value / (kPeak * 0.5)));
    // Kernels of another generation of devices reach a part of it.
    const double own = estimate_step_time(job).attention.value;
    job.calibration.ported_attention = 0.5;
    CHECK(estimate_step_time(job).attention.value == exactly(2 * own));
    job.stack.own_attention = true;
    CHECK(estimate_step_time(job).attention.value == exactly(own));
  }

  // Products are limited by their operands where there are few tokens: the weights are read.
  TEST_CASE("memory alone") {
    Job job = make_job(llama_3_1_8b());
    for (FlopsPerSecond& peak : job.cluster.gpu.peak) peak = {1e30};
    job.training.sequence_length = 8;
    const auto product = [](double rows, double depth, double columns) {
      return 2 * (rows * depth + depth * columns + rows * columns);
    };
    const double layer = product(8, 4096, 6144) + product(8, 4096, 4096) +
                         product(8, 4096, 2 * 14336) + product(8, 14336, 4096);
    const StepTime t = estimate_step_time(job);
    CHECK(t.matmul.value == exactly(3 * 32 * layer / 2039e9));
    CHECK(t.head_and_loss.value == exactly(3 * product(8, 4096, 128256) / 2039e9));
  }

  // Tensor, pipeline and context parallelism split the arithmetic evenly, attention and head too.
  TEST_CASE("parallelism divides arithmetic") {
    const StepTime whole = estimate_step_time(compute_bound(gpt_175b()));
    Layout layout;
    layout.tp = 8;
    const StepTime tensor = estimate_step_time(compute_bound(gpt_175b(), layout));
    CHECK(tensor.matmul.value == exactly(whole.matmul.value / 8));
    CHECK(tensor.attention.value == exactly(whole.attention.value / 8));
    CHECK(tensor.head_and_loss.value == exactly(whole.head_and_loss.value / 8));
    Layout context;
    context.cp = 4;
    const StepTime sequence = estimate_step_time(compute_bound(gpt_175b(), context));
    CHECK(sequence.matmul.value == exactly(whole.matmul.value / 4));
    CHECK(sequence.attention.value == exactly(whole.attention.value / 4));
    CHECK(sequence.head_and_loss.value == exactly(whole.head_and_loss.value / 4));
    Layout pipeline;
    pipeline.pp = 4;
    CHECK(estimate_step_time(compute_bound(gpt_175b(), pipeline)).matmul.value ==
          exactly(whole.matmul.value / 4));
  }

  // Mixtures compute what they count: each token's experts, the shared one and the router, however
  // the experts are spread.
  TEST_CASE("arithmetic of mixtures") {
    Layout layout;
    layout.dp = 8;
    for (const std::int64_t ep : {1, 8}) {
      layout.ep = ep;
      for (const Model& m : {mixtral_8x7b(), deepseek_v3()}) {
        Job job = compute_bound(m, layout);
        job.training.flash_attention = false;
        const StepTime t = estimate_step_time(job);
        CHECK((t.matmul + t.head_and_loss).value ==
              exactly(3 * count_step_flops(job).matmul.value / 8 / kPeak));
        if (!m.is_mla()) {
          CHECK(t.attention.value ==
                exactly(3 * count_step_flops(job).attention_full.value / 8 / kPeak));
        }
      }
    }
    Layout split;
    split.tp = split.etp = 2;
    const Job job = compute_bound(mixtral_8x7b(), split);
    const StepTime t = estimate_step_time(job);
    const double routers = 3 * 2 * 32 * 2048.0 * 4096 * 8 / kPeak;  // whole on both ranks
    CHECK((t.matmul + t.head_and_loss).value ==
          exactly(3 * count_step_flops(job).matmul.value / 2 / kPeak + routers / 2));
  }

  // Permuting tokens to their experts and back moves each twice, read and written; experts'
  // element-wise work is as wide as they are.
  TEST_CASE("element-wise traffic of mixtures") {
    Job job = make_job(mixtral_8x7b());
    const double moved = 4 * 2 * 4096;
    CHECK(estimate_step_time(job).elementwise.value == exactly(3 * 32 * 2048 * 2 * moved / 2039e9));
    job.calibration.elementwise_mlp = 3;
    CHECK(estimate_step_time(job).elementwise.value ==
          exactly(3 * 32 * 2048 * 2 * (moved + 3 * 2 * 14336.0) / 2039e9));
    job.model.moe.shared_ffn_hidden = 1024;
    settle(job);
    CHECK(estimate_step_time(job).elementwise.value ==
          exactly(3 * 32 * 2048 * 2 * (moved + 3 * (2 * 14336.0 + 1024)) / 2039e9));
  }

  // Scores of plain attention pass through memory, so many bytes each.
  TEST_CASE("plain attention's traffic") {
    Job job = make_job(llama_3_1_8b());
    job.training.flash_attention = false;
    const double arithmetic = estimate_step_time(job).attention.value;
    job.calibration.plain_score_traffic = 14;
    CHECK(estimate_step_time(job).attention.value - arithmetic ==
          exactly(3 * 32 * 2048.0 * 2048 * 32 * 14 / 2039e9));
  }

  // Layers that are linear in the sequence have no attention core.
  TEST_CASE("linear attention") {
    Job job = compute_bound(llama_3_1_8b());
    const double all = estimate_step_time(job).attention.value;
    job.model.linear_attention.layers = 24;
    job.model.linear_attention.params_per_layer = job.parameters.attention_matrix;
    settle(job);
    CHECK(estimate_step_time(job).attention.value == exactly(all / 4));
  }

  // At its half depth, or with its half area of output, a product runs at half speed.
  TEST_CASE("half speeds") {
    Job job = compute_bound(dense_model(1, 4096, 32, 32, 4096, 4096));
    job.model.gated = false;
    settle(job);
    const double full = estimate_step_time(job).matmul.value;
    job.calibration.matmul_half_depth = 4096;
    CHECK(estimate_step_time(job).matmul.value == exactly(2 * full));
    job.calibration.matmul_half_depth = 0;
    job.calibration.matmul_half_area = 2048.0 * 4096;
    const double wider = 2048.0 * 3 * 4096;  // queries, keys and values are one product
    const double expected = 3 * (wider + 2048.0 * 4096) / wider + 3 * 2;
    CHECK(estimate_step_time(job).matmul.value == exactly(full * expected / 6));
  }

  // A tiny model waits for the host: so many layers, so much time.
  TEST_CASE("launch floor") {
    Job job = make_job(dense_model(12, 64, 4, 4, 256, 100));
    job.calibration.launch_floor = {1e-3};
    job.calibration.launch_backward = 1.6;
    const StepTime t = estimate_step_time(job);
    CHECK(t.floor_bound);
    const double layers = t.matmul.value + t.attention.value + t.elementwise.value;
    CHECK(layers + t.launch.value == exactly(12 * 2.6e-3));
    job.training.recompute = Recompute::full;
    const StepTime again = estimate_step_time(job);
    CHECK(again.matmul.value + again.attention.value + again.elementwise.value +
              again.recompute.value + again.launch.value ==
          exactly(12 * 3.6e-3));
  }

  // The more ranks meet at a layer's collectives, the longer its slowest host takes.
  TEST_CASE("launch floor of tensor-parallel ranks") {
    Layout eight_ranks;
    eight_ranks.tp = 8;
    Job job = make_job(dense_model(12, 64, 8, 8, 256, 100), eight_ranks);
    job.calibration.launch_floor = {1e-3};
    job.calibration.launch_tensor = {1e-4};
    job.calibration.launch_backward = 2;
    const StepTime t = estimate_step_time(job);
    CHECK(t.matmul.value + t.attention.value + t.elementwise.value + t.tensor_exposed.value +
              t.launch.value ==
          exactly(12 * 3 * 1.7e-3));
  }

  // A large model hides the host; what nothing hides is added.
  TEST_CASE("launch beside compute") {
    Job job = make_job(llama_3_1_8b());
    job.calibration.launch_floor = {1e-5};
    CHECK(estimate_step_time(job).launch.value == 0);
    CHECK_FALSE(estimate_step_time(job).floor_bound);
    job.calibration.launch_added = {1e-4};
    job.calibration.launch_backward = 2;
    CHECK(estimate_step_time(job).launch.value == exactly(32 * 3e-4));
    job.training.compile = true;
    job.calibration.compiled_launch = 0.5;
    CHECK(estimate_step_time(job).launch.value == exactly(32 * 1.5e-4));
  }

  // A power cap slows arithmetic in proportion, memory not at all.
  TEST_CASE("power limit") {
    Job job = compute_bound(llama_3_1_8b());
    const double full = estimate_step_time(job).step.value;
    job.cluster.gpu.power_limit_share = 0.5;
    CHECK(estimate_step_time(job).step.value == exactly(2 * full));
  }

  // Element-wise work moves so many values of hidden size and MLP width a token; compiling leaves
  // a share of them.
  TEST_CASE("element-wise traffic") {
    Job job = make_job(llama_3_1_8b());
    job.calibration.elementwise_hidden = 20;
    job.calibration.elementwise_mlp = 3;
    job.calibration.elementwise_backward = 2;
    const double values = 20 * 4096 + 3 * 14336;
    const double seconds = 3 * 32 * 2048 * 2 * values / 2039e9;
    CHECK(estimate_step_time(job).elementwise.value == exactly(seconds));
    job.training.compile = true;
    job.calibration.compiled_elementwise = 0.6;
    CHECK(estimate_step_time(job).elementwise.value == exactly(0.6 * seconds));
  }

  // The loss reads and writes each logit several times.
  TEST_CASE("loss traffic") {
    Job job = make_job(llama_3_1_8b());
    const double products = estimate_step_time(job).head_and_loss.value;
    job.calibration.loss_traffic = 20;
    job.calibration.fused_loss_traffic = 8;
    const double logits = 2048.0 * 128256;
    CHECK(estimate_step_time(job).head_and_loss.value - products == exactly(20 * logits / 2039e9));
    job.training.fused_loss = true;
    CHECK(estimate_step_time(job).head_and_loss.value - products == exactly(8 * logits / 2039e9));
  }

  // The optimizer reads gradients and reads and writes the rest: 2 + 2*(2 + 4 + 8) bytes a
  // parameter, sharded from ZeRO-1 on.
  TEST_CASE("optimizer step") {
    CHECK(estimate_step_time(make_job(llama_3_1_8b())).optimizer.value ==
          exactly(30 * 8030261248.0 / 2039e9));
    CHECK(estimate_step_time(make_job(llama_3_1_8b(), data_parallel(8, 1))).optimizer.value ==
          exactly(30 * 8030261248.0 / 8 / 2039e9));
    CHECK(estimate_step_time(make_job(llama_3_1_8b(), data_parallel(8, 0))).optimizer.value ==
          exactly(30 * 8030261248.0 / 2039e9));
  }

  // Muon multiplies each matrix with itself, some flops a parameter and hidden unit.
  TEST_CASE("optimizers that compute") {
    OptimizerEntry muon;
    muon.extra_flops_per_hidden = 20;
    Job job = make_job(llama_3_1_8b());
    const double plain = estimate_step_time(job).optimizer.value;
    job.optimizer = &muon;
    CHECK(estimate_step_time(job).optimizer.value - plain ==
          exactly(20 * 4096 * 8030261248.0 / kPeak));
  }

  // fp8 speeds up the layers' products alone: attention and the head stay in 16 bits.
  TEST_CASE("fp8") {
    Job job = compute_bound(llama_3_1_8b());
    const StepTime half = estimate_step_time(job);
    job.cluster.gpu.peak[static_cast<int>(MatmulKind::fp8)] = {2 * kPeak};
    job.matmul = MatmulKind::fp8;
    const StepTime quarter = estimate_step_time(job);
    CHECK(quarter.matmul.value == exactly(half.matmul.value / 2));
    CHECK(quarter.attention.value == half.attention.value);
    CHECK(quarter.head_and_loss.value == exactly(half.head_and_loss.value));
    job.cluster.gpu.power_limit_share = 0.5;
    CHECK(estimate_step_time(job).head_and_loss.value == exactly(2 * half.head_and_loss.value));
  }
}

TEST_SUITE("passes") {
  // Backward is twice the forward products: the whole is three times.
  TEST_CASE("backward is twice forward") {
    Job job = compute_bound(llama_3_1_8b());
    CHECK(estimate_step_time(job).matmul.value + estimate_step_time(job).head_and_loss.value ==
          exactly(3 * count_step_flops(job).matmul.value / kPeak));
  }

  // A frozen matrix has no gradient of its own: backward is once, the whole two thirds.
  TEST_CASE("LoRA's backward is once forward") {
    const StepTime full = estimate_step_time(compute_bound(llama_3_1_8b()));
    const StepTime lora = estimate_step_time(adapters(compute_bound(llama_3_1_8b())));
    CHECK(lora.matmul.value == exactly(full.matmul.value * 2 / 3));
    CHECK(lora.head_and_loss.value == exactly(full.head_and_loss.value * 2 / 3));
    CHECK(lora.attention.value == full.attention.value);
  }

  // Adapters read their input and add into their output; at a high rank it is their arithmetic that
  // takes the time, three passes of it.
  TEST_CASE("low-rank products") {
    Job job = adapters(make_job(llama_3_1_8b()));
    CHECK(estimate_step_time(job).elementwise.value == exactly(3 * 2 * 2048 * 41943040.0 / kPeak));
    job.calibration.adapter_traffic = 1;
    const double h = 4096, kv = 1024, f = 14336;
    const double values = 2 * (h + 2 * h) + 2 * (h + 2 * kv) + 2 * (h + 2 * f) + (f + 2 * h);
    CHECK(estimate_step_time(job).elementwise.value ==
          exactly(3 * 32 * 2048 * 2 * values / 2039e9));
  }

  // Full recomputation adds exactly one forward pass of the layers, not of the head.
  TEST_CASE("full recomputation adds a forward") {
    Job job = make_job(llama_3_1_8b());
    job.calibration.elementwise_hidden = 22;
    const StepTime none = estimate_step_time(job);
    job.training.recompute = Recompute::full;
    const StepTime full = estimate_step_time(job);
    const double forward =
        none.matmul.value / 3 + none.attention.value / 3.5 + none.elementwise.value / 3;
    CHECK(full.recompute.value == exactly(forward));
    CHECK(full.step.value - none.step.value == rounded(forward, 1e-9));
    job.training.recompute_share = 0.25;
    const StepTime quarter = estimate_step_time(job);
    CHECK(quarter.recompute.value == exactly(forward / 4));
    CHECK(quarter.step.value - none.step.value == rounded(forward / 4, 1e-9));
  }

  // Selective recomputation adds the attention core's forward, or where the stack keeps the
  // products, the element-wise work between them.
  TEST_CASE("selective recomputation") {
    Job job = make_job(llama_3_1_8b());
    job.calibration.elementwise_hidden = 22;
    const StepTime none = estimate_step_time(job);
    job.training.recompute = Recompute::selective;
    CHECK(estimate_step_time(job).recompute.value == exactly(none.attention.value / 3.5));
    job.stack.selective_keeps_products = true;
    CHECK(estimate_step_time(job).recompute.value == exactly(none.elementwise.value / 3));
    // Of q, k, v, out, gate, up and down: k, out and up.
    job.stack.selective_keeps_half = true;
    const double again = (1024 + 4096 + 14336.0) / (4096 + 2 * 1024 + 4096 + 3 * 14336);
    CHECK(estimate_step_time(job).recompute.value ==
          exactly(none.elementwise.value / 3 + none.matmul.value / 3 * again));
  }

  // Quantised weights are unpacked once before each pass.
  TEST_CASE("dequantisation") {
    Job job = adapters(make_job(llama_3_1_8b()));
    job.training.kind = TrainingKind::qlora;
    const double plain = estimate_step_time(job).elementwise.value;
    job.calibration.dequantize_traffic = 4;
    const double layers = 8030261248.0 - 2 * 128256.0 * 4096 - 4096;
    CHECK(estimate_step_time(job).elementwise.value - plain == exactly(2 * 4 * layers / 2039e9));
    job.training.recompute = Recompute::full;
    const double without = [&] {
      Job j = job;
      j.calibration.dequantize_traffic = 0;
      return estimate_step_time(j).recompute.value;
    }();
    CHECK(estimate_step_time(job).recompute.value - without == rounded(4 * layers / 2039e9, 1e-9));
  }

  // Every micro-batch passes through every layer: m of them take m times as long.
  TEST_CASE("gradient accumulation") {
    Job job = make_job(llama_3_1_8b());
    const StepTime one = estimate_step_time(job);
    job.training.global_batch = 8;
    const StepTime eight = estimate_step_time(job);
    CHECK(eight.micro_batches == 8);
    CHECK(eight.compute.value == exactly(8 * one.compute.value));
    CHECK(eight.optimizer.value == one.optimizer.value);
  }
}

TEST_SUITE("communication") {
  // Tensor parallelism: two all-reduces of the hidden states forward, two backward, and two more
  // where layers are recomputed; sequence parallelism moves the same bytes.
  TEST_CASE("tensor parallelism") {
    for (const std::int64_t t : {2, 4, 8}) {
      for (const bool sequence_parallel : {false, true}) {
        Layout layout;
        layout.tp = t;
        layout.sequence_parallel = sequence_parallel;
        Job job = make_job(llama_3_1_70b(), layout);
        const double one = 2 * real(t - 1) / real(t) * 2048 * 8192 * 2 / kLink;
        CHECK(estimate_step_time(job).tensor_exposed.value == exactly(80 * 4 * one));
        job.training.recompute = Recompute::full;
        CHECK(estimate_step_time(job).tensor_exposed.value == exactly(80 * 6 * one));
        job.training.recompute = Recompute::selective;
        CHECK(estimate_step_time(job).tensor_exposed.value == exactly(80 * 4 * one));
        job.calibration.tensor_overlap = 0.25;
        CHECK(estimate_step_time(job).tensor_exposed.value == exactly(80 * 4 * one));
        job.stack.hides_tensor = true;
        CHECK(estimate_step_time(job).tensor_exposed.value == exactly(80 * 3 * one));
      }
    }
  }

  // Frozen weights don't save it: the input gradient is reduced as ever.
  TEST_CASE("tensor parallelism of LoRA") {
    Layout layout;
    layout.tp = 4;
    CHECK(estimate_step_time(adapters(make_job(llama_3_1_8b(), layout))).tensor_exposed.value ==
          estimate_step_time(make_job(llama_3_1_8b(), layout)).tensor_exposed.value);
  }

  // Experts whole on their rank leave the attention's collective alone; a shared expert has its
  // own; split experts exchange the tokens that were sent to them.
  TEST_CASE("tensor parallelism of mixtures") {
    Layout layout;
    layout.tp = layout.ep = 4;
    layout.sequence_parallel = true;
    const double one = 2 * 0.75 * 2048 * 4096 * 2 / kLink;
    Job job = make_job(mixtral_8x7b(), layout);
    CHECK(estimate_step_time(job).tensor_exposed.value == exactly(32 * 2 * one));
    job.model.moe.shared_ffn_hidden = 14336;
    settle(job);
    CHECK(estimate_step_time(job).tensor_exposed.value == exactly(32 * 4 * one));
    Layout split = layout;
    split.ep = 1;
    split.etp = 4;
    CHECK(estimate_step_time(make_job(mixtral_8x7b(), split)).tensor_exposed.value ==
          exactly(32 * 2 * (1 + 2) * one));
  }

  // ZeRO 0 reduces all gradients, 1 and 2 scatter them and gather weights: 2(n-1)/n once a step.
  TEST_CASE("data parallelism") {
    const double volume = 2 * 7.0 / 8 * 2 * 8030261248.0;
    for (const std::int64_t zero : {0, 1, 2}) {
      Job job = make_job(llama_3_1_8b(), data_parallel(8, zero));
      CHECK(estimate_step_time(job).data_exposed.value == exactly(volume / kLink));
      job.training.global_batch *= 4;
      CHECK(estimate_step_time(job).data_exposed.value == exactly(volume / kLink));
    }
    Job wide = make_job(llama_3_1_8b(), data_parallel(8, 1));
    wide.stack.reduce_bytes = 4;  // gradients in fp32, weights in 16 bits
    CHECK(estimate_step_time(wide).data_exposed.value == exactly(volume * 1.5 / kLink));
  }

  // ZeRO-3 gathers weights forward and backward and scatters gradients: 3(n-1)/n, each
  // micro-batch (Rajbhandari et al., arXiv 1910.02054, section 7).
  TEST_CASE("ZeRO-3") {
    const double volume = 3 * 7.0 / 8 * 2 * 8030261248.0;
    Job job = make_job(llama_3_1_8b(), data_parallel(8, 3));
    CHECK(estimate_step_time(job).data_exposed.value == exactly(volume / kLink));
    job.training.global_batch *= 4;
    CHECK(estimate_step_time(job).data_exposed.value == exactly(4 * volume / kLink));
    job.stack.gathers_per_micro_batch = false;
    CHECK(estimate_step_time(job).data_exposed.value == exactly(volume * 2 / 3 / kLink));
  }

  // fp32 training gathers fp32 weights.
  TEST_CASE("ZeRO-3 in fp32") {
    Job job = make_job(llama_3_1_8b(), data_parallel(8, 3));
    job.states.activation = 4;
    job.stack.reduce_bytes = 4;
    CHECK(estimate_step_time(job).data_exposed.value ==
          exactly(3 * 7.0 / 8 * 4 * 8030261248.0 / kLink));
  }

  // Experts are reduced over the ranks that hold the same ones: none where each rank has its own.
  TEST_CASE("data parallelism of experts") {
    const double experts = 32 * 8 * 3.0 * 4096 * 14336;
    const double others = 46702792704.0 - experts;
    for (const std::int64_t ep : {1, 2, 8}) {
      const double ranks = real(8 / ep);
      const double held = experts / real(ep);
      for (const std::int64_t zero : {0, 1, 3}) {
        Layout layout = data_parallel(8, zero);
        layout.ep = ep;
        Job job = make_job(mixtral_8x7b(), layout);
        job.cluster.gpu.memory_bandwidth = {1e30};
        const double volume = 2 * (others * 7 / 8 + held * (ranks - 1) / ranks);
        const double passes = zero == 3 ? 3 : 2;
        CHECK(estimate_step_time(job).data_exposed.value == exactly(passes * volume / kLink));
      }
    }
    Layout layout = data_parallel(8, 1);
    layout.ep = 2;
    Job wide = make_job(mixtral_8x7b(), layout);
    wide.stack.reduce_bytes = 4;  // gradients in fp32, weights in 16 bits
    CHECK(estimate_step_time(wide).data_exposed.value ==
          exactly((4 + 2) * (others * 7 / 8 + experts / 2 * 3 / 4) / kLink));
    CHECK(estimate_step_time(wide).optimizer.value ==
          exactly(30 * (others / 8 + experts / 2 / 4) / 2039e9));
  }

  // LoRA reduces its adapters alone, but under ZeRO-3 gathers the whole frozen base.
  TEST_CASE("data parallelism of LoRA") {
    const Job one = adapters(make_job(llama_3_1_8b(), data_parallel(8, 1)));
    CHECK(estimate_step_time(one).data_exposed.value ==
          exactly(7.0 / 8 * (2 + 2) * 41943040.0 / kLink));
    const Job three = adapters(make_job(llama_3_1_8b(), data_parallel(8, 3)));
    const double all = 8030261248.0 + 41943040.0;
    CHECK(estimate_step_time(three).data_exposed.value ==
          exactly(7.0 / 8 * (2 * 2 * all + 2 * 41943040.0) / kLink));
  }

  // Hybrid sharding gathers inside its group, over the link; the shards' gradients are summed
  // across groups, over the network.
  TEST_CASE("hybrid sharding") {
    Layout layout = data_parallel(32, 3);
    layout.shard_group = 8;
    const Job job = make_job(llama_3_1_8b(), layout);
    const double n = 2 * 8030261248.0;
    CHECK(estimate_step_time(job).data_exposed.value ==
          exactly(3 * 7.0 / 8 * n / kLink + 2 * 3.0 / 4 * n / 8 / kNetwork));
  }

  // Of compute and traffic side by side, a share of the smaller is hidden.
  TEST_CASE("overlap") {
    Job job = make_job(llama_3_1_8b(), data_parallel(8, 3));
    const double exposed = estimate_step_time(job).data_exposed.value;
    job.calibration.overlap = 1;
    job.cluster.gpu.memory_bandwidth = {1e30};
    // 2,048 tokens compute longer than the weights take over NVLink: nothing is left.
    CHECK(estimate_step_time(job).data_exposed.value == 0);
    job.calibration.overlap = 0.5;
    CHECK(estimate_step_time(job).data_exposed.value == exactly(exposed / 2));
  }

  // Traffic hides beside a device that waits for its host, too.
  TEST_CASE("overlap with launches") {
    Job job = make_job(llama_3_1_8b(), data_parallel(8, 3));
    job.training.sequence_length = 16;
    job.calibration.overlap = 1;
    CHECK(estimate_step_time(job).data_exposed.value > 0);
    job.calibration.launch_floor = {10e-3};
    CHECK(estimate_step_time(job).data_exposed.value == 0);
  }

  // The step ends when the stage with most parameters has reduced and updated them.
  TEST_CASE("the largest stage ends the step") {
    Layout layout = data_parallel(8, 1);
    layout.pp = 4;
    const Job job = make_job(llama_3_1_8b(), layout);
    const double last = 8 * 218112000.0 + 128256.0 * 4096 + 4096;
    const StepTime t = estimate_step_time(job);
    CHECK(t.data_exposed.value == exactly(2 * 7.0 / 8 * 2 * last / kLink));
    CHECK(t.optimizer.value == exactly(30 * last / 8 / 2039e9));
  }

  // FSDP hides where tokens a GPU exceed achieved FLOP/s over bytes/s: each parameter moves 6
  // bytes and computes 6 flops a token.
  TEST_CASE("the rule for hiding FSDP") {
    Job job = make_job(llama_3_1_70b(), data_parallel(64, 3));
    job.cluster.gpu.memory_bandwidth = {1e30};
    job.cluster.gpu.link = {1e30};
    job.cluster.internode = {kNetwork / 8};  // a node's adapters, shared by its eight GPUs
    job.calibration.overlap = 1;
    job.training.flash_attention = true;
    const double tokens = kPeak / kNetwork * 63 / 64;
    job.training.sequence_length = static_cast<std::int64_t>(tokens * 0.8);
    CHECK(estimate_step_time(job).data_exposed.value > 0);
    job.training.sequence_length = static_cast<std::int64_t>(tokens * 1.05);
    CHECK(estimate_step_time(job).data_exposed.value == 0);
  }

  // Expert parallelism: all-to-all of k tokens out and back, forward and backward: 4 a layer.
  TEST_CASE("expert parallelism") {
    Layout layout = data_parallel(8, 0);
    layout.ep = 8;
    Job job = make_job(mixtral_8x7b(), layout);
    const double one = 2048.0 * 2 * 4096 * 2 * 7 / 8 / kLink;
    CHECK(estimate_step_time(job).expert_exposed.value == exactly(32 * 4 * one));
    job.calibration.moe_imbalance = 1.25;
    CHECK(estimate_step_time(job).expert_exposed.value == exactly(1.25 * 32 * 4 * one));
    job.training.recompute = Recompute::full;
    CHECK(estimate_step_time(job).expert_exposed.value == exactly(1.25 * 32 * 6 * one));
    // Of tp ranks with whole experts each sends its part of the tokens.
    Layout tensor;
    tensor.tp = tensor.ep = 8;
    CHECK(estimate_step_time(make_job(mixtral_8x7b(), tensor)).expert_exposed.value ==
          exactly(32 * 4 * one / 8));
  }

  // Over two nodes half of what is sent leaves the node; where a token crosses once for both of its
  // experts, it meets the other node with a chance of 1 - (1/2)^2.
  TEST_CASE("expert parallelism over nodes") {
    Layout layout = data_parallel(16, 0);
    layout.ep = 16;
    Model m = mixtral_8x7b();
    m.moe.experts = 16;
    Job job = make_job(m, layout);
    const double tokens = 2048.0 * 4096 * 2 / kNetwork;
    CHECK(estimate_step_time(job).expert_exposed.value == exactly(32 * 4 * tokens * 2 / 2));
    job.stack.sends_per_node = true;
    CHECK(estimate_step_time(job).expert_exposed.value == exactly(32 * 4 * tokens * 3 / 4));
    // Beside another micro-batch only what exceeds a pass's compute is seen.
    job.stack.hides_expert = true;
    job.cluster.internode = job.cluster.internode * 100;
    CHECK(estimate_step_time(job).expert_exposed.value == 0);
  }

  // Fed from both ends, the first rank and the last share the head; all of it is done all the same.
  TEST_CASE("a pipeline fed from both ends") {
    Layout layout;
    layout.pp = 4;
    Job job = make_job(llama_3_1_8b(), layout);
    const StepTime one = estimate_step_time(job);
    job.stack.both_ways = true;
    const StepTime both = estimate_step_time(job);
    CHECK(both.head_and_loss.value == exactly(one.head_and_loss.value / 2));
    const double head = one.head_and_loss.value / static_cast<double>(one.micro_batches);
    CHECK(both.bubble.value == exactly(one.bubble.value + head / 2));
  }

  // Context parallelism: keys and values of the other ranks pass by beside the attention core;
  // only what the core doesn't hide is seen.
  TEST_CASE("context parallelism") {
    Layout layout;
    layout.cp = 4;
    Job job = make_job(llama_3_1_8b(), layout);
    job.training.sequence_length = 131072;
    CHECK(estimate_step_time(job).context_exposed.value == 0);
    for (FlopsPerSecond& peak : job.cluster.gpu.peak) peak = {1e30};
    const double ring = 131072.0 / 4 * 2 * 1024 * 2 * 3 / kLink;
    // Keys and values forward; they and their gradients backward.
    CHECK(estimate_step_time(job).context_exposed.value == rounded(32 * 3 * ring, 1e-6));
  }

  // Offloaded parameters come over PCIe for each pass; the optimizer runs on the host.
  TEST_CASE("offloading") {
    Job job = make_job(llama_3_1_8b());
    job.calibration.host_update_bandwidth = 20e9;
    const double n = 8030261248.0;
    job.layout.offload = Offload::optimizer;
    const StepTime optimizer = estimate_step_time(job);
    CHECK(optimizer.offload.value == exactly(n * 4 / 31.5e9 + 30 * n / 20e9));
    CHECK(optimizer.optimizer.value == 0);
    job.layout.offload = Offload::parameters;
    CHECK(estimate_step_time(job).data_exposed.value == exactly(2 * 2 * n / 31.5e9));
  }

  // Checkpoints leave and come back; without full recomputation there are none to offload.
  TEST_CASE("offloaded checkpoints") {
    Job job = make_job(llama_3_1_8b());
    job.layout.offload = Offload::activations;
    CHECK(estimate_step_time(job).data_exposed.value == 0);
    job.training.recompute = Recompute::full;
    const double kept = 32 * 2048.0 * 4096 * 2;
    CHECK(estimate_step_time(job).data_exposed.value == exactly(2 * kept / 31.5e9));
    job.layout.tp = 4;
    job.layout.sequence_parallel = true;
    settle(job);
    CHECK(estimate_step_time(job).data_exposed.value == exactly(2 * kept / 4 / 31.5e9));
  }

  // Paged moments that found no room come in and go out once a step.
  TEST_CASE("paged moments") {
    OptimizerEntry paged;
    paged.paged = true;
    Job job = make_job(llama_3_1_8b());
    job.optimizer = &paged;
    job.cluster.gpu.usable_memory = {200e9};
    CHECK(estimate_step_time(job).offload.value == 0);
    job.cluster.gpu.usable_memory = {24e9};
    CHECK(estimate_step_time(job).offload.value == exactly(2 * 8 * 8030261248.0 / 31.5e9));
  }

  // GeForce cards without peer-to-peer spend most of a ZeRO-3 step waiting for each other.
  TEST_CASE("PCIe is slower than NVLink") {
    Job job = make_job(llama_3_1_8b(), data_parallel(8, 3));
    const double nvlink = estimate_step_time(job).data_exposed.value;
    job.cluster.gpu.link = {0};
    job.cluster.gpu.peer_to_peer = false;
    CHECK(estimate_step_time(job).data_exposed.value == exactly(nvlink * 300 / (31.5 / 2)));
  }
}

TEST_SUITE("pipeline") {
  // 1F1B: p - 1 micro-batches of idling for m of work (Narayanan et al., arXiv 2104.04473, 2.2).
  TEST_CASE("bubble") {
    for (const std::int64_t p : {2, 4, 8, 16}) {
      for (const std::int64_t m : {1, 4, 8, 64}) {
        Layout layout;
        layout.pp = p;
        Job job = compute_bound(headless(80), layout);
        job.training.global_batch = m;
        const StepTime t = estimate_step_time(job);
        CHECK(t.bubble / t.compute == rounded(real(p - 1) / real(m), 1e-5));
      }
    }
  }

  // Interleaved: v chunks a rank make the bubble v times smaller.
  TEST_CASE("interleaved bubble") {
    for (const std::int64_t v : {2, 5}) {
      Layout layout;
      layout.pp = 8;
      layout.virtual_stages = v;
      Job job = compute_bound(headless(80), layout);
      job.training.global_batch = 64;
      const StepTime t = estimate_step_time(job);
      CHECK(t.bubble / t.compute == rounded(7.0 / (real(v) * 64), 1e-5));
    }
  }

  // The slowest stage sets the pace: with a head on the last stage the others wait for it.
  TEST_CASE("unequal stages") {
    Layout layout;
    layout.pp = 4;
    Job job = compute_bound(llama_3_1_8b(), layout);
    job.training.global_batch = 16;
    const StepTime t = estimate_step_time(job);
    const double head = t.head_and_loss.value / 16;
    const double layers = (t.matmul.value + t.attention.value) / 16;
    CHECK(t.step.value == rounded(16 * (layers + head) + 3 * layers, 1e-9));
  }

  // One stage has no bubble and sends nothing on.
  TEST_CASE("one stage") {
    const StepTime t = estimate_step_time(make_job(llama_3_1_8b()));
    CHECK(t.bubble.value == 0);
    CHECK(t.pipeline_exposed.value == 0);
  }

  // Activations go to the next stage and gradients back, p - 1 boundaries to fill and drain;
  // sequence parallelism sends a t-th.
  TEST_CASE("point-to-point") {
    Layout layout;
    layout.tp = 2;
    layout.pp = 4;
    Job job = make_job(llama_3_1_70b(), layout);
    job.training.global_batch = 16;
    const double one = 2048.0 * 8192 * 2 / kLink;
    CHECK(estimate_step_time(job).pipeline_exposed.value == exactly(6 * one));
    job.layout.sequence_parallel = true;
    CHECK(estimate_step_time(job).pipeline_exposed.value == exactly(3 * one));
    job.layout.sequence_parallel = false;
    job.calibration.pipeline_slack = 0.1;  // of both ways of 16 micro-batches
    CHECK(estimate_step_time(job).pipeline_exposed.value == exactly((6 + 3.2) * one));
    job.layout.virtual_stages = 2;
    CHECK(estimate_step_time(job).pipeline_exposed.value == exactly((6 + 6.4) * one));
  }
}

}  // namespace traintally
