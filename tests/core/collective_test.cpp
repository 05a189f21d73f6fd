#include <doctest/doctest.h>

#include "collective.hpp"
#include "job_builder.hpp"

namespace traintally {
namespace {

using namespace testing;

constexpr Bytes kGigabyte{1e9};
constexpr double kLink = 300e9;    // of the A100's NVLink, one way
constexpr double kNetwork = 25e9;  // of its network adapter
constexpr double kBus = 31.5e9;    // of PCIe

Job cluster(std::int64_t gpus) {
  Layout layout;
  layout.dp = gpus;
  return make_job(llama_3_1_8b(), layout);
}

}  // namespace

TEST_SUITE("collectives") {
  // A ring moves (n-1)/n of the data in a gather, twice that in an all-reduce.
  TEST_CASE("ring volumes") {
    const Job job = cluster(8);
    for (const std::int64_t n : {2, 4, 8}) {
      const Path path = group_path(job, n, 1);
      const double share = real(n - 1) / real(n);
      CHECK(gather_time(path, kGigabyte).value == exactly(share * 1e9 / kLink));
      CHECK(all_reduce_time(path, kGigabyte).value == exactly(2 * share * 1e9 / kLink));
      CHECK(all_to_all_time(path, kGigabyte).value == exactly(share * 1e9 / kLink));
      CHECK(ring_exchange_time(path, kGigabyte).value == exactly(real(n - 1) * 1e9 / kLink));
    }
  }

  // One rank has nobody to talk to; nothing to move takes no time.
  TEST_CASE("nothing to do") {
    Job job = cluster(8);
    job.calibration.link_latency = {1e-5};
    const Path alone = group_path(job, 1, 1);
    CHECK(gather_time(alone, kGigabyte).value == 0);
    CHECK(all_reduce_time(alone, kGigabyte).value == 0);
    CHECK(all_to_all_time(alone, kGigabyte).value == 0);
    CHECK(ring_exchange_time(alone, kGigabyte).value == 0);
    CHECK(gather_time(group_path(job, 8, 1), {0}).value == 0);
  }

  // Each of a ring's n-1 steps has its latency; an all-reduce goes round twice.
  TEST_CASE("latency") {
    Job job = cluster(8);
    job.calibration.link_latency = {1e-5};
    CHECK(gather_time(group_path(job, 8, 1), {1e-6}).value == rounded(7e-5, 1e-9));
    CHECK(all_reduce_time(group_path(job, 8, 1), {1e-6}).value == rounded(14e-5, 1e-9));
    CHECK(all_to_all_time(group_path(job, 8, 1), {1e-6}).value == rounded(7e-5, 1e-9));
    CHECK(ring_exchange_time(group_path(job, 8, 1), {1e-6}).value == rounded(7e-5, 1e-9));
    CHECK(transfer_time(job, 1, {1e-6}).value == rounded(1e-5, 1e-9));
  }

  // Ranks of one node use its link, whatever their stride.
  TEST_CASE("inside a node") {
    const Job job = cluster(64);
    CHECK(group_path(job, 4, 1).ring.value == kLink);
    CHECK(group_path(job, 2, 4).ring.value == kLink);
    CHECK(group_path(job, 4, 1).local_ranks == 4);
  }

  // Across nodes one rank a node has one adapter, eight have eight, up to the link's rate.
  TEST_CASE("across nodes") {
    const Job job = cluster(64);
    CHECK(group_path(job, 8, 8).ring.value == kNetwork);
    CHECK(group_path(job, 16, 4).ring.value == 2 * kNetwork);
    CHECK(group_path(job, 64, 1).ring.value == 8 * kNetwork);
    Job fast = job;
    fast.cluster.internode = {100e9};
    CHECK(group_path(fast, 64, 1).ring.value == kLink);
  }

  // Without RDMA the hosts copy what the network carries.
  TEST_CASE("without RDMA") {
    Job job = cluster(64);
    job.cluster.rdma = false;
    job.calibration.without_rdma = 0.4;
    CHECK(group_path(job, 8, 8).ring.value == exactly(0.4 * kNetwork));
    CHECK(transfer_time(job, 8, kGigabyte).value == exactly(1e9 / (0.4 * kNetwork)));
    CHECK(transfer_time(job, 1, kGigabyte).value == exactly(1e9 / kLink));
  }

  // Hierarchical latency: the steps between nodes and those inside one.
  TEST_CASE("latency across nodes") {
    Job job = cluster(64);
    job.calibration.link_latency = {1e-6};
    job.calibration.internode_latency = {1e-5};
    CHECK(group_path(job, 64, 1).latency.value == exactly(7 * 1e-5 + 7 * 1e-6));
    CHECK(group_path(job, 8, 8).latency.value == exactly(7 * 1e-5));
  }

  // All-to-all leaves the node over each rank's own adapter, (n-k)/n of what the rank holds.
  TEST_CASE("all-to-all across nodes") {
    const Job job = cluster(64);
    CHECK(all_to_all_time(group_path(job, 64, 1), kGigabyte).value ==
          exactly(56.0 / 64 * 1e9 / kNetwork));
    CHECK(all_to_all_time(group_path(job, 16, 1), kGigabyte).value ==
          exactly(8.0 / 16 * 1e9 / kNetwork));
    // What crosses once for all that want it is given; inside, 7/8 of all is spread.
    CHECK(all_to_all_time(group_path(job, 64, 1), kGigabyte, kGigabyte * 0.5).value ==
          exactly(0.5 * 1e9 / kNetwork));
    CHECK(all_to_all_time(group_path(job, 64, 1), kGigabyte, {1}).value ==
          exactly(7.0 / 8 * 1e9 / kLink));
    // With a network faster than the link, what stays in the node decides.
    Job fast = job;
    fast.cluster.internode = {1e15};
    CHECK(all_to_all_time(group_path(fast, 16, 1), kGigabyte).value ==
          exactly(7.0 / 16 * 1e9 / kLink));
  }

  // A ring of neighbours waits for the one hop that leaves the node.
  TEST_CASE("ring exchange across nodes") {
    const Job job = cluster(64);
    CHECK(ring_exchange_time(group_path(job, 16, 1), kGigabyte).value ==
          exactly(15 * 1e9 / kNetwork));
  }

  // A rack of 72 joined by NVLink is one domain, though its servers have four GPUs.
  TEST_CASE("scale-up domains wider than a node") {
    Job job = cluster(144);
    job.cluster.gpu.link = {900e9};
    job.cluster.gpu.link_domain = 72;
    job.cluster.per_node = 4;
    CHECK(group_path(job, 72, 1).ring.value == 900e9);
    CHECK(group_path(job, 8, 8).ring.value == 900e9);
    CHECK(group_path(job, 144, 1).local_ranks == 72);
    CHECK(transfer_time(job, 36, kGigabyte).value == exactly(1e9 / 900e9));
    CHECK(transfer_time(job, 72, kGigabyte).value == exactly(1e9 / kNetwork));
  }

  // Bridged pairs: two GPUs have the link, more go over PCIe.
  TEST_CASE("scale-up domains narrower than a node") {
    Job job = cluster(8);
    job.cluster.gpu.link_domain = 2;
    CHECK(group_path(job, 2, 1).ring.value == kLink);
    CHECK(group_path(job, 4, 1).ring.value == kBus);
    CHECK(transfer_time(job, 1, kGigabyte).value == exactly(1e9 / kLink));
    CHECK(transfer_time(job, 2, kGigabyte).value == exactly(1e9 / kBus));
  }

  // Without peer-to-peer, GeForce's traffic goes up to host memory and down again.
  TEST_CASE("no peer-to-peer") {
    Job job = cluster(8);
    job.cluster.gpu.link = {0};
    CHECK(group_path(job, 8, 1).ring.value == kBus);
    job.cluster.gpu.peer_to_peer = false;
    CHECK(group_path(job, 8, 1).ring.value == kBus / 2);
  }

  // Efficiencies multiply nominal rates, each its own.
  TEST_CASE("efficiencies") {
    Job job = cluster(64);
    job.calibration.link_efficiency = 0.5;
    job.calibration.internode_efficiency = 0.25;
    CHECK(group_path(job, 8, 1).ring.value == kLink / 2);
    CHECK(group_path(job, 8, 8).ring.value == kNetwork / 4);
    job.cluster.gpu.link = {0};
    job.calibration.pcie_efficiency = 0.75;
    CHECK(group_path(job, 8, 1).ring.value == 0.75 * kBus);
  }

  // Point to point: the link inside a node, one adapter between nodes.
  TEST_CASE("point to point") {
    const Job job = cluster(64);
    CHECK(transfer_time(job, 4, kGigabyte).value == exactly(1e9 / kLink));
    CHECK(transfer_time(job, 8, kGigabyte).value == exactly(1e9 / kNetwork));
  }
}

}  // namespace traintally
