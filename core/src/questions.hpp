#pragma once

#include <traintally/catalog.hpp>
#include <traintally/cost.hpp>
#include <traintally/job.hpp>
#include <traintally/run.hpp>
#include <traintally/scenario.hpp>

namespace traintally {

/// What a resolved scenario asks of the stages after memory and time. The single estimate and the
/// plan search ask alike.

/// Optimizer steps of the run: whole ones, at least one.
double steps_of(const Job& job);

Reliability reliability_of(const Scenario& scenario);

/// Whether the offer's prices had run out on the scenario's day. Days compare as text; a month
/// stands for its last day.
bool expired(const OfferEntry& offer, const Scenario& scenario);

/// Whether a seller says how often its machines fail, are taken back or are down.
bool states_reliability(const OfferEntry& offer);

/// What the visitor said of reliability counts (`given`), else what the seller says, else what
/// `scenario` has.
void take_reliability_of(const OfferEntry& offer, const Scenario& given, Scenario& scenario);

/// The run at a step's time and at the ends of its interval.
struct RunEstimate {
  Run run;
  Interval<Seconds> wall;
};
RunEstimate estimate_run(const Job& job, const Interval<Seconds>& step, Bytes checkpoint,
                         const Reliability& reliability);

/// Yuan for a dollar; empty where the scenario has no rate.
std::optional<ExchangeRate> exchange_rate_of(const Scenario& scenario);

/// The visitor's own prices for `count` GPUs; empty where none are given.
Tariff given_tariff(const Scenario& scenario, std::int64_t count);

/// The offer's prices, with the scenario's share of a year where it gives one.
Tariff tariff_of(const OfferEntry& offer, const Scenario& scenario);

CostQuestion cost_question(const Scenario& scenario, const Job& job,
                           const Interval<Seconds>& run_time, const Calendar& calendar);

/// The cost where interruptions are not bought with the hours: spot prices are paid only where they
/// were asked for, or nothing else is for sale.
Cost cost_without_interruptions(const CostQuestion& question, const Tariff& tariff);

}  // namespace traintally
