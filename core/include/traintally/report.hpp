#pragma once

#include <string>
#include <utility>
#include <vector>

#include <traintally/cost.hpp>
#include <traintally/flops.hpp>
#include <traintally/memory.hpp>
#include <traintally/published.hpp>
#include <traintally/resolve.hpp>
#include <traintally/run.hpp>
#include <traintally/time.hpp>

namespace traintally {

/// Advice with its figures; the page has the words for each code.
struct Warning {
  std::string code;
  std::vector<std::pair<std::string, double>> figures;
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

struct Storage {
  double dataset_bytes = 0;
  double checkpoint_bytes = 0;
  double checkpoints_bytes = 0;  ///< of all that are kept
  double weights_bytes = 0;
  double read_bytes_per_second = 0;
  double checkpoint_burst_bytes_per_second = 0;  ///< to write one within a twentieth of its interval
  double needed_bytes = 0;
  double published_tb = 0;
};

struct Energy {
  double kwh = 0;
  double kg_co2 = 0;      ///< 0 with `co2_known` false: no grid factor given
  bool co2_known = false;
  double gpu_kw = 0;
};

/// The answer to one scenario. Figures are only there where `answered`.
struct Report {
  Resolved resolved;
  bool answered = false;
  Memory memory;
  std::vector<StageMemory> stages;
  Interval<Bytes> allocated, reserved, device;
  StepFlops flops;
  StepTime step_parts;
  Interval<Seconds> step;
  Throughput throughput_value, throughput_low, throughput_high;
  Run run;
  Interval<Seconds> run_time;
  bool recalibrated = false;   ///< time follows the visitor's own measurement
  Cost cost;
  bool cost_known = false;
  Storage storage;
  Energy energy;
  bool energy_known = false;
  PublishedAnswer published;
  std::vector<Warning> warnings;
  std::vector<Absent> absent;
  std::vector<Derivation> derivations;
};

}  // namespace traintally
