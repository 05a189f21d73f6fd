#pragma once

#include <string>

#include <traintally/report.hpp>

#include "document.hpp"
#include "writer.hpp"

namespace traintally {

/// Writes a report (core/schema/report.schema.json). A figure that is not finite is left out and
/// listed in "absent".
/// @param extension the scenario's own catalogue entries, repeated in "resolved"
std::string write_report(const Report& report, const JsonValue* extension);

/// The lists "absent" and "warnings" of an answer.
void write_absent(JsonWriter& w, const std::vector<Absent>& absent);
void write_warnings(JsonWriter& w, const std::vector<Warning>& warnings);

}  // namespace traintally
