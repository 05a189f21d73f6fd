#include <traintally/plan.hpp>

#include <algorithm>
#include <limits>

#include <traintally/resolve.hpp>

#include "nearest.hpp"
#include "questions.hpp"
#include "search.hpp"

namespace traintally {
namespace {

constexpr double kSecondsPerHour = 3600;
constexpr double kSecondsPerDay = 86400;

template <class Unit>
Interval<Quantity<Unit>> spread_around(Quantity<Unit> value, const Spread& spread) {
  return {value, value * spread.low, value * spread.high};
}

bool listed(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool has_own_price(const Scenario& s) {
  return s.per_gpu_hour || s.per_gpu_month || s.per_hour || s.per_month || s.per_year;
}

struct Item {
  const char* name;
  unsigned bit;
  Known OfferEntry::*member;
};
constexpr Item kChecklist[] = {
    {"rdma", checklist::rdma, &OfferEntry::rdma},
    {"parallel_storage", checklist::parallel_storage, &OfferEntry::parallel_storage},
    {"frameworks", checklist::frameworks, &OfferEntry::frameworks},
    {"isolation", checklist::isolation, &OfferEntry::isolation},
    {"support", checklist::support, &OfferEntry::support}};

/// Codes of problems that are the GPU's, not the request's.
bool of_the_gpu(const Problem& problem) {
  return problem.at.rfind("/cluster", 0) == 0 || problem.code == "unsupported_precision";
}

/// A GPU that is considered, with what is for rent of it.
struct Choice {
  const GpuEntry* gpu = nullptr;
  std::vector<const OfferEntry*> offers;  ///< a null one: the visitor's own price
  std::int64_t fewest = 0;                ///< GPUs that fit, 0: none found
  std::string problem;                    ///< why it can't run the job at all
  std::optional<Candidate> leanest;       ///< at the most GPUs, where nothing fits
  std::int64_t leanest_count = 0;
  Bytes usable;
};

/// A cluster to search: GPUs of one kind.
struct Task {
  int choice = 0;
  std::int64_t count = 1;
};

/// A stack's layouts of the cluster at hand.
struct Running {
  Resolved resolved;
  LayoutSearch search;
};

}  // namespace

class PlanSearch::State {
 public:
  State(const Scenario& scenario, const Constraints& constraints, const Catalog& catalog,
        const Problems& given)
      : s_(scenario), c_(constraints), catalog_(catalog) {
    answer_.problems = given;
    read_budget(c_.budget_total, "total", total_);
    read_budget(c_.budget_month, "per_month", month_);
    if (answer_.problems.empty()) check_names();
    if (answer_.problems.empty()) choose_offers();
    if (answer_.problems.empty()) choose_tasks();
    if (!answer_.problems.empty()) tasks_.clear();
  }

  bool step(std::int64_t work) {
    if (next_ == tasks_.size()) return true;
    const std::int64_t until = answer_.searched.evaluated + work;
    do {
      if (running_.empty() && !start(tasks_[next_])) {
        ++next_;
        continue;
      }
      bool complete = true;
      std::int64_t evaluated = 0;
      for (Running& running : running_) {
        if (!running.search.step(work)) complete = false;
        evaluated += running.search.counts().evaluated;
        if (!complete) break;
      }
      answer_.searched.evaluated = done_.evaluated + evaluated;
      if (!complete) return false;
      finish(tasks_[next_++]);
    } while (next_ < tasks_.size() && answer_.searched.evaluated < until);
    return next_ == tasks_.size();
  }

  PlanAnswer answer() const {
    PlanAnswer answer = answer_;
    answer.complete = next_ == tasks_.size();
    answer.progress =
        tasks_.empty() ? 1 : static_cast<double>(next_) / static_cast<double>(tasks_.size());
    answer.currency = currency_;
    std::vector<const PlanEntry*> held;
    for (const PlanEntry& entry : entries_) {
      if (in_time(entry) && in_total(entry) && in_month(entry)) held.push_back(&entry);
    }
    answer.cheapest = best(held, cheaper);
    answer.fastest = best(held, sooner);
    answer.front = front(held);
    find_best(answer);
    for (const Choice& choice : choices_) {
      if (choice.fewest > 0) answer.minimum_gpus.emplace_back(choice.gpu->id, choice.fewest);
    }
    if (answer.complete && answer.problems.empty()) {
      explain_ruled_out(answer);
      if (held.empty()) find_conflicts(answer);
    }
    return answer;
  }

