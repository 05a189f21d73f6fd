// The report: its parts add up, its figures agree with each other, it repeats its scenario.

#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "answers.hpp"

namespace traintally::testing {
namespace {

double sum_of_parts(const Json& owner, const char* unit) {
  double sum = 0;
  for (const Json& part : owner["parts"]) sum += part[unit].get<double>();
  return sum;
}

double number(const Json& owner, const char* name) { return owner[name].get<double>(); }

bool is_decimal(const std::string& text) {
  if (text.empty() || text.find_first_not_of("0123456789.-") != std::string::npos) return false;
  return text.front() != '.' && text.back() != '.';
}

void check_estimate(const Json& estimate) {
  CHECK(number(estimate, "low") <= number(estimate, "value"));
  CHECK(number(estimate, "value") <= number(estimate, "high"));
}

void check_money(const Json& money) {
  CHECK(is_decimal(money["value"].get<std::string>()));
  if (!money.contains("low")) return;
  const auto amount = [&](const char* name) { return std::stod(money[name].get<std::string>()); };
  CHECK(amount("low") <= amount("value"));
  CHECK(amount("value") <= amount("high"));
}

void check_memory(const Json& memory) {
  const double sum = number(memory, "weights") + number(memory, "gradients") +
                     number(memory, "optimizer") + number(memory, "activations") +
                     number(memory, "logits") + number(memory, "buffers");
  const double slack = 16 + 1e-12 * sum;  // each part is rounded to a byte
  CHECK(std::abs(sum - number(memory["allocated_peak"], "value")) <= slack);
  CHECK(std::abs(sum_of_parts(memory, "bytes") - sum) <= slack);
  CHECK(std::abs(number(memory["reserved_peak"], "value") + number(memory, "context") -
                 number(memory["device_peak"], "value")) <= slack);
  CHECK(std::abs(number(memory, "usable") - number(memory["device_peak"], "value") -
                 number(memory, "margin")) <= slack);
  CHECK(memory["fits"].get<bool>() == (number(memory, "margin") >= 0));
  double fullest = 0;
  for (const Json& stage : memory["stages"]) fullest = std::max(fullest, number(stage, "device"));
  CHECK(fullest == number(memory["device_peak"], "value"));
  CHECK(number(memory["stages"][memory["stage"].get<std::size_t>()], "device") == fullest);
  for (const char* name : {"allocated_peak", "reserved_peak", "device_peak"}) {
    check_estimate(memory[name]);
  }
}

void check_time(const Json& report) {
  const Json& time = report["time"];
  const double step = number(time["step"], "value");
  CHECK(sum_of_parts(time, "seconds") == doctest::Approx(step).epsilon(1e-9));
  const Json& exposed = time["exposed_communication"];
  const double sum = number(time, "compute") + number(time, "bubble") +
                     number(time, "optimizer_step") + number(time, "offload") +
                     number(exposed, "tp") + number(exposed, "dp") + number(exposed, "pp") +
                     number(exposed, "cp") + number(exposed, "ep");
  CHECK(sum == doctest::Approx(step).epsilon(1e-9));
  const Json& training = report["resolved"]["training"];
  const double tokens = number(training, "sequence_length") * number(training, "global_batch");
  CHECK(number(time["tokens_per_second"], "value") == doctest::Approx(tokens / step).epsilon(1e-9));
  CHECK(number(time, "training") == doctest::Approx(number(time, "steps") * step).epsilon(1e-9));
  CHECK(number(time["run"], "value") >= number(time, "training"));
  for (const char* name : {"step", "tokens_per_second", "tokens_per_second_per_gpu", "mfu_causal",
                           "mfu_full_attention", "hfu", "run"}) {
    check_estimate(time[name]);
  }
  CHECK(number(time["mfu_causal"], "value") <= number(time["mfu_full_attention"], "value"));
  CHECK(number(time["mfu_causal"], "value") <= number(time["hfu"], "value") * (1 + 1e-12));
}

void check_report(const Json& report) {
  for (const Json& absent : report["absent"]) CHECK(absent["code"] != "not_finite");
  CHECK(number(report["parameters"], "trainable") <= number(report["parameters"], "total"));
  if (report["resolved"]["method"] == "published") {
    CHECK_FALSE(report.contains("memory"));
    CHECK(is_absent(report, "/memory", "published_method"));
    CHECK(report.contains("published"));
    return;
  }
  check_memory(report["memory"]);
  check_time(report);
  if (report.contains("cost")) {
    check_money(report["cost"]["total"]);
    check_money(report["cost"]["per_1k_tokens"]);
    check_money(report["cost"]["per_million_tokens"]);
    for (const Json& mode : report["cost"]["by_billing"]) check_money(mode["total"]);
  } else {
    CHECK(is_absent(report, "/cost", "no_offer_for_gpu"));
  }
}

TEST_CASE("figures of any scenario add up, are finite, and the resolved one has the same answer") {
  ScenarioMaker maker(7);
  int answered = 0;
  for (int i = 0; i < 600; ++i) {
    const std::string scenario = maker.next();
    CAPTURE(scenario);
    const Json report = answer(scenario);
    if (!report["problems"].empty()) {
      CHECK_FALSE(report.contains("memory"));
      continue;
    }
    ++answered;
    check_report(report);
    CHECK(answer(report["resolved"].dump()) == report);
  }
  CHECK(answered > 300);
}

TEST_CASE("fields come in the contract's order") {
  const std::string text = session().evaluate("estimate", R"({"model":"llama-3.1-8b"})");
  std::size_t last = 0;
  for (const char* name : {"{\"version\":1,\"problems\":", ",\"absent\":", ",\"warnings\":",
                           ",\"resolved\":", ",\"parameters\":", ",\"memory\":", ",\"time\":",
                           ",\"flops\":", ",\"cost\":", ",\"storage\":{\"dataset_bytes\"",
                           ",\"energy\":{\"kwh\"", ",\"basis\":", ",\"published\":"}) {
    CAPTURE(name);
    const std::size_t found = text.find(name);
    REQUIRE(found != std::string::npos);
    CHECK(found >= last);
    last = found;
  }
}

TEST_CASE("the first visit is answered: an 8B LoRA on the entry plan") {
  const Json report = sound_answer(R"({"model":"llama-3.1-8b"})");
  CHECK(report["parameters"]["total"] == 8030261248);
  CHECK(report["resolved"]["cluster"]["gpu"] == "rtx-4090");
  CHECK(report["resolved"]["price"]["offer"] == "article-entry");
  CHECK(report["cost"]["total"]["currency"] == "CNY");
  CHECK(report["cost"]["other_currency"]["total"]["currency"] == "USD");
  CHECK(report["published"]["vram_gb"] == doctest::Approx(96.363134976));
}

TEST_CASE("the visitor's own measurement rescales time and cost, and is said") {
  const std::string scenario =
      R"("model":"llama-3.1-8b","training":{"kind":"full","sequence_length":4096},
         "cluster":{"gpu":"h100-sxm-80gb","count":8},"price":{"per_gpu_hour":"10"}})";
  const Json predicted = sound_answer("{" + scenario);
  const double step = number(predicted["time"]["step"], "value");
  const Json measured =
      sound_answer("{\"measured\":{\"step_s\":" + std::to_string(step * 1.25) + "}," + scenario);
  const double ratio = number(measured["time"]["step"], "value") / step;
  CHECK(ratio == doctest::Approx(1.25).epsilon(1e-4));
  CHECK(number(measured["time"]["tokens_per_second"], "value") * ratio ==
        doctest::Approx(number(predicted["time"]["tokens_per_second"], "value")));
  CHECK(number(measured["time"]["step"], "high") == doctest::Approx(1.03 * step * ratio));
  CHECK(number(measured["time"]["step"], "high") / number(measured["time"]["step"], "low") <
        number(predicted["time"]["step"], "high") / number(predicted["time"]["step"], "low"));
  CHECK(warnings_of(measured).count("recalibrated") == 1);
  CHECK(warnings_of(predicted).count("recalibrated") == 0);
  CHECK(measured["memory"] == predicted["memory"]);
  for (std::size_t i = 0; i < predicted["time"]["parts"].size(); ++i) {
    CHECK(number(measured["time"]["parts"][i], "seconds") ==
          doctest::Approx(ratio * number(predicted["time"]["parts"][i], "seconds")));
  }

