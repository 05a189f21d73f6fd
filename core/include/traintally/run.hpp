#pragma once

#include <cstdint>

#include <traintally/units.hpp>

namespace traintally {

/// What goes wrong during a run and what it costs to recover.
struct Reliability {
  double failures_per_gpu_day = 0;  ///< 0: not known, goodput is absent
  Seconds checkpoint_interval;      ///< 0: the best one, by Daly's formula
  BytesPerSecond storage_write;     ///< of the whole job, 0: not known
  bool asynchronous = true;         ///< checkpoints are written beside the training
  double interruptions = 0;         ///< of the run as a whole, beside failures
  double availability = 1;          ///< share of the time that the service is up, > 0
  Seconds restart{600};
  Seconds startup{300};
};

struct Run {
  double steps = 0;
  Seconds training;    ///< steps x step time
  Seconds wall;        ///< training / goodput + start-up
  double goodput = 1;  ///< share of the time that makes progress
  Seconds lost;        ///< wall - training - start-up: what unreliability and saving take
  Seconds mean_time_between_failures;
  Seconds checkpoint_time;
  Seconds checkpoint_interval;
};

/// Time to completion under failures, interruptions and outages, in seconds: Daly 2006 (doi
/// 10.1016/j.future.2004.11.016).
Run estimate_run(double steps, Seconds step, std::int64_t gpus, Bytes checkpoint,
                 const Reliability& reliability);

}  // namespace traintally
