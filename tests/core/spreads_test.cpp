// Intervals: which kind of configuration a job is, and how wide its kind's residuals are.

#include <doctest/doctest.h>

#include <traintally/catalog.hpp>

#include "answers.hpp"
#include "job_builder.hpp"

namespace traintally::testing {
namespace {

Spread spread(double low, double high, std::int64_t rows) {
  Spread result;
  result.low = low;
  result.high = high;
  result.rows = rows;
  return result;
}

SpreadTable table() {
  SpreadTable t;
  t.time.kinds = {{"all", spread(0.8, 1.2, 100)}, {"mixture", spread(0.6, 1.6, 9)}};
  t.time.measured = 1;
  t.time.borrowed_stack = 1.5;
  t.time.borrowed_gpu = 1.25;
  t.time.borrowed_both = 3;
  t.device = t.time;
  return t;
}

Spreads spreads_of(const Job& job, bool gpu, bool stack) {
  Basis basis;
  basis.gpu_measured = gpu;
  basis.stack_measured = stack;
  resolve_spreads(table(), job, StackEntry{}, basis);
  return basis.spreads;
}

TEST_CASE("a spread widens with what is borrowed; memory doesn't ask whose the card is") {
  const Job job = make_job(llama_3_1_8b());
  CHECK(spreads_of(job, true, true).time.high == exactly(1.2));
  CHECK(spreads_of(job, true, false).time.high == exactly(1.3));
  CHECK(spreads_of(job, false, true).time.low == exactly(0.75));
  CHECK(spreads_of(job, false, false).time.low == exactly(0.4));
  CHECK(spreads_of(job, false, true).device.low == exactly(0.8));
  CHECK(spreads_of(job, false, false).device.high == exactly(1.3));
}

TEST_CASE("a kind's own spread counts where it has one, never below a fifth") {
  const Job job = make_job(mixtral_8x7b());
  CHECK(spreads_of(job, true, true).time.rows == 9);
  CHECK(spreads_of(job, false, false).time.low == exactly(0.2));
  Basis basis;
  resolve_spreads(table(), job, StackEntry{}, basis);
  CHECK(basis.time_kind == "mixture");
  CHECK(basis.memory_kind == "all");
}

Json basis_of(const std::string& scenario) { return sound_answer(scenario)["basis"]; }

TEST_CASE("the report says which kind its intervals rest on, and on how much") {
  const Json lora = basis_of(R"({"model":"llama-3.1-8b"})");
  CHECK(lora["kind"] == "adapters");
  CHECK(lora["memory_kind"] == "adapters_one_gpu");
  const std::string eight = R"(,"cluster":{"gpu":"h100-sxm-80gb","count":8}})";
  const Json full =
      basis_of(R"({"model":"llama-3.1-8b","training":{"kind":"full","stack":"fsdp"})" + eight);
  CHECK(full["kind"] == "one_node");
  CHECK(full["memory_kind"] == "sharded");
  const Json nodes =
      basis_of(R"({"model":"llama-3.1-8b","training":{"kind":"full","stack":"megatron"},)"
               R"("cluster":{"gpu":"h100-sxm-80gb","count":16}})");
  CHECK(nodes["kind"] == "several_nodes");
  CHECK(nodes["memory_kind"] == "megatron");
  const Json mixture = basis_of(R"({"model":"mixtral-8x7b","training":{"kind":"lora"})" + eight);
  CHECK(mixture["kind"] == "mixture");
  CHECK(mixture["memory_kind"] == "adapters");
  for (const Json& basis : {lora, full, nodes, mixture}) {
    CHECK(basis["rows"] > 0);
    CHECK(basis["sources"] > 1);
    CHECK(basis["memory_sources"] > 0);
  }
}

TEST_CASE("what nobody measured has wider intervals") {
  const auto width = [](const char* gpu, const char* stack) {
    const Json report =
        sound_answer(R"({"model":"llama-3.1-8b","training":{"kind":"full","stack":")" +
                     std::string(stack) + R"("},"cluster":{"gpu":")" + gpu + R"(","count":8}})");
    const Json& step = report["time"]["step"];
    return (step["high"].get<double>() - step["low"].get<double>()) / step["value"].get<double>();
  };
  const double known = width("h100-sxm-80gb", "megatron");
  CHECK(width("l20", "megatron") > known);
  CHECK(width("h100-sxm-80gb", "torchtune") > known);
  CHECK(width("l20", "torchtune") > width("h100-sxm-80gb", "torchtune"));
}

}  // namespace
}  // namespace traintally::testing
