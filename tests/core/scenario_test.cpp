// Reading scenarios: whatever is wrong is a problem at its field, and nothing else is.

#include <string>

#include <doctest/doctest.h>

#include "answers.hpp"
#include "limits.hpp"
#include "nearest.hpp"

namespace traintally::testing {
namespace {

struct Wrong {
  const char* scenario;
  const char* problem;  // "at code"
};

constexpr Wrong kWrong[] = {
    {R"({})", "/model missing"},
    {R"([])", " wrong_type"},
    {R"("llama-3.1-8b")", " wrong_type"},
    {R"({"model":7})", "/model wrong_type"},
    {R"({"model":""})", "/model unknown_model"},
    {R"({"model":"lama"})", "/model unknown_model"},
    {R"({"model":"llama-3.1-8b","version":2})", "/version out_of_range"},
    {R"({"model":"llama-3.1-8b","method":"guess"})", "/method not_one_of"},
    {R"({"model":"llama-3.1-8b","modle":1})", "/modle unknown_field"},
    {R"({"model":"llama-3.1-8b","a/b~c":1})", "/a~1b~0c unknown_field"},
    {R"({"model":{"params":0}})", "/model/params not_positive"},
    {R"({"model":{"params":1e15}})", "/model/params out_of_range"},
    {R"({"model":{"params":7e9,"layers":3}})", "/model/layers unknown_field"},
    {R"({"model":{"layers":2,"heads":8,"ffn_hidden":9,"vocab":9}})", "/model/hidden missing"},
    {R"({"model":{"layers":2,"hidden":64,"heads":7,"ffn_hidden":9,"vocab":9}})",
     "/model/head_dim missing"},
    {R"({"model":{"layers":2,"hidden":64,"heads":8,"kv_heads":3,"ffn_hidden":9,"vocab":9}})",
     "/model/kv_heads not_divisible"},
    {R"({"model":{"layers":2,"hidden":64,"heads":8,"ffn_hidden":0,"vocab":9}})",
     "/model/ffn_hidden not_positive"},
    {R"({"model":{"layers":2,"hidden":64,"heads":8,"ffn_hidden":9,"vocab":9,
         "moe":{"experts":4,"experts_per_token":5}}})",
     "/model/moe/experts_per_token out_of_range"},
    {R"({"model":{"layers":2,"hidden":64,"heads":8,"head_dim":100001,"ffn_hidden":9,"vocab":9}})",
     "/model/head_dim out_of_range"},
    {R"({"model":{"layers":10000,"hidden":1000000,"heads":100,"ffn_hidden":10000000,"vocab":9}})",
     "/model model_too_large"},
    {R"({"model":"llama-3.1-8b","training":1})", "/training wrong_type"},
    {R"({"model":"llama-3.1-8b","training":{"kind":"rlhf"}})", "/training/kind not_one_of"},
    {R"({"model":"llama-3.1-8b","training":{"kind":1}})", "/training/kind wrong_type"},
    {R"({"model":"llama-3.1-8b","training":{"micro_batch":0}})",
     "/training/micro_batch not_positive"},
    {R"({"model":"llama-3.1-8b","training":{"micro_batch":-1e300}})",
     "/training/micro_batch not_positive"},
    {R"({"model":"llama-3.1-8b","training":{"micro_batch":1.5}})",
     "/training/micro_batch not_integer"},
    {R"({"model":"llama-3.1-8b","training":{"micro_batch":"1"}})",
     "/training/micro_batch wrong_type"},
    {R"({"model":"llama-3.1-8b","training":{"micro_batch":null}})",
     "/training/micro_batch wrong_type"},
    {R"({"model":"llama-3.1-8b","training":{"micro_batch":18446744073709551615}})",
     "/training/micro_batch out_of_range"},
    {R"({"model":"llama-3.1-8b","training":{"sequence_length":1e9}})",
     "/training/sequence_length out_of_range"},
    {R"({"model":"llama-3.1-8b","training":{"tokens":0}})", "/training/tokens not_positive"},
    {R"({"model":"llama-3.1-8b","training":{"tokens":{"epochs":1}}})",
     "/training/tokens/dataset_tokens missing"},
    {R"({"model":"llama-3.1-8b","training":{"tokens":{"dataset_tokens":1e18,"epochs":2}}})",
     "/training/tokens/epochs out_of_range"},
    {R"({"model":"llama-3.1-8b","training":{"compile":1}})", "/training/compile wrong_type"},
    {R"({"model":"llama-3.1-8b","training":{"stack":"megatronn"}})",
     "/training/stack unknown_stack"},
    {R"({"model":"llama-3.1-8b","training":{"precision":"bf17"}})",
     "/training/precision unknown_precision"},
    {R"({"model":"llama-3.1-8b","training":{"optimizer":"adan"}})",
     "/training/optimizer unknown_optimizer"},
    {R"({"model":"llama-3.1-8b","training":{"lora":{"targets":[]}}})",
     "/training/lora/targets empty"},
    {R"({"model":"llama-3.1-8b","training":{"lora":{"targets":"all-linear"}}})",
     "/training/lora/targets wrong_type"},
    {R"({"model":"llama-3.1-8b","training":{"lora":{"targets":["q_proj","w"]}}})",
     "/training/lora/targets/1 not_one_of"},
    {R"({"model":"llama-3.1-8b","training":{"lora":{"rank":0}}})",
     "/training/lora/rank not_positive"},
    {R"({"model":"llama-3.1-8b","training":{"kind":"qlora","lora":{"quantization":"none"}}})",
     "/training/lora/quantization not_one_of"},
    {R"({"model":"llama-3.1-8b","cluster":{"gpu":"h1000"}})", "/cluster/gpu unknown_gpu"},
    {R"({"model":"llama-3.1-8b","cluster":{"gpu":3}})", "/cluster/gpu wrong_type"},
    {R"({"model":"llama-3.1-8b","cluster":{"gpu":{}}})", "/cluster/gpu/base missing"},
    {R"({"model":"llama-3.1-8b","cluster":{"gpu":{"base":"h1000"}}})",
     "/cluster/gpu/base unknown_gpu"},
    {R"({"model":"llama-3.1-8b","cluster":{"gpu":{"base":"rtx-4090","memory_gb":-1}}})",
     "/cluster/gpu/memory_gb not_positive"},
    {R"({"model":"llama-3.1-8b","cluster":{"gpu":"h300-192gb"}})", "/cluster/gpu unverified_gpu"},
    {R"({"model":"llama-3.1-8b","cluster":{"count":0}})", "/cluster/count not_positive"},
    {R"({"model":"llama-3.1-8b","cluster":{"count":1000001}})", "/cluster/count out_of_range"},
    {R"({"model":"llama-3.1-8b","layout":"best"})", "/layout not_one_of"},
    {R"({"model":"llama-3.1-8b","layout":3})", "/layout wrong_type"},
    {R"({"model":"llama-3.1-8b","layout":{"zero":4}})", "/layout/zero out_of_range"},
    {R"({"model":"llama-3.1-8b","layout":{"tp":2}})", "/layout product_not_count"},
    {R"({"model":"llama-3.1-8b","layout":{"dp":2}})", "/layout/dp product_not_count"},
    {R"({"model":"llama-3.1-8b","layout":{"tp":1000000,"pp":10000,"cp":1000000,"dp":1000000}})",
     "/layout/dp product_not_count"},
    {R"({"model":"llama-3.1-8b","cluster":{"count":8},"layout":{"ep":2}})",
     "/layout/ep not_a_mixture"},
    {R"({"model":"llama-3.1-8b","cluster":{"count":64},"layout":{"tp":64}})",
     "/layout/tp not_divisible"},
    {R"({"model":"llama-3.1-8b","training":{"global_batch":7,"micro_batch":2},"layout":{}})",
     "/training/global_batch batch_not_divisible"},
    {R"({"model":"llama-3.1-8b","cluster":{"count":64},"training":{"global_batch":32}})",
     "/training/global_batch batch_not_divisible"},
    {R"({"model":"llama-3.1-8b","price":{"offer":"none"}})", "/price/offer unknown_offer"},
    {R"({"model":"llama-3.1-8b","cluster":{"gpu":"h100-sxm-80gb"},
         "price":{"offer":"article-entry"}})",
     "/price/offer offer_of_other_gpu"},
    {R"({"model":"llama-3.1-8b","price":{"offer":"article-entry","per_hour":"1"}})",
     "/price/offer offer_or_price"},
    {R"({"model":"llama-3.1-8b","price":{"per_hour":1.5}})", "/price/per_hour wrong_type"},
    {R"({"model":"llama-3.1-8b","price":{"per_hour":"1,5"}})", "/price/per_hour not_decimal"},
    {R"({"model":"llama-3.1-8b","price":{"per_hour":"1."}})", "/price/per_hour not_decimal"},
    {R"({"model":"llama-3.1-8b","price":{"per_hour":"-1"}})", "/price/per_hour not_decimal"},
    {R"({"model":"llama-3.1-8b","price":{"per_hour":"1e3"}})", "/price/per_hour not_decimal"},
    {R"({"model":"llama-3.1-8b","price":{"per_hour":"1","per_gpu_hour":"1"}})",
     "/price/per_hour given_twice"},
    {R"({"model":"llama-3.1-8b","price":{"currency":"EUR"}})", "/price/currency not_one_of"},
    {R"({"model":"llama-3.1-8b","reliability":{"failures_per_gpu_day":-1}})",
     "/reliability/failures_per_gpu_day not_positive"},
    {R"({"model":"llama-3.1-8b","energy":{"pue":0.5}})", "/energy/pue out_of_range"},
    {R"({"model":"llama-3.1-8b","measured":{}})", "/measured/tokens_per_second missing"},
    {R"({"model":"llama-3.1-8b","measured":{"tokens_per_second":1,"step_s":1}})",
     "/measured/step_s given_twice"},
    {R"({"model":"llama-3.1-8b","measured":{"tokens_per_second":1e12}})",
     "/measured/tokens_per_second above_peak"},
    {R"({"model":"llama-3.1-8b","catalog":{"offers":1}})", "/catalog/offers wrong_type"},
    {R"({"model":"llama-3.1-8b","explain":"yes"})", "/explain wrong_type"},
    {R"({"model":"llama-3.1-8b","training":{"precision":"fp8"},"cluster":{"gpu":"a100-sxm-80gb"}})",
     "/training/precision unsupported_precision"},
    {R"({"model":"llama-3.1-8b","training":{"precision":"bf16-mixed"},
         "cluster":{"gpu":"v100-sxm2-32gb"}})",
     "/training/precision unsupported_precision"},
};

