#include "explanation.hpp"

namespace traintally {
namespace {

void explain_money(const Report& r, std::vector<Derivation>& out) {
  const Cost& cost = r.cost;
  const ModeCost& paid = cost.paid();
  const std::string currency(paid.total.own.value.currency.text());
  const double total = paid.total.own.value.amount.approximate();
  std::string offer = "as given";
  if (r.resolved.offer != nullptr) {
    offer = "catalog/offers.json: ";
    offer += r.resolved.offer->id;
  }
  derive(out, "/cost/total",
         {{"price of a period · periods",
           "# × #",
           {paid.period_price.approximate(), paid.periods.value},
           total,
           currency.c_str(),
           {offer.c_str(), "catalog/calendar.json"}}});
  const double tokens = decimal_from(r.cost_question.tokens, 0).approximate();
  const auto unit_cost = [&](const char* at, const char* symbols, const char* numbers,
                             const std::optional<Amounts>& amounts) {
    if (!amounts) return;
    const double cost_of_unit = amounts->own.value.amount.approximate();
    derive(out, at, {{symbols, numbers, {total, tokens}, cost_of_unit, currency.c_str(), {}}});
  };
  unit_cost("/cost/per_1k_tokens", "cost / tokens · 1,000", "# / # × 1,000", cost.per_1k_tokens);
  unit_cost("/cost/per_million_tokens", "cost / tokens · 1,000,000", "# / # × 1,000,000",
            cost.per_million_tokens);
}

}  // namespace

void explain_cost(const Report& r, std::vector<Derivation>& out) {
  const Scenario& s = r.resolved.scenario;
  if (r.cost_known) explain_money(r, out);
  derive(out, "/storage/needed_bytes",
         {{"data set + checkpoints · kept + weights",
           "# + # × # + #",
           {r.storage.dataset.value, r.storage.checkpoint.value,
            static_cast<double>(s.checkpoints_kept.value_or(0)), r.storage.weights.value},
           r.storage.needed.value,
           "bytes",
           {"catalog/storage.json"}}});
  if (!r.energy_known) return;
  const Cluster& cluster = r.resolved.job.cluster;
  derive(out, "/energy/kwh",
         {{"n · board power · load · host factor · PUE · hours / 1,000",
           "# × # × # × # × # × # / 3,600 / 1,000",
           {static_cast<double>(cluster.count), cluster.gpu.power.value, s.load.value_or(1),
            s.host_factor.value_or(1), s.pue.value_or(1), r.run.wall.value},
           r.energy.kwh,
           "kWh",
           {source::gpus, "catalog/reliability.json"}}});
}

}  // namespace traintally
