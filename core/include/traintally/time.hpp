#pragma once

#include <cstdint>

#include <traintally/flops.hpp>
#include <traintally/job.hpp>
#include <traintally/units.hpp>

namespace traintally {

/// One optimizer step of the slowest rank, taken apart. The parts sum to `step`.
struct StepTime {
  Seconds matmul;
  Seconds attention;
  Seconds elementwise;
  Seconds head_and_loss;
  Seconds recompute;  ///< the forward passes done again
  Seconds launch;     ///< waiting for the host
  Seconds tensor_exposed;
  Seconds data_exposed;
  Seconds pipeline_exposed;
  Seconds context_exposed;
  Seconds expert_exposed;
  Seconds bubble;
  Seconds optimizer;
  Seconds offload;  ///< traffic to host memory that nothing hides
  Seconds compute;  ///< matmul to launch
  Seconds step;
  std::int64_t micro_batches = 0;
  bool floor_bound = false;  ///< the host, not the device, sets the pace
};

/// Time of one optimizer step: a roofline per operation, collectives by the ring, 1F1B pipelining.
/// Sources: Williams et al. 2009 (roofline); Narayanan et al., arXiv 2104.04473 (bubble, volumes);
/// Rajbhandari et al., arXiv 1910.02054, section 7 (ZeRO traffic).
StepTime estimate_step_time(const Job& job);

/// Rates that follow from a step's time.
struct Throughput {
  TokensPerSecond tokens;
  TokensPerSecond tokens_per_gpu;
  double mfu_causal = 0;  ///< model flops over peak, causal attention counted once
  double mfu_full = 0;    ///< likewise, the full square, as PaLM and MosaicML report
  double hfu = 0;         ///< hardware flops over peak, recomputation counted
};
Throughput throughput(const Job& job, const StepFlops& flops, Seconds step);

}  // namespace traintally
