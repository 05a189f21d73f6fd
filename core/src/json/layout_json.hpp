#pragma once

#include <traintally/candidate.hpp>

#include "writer.hpp"

namespace traintally {

/// Writes "layout", "micro_batch", "global_batch" and "recompute", as a scenario has them.
void write_candidate(JsonWriter& writer, const Candidate& candidate);

/// Writes the names of rules as a list.
void write_rules(JsonWriter& writer, const char* name, Rules rules);

}  // namespace traintally
