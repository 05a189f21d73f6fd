#pragma once

#include <vector>

#include <traintally/catalog.hpp>
#include <traintally/report.hpp>
#include <traintally/scenario.hpp>

namespace traintally {

/// The whole line: resolve, then memory, time, run, cost, storage, energy, the article's answer.
Report estimate(const Scenario& scenario, const Catalog& catalog);

/// What the visitor should know or do about this report.
std::vector<Warning> advise(const Report& report);

/// The derivation of every headline figure.
std::vector<Derivation> explain(const Report& report);

}  // namespace traintally
