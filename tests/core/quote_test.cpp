// Quotes: what is read from a text, and what is said about it.

#include <traintally/quote.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

#include <traintally/catalog_data.hpp>
#include <traintally/session.hpp>

#include "job_builder.hpp"

namespace traintally {
namespace {

using nlohmann::json;
using testing::rounded;

json ask(const json& request) {
  static const Session session({catalog_text, catalog_text_size});
  return json::parse(session.evaluate("quote", request.dump()));
}

json read(const char* text) { return ask({{"text", text}}); }

/// "verdict sentence" of the statement, or "".
std::string said(const json& answer, const char* code, std::size_t which = 0) {
  for (const json& s : answer["statements"]) {
    if (s["code"] != code) continue;
    if (which-- > 0) continue;
    return s["verdict"].get<std::string>() + " " + s["sentence_code"].get<std::string>();
  }
  return "";
}

double figure(const json& answer, const char* code, const char* name) {
  for (const json& s : answer["statements"]) {
    if (s["code"] == code) return s["figures"].value(name, -1.0);
  }
  return -1;
}

json article_quote(const char* id) {
  const json catalog = json::parse(std::string(catalog_text, catalog_text_size));
  for (const json& quote : catalog["quotes"]) {
    if (quote["id"] == id) return ask({{"quote", quote["quote"]}});
  }
  FAIL("no such quote");
  return {};
}

}  // namespace

TEST_SUITE("quote") {
  TEST_CASE("the article's entry plan") {
    const json a = article_quote("article-entry");
    REQUIRE(a["problems"].empty());
    CHECK(said(a, "cheaper_than_average") == "arithmetic_slip cheaper_than_slip");  // 18.5%
    CHECK(said(a, "unit_cost") == "arithmetic_slip unit_cost_slip");
    CHECK(said(a, "cheaper_unit_cost") == "arithmetic_slip cheaper_than_slip");  // 42%
    CHECK(said(a, "tokens_per_month") == "holds tokens_per_month_holds");
    CHECK(said(a, "tokens_per_day") == "implausible tokens_per_day_implausible");
    CHECK(figure(a, "tokens_per_day", "ratio") > 4000);
    CHECK(said(a, "training_days") == "implausible days_physics_implausible");
    CHECK(said(a, "fits_by_rule") == "does_not_fit fits_infeasible_range");
    CHECK(said(a, "fits").substr(0, 12) == "does_not_fit");
    CHECK(said(a, "quote_month_prices") == "conflicts quote_month_prices_conflict");
    CHECK(said(a, "quote_hour_prices") == "conflicts quote_hour_prices_conflict");
    CHECK(said(a, "breakeven_hours") == "conflicts breakeven_hours_conflict");  // 833 h at 1.32
    CHECK(said(a, "breakeven_hours", 1) == "holds breakeven_hours_holds");      // 591 h at 1.86
    CHECK(said(a, "hours_total") == "holds hourly_total_holds");                // 50 x 1.86 = 93
    CHECK(said(a, "transfer") == "conflicts quote_transfer_longer_than_training");
    CHECK(figure(a, "transfer", "days") == rounded(28.94, 1e-3));
  }

  TEST_CASE("the article's four-card plan") {
    const json a = article_quote("article-advanced");
    REQUIRE(a["problems"].empty());
    CHECK(said(a, "annual_price") == "arithmetic_slip annual_price_slip");
    CHECK(figure(a, "annual_price", "computed") == 215280);
    CHECK(said(a, "cheaper_than_average") == "holds cheaper_than_holds");
    CHECK(said(a, "unit_cost") == "holds unit_cost_holds");
    CHECK(said(a, "average_unit_cost") == "arithmetic_slip unit_cost_slip");
    CHECK(said(a, "cheaper_unit_cost") == "holds cheaper_than_holds");
    CHECK(said(a, "tokens_per_month") == "conflicts tokens_per_month_conflict");
    CHECK(said(a, "tokens_of_month") == "implausible tokens_per_card_day_implausible");
    CHECK(said(a, "fits_by_rule") == "does_not_fit fits_infeasible_range");
    CHECK(figure(a, "fits_by_rule", "need_gb") == rounded(336, 1e-9));
    CHECK(said(a, "fits").substr(0, 12) == "does_not_fit");
  }

  TEST_CASE("the article's eight-card plan") {
    const json a = article_quote("article-flagship");
    REQUIRE(a["problems"].empty());
    CHECK(said(a, "annual_price") == "arithmetic_slip annual_price_slip");
    CHECK(said(a, "annual_prices") == "conflicts annual_prices_conflict");
    CHECK(said(a, "discount_words") == "conflicts discount_words_conflict");
    CHECK(said(a, "unit_cost") == "arithmetic_slip unit_cost_ten_times");
    CHECK(said(a, "average_unit_cost") == "arithmetic_slip unit_cost_ten_times");
    CHECK(said(a, "tokens_of_month") == "implausible tokens_per_card_day_implausible");
    CHECK(said(a, "fits_by_rule") == "holds fits_holds_reduced");
    CHECK(a["counts"]["arithmetic_slip"] == 3);
    // The gravest come first.
    CHECK(a["statements"][0]["verdict"] == "implausible");
    CHECK(a["statements"].back()["verdict"] == "holds");
  }

  TEST_CASE("a Chinese text") {
    const json a = read(
        "训练集群 8×A100 80GB，月付 10 万元，包年 65 折，日训练 12 亿 tokens；适配 34B-70B；NVLink "
        "3.0");
    REQUIRE(a["problems"].empty());
    const json& q = a["quote"];
    CHECK(q["gpu"] == "a100-sxm-80gb");
    CHECK(q["count"] == json{8});
    CHECK(q["memory_gb"] == json{80});
    CHECK(q["per_month"] == json{"100000.00"});
    CHECK(q["zhe"] == json{65});
    CHECK(q["tokens_per_day"] == json{1200000000});
    CHECK(q["params_b"] == json{34, 70});
    CHECK(q["currency"] == "CNY");
    CHECK(a["text"]["not_understood"].empty());
    CHECK(a["text"]["gpu"]["assumed"] == false);
  }

  // 312 TFLOPS over 6 x 34e9 flops a token are 132 million tokens a day; 150 are said of a card.
  TEST_CASE("faster than the peak") {
    const json a = read("8×A100 80GB 日训练 12 亿 tokens，34B");
    CHECK(said(a, "tokens_per_day") == "implausible quote_tokens_above_peak");
    CHECK(figure(a, "tokens_per_day", "peak") == rounded(312e12 * 86400 / (6 * 34e9), 1e-9));
    CHECK(figure(a, "tokens_per_day", "ratio") == rounded(1.135, 1e-3));
  }

  TEST_CASE("an English text") {
    const json a =
        read("8x H100 80GB SXM, $2.49/GPU/hr on demand; monthly $11,500.50; 35% off for a year");
    REQUIRE(a["problems"].empty());
    const json& q = a["quote"];
    CHECK(q["gpu"] == "h100-sxm-80gb");
    CHECK(q["count"] == json{8});
    CHECK(q["per_gpu_hour"] == json{"2.49"});
    CHECK(q["per_month"] == json{"11500.50"});
    CHECK(q["discount_percent"] == json{35});
    CHECK(q["currency"] == "USD");
    CHECK(a["text"]["not_understood"].empty());
  }

  TEST_CASE("prices and their periods") {
    const auto field = [](const char* text) {
      const json a = read(text);
      return a["text"]["understood"].empty()
                 ? std::string("nothing")
                 : a["text"]["understood"].back()["field"].get<std::string>() + " " +
                       a["text"]["understood"].back()["value"].dump();
    };
    CHECK(field("1.86元/小时") == "per_hour 1.86");
    CHECK(field("¥1.86/卡时") == "per_gpu_hour 1.86");
    CHECK(field("每卡 4.5 万元/月") == "per_gpu_month 45000");
    CHECK(field("年付 177,120 元") == "per_year 177120");
    CHECK(field("年付 177120 元 月付 27600 元") == "per_month 27600");
    CHECK(field("行业平均月价 34400 元") == "average_per_month 34400");
    CHECK(field("1.08 元/1000 tokens") == "unit_cost_per_1k 1.08");
    CHECK(field("单卡每日训练约 3.3 万 tokens") == "tokens_per_card_day 33000");
    CHECK(field("12B tokens/day") == "tokens_per_day 12000000000");
    CHECK(field("带宽 32Mb") == "bandwidth_mbit_s 32");
    CHECK(field("10 Gbps uplink") == "bandwidth_mbit_s 10000");
    CHECK(field("NVMe SSD 10TB") == "storage_tb 10");
    CHECK(field("70 亿参数") == "params_b 7");
    CHECK(field("训练周期 14 天") == "training_days 14");
    CHECK(field("比均价低 20%") == "cheaper_percent 20");
    CHECK(field("年租折扣≥65%") == "discount_percent 65");
    // Nothing is guessed.
    CHECK(field("共 88 个") == "nothing");
    CHECK(field("价格 500 元") == "nothing");
    CHECK(read("价格 500 元")["text"]["not_understood"].size() == 1);
    CHECK(read("$5/hr, 5 元/小时")["warnings"][0]["code"] == "mixed_currencies");
    CHECK(field("Llama 70B") == "params_b 70");
    CHECK(field("llama-3.1-8b") == "params_b 8");
    CHECK(field("train Llama 70B in 2 days") == "training_days 2");
    CHECK(field("月租12000") == "per_month 12000");
    CHECK(field("月付 12.5万/月") == "per_month 125000");
    CHECK(field("年付 120万") == "per_year 1200000");
    CHECK(field("1.2w/月") == "per_month 12000");
    CHECK(field("月租1万2") == "per_month 12000");
    CHECK(field("A100 x 8 = 31,500/mo") == "per_month 31500");
    CHECK(field("4090每小时1.88") == "per_hour 1.88");
    CHECK(read("H20 集群")["text"]["gpu"]["assumed"] == true);
  }

  // 块 is yuan behind a price, and cards beside a GPU.
  TEST_CASE("yuan and cards are both 块") {
    const auto got = [](const char* text, const char* name) {
      const json a = read(text);
      return a["quote"].value(name, json()).dump() + a["text"]["not_understood"].dump();
    };
    CHECK(got("4090 每小时2块", "per_hour") == "[\"2.00\"][]");
    CHECK(got("4090 2.5块/小时", "per_hour") == "[\"2.50\"][]");
    CHECK(got("4090 日租 350块", "per_day") == "[\"350.00\"][]");
    CHECK(got("4090每天45块", "per_day") == "[\"45.00\"][]");
    CHECK(got("4090*8 一天 350 块", "per_day") == "[\"350.00\"][]");
    CHECK(got("4090*8 一天 350 块", "count") == "[8][]");
    CHECK(got("8块4090 日租350块", "count") == "[8][]");
    CHECK(got("8块4090 日租350块", "per_day") == "[\"350.00\"][]");
    CHECK(got("4090 8块 月租8800元", "count") == "[8][]");
    CHECK(got("4090 8块 每小时15元", "count") == "[8][]");
    CHECK(read("服务器 500 块")["text"]["not_understood"].size() == 1);
    CHECK_FALSE(read("4090 2.5卡")["quote"].contains("count"));
  }

  TEST_CASE("hours of service are no count") {
    for (const char* hours : {"7x24小时技术支持", "7*24", "7×24 小时", "24/7", "7天24小时"}) {
      CAPTURE(hours);
      const json a = read((std::string("RTX 4090 8卡 每小时15元 ") + hours).c_str());
      CHECK(a["quote"]["count"] == json{8});
      CHECK_FALSE(a["quote"].contains("hours"));
      CHECK(a["text"]["not_understood"].empty());
    }
  }

  TEST_CASE("each price keeps its currency") {
    const json rate = {{"cny_per_usd", "7"}};
    const auto at_rate = [&](const char* text) {
      json request = rate;
      request["text"] = text;
      return ask(request);
    };
    // 12,000 USD are 84,000 of twelve times 10,000 CNY: 30% off.
    const json year = at_rate("H100 月付10000元 年付$12000");
    CHECK(year["quote"]["per_year"] == json{"84000.00"});
    CHECK(year["text"]["understood"][1]["currency"] == "USD");
    CHECK(year["text"]["understood"][1]["value"] == 12000);
    CHECK(figure(year, "annual_share", "off_percent") == rounded(30, 1e-9));
    CHECK(year["warnings"][0]["code"] == "mixed_currencies");
    const json hour = at_rate("H100 $2/h, ¥14.2/h");
    CHECK(hour["quote"]["per_hour"] == json{"14.00", "14.20"});
    CHECK(said(hour, "quote_hour_prices") == "holds quote_prices_holds");  // within a rate's drift
    CHECK(said(at_rate("H100 $2/h, ¥24/h"), "quote_hour_prices").substr(0, 9) == "conflicts");
    // The currency that is typed is the quote's; the text's amounts come into it.
    json typed = rate;
    typed["text"] = "H100 $2/h";
    typed["quote"] = {{"currency", "CNY"}};
    CHECK(ask(typed)["quote"]["per_hour"] == json{"14.00"});
  }

  TEST_CASE("discounts in tenths and hundredths") {
    const json a = read("原价10000元/月 85折 8500元/月");
    CHECK(said(a, "discounted_price") == "holds quote_discounted_price");
    CHECK(said(a, "quote_month_prices") == "");
    CHECK(said(read("原价10000元/月 8.5折 8500元/月"), "discounted_price").substr(0, 5) == "holds");
    CHECK(said(read("原价10000元/月 85折 9000元/月"), "quote_month_prices").substr(0, 9) ==
          "conflicts");
    for (const char* text : {"4090 0折", "120% off", "150折"}) {
      CAPTURE(text);
      const json none = read(text);
      CHECK(none["text"]["understood"].empty());
      CHECK(none["text"]["not_understood"].size() == 1);
    }
  }

  TEST_CASE("memory of the host is no GPU's") {
    CHECK(read("A800 80G 8卡 内存512GB 每月32000元")["quote"]["memory_gb"] == json{80});
    CHECK(read("RTX 4090 24G 内存64G")["quote"]["memory_gb"] == json{24});
    CHECK(read("RTX 4090 24G 64GB RAM")["quote"]["memory_gb"] == json{24});
    CHECK(read("H100 80GB, system memory 2048GB")["quote"]["memory_gb"] == json{80});
  }

  TEST_CASE("negative amounts and ranges") {
    const json minus = read("月租-500元 4090");
    CHECK_FALSE(minus["quote"].contains("per_month"));
    CHECK(minus["text"]["not_understood"].size() == 1);
    const json range = read("4090 1.5-2.0元/小时");
    CHECK(range["quote"]["per_hour"] == json{"1.50", "2.00"});
    CHECK(said(range, "quote_hour_prices") == "");  // a range is no contradiction
    // Nor is one GPU's, here or asked again without the text; a price outside it is.
    const json each = read("8x H100, $2.20-2.50/GPU/hr");
    CHECK(said(each, "quote_hour_prices") == "");
    CHECK(each["quote"]["ranges"] == json{"per_gpu_hour"});
    const json again = ask({{"quote", each["quote"]}});
    CHECK(said(again, "quote_hour_prices") == "");
    CHECK(again["quote"] == each["quote"]);
    CHECK(said(read("8x H100, $2.20-2.50/GPU/hr, $18 per hour"), "quote_hour_prices") == "");
    CHECK(said(read("8x H100, $2.20-2.50/GPU/hr, $30 per hour"), "quote_hour_prices") ==
          "conflicts quote_hour_prices_conflict");
    CHECK(ask({{"quote", {{"per_hour", "2"}, {"ranges", {"per_hour"}}}}})["problems"][0]["at"] ==
          "/quote/ranges/0");
    CHECK(read("4090 时租1.5~2元")["quote"]["per_hour"] == json{"1.50", "2.00"});
    CHECK(read("4090 1-2万/月")["quote"]["per_month"] == json{"10000.00", "20000.00"});
    CHECK(read("$2-3/hr")["quote"]["currency"] == "USD");
    const json count = read("4090 1-8卡");
    CHECK_FALSE(count["quote"].contains("count"));
    CHECK(count["text"]["not_understood"].size() == 1);
  }

  TEST_CASE("Chinese numerals") {
    CHECK(read("月租一万二，4090 8张")["quote"]["per_month"] == json{"12000.00"});
    CHECK(read("价格: 一百万/年 (H100 x8)")["quote"]["per_year"] == json{"1000000.00"});
    CHECK(read("月租一亿二千万元")["quote"]["per_month"] == json{"120000000.00"});
    CHECK(read("月租两千零五十元")["quote"]["per_month"] == json{"2050.00"});
    CHECK(read("两卡4090 两万一个月")["quote"]["per_month"] == json{"20000.00"});
    CHECK(read("两卡4090")["quote"]["count"] == json{2});
    CHECK(read("八五折")["quote"]["zhe"] == json{8.5});
    CHECK(read("百分之二十优惠")["quote"]["discount_percent"] == json{20});
    const json day = read("A100一天一百二十块，三十天三千六");
    CHECK(day["quote"]["per_day"] == json{"120.00"});
    CHECK(day["text"]["not_understood"].size() == 2);
    // Words are none.
    CHECK(read("统一价，第一，三大优势，一体机")["text"]["not_understood"].empty());
  }

  TEST_CASE("a factor of a price is no count") {
    const json a = read("年付=月付x10");
    CHECK_FALSE(a["quote"].contains("count"));
    CHECK(a["text"]["not_understood"].size() == 1);
  }

  // 720 hours are a month of 30 days, 744 of 31; 833 fit none.
  TEST_CASE("a month has up to 744 hours") {
    const auto verdict = [](const char* month) {
      return said(ask({{"quote", {{"per_month", month}, {"per_hour", "1"}}}}), "breakeven_hours");
    };
    CHECK(verdict("720") == "holds breakeven_hours_holds");
    CHECK(verdict("744") == "holds breakeven_hours_holds");
    CHECK(verdict("745") == "conflicts breakeven_hours_conflict");
  }

  // An A100's 312 TFLOPS: 80% of them were never measured in training, 60% were.
  TEST_CASE("faster than was ever measured") {
    const auto verdict = [](double mfu, const char* gpu, const char* precision, double tflops) {
      const double tokens = mfu * tflops * 1e12 * 86400 / (6 * 34e9);
      return said(ask({{"quote",
                        {{"gpu", gpu},
                         {"params_b", 34},
                         {"precision", precision},
                         {"tokens_per_card_day", std::floor(tokens)}}}}),
                  "tokens_per_day");
    };
    CHECK(verdict(0.6, "a100-sxm-80gb", "bf16", 312) == "holds tokens_per_day_holds");
    CHECK(verdict(0.8, "a100-sxm-80gb", "bf16", 312) == "implausible quote_tokens_above_measured");
    CHECK(verdict(1.1, "a100-sxm-80gb", "bf16", 312) == "implausible quote_tokens_above_peak");
    // In FP8 an H100 does what it can't in 16 bits.
    CHECK(verdict(0.9, "h100-sxm-80gb", "fp8", 989) == "holds tokens_per_day_holds");
    CHECK(verdict(0.9, "h100-sxm-80gb", "bf16", 989) == "implausible quote_tokens_above_measured");
  }

  TEST_CASE("what is typed against the text is said") {
    const json a = ask(
        {{"text", "4090 每小时1.8元"}, {"quote", {{"gpu", "h100-sxm-80gb"}, {"per_hour", "5"}}}});
    CHECK(a["quote"]["per_hour"] == json{"5.00"});
    REQUIRE(a["warnings"].size() == 2);
    CHECK(a["warnings"][0]["code"] == "typed_gpu_over_text");
    CHECK(a["warnings"][1]["code"] == "typed_over_text");
    CHECK(a["warnings"][1]["figures"]["typed"] == 5);
    CHECK(a["warnings"][1]["figures"]["read"] == 1.8);
    CHECK(
        ask({{"text", "4090 每小时1.8元"}, {"quote", {{"per_hour", "1.80"}}}})["warnings"].empty());
  }

  TEST_CASE("what is typed takes the place of what was read") {
    const json a = ask({{"text", "A100 40GB×4 月付 27600 元"}, {"quote", {{"count", 8}}}});
    CHECK(a["quote"]["count"] == json{8});
    CHECK(a["quote"]["per_month"] == json{"27600.00"});
    CHECK(a["quote"]["gpu"] == "a100-sxm-40gb");
  }

  // "65% discount" without more: what the year pays says which is meant.
  TEST_CASE("a discount and what is paid") {
    const auto verdict = [](const char* year) {
      return said(
          ask({{"quote", {{"per_month", "100"}, {"per_year", year}, {"discount_percent", 65}}}}),
          "annual_share");
    };
    CHECK(verdict("420") == "holds quote_discount_holds");
    CHECK(verdict("780") == "conflicts quote_discount_is_the_share_paid");
    CHECK(verdict("600") == "arithmetic_slip quote_discount_slip");
  }

  TEST_CASE("against the market") {
    const auto verdict = [](const char* hour) {
      return said(
          ask({{"quote", {{"gpu", "h100-sxm-80gb"}, {"per_gpu_hour", hour}, {"currency", "USD"}}}}),
          "market_price");
    };
    CHECK(verdict("0.10") == "implausible quote_far_below_market");
    CHECK(verdict("2.50") == "holds quote_within_market");
    CHECK(verdict("99") == "implausible quote_far_above_market");
  }

  // Rent 10,000 a month for two months. 500 once, 300 a month, 5% of the rent, 0.5 x 100 GB a
  // month, 40 x 3 times: 500 + 600 + 1,000 + 100 + 120 = 2,320 of 22,320.
  TEST_CASE("hidden fees") {
    const json fees = {
        {{"category", "network_surcharge"}, {"kind", "fixed"}, {"amount", "500"}},
        {{"category", "vram_expansion"}, {"kind", "per_month"}, {"amount", "300"}},
        {{"category", "software_licence"}, {"kind", "percent"}, {"amount", "5"}},
        {{"category", "data_transfer"}, {"kind", "per_gb"}, {"amount", "0.5"}, {"quantity", 100}},
        {{"category", "scaling_penalty"}, {"kind", "per_event"}, {"amount", "40"}, {"quantity", 3}},
        {{"category", "fault_diagnosis"}, {"kind", "none"}}};
    const json a =
        ask({{"quote", {{"per_month", "10000"}, {"fees", fees}, {"hidden_fee_percent", 3}}},
             {"months", 2}});
    REQUIRE(a["problems"].empty());
    CHECK(a["fees"]["total"]["value"] == "2320.00");
    CHECK(a["fees"]["by_category"]["data_transfer"]["value"] == "100.00");
    CHECK(a["fees"]["share"].get<double>() == rounded(2320.0 / 22320, 1e-9));
    CHECK_FALSE(a["fees"].contains("band"));  // between the regular and the small sellers
    CHECK(said(a, "hidden_fees") == "conflicts quote_fees_above_stated");
  }

  TEST_CASE("fees in a text are no prices") {
    const json a = read(
        "8×A100 月付 27,600 元，带宽费每月 800 元；软件授权费 5,000 元，数据传输费 3%；故障诊断费 "
        "200 元/次");
    CHECK(a["quote"]["per_month"] == json{"27600.00"});
    CHECK(a["quote"]["fees"] == json{{{"category", "network_surcharge"},
                                      {"kind", "per_month"},
                                      {"amount", "800.00"},
                                      {"quantity", 1}},
                                     {{"category", "software_licence"},
                                      {"kind", "fixed"},
                                      {"amount", "5000.00"},
                                      {"quantity", 1}},
                                     {{"category", "data_transfer"},
                                      {"kind", "percent"},
                                      {"amount", "3.00"},
                                      {"quantity", 1}},
                                     {{"category", "fault_diagnosis"},
                                      {"kind", "per_event"},
                                      {"amount", "200.00"},
                                      {"quantity", 1}}});
    CHECK(a["text"]["not_understood"].empty());
    // Of no category that is summed, or by a volume that nobody stated: said, not guessed.
    const json other = read("月付 27,600 元，存储费每月 800 元，egress $0.08/GB");
    CHECK(other["quote"]["per_month"] == json{"27600.00"});
    CHECK_FALSE(other["quote"].contains("fees"));
    CHECK(other["text"]["not_understood"].size() == 2);
  }

  TEST_CASE("the bands of hidden fees") {
    const json catalog_fee = {{"category", "data_transfer"}, {"kind", "percent"}};
    const auto band = [&](const char* percent) {
      json fee = catalog_fee;
      fee["amount"] = percent;
      const json a = ask({{"quote", {{"per_month", "100"}, {"fees", json::array({fee})}}}});
      return a["fees"].value("band", "");
    };
    CHECK(band("2") == "article_provider");
    CHECK(band("4") == "regular_platform");
    CHECK(band("100") == "small_platform");  // half of the bill
    CHECK(band("1000") == "");
  }

  TEST_CASE("a price of nothing has no share") {
    for (const char* month : {"per_month", "per_gpu_month"}) {
      const json a = ask({{"quote", {{month, "0"}, {"per_year", "5"}}}});
      CHECK(a["problems"].empty());
    }
    CHECK(ask({{"text", "$0 per month, $0 per year"}})["problems"].empty());
  }

  TEST_CASE("per card, wherever the card is named") {
    const auto per = [](const char* text) {
      json found = json::array();
      const json a = read(text);
      for (const auto& [field, values] : a["quote"].items()) {
        if (field.rfind("per_", 0) == 0) found.push_back(field);
      }
      return found;
    };
    for (const char* text :
         {"8x H100, $2.99/h/GPU", "$2.99 / h per GPU", "12.5元/小时/卡", "12.5元/小时·卡",
          "12.5 元每小时每卡", "12.5 元/小时/卡 × 8", "每小时12.5元/卡"}) {
      CAPTURE(text);
      CHECK(per(text) == json{"per_gpu_hour"});
    }
    CHECK(per("$1,460/month per GPU") == json{"per_gpu_month"});
    CHECK(per("每卡 12 元/小时，8 卡 100 元/小时") == json{"per_gpu_hour", "per_hour"});
  }

  TEST_CASE("a number in pieces, or in money without a rate, is not read in part") {
    for (const char* text :
         {"28 000 元/月", "12,5元/小时", "每月 1,5000 元", "£3/hour", "€3/hour", "¢50/hour",
          "HK$3/hour", "S$3/hour", "A$3/hour", "3 欧元/小时", "3 EUR/hour"}) {
      CAPTURE(text);
      const json a = read(text);
      CHECK(!a["quote"].contains("per_month"));
      CHECK(!a["quote"].contains("per_hour"));
      CHECK(a["text"]["not_understood"].size() == 1);
    }
    CHECK(read("US$3/hour")["quote"]["per_hour"] == json{"3.00"});
  }

  TEST_CASE("what is wrong with a request") {
    const auto problem = [](const json& request) {
      const json a = ask(request);
      return a["problems"].empty() ? std::string()
                                   : a["problems"][0]["at"].get<std::string>() + " " +
                                         a["problems"][0]["code"].get<std::string>();
    };
    CHECK(problem(json::object()) == "/quote missing");
    CHECK(problem({{"quote", {{"gpu", "h999"}}}}) == "/quote/gpu unknown_gpu");
    CHECK(problem({{"quote", {{"per_month", "ten"}}}}) == "/quote/per_month not_decimal");
    CHECK(problem({{"quote", {{"count", 0}}}}) == "/quote/count not_positive");
    CHECK(problem({{"quote", {{"count", 2.5}}}}) == "/quote/count not_integer");
    CHECK(problem({{"quote", {{"zhe", 0}}}}) == "/quote/zhe not_positive");
    CHECK(problem({{"quote", {{"zhe", 85}}}}) == "");
    CHECK(problem({{"quote", {{"discount_percent", 120}}}}) ==
          "/quote/discount_percent out_of_range");
    CHECK(problem({{"quote", {{"price", "1"}}}}) == "/quote/price unknown_field");
    CHECK(problem({{"text", "hello"}}) == "");
  }
}

}  // namespace traintally
