#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <traintally/cost.hpp>
#include <traintally/money.hpp>
#include <traintally/published.hpp>

namespace traintally {

/// What decides whether owning or renting is cheaper. Shares are fractions, money is of the
/// answer's currency. Defaults, ranges and sources: core/catalog/ownership.json.
enum class OwnInput : std::uint8_t {
  server_price,       ///< of one server with its GPUs
  network_share,      ///< of the servers' price, for switches and cables
  spares_share,       ///< of servers and network, bought beside them
  residual_share,     ///< of the purchase, left after residual_months
  residual_months,    ///< > 0
  capital_rate,       ///< a year, on the value that is tied up
  delivery_days,      ///< from payment to the first job; rented over
  load,               ///< board power over its limit
  host_factor,        ///< server over its boards
  pue,                ///< site over servers
  tariff_per_kwh,     ///< money
  rack_per_kw_month,  ///< money, per kW of server power
  staff_per_year,     ///< money
  operations_share,   ///< of the purchase, a year
  rent_change,        ///< rents paid over today's
  months,             ///< whole, > 0
  utilization         ///< share of the hours that are worked; rent by the hour is paid for it alone
};
inline constexpr int kOwnInputs = 17;
const char* own_input_name(OwnInput input);

/// A default, and the range that the sensitivity is tried with.
struct OwnDefault {
  Decimal value;
  Decimal low;
  Decimal high;
  std::string_view source;
};

/// What a server costs on the market, in yuan.
struct ServerPrice {
  std::vector<std::string_view> gpus;  ///< catalogue ids
  std::int64_t count = 8;              ///< GPUs in one
  Decimal low;
  Decimal value;
  Decimal high;
  std::string_view source;
};

struct OwnershipTable {
  OwnDefault inputs[kOwnInputs];  ///< server_price is empty: it is looked up
  std::vector<ServerPrice> servers;

  const ServerPrice* server_of(std::string_view gpu) const;
};

/// A question, complete: every input set.
struct OwnQuestion {
  Decimal inputs[kOwnInputs];
  std::int64_t gpus = 8;
  std::int64_t servers = 1;
  double board_kw = 0;           ///< power limit of one GPU
  std::optional<Decimal> hour;   ///< rent of all GPUs, for one hour
  std::optional<Decimal> month;  ///< the same for a month
  std::optional<Decimal> year;   ///< the same for a year
  Calendar calendar;

  Decimal& at(OwnInput input) { return inputs[static_cast<int>(input)]; }
  Decimal at(OwnInput input) const { return inputs[static_cast<int>(input)]; }
  double real(OwnInput input) const { return at(input).approximate(); }
};

/// What has been paid by the end of a month, and what selling would bring back.
struct OwnMonth {
  Decimal bridge;     ///< rent until delivery
  Decimal operation;  ///< power, rack, staff and operations since delivery
  Decimal capital;    ///< cost of the money tied up
  Decimal paid;       ///< purchase and all of the above
  Decimal value;      ///< of what was bought
  Decimal own;        ///< paid - value
  Decimal rent;       ///< the cheapest way of renting the same months
};

/// Which way renting is cheapest over the months.
enum class RentWay : std::uint8_t { hour, month, year };

struct Ownership {
  Decimal servers;
  Decimal network;
  Decimal spares;
  Decimal purchase;  ///< all three
  double server_kw = 0;
  double grid_kw = 0;  ///< server_kw x load x PUE
  double kwh_per_month = 0;
  Decimal power;  ///< a month
  Decimal rack;
  Decimal staff;
  Decimal operations;
  Decimal operation;            ///< a month: the four together
  std::vector<OwnMonth> curve;  ///< month 0 to the last
  RentWay way = RentWay::month;
  Decimal rent_per_month;  ///< that way, at the utilization
  Decimal saving;          ///< by owning: rent - own at the end; negative where renting is cheaper
  /// The first month by whose end owning has cost no more: sold then, and kept. Empty: not within
  /// kMostOwnMonths.
  std::optional<std::int64_t> breakeven_month;
  std::optional<std::int64_t> breakeven_month_kept;
  /// Use from which owning is cheaper: share of the hours where rent is paid by the hour, else
  /// share of the months. Empty where renting is cheaper at any use, or costs nothing.
  std::optional<double> breakeven_utilization;
  bool breakeven_by_hours = false;
  Decimal own_per_used_gpu_hour;
  Decimal rent_per_used_gpu_hour;
  bool saturated = false;

  const OwnMonth& end() const { return curve.back(); }
};
inline constexpr std::int64_t kMostOwnMonths = 120;

/// Owning against renting over the months. Purchase is paid at once; value falls evenly from
/// delivery; capital costs capital_rate on the value at the start of each month; until delivery the
/// work is rented. Needs at least one rent and server_price.
Ownership own_or_rent(const OwnQuestion& question);

/// How the saving by owning moves with one input.
struct OwnSensitivity {
  OwnInput input = OwnInput::server_price;
  Decimal low;  ///< tried values
  Decimal high;
  Decimal saving_at_low;
  Decimal saving_at_high;
};

/// Every input at both ends of its range, the one that moves the saving most first. An input that
/// was set by hand is moved in the proportion of its default's range.
std::vector<OwnSensitivity> own_sensitivity(const OwnQuestion& question,
                                            const OwnershipTable& table, const ServerPrice* market);

/// The article's table (B 1.1): purchase, operation and refresh of the years; every figure to the
/// yuan. It counts what was bought twice: its price, and its yearly depreciation.
struct ArticleReckoning {
  Decimal purchase;
  Decimal operation_per_year;
  Decimal refresh_per_year;
  double years = 0;
  Decimal own_total;
  Decimal rent_total;
  Decimal rent_printed;  ///< to ten thousand yuan, as the article prints it
  Decimal saving;        ///< of the printed totals
  double saving_share = 0;
  Decimal counted_twice;        ///< refresh of all years
  Decimal own_without_refresh;  ///< purchase and operation alone
};
ArticleReckoning article_reckoning(const ArticleOwnership& table);

}  // namespace traintally