TEST_CASE("every wrong field is a problem at its place, with what would be accepted") {
  for (const Wrong& wrong : kWrong) {
    CAPTURE(wrong.scenario);
    const Json report = answer(wrong.scenario);
    std::string found;
    for (const Json& problem : report["problems"]) {
      found += problem["at"].get<std::string>() + " " + problem["code"].get<std::string>() + "; ";
    }
    CHECK(found == std::string(wrong.problem) + "; ");
    for (const char* figure : {"memory", "time", "cost", "storage", "parameters"}) {
      CHECK_FALSE(report.contains(figure));
    }
  }
}

TEST_CASE("several problems at once are all reported") {
  const auto found = problems_of(R"({"model":"lama","training":{"micro_batch":0,"kind":"x",
      "stack":"y"},"cluster":{"gpu":"z","count":"3"},"price":{"offer":"w"},"more":1})");
  CHECK(found ==
        "/cluster/count wrong_type; /cluster/gpu unknown_gpu; /model unknown_model; /more "
        "unknown_field; /price/offer unknown_offer; /training/kind not_one_of; "
        "/training/micro_batch not_positive; /training/stack unknown_stack");
}

TEST_CASE("an unknown name comes with the nearest known ones") {
  const Json model = answer(R"({"model":"lama-3.1-8b"})");
  CHECK(model["problems"][0]["accepts"].get<std::string>().find("llama-3.1-8b") == 0);
  const Json field = answer(R"({"model":"llama-3.1-8b","training":{"micro_batchs":1}})");
  CHECK(field["problems"][0]["accepts"].get<std::string>().find("micro_batch") == 0);
  CHECK(nearest_names("H100", std::vector<std::string_view>{"a100", "h100-sxm", "gh100"}, 2) ==
        "gh100, h100-sxm");
  using Names = std::vector<std::string_view>;
  CHECK(nearest_names("", Names{"a"}) == "a");
  CHECK(nearest_names("x", Names{}).empty());
  CHECK(nearest_names("big-a100", Names{"big-l40s", "a100"}, 1) == "a100");
}

