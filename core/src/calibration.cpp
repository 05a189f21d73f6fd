#include <algorithm>

#include <traintally/catalog.hpp>

namespace traintally {
namespace {

struct Constant {
  const char* name;
  double Calibration::*number;
  Seconds Calibration::*seconds;
};

constexpr Constant number(const char* name, double Calibration::*member) {
  return {name, member, nullptr};
}
constexpr Constant seconds(const char* name, Seconds Calibration::*member) {
  return {name, nullptr, member};
}

constexpr Constant kConstants[] = {
#define TRAINTALLY_NUMBER(name) number(#name, &Calibration::name)
#define TRAINTALLY_SECONDS(name) seconds(#name, &Calibration::name)
    TRAINTALLY_NUMBER(matmul_efficiency),     TRAINTALLY_NUMBER(fp8_efficiency),
    TRAINTALLY_NUMBER(matmul_half_depth),     TRAINTALLY_NUMBER(matmul_half_area),
    TRAINTALLY_NUMBER(attention_efficiency),  TRAINTALLY_NUMBER(ported_attention),
    TRAINTALLY_NUMBER(attention_backward),    TRAINTALLY_NUMBER(attention_half_sequence),
    TRAINTALLY_NUMBER(bandwidth_efficiency),  TRAINTALLY_NUMBER(link_efficiency),
    TRAINTALLY_NUMBER(pcie_efficiency),       TRAINTALLY_NUMBER(host_bounce),
    TRAINTALLY_NUMBER(internode_efficiency),  TRAINTALLY_NUMBER(without_rdma),
    TRAINTALLY_SECONDS(link_latency),         TRAINTALLY_SECONDS(internode_latency),
    TRAINTALLY_NUMBER(elementwise_hidden),    TRAINTALLY_NUMBER(elementwise_mlp),
    TRAINTALLY_NUMBER(elementwise_backward),  TRAINTALLY_NUMBER(compiled_elementwise),
    TRAINTALLY_NUMBER(compiled_launch),       TRAINTALLY_NUMBER(plain_score_traffic),
    TRAINTALLY_NUMBER(loss_traffic),          TRAINTALLY_NUMBER(fused_loss_traffic),
    TRAINTALLY_SECONDS(launch_floor),         TRAINTALLY_SECONDS(launch_added),
    TRAINTALLY_SECONDS(launch_tensor),        TRAINTALLY_NUMBER(launch_backward),
    TRAINTALLY_SECONDS(launch_step),          TRAINTALLY_NUMBER(overlap),
    TRAINTALLY_NUMBER(tensor_overlap),        TRAINTALLY_NUMBER(optimizer_traffic),
    TRAINTALLY_NUMBER(host_update_bandwidth), TRAINTALLY_NUMBER(pipeline_slack),
    TRAINTALLY_NUMBER(product_scale),         TRAINTALLY_NUMBER(attention_scale),
    TRAINTALLY_NUMBER(misaligned_attention),  TRAINTALLY_NUMBER(narrow_elementwise),
    TRAINTALLY_NUMBER(launch_mixture),        TRAINTALLY_NUMBER(expert_overlap),
    TRAINTALLY_NUMBER(moe_imbalance),         TRAINTALLY_NUMBER(dequantize_traffic),
    TRAINTALLY_NUMBER(adapter_traffic),       TRAINTALLY_NUMBER(reserve_factor),
    TRAINTALLY_NUMBER(context_factor),
#undef TRAINTALLY_NUMBER
#undef TRAINTALLY_SECONDS
};

using Constants = std::vector<NamedNumber>;

void apply(Calibration& calibration, const Constants& constants) {
  for (const auto& [name, value] : constants) set_constant(calibration, name, value);
}

const Constants* find_level(const std::vector<CalibrationLevel>& levels, std::string_view id) {
  for (const CalibrationLevel& level : levels) {
    if (level.id == id) return &level.constants;
  }
  return nullptr;
}

/// Whether rows decided what a GPU or stack has of its own.
bool measured(const CalibrationTable& table, std::string_view id) {
  const auto& names = table.unmeasured;
  return std::find(names.begin(), names.end(), id) == names.end();
}

}  // namespace

double* find_constant(Calibration& calibration, std::string_view name) {
  for (const Constant& constant : kConstants) {
    if (name != constant.name) continue;
    return constant.number != nullptr ? &(calibration.*constant.number)
                                      : &(calibration.*constant.seconds).value;
  }
  return nullptr;
}

bool set_constant(Calibration& calibration, std::string_view name, double value) {
  double* constant = find_constant(calibration, name);
  if (constant == nullptr) return false;
  *constant = value;
  return true;
}

Calibration resolve_calibration(const Catalog& catalog, const GpuEntry& gpu,
                                const StackEntry& stack, Basis& basis) {
  const CalibrationTable& table = catalog.calibration;
  Calibration calibration;
  apply(calibration, table.defaults);
  basis.gpu_measured = false;
  basis.stack_measured = false;
  basis.gpu_from = {};
  basis.stack_from = {};
  if (const Constants* constants = find_level(table.architectures, gpu.architecture)) {
    apply(calibration, *constants);
    basis.gpu_from = gpu.architecture;
  }
  if (const Constants* constants = find_level(table.gpus, gpu.id)) {
    apply(calibration, *constants);
    basis.gpu_from = gpu.id;
    basis.gpu_measured = measured(table, gpu.id);
  }
  if (const Constants* constants = find_level(table.families, stack.family)) {
    apply(calibration, *constants);
    basis.stack_from = stack.family;
  }
  if (const Constants* constants = find_level(table.stacks, stack.id)) {
    apply(calibration, *constants);
    basis.stack_from = stack.id;
    basis.stack_measured = measured(table, stack.id);
  }
  return calibration;
}

}  // namespace traintally
