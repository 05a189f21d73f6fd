#include <traintally/catalog.hpp>
#include <traintally/job.hpp>

namespace traintally {
namespace {

constexpr std::string_view kAll = "all";
constexpr double kLowest = 0.2;  // of a figure, however wide the spread

const FigureSpreads::Kind* find_kind(const FigureSpreads& figure, std::string_view id) {
  const FigureSpreads::Kind* all = nullptr;
  for (const FigureSpreads::Kind& kind : figure.kinds) {
    if (kind.id == id) return &kind;
    if (kind.id == kAll) all = &kind;
  }
  return all;
}

double widening(const FigureSpreads& figure, bool gpu_measured, bool stack_measured) {
  if (gpu_measured) return stack_measured ? figure.measured : figure.borrowed_stack;
  return stack_measured ? figure.borrowed_gpu : figure.borrowed_both;
}

/// @return the kind that the spread is of
std::string_view set_spread(const FigureSpreads& figure, std::string_view id, bool gpu_measured,
                            bool stack_measured, Spread& spread) {
  const FigureSpreads::Kind* kind = find_kind(figure, id);
  if (kind == nullptr) return {};
  const double wider = widening(figure, gpu_measured, stack_measured);
  spread = kind->spread;
  spread.low = 1 - (1 - spread.low) * wider;
  if (spread.low < kLowest) spread.low = kLowest;
  spread.high = 1 + (spread.high - 1) * wider;
  return kind->id;
}

}  // namespace

std::string_view time_kind(const Job& job) {
  if (job.model.is_moe()) return "mixture";
  if (job.training.adapters()) return "adapters";
  return job.cluster.count > job.cluster.per_node ? "several_nodes" : "one_node";
}

std::string_view memory_kind(const Job& job, const StackEntry& stack) {
  const bool one = job.cluster.count == 1;
  if (job.training.adapters()) return one ? "adapters_one_gpu" : "adapters";
  if (stack.has_megatron_layouts()) return "megatron";
  return one ? "full_one_gpu" : "sharded";
}

void resolve_spreads(const SpreadTable& table, const Job& job, const StackEntry& stack,
                     Basis& basis) {
  const bool known = basis.stack_measured;
  Spreads& spreads = basis.spreads;
  basis.time_kind = set_spread(table.time, time_kind(job), basis.gpu_measured, known, spreads.time);
  const std::string_view kind = memory_kind(job, stack);
  set_spread(table.allocated, kind, true, known, spreads.allocated);
  set_spread(table.reserved, kind, true, known, spreads.reserved);
  basis.memory_kind = set_spread(table.device, kind, true, known, spreads.device);
}

}  // namespace traintally
