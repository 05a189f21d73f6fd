#include <traintally/cost.hpp>

#include <algorithm>
#include <cmath>

namespace traintally {
namespace {

constexpr double kSecondsPerHour = 3600;
// Unit costs are kept to more digits than any report shows.
constexpr int kUnitCostDigits = 12;

constexpr BillingMode kModes[] = {BillingMode::on_demand, BillingMode::daily, BillingMode::monthly,
                                  BillingMode::annual, BillingMode::spot};

constexpr bool by_the_hour(BillingMode mode) {
  return mode == BillingMode::on_demand || mode == BillingMode::spot;
}

// Seconds that are paid by the hour: in whole steps, or exact.
double billed_seconds(const CostQuestion& question, const ModePrice& price, Seconds run) {
  const double step = price.step.value > 0 ? price.step.value : question.on_demand_step.value;
  return step > 0 ? std::ceil(run.value / step) * step : run.value;
}

// Days, months or years that are paid: whole, at least one, and no fewer than the shortest term.
double billed_periods(const CostQuestion& question, double period_hours, const ModePrice& price,
                      Seconds run) {
  const double term_hours = price.least_months * question.calendar.hours_per_month();
  const double term = std::ceil(term_hours / period_hours);
  const double periods = std::ceil(run.value / (period_hours * kSecondsPerHour));
  return std::max({periods, term, 1.0});
}

struct Bill {
  double periods = 0;
  Money total;
};

Bill bill(const CostQuestion& question, BillingMode mode, const ModePrice& price,
          const Money& rented, Seconds run) {
  const double period_hours = question.calendar.hours_per_period(mode);
  if (!by_the_hour(mode)) {
    const double periods = billed_periods(question, period_hours, price, run);
    return {periods, {multiply(rented.amount, periods, kMoneyScale), rented.currency}};
  }
  const double seconds = billed_seconds(question, price, run);
  const double hours = seconds / kSecondsPerHour;
  constexpr double kExact = 9007199254740992.0;  // 2^53
  // A whole number of seconds is billed as a fraction, without rounding the hours.
  const bool whole = seconds < kExact && std::floor(seconds) == seconds;
  const Decimal amount = whole ? multiply(rented.amount, static_cast<std::int64_t>(seconds),
                                          static_cast<std::int64_t>(kSecondsPerHour), kMoneyScale)
                               : multiply(rented.amount, hours, kMoneyScale);
  return {hours, {amount, rented.currency}};
}

// Tokens are a count: the nearest whole number, but at least one.
Decimal token_count(double tokens) { return decimal_from(tokens < 1 ? 1 : tokens, 0); }

// Moving the point first keeps the amount in range: totals have kMoneyScale digits after it.
Money per_tokens(const Money& total, Decimal tokens, int power_of_ten) {
  Decimal amount = total.amount;
  amount.scale -= power_of_ten;
  return {divide(amount, tokens, kUnitCostDigits), total.currency};
}

template <class Function>
Interval<Money> each(const Interval<Money>& amounts, Function function) {
  return {function(amounts.value), function(amounts.low), function(amounts.high)};
}

std::optional<Interval<Money>> in_currency(const Interval<Money>& own,
                                           const std::optional<ExchangeRate>& rate, Currency to,
                                           int scale) {
  const ExchangeRate none{kUsd, kUsd, Decimal::from_integer(1)};
  const ExchangeRate& by = rate ? *rate : none;
  const std::optional<Money> value = convert(own.value, by, to, scale);
  const std::optional<Money> low = convert(own.low, by, to, scale);
  const std::optional<Money> high = convert(own.high, by, to, scale);
  if (!value || !low || !high) return std::nullopt;
  return Interval<Money>{*value, *low, *high};
}

Amounts amounts(const Interval<Money>& own, const std::optional<ExchangeRate>& rate, int scale) {
  return {own, in_currency(own, rate, kCny, scale), in_currency(own, rate, kUsd, scale)};
}

// The mode that a mode's price is a discount on.
std::optional<BillingMode> reference_mode(const Tariff& tariff, BillingMode mode) {
  const bool monthly = tariff.price(BillingMode::monthly).has_value();
  const bool on_demand = tariff.price(BillingMode::on_demand).has_value();
  if (mode == BillingMode::annual && monthly) return BillingMode::monthly;
  if (mode != BillingMode::on_demand && on_demand) return BillingMode::on_demand;
  return std::nullopt;
}

// The price of one period for all rented GPUs.
Money rented_price(const ModePrice& price, const Cost& cost) {
  const std::int64_t count = price.per_gpu ? cost.rented_gpus : cost.units;
  return {multiply(price.value, count, 1, price.value.scale), price.currency};
}

void compare_with_reference(const CostQuestion& question, const Tariff& tariff, const Cost& cost,
                            ModeCost& entry) {
  const std::optional<BillingMode> reference = reference_mode(tariff, entry.mode);
  if (!reference) return;
  const Money price = rented_price(*tariff.price(*reference), cost);
  if (!(price.currency == entry.total.own.value.currency) || price.amount.is_zero()) return;
  const double periods = entry.period_hours / question.calendar.hours_per_period(*reference);
  const Decimal full = multiply(price.amount, periods, kMoneyScale);
  constexpr int kShareDigits = 4;
  const Decimal paid = divide(entry.period_price, full, kUnitCostDigits).rounded(kShareDigits);
  if (paid.saturated) return;
  entry.compared_with = reference;
  entry.paid_fraction = paid;
  entry.discount = Decimal::from_integer(1) - *entry.paid_fraction;
}

ModeCost cost_of_mode(const CostQuestion& question, const Tariff& tariff, const Cost& cost,
                      BillingMode mode, const ModePrice& price, bool derived) {
  ModeCost entry;
  entry.mode = mode;
  entry.derived = derived;
  entry.tax_included = price.tax_included;
  entry.period_hours = question.calendar.hours_per_period(mode);
  const Money period = rented_price(price, cost);
  entry.period_price = period.amount;
  const auto bill_for = [&](Seconds run) { return bill(question, mode, price, period, run); };
  const Bill value = bill_for(question.run.value);
  const Bill low = bill_for(question.run.low);
  const Bill high = bill_for(question.run.high);
  entry.periods = {value.periods, low.periods, high.periods};
  entry.total = amounts({value.total, low.total, high.total}, question.rate, kMoneyScale);
  const double gpu_hours = entry.period_hours * static_cast<double>(cost.rented_gpus);
  const auto spread = [](Decimal amount, double hours) {
    return divide(amount, decimal_from(hours, kMoneyScale), kUnitCostDigits);
  };
  entry.gpu_hour = {spread(period.amount, gpu_hours), period.currency};
  const double run_gpu_hours =
      question.run.value.value / kSecondsPerHour * static_cast<double>(question.gpus);
  if (run_gpu_hours >= 1e-6) {
    entry.run_gpu_hour =
        Money{spread(entry.total.own.value.amount, run_gpu_hours), period.currency};
  }
  compare_with_reference(question, tariff, cost, entry);
  return entry;
}

// A year without a price of its own: twelve months at the share that is paid.
std::optional<ModePrice> annual_from_monthly(const Tariff& tariff, const Calendar& calendar) {
  const std::optional<ModePrice>& monthly = tariff.price(BillingMode::monthly);
  if (!monthly || !tariff.annual_factor) return std::nullopt;
  ModePrice annual = *monthly;
  annual.least_months = 0;
  const Decimal months = decimal_from(calendar.months_per_year, 0);
  const Decimal year = multiply(monthly->value, months, monthly->value.scale);
  annual.value = multiply(year, *tariff.annual_factor, kMoneyScale);
  return annual;
}

// Totals compare in one currency; without a rate, amounts of other currencies never win.
bool cheaper(const ModeCost& a, const ModeCost& b) {
  const Money& left = a.total.own.value;
  const Money& right = b.total.own.value;
  if (left.currency == right.currency) return left.amount < right.amount;
  if (a.total.cny && b.total.cny) return a.total.cny->value.amount < b.total.cny->value.amount;
  return false;
}

bool saturated(const Amounts& amounts) {
  const auto any = [](const Interval<Money>& interval) {
    return interval.value.amount.saturated || interval.low.amount.saturated ||
           interval.high.amount.saturated;
  };
  return any(amounts.own) || (amounts.cny && any(*amounts.cny)) ||
         (amounts.usd && any(*amounts.usd));
}

// Monthly over on-demand, both for the same GPUs.
void find_breakeven(const CostQuestion& question, const Tariff& tariff, Cost& cost) {
  const std::optional<ModePrice>& monthly = tariff.price(BillingMode::monthly);
  const std::optional<ModePrice>& on_demand = tariff.price(BillingMode::on_demand);
  if (!monthly || !on_demand || !(monthly->currency == on_demand->currency)) return;
  const Decimal hour = rented_price(*on_demand, cost).amount;
  if (hour.is_zero()) return;
  const Decimal month = rented_price(*monthly, cost).amount;
  cost.breakeven_hours = divide(month, hour, kUnitCostDigits);
  const Decimal hours_per_month = decimal_from(question.calendar.hours_per_month(), kMoneyScale);
  cost.breakeven_reachable = *cost.breakeven_hours <= hours_per_month;
}

}  // namespace

double Calendar::hours_per_period(BillingMode mode) const {
  switch (mode) {
    case BillingMode::on_demand:
    case BillingMode::spot:
      return 1;
    case BillingMode::daily:
      return hours_per_day;
    case BillingMode::monthly:
      return hours_per_month();
    case BillingMode::annual:
      break;
  }
  return hours_per_year();
}

bool Tariff::empty() const {
  for (const std::optional<ModePrice>& mode : modes) {
    if (mode) return false;
  }
  return true;
}

bool set_price(Tariff& tariff, const OfferPrice& price, bool per_gpu) {
  const std::optional<Decimal> value = Decimal::parse(price.value);
  const std::optional<Currency> currency = Currency::parse(price.currency);
  if (!value || value->is_negative() || !currency) return false;
  ModePrice parsed;
  parsed.value = *value;
  parsed.currency = *currency;
  parsed.tax_included = price.tax_included;
  parsed.per_gpu = per_gpu;
  parsed.step = Seconds{price.rounding_s};
  parsed.least_months = price.minimum_term_months;
  tariff.price(price.mode) = parsed;
  return true;
}

bool set_annual_factor(Tariff& tariff, std::string_view share) {
  const std::optional<Decimal> factor = Decimal::parse(share);
  if (!factor || factor->units <= 0 || Decimal::from_integer(1) < *factor) return false;
  tariff.annual_factor = factor;
  return true;
}

Tariff tariff_of(const OfferEntry& offer) {
  Tariff tariff;
  tariff.unit_gpus = offer.count;
  for (const OfferPrice& price : offer.prices) set_price(tariff, price, offer.per_gpu);
  if (!offer.annual_factor.empty()) set_annual_factor(tariff, offer.annual_factor);
  return tariff;
}

Cost estimate_cost(const CostQuestion& question, const Tariff& tariff) {
  Cost cost;
  cost.units = (question.gpus + tariff.unit_gpus - 1) / tariff.unit_gpus;
  cost.rented_gpus = cost.units * tariff.unit_gpus;
  int asked = -1;
  for (const BillingMode mode : kModes) {
    std::optional<ModePrice> price = tariff.price(mode);
    const bool derived = !price && mode == BillingMode::annual;
    if (derived) price = annual_from_monthly(tariff, question.calendar);
    if (!price) continue;
    ModeCost& entry = cost.by_billing[cost.modes];
    entry = cost_of_mode(question, tariff, cost, mode, *price, derived);
    // Spot is interrupted, so its run is longer than this one: only when asked for.
    const ModeCost& best = cost.by_billing[cost.cheapest];
    const bool best_is_spot = best.mode == BillingMode::spot;
    if (mode != BillingMode::spot && (best_is_spot || cheaper(entry, best))) {
      cost.cheapest = cost.modes;
    }
    if (question.mode == mode) asked = cost.modes;
    ++cost.modes;
  }
  cost.mode_unavailable = question.mode.has_value() && asked < 0;
  cost.chosen = asked < 0 ? cost.cheapest : asked;

  const ModeCost& paid = cost.paid();
  cost.tax_included = paid.tax_included;
  cost.total = paid.total;
  cost.saturated = saturated(cost.total);
  if (question.tokens > 0) {
    const Decimal tokens = token_count(question.tokens);
    const auto unit = [&](int power_of_ten) {
      const auto spread = [&](const Money& total) {
        return per_tokens(total, tokens, power_of_ten);
      };
      Amounts result{each(cost.total.own, spread), {}, {}};
      if (cost.total.cny) result.cny = each(*cost.total.cny, spread);
      if (cost.total.usd) result.usd = each(*cost.total.usd, spread);
      cost.saturated = cost.saturated || saturated(result);
      return result;
    };
    cost.per_1k_tokens = unit(3);
    cost.per_million_tokens = unit(6);
  }
  find_breakeven(question, tariff, cost);
  return cost;
}

}  // namespace traintally
