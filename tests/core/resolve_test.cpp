// Defaults, the layout search, scaled models, replaced GPUs.

#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include <traintally/memory.hpp>
#include <traintally/resolve.hpp>
#include <traintally/time.hpp>

#include "answers.hpp"

namespace traintally::testing {
namespace {

Json resolved(const std::string& scenario) { return sound_answer(scenario)["resolved"]; }

Json training_of(const std::string& training, const std::string& rest = "") {
  return resolved(R"({"model":"llama-3.1-8b","training":{)" + training + "}" + rest +
                  "}")["training"];
}

TEST_CASE("the stack follows from what is trained and how it is spread") {
  const std::string eight = R"(,"cluster":{"gpu":"h100-sxm-80gb","count":8},"layout":)";
  CHECK(training_of(R"("kind":"lora")")["stack"] == "hf");
  CHECK(training_of(R"("kind":"qlora")")["stack"] == "hf");
  CHECK(training_of(R"("kind":"full")", eight + "{}")["stack"] == "fsdp");
  CHECK(training_of(R"("kind":"full")", eight + R"({"zero":1})")["stack"] == "deepspeed");
  CHECK(training_of(R"("kind":"full")", eight + R"({"zero":3})")["stack"] == "fsdp");
  CHECK(training_of(R"("kind":"full")", eight + R"({"tp":2})")["stack"] == "megatron");
  CHECK(training_of(R"("kind":"lora")", eight + R"({"pp":2})")["stack"] == "megatron");
}

TEST_CASE("ZeRO stage and sequence parallelism follow the stack") {
  const auto layout = [](const char* stack, const char* given, const char* model) {
    return resolved(
        R"({"model":")" + std::string(model) + R"(","training":{"kind":"full","stack":")" + stack +
        R"("},"cluster":{"gpu":"h100-sxm-80gb","count":8},"layout":)" + given + "}")["layout"];
  };
  CHECK(layout("fsdp", "{}", "llama-3.1-8b")["zero"] == 3);
  CHECK(layout("megatron", "{}", "llama-3.1-8b")["zero"] == 1);
  CHECK(layout("megatron", R"({"tp":8})", "llama-3.1-8b")["zero"] == 0);
  CHECK(layout("deepspeed", "{}", "llama-3.1-8b")["zero"] == 3);
  CHECK(layout("deepspeed", "{}", "llama-3.2-1b")["zero"] == 2);
  CHECK(layout("hf", "{}", "llama-3.2-1b")["zero"] == 0);
  CHECK(layout("megatron", R"({"tp":4})", "llama-3.1-8b")["sequence_parallel"] == true);
  CHECK(layout("fsdp", R"({"tp":4})", "llama-3.1-8b")["sequence_parallel"] == false);
  CHECK(layout("fsdp", R"({"tp":2,"pp":2})", "llama-3.1-8b")["dp"] == 2);
}

TEST_CASE("precision and attention follow the GPU") {
  const auto on = [](const char* gpu) {
    return training_of("", R"(,"cluster":{"gpu":")" + std::string(gpu) + "\"}");
  };
  CHECK(on("h100-sxm-80gb")["precision"] == "bf16-mixed");
  CHECK(on("v100-sxm2-32gb")["precision"] == "fp16-mixed");
  CHECK(on("h100-sxm-80gb")["flash_attention"] == true);
  CHECK(on("v100-sxm2-32gb")["flash_attention"] == false);
  CHECK(on("t4")["flash_attention"] == false);
}

TEST_CASE("recomputation is the stack's habit, or what large models need") {
  const auto recompute = [](const char* model, const char* rest) {
    return resolved(R"({"model":")" + std::string(model) + R"(","training":{"kind":"full")" + rest +
                    R"(},"cluster":{"gpu":"h100-sxm-80gb"},"layout":{}})")["training"]["recompute"];
  };
  CHECK(recompute("llama-3.1-8b", "") == "full");
  CHECK(recompute("llama-3.2-1b", "") == "none");
  CHECK(recompute("llama-3.2-1b", R"(,"sequence_length":4096)") == "full");
  CHECK(recompute("llama-3.1-8b", R"(,"stack":"megatron")") == "selective");
}

