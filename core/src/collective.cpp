#include "collective.hpp"

namespace traintally {
namespace {

constexpr double real(std::int64_t n) { return static_cast<double>(n); }

/// GPUs that reach each other without the network: a node, or a scale-up domain of several.
std::int64_t domain_gpus(const Job& job) {
  const Gpu& gpu = job.cluster.gpu;
  const bool racks = gpu.link.value > 0 && gpu.link_domain > job.cluster.per_node;
  return racks ? gpu.link_domain : job.cluster.per_node;
}

/// Rate inside a domain over `span` neighbouring GPUs.
BytesPerSecond local_rate(const Job& job, std::int64_t span) {
  const Gpu& gpu = job.cluster.gpu;
  const Calibration& c = job.calibration;
  if (gpu.link.value > 0 && span <= gpu.link_domain) return gpu.link * c.link_efficiency;
  const BytesPerSecond bus = gpu.pcie * c.pcie_efficiency;
  return gpu.peer_to_peer ? bus : bus * c.host_bounce;
}

BytesPerSecond network_rate(const Job& job) {
  const double direct = job.cluster.rdma ? 1 : job.calibration.without_rdma;
  return job.cluster.internode * (job.calibration.internode_efficiency * direct);
}

}  // namespace

Path group_path(const Job& job, std::int64_t ranks, std::int64_t stride) {
  Path path;
  path.ranks = ranks;
  if (ranks <= 1) return path;
  const Calibration& c = job.calibration;
  const std::int64_t domain = domain_gpus(job);
  const std::int64_t span = ranks * stride;
  if (span <= domain || job.cluster.count <= domain) {
    path.local_ranks = ranks;
    path.local = path.ring = local_rate(job, span < domain ? span : domain);
    path.latency = c.link_latency * real(ranks - 1);
    return path;
  }
  path.local_ranks = quotient(domain, stride);
  if (path.local_ranks < 1) path.local_ranks = 1;
  if (path.local_ranks > ranks) path.local_ranks = ranks;
  const std::int64_t domains = quotient(ranks + path.local_ranks - 1, path.local_ranks);
  path.local = local_rate(job, domain);
  path.network = network_rate(job);
  path.ring = path.network * real(path.local_ranks);
  if (path.local_ranks > 1) path.ring = min(path.ring, path.local);
  path.latency =
      c.internode_latency * real(domains - 1) + c.link_latency * real(path.local_ranks - 1);
  return path;
}

Seconds gather_time(const Path& path, Bytes size) {
  if (path.ranks <= 1 || size.value <= 0) return {};
  const double n = real(path.ranks);
  return size * ((n - 1) / n) / path.ring + path.latency;
}

Seconds all_reduce_time(const Path& path, Bytes size) { return 2 * gather_time(path, size); }

Seconds all_to_all_time(const Path& path, Bytes size, Bytes sent) {
  if (path.ranks <= 1) return {};
  const double n = real(path.ranks);
  const double local = real(path.local_ranks);
  const bool once = sent.value > 0;
  const Seconds inside = size * ((local - 1) / (once ? local : n)) / path.local;
  if (path.local_ranks >= path.ranks) return inside + path.latency;
  const Seconds beyond = (once ? sent : size * ((n - local) / n)) / path.network;
  return max(local > 1 ? inside : Seconds{}, beyond) + path.latency;
}

Seconds ring_exchange_time(const Path& path, Bytes size) {
  if (path.ranks <= 1) return {};
  const bool leaves = path.local_ranks < path.ranks;
  return size * real(path.ranks - 1) / (leaves ? path.network : path.local) + path.latency;
}

Seconds transfer_time(const Job& job, std::int64_t stride, Bytes size) {
  const Calibration& c = job.calibration;
  const std::int64_t domain = domain_gpus(job);
  if (stride >= domain && job.cluster.count > domain) {
    return size / network_rate(job) + c.internode_latency;
  }
  return size / local_rate(job, 2 * stride < domain ? 2 * stride : domain) + c.link_latency;
}

}  // namespace traintally
