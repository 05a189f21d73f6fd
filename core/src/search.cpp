#include "search.hpp"

#include <algorithm>

#include <traintally/memory.hpp>
#include <traintally/time.hpp>

namespace traintally {
namespace {

constexpr double real(std::int64_t n) { return static_cast<double>(n); }

constexpr std::int64_t kMostVirtualStages = 8;
constexpr std::int64_t kMostShorterStages = 3;

/// Calls `visit` for powers of two up to `most`, or for the given value alone.
template <class Visit>
void each_degree(const std::optional<std::int64_t>& given, std::int64_t most, Visit visit) {
  if (given) {
    visit(*given);
    return;
  }
  for (std::int64_t degree = 1; degree <= most; degree *= 2) visit(degree);
}

bool splits_layers(std::int64_t layers, std::int64_t stages) {
  const std::int64_t rest = layers % stages;
  return rest == 0 || (stages > 1 && stages < layers && stages - rest <= kMostShorterStages);
}

}  // namespace

Abilities abilities(const StackEntry& stack) {
  if (stack.has_megatron_layouts()) {
    return {true, {true, true, false, false}, false, true};
  }
  if (stack.family == "deepspeed") return {false, {true, true, true, true}, false, true};
  if (stack.family == "unsloth") return {false, {true, false, false, false}, false, false};
  // DDP, SHARD_GRAD_OP, FULL_SHARD, HYBRID_SHARD
  return {false, {true, false, true, true}, true, true};
}

FixedLayout fixed_layout(const Scenario& s) {
  FixedLayout fixed;
  if (!s.layout_auto) {
    fixed.tp = s.tp;
    fixed.pp = s.pp;
    fixed.cp = s.cp;
    fixed.ep = s.ep;
    fixed.etp = s.etp;
    fixed.dp = s.dp;
    fixed.zero = s.zero;
    fixed.shard_group = s.shard_group;
    fixed.virtual_stages = s.virtual_stages;
    fixed.sequence_parallel = s.sequence_parallel;
    fixed.offload = s.offload;
  }
  fixed.recompute = s.recompute;
  fixed.micro_batch = s.micro_batch;
  fixed.global_batch = s.global_batch;
  return fixed;
}

void Candidate::apply_to(Job& job) const {
  job.layout = layout;
  job.training.recompute = recompute;
  job.training.micro_batch = micro_batch;
  job.training.global_batch = global_batch;
}

LayoutSearch::LayoutSearch(const Job& job, const StackEntry& stack, const FixedLayout& fixed,
                           const PracticeLimits& limits, double upper)
    : job_(job), fixed_(fixed), limits_(limits), upper_(upper) {
  choose_space(stack);
}

void LayoutSearch::choose_space(const StackEntry& stack) {
  const Abilities able = abilities(stack);
  const std::int64_t count = job_.cluster.count;
  const Model& m = job_.model;
  if (able.model_parallel) {
    most_tp_ = std::min(job_.cluster.per_node, count);
    most_cp_ = count;
    if (m.is_moe()) most_ep_ = m.moe.experts;
  }
  const std::int64_t most_pp = able.model_parallel ? std::min(m.layers, count) : 1;
  for (std::int64_t pp = fixed_.pp.value_or(1); pp <= fixed_.pp.value_or(most_pp); ++pp) {
    if (count % pp != 0 || (!fixed_.pp && !splits_layers(m.layers, pp))) continue;
    if (pp > m.layers) continue;
    Pipeline pipeline;
    pipeline.stages = pp;
    Layout layout;
    layout.pp = pp;
    pipeline.runs = stage_runs(m, layout);
    if (fixed_.virtual_stages) {
      pipeline.virtual_stages[0] = *fixed_.virtual_stages;
    } else if (pp > 1 && able.model_parallel && m.layers % pp == 0) {
      for (std::int64_t v = 2; v <= kMostVirtualStages && v <= m.layers / pp; ++v) {
        if (m.layers / pp % v == 0) pipeline.virtual_stages[pipeline.choices++] = v;
      }
    }
    pipelines_.push_back(pipeline);
  }
  for (std::int64_t zero = 0; zero <= 3; ++zero) {
    if (fixed_.zero ? zero != *fixed_.zero : !able.zero[zero]) continue;
    shardings_.push_back({zero, fixed_.shard_group.value_or(0)});
    const std::int64_t node = job_.cluster.per_node;
    if (zero == 3 && able.hybrid && !fixed_.shard_group && node > 1 && count > node &&
        count % node == 0) {
      shardings_.push_back({zero, node});
    }
  }
  offloads_.push_back(fixed_.offload.value_or(Offload::none));
  if (!fixed_.offload && able.offload && job_.cluster.gpu.pcie.value > 0) {
    offloads_.push_back(Offload::optimizer);
  }
  if (fixed_.recompute) {
    recomputes_ = {*fixed_.recompute};
  } else {
    recomputes_ = {Recompute::none, Recompute::selective, Recompute::full};
  }
  job_.layout = {};
  job_.layout.etp = fixed_.etp.value_or(1);
  most_micro_batch_ = fixed_.global_batch.value_or(fixed_.usual_batch);
  sequence_parallel_ = fixed_.sequence_parallel.value_or(able.model_parallel);
}

/// @return whether the degrees' product is the GPU count
bool LayoutSearch::set_group(std::int64_t tp, std::int64_t cp, std::int64_t ep,
                             const Pipeline& pipeline) {
  Layout& l = job_.layout;
  const std::int64_t count = job_.cluster.count;
  const std::int64_t group = tp * pipeline.stages * cp;
  if (group > count || count % group != 0) return false;
  l.tp = tp;
  l.pp = pipeline.stages;
  l.cp = cp;
  l.ep = ep;
  l.dp = count / group;
  l.sequence_parallel = sequence_parallel_ && tp > 1;
  return !fixed_.dp || *fixed_.dp == l.dp;
}

/// @return whether the layout is valid with it, in its plainest variant
bool LayoutSearch::set_batch(std::int64_t micro_batch) {
  job_.training.micro_batch = micro_batch;
  job_.training.global_batch =
      fixed_.global_batch ? *fixed_.global_batch
                          : default_global_batch(micro_batch, job_.layout.dp, fixed_.usual_batch);
  job_.layout.virtual_stages = fixed_.virtual_stages.value_or(1);
  job_.layout.shard_group = fixed_.shard_group.value_or(0);
  // A larger micro-batch is no reason for a larger step than usual.
  if (!fixed_.global_batch && !fixed_.micro_batch && micro_batch > 1 &&
      micro_batch * job_.layout.dp > fixed_.usual_batch) {
    return false;
  }
  return layout_holds(job_);
}

/// Sets sharding and offload.
/// @return whether there is anything to shard where they ask for it
bool LayoutSearch::set_state(unsigned state) {
  const Sharding& sharding = shardings_[state / offloads_.size()];
  job_.layout.zero = sharding.zero;
  job_.layout.shard_group = sharding.group;
  job_.layout.offload = offloads_[state % offloads_.size()];
  // A node's GPUs are a group of data ranks where each of them is one.
  if (sharding.group > 0 && !fixed_.shard_group && job_.layout.data_ranks() < job_.cluster.count) {
    return false;
  }
  return job_.layout.zero == 0 || job_.layout.data_ranks() > 1 || fixed_.zero.has_value();
}

std::int64_t LayoutSearch::variants(const Pipeline& pipeline) {
  std::int64_t states = 0;
  for (unsigned state = 0; state < shardings_.size() * offloads_.size(); ++state) {
    if (set_state(state)) ++states;
  }
  return states * pipeline.choices * static_cast<std::int64_t>(recomputes_.size());
}

LayoutSearch::States LayoutSearch::states_that_fit(const ParameterShares& parameters,
                                                   const Pipeline& pipeline) {
  States states = 0;
  for (unsigned state = 0; state < shardings_.size() * offloads_.size(); ++state) {
    if (!set_state(state)) continue;
    const Bytes least = least_device_memory(job_, parameters, pipeline.runs);
    if (least <= job_.cluster.gpu.usable_memory) states |= 1U << state;
  }
  return states;
}

/// Whether any variant fits. Virtual stages never hold less than one stage does.
bool LayoutSearch::any_fits(const MemoryTerms& terms, const Pipeline& pipeline, States states) {
  job_.layout.virtual_stages = pipeline.virtual_stages[0];
  for (auto recompute = recomputes_.rbegin(); recompute != recomputes_.rend(); ++recompute) {
    job_.training.recompute = *recompute;
    for (auto state = static_cast<unsigned>(shardings_.size() * offloads_.size()); state-- > 0;) {
      if ((states >> state & 1U) == 0) continue;
      set_state(state);
      if (estimate_memory(job_, terms, pipeline.runs).fits) return true;
    }
  }
  return false;
}

void LayoutSearch::enumerate() {
  std::vector<States> states(pipelines_.size());
  each_degree(fixed_.tp, most_tp_, [&](std::int64_t tp) {
    each_degree(fixed_.ep, most_ep_, [&](std::int64_t ep) {
      bool any = false;
      ParameterShares parameters;
      for (std::size_t i = 0; i < pipelines_.size(); ++i) {
        states[i] = 0;
        if (!set_group(tp, fixed_.cp.value_or(1), ep, pipelines_[i])) continue;
        if (!any) parameters = parameter_shares(job_);
        any = true;
        states[i] = states_that_fit(parameters, pipelines_[i]);
      }
      if (!any) return;
      each_degree(fixed_.cp, most_cp_ / tp,
                  [&](std::int64_t cp) { enumerate_batches(tp, cp, ep, states); });
    });
  });
  std::sort(nodes_.begin(), nodes_.end(), [](const Node& a, const Node& b) {
    if (a.least_seconds != b.least_seconds) return a.least_seconds < b.least_seconds;
    return a.order < b.order;
  });
}

void LayoutSearch::enumerate_batches(std::int64_t tp, std::int64_t cp, std::int64_t ep,
                                     std::vector<States> states) {
  each_degree(fixed_.micro_batch, most_micro_batch_, [&](std::int64_t micro_batch) {
    bool have_terms = false;
    for (std::size_t i = 0; i < pipelines_.size(); ++i) {
      const Pipeline& pipeline = pipelines_[i];
      if (!set_group(tp, cp, ep, pipeline) || !set_batch(micro_batch)) continue;
      const std::int64_t variants_here = variants(pipeline);
      counts_.layouts += variants_here;
      const std::int64_t order = order_;
      order_ += variants_here;
      if (states[i] == 0) continue;
      if (!have_terms) {
        memory_terms_ = memory_terms(job_);
        time_terms_ = time_terms(job_);
        have_terms = true;
      }
      if (!any_fits(memory_terms_, pipeline, states[i])) {
        states[i] = 0;  // nor does a larger micro-batch
        continue;
      }
      Node node;
      node.tp = tp;
      node.cp = cp;
      node.ep = ep;
      node.micro_batch = micro_batch;
      node.pipeline = static_cast<int>(i);
      node.states = states[i];
      node.order = order;
      job_.training.recompute = Recompute::none;
      job_.layout.zero = 0;
      job_.layout.offload = Offload::none;
      job_.layout.virtual_stages = 1;
      node.least_broken = count_rules(broken_rules(job_, limits_));
      node.bound = bound_step_time(job_, time_terms_, pipeline.runs);
      node.least_seconds = node.bound.step(pipeline.virtual_stages[pipeline.choices - 1]).value /
                           real(job_.training.global_batch);
      nodes_.push_back(node);
    }
  });
}

/// Whether layouts that take at least `seconds` a sequence and have at best this rank can neither
/// be recommended nor be the fastest.
bool LayoutSearch::beaten(double seconds, int rank) const {
  if (!recommended_ || !fastest_) return false;
  const int best = recommended_->rank();
  const bool not_recommended = best < rank || (best == rank && recommended_->weighed() < seconds);
  return not_recommended && fastest_->weighed() < seconds;
}

Candidate LayoutSearch::candidate(const Memory& memory, std::int64_t order) const {
  Candidate c;
  c.layout = job_.layout;
  c.recompute = job_.training.recompute;
  c.micro_batch = job_.training.micro_batch;
  c.global_batch = job_.training.global_batch;
  c.device = memory.stage.device;
  c.fit = !memory.fits ? Fit::no : c.device * upper_ <= memory.usable ? Fit::well : Fit::barely;
  c.broken = broken_rules(job_, limits_);
  c.order = order;
  return c;
}

/// Evaluates the layout that job_ holds.
Fit LayoutSearch::consider(const Pipeline& pipeline, std::int64_t order) {
  ++counts_.evaluated;
  const Memory memory = estimate_memory(job_, memory_terms_, pipeline.runs);
  if (!memory.fits) return Fit::no;
  Candidate c = candidate(memory, order);
  c.step = estimate_step_time(job_, time_terms_, pipeline.runs).step;
  c.seconds_per_sequence = c.step.value / real(c.global_batch);
  const auto sooner = [&c](const Candidate& other) {
    if (c.weighed() != other.weighed()) return c.weighed() < other.weighed();
    return c.order < other.order;
  };
  if (!recommended_ || c.rank() < recommended_->rank() ||
      (c.rank() == recommended_->rank() && sooner(*recommended_))) {
    recommended_ = c;
  }
  if (!fastest_ || sooner(*fastest_)) fastest_ = c;
  return c.fit;
}

void LayoutSearch::evaluate(const Node& node) {
  const Pipeline& pipeline = pipelines_[static_cast<std::size_t>(node.pipeline)];
  set_group(node.tp, node.cp, node.ep, pipeline);
  set_batch(node.micro_batch);
  memory_terms_ = memory_terms(job_);
  time_terms_ = time_terms(job_);
  std::int64_t order = node.order;
  for (unsigned state = 0; state < shardings_.size() * offloads_.size(); ++state) {
    if (!set_state(state)) continue;
    unsigned hopeless = 0;  // recomputations that don't fit at the fewest virtual stages
    for (int choice = 0; choice < pipeline.choices; ++choice) {
      const std::int64_t first = order;
      order += static_cast<std::int64_t>(recomputes_.size());
      if ((node.states >> state & 1U) == 0) continue;
      const std::int64_t v = pipeline.virtual_stages[choice];
      job_.layout.virtual_stages = v;
      const double least = node.bound.step(v).value / real(job_.training.global_batch);
      if (beaten(least, count_rules(broken_rules(job_, limits_)))) continue;
      for (std::size_t i = 0; i < recomputes_.size(); ++i) {
        if ((hopeless >> i & 1U) != 0) continue;
        job_.training.recompute = recomputes_[i];
        const Fit fit = consider(pipeline, first + static_cast<std::int64_t>(i));
        if (fit == Fit::no) hopeless |= 1U << i;
        if (fit == Fit::well) break;  // recomputing more never makes a step faster
      }
    }
  }
}

bool LayoutSearch::step(std::int64_t work) {
  if (!enumerated_) {
    enumerate();
    enumerated_ = true;
  }
  const std::int64_t until = counts_.evaluated + work;
  while (next_ < nodes_.size() && counts_.evaluated < until) {
    const Node& node = nodes_[next_++];
    if (!beaten(node.least_seconds, node.least_broken)) evaluate(node);
  }
  return next_ == nodes_.size();
}

std::optional<Candidate> LayoutSearch::leanest() {
  std::optional<Candidate> best;
  std::int64_t order = 0;
  each_degree(fixed_.tp, most_tp_, [&](std::int64_t tp) {
    each_degree(fixed_.ep, most_ep_, [&](std::int64_t ep) {
      each_degree(fixed_.cp, most_cp_ / tp, [&](std::int64_t cp) {
        for (const Pipeline& pipeline : pipelines_) {
          // The smallest micro-batch and the fewest virtual stages need least.
          if (!set_group(tp, cp, ep, pipeline)) continue;
          if (!set_batch(fixed_.micro_batch.value_or(1))) continue;
          job_.layout.virtual_stages = pipeline.virtual_stages[0];
          memory_terms_ = memory_terms(job_);
          for (unsigned state = 0; state < shardings_.size() * offloads_.size(); ++state) {
            if (!set_state(state)) continue;
            for (const Recompute recompute : recomputes_) {
              job_.training.recompute = recompute;
              const Memory memory = estimate_memory(job_, memory_terms_, pipeline.runs);
              if (best && !(memory.stage.device < best->device)) continue;
              best = candidate(memory, order++);
              best->step = estimate_step_time(job_).step;
              best->seconds_per_sequence = best->step.value / real(best->global_batch);
            }
          }
        }
      });
    });
  });
  return best;
}

}  // namespace traintally
