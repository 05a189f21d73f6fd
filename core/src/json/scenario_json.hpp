#pragma once

#include <traintally/scenario.hpp>

#include "document.hpp"
#include "writer.hpp"

namespace traintally {

/// Reads a scenario (core/schema/scenario.schema.json). Whatever is wrong is a problem at its
/// field; the other fields are read all the same.
Scenario read_scenario(const JsonValue& document, Problems& problems);

/// Writes what a scenario has; a resolved one is complete, and answered alike when given again.
/// @param extension the scenario's own catalogue entries, repeated as they were given
void write_scenario(JsonWriter& writer, const Scenario& scenario, const JsonValue* extension);

}  // namespace traintally
