#include "project_json.hpp"

#include <traintally/estimate.hpp>
#include <traintally/project.hpp>

#include "catalog_json.hpp"
#include "request.hpp"
#include "scenario_json.hpp"

namespace traintally {
namespace {

constexpr std::size_t kMostPhases = 32;
constexpr RealRange kHours{0, 1e6, true};
constexpr RealRange kShare{0, 100};
constexpr int kDigits = 12;

struct NamedFactor {
  const char* name;
  double ProjectFactors::*member;
};
constexpr NamedFactor kFactors[] = {{"trial_runs_share", &ProjectFactors::trial_runs},
                                    {"failed_runs_share", &ProjectFactors::failed_runs},
                                    {"evaluation_share", &ProjectFactors::evaluation},
                                    {"contingency_share", &ProjectFactors::contingency}};

struct PhaseFigures {
  bool estimated = false;
  bool fits = true;
  double tokens = 0;
};

class ProjectCommand {
 public:
  ProjectCommand(const JsonValue& document, const Catalog& builtin) : catalog_(&builtin) {
    ObjectReader reader(document, "", problems_);
    if (!reader.is_object()) return;
    reader.whole("version", {1, 1});
    reader.find("catalog");
    catalog_ = &with_extension(document, builtin, merged_, problems_);
    currency_ = read_answer_currency(reader);
    rate_ = read_rate(reader, *catalog_);
    std::size_t index = 0;
    for (const JsonValue* item : items_of(reader, "phases", kMostPhases)) {
      read_phase(*item, pointer(reader.at("phases"), index++));
    }
    const JsonValue* phases = reader.find("phases");
    const bool none = phases == nullptr || (phases->is_array() && phases->size() == 0);
    if (none) reader.missing("phases", "1 to 32 phases");
    if (const JsonValue* node = reader.find("budget")) read_budget(*node, reader.at("budget"));
    reader.finish();
  }

  std::string answer() {
    JsonWriter& w = figures_.json();
    w.begin_object();
    if (problems_.empty()) {
      write_phases();
      write_fleets();
      write_budget();
    }
    w.end_object();
    return join_answer(problems_, absent_, warnings_, figures_);
  }

 private:
  /// One GPU's price for a period in the answer's currency.
  std::optional<Decimal> price_of_one(const Tariff& tariff, BillingMode mode) const {
    const std::optional<Decimal> unit =
        price_of_all(tariff, mode, tariff.unit_gpus, rate_, currency_);
    if (!unit) return std::nullopt;
    return divide(*unit, Decimal::from_integer(tariff.unit_gpus), kDigits);
  }

  void take_prices(ProjectPhase& phase, const Tariff& tariff) const {
    phase.unit_gpus = tariff.unit_gpus;
    phase.gpu_hour = price_of_one(tariff, BillingMode::on_demand).value_or(Decimal{});
    phase.gpu_month = price_of_one(tariff, BillingMode::monthly);
  }

  void read_phase(const JsonValue& node, const std::string& at) {
    ObjectReader reader(node, at, problems_);
    if (!reader.is_object()) return;
    ProjectPhase phase;
    PhaseFigures figures;
    phase.name = reader.text("name").value_or("");
    if (const JsonValue* scenario = reader.find("scenario")) {
      estimate_phase(*scenario, reader.at("scenario"), phase, figures);
    } else {
      read_hours(reader, phase);
    }
    reader.finish();
    phases_.push_back(std::move(phase));
    notes_.push_back(figures);
  }

  void estimate_phase(const JsonValue& node, const std::string& at, ProjectPhase& phase,
                      PhaseFigures& figures) {
    Problems found;
    const Scenario scenario = read_scenario(node, found);
    std::optional<Catalog> merged;
    const Report report = estimate(scenario, with_extension(node, *catalog_, merged, found), found);
    take_report(report, at, phase, figures);
  }

