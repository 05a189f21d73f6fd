#pragma once

#include <traintally/job.hpp>
#include <traintally/units.hpp>

namespace traintally {

/// The path that a group of ranks communicates over: bandwidths per rank, one way, and the latency
/// of a ring's round.
struct Path {
  BytesPerSecond ring;     ///< of rings that together use the adapters of all the group's ranks
  BytesPerSecond local;    ///< from one rank to another in its scale-up domain
  BytesPerSecond network;  ///< from one rank to another beyond it; unused where none is beyond
  Seconds latency;         ///< of all the steps of one all-gather or reduce-scatter
  std::int64_t ranks = 1;
  std::int64_t local_ranks = 1;  ///< of them, in one scale-up domain
};

/// The path of `ranks` ranks that lie `stride` GPUs apart (1: neighbours, as tensor-parallel ranks
/// are). Inside a scale-up domain they use its link, inside a node without one PCIe; beyond, the
/// ranks of a domain share its network adapters, and the slower of the two levels decides.
Path group_path(const Job& job, std::int64_t ranks, std::int64_t stride);

/// Ring all-gather or reduce-scatter of `size` bytes in all: (n-1)/n * size / rate.
Seconds gather_time(const Path& path, Bytes size);

/// Ring all-reduce: a reduce-scatter and an all-gather.
Seconds all_reduce_time(const Path& path, Bytes size);

/// All-to-all in which each rank holds `size` bytes and keeps its own share. What leaves the domain
/// goes over each rank's own network adapter, beside what stays. `sent`, where it isn't zero: what
/// leaves when a value that several ranks of a domain want crosses once and is spread inside.
Seconds all_to_all_time(const Path& path, Bytes size, Bytes sent = {});

/// Ring exchange: each rank hands `size` bytes to the next one, ranks - 1 times. One ring has one
/// adapter where it leaves the domain, and waits for it.
Seconds ring_exchange_time(const Path& path, Bytes size);

/// Point-to-point transfer between ranks `stride` apart.
Seconds transfer_time(const Job& job, std::int64_t stride, Bytes size);

}  // namespace traintally