TEST_CASE("tokens: enough to tune, twenty per parameter to pre-train, or a data set's epochs") {
  CHECK(training_of(R"("kind":"lora")")["tokens"] == 10'000'000);
  CHECK(training_of(R"("kind":"full")")["tokens"] == 100'000'000);
  CHECK(training_of(R"("kind":"pretrain")")["tokens"] == 160605224960);
  const Json report = sound_answer(
      R"({"model":"llama-3.1-8b","training":{"tokens":{"dataset_tokens":131072,"epochs":3}}})");
  CHECK(report["time"]["steps"] == 3);
  CHECK(report["storage"]["dataset_bytes"] == 4 * 131072);
  CHECK(report["resolved"]["training"]["tokens"]["epochs"] == 3);
}

TEST_CASE("the global batch is the multiple of all micro-batches nearest to 64") {
  CHECK(default_global_batch(1, 1, 64) == 64);
  CHECK(default_global_batch(1, 24, 64) == 72);
  CHECK(default_global_batch(1, 48, 64) == 48);
  CHECK(default_global_batch(4, 64, 64) == 256);
  CHECK(default_global_batch(3, 7, 64) == 63);
  CHECK(default_global_batch(1'000'000'000, 1'000'000, 64) == 1'000'000'000'000'000);
}

TEST_CASE("bytes per parameter") {
  const PrecisionEntry mixed;  // bf16 with fp32 master copy
  const OptimizerEntry adam;
  StackHabits stack;
  stack.gradient_bytes = 4;
  Training full;
  full.kind = TrainingKind::full;
  PrecisionEntry as_stack = mixed;
  as_stack.gradient_bytes = 0;

  StateBytes bytes = state_bytes(mixed, adam, stack, full, 0);
  CHECK(bytes.total() == 16);
  CHECK(state_bytes(as_stack, adam, stack, full, 0).gradients == 4);

  stack.fp32_weights = true;  // fp32 weights are the master copy, cast on use
  bytes = state_bytes(mixed, adam, stack, full, 0);
  CHECK(bytes.weights == 4);
  CHECK(bytes.master == 0);
  CHECK(bytes.transient == 2);
  stack.fp32_weights = false;

  OptimizerEntry eight_bit = adam;
  eight_bit.moments = 0;
  eight_bit.fixed_state_bytes = 2.004;
  CHECK(state_bytes(mixed, eight_bit, stack, full, 0).moments == 2.004);

  Training lora;
  lora.kind = TrainingKind::lora;
  stack.adapter_bytes = 4;
  bytes = state_bytes(mixed, adam, stack, lora, 0);
  CHECK(bytes.frozen_weights == 2);
  CHECK(bytes.total() == 16);  // 4 + 4 + 8, and no master copy of fp32 adapters
  CHECK(bytes.master == 0);
  stack.adapter_bytes = 2;
  bytes = state_bytes(mixed, adam, stack, lora, 0);
  CHECK(bytes.weights == 2);
  CHECK(bytes.master == 4);

  lora.kind = TrainingKind::qlora;
  stack.fp32_embeddings = true;
  bytes = state_bytes(mixed, adam, stack, lora, 0.5159);
  CHECK(bytes.frozen_weights == 0.5159);
  CHECK(bytes.frozen_embeddings == 4);
  stack.fp32_embeddings = false;
  CHECK(state_bytes(mixed, adam, stack, lora, 0.5159).frozen_embeddings == 2);
}

TEST_CASE("a bare parameter count is met by a scaled architecture") {
  for (const double asked : {1e8, 7e8, 3e9, 7e9, 1.35e10, 7.1e10, 4e11, 1e12}) {
    CAPTURE(asked);
    const ModelEntry* nearest = nullptr;
    const Model model = scale_model(built_in_catalog(), asked, &nearest);
    REQUIRE(nearest != nullptr);
    CHECK(static_cast<double>(count_parameters(model).total) ==
          doctest::Approx(asked).epsilon(0.005));
    CHECK(model.hidden % nearest->model.head_dim == 0);
    CHECK(model.heads % model.kv_heads == 0);
    const double growth = static_cast<double>(model.hidden) / nearest->model.hidden;
    CHECK(static_cast<double>(model.layers) / nearest->model.layers ==
          doctest::Approx(growth).epsilon(0.35));
  }
  for (double asked = 1e6; asked < 1e14; asked *= 1.7) {  // whatever is asked is answered
    const Json report = sound_answer(R"({"model":{"params":)" + std::to_string(asked) + "}}");
    CHECK(report["parameters"]["total"].get<double>() > 0);
  }
  const ModelEntry* none = nullptr;
  scale_model(Catalog{}, 7e9, &none);
  CHECK(none == nullptr);
}

TEST_CASE("a GPU's fields can be replaced") {
  const auto with = [](const std::string& fields) {
    return sound_answer(R"({"model":"llama-3.2-1b","training":{"kind":"full"},"layout":{},
        "cluster":{"gpu":{"base":"h100-sxm-80gb")" +
                        fields + "}}}");
  };
  const Json base = with("");
  const auto usable = [](const Json& report) { return report["memory"]["usable"].get<double>(); };
  const auto step = [](const Json& report) {
    return report["time"]["step"]["value"].get<double>();
  };
  CHECK(usable(with(R"(,"memory_gb":40)")) == doctest::Approx(usable(base) / 2));
  CHECK(usable(with(R"(,"usable_gib":10)")) == 10 * kGiB);
  CHECK(step(with(R"(,"bf16_tflops":100)")) > 2 * step(base));
  CHECK(step(with(R"(,"memory_bandwidth_gb_s":300)")) > step(base));
  CHECK(step(with(R"(,"power_limit_w":350)")) > step(base));
  CHECK(with(R"(,"power_limit_w":350)")["energy"]["gpu_kw"] < base["energy"]["gpu_kw"]);
  CHECK(step(with(R"(,"power_limit_w":900)")) == step(base));
  CHECK(with(R"(,"memory_gb":40)")["resolved"]["cluster"]["gpu"]["base"] == "h100-sxm-80gb");
}

TEST_CASE("the offer is the cheapest of the GPU's, unless one is named") {
  const Json report = sound_answer(R"({"model":"llama-3.1-8b","cluster":{"gpu":"a100-sxm-80gb"}})");
  const double cheapest = std::stod(report["cost"]["total"]["value"].get<std::string>());
  const std::string currency = report["cost"]["total"]["currency"].get<std::string>();
  int offers = 0;
  for (const OfferEntry& offer : built_in_catalog().offers) {
    if (built_in_catalog().find_gpu(offer.gpu) != built_in_catalog().find_gpu("a100-sxm-80gb")) {
      continue;
    }
    const Json other = answer(R"({"model":"llama-3.1-8b","cluster":{"gpu":"a100-sxm-80gb"},
        "price":{"currency":")" +
                              currency + R"(","offer":")" + std::string(offer.id) + "\"}}");
    if (!other.contains("cost") || other["cost"]["mode"] == "spot") continue;
    ++offers;
    CAPTURE(offer.id);
    CHECK(std::stod(other["cost"]["total"]["value"].get<std::string>()) >= cheapest - 0.005);
  }
  CHECK(offers > 3);
}

// The search against trying everything by hand.

struct Best {
  double seconds_per_sequence = 0;
  std::string layout;
};

/// Layouts that practitioners run (core/catalog/practice.json): no context parallelism at 2,048
/// tokens, pipelines that are filled, of models that need them with tensor parallelism in the node.
Best best_by_hand(const std::string& head, int count, int node, bool model_parallel, int least_tp,
                  const std::vector<int>& zeros, double upper) {
  Best best;
  for (int tp = 1; tp <= (model_parallel ? node : 1); tp *= 2) {
    for (int pp = 1; pp <= (model_parallel ? count / tp : 1); pp *= 2) {
      if (pp > 1 && (tp < least_tp || 128 / (count / tp / pp) < pp)) continue;
      for (const int zero : zeros) {
        for (const char* recompute : {"none", "selective", "full"}) {
          const std::string layout = R"({"tp":)" + std::to_string(tp) + R"(,"pp":)" +
                                     std::to_string(pp) + R"(,"zero":)" + std::to_string(zero) +
                                     "}";
          const Json report =
              answer(head + R"(,"recompute":")" + recompute + R"("},"layout":)" + layout + "}");
          if (!report["problems"].empty()) continue;
          const Json& memory = report["memory"];
          if (memory["device_peak"]["value"].get<double>() * upper >
              memory["usable"].get<double>()) {
            continue;
          }
          const double time = report["time"]["step"]["value"].get<double>() /
                              report["resolved"]["training"]["global_batch"].get<double>();
          if (best.layout.empty() || time < best.seconds_per_sequence) best = {time, layout};
        }
      }
    }
  }
  return best;
}

TEST_CASE("no usual layout that is tried by hand beats the one that is chosen") {
  struct Job {
    const char* model;
    const char* stack;
    int count;
    bool model_parallel;
    int least_tp;
    std::vector<int> zeros;
  };
  const Job jobs[] = {{"llama-3.1-8b", "megatron", 8, true, 1, {0, 1}},
                      {"llama-2-13b", "megatron", 16, true, 1, {0, 1}},
                      {"llama-3.1-70b", "megatron", 64, true, 4, {0, 1}},
                      {"llama-3.1-8b", "fsdp", 8, false, 1, {0, 2, 3}},
                      {"llama-3.1-8b", "deepspeed", 8, false, 1, {0, 1, 2, 3}},
                      {"qwen2.5-0.5b", "fsdp", 4, false, 1, {0, 2, 3}}};
  for (const Job& job : jobs) {
    CAPTURE(job.model);
    CAPTURE(job.stack);
    const std::string head =
        R"({"model":")" + std::string(job.model) +
        R"(","cluster":{"gpu":"h100-sxm-80gb","count":)" + std::to_string(job.count) +
        R"(},"training":{"kind":"full","global_batch":128,"stack":")" + job.stack + "\"";
    const Json chosen = sound_answer(head + "}}");
    const double upper = chosen["memory"]["device_peak"]["high"].get<double>() /
                         chosen["memory"]["device_peak"]["value"].get<double>();
    const Best best =
        best_by_hand(head, job.count, 8, job.model_parallel, job.least_tp, job.zeros, upper);
    REQUIRE_FALSE(best.layout.empty());
    INFO(best.layout);
    INFO(chosen["resolved"]["layout"].dump());
    CHECK(chosen["time"]["step"]["value"].get<double>() / 128 <=
          best.seconds_per_sequence * (1 + 1e-9));
  }
}

TEST_CASE("where nothing fits, the layout that needs least is shown") {
  const Json report = sound_answer(R"({"model":"llama-3.1-405b",
      "training":{"kind":"full","stack":"megatron"},"cluster":{"gpu":"rtx-4090","count":8}})");
  CHECK(report["memory"]["fits"] == false);
  CHECK(report["resolved"]["layout"]["dp"] == 1);
  CHECK(report["resolved"]["training"]["recompute"] == "full");
}

