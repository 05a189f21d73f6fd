#pragma once

#include <string>
#include <utility>
#include <vector>

#include <traintally/billing.hpp>
#include <traintally/cost.hpp>
#include <traintally/energy.hpp>
#include <traintally/flops.hpp>
#include <traintally/memory.hpp>
#include <traintally/published.hpp>
#include <traintally/resolve.hpp>
#include <traintally/run.hpp>
#include <traintally/storage.hpp>
#include <traintally/time.hpp>

namespace traintally {

/// Advice with its figures; the page has the words for each code.
struct Warning {
  std::string_view code;
  std::vector<NamedNumber> figures;  ///< names end in their unit
};

/// One line of a derivation: the formula in symbols, the same in numbers, where it comes from.
struct DerivationStep {
  std::string symbols;
  std::string numbers;
  double value = 0;
  std::string unit;
  std::vector<std::string> sources;
};
struct Derivation {
  std::string at;  ///< JSON Pointer of the figure in the report
  std::vector<DerivationStep> steps;
};

/// The answer to one scenario. Figures are only there where `answered`.
struct Report {
  Resolved resolved;
  bool answered = false;  ///< resolved without problems
  bool detailed = false;  ///< memory to energy are there: answered, and by the detailed method

  double trainable_parameters = 0;
  Memory memory;
  std::vector<StageMemory> stages;
  Interval<Bytes> allocated, reserved, device;

  StepFlops flops;
  StepTime step_parts;  ///< rescaled to `step` where recalibrated
  Interval<Seconds> step;
  Throughput throughput_value, throughput_low, throughput_high;  ///< low: the slowest step
  bool recalibrated = false;       ///< time follows the visitor's own measurement
  double recalibration_ratio = 1;  ///< measured step over the predicted one

  Run run;
  Interval<Seconds> run_time;

  bool cost_known = false;
  Tariff tariff;
  CostQuestion cost_question;
  Cost cost;
  Billing billing;
  std::optional<Money> unreliability;  ///< of the total, what the lost time costs
  std::optional<FeeSum> fees;          ///< over the run's months, in the price's currency

  Storage storage;
  double storage_capacity_bytes = 0;  ///< 0: not known
  bool energy_known = false;
  Energy energy;

  PublishedAnswer published;
  std::vector<Warning> warnings;
  std::vector<Absent> absent;
  std::vector<Derivation> derivations;
};

}  // namespace traintally