TEST_CASE("a misspelt A100 is taken for an A100, a field for one that shares its word") {
  for (const char* typed :
       {"A100-SXM4-81GB", "NVIDIA A100-SXM4-80GX", "a1oo", "a100x", "A 100-PCI", "aa100"}) {
    CAPTURE(typed);
    const Json report =
        answer(R"({"model":"llama-3.1-8b","cluster":{"gpu":")" + std::string(typed) + "\"}}");
    REQUIRE(report["problems"][0]["code"] == "unknown_gpu");
    CHECK(report["problems"][0]["accepts"].get<std::string>().find("a100") == 0);
  }
  const Json batch = answer(R"({"model":"llama-3.1-8b","training":{"batch_size":8}})");
  const std::string fields = batch["problems"][0]["accepts"];
  CHECK(fields.find("micro_batch, global_batch") == 0);
  const Json price = answer(R"({"model":"llama-3.1-8b","price":{"per_gpu_hour":2.5}})");
  CHECK(price["problems"][0]["code"] == "wrong_type");
  CHECK(price["problems"][0]["accepts"] == R"(decimal as a string: "2.5")");
}

TEST_CASE("names as their makers write them become the catalogue's") {
  const Json report =
      answer(R"({"model":"Qwen/Qwen2.5-32B-Instruct","cluster":{"gpu":"NVIDIA A100-SXM4-80GB"},)"
             R"("training":{"stack":"transformers","optimizer":"paged_adamw_8bit"}})");
  CHECK(report["problems"].empty());
  CHECK(report["resolved"]["model"] == "qwen2.5-32b");
  CHECK(report["resolved"]["cluster"]["gpu"] == "a100-sxm-80gb");
  CHECK(report["resolved"]["training"]["stack"] == "hf");
  CHECK(report["resolved"]["training"]["optimizer"] == "adamw-paged-8bit");
}

