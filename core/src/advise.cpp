#include <initializer_list>

#include <traintally/estimate.hpp>

namespace traintally {
namespace {

constexpr double real(std::int64_t n) { return static_cast<double>(n); }

// From where a share is worth a word.
constexpr double kTightMargin = 0.05;  // of the usable memory
constexpr double kUnusedMemory = 0.4;  // likewise, left over at the interval's upper end
constexpr double kWaiting = 0.2;       // of the step
constexpr double kBubble = 0.15;       // likewise
constexpr double kLogits = 0.4;        // of what is allocated
constexpr double kLowGoodput = 0.9;
constexpr double kFarOff = 2;  // measured over predicted step, either way

using Figures = std::initializer_list<NamedNumber>;

class Adviser {
 public:
  Adviser(const Report& report, const Catalog& catalog)
      : r_(report), job_(report.resolved.job), catalog_(catalog) {}

  std::vector<Warning> run() {
    about_memory();
    about_speed();
    about_evidence();
    about_settings();
    about_run_and_price();
    return std::move(warnings_);
  }

 private:
  void warn(const char* code, Figures figures = {}) { warnings_.push_back({code, figures}); }

  // Memory.

  void about_memory() {
    const double usable = r_.memory.usable.value;
    const StageMemory& stage = r_.memory.stage;
    const double margin = usable - stage.device.value;
    if (margin < 0) {
      warn("does_not_fit", {{"over_bytes", -margin},
                            {"device_bytes", stage.device.value},
                            {"usable_bytes", usable}});
    } else if (margin < kTightMargin * usable) {
      warn("tight", {{"margin_bytes", margin}, {"usable_bytes", usable}});
    } else if (r_.device.high.value > usable) {
      warn("may_not_fit", {{"high_bytes", r_.device.high.value}, {"usable_bytes", usable}});
    } else if (r_.device.high.value < (1 - kUnusedMemory) * usable) {
      warn("memory_unused", {{"device_bytes", stage.device.value}, {"usable_bytes", usable}});
    }
    if (stage.logits.value > kLogits * stage.allocated.value && !job_.training.fused_loss) {
      warn("logits_dominate",
           {{"logits_bytes", stage.logits.value}, {"share", stage.logits / stage.allocated}});
    }
    if (r_.memory.host.value > 0) {
      const std::int64_t together =
          job_.cluster.per_node < job_.cluster.count ? job_.cluster.per_node : job_.cluster.count;
      warn("host_memory", {{"host_bytes_per_gpu", r_.memory.host.value},
                           {"host_bytes_per_node", r_.memory.host.value * real(together)}});
    }
    about_recomputation();
  }

  void about_recomputation() {
    if (job_.training.recompute == Recompute::none) return;
    Job without = job_;
    without.training.recompute = Recompute::none;
    const Memory memory = estimate_memory(without);
    const Bytes device = memory.stage.device;
    if (device * r_.resolved.basis.spreads.device.high > memory.usable) return;
    const Seconds step = estimate_step_time(without).step * r_.recalibration_ratio;
    if (step >= r_.step.value) return;
    warn("recompute_unneeded", {{"device_bytes", device.value},
                                {"usable_bytes", memory.usable.value},
                                {"saved_share", 1 - step / r_.step.value}});
  }

  // Speed.

  void about_speed() {
    const StepTime& step = r_.step_parts;
    const auto share = [&step](Seconds part) { return part / step.step; };
    const Gpu& gpu = job_.cluster.gpu;
    const bool several_nodes = job_.cluster.count > job_.cluster.per_node;
    const std::int64_t together = several_nodes ? job_.cluster.per_node : job_.cluster.count;
    const bool linked = gpu.link.value > 0 && together <= gpu.link_domain;
    const Seconds waiting = step.tensor_exposed + step.data_exposed + step.context_exposed +
                            step.expert_exposed + step.pipeline_exposed;
    if (job_.cluster.count > 1 && share(waiting) > kWaiting) {
      warn(several_nodes ? "network_bound"
           : linked      ? "communication_bound"
                         : "pcie_bound",
           {{"waiting_share", share(waiting)},
            {"waiting_s", waiting.value},
            {"tensor_s", step.tensor_exposed.value},
            {"data_s", step.data_exposed.value}});
    }
    if (job_.layout.tp > job_.cluster.per_node) {
      warn("tp_across_nodes",
           {{"tp", real(job_.layout.tp)}, {"per_node", real(job_.cluster.per_node)}});
    }
    if (share(step.bubble) > kBubble) {
      warn("bubble_large", {{"bubble_share", share(step.bubble)},
                            {"micro_batches", real(step.micro_batches)},
                            {"pp", real(job_.layout.pp)}});
    }
    if (step.floor_bound) {
      warn("floor_bound", {{"launch_share", share(step.launch)}, {"launch_s", step.launch.value}});
    }
    if (share(step.offload) > kWaiting) {
      warn("offload_bound",
           {{"offload_share", share(step.offload)}, {"offload_s", step.offload.value}});
    }
  }

