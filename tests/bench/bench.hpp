#pragma once

#include <string>
#include <string_view>

/// Times one thing that the core does, over and over for about `seconds`, and takes the median of
/// twenty such runs' means.
/// @param what "estimate": the maths alone, from a scenario and a catalogue already read to a
/// report. "evaluate": JSON in, JSON out. "open": reading the catalogue. "layout": memory and step
/// time of one layout by itself. "variant": likewise of one that shares its terms with others, as
/// the search evaluates it. "plan": a plan request from search to answer. "first_front": the same
/// until the front has three points. "plan_layouts", "plan_evaluated": counts of that search.
/// @return microseconds for one, or a count; negative where the scenario has problems or `what` is
/// unknown
double bench(std::string_view what, std::string_view catalog, std::string_view scenario,
             double seconds);
