#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <traintally/money.hpp>
#include <traintally/offer.hpp>
#include <traintally/units.hpp>

namespace traintally {

/// How long the billing periods are. Values and sources: core/catalog/calendar.json.
/// A month is a twelfth of a 365-day year, 730 hours, as cloud price lists count it. The article
/// method counts 30 days (Article::days_per_month) and does not use this.
struct Calendar {
  double hours_per_day = 24;
  double days_per_year = 365;
  double months_per_year = 12;
  double days_in_longest_month = 31;

  constexpr double hours_per_year() const { return hours_per_day * days_per_year; }
  constexpr double hours_per_month() const { return hours_per_year() / months_per_year; }
  /// Hours in one period of a mode's price: hour, day, month or year.
  double hours_per_period(BillingMode mode) const;
};

inline constexpr int kBillingModes = 5;

/// The price of one period of a mode: on_demand and spot per hour, daily per day, monthly per
/// month, annual per year.
struct ModePrice {
  Decimal value;
  Currency currency;
  bool tax_included = true;
  bool per_gpu = false;     ///< for one GPU; else for one unit of the tariff
  Seconds step;             ///< on_demand and spot: time is rounded up to this; 0: as asked for
  double least_months = 0;  ///< shortest term that is billed
};

/// A price list, parsed. Not allocating: the plan search makes one per offer and reads it often.
struct Tariff {
  std::optional<ModePrice> modes[kBillingModes];
  std::int64_t unit_gpus = 1;            ///< GPUs in one unit of the offer
  std::optional<Decimal> annual_factor;  ///< share of twelve monthly prices that a year costs, > 0

  const std::optional<ModePrice>& price(BillingMode mode) const {
    return modes[static_cast<int>(mode)];
  }
  std::optional<ModePrice>& price(BillingMode mode) { return modes[static_cast<int>(mode)]; }
  bool empty() const;
};

/// Reads a price for one mode into the tariff.
/// @return false, leaving the tariff as it was, where the value is not a decimal of at least zero
/// or the currency not a code of three letters
bool set_price(Tariff& tariff, const OfferPrice& price, bool per_gpu);

/// Reads the share of twelve months that a year costs.
/// @return false where it is not a decimal in (0, 1]
bool set_annual_factor(Tariff& tariff, std::string_view share);

/// The price list of an offer. Prices that cannot be read are left out; the catalogue's own check
/// reports them.
Tariff tariff_of(const OfferEntry& offer);

/// What is to be paid for.
struct CostQuestion {
  Interval<Seconds> run;            ///< time that the GPUs are held, >= 0
  double tokens = 0;                ///< trained in that time; 0: unit costs are left out
  std::int64_t gpus = 1;            ///< that the job needs, > 0
  std::optional<BillingMode> mode;  ///< to pay by; empty: the cheapest for this run
  Seconds on_demand_step{3600};     ///< where the price says no step of its own; 0: exact
  std::optional<ExchangeRate> rate;
  Calendar calendar;
};

/// An amount and its interval, in the price's currency, and in yuan and dollars where the rate
/// allows. Decimals are as computed, to kMoneyScale digits (unit costs: 12 significant); a report
/// states reported_amount or reported_unit_cost of them.
struct Amounts {
  Interval<Money> own;
  std::optional<Interval<Money>> cny;
  std::optional<Interval<Money>> usd;
};

/// One way to pay for the run.
struct ModeCost {
  BillingMode mode = BillingMode::on_demand;
  bool derived = false;  ///< no price of its own: twelve monthly prices times the annual factor
  bool tax_included = true;
  Decimal period_price;  ///< of all rented GPUs, one hour, day, month or year
  double period_hours = 0;
  Interval<double> periods;  ///< that are paid: hours in steps, whole days, months, years
  Amounts total;
  /// What a full period costs over the same hours in the mode that it is a discount on:
  /// annual against monthly, monthly, daily and spot against on-demand. Empty where the tariff has
  /// no such price. 0.65 is paid, 0.35 is the discount; above 1 it is dearer.
  std::optional<BillingMode> compared_with;
  std::optional<Decimal> paid_fraction;
  std::optional<Decimal> discount;
  Money gpu_hour;  ///< period price over its hours and the rented GPUs: used throughout
  /// Total over the run's own GPU-hours: what an hour of it comes to. Empty for a run of no time.
  std::optional<Money> run_gpu_hour;
};

/// The cost of a run under a tariff.
struct Cost {
  std::int64_t units = 0;        ///< of the offer that are rented
  std::int64_t rented_gpus = 0;  ///< in them: at least the job's
  ModeCost by_billing[kBillingModes];
  int modes = 0;     ///< entries of by_billing that are there, in the order of BillingMode
  int cheapest = 0;  ///< index of the lowest total but spot; the first of equals
  int chosen = 0;    ///< index of the mode asked for, or the cheapest
  bool mode_unavailable = false;  ///< the mode asked for has no price; the cheapest stands in
  bool tax_included = true;       ///< of the chosen mode's price
  Amounts total;                  ///< of the chosen mode
  std::optional<Amounts> per_1k_tokens;
  std::optional<Amounts> per_million_tokens;
  /// Hours a month beyond which the monthly price is cheaper than on-demand; empty without both.
  std::optional<Decimal> breakeven_hours;
  bool breakeven_reachable = false;  ///< not more hours than a month has
  bool saturated = false;            ///< an amount passed the range of Decimal: report none of them

  const ModeCost& paid() const { return by_billing[chosen]; }
};

/// Costs a run in every mode that the tariff prices, and picks the cheapest but spot, whose
/// interruptions make another run of it. Rents whole units; bills whole steps on demand, whole
/// days, months and years else. Allocates nothing. Needs a tariff that is not empty, gpus > 0, and
/// times that are finite and >= 0.
Cost estimate_cost(const CostQuestion& question, const Tariff& tariff);

}  // namespace traintally