  const double speed = number(predicted["time"]["tokens_per_second"], "value");
  const Json faster = sound_answer(
      "{\"measured\":{\"tokens_per_second\":" + std::to_string(speed * 1.1) + "}," + scenario);
  CHECK(number(faster["time"]["tokens_per_second"], "value") ==
        doctest::Approx(speed * 1.1).epsilon(1e-6));
}

TEST_CASE("the article's method alone leaves the detailed figures out") {
  const Json report = sound_answer(R"({"model":{"params":7e9},"method":"published",
      "training":{"kind":"full"},"cluster":{"gpu":"h300-192gb","count":8}})");
  for (const char* figure : {"/memory", "/time", "/flops", "/cost", "/storage", "/energy"}) {
    CHECK(is_absent(report, figure, "published_method"));
    CHECK_FALSE(report.contains(figure + 1));
  }
  CHECK(report["published"]["vram_gb"].get<double>() == doctest::Approx(84).epsilon(0.001));
}

TEST_CASE("billing: what was asked is paid, spot only when asked") {
  const std::string head = R"({"model":"llama-3.1-8b","cluster":{"gpu":"a100-sxm-80gb"},)";
  const Json steady = sound_answer(head + R"("explain":false})");
  CHECK(steady["cost"]["mode"] != "spot");
  const Json monthly = sound_answer(head + R"("price":{"per_gpu_month":"5000","per_gpu_hour":"9",
                             "billing":"monthly"}})");
  CHECK(monthly["cost"]["mode"] == "monthly");
  CHECK(monthly["cost"]["total"]["value"] == "5000.00");
  const Json missing = sound_answer(head + R"("price":{"per_gpu_hour":"9","billing":"annual"}})");
  CHECK(missing["cost"]["mode"] == "on_demand");
  CHECK(warnings_of(missing).count("billing_mode_unavailable") == 1);
  const Json factor = sound_answer(
      head + R"("price":{"per_gpu_month":"100","annual_factor":"0.65","billing":"annual"}})");
  CHECK(factor["cost"]["total"]["value"] == "780.00");
  CHECK(factor["cost"]["by_billing"][1]["paid_fraction"] == "0.65");
  CHECK(factor["cost"]["by_billing"][1]["discount"] == "0.35");
}

