#include <cmath>
#include <initializer_list>
#include <sstream>
#include <string>
#include <type_traits>

#include <doctest/doctest.h>

#include <traintally/flops.hpp>
#include <traintally/memory.hpp>
#include <traintally/time.hpp>

#include "job_builder.hpp"

// What must hold for every job, on some thousands drawn by a seeded generator: models of all
// kinds, layouts, stacks' habits, constants with and without overheads.

namespace traintally {
namespace {

using namespace testing;

// Nothing in the maths owns memory: an estimate allocates nothing.
static_assert(std::is_trivially_copyable_v<Job>);
static_assert(std::is_trivially_copyable_v<Memory>);
static_assert(std::is_trivially_copyable_v<StepTime>);

constexpr int kJobs = 3000;

/// xorshift64: the same jobs on every platform.
class Draw {
 public:
  std::uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_;
  }
  bool coin() { return next() % 2 == 0; }
  template <class T>
  T from(std::initializer_list<T> values) {
    return *(values.begin() + next() % values.size());
  }

 private:
  std::uint64_t state_ = 20260611;
};

Model draw_model(Draw& draw) {
  Model m = draw.from({llama_3_1_8b(), llama_3_1_70b(), gpt_22b(), gpt_175b(), mixtral_8x7b(),
                       deepseek_v3(), gpt(12, 768, 12, 50257, 1024)});
  if (draw.coin()) {
    m.sliding_window = 1024;
    m.windowed_layer_share = draw.from({0.5, 1.0});
  }
  return m;
}

Layout draw_layout(Draw& draw, const Model& model) {
  Layout l;
  l.tp = draw.from<std::int64_t>({1, 1, 2, 4, 8});
  l.pp = draw.from<std::int64_t>({1, 1, 2, 3, 4, 8});
  l.cp = draw.from<std::int64_t>({1, 1, 1, 2, 16});
  l.dp = draw.from<std::int64_t>({1, 2, 8, 64});
  l.zero = draw.from<std::int64_t>({0, 1, 2, 3});
  l.sequence_parallel = l.tp > 1 && draw.coin();
  if (l.pp > 1) l.virtual_stages = draw.from<std::int64_t>({1, 1, 2});
  if (draw.coin() && l.dp * l.cp >= 8) l.shard_group = 8;
  l.offload = draw.from({Offload::none, Offload::none, Offload::none, Offload::optimizer,
                         Offload::parameters, Offload::activations});
  if (model.is_moe()) {
    l.etp = draw.coin() ? 1 : l.tp;
    l.ep = draw.from<std::int64_t>({1, 2, 4, 8});
    while (l.tp * l.cp * l.dp % (l.ep * l.etp) != 0) l.ep /= 2;
  }
  return l;
}

Job draw_job(Draw& draw) {
  const Model model = draw_model(draw);
  Job job = make_job(model, draw_layout(draw, model));
  Training& t = job.training;
  t.kind = draw.from(
      {TrainingKind::pretrain, TrainingKind::full, TrainingKind::lora, TrainingKind::qlora});
  t.recompute = draw.from({Recompute::none, Recompute::selective, Recompute::full});
  t.flash_attention = draw.coin();
  t.compile = draw.coin();
  t.fused_loss = draw.coin();
  t.lora.rank = draw.from<std::int64_t>({1, 16, 256});
  t.lora.targets = draw.from({lora_target::all_linear, lora_target::attention, lora_target::o});
  t.sequence_length = draw.from<std::int64_t>({128, 2048, 8192, 32768});
  t.micro_batch = draw.from<std::int64_t>({1, 2, 8});
  t.global_batch = t.micro_batch * job.layout.dp * draw.from<std::int64_t>({1, 2, 16});
  if (t.kind == TrainingKind::qlora) job.states.frozen_weights = 0.516;
  if (draw.coin()) job.calibration = Calibration{};
  if (draw.coin()) {
    job.stack = StackHabits{};
    job.stack.bucket = {1e9};
    job.stack.workspace = {64e6};
    job.stack.context = {0.9e9};
    job.stack.collective = {1.3e9};
  }
  job.stack.dropout = draw.coin();
  job.stack.kv_expanded = draw.coin();
  job.stack.selective_keeps_products = draw.coin();
  job.stack.gathers_per_micro_batch = draw.coin();
  if (draw.coin()) job.cluster.gpu.link = {0};
  job.cluster.gpu.peer_to_peer = draw.coin();
  settle(job);
  return job;
}

std::string describe(const Job& job) {
  std::ostringstream text;
  const Layout& l = job.layout;
  const Training& t = job.training;
  text << "layers " << job.model.layers << " hidden " << job.model.hidden << " experts "
       << job.model.moe.experts << " | tp " << l.tp << " pp " << l.pp << " cp " << l.cp << " dp "
       << l.dp << " ep " << l.ep << " etp " << l.etp << " zero " << l.zero << " group "
       << l.shard_group << " v " << l.virtual_stages << " offload " << static_cast<int>(l.offload)
       << " | kind " << static_cast<int>(t.kind) << " recompute " << static_cast<int>(t.recompute)
       << " flash " << t.flash_attention << " s " << t.sequence_length << " b " << t.micro_batch
       << " B " << t.global_batch;
  return text.str();
}

template <class Check>
void for_jobs(Check check) {
  Draw draw;
  for (int i = 0; i < kJobs; ++i) {
    const Job job = draw_job(draw);
    INFO(describe(job));
    check(job);
  }
}

bool sound(double value) { return std::isfinite(value) && value >= 0; }

/// At most, but for the rounding of doubles.
bool at_most(double a, double b) { return a <= b * (1 + 1e-12); }

double states(const StageMemory& m) { return (m.weights + m.gradients + m.optimizer).value; }

}  // namespace

