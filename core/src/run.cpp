#include <traintally/run.hpp>

#include <cmath>

#include "exponential.hpp"

namespace traintally {
namespace {

constexpr double kSecondsPerDay = 86400;

/// Of a second to write without holding the training up: no interval is shorter for it.
constexpr Seconds kLeastWrite{1};

/// Daly 2006: the interval between checkpoints that take `write` each, which loses
/// least where failures come every `between` seconds. Its first term is Young's of 1974.
Seconds best_interval(Seconds write, Seconds between) {
  const double ratio = write.value / (2 * between.value);
  if (ratio >= 1) return between;
  return {std::sqrt(2 * write.value * between.value) * (1 + std::sqrt(ratio) / 3 + ratio / 9) -
          write.value};
}

/// Daly 2006: seconds of wall clock for each second of progress, where work since the
/// last checkpoint is done again after every failure, and a failure may come before that is done.
double wall_per_progress(Seconds interval, Seconds write, Seconds restart, double failures) {
  const double again = 1 + exponential_minus_one(restart.value * failures);
  const double segment = exponential_minus_one((interval.value + write.value) * failures);
  return again * segment / (interval.value * failures);
}

}  // namespace

Run estimate_run(double steps, Seconds step, std::int64_t gpus, Bytes checkpoint,
                 const Reliability& reliability) {
  Run run;
  run.steps = steps;
  run.training = step * steps;
  run.wall = run.training + reliability.startup;

  const double failures =
      reliability.failures_per_gpu_day * static_cast<double>(gpus) / kSecondsPerDay;
  const double interruptions =
      run.training.value > 0 ? reliability.interruptions / run.training.value : 0;
  const double failures_per_second = failures + interruptions;
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
    const Seconds write = max(run.checkpoint_time, kLeastWrite);
    run.checkpoint_interval = best_interval(write, run.mean_time_between_failures);
  }
  // A checkpoint written beside the training holds nothing up, but counts only once it is whole.
  const Seconds held = reliability.asynchronous ? Seconds{0} : run.checkpoint_time;
  const Seconds late = reliability.asynchronous ? run.checkpoint_time : Seconds{0};
  const Seconds restart = reliability.restart + late;
  const double progress = failures > 0
                              ? wall_per_progress(run.checkpoint_interval, held, restart, failures)
                              : 1 + held / run.checkpoint_interval;
  // Interruptions are a stated number: each loses half an interval and the restart.
  const double overhead =
      progress - 1 + interruptions * (run.checkpoint_interval.value / 2 + restart.value);
  run.goodput = reliability.availability / (1 + overhead);
  run.lost = run.training * ((1 + overhead) / reliability.availability - 1);
  run.wall = run.training + run.lost + reliability.startup;
  return run;
}

}  // namespace traintally
