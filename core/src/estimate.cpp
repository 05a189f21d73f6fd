#include <traintally/estimate.hpp>

#include <algorithm>

#include "explanation.hpp"
#include "questions.hpp"

namespace traintally {
namespace {

constexpr double real(std::int64_t n) { return static_cast<double>(n); }
constexpr double kTB = 1e12;

template <class Unit>
Interval<Quantity<Unit>> spread_around(Quantity<Unit> value, const Spread& spread) {
  return {value, value * spread.low, value * spread.high};
}

double trainable_parameters(const Job& job) {
  if (!job.training.adapters()) return real(job.parameters.total);
  return real(job.model.layers * job.lora_layer.attention +
              job.model.dense_layers() * job.lora_layer.dense_mlp +
              job.model.moe_layers() * job.lora_layer.moe_mlp);
}

/// Every part of a step in the proportion of its total.
StepTime rescaled(StepTime step, double ratio) {
  for (Seconds* part : {&step.matmul, &step.attention, &step.elementwise, &step.head_and_loss,
                        &step.recompute, &step.launch, &step.tensor_exposed, &step.data_exposed,
                        &step.pipeline_exposed, &step.context_exposed, &step.expert_exposed,
                        &step.bubble, &step.optimizer, &step.offload, &step.compute, &step.step}) {
    part->value *= ratio;
  }
  return step;
}

class Estimator {
 public:
  Estimator(const Scenario& scenario, const Catalog& catalog, const Problems& given)
      : catalog_(catalog), given_(scenario) {
    report_.resolved = resolve(scenario, catalog, given);
  }

  Report run() {
    if (!report_.resolved.problems.empty()) return std::move(report_);
    report_.answered = true;
    report_.trainable_parameters = trainable_parameters(job());
    if (s().method == Method::published) {
      for (const char* figure : {"/memory", "/time", "/flops", "/cost", "/storage", "/energy"}) {
        absent(figure, "published_method");
      }
      choose_offer_by_month();
    } else {
      report_.detailed = true;
      estimate_memory_figures();
      estimate_time_figures();
      if (!report_.resolved.problems.empty()) return refused();
      estimate_run_figures();
      estimate_cost_figures();
      note_missing_rates();
      estimate_storage_figures();
      estimate_energy_figures();
    }
    answer_by_the_article();
    if (report_.detailed) {
      report_.warnings = advise(report_, catalog_);
      if (s().explain) report_.derivations = explain(report_);
    }
    return std::move(report_);
  }

 private:
  const Job& job() const { return report_.resolved.job; }
  Scenario& s() { return report_.resolved.scenario; }
  void absent(std::string_view at, std::string_view code) {
    report_.absent.push_back({std::string(at), code});
  }

  /// A report without figures.
  Report refused() {
    Report report;
    report.resolved = std::move(report_.resolved);
    return report;
  }

  void estimate_memory_figures() {
    const Spreads& spreads = report_.resolved.basis.spreads;
    report_.memory = estimate_memory(job());
    for (std::int64_t stage = 0; stage < job().layout.pp; ++stage) {
      report_.stages.push_back(estimate_stage_memory(job(), stage));
    }
    const StageMemory& fullest = report_.memory.stage;
    report_.allocated = spread_around(fullest.allocated, spreads.allocated);
    report_.reserved = spread_around(fullest.reserved, spreads.reserved);
    report_.device = spread_around(fullest.device, spreads.device);
  }