  void take_report(const Report& report, const std::string& at, ProjectPhase& phase,
                   PhaseFigures& figures) {
    for (const Problem& problem : report.resolved.problems) {
      add_problem(problems_, at + problem.at, problem.code.c_str(), problem.accepts);
    }
    if (!report.resolved.problems.empty()) return;
    if (!report.detailed || !report.cost_known) {
      add_problem(problems_, at + "/price", "no_offer_for_gpu", "a price");
      return;
    }
    figures.estimated = true;
    figures.fits = report.memory.fits;
    figures.tokens = report.resolved.job.training.tokens;
    phase.gpu = report.resolved.gpu->id;
    phase.gpus = report.resolved.job.cluster.count;
    phase.hours = report.run_time.value.value / 3600;
    const Money& total = report.cost.total.own.value;
    const std::optional<Money> cost = total.currency == currency_ ? std::optional<Money>(total)
                                      : rate_ ? convert(total, *rate_, currency_)
                                              : std::nullopt;
    if (!cost) {
      need_rate();
      return;
    }
    phase.cost = cost->amount;
    take_prices(phase, report.tariff);
    if (!figures.fits) warnings_.push_back({"phase_does_not_fit", {{"phase", phase_number()}}});
  }

  /// Counted from 1, as it is read.
  double phase_number() const { return static_cast<double>(phases_.size() + 1); }

  void read_hours(ObjectReader& reader, ProjectPhase& phase) {
    const std::size_t before = problems_.size();
    const std::optional<double> hours = reader.real("hours", kHours);
    const std::optional<std::int64_t> gpus = read_count(reader, "gpus", limits::gpus);
    if (!hours) reader.missing("hours", "scenario, or hours, gpus and price");
    if (!gpus) reader.missing("gpus", "scenario, or hours, gpus and price");
    const std::optional<std::string_view> gpu = reader.text("gpu");
    const JsonValue* price = reader.find("price");
    if (price == nullptr) reader.missing("price", "scenario, or hours, gpus and price");
    if (!hours || !gpus || price == nullptr) return;
    phase.hours = *hours;
    phase.gpus = *gpus;
    ObjectReader prices(*price, reader.at("price"), problems_);
    const PriceChoice choice = read_prices(prices, *catalog_, phase.gpus);
    prices.finish();
    if (problems_.size() > before) return;
    if (choice.tariff.empty()) {
      prices.missing("per_gpu_hour", "a price or an offer");
      return;
    }
    phase.gpu = choice.offer != nullptr ? choice.offer->gpu : gpu.value_or("");
    take_prices(phase, choice.tariff);
    CostQuestion question;
    const Seconds run{phase.hours * 3600};
    question.run = {run, run, run};
    question.gpus = phase.gpus;
    question.rate = rate_;
    question.calendar = catalog_->calendar;
    const Cost cost = estimate_cost(question, choice.tariff);
    const std::optional<Interval<Money>>& total =
        currency_ == kCny ? cost.total.cny : cost.total.usd;
    if (!total) {
      need_rate();
      return;
    }
    phase.cost = total->value.amount;
  }

  /// One mistake, one problem: a rate that was refused is not missing too.
  void need_rate() {
    for (const Problem& problem : problems_) {
      if (problem.at == "/cny_per_usd") return;
    }
    add_problem(problems_, "/cny_per_usd", "missing", "a rate");
  }

  void read_budget(const JsonValue& node, const std::string& at) {
    ObjectReader reader(node, at, problems_);
    factors_ = catalog_->project;
    for (const NamedFactor& factor : kFactors) {
      if (const auto share = reader.real(factor.name, kShare)) factors_.*factor.member = *share;
    }
    extras_.data_preparation = read_amount(reader, "data_preparation").value_or(Decimal{});
    extras_.transfer_per_gb = read_amount(reader, "transfer_per_gb").value_or(Decimal{});
    extras_.storage_per_tb_month = read_amount(reader, "storage_per_tb_month").value_or(Decimal{});
    extras_.upload_tb = reader.real("upload_tb", limits::terabytes).value_or(0);
    extras_.download_tb = reader.real("download_tb", limits::terabytes).value_or(0);
    extras_.line_mbit_s = reader.real("line_mbit_s", limits::rate).value_or(0);
    extras_.storage_tb = reader.real("storage_tb", limits::terabytes).value_or(0);
    extras_.storage_months = reader.real("storage_months", {0, 1200}).value_or(0);
    reader.finish();
    budgeted_ = true;
  }

  void amount(const char* name, Decimal value) { figures_.money(name, {value, currency_}); }

