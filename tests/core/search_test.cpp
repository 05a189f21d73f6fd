// The layout search against trying every layout of small spaces.

#include "search.hpp"

#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "job_builder.hpp"

namespace traintally {
namespace {

using testing::real;

struct Space {
  Job job;
  StackEntry stack;
  FixedLayout fixed;
  PracticeLimits limits;
  double upper = 1.05;
};

struct Expected {
  std::int64_t layouts = 0;
  std::optional<Candidate> recommended, fastest;
  std::optional<Candidate> leanest;
};

bool sooner(const Candidate& a, const Candidate& b) { return a.weighed() < b.weighed(); }

std::vector<std::int64_t> powers(std::int64_t most) {
  std::vector<std::int64_t> all;
  for (std::int64_t power = 1; power <= most; power *= 2) all.push_back(power);
  return all;
}

bool splits(std::int64_t layers, std::int64_t stages) {
  return layers % stages == 0 || stages - layers % stages <= 3;
}

/// Every layout of the space that model.md describes, each estimated by itself.
Expected try_everything(const Space& space) {
  Expected expected;
  Job job = space.job;
  const std::int64_t count = job.cluster.count;
  const bool megatron = space.stack.family == "megatron";
  using Shardings = std::vector<std::pair<std::int64_t, std::int64_t>>;  // stage, group
  Shardings shardings = megatron ? Shardings{{0, 0}, {1, 0}}
                        : space.stack.family == "deepspeed"
                            ? Shardings{{0, 0}, {1, 0}, {2, 0}, {3, 0}}
                            : Shardings{{0, 0}, {2, 0}, {3, 0}};
  const std::int64_t node = job.cluster.per_node;
  if (space.stack.family == "fsdp" && count > node) shardings.emplace_back(3, node);
  const auto degrees = [&](std::int64_t most) { return powers(megatron ? most : 1); };
  for (const std::int64_t tp : degrees(job.cluster.per_node)) {
    for (const std::int64_t ep : degrees(job.model.is_moe() ? job.model.moe.experts : 1)) {
      for (const std::int64_t cp : degrees(count)) {
        for (const std::int64_t micro_batch : powers(*space.fixed.global_batch)) {
          for (std::int64_t pp = 1; pp <= (megatron ? job.model.layers : 1); ++pp) {
            if (count % (tp * cp * pp) != 0 || (pp > 1 && !splits(job.model.layers, pp))) continue;
            for (const auto& [zero, group] : shardings) {
              for (const Offload offload : {Offload::none, Offload::optimizer}) {
                for (std::int64_t v = 1; v <= 8; ++v) {
                  const std::int64_t stage = job.model.layers / pp;
                  const bool chunks = megatron && pp > 1 && job.model.layers % pp == 0;
                  if (v > 1 && (!chunks || stage % v != 0)) continue;
                  job.layout = {};
                  job.layout.tp = tp;
                  job.layout.pp = pp;
                  job.layout.cp = cp;
                  job.layout.ep = ep;
                  job.layout.dp = count / (tp * cp * pp);
                  job.layout.zero = zero;
                  job.layout.shard_group = group;
                  job.layout.offload = offload;
                  job.layout.virtual_stages = v;
                  job.layout.sequence_parallel = megatron && tp > 1;
                  job.training.micro_batch = micro_batch;
                  job.training.global_batch = *space.fixed.global_batch;
                  Problems problems;
                  check_layout(job, problems);
                  REQUIRE(layout_holds(job) == problems.empty());
                  if (!problems.empty() || (zero > 0 && job.layout.data_ranks() == 1)) continue;
                  for (const Recompute recompute :
                       {Recompute::none, Recompute::selective, Recompute::full}) {
                    job.training.recompute = recompute;
                    ++expected.layouts;
                    const Memory memory = estimate_memory(job);
                    Candidate c;
                    c.layout = job.layout;
                    c.recompute = recompute;
                    c.micro_batch = micro_batch;
                    c.device = memory.stage.device;
                    c.step = estimate_step_time(job).step;
                    c.seconds_per_sequence = c.step.value / real(job.training.global_batch);
                    c.broken = broken_rules(job, space.limits);
                    c.fit = memory.stage.device * space.upper <= memory.usable ? Fit::well
                            : memory.fits                                      ? Fit::barely
                                                                               : Fit::no;
                    if (!expected.leanest || c.device < expected.leanest->device) {
                      expected.leanest = c;
                    }
                    if (c.fit == Fit::no) continue;
                    std::optional<Candidate>& r = expected.recommended;
                    if (!r || c.rank() < r->rank() || (c.rank() == r->rank() && sooner(c, *r))) {
                      r = c;
                    }
                    std::optional<Candidate>& f = expected.fastest;
                    if (!f || sooner(c, *f)) f = c;
                  }
                }
              }
            }
          }
        }
      }
    }
  }
  return expected;
}

void compare(const Candidate& found, const Candidate& expected) {
  CHECK(found.fit == expected.fit);
  CHECK(count_rules(found.broken) == count_rules(expected.broken));
  CHECK(found.seconds_per_sequence ==
        doctest::Approx(expected.seconds_per_sequence).epsilon(1e-12));
  const auto degrees = [](const Candidate& c) {
    return std::vector<std::int64_t>{c.layout.tp,   c.layout.pp,   c.layout.cp,
                                     c.layout.ep,   c.layout.dp,   c.layout.virtual_stages,
                                     c.micro_batch, c.layout.zero, c.layout.shard_group};
  };
  // Other layouts may take exactly as long; of those the search takes the first too.
  if (found.seconds_per_sequence == expected.seconds_per_sequence) {
    CHECK(degrees(found) == degrees(expected));
  }
}

Space make_space(const Model& model, const char* family, std::int64_t count, double usable_gib,
                 std::int64_t sequence, std::int64_t batch) {
  Space space;
  space.job = testing::make_job(model);
  space.job.cluster.count = count;
  space.job.cluster.per_node = count < 8 ? count : 8;
  space.job.cluster.gpu.usable_memory = {usable_gib * kGiB};
  space.job.training.sequence_length = sequence;
  // Constants that leave nothing at zero, so that no two layouts are alike by accident.
  Calibration c;
  space.job.calibration = c;
  StackHabits& habits = space.job.stack;
  habits = {};
  habits.bucket = {200e6};
  habits.workspace = {64e6};
  habits.context = {900e6};
  habits.collective = {1.2e9};
  space.stack.family = family;
  space.stack.id = family;
  space.stack.habits = habits;
  space.fixed.global_batch = batch;
  Practice practice;
  practice.tensor_sizes = {{1e9, 1, 1}, {1e10, 1, 4}, {1e15, 4, 8}};
  practice.context_tokens_per_rank = 8192;
  practice.full_shard_ranks = 512;
  space.limits = practice_limits(practice, space.job);
  return space;
}

Model small_dense(std::int64_t layers) {
  return testing::dense_model(layers, 2048, 16, 8, 8192, 32000);
}

Model small_mixture() {
  Model m = testing::dense_model(8, 1024, 16, 8, 4096, 32000);
  m.moe.experts = 8;
  m.moe.experts_per_token = 2;
  m.moe.ffn_hidden = 2048;
  m.moe.layers = 6;
  m.moe.first_dense_layers = 2;
  return m;
}

TEST_CASE("the search finds what trying every layout finds, and evaluates few") {
  const Space spaces[] = {
      make_space(small_dense(16), "megatron", 8, 24, 2048, 16),
      make_space(small_dense(16), "megatron", 8, 6, 4096, 16),
      make_space(small_dense(16), "megatron", 8, 3.2, 4096, 8),
      make_space(small_dense(15), "megatron", 16, 10, 2048, 32),
      make_space(small_dense(13), "megatron", 4, 8, 16384, 8),
      make_space(testing::llama_3_1_8b(), "megatron", 16, 79, 8192, 16),
      make_space(testing::llama_3_1_8b(), "megatron", 8, 30, 8192, 8),
      make_space(testing::llama_3_1_8b(), "megatron", 4, 6, 8192, 8),
      make_space(testing::llama_3_1_8b(), "fsdp", 8, 79, 4096, 32),
      make_space(testing::llama_3_1_8b(), "fsdp", 8, 22, 2048, 64),
      make_space(testing::llama_3_1_8b(), "fsdp", 32, 40, 2048, 64),
      make_space(testing::llama_3_1_8b(), "fsdp", 64, 16, 2048, 128),
      make_space(testing::llama_3_1_8b(), "deepspeed", 8, 40, 4096, 32),
      make_space(small_mixture(), "megatron", 8, 24, 2048, 16),
      make_space(small_mixture(), "megatron", 16, 3, 4096, 16),
      make_space(small_mixture(), "fsdp", 4, 12, 4096, 16),
  };
  std::int64_t layouts = 0;
  std::int64_t evaluated = 0;
  int none_fit = 0;
  for (const Space& space : spaces) {
    CAPTURE(space.stack.family);
    CAPTURE(space.job.cluster.count);
    CAPTURE(space.job.cluster.gpu.usable_memory.value / kGiB);
    const Expected expected = try_everything(space);
    LayoutSearch search(space.job, space.stack, space.fixed, space.limits, space.upper);
    while (!search.step(50)) {
    }
    CHECK(search.counts().layouts == expected.layouts);
    CHECK(search.counts().evaluated <= expected.layouts);
    REQUIRE((search.recommended() != nullptr) == expected.recommended.has_value());
    if (expected.recommended) {
      compare(*search.recommended(), *expected.recommended);
      compare(*search.fastest(), *expected.fastest);
    } else {
      ++none_fit;
    }
    const std::optional<Candidate> leanest = search.leanest();
    REQUIRE(leanest.has_value());
    CHECK(leanest->device.value == doctest::Approx(expected.leanest->device.value).epsilon(1e-12));
    layouts += expected.layouts;
    evaluated += search.counts().evaluated;
  }
  CHECK(none_fit > 0);
  CHECK(none_fit < 4);
  CHECK(evaluated * 4 < layouts);  // pruning prunes
}

TEST_CASE("adapters, 8-bit and paged optimizers, and given fields are searched alike") {
  std::vector<Space> spaces;
  for (const bool paged : {false, true}) {
    static OptimizerEntry optimizers[2];
    OptimizerEntry& optimizer = optimizers[paged ? 1 : 0];
    optimizer.moments = 0;
    optimizer.fixed_state_bytes = 2;
    optimizer.paged = paged;
    Space space = make_space(testing::llama_3_1_8b(), "deepspeed", 4, paged ? 26 : 40, 2048, 16);
    space.job.optimizer = &optimizer;
    space.job.states.moments = 2;
    spaces.push_back(space);
  }
  Space lora = make_space(testing::llama_3_1_8b(), "fsdp", 4, 24, 4096, 16);
  lora.job.training.kind = TrainingKind::lora;
  lora.job.lora_layer = count_lora_layer(lora.job.model, 16, lora_target::all_linear);
  spaces.push_back(lora);
  for (const Space& space : spaces) {
    const Expected expected = try_everything(space);
    LayoutSearch search(space.job, space.stack, space.fixed, space.limits, space.upper);
    search.step(std::numeric_limits<std::int64_t>::max() / 2);
    REQUIRE(search.recommended() != nullptr);
    CHECK(search.counts().layouts == expected.layouts);
    compare(*search.recommended(), *expected.recommended);
    compare(*search.fastest(), *expected.fastest);
  }

  Space fixed = make_space(small_dense(16), "megatron", 16, 24, 2048, 32);
  fixed.fixed.tp = 2;
  fixed.fixed.zero = 0;
  fixed.fixed.micro_batch = 2;
  fixed.fixed.recompute = Recompute::full;
  LayoutSearch search(fixed.job, fixed.stack, fixed.fixed, fixed.limits, fixed.upper);
  search.step(std::numeric_limits<std::int64_t>::max() / 2);
  REQUIRE(search.recommended() != nullptr);
  CHECK(search.recommended()->layout.tp == 2);
  CHECK(search.recommended()->layout.zero == 0);
  CHECK(search.recommended()->micro_batch == 2);
  CHECK(search.recommended()->recompute == Recompute::full);
}

TEST_CASE("slices of any size end in the same answer") {
  const Space space = make_space(small_dense(16), "megatron", 16, 8, 4096, 32);
  LayoutSearch whole(space.job, space.stack, space.fixed, space.limits, space.upper);
  REQUIRE(whole.step(std::numeric_limits<std::int64_t>::max() / 2));
  for (const std::int64_t work : {1, 7, 1000}) {
    LayoutSearch sliced(space.job, space.stack, space.fixed, space.limits, space.upper);
    while (!sliced.step(work)) {
    }
    CHECK(sliced.counts().evaluated == whole.counts().evaluated);
    CHECK(sliced.recommended()->order == whole.recommended()->order);
    CHECK(sliced.fastest()->order == whole.fastest()->order);
  }
}

TEST_CASE("rules of practice are broken by what they forbid, and by nothing else") {
  Practice practice;
  practice.tensor_sizes = {{1e9, 1, 1}, {1e10, 1, 4}, {1e15, 4, 8}};
  practice.context_tokens_per_rank = 8192;
  practice.full_shard_ranks = 64;
  Job job = testing::make_job(testing::llama_3_1_70b());
  const auto broken = [&](Layout layout, std::int64_t sequence, std::int64_t batch) {
    job.layout = layout;
    job.training.sequence_length = sequence;
    job.training.global_batch = batch;
    return broken_rules(job, practice_limits(practice, job));
  };
  const auto layout = [](std::int64_t tp, std::int64_t pp, std::int64_t cp, std::int64_t dp,
                         std::int64_t zero) {
    Layout l;
    l.tp = tp;
    l.pp = pp;
    l.cp = cp;
    l.dp = dp;
    l.zero = zero;
    return l;
  };
  CHECK(broken(layout(8, 4, 1, 8, 1), 8192, 1024) == 0);
  CHECK(broken(layout(2, 8, 4, 4, 1), 8192, 1024) ==
        (rule_bit(Rule::tensor_before_pipeline) | rule_bit(Rule::context_for_long_sequences)));
  CHECK(broken(layout(8, 4, 4, 8, 1), 32768, 1024) == 0);
  CHECK(broken(layout(16, 1, 1, 8, 1), 8192, 1024) ==
        (rule_bit(Rule::tensor_on_fast_link) | rule_bit(Rule::tensor_as_needed)));
  CHECK(broken(layout(8, 4, 1, 8, 3), 8192, 1024) == rule_bit(Rule::pipeline_shards_optimizer));
  CHECK(broken(layout(8, 8, 1, 8, 1), 8192, 32) == rule_bit(Rule::pipeline_filled));
  Layout interleaved = layout(8, 4, 1, 8, 1);
  interleaved.virtual_stages = 5;
  CHECK(broken(interleaved, 8192, 128) == 0);
  CHECK(broken(interleaved, 8192, 8 * 6) == rule_bit(Rule::interleaved_rounds));
  CHECK(broken(layout(1, 1, 1, 128, 3), 8192, 1024) == rule_bit(Rule::full_shard_bounded));
  Layout offloaded = layout(8, 4, 1, 8, 1);
  offloaded.offload = Offload::optimizer;
  CHECK(broken(offloaded, 8192, 1024) == rule_bit(Rule::states_on_device));
  CHECK((broken(interleaved, 8192, 8 * 6) & ~applicable_rules(job)) == 0);
}

}  // namespace
}  // namespace traintally
