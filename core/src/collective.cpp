#include "collective.hpp"

namespace traintally {
namespace {

constexpr double real(std::int64_t n) { return static_cast<double>(n); }

BytesPerSecond slower(BytesPerSecond a, BytesPerSecond b) { return min(a, b); }

/// Rate inside a node over `span` neighbouring GPUs.
BytesPerSecond local_rate(const Job& job, std::int64_t span) {
  const Gpu& gpu = job.cluster.gpu;
  const Calibration& c = job.calibration;
  if (gpu.link.value > 0 && span <= gpu.link_domain) return gpu.link * c.link_efficiency;
  const BytesPerSecond bus = gpu.pcie * c.pcie_efficiency;
  return gpu.peer_to_peer ? bus : bus * c.host_bounce;
}

}  // namespace

Path group_path(const Job& job, std::int64_t ranks, std::int64_t stride) {
  Path path;
  path.ranks = ranks;
  if (ranks <= 1) return path;
  const Calibration& c = job.calibration;
  const std::int64_t per_node = job.cluster.per_node;
  const std::int64_t span = ranks * stride;
  if (span <= per_node || job.cluster.count <= per_node) {
    path.rate = local_rate(job, span < per_node ? span : per_node);
    path.latency = c.link_latency * real(ranks - 1);
    return path;
  }
  std::int64_t local = per_node / stride;  // the group's ranks in one node
  if (local < 1) local = 1;
  if (local > ranks) local = ranks;
  const std::int64_t nodes = (ranks + local - 1) / local;
  path.rate = job.cluster.internode * (c.internode_efficiency * real(local));
  if (local > 1) path.rate = slower(path.rate, local_rate(job, per_node));
  path.latency = c.internode_latency * real(nodes - 1) + c.link_latency * real(local - 1);
  return path;
}

Seconds gather_time(const Path& path, Bytes size) {
  if (path.ranks <= 1) return {};
  const double n = real(path.ranks);
  return size * ((n - 1) / n) / path.rate + path.latency;
}

Seconds all_reduce_time(const Path& path, Bytes size) { return 2 * gather_time(path, size); }

Seconds all_to_all_time(const Path& path, Bytes size) { return gather_time(path, size); }

Seconds transfer_time(const Job& job, std::int64_t stride, Bytes size) {
  const Calibration& c = job.calibration;
  if (stride >= job.cluster.per_node && job.cluster.count > job.cluster.per_node) {
    return size / (job.cluster.internode * c.internode_efficiency) + c.internode_latency;
  }
  return size / local_rate(job,
                           2 * stride < job.cluster.per_node ? 2 * stride : job.cluster.per_node) +
         c.link_latency;
}

}  // namespace traintally
