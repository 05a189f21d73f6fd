#include <cmath>

#include <doctest/doctest.h>

#include <traintally/run.hpp>

#include "job_builder.hpp"

namespace traintally {
namespace {

using namespace testing;

Run run_of(const Reliability& reliability, std::int64_t gpus = 1000, double steps = 1e5) {
  return estimate_run(steps, {10}, gpus, {1e12}, reliability);
}

}  // namespace

TEST_SUITE("run") {
  // Nothing fails: steps times their time, and the start-up once.
  TEST_CASE("without failures") {
    const Run run = run_of({});
    CHECK(run.training.value == 1e6);
    CHECK(run.wall.value == 1e6 + 300);
    CHECK(run.goodput == 1);
    CHECK(run.mean_time_between_failures.value == 0);
  }

  // The job's MTBF is one GPU's over the number of GPUs. Llama 3 (arXiv 2407.21783, section 3.3.4)
  // had 419 unexpected interruptions in 54 days on 16,384 GPUs: one in 3.1 hours.
  TEST_CASE("mean time between failures") {
    Reliability r;
    r.failures_per_gpu_day = 419.0 / 54 / 16384;
    const Run run = run_of(r, 16384);
    CHECK(run.mean_time_between_failures.value / 3600 == rounded(3.09, 0.002));
    CHECK(run.goodput > 0.9);  // the paper: more than 90% effective training time
    CHECK(run_of(r, 2 * 16384).mean_time_between_failures.value ==
          exactly(run.mean_time_between_failures.value / 2));
  }

  // Daly 2006, figures 3 to 5: writing takes 5 minutes, and failures come every 24 h, 6 h or 15
  // min.
  TEST_CASE("the best interval, as published") {
    struct Published {
      double between_min;
      double interval_min;
    };
    for (const Published& each : {Published{1440, 117}, {360, 57}, {15, 9.1}}) {
      Reliability r;
      r.failures_per_gpu_day = 1440 / each.between_min;
      r.storage_write = {1e12 / 300};
      r.asynchronous = false;
      const Run run = run_of(r, 1);
      CHECK(run.checkpoint_time.value == exactly(300));
      CHECK(run.checkpoint_interval.value / 60 == rounded(each.interval_min, 0.006));
    }
  }

  // Writing takes longer than what it saves from: Daly puts the interval at the time between
  // failures.
  TEST_CASE("failures before a checkpoint is written") {
    Reliability r;
    r.failures_per_gpu_day = 1440;  // one a minute
    r.storage_write = {1e12 / 300};
    r.asynchronous = false;
    const Run run = run_of(r, 1);
    CHECK(run.checkpoint_interval.value == exactly(60));
    CHECK(run.goodput > 0);
    CHECK(run.goodput < 1e-6);
    r.failures_per_gpu_day = 1e6;
    CHECK(std::isfinite(run_of(r, 1'000'000).wall.value));
  }

  // No other interval does better.
  TEST_CASE("the best interval is the best") {
    Reliability r;
    r.failures_per_gpu_day = 0.001;
    r.storage_write = {10e9};
    r.asynchronous = false;
    const Run best = run_of(r);
    for (const double factor : {0.25, 0.5, 0.8, 1.25, 2.0, 4.0}) {
      r.checkpoint_interval = best.checkpoint_interval * factor;
      CHECK(run_of(r).wall > best.wall);
    }
  }

  // Daly 2006: M e^(R/M) (e^((interval + writing)/M) - 1) / interval seconds for one of progress.
  TEST_CASE("goodput by hand") {
    Reliability r;
    r.failures_per_gpu_day = 0.001;  // of 1,000 GPUs: one failure a day
    r.storage_write = {10e9};
    r.checkpoint_interval = {3600};
    r.restart = {600};
    r.asynchronous = false;
    const double day = 86400;
    const double wall = day * std::exp(600 / day) * std::expm1(3700 / day) / 3600;
    CHECK(run_of(r).goodput == exactly(1 / wall));
    CHECK(run_of(r).wall.value == exactly(1e6 * wall + 300));
    // Where failures are rare: the writing, and for each failure half an interval and the restart.
    CHECK(wall == rounded(1 + 100.0 / 3600 + (1850 + 600) / day, 0.002));
    // Beside the training, the writing holds nothing up, but a failure goes back further by it.
    r.asynchronous = true;
    CHECK(run_of(r).goodput ==
          exactly(3600 / (day * std::exp(700 / day) * std::expm1(3600 / day))));
  }

  // More GPUs, more failures or slower restarts never help.
  TEST_CASE("monotone") {
    Reliability r;
    r.storage_write = {10e9};
    double before = 1;
    for (const double rate : {1e-5, 1e-4, 1e-3, 1e-2}) {
      r.failures_per_gpu_day = rate;
      const Run run = run_of(r);
      CHECK(run.goodput < before);
      CHECK(run.goodput > 0);
      CHECK(run_of(r, 2000).goodput < run.goodput);
      Reliability slow = r;
      slow.restart = {1200};
      CHECK(run_of(slow).goodput < run.goodput);
      before = run.goodput;
    }
  }

  // No steps take no time but the start-up.
  TEST_CASE("an empty run") {
    Reliability r;
    r.failures_per_gpu_day = 0.001;
    CHECK(run_of(r, 1000, 0).training.value == 0);
    CHECK(run_of(r, 1000, 0).wall.value == 300);
  }
}

}  // namespace traintally