 private:
  void problem(std::string at, std::string code, std::string accepts) {
    answer_.problems.push_back({std::move(at), std::move(code), std::move(accepts)});
  }

  void conflict(const char* first, const char* second, const std::string& accepts) {
    problem(first, "contradicts", std::string(second) + ": " + accepts);
    answer_.conflicts.push_back({first, second, {}, {}});
  }

  void read_budget(const std::optional<std::string>& text, const char* name,
                   std::optional<Decimal>& value) {
    if (!text) return;
    value = Decimal::parse(*text);
    if (!value || value->is_negative() || value->is_zero()) {
      problem(std::string("/constraints/budget/") + name, "not_positive", "> 0");
    }
  }

  /// What is wrong whatever is rented, and constraints that exclude each other on paper.
  void check_names() {
    for (std::size_t i = 0; i < c_.gpus.size(); ++i) {
      if (catalog_.find_gpu(c_.gpus[i]) == nullptr) {
        problem("/constraints/gpus/" + std::to_string(i), "unknown_gpu",
                nearest_ids(c_.gpus[i], catalog_.gpus));
      }
    }
    if (!s_.gpu.id.empty() && !c_.gpus.empty() && allowed_gpu(catalog_.find_gpu(s_.gpu.id)) == 0) {
      conflict("/cluster/gpu", "/constraints/gpus", "one of them, or no list");
    }
    if (s_.count && c_.max_gpus && *s_.count > *c_.max_gpus) {
      conflict("/cluster/count", "/constraints/max_gpus",
               "count <= " + std::to_string(*c_.max_gpus) +
                   ", or max_gpus >= " + std::to_string(*s_.count));
    }
    for (const std::string& provider : c_.providers) {
      if (listed(c_.excluded_providers, provider)) {
        conflict("/constraints/providers", "/constraints/excluded_providers",
                 "not both for " + provider);
        break;
      }
    }
    if (has_own_price(s_) && s_.gpu.id.empty()) {
      problem("/cluster/gpu", "missing", "the GPU that the price is of");
    }
    currency_ = s_.currency.value_or(c_.currency);
    if (!s_.cny_per_usd && !catalog_.cny_per_usd.empty()) s_.cny_per_usd = catalog_.cny_per_usd;
    rate_ = exchange_rate_of(s_);
  }

  int allowed_gpu(const GpuEntry* gpu) const {
    if (gpu == nullptr) return 0;
    if (c_.gpus.empty()) return 1;
    for (const std::string& id : c_.gpus) {
      if (catalog_.find_gpu(id) == gpu) return 1;
    }
    return 0;
  }

  // Offers.

  void rule_out(const OfferEntry& offer, const char* code, std::vector<PlanFigure> figures = {}) {
    answer_.ruled_out.push_back(
        {std::string(offer.id), std::string(offer.gpu), code, std::move(figures)});
  }

  /// Whether an offer may be rented at all; else it is ruled out.
  bool admit(const OfferEntry& offer, const GpuEntry* gpu) {
    if (s_.offer && offer.id != *s_.offer) return false;
    if (gpu == nullptr) return false;
    if (!s_.gpu.id.empty() && catalog_.find_gpu(s_.gpu.id) != gpu) return false;
    if (allowed_gpu(gpu) == 0) {
      rule_out(offer, "gpu_not_allowed");
      return false;
    }
    if ((!c_.providers.empty() && !listed(c_.providers, offer.provider)) ||
        listed(c_.excluded_providers, offer.provider)) {
      rule_out(offer, "provider_not_allowed", {{"provider", 0, std::string(offer.provider)}});
      return false;
    }
    if (expired(offer, s_)) {
      rule_out(offer, "expired", {{"valid_until", 0, std::string(offer.valid_until)}});
      return false;
    }
    for (const Item& item : kChecklist) {
      if ((c_.require & item.bit) == 0 || offer.*item.member == Known::yes) continue;
      const bool unknown = offer.*item.member == Known::unknown;
      rule_out(offer, unknown ? "requirement_unknown" : "requirement_missing",
               {{"requirement", 0, item.name}});
      return false;
    }
    const Tariff tariff = tariff_of(offer, s_);
    if (tariff.empty()) {
      rule_out(offer, "no_price");
      return false;
    }
    if (s_.billing) {
      CostQuestion question;
      question.mode = s_.billing;
      if (estimate_cost(question, tariff).mode_unavailable) {
        rule_out(offer, "billing_unavailable");
        return false;
      }
    }
    for (const std::optional<ModePrice>& price : tariff.modes) {
      if (!price || in_currency({price->value, price->currency})) continue;
      rule_out(offer, "no_exchange_rate", {{"currency", 0, std::string(price->currency.text())}});
      return false;
    }
    return true;
  }

