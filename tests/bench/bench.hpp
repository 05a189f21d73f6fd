#pragma once

#include <string>
#include <string_view>

/// Times one thing that the core does, over and over for about `seconds`, and takes the median of
/// twenty such runs' means.
/// @param what "estimate": the maths alone, from a scenario and a catalogue already read to a
/// report. "evaluate": JSON in, JSON out. "open": reading the catalogue.
/// @return microseconds for one; negative where the scenario has problems or `what` is unknown
double bench(std::string_view what, std::string_view catalog, std::string_view scenario,
             double seconds);
