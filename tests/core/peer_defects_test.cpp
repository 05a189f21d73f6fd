#include <doctest/doctest.h>

#include <traintally/flops.hpp>
#include <traintally/memory.hpp>
#include <traintally/time.hpp>

#include "job_builder.hpp"

// What other estimators are known to get wrong, one test each: the name says what is right.

namespace traintally {
namespace {

using namespace testing;

/// With overheads as they are usual: efficiencies below one, latencies, launches.
Job usual_job(const Model& model, const Layout& layout) {
  Job job = make_job(model, layout);
  job.calibration = Calibration{};
  return job;
}

Layout layout_of(std::int64_t tp, std::int64_t pp, std::int64_t dp, std::int64_t zero) {
  Layout layout;
  layout.tp = tp;
  layout.pp = pp;
  layout.dp = dp;
  layout.zero = zero;
  layout.sequence_parallel = tp > 1;
  return layout;
}

StageMemory first_stage(const Job& job) { return estimate_stage_memory(job, 0); }

double states(const Job& job) {
  const StageMemory m = first_stage(job);
  return (m.weights + m.gradients + m.optimizer).value;
}

double kept(const Job& job) {
  const StageMemory m = first_stage(job);
  return (m.attention + m.mlp + m.norms + m.checkpoints).value;
}

}  // namespace

TEST_SUITE("defects of peers, states") {
  // Not 8 bytes a parameter (the largest phase, or three copies of 2 and the weights): 16 in mixed
  // precision, 18 with fp32 gradients, whatever comes after them at the peak.
  TEST_CASE("16-bit training has 16 to 18 bytes a parameter") {
    Job job = make_job(llama_3_1_8b());
    const double n = 8030261248.0;
    CHECK(states(job) / n == exactly(16));
    job.states.gradients = 4;
    CHECK(states(job) / n == exactly(18));
    CHECK(first_stage(job).allocated.value > 18 * n);
  }

  // States are not the total: activations, logits, buffers and the driver's context come on top.
  TEST_CASE("states are not the whole") {
    Job job = make_job(llama_3_1_8b(), layout_of(1, 1, 8, 3));
    job.stack = StackHabits{};
    job.stack.context = {1e9};
    const StageMemory m = first_stage(job);
    CHECK(m.device.value > 1.3 * states(job));
    CHECK(m.device > m.reserved);
    CHECK(m.reserved > m.allocated);
  }

  // ZeRO estimates depend on the number of GPUs: 2 and 4 differ.
  TEST_CASE("2 and 4 GPUs differ") {
    for (const std::int64_t zero : {1, 2, 3}) {
      const double two = states(make_job(llama_3_1_8b(), layout_of(1, 1, 2, zero)));
      const double four = states(make_job(llama_3_1_8b(), layout_of(1, 1, 4, zero)));
      CHECK(four < 0.8 * two);
    }
  }

  // ZeRO-2 keeps whole weights alone: 2 + 14/n, not 4 + 16/n as an old page still prints.
  TEST_CASE("ZeRO-2 shards gradients") {
    CHECK(states(make_job(llama_3_1_8b(), layout_of(1, 1, 8, 2))) / 8030261248.0 ==
          exactly(2 + 14.0 / 8));
  }

  // ZeRO-3 divides by the data-parallel ranks once, not by all GPUs after tp and pp have divided.
  TEST_CASE("ZeRO-3 is not divided twice") {
    Model m = llama_3_1_70b();
    m.norms_per_layer = 0;  // nothing that tp copies
    m.final_norm = false;
    const Job job = make_job(m, layout_of(8, 1, 8, 3));
    CHECK(first_stage(job).weights.value == exactly(2 * real(job.parameters.total) / 64));
  }

  // Without ZeRO gradients and optimizer are still split by tensor and pipeline parallelism.
  TEST_CASE("tp and pp split every state") {
    const double whole = states(make_job(llama_3_1_70b()));
    const double part = states(make_job(llama_3_1_70b(), layout_of(8, 4, 1, 0)));
    CHECK(part == rounded(whole / 32, 0.05));
  }

  // An untied head is counted: Llama 3 8B has half a billion parameters in it.
  TEST_CASE("embeddings are tied only where they are") {
    Model m = llama_3_1_8b();
    const std::int64_t untied = count_parameters(m).total;
    m.tied_embeddings = true;
    CHECK(untied - count_parameters(m).total == 525'336'576);
  }

  // The vocabulary is the model's, in parameters, memory and time.
  TEST_CASE("vocabulary counts") {
    Model m = llama_3_1_8b();
    const Job large = make_job(m);
    m.vocab = 32000;
    const Job small = make_job(m);
    CHECK(large.parameters.total - small.parameters.total == 2 * (128256 - 32000) * 4096);
    CHECK(first_stage(large).logits.value ==
          exactly(first_stage(small).logits.value * 128256 / 32000));
    CHECK(estimate_step_time(large).head_and_loss > 3 * estimate_step_time(small).head_and_loss);
  }

  // Experts' optimizer states are sharded over the ranks that hold the same experts, not over all.
  TEST_CASE("experts are not sharded over ranks that lack them") {
    Layout layout = layout_of(1, 1, 64, 1);
    layout.ep = 8;
    const Job job = make_job(mixtral_8x7b(), layout);
    const double experts = 32 * 8 * 3.0 * 4096 * 14336;
    const double others = 46702792704.0 - experts;
    CHECK(first_stage(job).optimizer.value == exactly(12 * (others / 64 + experts / 8 / 8)));
  }

  // More experts a token leave the stored dense layers alone.
  TEST_CASE("experts per token multiply experts only") {
    Model m = deepseek_v3();
    const Job eight = make_job(m);
    m.moe.experts_per_token = 16;
    const Job sixteen = make_job(m);
    CHECK(states(eight) == states(sixteen));
    const double token = 58 * 2 * 8 * (2 * 7168.0 + 3 * 2048);
    CHECK(first_stage(sixteen).mlp.value - first_stage(eight).mlp.value ==
          exactly(eight.micro_tokens() * token));
    CHECK(first_stage(sixteen).attention.value == first_stage(eight).attention.value);
  }

  // Latent attention without query and key norms is a model like any other.
  TEST_CASE("DeepSeek-V3 is accepted") {
    Layout layout = layout_of(1, 16, 128, 1);
    layout.ep = 64;
    Job job = usual_job(deepseek_v3(), layout);
    job.training.recompute = Recompute::full;
    job.training.global_batch = 128 * 32;
    CHECK(estimate_memory(job).stage.allocated.value > 1e9);
    CHECK(estimate_step_time(job).step.value > 0);
  }

  // LoRA on 7 to 8 billion is about 16 GB of weights, not ten times that; and it scales with the
  // rank, which is not always 8.
  TEST_CASE("LoRA has no states of the base") {
    Job job = make_job(llama_3_1_8b());
    job.training.kind = TrainingKind::lora;
    job.training.lora.rank = 8;
    settle(job);
    CHECK(states(job) < 17e9);
    const double eight = states(job) - 2 * 8030261248.0;
    job.training.lora.rank = 64;
    settle(job);
    CHECK(states(job) - 2 * 8030261248.0 == rounded(8 * eight, 1e-9));
  }

  // QLoRA keeps embeddings and norms wider than its matrices.
  TEST_CASE("4 bits are not for everything") {
    Job job = make_job(llama_3_1_8b());
    job.training.kind = TrainingKind::qlora;
    job.states.frozen_weights = 0.516;
    job.states.frozen_embeddings = 4;
    settle(job);
    CHECK(first_stage(job).weights.value > 0.5 * 8030261248.0 + 3.5 * 2 * 128256.0 * 4096);
  }
}

TEST_SUITE("defects of peers, activations") {
  // A sequence split over c ranks is a c-th on each; with adapters too.
  TEST_CASE("context parallelism divides activations") {
    for (const TrainingKind kind : {TrainingKind::full, TrainingKind::lora}) {
      Layout layout;
      Job one = make_job(llama_3_1_8b(), layout);
      layout.cp = 8;
      Job eight = make_job(llama_3_1_8b(), layout);
      one.training.kind = eight.training.kind = kind;
      settle(one);
      settle(eight);
      CHECK(kept(one) == exactly(8 * kept(eight)));
      CHECK(first_stage(one).logits.value == exactly(8 * first_stage(eight).logits.value));
    }
  }

  // A gated MLP keeps three values of its width, not two.
  TEST_CASE("gated MLPs keep their gate") {
    Model m = llama_3_1_8b();
    const double gated = first_stage(make_job(m)).mlp.value;
    m.gated = false;
    CHECK(gated - first_stage(make_job(m)).mlp.value == exactly(32 * 2048.0 * 2 * 14336));
  }

  // Grouped queries keep narrow keys and values.
  TEST_CASE("grouped queries save activations") {
    Model m = llama_3_1_8b();
    const double grouped = first_stage(make_job(m)).attention.value;
    m.kv_heads = 32;
    CHECK(first_stage(make_job(m)).attention.value - grouped ==
          exactly(32 * 2048.0 * 2 * 2 * (4096 - 1024)));
  }

  // All layers keep theirs, and each stage of a pipeline its own only.
  TEST_CASE("activations of every layer, divided by the stages") {
    Model m = llama_3_1_8b();
    const double deep = kept(make_job(m));
    CHECK(kept(make_job(m, layout_of(1, 4, 1, 0))) == exactly(deep / 4));  // one micro-batch
    m.layers = 16;
    CHECK(kept(make_job(m)) == exactly(deep / 2));
  }

  // 34 s b h is selective recomputation; full keeps 2 s b h.
  TEST_CASE("selective is not full, and neither is none") {
    for (const bool flash : {false, true}) {
      Job job = make_job(llama_3_1_8b());
      job.training.flash_attention = flash;
      const double none = kept(job);
      job.training.recompute = Recompute::selective;
      const double selective = kept(job);
      job.training.recompute = Recompute::full;
      const double full = kept(job);
      CHECK(full < 0.1 * selective);
      CHECK(selective < none);
    }
  }

  // Plain attention keeps scores, which grow with the square of the sequence; fused keeps none.
  TEST_CASE("scores are kept only where attention isn't fused") {
    Job job = make_job(llama_3_1_8b());
    job.training.sequence_length = 8192;
    const double fused = kept(job);
    job.training.flash_attention = false;
    CHECK(kept(job) > 5 * fused);
  }

  // Routed tokens come back in the number that was sent, however many ranks share the experts.
  TEST_CASE("expert parallelism doesn't divide activations") {
    Layout layout = layout_of(1, 1, 8, 0);
    const double one = kept(make_job(mixtral_8x7b(), layout));
    layout.ep = 8;
    CHECK(kept(make_job(mixtral_8x7b(), layout)) == exactly(one));
  }

  // The logits are there: for a small model with a large vocabulary they are most of it.
  TEST_CASE("logits are included") {
    Model m = dense_model(24, 896, 14, 2, 4864, 151936);
    m.tied_embeddings = true;
    m.bias_qkv = true;
    Job job = make_job(m);
    job.stack.logits_bytes = 14;
    job.training.recompute = Recompute::full;
    const StageMemory memory = first_stage(job);
    CHECK(memory.logits.value == exactly(14 * 2048.0 * 151936));
    CHECK(memory.logits > 0.3 * memory.allocated);
  }

  // Uneven stages are counted layer by layer: the long ones have the more.
  TEST_CASE("uneven pipelines") {
    Layout layout = layout_of(1, 3, 1, 0);
    const Job job = make_job(llama_3_1_8b(), layout);  // 10, 11 and 11 layers
    const double layer = kept(make_job(llama_3_1_8b())) / 32;
    double layers = 0;
    for (std::int64_t r = 0; r < 3; ++r) {
      const StageMemory m = estimate_stage_memory(job, r);
      const double here = (m.attention + m.mlp + m.norms).value / layer;
      CHECK((here == exactly(10) || here == exactly(11)));
      layers += here;
    }
    CHECK(layers == exactly(32));
  }
}

TEST_SUITE("defects of peers, arithmetic and time") {
  // Recomputation is one more forward of each layer, no more for a deeper model.
  TEST_CASE("recomputation is not counted twice") {
    for (const std::int64_t layers : {1, 8, 64}) {
      Model m = llama_3_1_8b();
      m.layers = layers;
      Job job = make_job(m);
      const StepTime none = estimate_step_time(job);
      job.training.recompute = Recompute::full;
      const StepTime full = estimate_step_time(job);
      CHECK(full.recompute.value == exactly(none.matmul.value / 3 + none.attention.value / 3.5));
      job.training.recompute = Recompute::selective;
      CHECK(estimate_step_time(job).recompute.value == exactly(none.attention.value / 3.5));
    }
  }

  // LoRA saves a third of the products, not 95%.
  TEST_CASE("LoRA is two thirds of the work") {
    Job job = make_job(llama_3_1_8b());
    const StepFlops full = count_step_flops(job);
    job.training.kind = TrainingKind::lora;
    settle(job);
    const StepFlops lora = count_step_flops(job);
    CHECK((lora.model_causal - lora.attention_causal * 3) /
              (full.model_causal - full.attention_causal * 3) ==
          exactly(2.0 / 3));
    CHECK(lora.hardware / full.hardware > 0.66);
  }

  // Causal attention is half the square, and the report has both conventions: a utilisation by the
  // full square can pass 100%, by what is computed it can't.
  TEST_CASE("causal attention") {
    Job job = make_job(llama_3_1_8b());
    job.cluster.gpu.memory_bandwidth = {1e30};
    job.training.sequence_length = 131072;
    const StepFlops f = count_step_flops(job);
    const Throughput t = throughput(job, f, estimate_step_time(job).step);
    CHECK(t.mfu_full > 1);
    CHECK(t.mfu_causal < 1);
    CHECK(t.hfu <= 1);
  }

  // The head's products are threefold like all others.
  TEST_CASE("the head has a backward pass") {
    Model m = dense_model(1, 1024, 8, 8, 1024, 1'000'000);
    const Job job = make_job(m);
    const StepFlops f = count_step_flops(job);
    CHECK(f.model_causal / f.matmul > 2.9);
  }

  // fp8 is no flat factor: the larger the products' share, the more it gives, never all of it.
  TEST_CASE("fp8 helps products alone") {
    const auto speedup = [](Job job) {
      job.cluster.gpu.peak[static_cast<int>(MatmulKind::fp8)] = {624e12};
      const double before = estimate_step_time(job).step.value;
      job.matmul = MatmulKind::fp8;
      return before / estimate_step_time(job).step.value;
    };
    Job short_sequence = usual_job(llama_3_1_8b(), {});
    short_sequence.training.micro_batch = short_sequence.training.global_batch = 4;
    Job long_sequence = short_sequence;
    long_sequence.training.sequence_length = 65536;
    CHECK(speedup(short_sequence) > speedup(long_sequence) + 0.05);
    CHECK(speedup(short_sequence) < 2);
    CHECK(speedup(long_sequence) > 1);
  }

  // Real devices don't reach their peak: the constants that stand in for measured ones say so.
  TEST_CASE("efficiencies are below one") {
    const Calibration c;
    for (const double efficiency :
         {c.matmul_efficiency, c.fp8_efficiency, c.attention_efficiency, c.bandwidth_efficiency,
          c.link_efficiency, c.pcie_efficiency, c.internode_efficiency, c.host_bounce}) {
      CHECK(efficiency > 0);
      CHECK(efficiency < 1);
    }
  }

  // No one utilisation fits all: small models on many GPUs are far below large ones on few.
  TEST_CASE("utilisation is not flat") {
    const auto mfu = [](const Model& m, const Layout& layout) {
      const Job job = usual_job(m, layout);
      return throughput(job, count_step_flops(job), estimate_step_time(job).step).mfu_full;
    };
    const double small = mfu(gpt(12, 768, 12, 50257, 1024), layout_of(1, 1, 64, 3));
    const double large = mfu(llama_3_1_8b(), layout_of(1, 1, 8, 1));
    CHECK(large > 2 * small);
    CHECK(large > 0.3);
    CHECK(large < 0.7);
  }

  // The link between GPUs matters: without one, a second card barely helps ZeRO-3.
  TEST_CASE("interconnect counts") {
    Job two = usual_job(llama_3_1_8b(), layout_of(1, 1, 2, 3));
    const double nvlink = estimate_step_time(two).step.value;
    two.cluster.gpu.link = {0};
    two.cluster.gpu.peer_to_peer = false;
    CHECK(estimate_step_time(two).step.value > 1.5 * nvlink);
  }

  // The bubble costs time, and more micro-batches make it less.
  TEST_CASE("pipelines have a bubble") {
    Job job = usual_job(llama_3_1_70b(), layout_of(8, 8, 1, 0));
    job.training.global_batch = 8;
    const StepTime few = estimate_step_time(job);
    job.training.global_batch = 128;
    const StepTime many = estimate_step_time(job);
    CHECK(few.bubble / few.step > 0.4);
    CHECK(many.bubble / many.step < 0.06);
  }

  // Eight ways of tensor parallelism are no layout for an 8B on eight GPUs that has room for
  // sharded states instead.
  TEST_CASE("an 8B is not split eight ways") {
    Job sharded = usual_job(llama_3_1_8b(), layout_of(1, 1, 8, 1));
    Job split = usual_job(llama_3_1_8b(), layout_of(8, 1, 1, 0));
    sharded.training.global_batch = split.training.global_batch = 64;
    CHECK(estimate_memory(sharded).fits);
    CHECK(estimate_step_time(sharded).step < estimate_step_time(split).step);
  }

  // ZeRO-3 across nodes beside tensor parallelism inside them gathers weights over the network for
  // every micro-batch: pipeline stages and ZeRO-1 are faster for a 70B on 256 GPUs.
  TEST_CASE("ZeRO-3 with tp 8 is no layout for a 70B on 256 GPUs") {
    Job gathered = usual_job(llama_3_1_70b(), layout_of(8, 1, 32, 3));
    Job pipelined = usual_job(llama_3_1_70b(), layout_of(8, 4, 8, 1));
    gathered.training.global_batch = pipelined.training.global_batch = 1024;
    CHECK(estimate_step_time(pipelined).step < estimate_step_time(gathered).step);
  }
}

}  // namespace traintally
