#pragma once

#include <string>

#include <traintally/fit.hpp>

namespace traintally {

/// Writes the answer to the "fit" command (core/schema/fit-answer.schema.json).
std::string write_fit(const FitAnswer& answer);

}  // namespace traintally
