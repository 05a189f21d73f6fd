#include "questions.hpp"

#include <algorithm>

namespace traintally {
namespace {
constexpr double real(std::int64_t n) { return static_cast<double>(n); }
}  // namespace

double steps_of(const Job& job) {
  const double per_step = real(job.training.sequence_length * job.training.global_batch);
  const double whole = job.training.tokens / per_step;
  const double steps = whole < 1 ? 1 : whole;
  if (steps >= 9e15) return steps;
  const auto complete = static_cast<std::int64_t>(steps);  // the last step is a whole one too
  return real(complete) < steps ? real(complete + 1) : real(complete);
}

Reliability reliability_of(const Scenario& s) {
  Reliability reliability;
  reliability.failures_per_gpu_day = *s.failures_per_gpu_day;
  reliability.interruptions = s.interruption_rate.value_or(0);
  reliability.availability = s.availability.value_or(1);
  reliability.checkpoint_interval = {*s.checkpoint_interval_s};
  reliability.storage_write = {*s.storage_write_gb_s * kGB};
  reliability.asynchronous = *s.asynchronous_checkpoints;
  reliability.restart = {*s.restart_s};
  reliability.startup = {*s.startup_s};
  return reliability;
}

bool expired(const OfferEntry& offer, const Scenario& s) {
  if (!s.date || s.date->empty() || offer.valid_until.empty()) return false;
  const std::size_t digits = std::min(s.date->size(), offer.valid_until.size());
  return offer.valid_until.substr(0, digits) < s.date->substr(0, digits);
}

bool states_reliability(const OfferEntry& offer) {
  return offer.failures_per_gpu_day >= 0 || offer.interruption_rate >= 0 || offer.availability >= 0;
}

void take_reliability_of(const OfferEntry& offer, const Scenario& given, Scenario& scenario) {
  const auto take = [](std::optional<double>& field, const std::optional<double>& said,
                       double stated) {
    if (!said && stated >= 0) field = stated;
  };
  take(scenario.failures_per_gpu_day, given.failures_per_gpu_day, offer.failures_per_gpu_day);
  take(scenario.interruption_rate, given.interruption_rate, offer.interruption_rate);
  take(scenario.availability, given.availability, offer.availability);
}

RunEstimate estimate_run(const Job& job, const Interval<Seconds>& step, Bytes checkpoint,
                         const Reliability& reliability) {
  const double steps = steps_of(job);
  const auto run_at = [&](Seconds one) {
    return estimate_run(steps, one, job.cluster.count, checkpoint, reliability);
  };
  RunEstimate result;
  result.run = run_at(step.value);
  result.wall = {result.run.wall, run_at(step.low).wall, run_at(step.high).wall};
  return result;
}

std::optional<ExchangeRate> exchange_rate_of(const Scenario& s) {
  if (!s.cny_per_usd) return std::nullopt;
  const std::optional<Decimal> rate = Decimal::parse(*s.cny_per_usd);
  if (!rate || rate->is_zero()) return std::nullopt;
  return ExchangeRate{kUsd, kCny, *rate};
}

Tariff given_tariff(const Scenario& s, std::int64_t count) {
  Tariff tariff;
  const std::string_view currency = s.currency.value_or("CNY");
  const auto set = [&](BillingMode mode, std::optional<std::string_view> value, bool per_gpu) {
    if (!value) return;
    set_price(tariff, {mode, *value, currency, *s.tax_included}, per_gpu);
  };
  tariff.unit_gpus = count;
  set(BillingMode::on_demand, s.per_hour, false);
  set(BillingMode::on_demand, s.per_gpu_hour, true);
  set(BillingMode::monthly, s.per_month, false);
  set(BillingMode::monthly, s.per_gpu_month, true);
  set(BillingMode::annual, s.per_year, false);
  if (s.annual_factor) set_annual_factor(tariff, *s.annual_factor);
  return tariff;
}

Tariff tariff_of(const OfferEntry& offer, const Scenario& s) {
  Tariff tariff = tariff_of(offer);
  if (s.annual_factor) set_annual_factor(tariff, *s.annual_factor);
  return tariff;
}

CostQuestion cost_question(const Scenario& s, const Job& job, const Interval<Seconds>& run_time,
                           const Calendar& calendar) {
  CostQuestion question;
  question.run = run_time;
  question.tokens = job.training.tokens;
  question.gpus = job.cluster.count;
  question.mode = s.billing;
  question.rate = exchange_rate_of(s);
  question.calendar = calendar;
  return question;
}

Cost cost_without_interruptions(const CostQuestion& question, const Tariff& tariff) {
  if (question.mode) return estimate_cost(question, tariff);
  Tariff steady = tariff;
  steady.price(BillingMode::spot).reset();
  if (steady.empty()) return estimate_cost(question, tariff);
  CostQuestion asked = question;
  asked.mode = estimate_cost(question, steady).paid().mode;
  return estimate_cost(asked, tariff);
}

}  // namespace traintally
