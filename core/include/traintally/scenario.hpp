#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <traintally/fees.hpp>
#include <traintally/gpu.hpp>
#include <traintally/model.hpp>
#include <traintally/offer.hpp>
#include <traintally/training.hpp>

namespace traintally {

enum class Method : std::uint8_t { detailed, published };

/// How the visitor named the model.
enum class ModelForm : std::uint8_t { catalog_id, shape, hf_config, parameters_only };

struct ModelChoice {
  ModelForm form = ModelForm::catalog_id;
  std::string_view id;    ///< catalog_id
  Model model;            ///< shape and hf_config
  double parameters = 0;  ///< parameters_only
};

/// The visitor's GPU: a catalogue id, or a base with fields replaced.
struct GpuChoice {
  std::string_view id;
  std::optional<double> memory_gb;
  std::optional<double> usable_gib;
  std::optional<double> memory_bandwidth_gb_s;
  std::optional<double> bf16_tflops;
  std::optional<double> fp16_tflops;
  std::optional<double> fp8_tflops;
  std::optional<double> link_gb_s;
  std::optional<double> pcie_gb_s;
  std::optional<double> power_limit_w;
  bool replaced = false;  ///< given as {"base": ..., ...}
};

/// A scenario as given: what is absent takes its default in resolve(). Mirrors
/// core/schema/scenario.schema.json. Its texts lie in the document that it was read from, or in the
/// catalogue.
struct Scenario {
  Method method = Method::detailed;
  ModelChoice model;

  std::optional<TrainingKind> kind;
  std::optional<std::int64_t> lora_rank;
  std::optional<unsigned> lora_targets;
  std::optional<Quantization> quantization;
  std::optional<std::string_view> precision;
  std::optional<std::string_view> optimizer;
  std::optional<std::string_view> stack;
  std::optional<Recompute> recompute;
  std::optional<double> recompute_share;
  std::optional<bool> flash_attention;
  std::optional<bool> compile;
  std::optional<bool> fused_loss;
  std::optional<std::int64_t> sequence_length;
  std::optional<std::int64_t> micro_batch;
  std::optional<std::int64_t> global_batch;
  std::optional<double> tokens;
  std::optional<double> dataset_tokens;
  std::optional<double> epochs;

  GpuChoice gpu;
  std::optional<std::int64_t> count;
  std::optional<std::int64_t> per_node;
  std::optional<double> internode_gb_s_per_gpu;
  std::optional<bool> rdma;

  bool layout_auto = true;
  std::optional<std::int64_t> tp, pp, cp, ep, etp, dp, zero, shard_group, virtual_stages;
  std::optional<bool> sequence_parallel;
  std::optional<Offload> offload;

  std::optional<std::string_view> offer;  ///< price.offer
  std::optional<std::string_view> per_gpu_hour, per_gpu_month, per_hour, per_month,
      per_year;  ///< decimals
  std::optional<std::string_view> currency;
  std::optional<BillingMode> billing;
  std::optional<std::string_view> annual_factor;  ///< share paid, decimal
  std::optional<std::string_view> cny_per_usd;
  std::optional<bool> tax_included;
  std::optional<std::string_view> tax_rate, long_term_discount, academic_discount, stopped_per_hour,
      exit_penalty;  ///< decimals: shares, and money for all GPUs
  std::optional<double> trial_hours, stopped_hours, spot_interruptions_per_gpu_day;
  std::optional<std::string_view> date;  ///< of the question, ISO 8601: prices may have expired
  std::vector<Fee> fees;

  std::optional<double> failures_per_gpu_day;
  std::optional<double> checkpoint_interval_s;
  std::optional<double> storage_write_gb_s;
  std::optional<bool> asynchronous_checkpoints;
  std::optional<double> availability;
  std::optional<double> interruption_rate;
  std::optional<double> restart_s;
  std::optional<double> startup_s;

  std::optional<double> storage_tb;       ///< storage.capacity_tb
  std::optional<double> bytes_per_token;  ///< storage.bytes_per_token
  std::optional<std::int64_t> checkpoints_kept;

  std::optional<double> pue;  ///< energy.pue
  std::optional<double> host_factor;
  std::optional<double> load;
  std::optional<double> kg_co2_per_kwh;
  std::optional<std::string_view> tariff_per_kwh;

  std::optional<double> measured_tokens_per_second;
  std::optional<double> measured_step_s;
  bool explain = false;
};

}  // namespace traintally
