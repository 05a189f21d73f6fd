#include "explanation.hpp"

namespace traintally {
namespace {

void explain_money(const Report& r, std::vector<Derivation>& out) {
  const Cost& cost = r.cost;
  const ModeCost& paid = cost.paid();
  const std::string currency(paid.total.own.value.currency.text());
  const double total = paid.total.own.value.amount.approximate();
  const std::string offer =
      r.resolved.offer != nullptr ? "catalog/offers.json: " + r.resolved.offer->id : "as given";
  out.push_back({"/cost/total",
                 {{"price of a period · periods",
                   number(paid.period_price.approximate()) + " × " + number(paid.periods.value),
                   total,
                   currency,
                   {offer, "catalog/calendar.json"}}}});
  const double tokens = decimal_from(r.cost_question.tokens, 0).approximate();
  if (cost.per_1k_tokens) {
    out.push_back({"/cost/per_1k_tokens",
                   {{"cost / tokens · 1,000",
                     number(total) + " / " + number(tokens) + " × 1,000",
                     cost.per_1k_tokens->own.value.amount.approximate(),
                     currency,
                     {}}}});
  }
  if (cost.per_million_tokens) {
    out.push_back({"/cost/per_million_tokens",
                   {{"cost / tokens · 1,000,000",
                     number(total) + " / " + number(tokens) + " × 1,000,000",
                     cost.per_million_tokens->own.value.amount.approximate(),
                     currency,
                     {}}}});
  }
}

}  // namespace

void explain_cost(const Report& r, std::vector<Derivation>& out) {
  const Scenario& s = r.resolved.scenario;
  if (r.cost_known) explain_money(r, out);
  out.push_back(
      {"/storage/needed_bytes",
       {{"data set + checkpoints · kept + weights",
         number(r.storage.dataset.value) + " + " + number(r.storage.checkpoint.value) + " × " +
             number(s.checkpoints_kept.value_or(0)) + " + " + number(r.storage.weights.value),
         r.storage.needed.value,
         "bytes",
         {"catalog/storage.json"}}}});
  if (!r.energy_known) return;
  const Job& job = r.resolved.job;
  out.push_back(
      {"/energy/kwh",
       {{"n · board power · load · host factor · PUE · hours / 1,000",
         number(job.cluster.count) + " × " + number(job.cluster.gpu.power.value) + " × " +
             number(s.load.value_or(1)) + " × " + number(s.host_factor.value_or(1)) + " × " +
             number(s.pue.value_or(1)) + " × " + number(r.run.wall.value) + " / 3,600 / 1,000",
         r.energy.kwh,
         "kWh",
         {source::gpus, "catalog/reliability.json"}}}});
}

}  // namespace traintally