  // What the figures rest on.

  void about_evidence() {
    const GpuEntry& gpu = *r_.resolved.gpu;
    if (gpu.confidence == Confidence::low) warn("gpu_low_confidence");
    if (!gpu.usable_known && !r_.resolved.scenario.gpu.usable_gib) {
      warn("usable_memory_assumed", {{"usable_bytes", r_.memory.usable.value}});
    }
    if (r_.recalibrated) {
      const double ratio = r_.recalibration_ratio;
      warn("recalibrated", {{"ratio", ratio}});
      if (ratio > kFarOff || ratio < 1 / kFarOff) warn("measured_far_off", {{"ratio", ratio}});
    }
    if (r_.resolved.scaled_model) {
      warn("scaled_model", {{"asked_parameters", r_.resolved.scenario.model.parameters},
                            {"parameters", real(job_.parameters.total)}});
    }
    for (const MeasuredRange& range : catalog_.calibration.ranges) {
      const double value = range.name == "parameters"        ? real(job_.parameters.total)
                           : range.name == "sequence_length" ? real(job_.training.sequence_length)
                                                             : real(job_.cluster.count);
      if (value >= range.low && value <= range.high) continue;
      warn("extrapolated",
           {{range.name, value}, {"measured_low", range.low}, {"measured_high", range.high}});
    }
    if (job_.cluster.gpu.power_limit_share < 1) {
      warn("power_limited", {{"speed_share", job_.cluster.gpu.power_limit_share}});
    }
  }

  // Settings.

  void about_settings() {
    const std::int64_t longest = job_.model.max_sequence;
    if (longest > 0 && job_.training.sequence_length > longest) {
      warn("sequence_beyond_model", {{"sequence_length", real(job_.training.sequence_length)},
                                     {"max_sequence", real(longest)}});
    }
    const Gpu& gpu = job_.cluster.gpu;
    if (job_.matmul == MatmulKind::fp16 && gpu.rate(MatmulKind::bf16).value <= 0) warn("no_bf16");
    if (!job_.training.flash_attention && job_.training.sequence_length >= 4096) {
      warn("attention_not_fused", {{"attention_bytes", r_.memory.stage.attention.value}});
    }
    const double per_step = real(job_.training.sequence_length) * real(job_.training.global_batch);
    if (job_.training.tokens < per_step) {
      warn("tokens_below_a_step", {{"tokens", job_.training.tokens}, {"step_tokens", per_step}});
    }
  }

  // Run and price.

  void about_run_and_price() {
    if (r_.run.mean_time_between_failures.value > 0 && r_.run.goodput < kLowGoodput) {
      warn("goodput_low",
           {{"goodput", r_.run.goodput},
            {"mean_time_between_failures_s", r_.run.mean_time_between_failures.value}});
    }
    if (r_.storage_capacity_bytes > 0 && r_.storage.needed.value > r_.storage_capacity_bytes) {
      warn("storage_short", {{"needed_bytes", r_.storage.needed.value},
                             {"capacity_bytes", r_.storage_capacity_bytes}});
    }
    if (!r_.cost_known) return;
    if (r_.cost.mode_unavailable) warn("billing_mode_unavailable");
    if (r_.cost.paid().mode == BillingMode::spot) warn("spot_interruptions");
    if (r_.cost.rented_gpus > job_.cluster.count) {
      warn("rents_more_gpus",
           {{"rented_gpus", real(r_.cost.rented_gpus)}, {"gpus", real(job_.cluster.count)}});
    }
    if (const OfferEntry* offer = r_.resolved.offer) {
      if (offer->date.empty()) warn("price_undated");
      if (!offer->valid_until.empty() && r_.resolved.scenario.date.value_or("").empty()) {
        warn("validity_unchecked");
      }
      if (offer->confidence == Confidence::low) warn("price_low_confidence");
    }
  }

  const Report& r_;
  const Job& job_;
  const Catalog& catalog_;
  std::vector<Warning> warnings_;
};

}  // namespace

std::vector<Warning> advise(const Report& report, const Catalog& catalog) {
  return Adviser(report, catalog).run();
}

}  // namespace traintally