TEST_CASE("what was typed is repeated, as far as it was understood") {
  const Json report = answer(R"({"model":"lama","training":{"micro_batch":0,"kind":"full"}})");
  CHECK(report["resolved"]["model"] == "lama");
  CHECK(report["resolved"]["training"]["micro_batch"] == 0);
  CHECK(report["resolved"]["training"]["kind"] == "full");
}

TEST_CASE("prices that can't be are refused, and repeated as typed") {
  const Json fee = answer(R"({"model":"llama-3.1-8b","price":{"fees":[{"category":"data_transfer",
      "kind":"fixed","amount":"1234567890123.45"}]}})");
  CHECK(fee["problems"][0]["at"] == "/price/fees/0/amount");
  CHECK(fee["problems"][0]["code"] == "not_decimal");
  CHECK(fee["resolved"]["price"]["fees"][0]["amount"] == "1234567890123.45");
  const Json rate = answer(R"({"model":"llama-3.1-8b","price":{"cny_per_usd":"0.00"}})");
  CHECK(rate["problems"][0]["at"] == "/price/cny_per_usd");
  CHECK(rate["problems"][0]["code"] == "not_positive");
  const Json day = answer(R"({"model":"llama-3.1-8b","price":{"date":"2026-02-29"}})");
  CHECK(day["problems"][0]["code"] == "not_date");
  CHECK(answer(R"({"model":"llama-3.1-8b","price":{"date":"2028-02-29"}})")["problems"].empty());
}

TEST_CASE("more work never shows as less memory where moments are paged out") {
  double before = 0;
  for (const char* micro_batch : {"1", "2", "4"}) {
    const Json report = sound_answer(
        std::string(R"({"model":"opt-2.7b","cluster":{"gpu":"l20"},"training":{"kind":"pretrain",
        "optimizer":"adamw-paged","stack":"nanogpt","recompute":"none","micro_batch":)") +
        micro_batch + "}}");
    const double peak = report["memory"]["device_peak"]["value"].get<double>();
    CHECK(peak >= before);
    before = peak;
  }
}

TEST_CASE("whole numbers may be written in any way") {
  for (const char* form : {"4096", "4.096e3", "4096.0", "40960e-1"}) {
    const Json report = sound_answer(R"({"model":"llama-3.1-8b","training":{"sequence_length":)" +
                                     std::string(form) + "}}");
    CHECK(report["resolved"]["training"]["sequence_length"] == 4096);
  }
}

