#include <traintally/energy.hpp>

namespace traintally {

Energy estimate_energy(Watts board, std::int64_t gpus, Seconds time, const EnergyFactors& factors) {
  constexpr double kWattsPerKilowatt = 1000;
  constexpr double kSecondsPerHour = 3600;
  Energy energy;
  energy.gpu_kw = board.value * static_cast<double>(gpus) * factors.load / kWattsPerKilowatt;
  energy.grid_kw = energy.gpu_kw * factors.host_factor * factors.pue;
  energy.kwh = energy.grid_kw * time.value / kSecondsPerHour;
  return energy;
}

}  // namespace traintally
