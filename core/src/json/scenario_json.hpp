#pragma once

#include <traintally/scenario.hpp>

#include "document.hpp"
#include "writer.hpp"

namespace traintally {

/// Reads a scenario (core/schema/scenario.schema.json). Whatever is wrong is a problem at its
/// field; the other fields are read all the same.
Scenario read_scenario(const Json& document, Problems& problems);

/// The scenario's own catalogue entries, null where it has none.
const Json* catalog_extension(const Json& document);

/// Writes what a scenario has; a resolved one is complete, and answered alike when given again.
/// @param extension the scenario's own catalogue entries, repeated as they were given
void write_scenario(JsonWriter& writer, const Scenario& scenario, const Json* extension);

}  // namespace traintally