TEST_CASE("documents that are no JSON are refused with the byte where reading stopped") {
  struct Refused {
    const char* document;
    const char* code;
    const char* accepts;
  };
  const Refused refused[] = {
      {"", "malformed_json", "JSON, byte 1"},
      {"{\"model\":}", "malformed_json", "JSON, byte 10"},
      {"{\"model\":\"a\"} x", "malformed_json", "JSON, byte 15"},
      {"{\"model\":\"\xff\"}", "malformed_json", "JSON, byte 11"},
      {"{\"model\":NaN}", "malformed_json", "JSON, byte 10"},
      {"{\"model\":\"a\",\"model\":\"b\"}", "duplicate_field", "each field once"},
      {"{\"model\":{\"params\":1e999}}", "out_of_range", "finite number, byte 24"},
  };
  for (const Refused& each : refused) {
    CAPTURE(std::string(each.document));
    const Json report = answer(each.document);
    REQUIRE(report["problems"].size() == 1);
    CHECK(report["problems"][0]["code"] == each.code);
    CHECK(report["problems"][0]["accepts"] == each.accepts);
    CHECK_FALSE(report.contains("resolved"));
  }
  CHECK(answer("{\"model\":{\"a\":1,\"a\":2}}")["problems"][0]["at"] == "/model/a");
  CHECK(answer("{\"model\":{\"params\":1e999}}")["problems"][0]["at"] == "/model/params");
}

