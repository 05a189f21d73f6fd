#pragma once

#include <traintally/job.hpp>
#include <traintally/units.hpp>

namespace traintally {

/// The path that a group of ranks communicates over: its bandwidth per rank, one way, and the
/// latency of a ring's round.
struct Path {
  BytesPerSecond rate;
  Seconds latency;  ///< of all the steps of one all-gather or reduce-scatter
  std::int64_t ranks = 1;
};

/// The path of `ranks` ranks that lie `stride` GPUs apart (1: neighbours, as tensor-parallel ranks
/// are). Inside a node they use the scale-up link, or PCIe; across nodes, the ranks of a node
/// share its network adapters, and the slower of the two levels decides.
Path group_path(const Job& job, std::int64_t ranks, std::int64_t stride);

/// Ring all-gather or reduce-scatter of `size` bytes in all: (n-1)/n * size / rate.
Seconds gather_time(const Path& path, Bytes size);

/// Ring all-reduce: a reduce-scatter and an all-gather.
Seconds all_reduce_time(const Path& path, Bytes size);

/// All-to-all in which each rank holds `size` bytes and keeps its own share.
Seconds all_to_all_time(const Path& path, Bytes size);

/// Point-to-point transfer between ranks `stride` apart.
Seconds transfer_time(const Job& job, std::int64_t stride, Bytes size);

}  // namespace traintally
