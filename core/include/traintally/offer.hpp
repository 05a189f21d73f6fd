#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <traintally/gpu.hpp>

namespace traintally {

enum class BillingMode : std::uint8_t { on_demand, daily, monthly, annual, spot };

/// One price of an offer, as printed: an exact decimal.
struct OfferPrice {
  BillingMode mode = BillingMode::on_demand;
  std::string_view value;     ///< decimal string, per `per` of the mode
  std::string_view currency;  ///< ISO 4217
  bool tax_included = true;
  double rounding_s = 0;           ///< time is rounded up to steps of this, 0: not stated
  double minimum_term_months = 0;  ///< shortest term that is billed
};

enum class Known : std::uint8_t { unknown, no, yes };

/// A plan or a card that somebody rents out.
struct OfferEntry {
  std::string_view id;
  std::string_view provider;
  std::string_view name_en;
  std::string_view name_zh;
  std::string_view gpu;    ///< catalogue id
  std::int64_t count = 1;  ///< GPUs of one unit of the offer
  bool per_gpu = false;    ///< prices are per GPU, else per unit of `count` GPUs
  std::vector<OfferPrice> prices;
  std::string_view annual_factor;  ///< share of twelve months that a year costs, "" if not stated
  std::string_view stated_year;    ///< the year's price as the seller states it, "" if not
  std::string_view stated_month_average;  ///< the market average that the seller states
  std::string_view date;                  ///< ISO 8601 day on which the prices were seen
  std::string_view valid_until;
  std::string_view source;
  std::string_view long_term_low;  ///< further discount from long_term_months on, "" if not stated
  std::string_view long_term_high;
  double long_term_months = 0;
  // What the seller states of its own machines; below 0: nothing.
  double failures_per_gpu_day = -1;
  double interruption_rate = -1;  ///< interruptions of a run
  double availability = -1;       ///< share of the time
  double storage_tb = 0;
  double bandwidth_mbit_s = 0;
  Known rdma = Known::unknown;
  Known parallel_storage = Known::unknown;
  Known frameworks = Known::unknown;
  Known isolation = Known::unknown;
  Known support = Known::unknown;
  Confidence confidence = Confidence::medium;
};

}  // namespace traintally