TEST_CASE("depth and size are bounded before anything is built from them") {
  const auto nested = [](std::size_t depth, const char* open, const char* close) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) text += open;
    text += "1";
    for (std::size_t i = 0; i < depth; ++i) text += close;
    return text;
  };
  CHECK(answer(nested(64, "[", "]"))["problems"][0]["code"] == "wrong_type");
  CHECK(answer(nested(65, "[", "]"))["problems"][0]["code"] == "too_deep");
  CHECK(answer(nested(1'000'000, "[", "]"))["problems"][0]["code"] == "too_deep");
  CHECK(answer(nested(100'000, "{\"a\":", "}"))["problems"][0]["code"] == "too_deep");
  const std::string large(static_cast<std::size_t>(limits::document_bytes) + 1, ' ');
  CHECK(answer(large)["problems"][0]["code"] == "too_large");
}

TEST_CASE("a flood of problems is cut short") {
  std::string scenario = R"({"model":"llama-3.1-8b")";
  for (int i = 0; i < 5000; ++i) scenario += ",\"x" + std::to_string(i) + "\":1";
  const Json report = answer(scenario + "}");
  CHECK(report["problems"].size() == 101);
  CHECK(report["problems"][100]["code"] == "more_problems");
}

// The bounds of the schema and those of the reader are the same numbers.

struct Bound {
  const char* pointer;   // into a scenario
  const char* scenario;  // with @ where the value goes
};

constexpr Bound kBounds[] = {
    {"/training/sequence_length", R"({"model":"x","training":{"sequence_length":@}})"},
    {"/training/micro_batch", R"({"model":"x","training":{"micro_batch":@}})"},
    {"/training/global_batch", R"({"model":"x","training":{"global_batch":@}})"},
    {"/training/lora/rank", R"({"model":"x","training":{"lora":{"rank":@}}})"},
    {"/cluster/count", R"({"model":"x","cluster":{"count":@}})"},
    {"/cluster/per_node", R"({"model":"x","cluster":{"per_node":@}})"},
    {"/cluster/internode_gb_s_per_gpu", R"({"model":"x","cluster":{"internode_gb_s_per_gpu":@}})"},
    {"/reliability/failures_per_gpu_day",
     R"({"model":"x","reliability":{"failures_per_gpu_day":@}})"},
    {"/reliability/restart_s", R"({"model":"x","reliability":{"restart_s":@}})"},
    {"/storage/capacity_tb", R"({"model":"x","storage":{"capacity_tb":@}})"},
    {"/storage/bytes_per_token", R"({"model":"x","storage":{"bytes_per_token":@}})"},
    {"/storage/checkpoints_kept", R"({"model":"x","storage":{"checkpoints_kept":@}})"},
    {"/energy/pue", R"({"model":"x","energy":{"pue":@}})"},
    {"/energy/load", R"({"model":"x","energy":{"load":@}})"},
    {"/measured/step_s", R"({"model":"x","measured":{"step_s":@}})"},
    {"/measured/tokens_per_second", R"({"model":"x","measured":{"tokens_per_second":@}})"},
};
constexpr const char* kShapeFields[] = {"layers",          "hidden",         "heads",
                                        "kv_heads",        "head_dim",       "ffn_hidden",
                                        "vocab",           "max_sequence",   "learned_positions",
                                        "norms_per_layer", "sliding_window", "windowed_layer_share",
                                        "extra_parameters"};
constexpr const char* kLayoutFields[] = {
    "tp", "pp", "cp", "ep", "etp", "dp", "zero", "shard_group", "virtual_stages"};
constexpr const char* kGpuFields[] = {"memory_gb",    "usable_gib", "memory_bandwidth_gb_s",
                                      "bf16_tflops",  "link_gb_s",  "pcie_gb_s",
                                      "power_limit_w"};

bool complains(std::string scenario, const std::string& at, const std::string& value) {
  scenario.replace(scenario.find('@'), 1, value);
  const Json report = answer(scenario);
  for (const Json& problem : report["problems"]) {
    if (problem["at"] == at &&
        (problem["code"] == "out_of_range" || problem["code"] == "not_positive")) {
      return true;
    }
  }
  return false;
}

void check_bounds(const Json& field, const std::string& at, const std::string& scenario) {
  CAPTURE(at);
  const bool whole = field["type"] == "integer";
  const Json& maximum = field["maximum"];
  CHECK_FALSE(complains(scenario, at, maximum.dump()));
  const double most = maximum.get<double>();
  CHECK(
      complains(scenario, at,
                whole ? Json(maximum.get<std::int64_t>() + 1).dump() : Json(most * 1.0001).dump()));
  if (field.contains("minimum")) {
    CHECK_FALSE(complains(scenario, at, field["minimum"].dump()));
    const double least = field["minimum"].get<double>();
    CHECK(complains(scenario, at,
                    whole ? Json(field["minimum"].get<std::int64_t>() - 1).dump()
                          : Json(least - 0.001).dump()));
    if (!whole && least == 0 &&
        field["description"].get<std::string>().find("else at least") != std::string::npos) {
      CHECK(complains(scenario, at, "1e-300"));
    }
  } else {
    CHECK(field["exclusiveMinimum"] == 0);
    CHECK(complains(scenario, at, "0"));
    CHECK_FALSE(complains(scenario, at, "1e-6"));
  }
}

TEST_CASE("the schema has the reader's bounds") {
  const Json schema = parsed(repository_file("core/schema/scenario.schema.json"));
  const Json& defs = schema["$defs"];
  for (const Bound& bound : kBounds) {
    const Json* field = &schema;
    std::string rest = std::string(bound.pointer).substr(1) + "/";
    for (std::size_t slash = rest.find('/'); slash != std::string::npos; slash = rest.find('/')) {
      field = &(*field)["properties"][rest.substr(0, slash)];
      if (field->contains("$ref")) {
        const std::string name = (*field)["$ref"].get<std::string>();
        field = &defs[name.substr(name.rfind('/') + 1)];
      }
      rest = rest.substr(slash + 1);
    }
    check_bounds(*field, bound.pointer, bound.scenario);
  }
  for (const char* name : kShapeFields) {
    check_bounds(defs["model_shape"]["properties"][name], std::string("/model/") + name,
                 R"({"model":{")" + std::string(name) + R"(":@}})");
  }
  for (const char* name : kLayoutFields) {
    check_bounds(defs["layout"]["oneOf"][1]["properties"][name], std::string("/layout/") + name,
                 R"({"model":"x","layout":{")" + std::string(name) + R"(":@}})");
  }
  for (const char* name : kGpuFields) {
    check_bounds(
        defs["cluster"]["properties"]["gpu"]["oneOf"][1]["properties"][name],
        std::string("/cluster/gpu/") + name,
        R"({"model":"x","cluster":{"gpu":{"base":"rtx-4090",")" + std::string(name) + R"(":@}}})");
  }
}

TEST_CASE("the schema and the reader know the same fields") {
  const Json schema = parsed(repository_file("core/schema/scenario.schema.json"));
  for (const auto& field : schema["properties"].items()) {
    const std::string& name = field.key();
    CAPTURE(name);
    CHECK(problems_of("{\"model\":\"x\",\"" + name + "\":[]}").find("unknown_field") ==
          std::string::npos);
  }
  for (const char* section :
       {"training", "cluster", "layout", "price", "reliability", "storage", "energy"}) {
    const Json& definition = schema["$defs"][section];
    const Json& object = definition.contains("oneOf") ? definition["oneOf"][1] : definition;
    for (const auto& field : object["properties"].items()) {
      const std::string& name = field.key();
      CAPTURE(section);
      CAPTURE(name);
      const std::string scenario =
          "{\"model\":\"x\",\"" + std::string(section) + "\":{\"" + name + "\":[[]]}}";
      CHECK(problems_of(scenario).find("unknown_field") == std::string::npos);
    }
  }
}

TEST_CASE("the smallest of everything at once is answered in finite numbers") {
  const Json small = sound_answer(R"({"model":{"layers":1,"hidden":1,"heads":1,"ffn_hidden":1,
      "vocab":1},
      "training":{"kind":"full","stack":"megatron","sequence_length":2,"micro_batch":1,
        "global_batch":2,"tokens":5e-324},
      "cluster":{"gpu":{"base":"h100-sxm-80gb","memory_gb":5e-324,"memory_bandwidth_gb_s":1e-6,
        "bf16_tflops":1e-6,"link_gb_s":1e-6,"pcie_gb_s":1e-6,"power_limit_w":1},
        "count":2,"per_node":1,"internode_gb_s_per_gpu":1e-6},
      "layout":{"dp":2},"price":{"per_gpu_hour":"0.000001"},
      "storage":{"bytes_per_token":5e-324},
      "reliability":{"failures_per_gpu_day":1e-9,"checkpoint_interval_s":0.001,
        "storage_write_gb_s":1e-6,"restart_s":0,"startup_s":0,"asynchronous_checkpoints":false},
      "energy":{"load":5e-324},"explain":true})");
  for (const Json& absent : small["absent"]) CHECK(absent["code"] != "not_finite");
}

