// The one way in: commands, documents, catalogues.

#include <utility>

#include <doctest/doctest.h>

#include "answers.hpp"

namespace traintally::testing {
namespace {

TEST_CASE("the built-in catalogue is sound") { CHECK(session().catalog_problems() == "[]"); }

TEST_CASE("an unknown command is answered with a problem") {
  for (const char* command : {"", "Estimate", "fit\n", "estimate "}) {
    const Json refused = parsed(session().evaluate(command, "{}"));
    CHECK(refused["version"] == 1);
    REQUIRE(refused["problems"].size() == 1);
    CHECK(refused["problems"][0]["code"] == "unknown_command");
    CHECK(refused["problems"][0]["at"] == "");
  }
}

TEST_CASE("answers are the same each time and after a move") {
  const std::string scenario = R"({"model":"llama-3.1-8b","explain":true})";
  Session first({catalog_text, catalog_text_size});
  const std::string before = first.evaluate("estimate", scenario);
  CHECK(first.evaluate("estimate", scenario) == before);
  Session second = std::move(first);
  CHECK(second.evaluate("estimate", scenario) == before);
}

TEST_CASE("a session without a sound catalogue says so and still answers") {
  const Session empty("{}");
  CHECK(empty.catalog_problems() == "[]");
  const Json report = parsed(empty.evaluate("estimate", R"({"model":"llama-3.1-8b"})"));
  CHECK(report["problems"][0]["code"] == "unknown_gpu");
  CHECK(report["problems"].size() == 4);  // GPU, model, stack, optimizer

  const Session broken("{\"gpus\":");
  CHECK(parsed(broken.catalog_problems())[0]["code"] == "malformed_json");
  const Session wrong(R"({"gpus":[{"id":"x"}],"stacks":[{"id":"s","habits":{"contxt":1}}],
                          "calibration":{"defaults":{"matmul_eficiency":1}}})");
  std::set<std::string> found;
  for (const Json& problem : parsed(wrong.catalog_problems())) {
    found.insert(problem["at"].get<std::string>() + " " + problem["code"].get<std::string>());
  }
  CHECK(found.count("/stacks/0/habits/contxt unknown_field") == 1);
  CHECK(found.count("/calibration/defaults/matmul_eficiency unknown_constant") == 1);
  CHECK(found.count("/gpus/0/name missing") == 1);
}

TEST_CASE("a calibration is merged over the catalogue's") {
  const std::string scenario =
      R"({"model":"llama-3.1-8b","training":{"kind":"full","stack":"megatron"},
          "cluster":{"gpu":"h100-sxm-80gb","count":8},"layout":{"tp":8}})";
  const auto step = [&](const char* calibration) {
    const Session fitted({catalog_text, catalog_text_size}, calibration);
    CHECK(fitted.catalog_problems() == "[]");
    return parsed(fitted.evaluate("estimate", scenario))["time"]["parts"][0]["seconds"]
        .get<double>();
  };
  const double built_in = step(R"({"calibration":{}})");
  const double slow = step(R"({"calibration":{"gpus":{"h100-sxm-80gb":{"matmul_efficiency":0.1,
      "fitted_on":"nothing"}}}})");
  CHECK(slow > 3 * built_in);
  CHECK(step(R"({"calibration":{"gpus":{"a100-sxm-80gb":{"matmul_efficiency":0.1}}}})") ==
        built_in);

  const Session wrong({catalog_text, catalog_text_size}, R"({"calibration":{"gpus":3}})");
  CHECK(parsed(wrong.catalog_problems())[0]["at"] == "/calibration/gpus");
}

TEST_CASE("the scenario's own entries stand beside the catalogue's, for that answer alone") {
  const std::string own = R"({"model":"mine","cluster":{"gpu":"rtx-4090"},
      "price":{"offer":"my-offer"},
      "catalog":{"models":[{"id":"mine","name":"Mine","layers":4,"hidden":512,"heads":8,
          "ffn_hidden":2048,"vocab":32000}],
        "offers":[{"id":"my-offer","provider":"Me","name":{"en":"x","zh":"x"},"gpu":"rtx-4090",
          "count":1,"per":"plan",
          "prices":[{"mode":"on_demand","per":"hour","value":"7.00","currency":"CNY"}],
          "date":"2026-11-01","source":"me","confidence":"high"}]}})";
  const Json report = sound_answer(own);
  CHECK(report["resolved"]["catalog"]["models"][0]["id"] == "mine");
  CHECK(report["resolved"]["price"]["offer"] == "my-offer");
  CHECK(report["cost"]["by_billing"][0]["gpu_hour"]["value"] == "7.00");
  CHECK(sound_answer(report["resolved"].dump()) == report);
  CHECK(problems_of(R"({"model":"mine"})") == "/model unknown_model");
}

}  // namespace
}  // namespace traintally::testing
