// The built-in catalogue against what it claims, and the reading of a provider's own list.

#include <traintally/catalog.hpp>
#include <traintally/catalog_data.hpp>
#include <traintally/money.hpp>
#include <traintally/parameters.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "json.hpp"
#include "json/catalog_json.hpp"
#include "spelling.hpp"

namespace traintally {
namespace {

const Json& document() {
  static const Json parsed = [] {
    Problems problems;
    Json json = parse_document({catalog_text, catalog_text_size}, problems);
    for (const Problem& p : problems) FAIL_CHECK(p.at << " " << p.code << " " << p.accepts);
    return json;
  }();
  return parsed;
}

/// The catalogue as it ships, read once; whatever is wrong with it fails the test that is running.
const Catalog& catalog() {
  static const Catalog loaded = [] {
    Catalog result;
    Problems problems;
    load_catalog(reparsed(document()), result, problems);
    for (const Problem& p : problems) FAIL_CHECK(p.at << " " << p.code << " " << p.accepts);
    return result;
  }();
  return loaded;
}

const Json& raw(const char* list, std::string_view id) {
  for (const Json& entry : document()[list]) {
    if (entry["id"] == id) return entry;
  }
  FAIL("no " << list << " " << id);
  return document();
}

const GpuEntry& gpu(const char* id) {
  const GpuEntry* entry = catalog().find_gpu(id);
  REQUIRE(entry != nullptr);
  return *entry;
}

double tflops(const GpuEntry& entry, MatmulKind kind) { return entry.gpu.rate(kind).value / 1e12; }

double gib(const GpuEntry& entry) { return entry.gpu.usable_memory.value / kGiB; }

/// Reads `text` as a provider's list over the built-in catalogue.
struct Provided {
  Catalog merged = catalog();
  Problems problems;

