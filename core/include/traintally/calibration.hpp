#pragma once

#include <cstdint>
#include <string_view>

#include <traintally/units.hpp>

namespace traintally {

/// The fitted constants of one job: those of its GPU's architecture and of its software stack,
/// overridden by its own GPU's and stack's where those were measured. All dimensionless unless
/// said. Written by tests/accuracy/calibrate.py to core/catalog/calibration.json, with what they
/// were fitted on.
struct Calibration {
  // The GPU.
  double matmul_efficiency = 0.75;       ///< of the dense peak, large products
  double fp8_efficiency = 0.6;           ///< of the fp8 or fp4 peak
  double matmul_half_depth = 100;        ///< inner dimension at which a product runs at half speed
  double matmul_half_area = 300e3;       ///< output values at which it does: too few tiles to fill
  double attention_efficiency = 0.35;    ///< of the dense peak, fused attention forward, long rows
  double ported_attention = 1;           ///< of it left to kernels written for another generation
  double attention_backward = 0.8;       ///< the backward core's efficiency over the forward's
  double attention_half_sequence = 200;  ///< sequence at which the core runs at half speed
  double bandwidth_efficiency = 0.8;     ///< of the memory bandwidth
  double link_efficiency = 0.6;          ///< of the scale-up link's nominal rate
  double pcie_efficiency = 0.6;
  double host_bounce = 0.5;  ///< of it left where there is no peer-to-peer
  double internode_efficiency = 0.6;
  double without_rdma = 0.5;    ///< of the network's rate left where hosts copy what it carries
  Seconds link_latency{10e-6};  ///< of one step of a collective
  Seconds internode_latency{20e-6};
  // The stack.
  double elementwise_hidden = 22;       ///< values of hidden size moved per token, layer forward
  double elementwise_mlp = 3;           ///< values of the MLP's width, likewise
  double elementwise_backward = 2;      ///< backward over forward
  double compiled_elementwise = 0.6;    ///< what compiling leaves of element-wise traffic
  double compiled_launch = 0.5;         ///< what compiling leaves of launch time
  double plain_score_traffic = 14;      ///< bytes per score of unfused attention, forward
  double loss_traffic = 20;             ///< bytes per logit, forward and backward, plain loss
  double fused_loss_traffic = 8;        ///< likewise fused
  Seconds launch_floor{0.8e-3};         ///< host time of a layer's forward: the device waits for it
  Seconds launch_added{0};              ///< host time that nothing hides, per layer forward
  Seconds launch_tensor{0.1e-3};        ///< more of it for a layer's tensor-parallel collectives
  double launch_backward = 1.6;         ///< backward over forward
  Seconds launch_step{5e-3};            ///< per optimizer step
  double overlap = 0.5;                 ///< of the smaller of compute and traffic, hidden
  double tensor_overlap = 0;            ///< likewise for tensor-parallel traffic
  double optimizer_traffic = 1.2;       ///< over the textbook's bytes
  double host_update_bandwidth = 20e9;  ///< bytes/s per GPU of the optimizer on the host
  double pipeline_slack = 0.1;          ///< of a boundary transfer that nothing hides
  double product_scale = 1;             ///< the stack's products over the architecture's efficiency
  double attention_scale = 1;           ///< likewise its fused attention
  double misaligned_attention = 0.5;    ///< of it left where heads are no multiple of 8 wide
  double narrow_elementwise = 1.3;      ///< element-wise traffic of fp8 or fp4 over 16-bit: casts
  double launch_mixture = 2;            ///< host time of a mixture layer over a dense one's
  double expert_overlap = 0.1;          ///< of the experts' exchange that is hidden
  double moe_imbalance = 1.1;           ///< fullest expert rank over the mean
  double dequantize_traffic = 4;        ///< bytes moved per quantised parameter and pass
  double adapter_traffic = 1;           ///< over the textbook's bytes of low-rank products
  // Memory.
  double reserve_factor = 1;  ///< over what the stack reserves beyond what is allocated
  double context_factor = 1;  ///< over the stack's context and collective memory
};

/// Spread of predicted over measured among the rows left out of a fit: the central 80%.
struct Spread {
  double low = 0.85;
  double high = 1.18;
  std::int64_t rows = 0;     ///< that it rests on
  std::int64_t sources = 0;  ///< that these rows come from
  double median_error = 0;
};

/// A spread for each kind of figure: what a framework allocates is known better than what its
/// allocator reserves, and that better than what the driver shows.
struct Spreads {
  Spread time;
  Spread allocated;
  Spread reserved;
  Spread device;
};

/// What an estimate rests on: measured configurations like it, or a relative's constants.
struct Basis {
  bool gpu_measured = false;
  bool stack_measured = false;
  bool method_measured = false;
  std::string_view gpu_from;
  std::string_view stack_from;
  std::string_view time_kind;    ///< of configuration, whose residuals the interval of time is
  std::string_view memory_kind;  ///< likewise of memory
  Spreads spreads;
};

}  // namespace traintally