TEST_CASE("adapters that no integer could count are refused") {
  CHECK(problems_of(R"({"model":{"layers":10000,"hidden":1,"heads":100000,"head_dim":100000,
      "ffn_hidden":1,"vocab":1},"training":{"lora":{"rank":100000}}})") ==
        "/training/lora/rank out_of_range");
  CHECK(problems_of(R"({"model":{"layers":1000,"hidden":100000,"heads":100,"ffn_hidden":0,
      "vocab":1,"moe":{"experts":100000,"experts_per_token":1,"ffn_hidden":1}},
      "training":{"lora":{"rank":100000}}})") == "/training/lora/rank out_of_range");
}

TEST_CASE("the largest of everything at once is answered in finite numbers") {
  const std::string scenario = R"({"model":{"layers":10000,"hidden":65536,"heads":512,
      "head_dim":128,"ffn_hidden":65536,"vocab":1000000},
      "training":{"kind":"full","stack":"megatron","sequence_length":100000000,"micro_batch":40000000,
        "global_batch":1000000000,"tokens":1e18,"flash_attention":false,"recompute":"none"},
      "cluster":{"gpu":"h100-sxm-80gb","count":1000000,"internode_gb_s_per_gpu":1e-6},
      "layout":{"pp":10000,"tp":4},
      "price":{"per_gpu_hour":"999999999999.999999"},
      "storage":{"checkpoints_kept":1000000,"bytes_per_token":1000000},
      "reliability":{"failures_per_gpu_day":1000,"checkpoint_interval_s":1000000000,
        "storage_write_gb_s":1e-6,"restart_s":1000000000},"explain":true})";
  const Json large = sound_answer(scenario);
  for (const Json& absent : large["absent"]) CHECK(absent["code"] != "not_finite");
  CHECK(large["memory"]["fits"] == false);
  CHECK(is_absent(large, "/cost", "out_of_range"));
}

}  // namespace
}  // namespace traintally::testing