  void estimate_time_figures() {
    report_.flops = count_step_flops(job());
    report_.step_parts = estimate_step_time(job());
    Spread spread = report_.resolved.basis.spreads.time;
    const double tokens = real(job().training.sequence_length * job().training.global_batch);
    double measured = s().measured_step_s.value_or(0);
    if (s().measured_tokens_per_second) measured = tokens / *s().measured_tokens_per_second;
    if (measured > 0) {
      report_.recalibrated = true;
      report_.recalibration_ratio = measured / report_.step_parts.step.value;
      report_.step_parts = rescaled(report_.step_parts, report_.recalibration_ratio);
      report_.step_parts.step = {measured};
      spread = catalog_.own_run;
    }
    report_.step = spread_around(report_.step_parts.step, spread);
    report_.throughput_value = throughput(job(), report_.flops, report_.step.value);
    report_.throughput_low = throughput(job(), report_.flops, report_.step.high);
    report_.throughput_high = throughput(job(), report_.flops, report_.step.low);
    if (report_.recalibrated && report_.throughput_value.mfu_causal > 1) {
      const std::string most =
          "slower than the GPUs' peak: " +
          number(report_.throughput_value.tokens.value / report_.throughput_value.mfu_causal) +
          " tokens/s";
      report_.resolved.problems.push_back(
          {s().measured_step_s ? "/measured/step_s" : "/measured/tokens_per_second", "above_peak",
           most});
    }
  }

  /// The run under the scenario's reliability, and `more` failures per GPU and day.
  RunEstimate run_figures(double more = 0) {
    Reliability reliability = reliability_of(s());
    reliability.failures_per_gpu_day += more;
    return traintally::estimate_run(job(), report_.step, report_.memory.checkpoint, reliability);
  }

  void estimate_run_figures() {
    if (report_.resolved.offer != nullptr && given_tariff().empty()) {
      take_reliability_of(*report_.resolved.offer, given_, s());
    }
    const RunEstimate figures = run_figures();
    report_.run = figures.run;
    report_.run_time = figures.wall;
  }

  void note_missing_rates() {
    const bool fails = *s().failures_per_gpu_day > 0 || s().interruption_rate.value_or(0) > 0;
    if (!fails) absent("/time/goodput", "no_failure_rate");
    if (*s().storage_write_gb_s <= 0) absent("/time/checkpoint_time", "no_storage_rate");
  }

  // Money.

  Tariff given_tariff() { return traintally::given_tariff(s(), job().cluster.count); }

  CostQuestion cost_question() {
    return traintally::cost_question(s(), job(), report_.run_time, catalog_.calendar);
  }

  /// As the offer's own prices name it: that text stays where it is.
  std::string_view name_of_currency(Currency currency) const {
    if (report_.resolved.offer == nullptr) return kCny.text();
    for (const OfferPrice& price : report_.resolved.offer->prices) {
      if (price.currency == currency.text()) return price.currency;
    }
    return kCny.text();
  }

  /// The cheapest of the GPU's offers for this run, in yuan; those that lack the billing mode that
  /// was asked for only where no other has it.
  const OfferEntry* cheapest_offer(CostQuestion question, bool whole_run) {
    question.tokens = 0;  // the total decides: no unit costs
    const OfferEntry* best = nullptr;
    expired_ = 0;
    const Interval<Seconds> usual = question.run;
    bool best_lacks = false;
    Decimal best_total;
    for (const OfferEntry& offer : catalog_.offers) {
      if (catalog_.find_gpu(offer.gpu) != report_.resolved.gpu) continue;
      const Tariff tariff = tariff_of(offer, s());
      if (tariff.empty()) continue;
      if (expired(offer, s())) {
        ++expired_;
        continue;
      }
      // A seller's own failures make the run longer: a cheap hour may be dear in the end.
      question.run = usual;
      if (whole_run && states_reliability(offer)) {
        const Scenario before = s();
        take_reliability_of(offer, given_, s());
        question.run = run_figures().wall;
        s() = before;
      }
      const Cost cost = cost_without_interruptions(question, tariff);
      if (cost.saturated) continue;
      const bool comparable = cost.total.cny.has_value();
      if (!comparable && best != nullptr) continue;
      const Decimal total = comparable ? cost.total.cny->value.amount : cost.total.own.value.amount;
      const bool better = best == nullptr || (best_lacks && !cost.mode_unavailable) ||
                          (best_lacks == cost.mode_unavailable && total < best_total);
      if (!better) continue;
      best = &offer;
      best_lacks = cost.mode_unavailable;
      best_total = total;
    }
    return best;
  }

