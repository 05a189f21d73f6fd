// Launch recipes: what each tool is told, or why it can't be.

#include <traintally/recipe.hpp>

#include <doctest/doctest.h>

#include <string>

#include <nlohmann/json.hpp>

#include <traintally/catalog_data.hpp>
#include <traintally/session.hpp>

namespace traintally {
namespace {

using nlohmann::json;

json ask(const json& scenario) {
  static const Session session({catalog_text, catalog_text_size});
  return json::parse(session.evaluate("recipe", scenario.dump()));
}

std::string text_of(const json& answer, const char* tool) {
  for (const json& recipe : answer["recipes"]) {
    if (recipe["tool"] == tool) return recipe["text"];
  }
  return "";
}

bool refused(const json& answer, const char* tool, const char* code) {
  for (const json& each : answer["inexpressible"]) {
    if (each["tool"] == tool && each["code"] == code) return true;
  }
  return false;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

json scenario(const char* model, const char* gpu, int count, const json& training,
              const json& layout) {
  return {{"model", model},
          {"training", training},
          {"cluster", {{"gpu", gpu}, {"count", count}}},
          {"layout", layout}};
}

}  // namespace

TEST_SUITE("recipe") {
  TEST_CASE("ZeRO-3 with eight ranks") {
    const json a = ask(scenario("llama-3.1-8b", "h100-sxm-80gb", 8,
                                {{"kind", "full"},
                                 {"stack", "deepspeed"},
                                 {"global_batch", 64},
                                 {"micro_batch", 2},
                                 {"sequence_length", 4096},
                                 {"recompute", "full"}},
                                {{"zero", 3}}));
    REQUIRE(a["problems"].empty());
    const json ds = json::parse(text_of(a, "deepspeed"));
    CHECK(ds["train_batch_size"] == 64);
    CHECK(ds["train_micro_batch_size_per_gpu"] == 2);
    CHECK(ds["gradient_accumulation_steps"] == 4);
    CHECK(ds["zero_optimization"]["stage"] == 3);
    CHECK(ds["bf16"]["enabled"] == true);
    CHECK(ds["optimizer"]["type"] == "AdamW");
    CHECK_FALSE(ds["zero_optimization"].contains("offload_optimizer"));
    CHECK(ds["optimizer"]["params"]["lr"] == 1e-5);
    CHECK(has(text_of(a, "accelerate"), "distributed_type: DEEPSPEED"));
    CHECK(has(text_of(a, "accelerate"), "deepspeed_config_file: ds_config.json"));
    CHECK(has(text_of(a, "accelerate"), "zero3_init_flag: true"));
    CHECK_FALSE(has(text_of(a, "accelerate"), "fsdp"));
    CHECK_FALSE(has(text_of(a, "accelerate"), "mixed_precision"));
    CHECK_FALSE(has(text_of(a, "accelerate"), "main_process_ip"));
    CHECK(has(text_of(a, "accelerate"), "num_processes: 8"));
    CHECK(has(text_of(a, "llama_factory"), "learning_rate: 1.0e-05"));
    CHECK(has(text_of(a, "llama_factory"), "lr_scheduler_type: cosine"));
    CHECK(has(text_of(a, "llama_factory"), "warmup_ratio: 0.03"));
    CHECK(has(text_of(a, "llama_factory"), "template: TEMPLATE"));
    CHECK(has(text_of(a, "llama_factory"), "deepspeed: ds_config.json"));
    CHECK(has(text_of(a, "llama_factory"), "gradient_accumulation_steps: 4"));
    CHECK(text_of(a, "torchrun") == "torchrun --standalone --nproc_per_node 8 TRAIN.py\n");
    CHECK(has(text_of(a, "megatron"), "--data-parallel-sharding-strategy optim_grads_params"));
  }

  TEST_CASE("offload and groups") {
    json layout = {{"zero", 3}, {"offload", "parameters"}};
    const json a =
        ask(scenario("llama-3.1-8b", "h100-sxm-80gb", 16,
                     {{"kind", "full"}, {"stack", "deepspeed"}, {"recompute", "full"}}, layout));
    layout["shard_group"] = 8;
    const json b =
        ask(scenario("llama-3.1-8b", "h100-sxm-80gb", 16,
                     {{"kind", "full"}, {"stack", "hf-fsdp"}, {"recompute", "full"}}, layout));
    REQUIRE(a["problems"].empty());
    const json zero = json::parse(text_of(a, "deepspeed"))["zero_optimization"];
    CHECK(zero["offload_param"]["device"] == "cpu");
    CHECK(zero["offload_optimizer"]["device"] == "cpu");
    CHECK(has(text_of(b, "accelerate"), "distributed_type: FSDP"));
    CHECK(has(text_of(b, "accelerate"), "fsdp_sharding_strategy: HYBRID_SHARD"));
    CHECK(has(text_of(b, "accelerate"), "fsdp_offload_params: true"));
    // All states in a group of ranks is MiCS to DeepSpeed, which trainers don't set up.
    CHECK(json::parse(text_of(b, "deepspeed"))["zero_optimization"]["mics_shard_size"] == 8);
    CHECK(text_of(b, "llama_factory").empty());
    const auto of = [](std::int64_t stage, std::int64_t group, const char* stack) {
      return ask(scenario("llama-3.1-8b", "h100-sxm-80gb", 16,
                          {{"kind", "full"}, {"stack", stack}, {"recompute", "full"}},
                          {{"zero", stage}, {"shard_group", group}}));
    };
    CHECK(has(text_of(of(2, 8, "hf-fsdp"), "accelerate"),
              "fsdp_sharding_strategy: HYBRID_SHARD_ZERO2"));
    CHECK(text_of(of(3, 4, "hf-fsdp"), "accelerate").empty());  // its groups are nodes
    CHECK(text_of(of(3, 8, "deepspeed"), "accelerate").empty());
    CHECK(
        has(text_of(of(3, 8, "megatron"), "megatron"), "--num-distributed-optimizer-instances 2"));
    CHECK(text_of(of(2, 8, "deepspeed"), "deepspeed").empty());
    CHECK(
        has(text_of(of(1, 4, "megatron"), "megatron"), "--num-distributed-optimizer-instances 4"));
    CHECK(has(text_of(b, "accelerate"), "rdzv_backend: c10d"));
    for (const json* each : {&a, &b}) {
      CHECK(has(text_of(*each, "accelerate"), "main_process_ip: HEAD_NODE"));
      CHECK(has(text_of(*each, "accelerate"), "main_process_port: 29500"));
    }
    CHECK(has(text_of(a, "accelerate"), "deepspeed_multinode_launcher: standard"));
    CHECK(has(text_of(a, "torchrun"), "--nnodes 2"));
    CHECK(has(text_of(a, "torchrun"), "--nproc_per_node 8"));
    CHECK(refused(a, "megatron", "offload"));
  }

  // --recompute-num-layers counts the layers of each chunk: 80 over 4 stages of 2 chunks are 10.
  TEST_CASE("a share of the layers recomputed") {
    const json a = ask(scenario("llama-3.1-70b", "h100-sxm-80gb", 64,
                                {{"kind", "pretrain"},
                                 {"stack", "megatron"},
                                 {"global_batch", 128},
                                 {"recompute", "full"},
                                 {"recompute_share", 0.4},
                                 {"tokens", 1e9}},
                                {{"tp", 8}, {"pp", 4}, {"zero", 1}, {"virtual_stages", 2}}));
    REQUIRE(a["problems"].empty());
    const std::string args = text_of(a, "megatron");
    CHECK(has(args, "--recompute-method block"));
    CHECK(has(args, "--recompute-num-layers 4"));
    CHECK(refused(a, "accelerate", "selective_recompute"));
  }

  TEST_CASE("Megatron's three dimensions") {
    const json a = ask(scenario(
        "llama-3.1-70b", "h100-sxm-80gb", 64,
        {{"kind", "pretrain"},
         {"stack", "megatron"},
         {"global_batch", 128},
         {"sequence_length", 8192},
         {"recompute", "selective"},
         {"tokens", 1e9}},
        {{"tp", 8}, {"pp", 4}, {"zero", 1}, {"virtual_stages", 5}, {"sequence_parallel", true}}));
    REQUIRE(a["problems"].empty());
    const std::string args = text_of(a, "megatron");
    for (const char* part : {"--tensor-model-parallel-size 8",
                             "--pipeline-model-parallel-size 4",
                             "--num-layers-per-virtual-pipeline-stage 4",
                             "--sequence-parallel",
                             "--use-distributed-optimizer",
                             "--num-layers 80",
                             "--hidden-size 8192",
                             "--num-query-groups 8",
                             "--ffn-hidden-size 28672",
                             "--seq-length 8192",
                             "--global-batch-size 128",
                             "--train-iters 954",
                             "--recompute-granularity selective",
                             "--swiglu",
                             "--rotary-base 500000",
                             "--use-rope-scaling",
                             "--rope-scaling-factor 8",
                             "--lr 1.5e-04",
                             "--lr-decay-style cosine",
                             "--lr-warmup-fraction 0.03",
                             "--min-lr 1.5e-05",
                             "--weight-decay 0.10",
                             "--adam-beta2 0.95",
                             "--bf16",
                             "--untie-embeddings-and-output-weights",
                             "--vocab-size 128256"}) {
      CHECK_MESSAGE(has(args, part), part);
    }
    CHECK(refused(a, "deepspeed", "tensor_parallel"));
    CHECK(refused(a, "deepspeed", "pipeline_parallel"));
    CHECK(refused(a, "accelerate", "selective_recompute"));
    CHECK(refused(a, "llama_factory", "pipeline_parallel"));
    CHECK(has(text_of(a, "torchrun"), "pretrain_gpt.py $(cat megatron.args)"));
    CHECK_FALSE(has(text_of(a, "torchrun"), "Not known"));
  }

  TEST_CASE("learning rates by kind and size, with the warm-up of a long run") {
    const auto megatron = [](const char* model, double tokens) {
      return text_of(ask(scenario(model, "h100-sxm-80gb", 8,
                                  {{"kind", "pretrain"},
                                   {"stack", "megatron"},
                                   {"global_batch", 1024},
                                   {"tokens", tokens}},
                                  {{"zero", 1}})),
                     "megatron");
    };
    CHECK(has(megatron("pythia-160m", 1e12), "--lr 6.0e-04"));
    CHECK(has(megatron("llama-2-7b", 1e12), "--lr 3.0e-04"));
    CHECK(has(megatron("llama-2-7b", 1e12), "--lr-warmup-iters 2000"));
    CHECK(has(megatron("llama-2-7b", 1e9), "--lr-warmup-fraction 0.03"));
    CHECK(has(megatron("llama-2-7b", 1e9), "--rotary-base 10000"));
    CHECK_FALSE(has(megatron("llama-2-7b", 1e9), "rope-scaling"));
    // Its base is not in the catalogue: said beside the command, not made up.
    CHECK_FALSE(has(megatron("phi-2", 1e9), "rotary-base"));
    const json unknown = ask(scenario(
        "phi-2", "h100-sxm-80gb", 8, {{"kind", "pretrain"}, {"stack", "megatron"}}, {{"zero", 1}}));
    CHECK(has(text_of(unknown, "torchrun"), "# Not known here for this model: --rotary-base"));
    const auto tuned = [](const char* model, const char* kind, const char* stack) {
      return text_of(ask(scenario(model, "h100-sxm-80gb", 1, {{"kind", kind}, {"stack", stack}},
                                  json::object())),
                     "llama_factory");
    };
    CHECK(has(tuned("llama-3.1-8b", "lora", "hf"), "learning_rate: 2.0e-04"));
    CHECK(has(tuned("llama-3.1-8b", "lora", "hf"), "lora_alpha: 16"));
    CHECK(has(tuned("llama-3.1-8b", "lora", "hf"), "lora_dropout: 0.00"));
    CHECK(has(tuned("llama-3.1-8b", "lora", "ms-swift"), "lora_dropout: 0.10"));
    CHECK(has(tuned("llama-3.1-70b", "qlora", "hf"), "learning_rate: 1.0e-04"));
  }

  TEST_CASE("a mixture of experts with latent attention") {
    const json a = ask(scenario("deepseek-v3", "h100-sxm-80gb", 256,
                                {{"kind", "pretrain"},
                                 {"stack", "megatron"},
                                 {"global_batch", 1024},
                                 {"precision", "fp8"},
                                 {"recompute", "full"}},
                                {{"pp", 1}, {"ep", 64}, {"zero", 1}}));
    REQUIRE(a["problems"].empty());
    const std::string args = text_of(a, "megatron");
    for (const char* part :
         {"--multi-latent-attention", "--q-lora-rank 1536", "--kv-lora-rank 512",
          "--num-experts 256", "--moe-router-topk 8", "--expert-model-parallel-size 64",
          "--fp8-format hybrid", "--bf16", "--recompute-method uniform"}) {
      CHECK_MESSAGE(has(args, part), part);
    }
    CHECK(refused(a, "deepspeed", "expert_parallel"));
    CHECK(refused(a, "deepspeed", "precision"));
  }

  TEST_CASE("QLoRA on one card") {
    const json a = ask({{"model", "llama-3.1-8b"},
                        {"training",
                         {{"kind", "qlora"},
                          {"recompute", "full"},
                          {"lora", {{"rank", 32}, {"targets", {"q_proj", "v_proj"}}}}}},
                        {"cluster", {{"gpu", "rtx-4090"}}}});
    REQUIRE(a["problems"].empty());
    const std::string yaml = text_of(a, "llama_factory");
    for (const char* part :
         {"finetuning_type: lora", "lora_rank: 32", "lora_target: q_proj,v_proj",
          "quantization_bit: 4", "double_quantization: true", "cutoff_len: 2048"}) {
      CHECK_MESSAGE(has(yaml, part), part);
    }
    CHECK(refused(a, "megatron", "adapters"));
    CHECK(has(text_of(a, "accelerate"), "distributed_type: 'NO'"));
  }

  TEST_CASE("a scenario with problems has no recipe") {
    const json a = ask({{"model", "none"}});
    CHECK(a["problems"][0]["code"] == "unknown_model");
    CHECK_FALSE(a.contains("recipes"));
  }
}

}  // namespace traintally
