#include <traintally/practice.hpp>

namespace traintally {
namespace {

std::int64_t linked_gpus(const Job& job) {
  const Gpu& gpu = job.cluster.gpu;
  return gpu.link.value > 0 ? gpu.link_domain : 1;
}

}  // namespace

PracticeLimits practice_limits(const Practice& practice, const Job& job) {
  PracticeLimits limits;
  const auto active = static_cast<double>(job.parameters.active);
  for (const TensorSize& size : practice.tensor_sizes) {
    limits.tensor_low = size.low;
    limits.tensor_high = size.high;
    if (active < size.below) break;
  }
  if (job.model.is_moe() || limits.tensor_low > linked_gpus(job)) limits.tensor_low = 1;
  limits.context_high = job.training.sequence_length;
  if (practice.context_tokens_per_rank > 0) {
    limits.context_high = job.training.sequence_length / practice.context_tokens_per_rank;
    if (limits.context_high < 1) limits.context_high = 1;
  }
  limits.full_shard_ranks = practice.full_shard_ranks;
  return limits;
}

Rules broken_rules(const Job& job, const PracticeLimits& limits) {
  const Layout& l = job.layout;
  Rules broken = 0;
  const auto check = [&broken](Rule rule, bool holds) {
    if (!holds) broken |= rule_bit(rule);
  };
  check(Rule::tensor_on_fast_link, l.tp == 1 || l.tp <= linked_gpus(job));
  check(Rule::tensor_as_needed, l.tp <= limits.tensor_high);
  check(Rule::context_for_long_sequences, l.cp <= limits.context_high);
  check(Rule::states_on_device, l.offload == Offload::none);
  if (l.zero >= 3 && limits.full_shard_ranks > 0) {
    check(Rule::full_shard_bounded, l.shard_ranks() <= limits.full_shard_ranks);
  }
  if (l.pp > 1) {
    const std::int64_t micro_batches = job.micro_batches();
    check(Rule::tensor_before_pipeline, l.tp >= limits.tensor_low);
    check(Rule::pipeline_shards_optimizer, l.zero <= 1);
    check(Rule::pipeline_filled, micro_batches >= l.pp);
    check(Rule::interleaved_rounds, l.virtual_stages == 1 || micro_batches % l.pp == 0);
  }
  return broken;
}

Rules applicable_rules(const Job& job) {
  const Layout& l = job.layout;
  Rules rules = rule_bit(Rule::states_on_device);
  if (l.tp > 1) rules |= rule_bit(Rule::tensor_on_fast_link) | rule_bit(Rule::tensor_as_needed);
  if (l.cp > 1) rules |= rule_bit(Rule::context_for_long_sequences);
  if (l.zero >= 3) rules |= rule_bit(Rule::full_shard_bounded);
  if (l.pp > 1) {
    rules |= rule_bit(Rule::tensor_before_pipeline) | rule_bit(Rule::pipeline_shards_optimizer) |
             rule_bit(Rule::pipeline_filled);
    if (l.virtual_stages > 1) rules |= rule_bit(Rule::interleaved_rounds);
  }
  return rules;
}

}  // namespace traintally
