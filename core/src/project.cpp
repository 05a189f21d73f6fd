#include <traintally/project.hpp>

#include <algorithm>

#include "sorted.hpp"

namespace traintally {
namespace {

Decimal operator*(Decimal a, double b) { return multiply(a, b, kMoneyScale); }

std::int64_t whole_units(std::int64_t gpus, std::int64_t unit) {
  return (gpus + unit - 1) / unit * unit;
}

FleetComparison::Mix mix_of(const std::vector<ProjectPhase>& phases, const ProjectPhase& peak,
                            std::int64_t gpus, double months) {
  FleetComparison::Mix mix;
  mix.gpus = gpus;
  mix.reserved = *peak.gpu_month * (static_cast<double>(gpus) * months);
  for (const ProjectPhase& phase : phases) {
    const std::int64_t rest =
        whole_units(std::max<std::int64_t>(0, phase.gpus - gpus), phase.unit_gpus);
    mix.on_demand = mix.on_demand + phase.gpu_hour * (static_cast<double>(rest) * phase.hours);
  }
  mix.total = mix.reserved + mix.on_demand;
  return mix;
}

}  // namespace

FleetComparison compare_fleets(const std::vector<ProjectPhase>& phases, double hours_per_month) {
  FleetComparison r;
  const ProjectPhase* peak = &phases.front();
  double used = 0;
  for (const ProjectPhase& phase : phases) {
    r.elastic = r.elastic + phase.cost;
    r.hours += phase.hours;
    used += phase.hours * static_cast<double>(phase.gpus);
    if (phase.gpus > peak->gpus) peak = &phase;
  }
  r.peak_gpus = whole_units(peak->gpus, peak->unit_gpus);
  const double gpus = static_cast<double>(r.peak_gpus);
  if (r.hours > 0) r.utilization = used / (r.hours * gpus);
  r.fixed = peak->gpu_hour * (r.hours * gpus);
  // What billing rounds the peak's own phase up to is paid on the fixed cluster too.
  const Decimal exactly = peak->gpu_hour * (peak->hours * gpus);
  if (exactly < peak->cost) r.fixed = r.fixed + (peak->cost - exactly);
  if (!peak->gpu_month) return r;

  const double exact = r.hours / hours_per_month;
  auto months = static_cast<double>(static_cast<std::int64_t>(std::min(exact, 1e15)));
  if (months < exact) ++months;
  const Decimal by_month = *peak->gpu_month * (gpus * months);
  if (peak->gpu_hour.is_zero() || by_month < r.fixed) {
    r.fixed = by_month;
    r.fixed_by_month = true;
  }
  // Without a price on demand the rest can't be rented so, and other GPUs are no substitute.
  for (const ProjectPhase& phase : phases) {
    if (phase.gpu_hour.is_zero() || phase.gpu != peak->gpu) return r;
  }
  std::vector<std::int64_t> sizes{0};
  for (const ProjectPhase& phase : phases) {
    const std::int64_t up = whole_units(phase.gpus, peak->unit_gpus);
    sizes.push_back(up);
    if (up > phase.gpus) sizes.push_back(up - peak->unit_gpus);
  }
  sort_few(sizes);
  for (const std::int64_t size : sizes) {
    const FleetComparison::Mix mix = mix_of(phases, *peak, size, months);
    if (!r.mix || mix.total < r.mix->total) r.mix = mix;
  }
  return r;
}

double transfer_days(double terabytes, double mbit_s) {
  constexpr double kBitsPerTerabyte = 8e12;
  constexpr double kBitsPerMbit = 1e6;
  constexpr double kSecondsPerDay = 86400;
  return terabytes * kBitsPerTerabyte / (mbit_s * kBitsPerMbit * kSecondsPerDay);
}

ProjectBudget project_budget(Decimal run, const ProjectFactors& factors,
                             const ProjectExtras& extras) {
  constexpr double kGigabytes = 1000;  // in a terabyte
  ProjectBudget b;
  b.run = run;
  b.trial_runs = run * factors.trial_runs;
  b.failed_runs = run * factors.failed_runs;
  b.evaluation = run * factors.evaluation;
  b.data_preparation = extras.data_preparation;
  b.transfer = extras.transfer_per_gb * ((extras.upload_tb + extras.download_tb) * kGigabytes);
  b.storage = extras.storage_per_tb_month * (extras.storage_tb * extras.storage_months);
  const Decimal sum = b.run + b.trial_runs + b.failed_runs + b.evaluation + b.data_preparation +
                      b.transfer + b.storage;
  b.contingency = sum * factors.contingency;
  b.total = sum + b.contingency;
  if (extras.line_mbit_s > 0) {
    if (extras.upload_tb > 0) b.upload_days = transfer_days(extras.upload_tb, extras.line_mbit_s);
    if (extras.download_tb > 0) {
      b.download_days = transfer_days(extras.download_tb, extras.line_mbit_s);
    }
  }
  return b;
}

}  // namespace traintally
