#include <traintally/resolve.hpp>

#include <algorithm>
#include <limits>

#include "search.hpp"

namespace traintally {

std::int64_t usual_batch(const Practice& practice, const Job& job) {
  if (job.training.kind != TrainingKind::pretrain) return practice.tuning_batch;
  const auto length = static_cast<double>(job.training.sequence_length);
  // More GPUs than the least batch keeps busy are trained on with a larger one, up to a bound.
  const bool mixture = job.model.is_moe();
  const double grown =
      static_cast<double>(job.cluster.count) *
      (mixture ? practice.mixture_sequences_per_gpu * length : practice.dense_tokens_per_gpu);
  const double most = mixture ? practice.mixture_batch_tokens : practice.dense_batch_tokens;
  const double tokens = std::max(practice.pretrain_batch_tokens, std::min(most, grown));
  const double sequences = tokens / length;
  std::int64_t batch = 1;
  while (static_cast<double>(batch * 2) <= sequences) batch *= 2;
  return batch;
}

std::int64_t default_global_batch(std::int64_t micro_batch, std::int64_t dp, std::int64_t usual) {
  const std::int64_t portion = micro_batch * dp;
  const std::int64_t multiple = (usual + portion / 2) / portion;
  return portion * (multiple > 0 ? multiple : 1);
}

const char* megatron_on(const GpuEntry& gpu) {
  return gpu.vendor == "Huawei" ? "mindspeed" : "megatron";
}

bool tries_megatron(const Scenario& given, const Job& job) {
  if (given.stack || !given.layout_auto) return false;
  return job.training.kind == TrainingKind::pretrain ||
         (job.training.kind == TrainingKind::full && job.model.is_moe());
}

std::optional<Candidate> choose_layout(Job& job, const StackEntry& stack, const Scenario& given,
                                       const Practice& practice, double upper) {
  FixedLayout fixed = fixed_layout(given);
  // Adapters are trained a sequence at a time where nobody asks for more.
  if (job.training.adapters()) fixed.micro_batch = job.training.micro_batch;
  fixed.usual_batch = usual_batch(practice, job);
  fixed.offload = job.layout.offload;
  LayoutSearch search(job, stack, fixed, practice_limits(practice, job), upper);
  search.step(std::numeric_limits<std::int64_t>::max() / 2);
  std::optional<Candidate> chosen;
  if (search.recommended() != nullptr) {
    chosen = *search.recommended();
  } else {
    chosen = search.leanest();
  }
  if (chosen) chosen->apply_to(job);
  return chosen;
}

}  // namespace traintally
