#pragma once

#include <optional>
#include <string>
#include <vector>

#include <traintally/cost.hpp>
#include <traintally/published.hpp>
#include <traintally/run.hpp>

namespace traintally {

/// Whole years, months and days, and hours on demand, that together cover a run.
struct BillingMix {
  double years = 0;
  double months = 0;
  double days = 0;
  double hours = 0;  ///< billed, in steps
  Money total;
};

/// The cheapest cover of `run` by whole periods and on-demand hours, of all prices but spot. Exact
/// over every number of years and months; days are linear between covering nothing and all of the
/// rest, as long as the on-demand step divides a day.
/// @return nothing where the tariff has fewer than two prices of one currency, or the run is longer
/// than kMostMixedYears
std::optional<BillingMix> best_mix(const CostQuestion& question, const Tariff& tariff, Seconds run);
inline constexpr double kMostMixedYears = 10;

/// What a seller grants or asks besides its price list. Shares are of the price, 0.05 takes 5% off.
struct BillingTerms {
  std::optional<Decimal> long_term_low;  ///< further discount on months, from long_term_months on
  std::optional<Decimal> long_term_high;
  double long_term_months = 0;
  std::optional<Decimal> academic;      ///< discount on whatever is cheapest
  double trial_hours = 0;               ///< at the start, free of charge
  double stopped_hours = 0;             ///< held but switched off, beside the run
  std::optional<Decimal> stopped_hour;  ///< for all GPUs, what such an hour costs; empty: nothing
  std::optional<Decimal> exit_penalty;  ///< share of the unused rest that leaving early costs
  std::optional<Decimal> tax;           ///< rate
};

/// Another way to pay for the run than one price throughout.
struct BillingWay {
  std::string code;  ///< mixed | long_term | academic | trial | stopped | spot
  Interval<Money> total;
  bool conditional = false;  ///< somebody has to grant it
  std::optional<BillingMix> mix;
};

/// Leaving a term before it ends.
struct EarlyExit {
  BillingMode mode = BillingMode::monthly;
  double unused_hours = 0;
  Money whole_term;               ///< nothing comes back
  std::optional<Money> penalty;   ///< the used share and exit_penalty of the rest
  std::optional<Money> clawback;  ///< annual: the used months at the monthly list price
};

struct Billing {
  std::vector<BillingWay> ways;
  std::string cheapest;  ///< code of the way, or name of the mode, that costs least by itself
  Money cheapest_total;
  std::string article_way;  ///< what the article's rule says for this duration
  double months = 0;
  std::vector<EarlyExit> exits;
  std::optional<Money> without_tax;  ///< of the chosen total
  std::optional<Money> with_tax;
  Run spot_run;  ///< with its interruptions; zero without a spot price
};

/// All of it for a run that has been costed. `spot_run` is the run with spot's interruptions,
/// `spot_time` its interval; both are unused without a spot price.
Billing plan_billing(const CostQuestion& question, const Tariff& tariff, const Cost& cost,
                     const BillingTerms& terms, const Interval<Seconds>& spot_time,
                     const Article* article);

}  // namespace traintally
