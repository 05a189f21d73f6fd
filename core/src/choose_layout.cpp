#include <traintally/memory.hpp>
#include <traintally/resolve.hpp>
#include <traintally/time.hpp>

namespace traintally {
namespace {

constexpr double real(std::int64_t n) { return static_cast<double>(n); }

/// How well a candidate meets the memory.
enum class Fit { no, barely, well };

struct Candidate {
  Layout layout;
  Recompute recompute = Recompute::none;
  std::int64_t global_batch = 0;
  Fit fit = Fit::no;
  double seconds_per_sequence = 0;
  Bytes device;
};

/// The better one fits better; then is faster; where neither fits, needs less memory. Equals keep
/// the one that was found first, the simpler one.
bool better(const Candidate& a, const Candidate& b) {
  if (a.fit != b.fit) return a.fit > b.fit;
  if (a.fit == Fit::no) return a.device < b.device;
  return a.seconds_per_sequence < b.seconds_per_sequence;
}

/// What parallelism a stack's users have.
struct Abilities {
  bool model_parallel = false;  ///< tp, pp, cp and ep
  bool zero[4] = {true, false, false, false};
};

Abilities abilities(const StackEntry& stack) {
  if (stack.family == "megatron" || stack.family == "mindspeed") {
    return {true, {true, true, false, false}};
  }
  if (stack.family == "deepspeed") return {false, {true, true, true, true}};
  if (stack.family == "unsloth") return {false, {true, false, false, false}};
  return {false, {true, false, true, true}};  // DDP, SHARD_GRAD_OP, FULL_SHARD
}

class Search {
 public:
  Search(Job& job, const StackEntry& stack, const Scenario& given, double upper)
      : job_(job), abilities_(abilities(stack)), given_(given), upper_(upper) {}

  bool run() {
    const Layout kept = job_.layout;
    const Training training = job_.training;
    const std::int64_t count = job_.cluster.count;
    const bool spread = abilities_.model_parallel;
    const std::int64_t node = job_.cluster.per_node < count ? job_.cluster.per_node : count;
    Layout layout;
    layout.offload = kept.offload;
    for (layout.tp = 1; layout.tp <= (spread ? node : 1); layout.tp *= 2) {
      if (count % layout.tp != 0) break;
      layout.sequence_parallel = spread && layout.tp > 1;
      for (layout.pp = 1; layout.pp <= (spread ? job_.model.layers : 1); ++layout.pp) {
        if (!splits_layers(layout.pp) || count / layout.tp % layout.pp != 0) continue;
        const std::int64_t rest = count / layout.tp / layout.pp;
        for (layout.cp = 1; layout.cp <= (spread ? rest : 1); layout.cp *= 2) {
          if (rest % layout.cp != 0) break;
          layout.dp = rest / layout.cp;
          const std::int64_t most_ep = spread && job_.model.is_moe() ? job_.model.moe.experts : 1;
          for (layout.ep = 1; layout.ep <= most_ep; layout.ep *= 2) try_layout(layout);
        }
      }
    }
    job_.layout = kept;
    job_.training = training;
    if (!found_) return false;
    job_.layout = best_.layout;
    job_.training.recompute = best_.recompute;
    job_.training.global_batch = best_.global_batch;
    return true;
  }

 private:
  bool splits_layers(std::int64_t pp) const {
    return job_.model.layers % pp == 0 || (pp > 2 && (job_.model.layers + 2) % pp == 0);
  }

  void try_layout(Layout layout) {
    for (layout.zero = 0; layout.zero <= 3; ++layout.zero) {
      if (!abilities_.zero[layout.zero]) continue;
      if (layout.zero > 0 && layout.data_ranks() == 1) continue;
      job_.layout = layout;
      job_.training.global_batch =
          given_.global_batch.value_or(default_global_batch(job_.training.micro_batch, layout.dp));
      scratch_.clear();
      check_layout(job_, scratch_);
      if (!scratch_.empty()) continue;
      if (given_.recompute) {
        consider(*given_.recompute);
        continue;
      }
      // Recomputing more never makes a step faster: the first that fits well is the fastest.
      for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
        if (consider(recompute) == Fit::well) break;
      }
    }
  }

  Fit consider(Recompute recompute) {
    job_.training.recompute = recompute;
    Candidate candidate;
    candidate.layout = job_.layout;
    candidate.recompute = recompute;
    candidate.global_batch = job_.training.global_batch;
    const Memory memory = estimate_memory(job_);
    candidate.device = memory.stage.device;
    candidate.fit = memory.stage.device * upper_ <= memory.usable ? Fit::well
                    : memory.fits                                 ? Fit::barely
                                                                  : Fit::no;
    if (found_ && candidate.fit < best_.fit) return candidate.fit;
    if (candidate.fit != Fit::no) {
      candidate.seconds_per_sequence =
          estimate_step_time(job_).step.value / real(candidate.global_batch);
    }
    if (!found_ || better(candidate, best_)) best_ = candidate;
    found_ = true;
    return candidate.fit;
  }

  Job& job_;
  const Abilities abilities_;
  const Scenario& given_;
  const double upper_;
  Candidate best_;
  bool found_ = false;
  Problems scratch_;
};

}  // namespace

std::int64_t default_global_batch(std::int64_t micro_batch, std::int64_t dp) {
  constexpr std::int64_t kUsual = 64;
  const std::int64_t portion = micro_batch * dp;
  const std::int64_t multiple = (kUsual + portion / 2) / portion;
  return portion * (multiple > 0 ? multiple : 1);
}

bool choose_layout(Job& job, const StackEntry& stack, const Scenario& given, double upper) {
  return Search(job, stack, given, upper).run();
}

}  // namespace traintally
