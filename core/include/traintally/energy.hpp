#pragma once

#include <cstdint>

#include <traintally/units.hpp>

namespace traintally {

/// What turns the rated power of GPUs into energy from the grid.
struct EnergyFactors {
  double pue = 0;          ///< the data centre's power over its machines'; 0: not known
  double host_factor = 0;  ///< the whole server's power over its GPUs'
  double load = 0;         ///< mean board power over its limit while training
};

struct Energy {
  double kwh = 0;      ///< from the grid
  double gpu_kw = 0;   ///< mean power of the GPUs
  double grid_kw = 0;  ///< mean power from the grid
};

/// Energy of `gpus` boards of `board` power over `time`: GPU power x load x host factor x PUE.
Energy estimate_energy(Watts board, std::int64_t gpus, Seconds time, const EnergyFactors& factors);

}  // namespace traintally
