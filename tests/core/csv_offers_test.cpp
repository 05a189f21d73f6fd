// A provider's price list as a table.

#include <doctest/doctest.h>

#include <string>

#include <nlohmann/json.hpp>

#include <traintally/catalog_data.hpp>
#include <traintally/session.hpp>

namespace traintally {
namespace {

using nlohmann::json;

json load(const std::string& csv) {
  static const Session session({catalog_text, catalog_text_size});
  return json::parse(session.evaluate("catalog", json({{"csv", csv}}).dump()));
}

std::string problem(const std::string& csv) {
  const json a = load(csv);
  return a["problems"].empty() ? std::string()
                               : a["problems"][0]["at"].get<std::string>() + " " +
                                     a["problems"][0]["code"].get<std::string>();
}

}  // namespace

TEST_SUITE("csv offers") {
  TEST_CASE("an English table") {
    const json a = load(
        "id,provider,name,gpu,count,per_month,per_year,currency,tax_included,storage_tb,rdma,"
        "date,valid_until\n"
        "a,Acme,\"Eight, "
        "\"\"big\"\"\",H100,8,76000.50,700000,CNY,yes,10,true,2026-11-01,2026-12-31\n"
        "\n"
        "b,Acme,,rtx-4090,1,1100,,CNY,no,,unknown,2026-11-01,\n");
    REQUIRE(a["problems"].empty());
    const json& offers = a["catalog"]["offers"];
    REQUIRE(offers.size() == 2);
    CHECK(offers[0]["gpu"] == "h100-sxm-80gb");
    CHECK(offers[0]["name"]["en"] == "Eight, \"big\"");
    CHECK(offers[0]["prices"].size() == 2);
    CHECK(offers[0]["prices"][0]["value"] == "76000.50");
    CHECK(offers[0]["prices"][1]["mode"] == "annual");
    CHECK(offers[0]["checklist"]["rdma"] == true);
    CHECK(offers[0]["valid_until"] == "2026-12-31");
    CHECK(offers[1]["prices"][0]["tax_included"] == false);
    CHECK(offers[1]["checklist"]["support"] == "unknown");
    // The normal form is a list like any other.
    static const Session session({catalog_text, catalog_text_size});
    const json again = json::parse(session.evaluate("catalog", a["catalog"].dump()));
    CHECK(again["problems"].empty());
    CHECK(again["catalog"]["offers"] == offers);
  }

  TEST_CASE("a Chinese table, by semicolons, with a byte order mark") {
    const json a = load(
        "\xEF\xBB\xBF编号;服务商;名称;GPU;卡数;单卡时租;币种;含税;RDMA;报价日期\r\n"
        "a;某云;八卡;昇腾910B;8;12.5;CNY;是;否;2026-11-01\r\n");
    REQUIRE(a["problems"].empty());
    const json& offer = a["catalog"]["offers"][0];
    CHECK(offer["per"] == "gpu");
    CHECK(offer["name"]["zh"] == "八卡");
    CHECK(offer["gpu"] == "ascend-910b2");
    CHECK(offer["prices"][0]["tax_included"] == true);
    CHECK(offer["checklist"]["rdma"] == false);
  }

  TEST_CASE("as spreadsheets write: grouped, dated by slashes, full width, currencies in words") {
    const json a = load(
        "编号,服务商,GPU,卡数,月租,币种,含税,报价日期,有效期至\n"
        "a,某云,h100-sxm-80gb,８,\"31,500\",元,是,2026/11/1,2026年12月31日\n"
        "b,某云,h100-sxm-80gb,8,\"¥1,231,500.50\",人民币,是,2026-11-01,2026/12\n"
        "c,某云,h100-sxm-80gb,8,３１５００元,RMB,是,2024/2/29,\n"
        "d,某云,h100-sxm-80gb,8,$4500,美元,是,2026/11/1,\n");
    REQUIRE(a["problems"].empty());
    const json& offers = a["catalog"]["offers"];
    REQUIRE(offers.size() == 4);
    CHECK(offers[0]["count"] == 8);
    CHECK(offers[0]["prices"][0]["value"] == "31500");
    CHECK(offers[0]["prices"][0]["currency"] == "CNY");
    CHECK(offers[0]["date"] == "2026-11-01");
    CHECK(offers[0]["valid_until"] == "2026-12-31");
    CHECK(offers[1]["prices"][0]["value"] == "1231500.50");
    CHECK(offers[1]["valid_until"] == "2026-12");
    CHECK(offers[2]["prices"][0]["value"] == "31500");
    CHECK(offers[2]["date"] == "2024-02-29");
    CHECK(offers[3]["prices"][0]["value"] == "4500");
    CHECK(offers[3]["prices"][0]["currency"] == "USD");
  }

  TEST_CASE("errors are at row and column") {
    const std::string header = "id,provider,gpu,count,per_month,currency,date\n";
    const std::string good = "a,Acme,h100-sxm-80gb,8,76000,CNY,2026-11-01\n";
    CHECK(problem(header + good) == "");
    CHECK(problem(header + good + "b,Acme,h999,8,76000,CNY,2026-11-01\n") ==
          "/csv/3/gpu unknown_gpu");
    CHECK(problem(header + good + "\nb,Acme,h100-sxm-80gb,8,7.6e4,CNY,2026-11-01\n") ==
          "/csv/4/per_month not_decimal");
    CHECK(problem(header + "a,Acme,h100-sxm-80gb,8,-5,CNY,2026-11-01\n") ==
          "/csv/2/per_month not_decimal");
    CHECK(problem(header + "a,Acme,h100-sxm-80gb,eight,5,CNY,2026-11-01\n") ==
          "/csv/2/count wrong_type");
    CHECK(problem(header + "a,Acme,h100-sxm-80gb,8,5,yen,2026-11-01\n") ==
          "/csv/2/currency not_currency");
    CHECK(problem(header + "a,Acme,h100-sxm-80gb,8,5,CNY,1.11.2026\n") == "/csv/2/date not_date");
    CHECK(problem(header + good + good) == "/csv/3/id duplicate_id");
    CHECK(problem(header + "a,Acme\n") == "/csv/2 too_few_fields");
    CHECK(problem(header + "\"a,Acme\n") == "/csv/2 unclosed_quote");
    // No list of offers without a GPU and a price, not even an empty one.
    CHECK(problem("id\n") == "/csv/1/gpu missing");
    CHECK(problem("id,gpu,provider,date\n") == "/csv/1/per_gpu_hour missing");
    CHECK(problem(header + "a,Acme,h100-sxm-80gb,8,5,CNY,2026-02-30\n") == "/csv/2/date not_date");
    CHECK(problem(header + "a,Acme,h100-sxm-80gb,8,\"31,50\",CNY,2026-11-01\n") ==
          "/csv/2/per_month not_decimal");
    CHECK(problem("id,price\n") == "/csv/1/price unknown_column");
    CHECK(problem("id,id\n") == "/csv/1/id duplicate_column");
    CHECK(problem("") == "/csv empty");
    CHECK(problem("id,provider,gpu,per_hour,per_gpu_month,currency,date\n"
                  "a,Acme,h100-sxm-80gb,5,5,CNY,2026-11-01\n") == "/csv/2 mixed_units");
    // The other rows are read.
    CHECK(load(header + "x,y\n" + good)["catalog"]["offers"].size() == 1);
  }
}

}  // namespace traintally