  std::optional<Money> in_currency(const Money& money) const {
    const std::optional<Currency> currency = Currency::parse(currency_);
    if (!currency) return std::nullopt;
    if (money.currency == *currency) return money;
    if (!rate_) return std::nullopt;
    return convert(money, *rate_, *currency);
  }

  Choice& choice_of(const GpuEntry* gpu) {
    for (Choice& choice : choices_) {
      if (choice.gpu == gpu) return choice;
    }
    choices_.emplace_back();
    choices_.back().gpu = gpu;
    return choices_.back();
  }

  void choose_offers() {
    if (has_own_price(s_)) {
      const GpuEntry* gpu = catalog_.find_gpu(s_.gpu.id);
      if (gpu == nullptr) {
        problem("/cluster/gpu", "unknown_gpu", nearest_ids(s_.gpu.id, catalog_.gpus));
        return;
      }
      choice_of(gpu).offers.push_back(nullptr);
      return;
    }
    if (catalog_.offers.empty()) {
      problem("/catalog/offers", "empty", "at least one offer");
      return;
    }
    for (const OfferEntry& offer : catalog_.offers) {
      const GpuEntry* gpu = catalog_.find_gpu(offer.gpu);
      if (admit(offer, gpu)) choice_of(gpu).offers.push_back(&offer);
    }
    if (choices_.empty()) explain_no_offer();
  }

  /// No offer is left before any layout is looked at.
  void explain_no_offer() {
    const auto count_of = [this](const char* code) {
      return std::count_if(answer_.ruled_out.begin(), answer_.ruled_out.end(),
                           [code](const RuledOut& each) { return each.code == code; });
    };
    if (!c_.gpus.empty() && (!c_.providers.empty() || !c_.excluded_providers.empty()) &&
        count_of("provider_not_allowed") > 0) {
      std::string accepts;
      for (const OfferEntry& offer : catalog_.offers) {
        if (allowed_gpu(catalog_.find_gpu(offer.gpu)) == 0) continue;
        if (!accepts.empty()) accepts += ", ";
        accepts += offer.provider;
      }
      conflict("/constraints/gpus",
               c_.providers.empty() ? "/constraints/excluded_providers" : "/constraints/providers",
               accepts.empty() ? "other GPUs" : "providers of these GPUs: " + accepts);
      return;
    }
    if (c_.require != 0 && (!c_.providers.empty() || !c_.gpus.empty())) {
      conflict("/constraints/require",
               c_.gpus.empty() ? "/constraints/providers" : "/constraints/gpus",
               "fewer requirements, or others of them");
      return;
    }
    const bool only_rate = count_of("no_exchange_rate") > 0;
    problem(only_rate               ? "/price/cny_per_usd"
            : s_.offer              ? "/price/offer"
            : c_.require != 0       ? "/constraints/require"
            : !c_.providers.empty() ? "/constraints/providers"
            : !c_.gpus.empty()      ? "/constraints/gpus"
                                    : "/cluster/gpu",
            only_rate ? "missing" : "no_offer", only_rate ? "> 0" : "an offer in the catalogue");
  }

  // Clusters.

  Scenario scenario_for(const GpuEntry& gpu, std::int64_t count, bool megatron) const {
    Scenario scenario = s_;
    if (scenario.gpu.id.empty()) scenario.gpu.id = gpu.id;
    scenario.count = count;
    scenario.offer.reset();
    if (megatron) scenario.stack = megatron_on(gpu);
    return scenario;
  }

