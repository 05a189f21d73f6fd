#include <traintally/resolve.hpp>

#include <limits>

#include "search.hpp"

namespace traintally {

std::int64_t default_global_batch(std::int64_t micro_batch, std::int64_t dp) {
  constexpr std::int64_t kUsual = 64;
  const std::int64_t portion = micro_batch * dp;
  const std::int64_t multiple = (kUsual + portion / 2) / portion;
  return portion * (multiple > 0 ? multiple : 1);
}

bool choose_layout(Job& job, const StackEntry& stack, const Scenario& given,
                   const Practice& practice, double upper) {
  FixedLayout fixed = fixed_layout(given);
  fixed.micro_batch = job.training.micro_batch;
  fixed.offload = job.layout.offload;
  LayoutSearch search(job, stack, fixed, practice_limits(practice, job), upper);
  search.step(std::numeric_limits<std::int64_t>::max() / 2);
  if (search.recommended() != nullptr) {
    search.recommended()->apply_to(job);
    return true;
  }
  const std::optional<Candidate> leanest = search.leanest();
  if (leanest) leanest->apply_to(job);
  return leanest.has_value();
}

}  // namespace traintally
