#include <emscripten/bind.h>

#include "bench.hpp"

// Embind (3.1.6) knows no std::string_view.
static double bench_strings(const std::string& what, const std::string& catalog,
                            const std::string& scenario, double seconds) {
  return bench(what, catalog, scenario, seconds);
}

EMSCRIPTEN_BINDINGS(bench) { emscripten::function("bench", &bench_strings); }