  void estimate_cost_figures() {
    report_.cost_question = cost_question();
    Tariff tariff = given_tariff();
    if (tariff.empty()) {
      if (report_.resolved.offer == nullptr) {
        report_.resolved.offer = cheapest_offer(report_.cost_question, true);
        if (report_.resolved.offer != nullptr) {
          s().offer = report_.resolved.offer->id;
          estimate_run_figures();
          report_.cost_question = cost_question();
        }
      }
      if (report_.resolved.offer == nullptr) {
        absent("/cost", expired_ > 0 ? "offers_expired" : "no_offer_for_gpu");
        return;
      }
      if (expired(*report_.resolved.offer, s())) {
        absent("/cost", "offer_expired");
        return;
      }
      s().offer = report_.resolved.offer->id;
      tariff = tariff_of(*report_.resolved.offer, s());
      if (tariff.empty()) {
        absent("/cost", "offer_without_price");
        return;
      }
    }
    report_.tariff = tariff;
    report_.cost = cost_without_interruptions(report_.cost_question, tariff);
    if (report_.cost.saturated) {
      absent("/cost", "out_of_range");
      return;
    }
    report_.cost_known = true;
    estimate_billing();
    if (!s().currency) s().currency = name_of_currency(report_.cost.total.own.value.currency);
    if (!s().billing) s().billing = report_.cost.paid().mode;
  }

  static std::optional<Decimal> decimal(std::optional<std::string_view> text) {
    return text ? Decimal::parse(*text) : std::nullopt;
  }

  BillingTerms billing_terms() {
    BillingTerms terms;
    const OfferEntry* offer = given_tariff().empty() ? report_.resolved.offer : nullptr;
    terms.long_term_months = catalog_.article == nullptr ? 0 : catalog_.article->long_term_months;
    if (s().long_term_discount) {
      terms.long_term_low = terms.long_term_high = decimal(s().long_term_discount);
    } else if (offer != nullptr && !offer->long_term_low.empty()) {
      terms.long_term_low = Decimal::parse(offer->long_term_low);
      terms.long_term_high = Decimal::parse(offer->long_term_high);
      terms.long_term_months = offer->long_term_months;
    }
    terms.academic = decimal(s().academic_discount);
    terms.trial_hours = s().trial_hours.value_or(0);
    terms.stopped_hours = s().stopped_hours.value_or(0);
    terms.stopped_hour = decimal(s().stopped_per_hour);
    terms.exit_penalty = decimal(s().exit_penalty);
    terms.tax = decimal(s().tax_rate);
    if (!terms.tax && report_.cost.total.own.value.currency == kCny) {
      terms.tax = Decimal::parse(catalog_.tax_rate);
    }
    return terms;
  }

  void estimate_billing() {
    // Spot competes where the visitor knows how often it is interrupted; else it is only shown.
    const bool spot_known = s().spot_interruptions_per_gpu_day.has_value();
    Interval<Seconds> spot_time;
    if (report_.tariff.price(BillingMode::spot)) {
      spot_time = run_figures(s().spot_interruptions_per_gpu_day.value_or(
                                  catalog_.spot_interruptions_per_gpu_day))
                      .wall;
    }
    report_.billing =
        plan_billing(report_.cost_question, report_.tariff, report_.cost, billing_terms(),
                     spot_known ? spot_time : Interval<Seconds>{}, catalog_.article.get());
    if (!spot_known && spot_time.value.value > 0) {
      CostQuestion spot = report_.cost_question;
      spot.run = spot_time;
      spot.mode = BillingMode::spot;
      report_.billing.ways.push_back(
          {"spot", estimate_cost(spot, report_.tariff).total.own, true, {}});
    }
    // What the same run would cost if nothing failed and nothing were saved.
    CostQuestion sound = report_.cost_question;
    const Seconds time = report_.run.wall - report_.run.lost;
    sound.run = {time, time, time};
    sound.mode = report_.cost.paid().mode;
    const Money& total = report_.cost.total.own.value;
    const Cost without = estimate_cost(sound, report_.tariff);
    report_.unreliability = Money{total.amount - without.total.own.value.amount, total.currency};
    if (!s().fees.empty() && report_.billing.months > 0) {
      const Decimal rent =
          divide(total.amount, decimal_from(report_.billing.months, kMoneyScale), 12);
      report_.fees = sum_fees(s().fees, rent, report_.billing.months, catalog_.article.get());
    }
  }