  explicit Provided(const std::string& text) {
    const Json list = parse_document(text, problems);
    REQUIRE(problems.empty());
    load_entries(reparsed(list), "/catalog", merged, problems);
  }
  std::string first() const {
    return problems.empty() ? "" : problems[0].at + " " + problems[0].code;
  }
};

std::string gpu_list(const std::string& fields) {
  return R"({"gpus":[{"id":"x","name":"X","memory_gb":24,"memory_bandwidth_gb_s":1000,)"
         R"("peak_tflops":{"bf16":100})" +
         fields + "}]}";
}

std::string offer_list(const std::string& fields) {
  return R"({"offers":[{"id":"o","provider":"P","gpu":"rtx-4090","date":"2026-11-30",)"
         R"("prices":[{"mode":"on_demand","value":"2.00","currency":"CNY"}])" +
         fields + "}]}";
}

TEST_CASE("every entry of the catalogue is read, and ids are unique") {
  CHECK(catalog().gpus.size() == document()["gpus"].size());
  CHECK(catalog().models.size() == document()["models"].size());
  CHECK(catalog().offers.size() == document()["offers"].size());
  CHECK(catalog().gpus.size() >= 85);
  CHECK(catalog().models.size() == 162);
  CHECK(catalog().offers.size() >= 40);
}

TEST_CASE("a name that somebody types means one entry") {
  std::map<std::string, std::string> owner;
  const auto add = [&](const auto& entry, std::string_view name, NameKind kind) {
    const std::string plain = plain_name(name, kind);
    const auto outcome = owner.emplace(plain, entry.id);
    const std::string& means = outcome.first->second;
    CHECK_MESSAGE((outcome.second || means == entry.id), plain, " means ", means, " and ",
                  entry.id);
  };
  const auto check = [&](const auto& entries, NameKind kind) {
    owner.clear();
    for (const auto& entry : entries) {
      add(entry, entry.id, kind);
      if constexpr (requires { entry.name.data(); }) add(entry, entry.name, kind);
      for (const std::string_view alias : entry.aliases) add(entry, alias, kind);
    }
  };
  check(catalog().gpus, NameKind::plain);
  check(catalog().models, NameKind::model);
  check(catalog().stacks, NameKind::plain);
  check(catalog().optimizers, NameKind::plain);

  CHECK(gpu("H100").id == "h100-sxm-80gb");
  CHECK(gpu("rtx4090").id == "rtx-4090");
  CHECK(gpu("昇腾910B").id == "ascend-910b2");
  REQUIRE(catalog().find_model("qwen/qwen2.5-7b") != nullptr);
  CHECK(catalog().find_model("qwen/qwen2.5-7b")->id == "qwen2.5-7b");
  CHECK(catalog().find_model("通义千问2.5-7B") == catalog().find_model("qwen2.5-7b"));
  CHECK(catalog().find_gpu("") == nullptr);
  CHECK(catalog().find_gpu("-") == nullptr);
  CHECK(catalog().find_gpu("NVIDIA") == nullptr);
  CHECK(catalog().find_gpu("h100-sxm-90g") == nullptr);
  CHECK(catalog().find_gpu("AMD A100") == nullptr);
  CHECK(catalog().find_model("Qwen/") == nullptr);
  CHECK(catalog().find_model("Instruct") == nullptr);
  CHECK(catalog().find_offer("ARTICLE-ENTRY") == nullptr);
}

TEST_CASE("GPUs are found as nvidia-smi and rocm-smi print them") {
  const std::pair<const char*, const char*> printed[] = {
      {"NVIDIA A100-SXM4-80GB", "a100-sxm-80gb"},
      {"NVIDIA A100-SXM4-40GB", "a100-sxm-40gb"},
      {"NVIDIA A100-PCIE-40GB", "a100-pcie-40gb"},
      {"NVIDIA A100 80GB PCIe", "a100-pcie-80gb"},
      {"NVIDIA A800-SXM4-80GB", "a800-sxm-80gb"},
      {"NVIDIA A800 80GB PCIe", "a800-pcie-80gb"},
      {"NVIDIA H100 80GB HBM3", "h100-sxm-80gb"},
      {"NVIDIA H100 PCIe", "h100-pcie-80gb"},
      {"NVIDIA H100 NVL", "h100-nvl-94gb"},
      {"NVIDIA H800", "h800-sxm-80gb"},
      {"NVIDIA H20", "h20-96gb"},
      {"NVIDIA H200", "h200-sxm-141gb"},
      {"NVIDIA GH200 480GB", "gh200-96gb"},
      {"NVIDIA B200", "b200-sxm-180gb"},
      {"NVIDIA GeForce RTX 4090", "rtx-4090"},
      {"NVIDIA GeForce RTX 4090 D", "rtx-4090d"},
      {"NVIDIA GeForce RTX 3090", "rtx-3090"},
      {"NVIDIA GeForce RTX 3060", "rtx-3060-12gb"},
      {"NVIDIA GeForce RTX 2080 Ti", "rtx-2080-ti"},
      {"NVIDIA RTX A6000", "rtx-a6000"},
      {"NVIDIA RTX 6000 Ada Generation", "rtx-6000-ada"},
      {"NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "rtx-pro-6000-workstation"},
      {"NVIDIA L40S", "l40s"},
      {"NVIDIA A10", "a10"},
      {"NVIDIA A10G", "a10g"},
      {"Tesla T4", "t4"},
      {"Tesla V100-SXM2-16GB", "v100-sxm2-16gb"},
      {"Tesla V100-SXM2-32GB", "v100-sxm2-32gb"},
      {"Tesla P100-PCIE-16GB", "p100-pcie-16gb"},
      {"Quadro RTX 8000", "quadro-rtx-8000"},
      {"AMD Instinct MI300X", "mi300x"},
      {"910B2", "ascend-910b2"}};
  for (const auto& each : printed) {
    CAPTURE(each.first);
    REQUIRE(catalog().find_gpu(each.first) != nullptr);
    CHECK(catalog().find_gpu(each.first)->id == each.second);
  }
  for (const char* typed : {"a100", "A100 80G", "a100-80g", "A100_80GB", "a100-sxm"}) {
    CAPTURE(typed);
    REQUIRE(catalog().find_gpu(typed) != nullptr);
    CHECK(catalog().find_gpu(typed)->id == "a100-sxm-80gb");
  }
}

TEST_CASE("a model is found by its repository, however it was tuned or packed") {
  const std::pair<const char*, const char*> repositories[] = {
      {"Qwen/Qwen2.5-32B-Instruct", "qwen2.5-32b"},
      {"Qwen/Qwen3-8B-Base", "qwen3-8b"},
      {"meta-llama/Llama-3.1-8B-Instruct", "llama-3.1-8b"},
      {"unsloth/Meta-Llama-3.1-8B-Instruct", "llama-3.1-8b"},
      {"meta-llama/Llama-2-13b-chat-hf", "llama-2-13b"},
      {"mistralai/Mistral-7B-Instruct-v0.3", "mistral-7b-v0.3"},
      {"mistralai/Mistral-Nemo-Instruct-2407", "mistral-nemo-12b"},
      {"mistralai/Mixtral-8x7B-Instruct-v0.1", "mixtral-8x7b"},
      {"google/gemma-2-9b-it", "gemma-2-9b"},
      {"google/gemma-3-12b-it", "gemma-3-12b"},
      {"deepseek-ai/DeepSeek-V3-Base", "deepseek-v3"},
      {"deepseek-ai/deepseek-llm-7b-chat", "deepseek-llm-7b"},
      {"internlm/internlm2_5-7b-chat", "internlm2.5-7b"},
      {"01-ai/Yi-34B-Chat", "yi-34b"},
      {"baichuan-inc/Baichuan2-7B-Chat", "baichuan2-7b"}};
  for (const auto& each : repositories) {
    CAPTURE(each.first);
    REQUIRE(catalog().find_model(each.first) != nullptr);
    CHECK(catalog().find_model(each.first)->id == each.second);
  }
}

TEST_CASE("stacks and optimizers are found by the names of their makers") {
  const std::pair<const char*, const char*> stacks[] = {{"Megatron-LM", "megatron"},
                                                        {"megatron-core", "megatron"},
                                                        {"huggingface", "hf"},
                                                        {"transformers", "hf"},
                                                        {"trl", "hf"},
                                                        {"pytorch-fsdp", "fsdp"},
                                                        {"fsdp2", "fsdp"},
                                                        {"DeepSpeed", "deepspeed"},
                                                        {"swift", "ms-swift"},
                                                        {"llamafactory", "llama-factory"},
                                                        {"Unsloth", "unsloth"}};
  for (const auto& each : stacks) {
    CAPTURE(each.first);
    REQUIRE(catalog().find_stack(each.first) != nullptr);
    CHECK(catalog().find_stack(each.first)->id == each.second);
  }
  const std::pair<const char*, const char*> optimizers[] = {
      {"adamw_torch", "adamw"},
      {"adamw_torch_fused", "adamw"},
      {"adamw_8bit", "adamw-8bit"},
      {"adamw_bnb_8bit", "adamw-8bit"},
      {"paged_adamw_8bit", "adamw-paged-8bit"},
      {"paged_adamw_32bit", "adamw-paged"},
      {"lion_8bit", "lion-8bit"},
      {"adafactor", "adafactor"}};
  for (const auto& each : optimizers) {
    CAPTURE(each.first);
    REQUIRE(catalog().find_optimizer(each.first) != nullptr);
    CHECK(catalog().find_optimizer(each.first)->id == each.second);
  }
}

// 158 models count to within 0.5% of the published number; the other four are named, with why.
TEST_CASE("parameter counts equal the published ones") {
  std::set<std::string> outside;
  for (const ModelEntry& entry : catalog().models) {
    CAPTURE(entry.id);
    REQUIRE(entry.published_parameters > 0);
    const auto total = static_cast<double>(count_parameters(entry.model).total);
    const double error = total / entry.published_parameters - 1;
    if (std::abs(error) > 0.005) outside.emplace(entry.id);
    CHECK((std::abs(error) > 0.005) == !entry.count_note.empty());
    if (raw("models", entry.id)["published_precision"] == "exact") {
      CHECK(std::abs(error) < 1e-6);
    }
  }
  CHECK(outside ==
        std::set<std::string>{"glm-4.5", "grok-1", "megatron-sc21-1.7b", "megatron-sc21-3.6b"});
}

TEST_CASE("well-known totals, to the parameter") {
  const auto total = [](const char* id) {
    return count_parameters(catalog().find_model(id)->model).total;
  };
  CHECK(total("llama-3.1-8b") == 8'030'261'248);
  CHECK(total("qwen2.5-7b") == 7'615'616'512);
  CHECK(total("mixtral-8x7b") == 46'702'792'704);
  CHECK(total("deepseek-v3") == 671'026'419'200);
  CHECK(total("gpt-2-124m") == 124'439'808);
  CHECK(total("olmo-2-7b") == 7'298'617'344);          // norms over all heads
  CHECK(total("mpt-7b") == 6'649'286'656);             // layer norms without biases
  CHECK(total("minimax-text-01") == 456'089'655'296);  // linear attention in 70 of 80 layers
}

// Published active counts leave out the input embedding, both embeddings, or nothing.
TEST_CASE("active parameters equal the published ones under one of the conventions") {
  int checked = 0;
  for (const ModelEntry& entry : catalog().models) {
    const Json& fields = raw("models", entry.id);
    if (!fields.contains("published_active_params")) continue;
    CAPTURE(entry.id);
    const auto published = fields["published_active_params"].get<double>();
    const Parameters p = count_parameters(entry.model);
    const std::int64_t input = entry.model.tied_embeddings ? 0 : p.embedding;
    double nearest = 1;
    for (const std::int64_t active :
         {p.active, p.active - input, p.active - input - p.head_matrix}) {
      nearest = std::min(nearest, std::abs(static_cast<double>(active) / published - 1));
    }
    CHECK(nearest < 0.03);
    ++checked;
  }
  CHECK(checked >= 30);
}

TEST_CASE("every GPU has what the maths reads, or is marked as in no vendor's list") {
  for (const GpuEntry& entry : catalog().gpus) {
    CAPTURE(entry.id);
    const Json& fields = raw("gpus", entry.id);
    CHECK(!fields["sources"].empty());
    if (!entry.verified) {
      CHECK(entry.listed_by_provider);
      CHECK(!fields["notes"].get<std::string>().empty());
      CHECK_FALSE(fields.contains("peak_tflops"));
      CHECK(entry.gpu.usable_memory.value == 0);
      CHECK(entry.gpu.rate(MatmulKind::bf16).value == 0);
      continue;
    }
    CHECK(entry.gpu.memory_bandwidth.value > 0);
    CHECK(gib(entry) > 0.8 * entry.memory_gb);
    CHECK(gib(entry) <= entry.memory_gb);
    const double bf16 = tflops(entry, MatmulKind::bf16);
    CHECK((bf16 > 0 || tflops(entry, MatmulKind::fp16) > 0));
    if (bf16 <= 0) CHECK(fields["notes"].get<std::string>().find("bf16") != std::string::npos);
    CHECK(entry.gpu.per_node >= 1);
    CHECK(!entry.architecture.empty());
  }
}

TEST_CASE("names that no vendor lists are carried as that") {
  std::set<std::string> unverified;
  for (const GpuEntry& entry : catalog().gpus) {
    if (!entry.verified) unverified.emplace(entry.id);
  }
  CHECK(unverified == std::set<std::string>{"h300-192gb", "ascend-920-pro"});
}

// A 2:4 sparse figure, or one with fp16 accumulation, is twice the training rate.
TEST_CASE("peaks are dense, with fp32 accumulation") {
  CHECK(tflops(gpu("rtx-4090"), MatmulKind::bf16) == doctest::Approx(165.2));
  CHECK(tflops(gpu("a100-sxm-40gb"), MatmulKind::bf16) == doctest::Approx(312));
  CHECK(tflops(gpu("h100-sxm-80gb"), MatmulKind::bf16) == doctest::Approx(989.4));
  CHECK(tflops(gpu("h200-sxm-141gb"), MatmulKind::bf16) == doctest::Approx(989.4));
  CHECK(tflops(gpu("b200-sxm-180gb"), MatmulKind::bf16) == doctest::Approx(2250));
  CHECK(tflops(gpu("mi300x"), MatmulKind::bf16) == doctest::Approx(1307.4));
  CHECK(tflops(gpu("h100-sxm-80gb"), MatmulKind::fp8) == doctest::Approx(1978.9));
  CHECK(tflops(gpu("a100-sxm-80gb"), MatmulKind::fp8) == 0);
  for (const GpuEntry& entry : catalog().gpus) {
    CAPTURE(entry.id);
    const double bf16 = tflops(entry, MatmulKind::bf16);
    const double fp32 = tflops(entry, MatmulKind::fp32);
    // GeForce since Ampere: 512 FLOP a clock of an SM with fp32 accumulation, 256 plain.
    if (entry.name.rfind("GeForce RTX", 0) == 0 && bf16 > 0) CHECK(bf16 <= 2.02 * fp32);
    const Json& fields = raw("gpus", entry.id);
    if (fields.contains("achievable_matmul_tflops")) {
      const auto measured = fields["achievable_matmul_tflops"]["bf16"].get<double>();
      CHECK(measured < bf16);
      CHECK(measured > 0.5 * bf16);
    }
  }
}

TEST_CASE("links are one way, and only where they are there") {
  CHECK(gpu("a100-sxm-80gb").gpu.link.value == 300e9);
  CHECK(gpu("h100-sxm-80gb").gpu.link.value == 450e9);
  CHECK(gpu("h800-sxm-80gb").gpu.link.value == 200e9);
  CHECK(gpu("gb200-nvl72").gpu.link_domain == 72);
  CHECK(gpu("rtx-4090").gpu.link.value == 0);
  CHECK_FALSE(gpu("rtx-4090").gpu.peer_to_peer);
  CHECK(gpu("l40s").gpu.peer_to_peer);
  CHECK(gpu("rtx-3090").gpu.link.value == 0);  // its bridge is sold apart
  CHECK(gpu("rtx-3090").gpu.link_domain == 1);
}

TEST_CASE("a package of two devices is split as a framework sees it") {
  const GpuEntry& mi250x = gpu("mi250x");
  CHECK(mi250x.devices == 2);
  CHECK(gib(mi250x) == doctest::Approx(63.98));
  CHECK(tflops(mi250x, MatmulKind::bf16) == doctest::Approx(191.5));
  CHECK(mi250x.gpu.per_node == 8);  // four packages
  CHECK(gib(gpu("ascend-910c")) == doctest::Approx(61.25));
  const OfferEntry* offer = catalog().find_offer("market-cn-ascend-910c");
  REQUIRE(offer != nullptr);
  CHECK(offer->count == 16);
  CHECK_FALSE(offer->per_gpu);

  const Provided by_card(
      R"({"offers":[{"id":"c","provider":"P","gpu":"ascend-910c","count":8,"per":"gpu",)"
      R"("date":"2026-11","prices":[{"mode":"on_demand","value":"10","currency":"CNY"}]}]})");
  CHECK(by_card.first().empty());
  REQUIRE(by_card.merged.find_offer("c") != nullptr);
  CHECK(by_card.merged.find_offer("c")->count == 2);
  CHECK_FALSE(by_card.merged.find_offer("c")->per_gpu);
}

TEST_CASE("every network is its NICs shared, and every GPU's is in the list") {
  std::map<std::string, double> share;
  for (const Json& network : document()["networks"]) {
    const auto number = [&network](const char* name) { return network[name].get<double>(); };
    const double per_gpu = number("nics") * number("gbit_s_each") / 8 / number("gpus");
    CAPTURE(network["id"].get<std::string>());
    CHECK(number("per_gpu_gb_s") == doctest::Approx(per_gpu));
    share[network["id"].get<std::string>()] = per_gpu;
  }
  for (const Json& entry : document()["gpus"]) {
    if (!entry.contains("internode_gb_s")) continue;
    CAPTURE(entry["id"].get<std::string>());
    const auto network = share.find(entry["internode_network"].get<std::string>());
    REQUIRE(network != share.end());
    CHECK(entry["internode_gb_s"].get<double>() == doctest::Approx(network->second));
  }
}

TEST_CASE("usable memory that nobody read follows a rule of the catalogue") {
  std::map<std::string, double> fraction;
  for (const Json& rule : document()["usable_memory_rules"]) {
    fraction[rule["id"].get<std::string>()] = rule["fraction"].get<double>();
  }
  for (const Json& entry : document()["gpus"]) {
    if (!entry.contains("usable_basis")) continue;
    CAPTURE(entry["id"].get<std::string>());
    if (entry["usable_basis"] != "rule") {
      CHECK(!entry["usable_source"].get<std::string>().empty());
      continue;
    }
    REQUIRE(fraction.count(entry["usable_rule"].get<std::string>()) == 1);
    const double usable =
        entry["memory_gb"].get<double>() * fraction[entry["usable_rule"].get<std::string>()];
    CHECK(entry["usable_gib"].get<double>() == doctest::Approx(usable).epsilon(1e-3));
  }
}

TEST_CASE("every offer names a GPU, a day and a source") {
  for (const OfferEntry& offer : catalog().offers) {
    CAPTURE(offer.id);
    const GpuEntry* entry = catalog().find_gpu(offer.gpu);
    REQUIRE(entry != nullptr);
    CHECK(entry->id == offer.gpu);
    CHECK(entry->verified);
    CHECK(offer.date >= "2026-03");
    CHECK(offer.date <= "2026-11-30");
    CHECK(!offer.source.empty());
    CHECK(!offer.name_en.empty());
    CHECK(!offer.name_zh.empty());
    REQUIRE(!offer.prices.empty());
    for (const OfferPrice& price : offer.prices) {
      const std::optional<Decimal> value = Decimal::parse(price.value);
      REQUIRE(value);
      CHECK(*value > Decimal::from_integer(0));
      CHECK((price.currency == "CNY" || price.currency == "USD"));
    }
  }
}

TEST_CASE("spot is cheaper than on demand, per hour of the same offer") {
  int compared = 0;
  for (const OfferEntry& offer : catalog().offers) {
    std::optional<Decimal> on_demand;
    std::optional<Decimal> spot;
    for (const OfferPrice& price : offer.prices) {
      if (price.mode == BillingMode::on_demand) on_demand = Decimal::parse(price.value);
      if (price.mode == BillingMode::spot) spot = Decimal::parse(price.value);
    }
    if (!on_demand || !spot) continue;
    CAPTURE(offer.id);
    CHECK(*spot < *on_demand);
    ++compared;
  }
  CHECK(compared >= 10);
}

TEST_CASE("the article's three plans are as the article states them") {
  const auto plan = [](const char* id) {
    const OfferEntry* offer = catalog().find_offer(id);
    REQUIRE(offer != nullptr);
    return *offer;
  };
  const OfferEntry entry = plan("article-entry");
  CHECK(entry.gpu == "rtx-4090");
  CHECK(entry.count == 1);
  REQUIRE(entry.prices.size() == 2);
  CHECK(entry.prices[0].mode == BillingMode::on_demand);
  CHECK(entry.prices[0].value == "1.86");
  CHECK(entry.prices[0].rounding_s == 1);  // billed by the second
  CHECK(entry.prices[1].mode == BillingMode::monthly);
  CHECK(entry.prices[1].value == "1100");
  CHECK(entry.prices[1].tax_included);
  CHECK(entry.annual_factor.empty());  // no annual price is offered
  CHECK(entry.storage_tb == 10);
  CHECK(entry.bandwidth_mbit_s == 32);
  CHECK(entry.stated_month_average == "1350");

  const OfferEntry advanced = plan("article-advanced");
  CHECK(advanced.gpu == "a100-sxm-40gb");
  CHECK(advanced.count == 4);
  CHECK(advanced.prices[0].value == "27600");
  CHECK(advanced.annual_factor == "0.65");
  CHECK(advanced.stated_year == "177120");
  CHECK(advanced.rdma == Known::yes);
  CHECK(advanced.isolation == Known::unknown);

  const OfferEntry flagship = plan("article-flagship");
  CHECK(flagship.gpu == "h100-sxm-80gb");
  CHECK(flagship.count == 8);
  CHECK(flagship.prices[0].value == "192000");
  CHECK(flagship.annual_factor == "0.65");
  CHECK(flagship.stated_year == "1257600");
  CHECK(flagship.storage_tb == 100);
}

TEST_CASE("the failure rate is the count that it is derived from") {
  const Json& failures = document()["reliability"]["failures_per_gpu_day"];
  const double derived = failures["interruptions"].get<double>() /
                         (failures["days"].get<double>() * failures["gpus"].get<double>());
  CHECK(failures["value"].get<double>() == doctest::Approx(derived).epsilon(1e-6));
  double causes = 0;
  for (const Json& cause : document()["reliability"]["causes"]) {
    causes += cause["interruptions"].get<double>();
  }
  CHECK(causes <= failures["interruptions"].get<double>());
  CHECK(catalog().reliability.failures_per_gpu_day == doctest::Approx(derived).epsilon(1e-6));
  CHECK(Decimal::parse(catalog().cny_per_usd).has_value());
}

TEST_CASE("a provider's entries are added, and replace those of the same id") {
  const Provided added(gpu_list(R"(,"usable_gib":23.5,"aliases":["my card"])"));
  CHECK(added.first().empty());
  CHECK(added.merged.gpus.size() == catalog().gpus.size() + 1);
  REQUIRE(added.merged.find_gpu("My Card") != nullptr);
  CHECK(gib(*added.merged.find_gpu("x")) == doctest::Approx(23.5));

  const Provided replaced(
      R"({"offers":[{"id":"article-entry","provider":"P","gpu":"RTX 4090","date":"2026-11-30",)"
      R"("prices":[{"mode":"monthly","value":"999.90","currency":"CNY"}]}]})");
  CHECK(replaced.first().empty());
  CHECK(replaced.merged.offers.size() == catalog().offers.size());
  CHECK(replaced.merged.find_offer("article-entry")->prices.size() == 1);
  CHECK(replaced.merged.find_offer("article-entry")->prices[0].value == "999.90");
  CHECK(replaced.merged.find_offer("article-entry")->gpu == "rtx-4090");  // named by an alias

  const Provided own_gpu(
      R"({"gpus":[{"id":"x","name":"X","memory_gb":24,"memory_bandwidth_gb_s":1000,)"
      R"("peak_tflops":{"fp16":100}}],"offers":[{"id":"o","provider":"P","gpu":"x",)"
      R"("date":"2026-11-30","prices":[{"mode":"spot","value":"1","currency":"USD"}]}]})");
  CHECK(own_gpu.first().empty());
  CHECK(own_gpu.merged.find_offer("o")->gpu == "x");
}

TEST_CASE("usable memory that a provider leaves out is the lowest share known of the vendor") {
  const Provided nvidia(gpu_list(R"(,"vendor":"NVIDIA")"));
  const Provided unknown(gpu_list(R"(,"vendor":"Nobody")"));
  const double t4 = 14.75 / 16;  // the lowest of NVIDIA's
  CHECK(gib(*nvidia.merged.find_gpu("x")) <= 24 * t4 * 1.0001);
  CHECK(gib(*nvidia.merged.find_gpu("x")) > 24 * 0.9);
  CHECK(gib(*unknown.merged.find_gpu("x")) <= gib(*nvidia.merged.find_gpu("x")));
  CHECK_FALSE(nvidia.merged.find_gpu("x")->usable_known);
}

TEST_CASE("what is wrong with an entry is a problem at its field, and the entry is left out") {
  struct Wrong {
    std::string list;
    const char* problem;
  };
  const Wrong wrong[] = {
      {R"([])", "/catalog wrong_type"},
      {R"({"gpus":{}})", "/catalog/gpus wrong_type"},
      {R"({"gpus":[7]})", "/catalog/gpus/0 wrong_type"},
      {R"({"stacks":[]})", "/catalog/stacks unknown_field"},
      {R"({"gpus":[{"name":"X"}]})", "/catalog/gpus/0/id missing"},
      {R"({"gpus":[{"id":"x","name":"X"}]})", "/catalog/gpus/0/memory_gb missing"},
      {R"({"gpus":[{"id":"x","name":"X","memory_gb":24,"memory_bandwidth_gb_s":1,)"
       R"("peak_tflops":{"fp32":1}}]})",
       "/catalog/gpus/0/peak_tflops missing"},
      {gpu_list(R"(,"memory_bandwith":1)"), "/catalog/gpus/0/memory_bandwith unknown_field"},
      {gpu_list(R"(,"usable_gib":25)"), "/catalog/gpus/0/usable_gib out_of_range"},
      {gpu_list(R"(,"tdp_w":0)"), "/catalog/gpus/0/tdp_w not_positive"},
      {gpu_list(R"(,"aliases":[""])"), "/catalog/gpus/0/aliases/0 missing"},
      {gpu_list(R"(,"link":{"name":"L","gb_s":-1,"max_domain":2})"),
       "/catalog/gpus/0/link/gb_s not_positive"},
      {gpu_list(R"(,"achievable_matmul_tflops":{"bf16":101,"source":"s"})"),
       "/catalog/gpus/0/achievable_matmul_tflops/bf16 out_of_range"},
      {gpu_list(R"(,"dies_per_package":9223372036854775807)"),
       "/catalog/gpus/0/dies_per_package out_of_range"},
      {R"({"offers":[{"id":"o","provider":"P","gpu":"ascend-910c","date":"2026-11-30","count":)"
       R"(9223372036854775807,"prices":[{"mode":"spot","value":"1","currency":"CNY"}]}]})",
       "/catalog/offers/0/count out_of_range"},
      {gpu_list(R"(,"confidence":"sure")"), "/catalog/gpus/0/confidence not_one_of"},
      {R"({"models":[{"id":"m","name":"M","hidden":64,"heads":1,"ffn_hidden":64,"vocab":10}]})",
       "/catalog/models/0/layers missing"},
      {R"({"offers":[{"id":"o"}]})", "/catalog/offers/0/provider missing"},
      {offer_list(R"(,"count":0)"), "/catalog/offers/0/count not_positive"},
      {offer_list(R"(,"annual_factor":"1.5")"), "/catalog/offers/0/annual_factor out_of_range"},
      {offer_list(R"(,"annual_factor":"0")"), "/catalog/offers/0/annual_factor out_of_range"},
      {offer_list(R"(,"valid_until":"soon")"), "/catalog/offers/0/valid_until not_date"},
      {offer_list(R"(,"valid_until":"2026-13")"), "/catalog/offers/0/valid_until not_date"},
      {offer_list(R"(,"checklist":{"rdma":"maybe"})"),
       "/catalog/offers/0/checklist/rdma not_one_of"},
      {offer_list(R"(,"stated":{"fits_params_b":[]})"),
       "/catalog/offers/0/stated/fits_params_b out_of_range"},
      {R"({"offers":[{"id":"o","provider":"P","gpu":"rtx-4090","date":"2026-11-30","prices":[]}]})",
       "/catalog/offers/0/prices missing"},
      {R"({"offers":[{"id":"o","provider":"P","gpu":"rtx-4090","prices":)"
       R"([{"mode":"spot","value":"1","currency":"CNY"}]}]})",
       "/catalog/offers/0/date missing"},
      {R"({"offers":[{"id":"o","provider":"P","gpu":"rtx-4091","date":"2026-11-30","prices":)"
       R"([{"mode":"spot","value":"1","currency":"CNY"}]}]})",
       "/catalog/offers/0/gpu unknown_gpu"},
      {R"({"offers":[{"id":"o","provider":"P","gpu":"l4","date":"2026-11-30","prices":)"
       R"([{"mode":"spot","value":"1e2","currency":"CNY"}]}]})",
       "/catalog/offers/0/prices/0/value not_decimal"},
      {R"({"offers":[{"id":"o","provider":"P","gpu":"l4","date":"2026-11-30","prices":)"
       R"([{"mode":"spot","value":1.5,"currency":"CNY"}]}]})",
       "/catalog/offers/0/prices/0/value wrong_type"},
      {R"({"offers":[{"id":"o","provider":"P","gpu":"l4","date":"2026-11-30","prices":)"
       R"([{"mode":"spot","value":"1","currency":"yuan"}]}]})",
       "/catalog/offers/0/prices/0/currency not_currency"},
      {R"({"offers":[{"id":"o","provider":"P","gpu":"l4","date":"2026-11-30","prices":)"
       R"([{"mode":"monthly","per":"hour","value":"1","currency":"CNY"}]}]})",
       "/catalog/offers/0/prices/0/per not_one_of"},
      {R"({"offers":[{"id":"o","provider":"P","gpu":"l4","date":"2026-11-30","prices":)"
       R"([{"mode":"spot","value":"1","currency":"CNY"},)"
       R"({"mode":"spot","value":"2","currency":"CNY"}]}]})",
       "/catalog/offers/0/prices/1/mode duplicate_mode"},
  };
  for (const Wrong& each : wrong) {
    CAPTURE(each.list);
    const Provided provided(each.list);
    CHECK(provided.first() == each.problem);
    CHECK(provided.merged.gpus.size() == catalog().gpus.size());
    CHECK(provided.merged.models.size() == catalog().models.size());
    CHECK(provided.merged.offers.size() == catalog().offers.size());
  }
}

TEST_CASE("an id given twice in one list is a problem, not a replacement") {
  const std::string entry =
      R"({"id":"x","name":"X","memory_gb":24,"memory_bandwidth_gb_s":1,"peak_tflops":{"bf16":1}})";
  const Provided twice("{\"gpus\":[" + entry + "," + entry + "]}");
  CHECK(twice.first() == "/catalog/gpus/1/id duplicate_id");
  CHECK(twice.merged.gpus.size() == catalog().gpus.size() + 1);
}

TEST_CASE("a misspelt GPU is answered with those that look like it") {
  const Provided provided(
      R"({"offers":[{"id":"o","provider":"P","gpu":"h100-sxn","date":"2026-11-30","prices":)"
      R"([{"mode":"spot","value":"1","currency":"CNY"}]}]})");
  REQUIRE(!provided.problems.empty());
  CHECK(provided.problems[0].accepts.find("h100-sxm-80gb") != std::string::npos);
}

TEST_CASE("thousands of wrong entries are answered with a bounded list of problems") {
  std::string list = "{\"offers\":[";
  for (int i = 0; i < 5000; ++i) {
    if (i > 0) list += ',';
    list += "{\"id\":\"" + std::to_string(i) + "\",\"gpu\":\"no such card\"}";
  }
  const Provided provided(list + "]}");
  CHECK(provided.problems.size() <= 101);
  CHECK(provided.problems.back().code == "more_problems");
  CHECK(provided.merged.offers.size() == catalog().offers.size());
}

// The normal form has every default filled in, and is its own normal form.
TEST_CASE("the catalog command answers with problems or the normal form") {
  const std::string given =
      R"({"gpus":[{"id":"x","name":"X","memory_gb":24,"memory_bandwidth_gb_s":1000,)"
      R"("peak_tflops":{"bf16":100}}],"models":[{"id":"m","name":"M","layers":2,"hidden":64,)"
      R"("heads":4,"ffn_hidden":128,"vocab":100}],"offers":[{"id":"o","provider":"P",)"
      R"("gpu":"4090","date":"2026-11-30","prices":)"
      R"([{"mode":"on_demand","value":"2.00","currency":"CNY"}]}]})";
  const auto answer = [](const std::string& text) {
    Problems problems;
    Json json = parse_document(catalog_answer(text, catalog()), problems);
    REQUIRE(problems.empty());
    return json;
  };
  const Json first = answer(given);
  CHECK(first["problems"].empty());
  const Json& normal = first["catalog"];
  CHECK(normal["gpus"][0]["peer_to_peer"] == false);
  CHECK(normal["gpus"][0]["usable_basis"] == "rule");
  CHECK(normal["models"][0]["kv_heads"] == 4);
  CHECK(normal["models"][0]["head_dim"] == 16);
  CHECK(normal["offers"][0]["gpu"] == "rtx-4090");
  CHECK(normal["offers"][0]["per"] == "plan");
  CHECK(normal["offers"][0]["prices"][0]["per"] == "hour");
  CHECK(normal["offers"][0]["checklist"]["rdma"] == "unknown");
  CHECK(answer(normal.dump())["catalog"] == normal);

  CHECK(answer("{\"offers\":3}")["problems"][0]["code"] == "wrong_type");
  CHECK(answer("{")["problems"][0]["code"] == "malformed_json");
}

TEST_CASE("the built-in entries are their own normal form's reading") {
  Json list = Json::object();
  for (const char* name : {"gpus", "models", "offers"}) list[name] = document()[name];
  Problems problems;
  const Json answer = parse_document(catalog_answer(list.dump(), catalog()), problems);
  REQUIRE(problems.empty());
  CHECK(answer["problems"].empty());
  Catalog again = catalog();
  load_entries(reparsed(answer["catalog"]), "", again, problems);
  CHECK(problems.empty());
  REQUIRE(again.models.size() == catalog().models.size());
  for (std::size_t i = 0; i < again.models.size(); ++i) {
    CAPTURE(again.models[i].id);
    CHECK(count_parameters(again.models[i].model).total ==
          count_parameters(catalog().models[i].model).total);
  }
  for (std::size_t i = 0; i < again.gpus.size(); ++i) {
    CAPTURE(again.gpus[i].id);
    CHECK(again.gpus[i].gpu.usable_memory.value == catalog().gpus[i].gpu.usable_memory.value);
    CHECK(again.gpus[i].gpu.link.value == catalog().gpus[i].gpu.link.value);
  }
}

}  // namespace
}  // namespace traintally
