#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <traintally/money.hpp>
#include <traintally/units.hpp>

namespace traintally {

/// Part of a project on a cluster of its own size.
struct ProjectPhase {
  std::string name;
  std::string gpu;  ///< catalogue id
  double hours = 0;
  std::int64_t gpus = 0;
  Decimal cost;                      ///< of the phase alone, on as many GPUs as it needs
  Decimal gpu_hour;                  ///< on demand, for one GPU
  std::optional<Decimal> gpu_month;  ///< by the month, for one GPU
  std::int64_t unit_gpus = 1;        ///< that are rented together
};

/// Phases one after the other: rented as each needs, or the largest cluster throughout.
struct FleetComparison {
  Decimal elastic;  ///< every phase by itself
  Decimal fixed;    ///< the peak's GPUs for all hours, at the cheapest of the peak phase's prices
  std::int64_t peak_gpus = 0;
  double hours = 0;
  double utilization = 0;  ///< of the fixed cluster's GPU-hours
  bool fixed_by_month = false;
  /// k GPUs by the month throughout and the rest on demand: the best k, over all multiples of the
  /// rented unit. Empty without a monthly price, or where the phases are on different GPUs.
  struct Mix {
    std::int64_t gpus = 0;
    Decimal reserved;
    Decimal on_demand;
    Decimal total;
  };
  std::optional<Mix> mix;
};

/// Needs at least one phase. Whole months of `hours_per_month` are reserved. Cost is linear in k
/// between the sizes of the phases, so the best k is one of them, or next to it in whole units.
FleetComparison compare_fleets(const std::vector<ProjectPhase>& phases, double hours_per_month);

/// Shares of the good run's cost. Defaults and sources: core/catalog/project.json.
struct ProjectFactors {
  double trial_runs = 0;
  double failed_runs = 0;
  double evaluation = 0;
  double contingency = 0;  ///< of everything else together
};

struct ProjectExtras {
  Decimal data_preparation;
  Decimal transfer_per_gb;  ///< of what is uploaded and downloaded
  double upload_tb = 0;
  double download_tb = 0;
  double line_mbit_s = 0;  ///< 0: not known
  Decimal storage_per_tb_month;
  double storage_tb = 0;
  double storage_months = 0;
};

struct ProjectBudget {
  Decimal run;  ///< what the factors are shares of
  Decimal trial_runs;
  Decimal failed_runs;
  Decimal evaluation;
  Decimal data_preparation;
  Decimal transfer;
  Decimal storage;
  Decimal contingency;
  Decimal total;
  std::optional<double> upload_days;
  std::optional<double> download_days;
};
ProjectBudget project_budget(Decimal run, const ProjectFactors& factors,
                             const ProjectExtras& extras);

/// Days that `terabytes` (1e12 bytes) take through a line of `mbit_s` (1e6 bits a second) that is
/// full all the time. Needs mbit_s > 0.
double transfer_days(double terabytes, double mbit_s);

}  // namespace traintally