  void write_phases() {
    JsonWriter& w = figures_.json();
    w.begin_array("phases");
    for (std::size_t i = 0; i < phases_.size(); ++i) {
      const ProjectPhase& phase = phases_[i];
      w.begin_object();
      w.text("name", phase.name);
      if (!phase.gpu.empty()) w.text("gpu", phase.gpu);
      w.whole("gpus", phase.gpus);
      figures_.real("hours", phase.hours);
      figures_.real("gpu_hours", phase.hours * static_cast<double>(phase.gpus));
      amount("cost", phase.cost);
      if (notes_[i].estimated) {
        w.flag("fits", notes_[i].fits);
        figures_.real("tokens", notes_[i].tokens);
      }
      w.end_object();
    }
    w.end_array();
  }

  void write_fleets() {
    fleets_ = compare_fleets(phases_, catalog_->calendar.hours_per_month());
    figures_.real("hours", fleets_.hours);
    figures_.real("utilization", fleets_.utilization);
    amount("elastic", fleets_.elastic);
    figures_.begin("fixed");
    figures_.whole("gpus", fleets_.peak_gpus);
    amount("total", fleets_.fixed);
    figures_.flag("by_month", fleets_.fixed_by_month);
    figures_.end();
    // Of the amounts as they are shown: equal ones differ by nothing.
    amount("saving_by_elastic", reported_amount(fleets_.fixed) - reported_amount(fleets_.elastic));
    if (!fleets_.mix) {
      absent_.push_back({"/mixed", "no_monthly_and_hourly_price"});
      return;
    }
    figures_.begin("mixed");
    figures_.whole("reserved_gpus", fleets_.mix->gpus);
    amount("reserved", fleets_.mix->reserved);
    amount("on_demand", fleets_.mix->on_demand);
    amount("total", fleets_.mix->total);
    figures_.end();
  }

  void write_budget() {
    if (!budgeted_) return;
    const ProjectBudget b = project_budget(fleets_.elastic, factors_, extras_);
    figures_.begin("budget");
    figures_.begin("factors");
    for (const NamedFactor& factor : kFactors) {
      figures_.real(factor.name, factors_.*factor.member);
    }
    figures_.end();
    amount("run", b.run);
    amount("trial_runs", b.trial_runs);
    amount("failed_runs", b.failed_runs);
    amount("evaluation", b.evaluation);
    amount("data_preparation", b.data_preparation);
    amount("transfer", b.transfer);
    amount("storage", b.storage);
    amount("contingency", b.contingency);
    amount("total", b.total);
    if (b.upload_days) figures_.real("upload_days", *b.upload_days);
    if (b.download_days) figures_.real("download_days", *b.download_days);
    figures_.end();
    if ((extras_.upload_tb > 0 || extras_.download_tb > 0) && extras_.line_mbit_s <= 0) {
      absent_.push_back({"/budget/upload_days", "no_line"});
    }
    const double days = b.upload_days.value_or(0) + b.download_days.value_or(0);
    if (days * catalog_->calendar.hours_per_day > fleets_.hours) {
      warnings_.push_back(
          {"transfer_longer_than_training",
           {{"days", days}, {"training_days", fleets_.hours / catalog_->calendar.hours_per_day}}});
    }
  }

  std::optional<Catalog> merged_;
  const Catalog* catalog_;
  Problems problems_;
  std::vector<Absent> absent_;
  std::vector<Warning> warnings_;
  FigureWriter figures_{absent_};
  Currency currency_ = kCny;
  std::optional<ExchangeRate> rate_;
  std::vector<ProjectPhase> phases_;
  std::vector<PhaseFigures> notes_;
  ProjectFactors factors_;
  ProjectExtras extras_;
  bool budgeted_ = false;
  FleetComparison fleets_;
};

}  // namespace

void load_project(const JsonValue& document, Catalog& catalog, Problems& problems) {
  const JsonValue* node = document.find("project");
  if (node == nullptr) return;
  ObjectReader reader(*node, "/project", problems);
  for (const NamedFactor& factor : kFactors) {
    const JsonValue* entry = reader.find(factor.name);
    if (entry == nullptr) {
      reader.missing(factor.name, "object");
      continue;
    }
    ObjectReader note(*entry, reader.at(factor.name), problems);
    catalog.project.*factor.member = note.real("value", kShare).value_or(0);
    note.text("mark");
    note.text("source", 1000);
    note.finish();
  }
  reader.finish();
}

std::string project_answer(std::string_view document, const Catalog& catalog) {
  Problems problems;
  const Document parsed(document, problems);
  if (!problems.empty()) return refusal(problems);
  return ProjectCommand(parsed.root(), catalog).answer();
}

}  // namespace traintally
