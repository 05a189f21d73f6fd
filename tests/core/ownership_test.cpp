// Renting against owning, by hand, and the article's table to the yuan.

#include <traintally/ownership.hpp>

#include <doctest/doctest.h>

#include <string>

#include <nlohmann/json.hpp>

#include <traintally/catalog_data.hpp>
#include <traintally/session.hpp>

#include "job_builder.hpp"

namespace traintally {
namespace {

using nlohmann::json;
using testing::exactly;
using testing::rounded;

Decimal dec(const char* text) { return *Decimal::parse(text); }
std::string text(Decimal value) { return value.trimmed(2).text(); }

/// One server of eight; every figure is easy to follow with a pencil.
OwnQuestion plain() {
  OwnQuestion q;
  q.at(OwnInput::server_price) = dec("1000000");
  q.at(OwnInput::network_share) = dec("0.1");
  q.at(OwnInput::spares_share) = dec("0.05");
  q.at(OwnInput::residual_share) = dec("0.4");
  q.at(OwnInput::residual_months) = dec("10");
  q.at(OwnInput::capital_rate) = dec("0.12");
  q.at(OwnInput::load) = dec("0.5");
  q.at(OwnInput::host_factor) = dec("1.5");
  q.at(OwnInput::pue) = dec("1.2");
  q.at(OwnInput::tariff_per_kwh) = dec("1");
  q.at(OwnInput::rack_per_kw_month) = dec("100");
  q.at(OwnInput::staff_per_year) = dec("12000");
  q.at(OwnInput::operations_share) = dec("0.06");
  q.at(OwnInput::rent_change) = dec("1");
  q.at(OwnInput::months) = dec("2");
  q.at(OwnInput::utilization) = dec("1");
  q.board_kw = 0.5;
  q.month = dec("100000");
  return q;
}

json ask(const char* command, const std::string& document) {
  static const Session session({catalog_text, catalog_text_size});
  return json::parse(session.evaluate(command, document));
}

const json* row_of(const json& rows, const char* input) {
  for (const json& row : rows) {
    if (row["input"] == input) return &row;
  }
  return nullptr;
}

}  // namespace

TEST_SUITE("ownership") {
  // 1,000,000 and a tenth for the network, a twentieth of both for spares: 1,155,000.
  TEST_CASE("the purchase") {
    const Ownership r = own_or_rent(plain());
    CHECK(text(r.network) == "100000.00");
    CHECK(text(r.spares) == "55000.00");
    CHECK(text(r.purchase) == "1155000.00");
  }

  // 8 x 0.5 kW x 1.5 = 6 kW; x 0.5 x 1.2 = 3.6 kW; x 730 h = 2,628 kWh at 1. The rack 6 kW x 100,
  // staff 12,000 / 12, operations 6% of the purchase / 12.
  TEST_CASE("a month's operation") {
    const Ownership r = own_or_rent(plain());
    CHECK(r.server_kw == exactly(6));
    CHECK(r.grid_kw == exactly(3.6));
    CHECK(r.kwh_per_month == exactly(2628));
    CHECK(text(r.power) == "2628.00");
    CHECK(text(r.rack) == "600.00");
    CHECK(text(r.staff) == "1000.00");
    CHECK(text(r.operations) == "5775.00");
    CHECK(text(r.operation) == "10003.00");
  }

  // It loses 6% of its price a month. Capital costs 1% of 1,155,000, then of 1,085,700.
  TEST_CASE("two months") {
    const Ownership r = own_or_rent(plain());
    REQUIRE(r.curve.size() == 3);
    CHECK(text(r.end().capital) == "22407.00");
    CHECK(text(r.end().paid) == "1197413.00");
    CHECK(text(r.end().value) == "1016400.00");
    CHECK(text(r.end().own) == "181013.00");
    CHECK(text(r.end().rent) == "200000.00");
    CHECK(text(r.saving) == "18987.00");
    // Sold after one month: 90,853 against 100,000.
    CHECK(text(r.curve[1].own) == "90853.00");
    CHECK(r.breakeven_month == 1);
    // Kept: 1,381,135 of 1,300,000 after 13 months, 1,393,679 of 1,400,000 after 14.
    CHECK(r.breakeven_month_kept == 14);
    CHECK(text(r.own_per_used_gpu_hour.rounded(6)) == "15.497688");  // 181,013 / 11,680
  }

  // The value does not fall below nothing.
  TEST_CASE("after everything is written off") {
    OwnQuestion q = plain();
    q.at(OwnInput::months) = dec("20");
    CHECK(text(own_or_rent(q).end().value) == "0.00");
  }

  // Rent by the hour is paid for the hours worked; 200 an hour is 146,000 a full month. Owning
  // costs 90,506.50 a month, so it is cheaper above 62% of the hours.
  TEST_CASE("break-even utilization") {
    OwnQuestion q = plain();
    q.hour = dec("200");
    const Ownership r = own_or_rent(q);
    REQUIRE(r.breakeven_utilization.has_value());
    CHECK(r.breakeven_by_hours);
    CHECK(*r.breakeven_utilization == rounded(90506.5 / 146000, 1e-9));
    q.at(OwnInput::utilization) = dec("0.5");
    CHECK(own_or_rent(q).way == RentWay::hour);
    CHECK(text(own_or_rent(q).end().rent) == "146000.00");
    q.at(OwnInput::utilization) = decimal_from(*r.breakeven_utilization, 9);
    CHECK(own_or_rent(q).saving.approximate() == rounded(0, 1).scale(1));
    // A month at 80,000 is cheaper than owning at any use.
    q.month = dec("80000");
    CHECK_FALSE(own_or_rent(q).breakeven_utilization.has_value());
    // Without an hourly price: the share of the months that are rented.
    q.hour.reset();
    CHECK(*own_or_rent(q).breakeven_utilization == rounded(90506.5 / 80000, 1e-9));
  }

  // Half a month until delivery: half a month's rent, half a month less of operation, and the
  // value falls half a month less.
  TEST_CASE("delivery") {
    OwnQuestion q = plain();
    q.at(OwnInput::delivery_days) = decimal_from(365.0 / 24, 15);
    const Ownership r = own_or_rent(q);
    CHECK(r.end().bridge.approximate() == rounded(50000, 1e-9));
    CHECK(r.end().operation.approximate() == rounded(15004.5, 1e-9));
    CHECK(r.end().value.approximate() == rounded(1155000 * 0.91, 1e-9));
  }

  TEST_CASE("a year is paid whole") {
    OwnQuestion q = plain();
    q.at(OwnInput::months) = dec("13");
    q.month.reset();
    q.year = dec("1000000");
    CHECK(text(own_or_rent(q).end().rent) == "2000000.00");
  }

  // What a range moves is what two whole reckonings differ by, and the largest comes first.
  TEST_CASE("sensitivity") {
    OwnQuestion q = plain();
    OwnershipTable table;
    for (int i = 0; i < kOwnInputs; ++i) table.inputs[i].value = q.inputs[i];
    const auto range = [&table](OwnInput input, const char* low, const char* high) {
      table.inputs[static_cast<int>(input)].low = dec(low);
      table.inputs[static_cast<int>(input)].high = dec(high);
    };
    range(OwnInput::tariff_per_kwh, "0.5", "1.5");
    range(OwnInput::residual_share, "0.3", "0.5");
    const auto rows = own_sensitivity(q, table, nullptr);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].input == OwnInput::residual_share);
    CHECK(rows[1].input == OwnInput::tariff_per_kwh);
    CHECK(text(rows[1].saving_at_low - rows[1].saving_at_high) == "5256.00");  // 2 x 2,628
    // Set by hand to twice the default, it is tried from half to one and a half of that.
    q.at(OwnInput::tariff_per_kwh) = dec("2");
    CHECK(text(own_sensitivity(q, table, nullptr)[1].low) == "1.00");
    CHECK(text(own_sensitivity(q, table, nullptr)[1].high) == "3.00");
  }

  TEST_CASE("the article's 984 against 384") {
    const json a = ask("own", R"({"preset":"article"})");
    REQUIRE(a["problems"].empty());
    CHECK(a["article"]["own_total"]["value"] == "9840000.00");
    CHECK(a["article"]["rent_total"]["value"] == "3841200.00");
    CHECK(a["article"]["rent_printed"]["value"] == "3840000.00");
    CHECK(a["article"]["saving"]["value"] == "6000000.00");
    CHECK(a["article"]["counted_twice"]["value"] == "3600000.00");
    CHECK(a["article"]["own_without_refresh"]["value"] == "6240000.00");
    CHECK(a["warnings"].dump().find("counts_purchase_and_depreciation") != std::string::npos);
    // Beside it: 4.8 million is far above what such a server costs.
    CHECK(a["own"]["servers"]["value"] == "4800000.00");
    CHECK(a["market"]["price_ratio"].get<double>() > 4);
    CHECK(a["warnings"].dump().find("server_above_market") != std::string::npos);
    CHECK(a["rent"]["total"]["value"] == "3841200.00");
    CHECK(a["own"]["staff_per_month"]["value"] == "30000.00");
    CHECK(a["own"]["rack_per_month"]["value"].get<std::string>().substr(0, 4) == "6666");
    CHECK(a["curve"].size() == 37);
  }

  TEST_CASE("every default has its source") {
    const json a = ask("own", "{}");
    REQUIRE(a["problems"].empty());
    CHECK(a["resolved"]["purchase"]["gpu"] == "h100-sxm-80gb");
    CHECK(a["sources"].size() == kOwnInputs + 1);
    for (const auto& entry : a["sources"].items()) CHECK_MESSAGE(entry.value() != "", entry.key());
    CHECK(a["sensitivity"].size() > 10);
    CHECK(row_of(a["sensitivity"], "utilization") != nullptr);
    // The answer to what was resolved is the same.
    const json again = ask("own", a["resolved"].dump());
    CHECK(again["own"] == a["own"]);
    CHECK(again["rent"] == a["rent"]);
    CHECK(again["curve"] == a["curve"]);
  }

  TEST_CASE("a smaller server costs its share of the market's") {
    const json one = ask("own", R"({"purchase": {"gpu": "rtx-4090", "count": 1,
                                    "gpus_per_server": 1}})");
    const json eight = ask("own", R"({"purchase": {"gpu": "rtx-4090", "count": 8}})");
    CHECK(one["warnings"].empty());
    CHECK(one["market"]["price_ratio"] == 1);
    const double price = std::stod(one["resolved"]["purchase"]["server_price"].get<std::string>());
    CHECK(8 * price == std::stod(eight["resolved"]["purchase"]["server_price"].get<std::string>()));
    const json* row = row_of(one["sensitivity"], "server_price");
    REQUIRE(row != nullptr);
    CHECK((*row)["low"].get<double>() < price);
    CHECK((*row)["high"].get<double>() > price);
  }

  TEST_CASE("a count that divides is refused, not divided by") {
    const json a = ask("own", R"({"purchase":{"count":0},"rent":{"per_hour":"100"}})");
    REQUIRE(a["problems"].size() == 1);
    CHECK(a["problems"][0]["at"] == "/purchase/count");
    CHECK(a["problems"][0]["code"] == "not_positive");
  }

  TEST_CASE("in dollars") {
    const json yuan = ask("own", R"({"rent":{"per_gpu_hour":"14.20"}})");
    const json dollars =
        ask("own", R"({"rent":{"per_gpu_hour":"14.20","currency":"CNY"},"currency":"USD"})");
    const auto amount = [](const json& a) { return std::stod(a.get<std::string>()); };
    CHECK(amount(yuan["own"]["total"]["value"]) / amount(dollars["own"]["total"]["value"]) ==
          rounded(7.10, 1e-5));
    CHECK(dollars["rent"]["total"]["currency"] == "USD");
  }

  TEST_CASE("renting or owning finds a GPU by any of its names") {
    const json by_id = ask("own", R"({"purchase":{"gpu":"h100-sxm-80gb","count":8}})");
    CHECK(by_id["problems"].empty());
    for (const char* name : {"h100", "NVIDIA H100 80GB HBM3"}) {
      CAPTURE(name);
      CHECK(ask("own", json{{"purchase", {{"gpu", name}, {"count", 8}}}}.dump()) == by_id);
    }
  }

  TEST_CASE("what is wrong with a request") {
    const auto problem = [](const char* document) {
      const json a = ask("own", document);
      return a["problems"].empty() ? std::string()
                                   : a["problems"][0]["at"].get<std::string>() + " " +
                                         a["problems"][0]["code"].get<std::string>();
    };
    CHECK(problem("nonsense") == " malformed_json");
    CHECK(problem(R"({"purchase":{"gpu":"h999"}})") == "/purchase/gpu unknown_gpu");
    CHECK(problem(R"({"purchase":{"server_price":"-5"}})") == "/purchase/server_price not_decimal");
    CHECK(problem(R"({"utilization":1.5})") == "/utilization out_of_range");
    CHECK(problem(R"({"months":0})") == "/months not_positive");
    CHECK(problem(R"({"rent":{"offer":"none"}})") == "/rent/offer unknown_offer");
    CHECK(problem(R"({"rent":{"per_hour":"1","per_gpu_hour":"1"}})") ==
          "/rent/per_hour given_twice");
    // Sums out of range are those of the amount that was typed.
    CHECK(problem(R"({"rent":{"per_gpu_hour":"999999999999"}})") ==
          "/rent/per_gpu_hour out_of_range");
    CHECK(problem(R"({"months":120,"operation":{"staff_per_year":"999999999999"}})") ==
          "/operation/staff_per_year out_of_range");
    const json large =
        ask("own", R"({"purchase":{"count":1000000,"server_price":"999999999999"}})");
    REQUIRE(large["problems"].size() == 1);
    CHECK(large["problems"][0]["at"] == "/purchase/server_price");
    CHECK(large["problems"][0]["accepts"].get<std::string>().substr(0, 4) == "<= 1");
    // A small amount is none of them.
    CHECK(problem(R"({"purchase":{"server_price":"1"}})") == "");
    CHECK(problem(R"({"purchase":{"server_price":"1.123456"}})") == "");
    CHECK(problem(R"({"utilization":1e-300})") == "/utilization out_of_range");
    CHECK(problem(R"({"purchase":{"residual_months":1e-300}})") ==
          "/purchase/residual_months out_of_range");
    CHECK(problem(R"({"preset":"other"})") == "/preset not_one_of");
    CHECK(problem(R"({"rents":{}})") == "/rents unknown_field");
  }
}

}  // namespace traintally