  void choose_tasks() {
    const std::int64_t most =
        c_.max_gpus.value_or(std::max(catalog_.practice.most_gpus, s_.count.value_or(1)));
    // Over all GPUs, small clusters first.
    const std::int64_t first = s_.count.value_or(most > 0 ? 1 : kNoMore);
    std::vector<std::int64_t> counts(choices_.size(), first);
    for (std::int64_t count = first; !counts.empty() && count < kNoMore;) {
      std::int64_t least = kNoMore;
      for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] == count) {
          tasks_.push_back({static_cast<int>(i), count});
          counts[i] = s_.count ? kNoMore : next_count(choices_[i], count);
          if (counts[i] > most) counts[i] = kNoMore;
        }
        least = std::min(least, counts[i]);
      }
      count = least;
    }
    check_job();
  }

  static constexpr std::int64_t kNoMore = std::numeric_limits<std::int64_t>::max();

  /// Parts of a node in powers of two up to 4, then nodes in powers of two.
  std::int64_t next_count(const Choice& choice, std::int64_t count) const {
    const std::int64_t usual = choice.gpu->gpu.per_node;
    const std::int64_t node = s_.per_node.value_or(usual > 0 ? usual : 1);
    if (count >= node || 2 * count < node) return count < node && count > 2 ? node : 2 * count;
    return node;
  }

  /// What is wrong with the job itself shows with any GPU.
  void check_job() {
    if (tasks_.empty()) {
      problem("/constraints/max_gpus", "out_of_range", ">= 1");
      return;
    }
    const Choice& choice = choices_[static_cast<std::size_t>(tasks_[0].choice)];
    const Resolved resolved =
        resolve_job(scenario_for(*choice.gpu, tasks_[0].count, false), catalog_);
    if (resolved.problems.empty() && tries_megatron(s_, resolved.job)) {
      tries_megatron_ = true;
    }
    for (const Problem& each : resolved.problems) {
      if (!of_the_gpu(each) || choices_.size() == 1) answer_.problems.push_back(each);
    }
  }

  /// @return whether any stack can run the job on the cluster
  bool start(const Task& task) {
    Choice& choice = choices_[static_cast<std::size_t>(task.choice)];
    for (const bool megatron : {false, true}) {
      if (megatron && (!tries_megatron_ || task.count == 1)) break;
      Resolved resolved = resolve_job(scenario_for(*choice.gpu, task.count, megatron), catalog_);
      if (!resolved.problems.empty()) {
        if (choice.problem.empty()) choice.problem = resolved.problems[0].code;
        continue;
      }
      choice.usable = resolved.job.cluster.gpu.usable_memory;
      FixedLayout fixed = fixed_layout(s_);
      if (!fixed.global_batch) {
        fixed.global_batch = usual_batch(catalog_.practice, resolved.job);
      }
      LayoutSearch search(resolved.job, *resolved.stack, fixed,
                          practice_limits(catalog_.practice, resolved.job),
                          resolved.basis.spreads.device.high);
      running_.push_back({std::move(resolved), std::move(search)});
    }
    return !running_.empty();
  }

  void finish(const Task& task) {
    Choice& choice = choices_[static_cast<std::size_t>(task.choice)];
    Running* best = nullptr;
    for (Running& running : running_) {
      done_.layouts += running.search.counts().layouts;
      done_.evaluated += running.search.counts().evaluated;
      const Candidate* candidate = running.search.recommended();
      if (candidate == nullptr) continue;
      if (best == nullptr) {
        best = &running;
        continue;
      }
      if (candidate->better_than(*best->search.recommended())) best = &running;
    }
    answer_.searched = done_;
    if (best != nullptr) {
      if (choice.fewest == 0 || task.count < choice.fewest) choice.fewest = task.count;
      add_entries(choice, task.count, *best);
    } else if (choice.fewest == 0 && last_of_its_gpu()) {
      for (Running& running : running_) {
        const std::optional<Candidate> leanest = running.search.leanest();
        if (!leanest || (choice.leanest && !(leanest->device < choice.leanest->device))) continue;
        choice.leanest = leanest;
        choice.leanest_count = task.count;
      }
    }
    running_.clear();
  }

  bool last_of_its_gpu() const {
    for (std::size_t i = next_ + 1; i < tasks_.size(); ++i) {
      if (tasks_[i].choice == tasks_[next_].choice) return false;
    }
    return true;
  }

  /// One entry for each offer of the GPU, all of the same evaluation.
  void add_entries(const Choice& choice, std::int64_t count, Running& running) {
    Resolved& resolved = running.resolved;
    PlanEntry entry;
    entry.gpu = choice.gpu;
    entry.stack = resolved.stack;
    entry.count = count;
    entry.layout = *running.search.recommended();
    entry.fastest = *running.search.fastest();
    Job& job = resolved.job;
    entry.layout.apply_to(job);
    entry.applicable = applicable_rules(job);
    const Memory memory = estimate_memory(job);
    entry.usable = memory.usable;
    entry.device = spread_around(memory.stage.device, resolved.basis.spreads.device);
    entry.step = spread_around(entry.layout.step, resolved.basis.spreads.time);
    entry.throughput = throughput(job, count_step_flops(job), entry.step.value);
    const auto run_under = [&](const Scenario& scenario) {
      return estimate_run(job, entry.step, memory.checkpoint, reliability_of(scenario)).wall;
    };
    const Interval<Seconds> usual = run_under(resolved.scenario);
    CostQuestion question = cost_question(resolved.scenario, job, usual, catalog_.calendar);
    for (const OfferEntry* offer : choice.offers) {
      entry.offer = offer;
      entry.run = usual;
      if (offer != nullptr && states_reliability(*offer)) {
        Scenario at_the_seller = resolved.scenario;
        take_reliability_of(*offer, s_, at_the_seller);
        entry.run = run_under(at_the_seller);
      }
      question.run = entry.run;
      const Tariff tariff =
          offer != nullptr ? tariff_of(*offer, s_) : given_tariff(resolved.scenario, count);
      entry.cost = cost_without_interruptions(question, tariff);
      if (entry.cost.saturated) continue;
      const std::optional<Money> total = in_currency(entry.cost.total.own.value);
      if (!total) continue;
      entry.comparable = total->amount;
      entries_.push_back(entry);
    }
  }

  // Answers.

  static bool before(const PlanEntry& a, const PlanEntry& b) {
    if (a.count != b.count) return a.count < b.count;
    if (a.gpu != b.gpu) return a.gpu->id < b.gpu->id;
    return a.offer != nullptr && b.offer != nullptr && a.offer->id < b.offer->id;
  }
  static bool cheaper(const PlanEntry& a, const PlanEntry& b) {
    if (a.comparable != b.comparable) return a.comparable < b.comparable;
    if (a.run.value != b.run.value) return a.run.value < b.run.value;
    return before(a, b);
  }
  static bool sooner(const PlanEntry& a, const PlanEntry& b) {
    if (a.run.value != b.run.value) return a.run.value < b.run.value;
    if (a.comparable != b.comparable) return a.comparable < b.comparable;
    return before(a, b);
  }

  bool in_time(const PlanEntry& entry) const {
    return !c_.deadline_days || days(entry) <= *c_.deadline_days;
  }
  static double days(const PlanEntry& entry) { return entry.run.value.value / kSecondsPerDay; }
  bool in_total(const PlanEntry& entry) const { return !total_ || entry.comparable <= *total_; }
  bool in_month(const PlanEntry& entry) const { return !month_ || monthly(entry) <= *month_; }

  /// What a month of the run costs; a shorter run is paid within one.
  Decimal monthly(const PlanEntry& entry) const {
    const double months =
        entry.run.value.value / kSecondsPerHour / catalog_.calendar.hours_per_month();
    if (months <= 1) return entry.comparable;
    return divide(entry.comparable, decimal_from(months, kMoneyScale), 12);
  }

  using Order = bool (*)(const PlanEntry&, const PlanEntry&);
  static std::optional<PlanEntry> best(const std::vector<const PlanEntry*>& entries, Order order) {
    const PlanEntry* best = nullptr;
    for (const PlanEntry* entry : entries) {
      if (best == nullptr || order(*entry, *best)) best = entry;
    }
    if (best == nullptr) return std::nullopt;
    return *best;
  }

  static std::vector<PlanEntry> front(std::vector<const PlanEntry*> entries) {
    std::sort(entries.begin(), entries.end(),
              [](const PlanEntry* a, const PlanEntry* b) { return sooner(*a, *b); });
    std::vector<PlanEntry> front;
    for (const PlanEntry* entry : entries) {
      if (front.empty() || entry->comparable < front.back().comparable) front.push_back(*entry);
    }
    return front;
  }

  using Holds = bool (State::*)(const PlanEntry&) const;
  std::vector<const PlanEntry*> holding(Holds holds) const {
    std::vector<const PlanEntry*> entries;
    for (const PlanEntry& entry : entries_) {
      if ((this->*holds)(entry)) entries.push_back(&entry);
    }
    return entries;
  }

  void find_best(PlanAnswer& answer) const {
    const auto add = [&](bool given, const char* at, Holds holds, Order order) {
      if (!given) return;
      const std::optional<PlanEntry> entry = best(holding(holds), order);
      if (entry) answer.best.emplace_back(at, *entry);
    };
    add(c_.deadline_days.has_value(), kDeadline, &State::in_time, cheaper);
    add(total_.has_value(), kTotal, &State::in_total, sooner);
    add(month_.has_value(), kMonth, &State::in_month, sooner);
  }

  /// The binding reason of each offer that no entry meets the constraints with.
  void explain_ruled_out(PlanAnswer& answer) const {
    for (const Choice& choice : choices_) {
      for (const OfferEntry* offer : choice.offers) {
        RuledOut out{
            std::string(offer != nullptr ? offer->id : ""), std::string(choice.gpu->id), "", {}};
        if (find_reason(choice, offer, out)) answer.ruled_out.push_back(std::move(out));
      }
    }
  }

  bool find_reason(const Choice& choice, const OfferEntry* offer, RuledOut& out) const {
    if (choice.fewest == 0) {
      if (choice.leanest) {
        out.code = "does_not_fit";
        out.figures = {{"needed_bytes", choice.leanest->device.value, {}},
                       {"usable_bytes", choice.usable.value, {}},
                       {"gpus", static_cast<double>(choice.leanest_count), {}}};
      } else {
        out.code = choice.problem.empty() ? "no_layout" : choice.problem;
      }
      return true;
    }
    const PlanEntry* soonest = nullptr;
    const PlanEntry* cheapest = nullptr;
    Decimal least_month;
    for (const PlanEntry& entry : entries_) {
      if (entry.offer != offer || entry.gpu != choice.gpu) continue;
      if (in_time(entry) && in_total(entry) && in_month(entry)) return false;
      if (cheapest == nullptr || monthly(entry) < least_month) least_month = monthly(entry);
      if (soonest == nullptr || sooner(entry, *soonest)) soonest = &entry;
      if (cheapest == nullptr || cheaper(entry, *cheapest)) cheapest = &entry;
    }
    if (soonest == nullptr) {
      out.code = "out_of_range";
    } else if (!in_time(*soonest)) {
      out.code = "too_slow";
      out.figures = {{"days", days(*soonest), {}}, {"deadline_days", *c_.deadline_days, {}}};
    } else if (!in_total(*cheapest)) {
      out.code = "too_dear";
      out.figures = {{"total", 0, reported_amount(cheapest->comparable).text()},
                     {"budget", 0, *c_.budget_total}};
    } else if (month_ && *month_ < least_month) {
      out.code = "too_dear_by_month";
      out.figures = {{"per_month", 0, reported_amount(least_month).text()},
                     {"budget", 0, *c_.budget_month}};
    } else {
      out.code = "constraints_together";
    }
    return true;
  }

  // Constraints that don't hold together.

  static constexpr const char* kDeadline = "/constraints/deadline_days";
  static constexpr const char* kTotal = "/constraints/budget/total";
  static constexpr const char* kMonth = "/constraints/budget/per_month";

  struct Bound {
    const char* at;
    bool given;
    Holds holds;
  };

  /// The least value of a constraint that one of the entries meets.
  PlanFigure nearest(const char* at, const std::vector<const PlanEntry*>& entries) const {
    if (at == kDeadline) return {"deadline_days", days(*best(entries, sooner)), {}};
    if (at == kTotal) {
      return {"total", 0, reported_amount(best(entries, cheaper)->comparable).text()};
    }
    Decimal least = monthly(*entries[0]);
    for (const PlanEntry* entry : entries) least = std::min(least, monthly(*entry));
    return {"per_month", 0, reported_amount(least).text()};
  }

  static std::string text_of(const PlanFigure& figure) {
    if (!figure.text.empty()) return figure.name + " >= " + figure.text;
    // Up to the next hundredth, in integers: days are few.
    const auto hundredths = static_cast<std::int64_t>(figure.value * 100) + 1;
    return figure.name + " >= " + Decimal{hundredths, 2, false}.text();
  }

  void find_conflicts(PlanAnswer& answer) const {
    if (entries_.empty()) {
      answer.problems.push_back({c_.max_gpus ? "/constraints/max_gpus" : "/cluster", "nothing_fits",
                                 "more or larger GPUs"});
      return;
    }
    const Bound bounds[] = {{kDeadline, c_.deadline_days.has_value(), &State::in_time},
                            {kTotal, total_.has_value(), &State::in_total},
                            {kMonth, month_.has_value(), &State::in_month}};
    const std::vector<const PlanEntry*> all = holding(&State::any);
    for (const Bound& bound : bounds) {
      if (!bound.given || !holding(bound.holds).empty()) continue;
      const PlanFigure least = nearest(bound.at, all);
      const char* with = c_.max_gpus        ? "/constraints/max_gpus"
                         : !c_.gpus.empty() ? "/constraints/gpus"
                         : c_.require != 0  ? "/constraints/require"
                         : s_.count         ? "/cluster/count"
                                            : "/training";
      answer.conflicts.push_back({bound.at, with, least, {}});
      answer.problems.push_back(
          {bound.at, "contradicts", std::string(with) + ": " + text_of(least)});
    }
    if (!answer.conflicts.empty()) return;
    for (int i = 0; i < 3; ++i) {
      for (int j = i + 1; j < 3; ++j) {
        if (!bounds[i].given || !bounds[j].given) continue;
        const std::vector<const PlanEntry*> first = holding(bounds[i].holds);
        const std::vector<const PlanEntry*> second = holding(bounds[j].holds);
        const Holds other = bounds[j].holds;
        if (std::any_of(first.begin(), first.end(),
                        [&](const PlanEntry* entry) { return (this->*other)(*entry); })) {
          continue;
        }
        const PlanFigure for_first = nearest(bounds[i].at, second);
        const PlanFigure for_second = nearest(bounds[j].at, first);
        answer.conflicts.push_back({bounds[i].at, bounds[j].at, for_first, for_second});
        answer.problems.push_back({bounds[i].at, "contradicts",
                                   std::string(bounds[j].at) + ": " + text_of(for_first) + ", or " +
                                       text_of(for_second)});
      }
    }
    if (answer.conflicts.empty()) {
      answer.problems.push_back({"/constraints", "contradicts", "two of the three"});
    }
  }

  bool any(const PlanEntry&) const { return true; }

  Scenario s_;
  Constraints c_;
  const Catalog& catalog_;
  PlanAnswer answer_;
  std::string currency_;
  std::optional<ExchangeRate> rate_;
  std::optional<Decimal> total_, month_;
  std::vector<Choice> choices_;
  bool tries_megatron_ = false;  ///< beside the stack that is given, or that resolve_job() chooses
  std::vector<Task> tasks_;
  std::size_t next_ = 0;
  std::vector<Running> running_;
  SearchCounts done_;
  std::vector<PlanEntry> entries_;
};

PlanSearch::PlanSearch(const Scenario& scenario, const Constraints& constraints,
                       const Catalog& catalog, const Problems& given)
    : state_(std::make_unique<State>(scenario, constraints, catalog, given)) {}
PlanSearch::~PlanSearch() = default;
PlanSearch::PlanSearch(PlanSearch&&) noexcept = default;
PlanSearch& PlanSearch::operator=(PlanSearch&&) noexcept = default;

bool PlanSearch::step(std::int64_t work) { return state_->step(work); }
PlanAnswer PlanSearch::answer() const { return state_->answer(); }

}  // namespace traintally