TEST_SUITE("properties") {
  // Every figure of memory is finite and not negative, and the sums are the sums of their parts.
  TEST_CASE("memory adds up") {
    for_jobs([](const Job& job) {
      const Memory memory = estimate_memory(job);
      const StageMemory& m = memory.stage;
      for (const Bytes part :
           {m.weights,          m.gradients, m.master,      m.moments,     m.checkpoints,
            m.attention,        m.mlp,       m.norms,       m.working_set, m.embedding,
            m.logits,           m.gathered,  m.buckets,     m.workspace,   m.optimizer,
            m.activations,      m.buffers,   m.allocated,   m.reserved,    m.context,
            m.device,           m.host,      memory.usable, memory.host,   memory.checkpoint,
            memory.weights_file}) {
        REQUIRE(sound(part.value));
      }
      REQUIRE(m.optimizer.value == (m.master + m.moments).value);
      REQUIRE(
          m.activations.value ==
          exactly(
              (m.checkpoints + m.attention + m.mlp + m.norms + m.working_set + m.embedding).value));
      REQUIRE(m.buffers.value == exactly((m.gathered + m.buckets + m.workspace).value));
      REQUIRE(m.allocated.value ==
              exactly((m.weights + m.gradients + m.optimizer + m.activations + m.logits + m.buffers)
                          .value));
      REQUIRE(m.device.value == (m.reserved + m.context).value);
      REQUIRE(m.allocated <= m.reserved);
      REQUIRE(memory.fits == (m.device <= memory.usable));
    });
  }

  // The headline is of the fullest stage: no stage needs more.
  TEST_CASE("the fullest stage is the fullest") {
    for_jobs([](const Job& job) {
      const Memory memory = estimate_memory(job);
      Bytes fullest;
      for (std::int64_t r = 0; r < job.layout.pp; ++r) {
        fullest = max(fullest, estimate_stage_memory(job, r).device);
      }
      REQUIRE(memory.stage.device.value == fullest.value);
      REQUIRE(estimate_stage_memory(job, memory.stage_index).device.value == fullest.value);
    });
  }

  // Every part of a step is finite and not negative, and the parts sum to the step.
  TEST_CASE("time adds up") {
    for_jobs([](const Job& job) {
      const StepTime t = estimate_step_time(job);
      for (const Seconds part :
           {t.matmul, t.attention, t.elementwise, t.head_and_loss, t.recompute, t.launch,
            t.tensor_exposed, t.data_exposed, t.pipeline_exposed, t.context_exposed,
            t.expert_exposed, t.bubble, t.optimizer, t.offload, t.compute, t.step}) {
        REQUIRE(sound(part.value));
      }
      REQUIRE(t.compute.value == exactly((t.matmul + t.attention + t.elementwise + t.head_and_loss +
                                          t.recompute + t.launch)
                                             .value));
      REQUIRE(t.step.value ==
              exactly((t.compute + t.tensor_exposed + t.data_exposed + t.pipeline_exposed +
                       t.context_exposed + t.expert_exposed + t.bubble + t.optimizer + t.offload)
                          .value));
      REQUIRE(t.step.value > 0);
      REQUIRE(t.micro_batches == job.micro_batches());
    });
  }

  // Arithmetic: causal is at most full, hardware at least the model's; rates are sound.
  TEST_CASE("flops and rates") {
    for_jobs([](const Job& job) {
      const StepFlops f = count_step_flops(job);
      REQUIRE(f.attention_causal <= f.attention_full);
      REQUIRE(f.model_causal <= f.model_full);
      REQUIRE(f.model_causal <= f.hardware);
      const Throughput t = throughput(job, f, estimate_step_time(job).step);
      for (const double rate : {t.tokens.value, t.tokens_per_gpu.value, t.mfu_causal, t.mfu_full}) {
        REQUIRE(sound(rate));
        REQUIRE(rate > 0);
      }
      REQUIRE(t.mfu_causal < 1);
      REQUIRE(t.hfu < 1);
    });
  }

  // More sharding is never more states, nor more on the device's host.
  TEST_CASE("ZeRO never adds states") {
    for_jobs([](Job job) {
      double before = 0;
      for (const std::int64_t zero : {0, 1, 2, 3}) {
        job.layout.zero = zero;
        const StageMemory m = estimate_stage_memory(job, 0);
        if (zero > 0) REQUIRE(at_most(states(m) + m.host.value, before));
        before = states(m) + m.host.value;
      }
    });
  }

  // A longer sequence or a larger micro-batch never needs less memory, nor a longer one less time.
  TEST_CASE("more tokens are never cheaper") {
    for_jobs([](const Job& job) {
      Job longer = job;
      longer.training.sequence_length *= 2;
      REQUIRE(at_most(estimate_memory(job).stage.device.value,
                      estimate_memory(longer).stage.device.value));
      REQUIRE(at_most(estimate_step_time(job).step.value, estimate_step_time(longer).step.value));
      Job wider = job;
      wider.training.micro_batch *= 2;
      wider.training.global_batch *= 2;
      REQUIRE(at_most(estimate_memory(job).stage.device.value,
                      estimate_memory(wider).stage.device.value));
      Job more = job;
      more.training.global_batch *= 2;
      REQUIRE(at_most(estimate_step_time(job).step.value, estimate_step_time(more).step.value));
    });
  }

  // Faster memory, links, buses, networks or units never make a step slower.
  TEST_CASE("faster hardware is never slower") {
    for_jobs([](const Job& job) {
      const double before = estimate_step_time(job).step.value;
      const auto check = [&](const char* what, auto change) {
        CAPTURE(what);
        Job faster = job;
        change(faster);
        REQUIRE(at_most(estimate_step_time(faster).step.value, before));
      };
      check("memory", [](Job& j) { j.cluster.gpu.memory_bandwidth.value *= 2; });
      check("link", [](Job& j) { j.cluster.gpu.link.value *= 2; });
      check("pcie", [](Job& j) { j.cluster.gpu.pcie.value *= 2; });
      check("network", [](Job& j) { j.cluster.internode.value *= 2; });
      check("peak", [](Job& j) {
        for (FlopsPerSecond& peak : j.cluster.gpu.peak) peak.value *= 2;
      });
    });
  }

  // Recomputing more never makes a step faster.
  TEST_CASE("recomputation costs time") {
    for_jobs([](Job job) {
      if (job.layout.offload == Offload::activations) return;
      double before = 0;
      for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
        job.training.recompute = recompute;
        const double step = estimate_step_time(job).step.value;
        REQUIRE(at_most(before, step));
        before = step;
      }
    });
  }

  // A fused loss, or fused attention, never needs more memory; offloading never more of the GPU.
  TEST_CASE("what saves memory saves memory") {
    for_jobs([](const Job& job) {
      const auto device = [](const Job& j) { return estimate_memory(j).stage.device.value; };
      Job plain = job;
      plain.training.fused_loss = false;
      Job fused = job;
      fused.training.fused_loss = true;
      REQUIRE(at_most(device(fused), device(plain)));
      plain = fused = job;
      plain.training.flash_attention = false;
      fused.training.flash_attention = true;
      plain.training.recompute = fused.training.recompute = Recompute::none;
      REQUIRE(at_most(device(fused), device(plain)));
      Job kept = job;
      kept.layout.offload = Offload::none;
      REQUIRE(at_most(device(job), device(kept)));
    });
  }

  // Twice the same question has twice the same answer.
  TEST_CASE("pure functions") {
    for_jobs([](const Job& job) {
      REQUIRE(estimate_step_time(job).step.value == estimate_step_time(job).step.value);
      REQUIRE(estimate_memory(job).stage.device.value == estimate_memory(job).stage.device.value);
    });
  }
}

}  // namespace traintally
