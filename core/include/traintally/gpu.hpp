#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <traintally/units.hpp>

namespace traintally {

/// Arithmetic that the matrix products run in.
enum class MatmulKind : std::uint8_t { fp32, tf32, fp16, bf16, fp8, fp4 };
inline constexpr int kMatmulKinds = 6;

/// The figures of an accelerator that the maths reads. Rates are peaks: dense, fp32 accumulation;
/// links one way, per GPU. A rate of 0 means that the unit lacks it.
struct Gpu {
  Bytes usable_memory;  ///< what the driver gives
  BytesPerSecond memory_bandwidth;
  FlopsPerSecond peak[kMatmulKinds]{};
  BytesPerSecond link;           ///< scale-up link (NVLink and such), 0: none
  std::int64_t link_domain = 1;  ///< GPUs that the scale-up link joins
  BytesPerSecond pcie;           ///< host link, x16
  bool peer_to_peer = true;      ///< over PCIe; GeForce goes through host memory
  BytesPerSecond internode;      ///< usual network share per GPU
  std::int64_t per_node = 8;
  Watts power;
  double power_limit_share = 1;  ///< of the usual board power, where the visitor caps it

  constexpr FlopsPerSecond rate(MatmulKind kind) const { return peak[static_cast<int>(kind)]; }
};

enum class Confidence : std::uint8_t { low, medium, high };

/// A catalogue entry.
struct GpuEntry {
  std::string_view id;
  std::string_view name;
  std::string_view vendor;
  std::string_view architecture;
  std::vector<std::string_view> aliases;
  double memory_gb = 0;      ///< nominal, of one device
  std::int64_t devices = 1;  ///< that a framework sees for one package as sold
  Gpu gpu;                   ///< of one device
  Confidence confidence = Confidence::medium;
  bool verified = true;  ///< false: listed by a provider, known to no vendor list
  bool listed_by_provider = false;
  bool usable_known = false;  ///< false: usable memory follows the catalogue's rule
};

}  // namespace traintally
