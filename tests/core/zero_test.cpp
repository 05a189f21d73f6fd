#include <doctest/doctest.h>

#include <traintally/memory.hpp>

#include "job_builder.hpp"

namespace traintally {
namespace {

using namespace testing;

/// A model of exactly `parameters`, whatever its shape.
Model sized(std::int64_t parameters) {
  Model m = gpt(36, 4096, 32, 50257, 1024);
  m.extra_parameters = parameters - count_parameters(m).total;
  return m;
}

Job data_parallel(const Model& model, std::int64_t ranks, std::int64_t zero) {
  Layout layout;
  layout.dp = ranks;
  layout.zero = zero;
  return make_job(model, layout);
}

double states(const StageMemory& m) { return (m.weights + m.gradients + m.optimizer).value; }
double states(const Job& job) { return states(estimate_stage_memory(job, 0)); }

}  // namespace

TEST_SUITE("zero") {
  // Rajbhandari et al., arXiv 1910.02054, figure 1: 7.5 billion parameters on 64 GPUs need 120,
  // 31.4, 16.6 and 1.9 GB of states a GPU.
  TEST_CASE("figure 1 of the ZeRO paper") {
    const Model m = sized(7'500'000'000);
    CHECK(states(data_parallel(m, 64, 0)) / kGB == rounded(120, 1e-9));
    CHECK(states(data_parallel(m, 64, 1)) / kGB == rounded(31.4, 1e-3));
    CHECK(states(data_parallel(m, 64, 2)) / kGB == rounded(16.6, 5e-3));
    CHECK(states(data_parallel(m, 64, 3)) / kGB == rounded(1.9, 2e-2));
  }

  // Likewise in bytes per parameter: 16, 4 + 12/64, 2 + 14/64, 16/64.
  TEST_CASE("bytes per parameter by stage") {
    const double n = 7.5e9;
    const Model m = sized(7'500'000'000);
    CHECK(states(data_parallel(m, 64, 0)) / n == exactly(16));
    CHECK(states(data_parallel(m, 64, 1)) / n == exactly(4 + 12.0 / 64));
    CHECK(states(data_parallel(m, 64, 2)) / n == exactly(2 + 14.0 / 64));
    CHECK(states(data_parallel(m, 64, 3)) / n == exactly(16.0 / 64));
  }

  // The same paper, table 1: a trillion parameters on 1,024 GPUs need 16,000, 4,011, 2,013 and
  // 15.6 GB.
  TEST_CASE("table 1 of the ZeRO paper") {
    const Model m = sized(1'000'000'000'000);
    CHECK(states(data_parallel(m, 1024, 0)) / kGB == rounded(16000, 1e-9));
    CHECK(states(data_parallel(m, 1024, 1)) / kGB == rounded(4011, 1e-3));
    CHECK(states(data_parallel(m, 1024, 2)) / kGB == rounded(2013, 1e-3));
    CHECK(states(data_parallel(m, 1024, 3)) / kGB == rounded(15.6, 5e-3));
  }

  // Gradients that accumulate in fp32, as Megatron's do: 18 bytes, 6 + 12/d with the distributed
  // optimizer, 2 + 16/d with the gradients sharded.
  TEST_CASE("fp32 gradients") {
    for (const std::int64_t d : {1, 2, 8, 64}) {
      const double ranks = real(d);
      const double bytes[] = {18, 6 + 12 / ranks, 2 + 16 / ranks, 18 / ranks};
      for (const std::int64_t zero : {0, 1, 2, 3}) {
        Job job = data_parallel(llama_3_1_8b(), d, zero);
        job.states.gradients = 4;
        CHECK(states(job) / 8030261248.0 == exactly(bytes[zero]));
      }
    }
  }

  // Context-parallel ranks hold the same weights: states are sharded over them too.
  TEST_CASE("context-parallel ranks share the states") {
    Layout layout;
    layout.dp = 4;
    layout.cp = 2;
    layout.zero = 1;
    CHECK(states(make_job(llama_3_1_8b(), layout)) ==
          exactly(states(data_parallel(llama_3_1_8b(), 8, 1))));
  }

  // Hybrid sharding: full shards in each group of 8, copies across groups.
  TEST_CASE("a shard group shards over itself alone") {
    Job job = data_parallel(llama_3_1_8b(), 64, 3);
    job.layout.shard_group = 8;
    CHECK(states(job) / 8030261248.0 == exactly(16.0 / 8));
    job.layout.shard_group = 64;
    CHECK(states(job) / 8030261248.0 == exactly(16.0 / 64));
  }

  // Under ZeRO-3 nothing is stored twice: the shards of all GPUs together are one model's states.
  // Norms, which tensor parallelism copies, are all that is left over.
  TEST_CASE("shards of all GPUs sum to one model") {
    for (const std::int64_t t : {1, 2, 8}) {
      for (const std::int64_t p : {1, 2, 4}) {
        Layout layout;
        layout.tp = t;
        layout.pp = p;
        layout.dp = 16;
        layout.zero = 3;
        const Job job = make_job(llama_3_1_70b(), layout);
        double sum = 0;
        for (std::int64_t stage = 0; stage < p; ++stage) {
          sum += states(estimate_stage_memory(job, stage)) * real(t * layout.dp);
        }
        const double copied_norms = real(t - 1) * (2 * 80 + 1) * 8192;
        CHECK(sum == exactly(16 * (real(job.parameters.total) + copied_norms)));
      }
    }
  }

  // Experts are spread over ep ranks and sharded over the ranks that hold the same ones.
  TEST_CASE("experts have data-parallel ranks of their own") {
    const Model m = mixtral_8x7b();
    const double experts = 32 * 8 * 3.0 * 4096 * 14336;
    const double others = 46702792704.0 - experts;
    Layout layout;
    layout.dp = 64;
    layout.ep = 8;
    layout.zero = 1;
    CHECK(states(make_job(m, layout)) ==
          exactly(others * (4 + 12.0 / 64) + experts / 8 * (4 + 12.0 / 8)));
    layout.zero = 3;
    CHECK(states(make_job(m, layout)) == exactly(16 * 46702792704.0 / 64));
  }

  // Experts whole on their rank (etp 1) spread over the tensor-parallel ranks as well.
  TEST_CASE("experts taken out of tensor parallelism") {
    Layout layout;
    layout.tp = 2;
    layout.dp = 4;
    layout.ep = 8;
    layout.zero = 3;
    CHECK(layout.expert_data_ranks() == 1);
    const double experts = 32 * 8 * 3.0 * 4096 * 14336;
    const Job job = make_job(mixtral_8x7b(), layout);
    const StageMemory memory = estimate_stage_memory(job, 0);
    const double others = 32 * (4096.0 * 128 * (32 + 8 + 8 + 32)) + 2 * 32000.0 * 4096;
    const double copied = 32 * (2 * 4096 + 4096 * 8) + 4096.0;  // norms and routers
    CHECK(memory.parameters == exactly((others / 2 + copied) / 4 + experts / 8));
  }

  // A frozen base has no gradients and no optimizer; ZeRO-3 alone shards it.
  TEST_CASE("LoRA states") {
    for (const std::int64_t zero : {0, 1, 2, 3}) {
      Job job = data_parallel(llama_3_1_8b(), 4, zero);
      job.training.kind = TrainingKind::lora;
      job.states.weights = 4;  // fp32 adapters are their own master copy
      job.states.gradients = 4;
      job.states.master = 0;
      settle(job);
      const double adapters = 41'943'040;
      const double base = 8030261248.0;
      const StageMemory memory = estimate_stage_memory(job, 0);
      CHECK(memory.weights.value == exactly((2 * base + 4 * adapters) / (zero == 3 ? 4 : 1)));
      CHECK(memory.gradients.value == exactly(4 * adapters / (zero >= 2 ? 4 : 1)));
      CHECK(memory.optimizer.value == exactly(8 * adapters / (zero >= 1 ? 4 : 1)));
      CHECK(memory.trainable_parameters == exactly(adapters / (zero >= 1 ? 4 : 1)));
    }
  }

  // Adapters of experts lie with their experts; of a split matrix one side is split, the other not.
  TEST_CASE("adapters under parallelism") {
    Layout layout;
    layout.dp = 8;
    layout.ep = 8;
    Job job = make_job(mixtral_8x7b(), layout);
    job.training.kind = TrainingKind::lora;
    settle(job);
    const double attention = 32 * 16.0 * (2 * (4096 + 4096) + 2 * (4096 + 1024));
    const double experts = 32 * 8 * 16.0 * 3 * (4096 + 14336);
    CHECK(estimate_stage_memory(job, 0).trainable_parameters == exactly(attention + experts / 8));
    Layout tensor;
    tensor.tp = 4;
    Job split = make_job(llama_3_1_8b(), tensor);
    split.training.kind = TrainingKind::lora;
    settle(split);
    CHECK(estimate_stage_memory(split, 0).trainable_parameters ==
          exactly(41943040.0 * (1 + 1.0 / 4) / 2));
  }

  // QLoRA: 4-bit matrices with doubly quantised scales; embeddings, head and norms stay wider.
  TEST_CASE("QLoRA weights") {
    Job job = data_parallel(llama_3_1_8b(), 1, 0);
    job.training.kind = TrainingKind::qlora;
    job.states.weights = 4;
    job.states.frozen_weights = 0.5 + 0.0159;
    job.states.frozen_embeddings = 4;
    settle(job);
    const double wide = 2 * 128256.0 * 4096 + (2 * 32 + 1) * 4096;
    const double narrow = 8030261248.0 - wide;
    CHECK(estimate_stage_memory(job, 0).weights.value ==
          exactly(0.5159 * narrow + 4 * wide + 4 * 41943040.0));
  }

  // Whole layers are gathered while they compute, with the gradient of one; the ends for the step.
  TEST_CASE("ZeRO-3 gathers layers") {
    Job job = data_parallel(llama_3_1_8b(), 8, 3);
    job.stack.gathered_layers = 2;
    job.stack.gathers_root = true;
    const double layer = 218'112'000;
    const double ends = 2 * 128256.0 * 4096 + 4096;
    CHECK(estimate_stage_memory(job, 0).gathered.value == exactly(2 * ((2 + 1) * layer + ends)));
    job.layout.zero = 2;
    CHECK(estimate_stage_memory(job, 0).gathered.value == 0);
  }

  // DeepSpeed lets go of gathered layers only beyond so many parameters, and never has more than
  // all.
  TEST_CASE("ZeRO-3 keeps live parameters") {
    Job job = data_parallel(llama_3_1_8b(), 8, 3);
    job.stack.gathered_layers = 2;
    const double layer = 218'112'000;
    const auto gathered = [&job](double live) {
      job.stack.live_parameters = live;
      return estimate_stage_memory(job, 0).gathered.value;
    };
    CHECK(gathered(1e8) == exactly(2 * (2 + 1) * layer));
    CHECK(gathered(1e9) == exactly(2 * (1e9 + layer)));
    CHECK(gathered(1e12) == exactly(2 * (8030261248.0 + layer)));
  }

  // One GPU has nobody to gather from.
  TEST_CASE("ZeRO-3 on one GPU") {
    Job job = data_parallel(llama_3_1_8b(), 1, 3);
    job.stack.gathered_layers = 2;
    CHECK(estimate_stage_memory(job, 0).gathered.value == 0);
    CHECK(states(job) == exactly(16 * 8030261248.0));
  }

  // Weights on the host come to one GPU a layer at a time, and its gradients leave by the bucket.
  TEST_CASE("offloading from one GPU") {
    Job job = data_parallel(llama_3_1_8b(), 1, 3);
    job.stack.gathered_layers = 2;
    job.stack.bucket = {1e9};
    CHECK(estimate_stage_memory(job, 0).buckets.value == 0);
    job.layout.offload = Offload::optimizer;
    CHECK(estimate_stage_memory(job, 0).buckets.value == 1e9);
    CHECK(estimate_stage_memory(job, 0).gathered.value == 0);
    job.layout.offload = Offload::parameters;
    Job sharded = data_parallel(llama_3_1_8b(), 2, 3);
    sharded.stack.gathered_layers = 2;
    const double gathered = estimate_stage_memory(job, 0).gathered.value;
    CHECK(gathered > 0);
    CHECK(gathered == exactly(estimate_stage_memory(sharded, 0).gathered.value));
  }

  // Offloaded states lie in host memory, no byte lost on the way.
  TEST_CASE("offloading moves states to the host") {
    Job job = data_parallel(llama_3_1_8b(), 8, 3);
    const double all = states(job);
    for (const bool keeps_gradients : {false, true}) {
      job.stack.offload_keeps_gradients = keeps_gradients;
      for (const Offload offload : {Offload::optimizer, Offload::parameters}) {
        job.layout.offload = offload;
        const Memory memory = estimate_memory(job);
        CHECK(states(memory.stage) + memory.host.value == exactly(all));
        CHECK(memory.stage.optimizer.value == 0);
        CHECK((memory.stage.gradients.value > 0) == keeps_gradients);
        CHECK((memory.stage.weights.value == 0) == (offload == Offload::parameters));
      }
    }
  }

  // Paged moments stay where there is room, and leave only as far as there is none.
  TEST_CASE("paged moments") {
    OptimizerEntry paged;
    paged.paged = true;
    Job job = data_parallel(llama_3_1_8b(), 1, 0);
    job.optimizer = &paged;
    job.cluster.gpu.usable_memory = {200e9};
    CHECK(estimate_memory(job).host.value == 0);
    CHECK(states(job) == exactly(16 * 8030261248.0));
    job.cluster.gpu.usable_memory = {120e9};
    const Memory tight = estimate_memory(job);
    CHECK(tight.fits);
    CHECK(tight.host.value > 0);
    CHECK(tight.usable - tight.stage.device < Bytes{4e6});  // to the page
    CHECK(states(tight.stage) + tight.host.value == exactly(16 * 8030261248.0));
    job.cluster.gpu.usable_memory = {24e9};
    const Memory hopeless = estimate_memory(job);
    CHECK_FALSE(hopeless.fits);
    CHECK(hopeless.host.value == exactly(8 * 8030261248.0));
  }
}

}  // namespace traintally
