// core_bench WHAT SCENARIO [SECONDS]: prints the microseconds of one.

#include <cstdio>
#include <cstdlib>

#include <traintally/catalog_data.hpp>

#include "bench.hpp"

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: core_bench WHAT SCENARIO [SECONDS]\n");
    return 2;
  }
  const double taken = bench(argv[1], {traintally::catalog_text, traintally::catalog_text_size},
                             argv[2], argc > 3 ? std::atof(argv[3]) : 1);
  std::printf("%.6g\n", taken);
  return taken < 0 ? 1 : 0;
}
