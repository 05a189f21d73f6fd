#pragma once

#include <traintally/scenario.hpp>

#include "document.hpp"
#include "writer.hpp"

namespace traintally {

/// Reads a scenario (core/schema/scenario.schema.json). Whatever is wrong is a problem at its
/// field; the other fields are read all the same.
/// @param also a field that the document may have besides a scenario's
Scenario read_scenario(const JsonValue& document, Problems& problems, const char* also = nullptr);

/// Writes a JSON Merge Patch (RFC 7386) that makes a scenario that resolves to `base` one that is
/// answered as `changed`: its training and layout, all that the search would choose in them, and
/// its model and cluster where they differ.
void write_scenario_patch(JsonWriter& writer, const Scenario& base, const Scenario& changed);

/// Writes what a scenario has; a resolved one is complete, and answered alike when given again.
/// @param extension the scenario's own catalogue entries, repeated as they were given
void write_scenario(JsonWriter& writer, const Scenario& scenario, const JsonValue* extension);

}  // namespace traintally
