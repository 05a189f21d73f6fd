#pragma once

#include <vector>

#include <traintally/catalog.hpp>
#include <traintally/report.hpp>
#include <traintally/scenario.hpp>

namespace traintally {

/// The whole line: resolve, then memory, time, run, cost, storage, energy, the article's answer.
/// @param given what was wrong already when the scenario was read; with any problem, the report has
/// no figures
Report estimate(const Scenario& scenario, const Catalog& catalog, const Problems& given = {});

/// What the visitor should know or do about this report.
std::vector<Warning> advise(const Report& report, const Catalog& catalog);

/// The derivation of every headline figure. The numbers of each step recompute to its value.
std::vector<Derivation> explain(const Report& report);

}  // namespace traintally