  void estimate_storage_figures() {
    const double distinct = s().dataset_tokens.value_or(job().training.tokens);
    report_.storage =
        estimate_storage(report_.memory, report_.run, report_.throughput_value.tokens, distinct,
                         *s().bytes_per_token, *s().checkpoints_kept, catalog_.storage.burst_share);
    double capacity = s().storage_tb.value_or(0);
    if (!s().storage_tb && report_.resolved.offer != nullptr && report_.cost_known) {
      capacity = report_.resolved.offer->storage_tb * real(report_.cost.units);
    }
    report_.storage_capacity_bytes = capacity * kTB;
  }

  void estimate_energy_figures() {
    if (!s().pue || job().cluster.gpu.power.value <= 0) {
      absent("/energy", s().pue ? "no_board_power" : "no_energy_factors");
      return;
    }
    report_.energy_known = true;
    report_.energy = estimate_energy(job().cluster.gpu.power, job().cluster.count, report_.run.wall,
                                     {*s().pue, s().host_factor.value_or(1), s().load.value_or(1)});
    if (!s().kg_co2_per_kwh) absent("/energy/kg_co2", "no_grid_factor");
    if (!s().tariff_per_kwh) absent("/energy/cost", "no_tariff");
  }

  // The article.

  void choose_offer_by_month() {
    if (report_.resolved.offer != nullptr || !given_tariff().empty()) return;
    CostQuestion month = cost_question();
    const Seconds hours{catalog_.calendar.hours_per_month() * 3600};
    month.run = {hours, hours, hours};
    month.tokens = 0;
    report_.resolved.offer = cheapest_offer(month, false);
    if (report_.resolved.offer != nullptr) s().offer = report_.resolved.offer->id;
  }

  void answer_by_the_article() {
    if (catalog_.article == nullptr) {
      absent("/published", "no_article");
      return;
    }
    PublishedQuestion question;
    question.parameters = real(job().parameters.total);
    question.kind = *s().kind;
    question.gpu = report_.resolved.gpu->id;
    question.memory_gb = s().gpu.memory_gb.value_or(report_.resolved.gpu->memory_gb);
    question.count = job().cluster.count;
    question.tokens = job().training.tokens;
    if (report_.resolved.offer != nullptr) question.offer = report_.resolved.offer->id;
    question.monthly = price_of_all(BillingMode::monthly);
    question.hourly = price_of_all(BillingMode::on_demand);
    report_.published = answer_published(*catalog_.article, question);
    for (const auto& [field, code] : report_.published.absent) {
      absent(std::string("/published/").append(field), code);
    }
  }

  /// One period of a mode for all the GPUs that are rented.
  std::optional<Money> price_of_all(BillingMode mode) {
    Tariff tariff = given_tariff();
    if (tariff.empty() && report_.resolved.offer != nullptr) {
      tariff = tariff_of(*report_.resolved.offer);
    }
    const std::optional<ModePrice>& price = tariff.price(mode);
    if (!price) return std::nullopt;
    const std::int64_t count = job().cluster.count;
    const std::int64_t units = (count + tariff.unit_gpus - 1) / tariff.unit_gpus;
    const std::int64_t times = price->per_gpu ? units * tariff.unit_gpus : units;
    return Money{multiply(price->value, times, 1, kMoneyScale), price->currency};
  }

  const Catalog& catalog_;
  const Scenario& given_;
  std::size_t expired_ = 0;
  Report report_;
};

}  // namespace

Report estimate(const Scenario& scenario, const Catalog& catalog, const Problems& given) {
  return Estimator(scenario, catalog, given).run();
}

}  // namespace traintally
