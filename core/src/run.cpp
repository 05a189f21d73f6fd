#include <traintally/run.hpp>

#include <cmath>

namespace traintally {
namespace {
constexpr double kSecondsPerDay = 86400;
}

Run estimate_run(double steps, Seconds step, std::int64_t gpus, Bytes checkpoint,
                 const Reliability& reliability) {
  Run run;
  run.steps = steps;
  run.training = step * steps;
  run.wall = run.training + reliability.startup;

  const double failures_per_second =
      reliability.failures_per_gpu_day * static_cast<double>(gpus) / kSecondsPerDay +
      (run.training.value > 0 ? reliability.interruptions / run.training.value : 0);
  if (failures_per_second <= 0) {
    run.goodput = reliability.availability;
    run.lost = run.training * (1 / run.goodput - 1);
    run.wall = run.training + run.lost + reliability.startup;
    return run;
  }
  run.mean_time_between_failures = {1 / failures_per_second};
  if (reliability.storage_write.value > 0) {
    run.checkpoint_time = checkpoint / reliability.storage_write;
  }
  run.checkpoint_interval = reliability.checkpoint_interval;
  if (run.checkpoint_interval.value <= 0) {
    // Young 1974: the interval that balances writing against work lost.
    const double blocking = run.checkpoint_time.value > 1 ? run.checkpoint_time.value : 1;
    run.checkpoint_interval = {std::sqrt(2 * blocking * run.mean_time_between_failures.value)};
  }
  // Lost per second of progress: writing, and for each failure half an interval and the restart.
  const double writing =
      reliability.asynchronous ? 0 : run.checkpoint_time / run.checkpoint_interval;
  const double lost_per_failure = run.checkpoint_interval.value / 2 + reliability.restart.value;
  const double overhead = writing + failures_per_second * lost_per_failure;
  run.goodput = reliability.availability / (1 + overhead);
  run.lost = run.training * ((1 + overhead) / reliability.availability - 1);
  run.wall = run.training + run.lost + reliability.startup;
  return run;
}

}  // namespace traintally
