#include <traintally/billing.hpp>

#include <algorithm>
#include <cmath>

namespace traintally {
namespace {

constexpr double kSecondsPerHour = 3600;
constexpr int kDigits = 12;

/// A period's price for all rented GPUs; empty without one in `currency`.
std::optional<Decimal> rented(const Cost& cost, BillingMode mode, Currency currency) {
  for (int i = 0; i < cost.modes; ++i) {
    const ModeCost& entry = cost.by_billing[i];
    const bool same = entry.mode == mode && entry.total.own.value.currency == currency;
    if (same) return entry.period_price;
  }
  return std::nullopt;
}

Decimal less(Decimal amount, Decimal share) {
  return multiply(amount, Decimal::from_integer(1) - share, kMoneyScale);
}

Interval<Money> less(const Interval<Money>& amount, Decimal low, Decimal high) {
  const auto cut = [](const Money& money, Decimal share) {
    return Money{less(money.amount, share), money.currency};
  };
  return {cut(amount.value, low), cut(amount.low, high), cut(amount.high, low)};
}

struct Coin {
  std::optional<Decimal> price;
  double hours = 0;
  double least = 0;  ///< periods of the shortest term
};

const ModeCost* entry_of(const Cost& cost, BillingMode mode) {
  for (int i = 0; i < cost.modes; ++i) {
    if (cost.by_billing[i].mode == mode) return &cost.by_billing[i];
  }
  return nullptr;
}

}  // namespace

std::optional<BillingMix> best_mix(const CostQuestion& question, const Tariff& tariff,
                                   Seconds run) {
  const Calendar& calendar = question.calendar;
  const double need = run.value / kSecondsPerHour;
  if (!(need <= kMostMixedYears * calendar.hours_per_year())) return std::nullopt;
  const Cost cost = estimate_cost(question, tariff);
  const Currency currency = cost.by_billing[0].total.own.value.currency;
  Coin coins[3];
  const BillingMode modes[] = {BillingMode::annual, BillingMode::monthly, BillingMode::daily};
  int priced = 0;
  for (int i = 0; i < 3; ++i) {
    coins[i].hours = calendar.hours_per_period(modes[i]);
    coins[i].price = rented(cost, modes[i], currency);
    priced += coins[i].price ? 1 : 0;
    const std::optional<ModePrice>& price = tariff.price(modes[i]);
    if (price) {
      coins[i].least = std::ceil(price->least_months * calendar.hours_per_month() / coins[i].hours);
    }
  }
  const std::optional<Decimal> hour = rented(cost, BillingMode::on_demand, currency);
  if (priced + (hour ? 1 : 0) < 2) return std::nullopt;
  double step = question.on_demand_step.value;
  if (const std::optional<ModePrice>& price = tariff.price(BillingMode::on_demand)) {
    if (price->step.value > 0) step = price->step.value;
  }

  BillingMix best;
  bool any = false;
  const auto covering = [](const Coin& coin, double rest) {
    return coin.price ? std::ceil(std::max(0.0, rest) / coin.hours) : 0.0;
  };
  const auto allowed = [](const Coin& coin, double n) { return n == 0 || n >= coin.least; };
  const auto consider = [&](double years, double months, double days) {
    const double rest =
        need - years * coins[0].hours - months * coins[1].hours - days * coins[2].hours;
    if (rest > 0 && !hour) return;
    if (!allowed(coins[2], days)) return;
    double hours = std::max(0.0, rest);
    if (step > 0) hours = std::ceil(hours * kSecondsPerHour / step) * step / kSecondsPerHour;
    BillingMix mix{years, months, days, hours, {{}, currency}};
    const double counts[] = {years, months, days};
    Decimal total;
    for (int i = 0; i < 3; ++i) {
      if (counts[i] > 0) total = total + multiply(*coins[i].price, counts[i], kMoneyScale);
    }
    if (hours > 0) total = total + multiply(*hour, hours, kMoneyScale);
    mix.total.amount = total;
    if (any && best.total.amount <= total) return;
    best = mix;
    any = true;
  };
  const double most_years = covering(coins[0], need);
  for (double years = 0; years <= most_years; ++years) {
    if (!allowed(coins[0], years)) continue;
    const double after_years = need - years * coins[0].hours;
    const double most_months = std::max(covering(coins[1], after_years), 0.0);
    for (double months = 0; months <= most_months; ++months) {
      if (!allowed(coins[1], months)) continue;
      const double rest = after_years - months * coins[1].hours;
      const double most_days = covering(coins[2], rest);
      consider(years, months, 0);
      if (most_days > 0) consider(years, months, most_days);
      if (most_days > 1) consider(years, months, most_days - 1);
    }
  }
  // A term may be longer than the run.
  for (int i = 0; i < 2; ++i) {
    if (!coins[i].price) continue;
    const double least = std::max(coins[i].least, covering(coins[i], need));
    i == 0 ? consider(least, 0, 0) : consider(0, least, 0);
  }
  if (!any) return std::nullopt;
  return best;
}

Billing plan_billing(const CostQuestion& question, const Tariff& tariff, const Cost& cost,
                     const BillingTerms& terms, const Interval<Seconds>& spot_time,
                     const Article* article) {
  Billing billing;
  const Calendar& calendar = question.calendar;
  const double hours = question.run.value.value / kSecondsPerHour;
  billing.months = hours / calendar.hours_per_month();
  constexpr const char* kModeNames[] = {"on_demand", "daily", "monthly", "annual", "spot"};

  const ModeCost& plain = cost.by_billing[cost.cheapest];
  billing.cheapest = kModeNames[static_cast<int>(plain.mode)];
  billing.cheapest_total = plain.total.own.value;
  Interval<Money> cheapest = plain.total.own;
  const auto compete = [&](const BillingWay& way) {
    if (way.conditional) return;
    const Money& total = way.total.value;
    if (!(total.currency == billing.cheapest_total.currency)) return;
    if (!(total.amount < billing.cheapest_total.amount)) return;
    billing.cheapest = way.code;
    billing.cheapest_total = total;
    cheapest = way.total;
  };

  const std::optional<BillingMix> value = best_mix(question, tariff, question.run.value);
  const std::optional<BillingMix> low = best_mix(question, tariff, question.run.low);
  const std::optional<BillingMix> high = best_mix(question, tariff, question.run.high);
  if (value && low && high) {
    billing.ways.push_back({"mixed", {value->total, low->total, high->total}, false, value});
    compete(billing.ways.back());
  }
  const ModeCost* monthly = entry_of(cost, BillingMode::monthly);
  if (monthly != nullptr && terms.long_term_low &&
      monthly->periods.value >= terms.long_term_months) {
    const Decimal most = terms.long_term_high.value_or(*terms.long_term_low);
    billing.ways.push_back(
        {"long_term", less(monthly->total.own, *terms.long_term_low, most), true, {}});
  }
  const ModeCost* hourly = entry_of(cost, BillingMode::on_demand);
  if (hourly != nullptr && terms.trial_hours > 0) {
    const auto after = [&](const Money& total, double billed) {
      const double paid = std::max(0.0, billed - terms.trial_hours);
      return Money{multiply(hourly->period_price, paid, kMoneyScale), total.currency};
    };
    const Interval<Money>& total = hourly->total.own;
    billing.ways.push_back(
        {"trial",
         {after(total.value, hourly->periods.value), after(total.low, hourly->periods.low),
          after(total.high, hourly->periods.high)},
         true,
         {}});
  }
  if (hourly != nullptr && terms.stopped_hours > 0) {
    const Decimal idle =
        multiply(terms.stopped_hour.value_or(Decimal{}), terms.stopped_hours, kMoneyScale);
    const auto with = [&](const Money& total) {
      return Money{total.amount + idle, total.currency};
    };
    const Interval<Money>& total = hourly->total.own;
    billing.ways.push_back(
        {"stopped", {with(total.value), with(total.low), with(total.high)}, true, {}});
  }
  if (entry_of(cost, BillingMode::spot) != nullptr && spot_time.value.value > 0) {
    CostQuestion spot = question;
    spot.run = spot_time;
    spot.mode = BillingMode::spot;
    billing.ways.push_back({"spot", estimate_cost(spot, tariff).total.own, false, {}});
    compete(billing.ways.back());
  }
  if (terms.academic) {
    billing.ways.push_back(
        {"academic", less(cheapest, *terms.academic, *terms.academic), true, {}});
  }

  if (article != nullptr) {
    for (const ArticleBilling& rule : article->billing) {
      const bool above = billing.months >= rule.low_months;
      const bool below = rule.high_months <= 0 || billing.months < rule.high_months;
      if (above && below) billing.article_way = rule.way;
    }
  }

  for (const BillingMode mode : {BillingMode::monthly, BillingMode::annual}) {
    const ModeCost* entry = entry_of(cost, mode);
    if (entry == nullptr) continue;
    const double paid_hours = entry->periods.value * entry->period_hours;
    EarlyExit leaving;
    leaving.mode = mode;
    leaving.unused_hours = paid_hours - hours;
    if (leaving.unused_hours <= 0 || paid_hours <= 0) continue;
    leaving.whole_term = entry->total.own.value;
    const Currency currency = leaving.whole_term.currency;
    if (terms.exit_penalty) {
      const Decimal unused =
          multiply(leaving.whole_term.amount, leaving.unused_hours / paid_hours, kMoneyScale);
      const Decimal kept = leaving.whole_term.amount - unused;
      leaving.penalty = Money{kept + multiply(unused, *terms.exit_penalty, kMoneyScale), currency};
    }
    if (mode == BillingMode::annual && monthly != nullptr) {
      const Decimal month = monthly->period_price;
      const double used = std::ceil(hours / calendar.hours_per_month());
      leaving.clawback = Money{multiply(month, used, kMoneyScale), currency};
    }
    billing.exits.push_back(leaving);
  }

  if (terms.tax) {
    const Money& total = cost.total.own.value;
    const Decimal with = Decimal::from_integer(1) + *terms.tax;
    const Decimal untaxed = cost.tax_included ? divide(total.amount, with, kDigits) : total.amount;
    const Decimal taxed =
        cost.tax_included ? total.amount : multiply(total.amount, with, kMoneyScale);
    billing.without_tax = Money{untaxed, total.currency};
    billing.with_tax = Money{taxed, total.currency};
  }
  return billing;
}

}  // namespace traintally