TEST_CASE("what the scenario fixes stays fixed in the search") {
  const Json report = sound_answer(R"({"model":"llama-3.1-8b",
      "training":{"kind":"full","stack":"megatron","recompute":"full","global_batch":32},
      "cluster":{"gpu":"h100-sxm-80gb","count":8}})");
  CHECK(report["resolved"]["training"]["recompute"] == "full");
  CHECK(report["resolved"]["training"]["global_batch"] == 32);
}

TEST_CASE("more GPUs finish adapters no later") {
  double last = 0;
  for (const int count : {1, 2, 4, 8}) {
    const Json report =
        sound_answer(R"({"model":"qwen2.5-7b","training":{"kind":"lora","sequence_length":1024},)"
                     R"("cluster":{"gpu":"rtx-4090","count":)" +
                     std::to_string(count) + "}}");
    const double seconds = report["time"]["run"]["value"];
    if (count > 1) CHECK(seconds < last);
    last = seconds;
  }
}

TEST_CASE("what is left open is chosen: stack, micro-batch and batch") {
  const auto chosen = [](const char* model, const char* kind, const char* gpu, int count) {
    return resolved(R"({"model":")" + std::string(model) + R"(","training":{"kind":")" + kind +
                    R"(","sequence_length":4096},"cluster":{"gpu":")" + gpu + R"(","count":)" +
                    std::to_string(count) + "}}");
  };
  // A dense model is tuned with FSDP, a large one pre-trained with Megatron's parallelism.
  CHECK(chosen("qwen2.5-7b", "full", "h100-sxm-80gb", 8)["training"]["stack"] == "fsdp");
  const Json large = chosen("llama-3.1-70b", "pretrain", "h100-sxm-80gb", 256);
  CHECK(large["training"]["stack"] == "megatron");
  CHECK(large["training"]["global_batch"] == 1024);  // 4M tokens
  CHECK(large["layout"]["tp"] > 1);
  // On more GPUs than 4M tokens keep busy, 2,048 tokens a GPU, up to 16M.
  CHECK(chosen("llama-3.1-70b", "pretrain", "h100-sxm-80gb", 4096)["training"]["global_batch"] ==
        2048);
  CHECK(chosen("llama-3.1-405b", "pretrain", "h100-sxm-80gb", 16384)["training"]["global_batch"] ==
        4096);
  CHECK(chosen("llama-3.1-8b", "pretrain", "ascend-910b2", 64)["training"]["stack"] == "mindspeed");
  // Experts are spread over GPUs.
  const Json mixture = chosen("mixtral-8x7b", "full", "h100-sxm-80gb", 32);
  CHECK(mixture["training"]["stack"] == "megatron");
  CHECK(mixture["layout"]["ep"] > 1);
  // A small model leaves room for more than one sequence at a time; adapters take one.
  CHECK(chosen("gpt2", "pretrain", "a100-sxm-80gb", 8)["training"]["micro_batch"] > 1);
  CHECK(chosen("gpt2", "lora", "a100-sxm-80gb", 8)["training"]["micro_batch"] == 1);
}

TEST_CASE("layouts of mixtures and pipelines are checked") {
  const auto found = [](const char* layout) {
    return problems_of(R"({"model":"mixtral-8x7b","training":{"kind":"full","stack":"megatron",
        "sequence_length":1000,"global_batch":480},
        "cluster":{"gpu":"h100-sxm-80gb","count":48},"layout":)" +
                       std::string(layout) + "}");
  };
  CHECK(found(R"({"ep":8})").empty());
  CHECK(found(R"({"ep":3})") == "/layout/ep not_divisible");
  CHECK(found(R"({"ep":8,"etp":4})") == "/layout/ep not_divisible");
  CHECK(found(R"({"pp":48})") == "/layout/pp out_of_range");
  CHECK(found(R"({"virtual_stages":2})") == "/layout/virtual_stages out_of_range");
  CHECK(found(R"({"pp":16,"virtual_stages":3})") == "/layout/virtual_stages out_of_range");
  CHECK(found(R"({"cp":3})") == "/layout/cp not_divisible");
  CHECK(found(R"({"tp":16})") == "/layout/tp not_divisible");
  CHECK(found(R"({"shard_group":5})") == "/layout/shard_group not_divisible");
}

}  // namespace
}  // namespace traintally::testing