struct Advice {
  const char* code;
  const char* scenario;
};

constexpr Advice kAdvice[] = {
    {"does_not_fit", R"({"model":"llama-3.1-70b","training":{"kind":"full"}})"},
    {"recompute_unneeded",
     R"({"model":"llama-3.2-1b","training":{"recompute":"full","stack":"hf"},
         "cluster":{"gpu":"h100-sxm-80gb"},"layout":{}})"},
    {"memory_unused", R"({"model":"llama-3.2-1b","cluster":{"gpu":"h200-sxm-141gb"}})"},
    {"logits_dominate", R"({"model":"qwen2.5-0.5b","training":{"kind":"lora","micro_batch":8},
                            "cluster":{"gpu":"h100-sxm-80gb"}})"},
    {"host_memory", R"({"model":"llama-3.1-8b","training":{"kind":"full","stack":"deepspeed"},
                        "cluster":{"gpu":"a100-sxm-80gb"},"layout":{"offload":"optimizer"}})"},
    {"pcie_bound", R"({"model":"llama-2-13b","training":{"stack":"megatron","kind":"full",
                       "global_batch":8},
                       "cluster":{"gpu":"rtx-4090","count":8},"layout":{"tp":8}})"},
    {"network_bound", R"({"model":"llama-2-13b","training":{"kind":"full"},
                          "cluster":{"gpu":"rtx-4090","count":32},"layout":{}})"},
    {"tp_across_nodes", R"({"model":"llama-2-13b","training":{"kind":"full"},
                            "cluster":{"gpu":"a100-sxm-80gb","count":8,"per_node":4},
                            "layout":{"tp":8}})"},
    {"bubble_large", R"({"model":"llama-2-13b","training":{"kind":"full","global_batch":8},
                         "cluster":{"gpu":"h100-sxm-80gb","count":8},"layout":{"pp":8}})"},
    {"floor_bound", R"({"model":"gpt-2-124m","training":{"kind":"full","sequence_length":128},
                        "cluster":{"gpu":"h100-sxm-80gb"}})"},
    {"scaled_model", R"({"model":{"params":9e9}})"},
    {"sequence_beyond_model", R"({"model":"gpt-2-124m","training":{"sequence_length":4096}})"},
    {"no_bf16", R"({"model":"llama-3.1-8b","cluster":{"gpu":"v100-sxm2-32gb"}})"},
    {"attention_not_fused", R"({"model":"llama-3.1-8b","training":{"sequence_length":8192,
                                "flash_attention":false}})"},
    {"tokens_below_a_step", R"({"model":"llama-3.1-8b","training":{"tokens":100}})"},
    {"goodput_low", R"({"model":"llama-3.1-8b","cluster":{"gpu":"h100-sxm-80gb","count":8},
                        "reliability":{"failures_per_gpu_day":1,"restart_s":3600}})"},
    {"storage_short", R"({"model":"llama-3.1-8b","storage":{"capacity_tb":0.0001}})"},
    {"rents_more_gpus", R"({"model":"llama-3.1-8b","cluster":{"gpu":"a100-sxm-40gb"},
                            "price":{"offer":"article-advanced"}})"},
    {"power_limited", R"({"model":"llama-3.1-8b",
                          "cluster":{"gpu":{"base":"rtx-4090","power_limit_w":300}}})"},
    {"spot_interruptions", R"({"model":"llama-3.1-8b","cluster":{"gpu":"a100-sxm-80gb"},
                               "price":{"billing":"spot"}})"},
    {"measured_far_off", R"({"model":"llama-3.1-8b","measured":{"tokens_per_second":1}})"},
};

TEST_CASE("advice is given where it is due, with figures, and not on the opposite") {
  const std::set<std::string> quiet = warnings_of(sound_answer(
      R"({"model":"llama-3.1-8b","training":{"kind":"full","stack":"megatron","global_batch":512,
          "micro_batch":2,"sequence_length":4096,"recompute":"none"},
          "cluster":{"gpu":"h100-sxm-80gb","count":8},"layout":{"tp":2,"dp":4}})"));
  for (const Advice& advice : kAdvice) {
    CAPTURE(advice.code);
    CAPTURE(advice.scenario);
    const Json report = sound_answer(advice.scenario);
    CHECK(warnings_of(report).count(advice.code) == 1);
    CHECK(quiet.count(advice.code) == 0);
  }
}

}  // namespace
}  // namespace traintally::testing
