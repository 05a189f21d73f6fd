#pragma once

#include <string>

#include <traintally/plan.hpp>

#include "document.hpp"

namespace traintally {

/// A plan request (core/schema/plan.schema.json): a scenario with "constraints".
struct PlanRequest {
  Scenario scenario;
  Constraints constraints;
};
PlanRequest read_plan_request(const JsonValue& document, Problems& problems);

/// Writes an answer (core/schema/plan-answer.schema.json).
std::string write_plan(const PlanAnswer& answer);

}  // namespace traintally
