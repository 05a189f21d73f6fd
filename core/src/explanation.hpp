#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include <traintally/report.hpp>

namespace traintally {

/// A number for a derivation: whole ones, and all beyond ten million, with separated thousands;
/// others to nine digits.
std::string number(double value);
inline std::string number(std::int64_t value) { return number(static_cast<double>(value)); }

/// `pattern` with the next of `values` as number() writes it in place of each '#'.
std::string filled(const char* pattern, std::initializer_list<double> values);

/// One line of a derivation; `numbers` is a pattern for `values`.
struct Line {
  const char* symbols;
  const char* numbers;
  std::initializer_list<double> values;
  double value;
  const char* unit;
  std::initializer_list<const char*> sources;
};

DerivationStep step_of(const Line& line);

/// Adds the derivation of the figure at `at`.
void derive(std::vector<Derivation>& derivations, const char* at,
            std::initializer_list<Line> lines);

/// Adds the derivations of one part of the report.
void explain_parameters(const Report& report, std::vector<Derivation>& derivations);
void explain_memory(const Report& report, std::vector<Derivation>& derivations);
void explain_time(const Report& report, std::vector<Derivation>& derivations);
void explain_cost(const Report& report, std::vector<Derivation>& derivations);

/// Papers and tables that several derivations cite.
namespace source {
inline constexpr const char* zero = "Rajbhandari et al. 2020, arXiv 1910.02054, section 3";
inline constexpr const char* activations = "Korthikanti et al. 2022, arXiv 2205.05198, section 4";
inline constexpr const char* pipeline = "Narayanan et al. 2021, arXiv 2104.04473, section 2.2";
inline constexpr const char* flops = "Narayanan et al. 2021, arXiv 2104.04473, appendix";
inline constexpr const char* roofline = "Williams et al. 2009, Roofline";
inline constexpr const char* mfu = "Chowdhery et al. 2022, arXiv 2204.02311, appendix B";
inline constexpr const char* lora = "Hu et al. 2021, arXiv 2106.09685, section 4";
inline constexpr const char* checkpoints = "Daly 2006, doi 10.1016/j.future.2004.11.016";
inline constexpr const char* stacks = "catalog/stacks.json";
inline constexpr const char* precisions = "catalog/precisions.json";
inline constexpr const char* optimizers = "catalog/optimizers.json";
inline constexpr const char* calibration = "catalog/calibration.json";
inline constexpr const char* gpus = "catalog/gpus.json";
}  // namespace source

}  // namespace traintally
