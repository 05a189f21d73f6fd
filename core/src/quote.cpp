#include <traintally/quote.hpp>

#include <algorithm>

#include <traintally/estimate.hpp>

#include "limits.hpp"
#include "sorted.hpp"

namespace traintally {
namespace {

constexpr const char* kFieldNames[kQuoteFields] = {"count",
                                                   "memory_gb",
                                                   "per_hour",
                                                   "per_gpu_hour",
                                                   "per_day",
                                                   "per_month",
                                                   "per_gpu_month",
                                                   "per_year",
                                                   "paid",
                                                   "zhe",
                                                   "discount_percent",
                                                   "average_per_month",
                                                   "cheaper_percent",
                                                   "tokens_per_card_day",
                                                   "tokens_per_day",
                                                   "tokens_per_month",
                                                   "unit_cost_per_1k",
                                                   "average_unit_cost_per_1k",
                                                   "unit_cheaper_percent",
                                                   "params_b",
                                                   "training_days",
                                                   "storage_tb",
                                                   "bandwidth_mbit_s",
                                                   "hours",
                                                   "hours_total",
                                                   "hidden_fee_percent"};
constexpr int kDigits = 12;
constexpr double kPercent = 100;
constexpr double kSecondsPerDay = 86400;
/// That a seller's own exchange rate may be off the one that amounts are compared at.
constexpr double kRateDrift = 0.05;

using Field = QuoteField;

Decimal times(Decimal price, std::int64_t count) { return multiply(price, count, 1, kMoneyScale); }

/// Of twelve months, or of a price: in Chinese tenths to 10, in hundredths above.
Decimal share_of_zhe(Decimal zhe) {
  const bool tenths = zhe <= Decimal::from_integer(10);
  return multiply(zhe, 1, tenths ? 10 : 100, 6).trimmed();
}

std::int64_t count_of(const Quote& quote) {
  if (!quote.has(Field::count)) return 1;
  const double most = static_cast<double>(limits::gpus.high);
  return static_cast<std::int64_t>(std::clamp(quote.real(Field::count), 1.0, most));
}

/// All prices of a period for all the GPUs.
std::vector<Decimal> prices(const Quote& quote, Field all, Field each) {
  std::vector<Decimal> found = quote.all(all);
  if (each == all) return found;
  for (const Decimal& price : quote.all(each)) found.push_back(times(price, count_of(quote)));
  return found;
}

/// Judges one quote with the articles' rules, over an article that says what the quote says.
class Judge {
 public:
  Judge(const Quote& quote, const Catalog& catalog, const std::optional<ExchangeRate>& rate)
      : q_(quote), catalog_(catalog), rate_(rate), gpu_(catalog.find_gpu(quote.gpu)) {}

  std::vector<QuoteStatement> run() {
    if (q_.currency == kCny || rate_) {
      months_ = in_yuan(prices(q_, Field::per_month, Field::per_gpu_month));
      hours_ = in_yuan(prices(q_, Field::per_hour, Field::per_gpu_hour));
      years_ = in_yuan(q_.all(Field::per_year));
      days_ = in_yuan(q_.all(Field::per_day));
    }
    discounted(Field::per_month, months_);
    discounted(Field::per_hour, hours_);
    if (catalog_.article != nullptr) {
      local_ = *catalog_.article;
      describe();
      discounts();
      averages();
      unit_costs();
      tokens();
      fits_by_rule();
      hours();
    }
    for (QuoteStatement& each : discounted_) found_.push_back(std::move(each));
    repeated("quote_month_prices", Field::per_month, Field::per_gpu_month, months_);
    repeated("quote_hour_prices", Field::per_hour, Field::per_gpu_hour, hours_);
    fits_by_model();
    against_market();
    transfer();
    hidden_fees();
    constexpr Verdict kOrder[] = {Verdict::implausible, Verdict::infeasible, Verdict::slip,
                                  Verdict::conflict, Verdict::holds};
    std::vector<QuoteStatement> sorted;
    for (const Verdict verdict : kOrder) {
      for (QuoteStatement& each : found_) {
        if (each.verdict == verdict) sorted.push_back(std::move(each));
      }
    }
    return sorted;
  }

 private:
  std::vector<Decimal> in_yuan(std::vector<Decimal> amounts) const {
    for (Decimal& amount : amounts) amount = in_yuan(amount);
    return amounts;
  }
  Decimal in_yuan(Decimal amount) const {
    if (q_.currency == kCny || !rate_) return amount;
    const std::optional<Money> money = convert({amount, q_.currency}, *rate_, kCny);
    return money ? money->amount : amount;
  }

  /// The article's tables with this quote's GPU, plan, speed and days alone.
  void describe() {
    ArticleGpu row;
    row.id = "quote";
    if (gpu_ != nullptr) {
      row.gpus = {gpu_->id};
      row.memory_gb = q_.real(Field::memory_gb, gpu_->memory_gb);
      const Gpu& gpu = gpu_->gpu;
      const double peak =
          std::max(gpu.rate(MatmulKind::bf16).value, gpu.rate(MatmulKind::fp16).value);
      constexpr double kTera = 1e12;
      row.dense_tflops = peak / kTera;
    }
    local_.gpus = {row};
    ArticlePlan plan;
    plan.id = "quote";
    plan.gpu = "quote";
    plan.cards = count_of(q_);
    plan.storage_tb = q_.real(Field::storage_tb);
    plan.uplink_mbit_s = q_.real(Field::bandwidth_mbit_s);
    local_.plans = {plan};
    local_.speeds.clear();
    local_.days.clear();
    params_b_ = least(Field::params_b);
    if (q_.has(Field::training_days)) {
      local_.days.push_back({"quote", params_b_, plan.cards, q_.real(Field::training_days)});
    }
    if (const double speed = tokens_per_card_day(); speed > 0) {
      local_.speeds.push_back({"quote", params_b_, speed, 0, {}});
    }
    paid_ = stated_share();
    if (paid_) local_.annual_paid = *paid_;
  }

  double least(Field field) const {
    double value = 0;
    for (const Decimal& each : q_.all(field)) {
      if (value <= 0 || each.approximate() < value) value = each.approximate();
    }
    return value;
  }
  double most(Field field) const {
    double value = 0;
    for (const Decimal& each : q_.all(field)) value = std::max(value, each.approximate());
    return value;
  }

  double tokens_per_card_day() const {
    const double cards = static_cast<double>(count_of(q_));
    if (q_.has(Field::tokens_per_card_day)) return q_.real(Field::tokens_per_card_day);
    return q_.real(Field::tokens_per_day) / cards;
  }

  /// Of twelve months, that a year costs: said outright, or in tenths.
  std::optional<Decimal> stated_share() const {
    if (q_.has(Field::paid)) return q_.all(Field::paid).front();
    if (!q_.has(Field::zhe)) return std::nullopt;
    return share_of_zhe(q_.all(Field::zhe).front());
  }

  // Statements that a rule of the articles checks.

  struct Check {
    const char* code;
    const char* rule;
    const char* unit;
    std::vector<Field> fields;
    std::vector<NamedNumbers> inputs;
    std::vector<double> stated;
    double step = 0;
    bool approximate = false;
  };

  bool check(Check what) {
    Statement statement;
    statement.id = what.code;
    statement.rule = what.rule;
    statement.unit = what.unit;
    statement.inputs = std::move(what.inputs);
    statement.stated = std::move(what.stated);
    statement.step = what.step;
    statement.approximate = what.approximate;
    statement.gpus = {"quote"};
    statement.plans = {"quote"};
    const StatementResult result = check_statement(local_, statement);
    if (result.verdict == Verdict::unchecked) return false;
    QuoteStatement judged;
    judged.code = what.code;
    judged.fields = std::move(what.fields);
    judged.verdict = result.verdict;
    judged.sentence_code = result.sentence_code;
    judged.unit = what.unit;
    judged.stated = result.stated;
    judged.computed = result.computed;
    for (const auto& [name, value] : result.figures) {
      judged.figures.emplace_back(std::string(name), value);
    }
    found_.push_back(std::move(judged));
    return true;
  }

  static NamedNumbers number(const char* name, double value) { return {name, {value}}; }
  static std::vector<double> reals(const std::vector<Decimal>& values) {
    std::vector<double> found;
    found.reserve(values.size());
    for (const Decimal& value : values) found.push_back(value.approximate());
    return found;
  }

  void discounts() {
    const std::vector<double> off = reals(q_.all(Field::discount_percent));
    if (q_.has(Field::zhe) && !off.empty()) {
      std::vector<double> shares;
      shares.reserve(off.size());
      for (const double percent : off) shares.push_back(percent / kPercent);
      check({"discount_words",
             "discount_words",
             "fraction",
             {Field::zhe, Field::discount_percent},
             {{"zhe", reals(q_.all(Field::zhe))}, {"discount", shares}},
             {}});
    }
    if (months_.empty()) return;
    const double month = months_.front().approximate();
    for (std::size_t i = 0; i < years_.size(); ++i) {
      const double year = years_[i].approximate();
      if (i > 0) {
        check({"annual_prices",
               "annual_prices",
               "CNY/year",
               {Field::per_year},
               {number("monthly", month), number("also", years_.front().approximate())},
               {year},
               0,
               q_.converted});
      } else if (paid_) {
        check({"annual_price",
               "annual_price",
               "CNY/year",
               {Field::per_year, Field::per_month, Field::zhe},
               {number("monthly", month)},
               {year},
               1,
               q_.converted});
      } else if (month > 0) {  // twelve months for nothing have no share
        discount_off(month, year, off);
      }
    }
  }

  /// "A discount of 65%" without the tenths: what twelve months pay says which is meant.
  void discount_off(double month, double year, const std::vector<double>& off) {
    const double paid = year / (month * catalog_.calendar.months_per_year) * kPercent;
    // percent points
    const double close = q_.converted ? kRateDrift * paid : 0.5;
    QuoteStatement s = own("annual_share", {Field::per_year, Field::per_month}, "fraction");
    s.computed = paid / kPercent;
    s.figures = {{"monthly", month},
                 {"year", year},
                 {"paid_percent", paid},
                 {"off_percent", kPercent - paid}};
    if (off.empty()) {
      conclude(s, Verdict::holds, "quote_annual_share");
      return;
    }
    s.fields.push_back(Field::discount_percent);
    s.stated = off.front() / kPercent;
    s.figures.emplace_back("stated_percent", off.front());
    const auto near = [&](double percent) {
      return percent - paid <= close && paid - percent <= close;
    };
    if (near(kPercent - off.front())) {
      conclude(s, Verdict::holds, "quote_discount_holds");
    } else if (near(off.front())) {
      conclude(s, Verdict::conflict, "quote_discount_is_the_share_paid");
    } else {
      conclude(s, Verdict::slip, "quote_discount_slip");
    }
  }

  void averages() {
    if (months_.empty() || !q_.has(Field::average_per_month) || !q_.has(Field::cheaper_percent)) {
      return;
    }
    check({"cheaper_than_average",
           "cheaper_than",
           "fraction",
           {Field::cheaper_percent, Field::per_month, Field::average_per_month},
           {number("ours", months_.front().approximate()),
            number("average", in_yuan(q_.all(Field::average_per_month).front()).approximate())},
           {q_.real(Field::cheaper_percent) / kPercent},
           0.01});
  }

  void unit_costs() {
    const auto cost = [&](const char* code, Field field, double monthly, Field price) {
      if (!q_.has(field) || !q_.has(Field::tokens_per_month) || monthly <= 0) return;
      check({code,
             "unit_cost",
             "CNY/1000 tokens",
             {field, price, Field::tokens_per_month},
             {number("monthly", monthly),
              number("tokens_per_month", q_.real(Field::tokens_per_month))},
             {in_yuan(q_.all(field).front()).approximate()},
             0.01});
    };
    if (!months_.empty()) {
      cost("unit_cost", Field::unit_cost_per_1k, months_.front().approximate(), Field::per_month);
    }
    if (q_.has(Field::average_per_month)) {
      cost("average_unit_cost", Field::average_unit_cost_per_1k,
           in_yuan(q_.all(Field::average_per_month).front()).approximate(),
           Field::average_per_month);
    }
    if (q_.has(Field::unit_cost_per_1k) && q_.has(Field::average_unit_cost_per_1k) &&
        q_.has(Field::unit_cheaper_percent)) {
      check(
          {"cheaper_unit_cost",
           "cheaper_than",
           "fraction",
           {Field::unit_cheaper_percent, Field::unit_cost_per_1k, Field::average_unit_cost_per_1k},
           {number("ours", in_yuan(q_.all(Field::unit_cost_per_1k).front()).approximate()),
            number("average",
                   in_yuan(q_.all(Field::average_unit_cost_per_1k).front()).approximate())},
           {q_.real(Field::unit_cheaper_percent) / kPercent},
           0.01});
    }
  }

  void tokens() {
    const double cards = static_cast<double>(count_of(q_));
    const double speed = tokens_per_card_day();
    if (speed > 0 && q_.has(Field::tokens_per_month)) {
      check({"tokens_per_month",
             "tokens_per_month",
             "tokens/month",
             {Field::tokens_per_month, Field::tokens_per_card_day},
             {number("tokens_per_card_day", speed), number("cards", cards)},
             {q_.real(Field::tokens_per_month)},
             0,
             true});
    }
    if (gpu_ == nullptr || params_b_ <= 0) return;
    if (speed > 0 && !above_peak(speed)) {
      check({"tokens_per_day",
             "tokens_per_day",
             "tokens/day",
             {Field::tokens_per_card_day, Field::params_b},
             {number("params_b", params_b_)},
             {speed}});
    }
    if (q_.has(Field::tokens_per_month)) {
      check({"tokens_of_month",
             "tokens_per_card_day",
             "tokens/card/day",
             {Field::tokens_per_month, Field::params_b},
             {number("params_b", params_b_), number("cards", cards),
              number("tokens_per_month", q_.real(Field::tokens_per_month))},
             {}});
    }
    if (q_.has(Field::training_days) && speed > 0 && count_of(q_) == 1) {
      check({"training_days",
             "days_physics",
             "tokens",
             {Field::training_days, Field::params_b},
             {number("params_b", params_b_)},
             {}});
    }
  }

  /// Faster than every unit busy all the time, or than training was ever measured: says so, and
  /// judges no further.
  bool above_peak(double speed) {
    if (q_.kind == TrainingKind::lora || q_.kind == TrainingKind::qlora) return false;
    constexpr double kTera = 1e12;
    // Of the stated precision, where the GPU has it.
    double tflops = local_.gpus.front().dense_tflops;
    const double rate = gpu_->gpu.rate(q_.precision).value / kTera;
    if (q_.precision != MatmulKind::bf16 && rate > 0) tflops = rate;
    const double peak = physical_tokens_per_day(params_b_, tflops, 1);
    const double measured = peak * catalog_.most_measured_mfu;
    const bool beyond = speed > peak;
    if (!beyond && (measured <= 0 || speed <= measured)) return false;
    QuoteStatement s = own(
        "tokens_per_day",
        {q_.has(Field::tokens_per_card_day) ? Field::tokens_per_card_day : Field::tokens_per_day,
         Field::params_b},
        "tokens/day");
    s.stated = speed;
    s.computed = beyond ? peak : measured;
    s.figures = {{"params_b", params_b_},
                 {"stated", speed},
                 {"peak", peak},
                 {"tflops", tflops},
                 {"ratio", speed / peak},
                 {"mfu_percent", speed / peak * kPercent},
                 {"most_mfu_percent", catalog_.most_measured_mfu * kPercent}};
    conclude(s, Verdict::implausible,
             beyond ? "quote_tokens_above_peak" : "quote_tokens_above_measured");
    return true;
  }

  void fits_by_rule() {
    if (gpu_ == nullptr || !q_.has(Field::params_b) || q_.kind != TrainingKind::full) return;
    std::vector<double> sizes{params_b_};
    if (most(Field::params_b) > params_b_) sizes.push_back(most(Field::params_b));
    check({"fits_by_rule",
           "fits",
           "GB",
           {Field::params_b, Field::count, Field::memory_gb},
           {{"params_b", sizes}, number("count", static_cast<double>(count_of(q_)))},
           {}});
  }

  void hours() {
    if (!months_.empty()) {
      // The article counts 30 days; a seller may count the 28 to 31 that a month has.
      const double counted = local_.days_per_month;
      local_.days_per_month = catalog_.calendar.days_in_longest_month;
      for (const Decimal& hour : hours_) {
        check({"breakeven_hours",
               "breakeven_hours",
               "hours/month",
               {Field::per_month, Field::per_hour},
               {number("monthly", months_.front().approximate()),
                number("hourly", hour.approximate())},
               {}});
      }
      local_.days_per_month = counted;
    }
    if (hours_.empty() || !q_.has(Field::hours) || !q_.has(Field::hours_total)) return;
    check({"hours_total",
           "hourly_total",
           "CNY",
           {Field::hours_total, Field::hours, Field::per_hour},
           {number("hours", q_.real(Field::hours)), number("hourly", hours_.front().approximate())},
           {in_yuan(q_.all(Field::hours_total).front()).approximate()},
           1});
  }

  // Statements that the articles have no rule for.

  static QuoteStatement own(const char* code, std::vector<Field> fields, const char* unit) {
    QuoteStatement s;
    s.code = code;
    s.fields = std::move(fields);
    s.unit = unit;
    return s;
  }

  void conclude(QuoteStatement& s, Verdict verdict, const char* sentence) {
    s.verdict = verdict;
    s.sentence_code = sentence;
    found_.push_back(std::move(s));
  }

  /// Two prices of a period of which one is the other after the stated discount: "10000 元, 85 折,
  /// 8500 元". The lower is the plan's.
  void discounted(Field field, std::vector<Decimal>& amounts) {
    if (amounts.size() != 2) return;
    const Decimal low = std::min(amounts[0], amounts[1]);
    const Decimal high = std::max(amounts[0], amounts[1]);
    std::vector<std::pair<Decimal, Field>> shares;
    for (const Decimal& zhe : q_.all(Field::zhe)) shares.push_back({share_of_zhe(zhe), Field::zhe});
    for (const Decimal& percent : q_.all(Field::discount_percent)) {
      const Decimal paid = Decimal::from_integer(100) - percent;
      shares.push_back({multiply(paid, 1, 100, 6), Field::discount_percent});
    }
    for (const std::pair<Decimal, Field>& share : shares) {
      const Decimal after = multiply(high, share.first, kMoneyScale);
      const double apart = after.approximate() - low.approximate();
      const double allowed = std::max(0.5, q_.converted ? kRateDrift * low.approximate() : 0.0);
      if (apart > allowed || -apart > allowed) continue;
      QuoteStatement s = own("discounted_price", {field, share.second}, "CNY");
      s.stated = low.approximate();
      s.computed = after.approximate();
      s.figures = {{"before", high.approximate()},
                   {"after", low.approximate()},
                   {"paid_percent", share.first.approximate() * kPercent}};
      s.verdict = Verdict::holds;
      s.sentence_code = "quote_discounted_price";
      discounted_.push_back(std::move(s));
      amounts = {low};
      return;
    }
  }

  /// One plan has one price for a period, or a range of them.
  /// @param amounts those of `field`, then those of `each`, one GPU's
  void repeated(const char* code, Field field, Field each, const std::vector<Decimal>& amounts) {
    if (amounts.size() < 2) return;
    const auto [low, high] = std::minmax_element(amounts.begin(), amounts.end());
    const auto is_range = [this](Field f) { return q_.is_range[static_cast<int>(f)]; };
    if (is_range(field) || is_range(each)) {
      // The whole plan's price and one GPU's agree where their ranges meet.
      const auto part = amounts.begin() +
                        static_cast<std::ptrdiff_t>(std::min(q_.all(field).size(), amounts.size()));
      if (part == amounts.begin() || part == amounts.end()) return;
      const auto [own_low, own_high] = std::minmax_element(amounts.begin(), part);
      const auto [each_low, each_high] = std::minmax_element(part, amounts.end());
      if (*own_low <= *each_high && *each_low <= *own_high) return;
    }
    QuoteStatement s = own(code, {field}, "CNY");
    s.stated = amounts.front().approximate();
    s.computed = amounts[1].approximate();
    s.figures = {{"low", low->approximate()}, {"high", high->approximate()}};
    const double spread = high->approximate() - low->approximate();
    const bool same = spread <= (q_.converted ? kRateDrift * high->approximate() : 0);
    conclude(s, same ? Verdict::holds : Verdict::conflict,
             same                        ? "quote_prices_holds"
             : field == Field::per_month ? "quote_month_prices_conflict"
                                         : "quote_hour_prices_conflict");
  }

  bool fits(double params_b, TrainingKind kind, double& need, double& have) const {
    Scenario scenario;
    scenario.model.form = ModelForm::parameters_only;
    // What is stated may be larger than any model: that doesn't fit where the largest doesn't.
    scenario.model.parameters =
        std::clamp(params_b * 1e9, limits::parameters.low, limits::parameters.high);
    scenario.kind = kind;
    scenario.gpu.id = gpu_->id;
    scenario.count = count_of(q_);
    const Report report = estimate(scenario, catalog_);
    if (!report.detailed) return false;
    need = report.device.value.value / kGiB;
    have = report.memory.usable.value / kGiB;
    return report.memory.fits;
  }

  /// Every size said to fit, by the detailed method: the largest that fits decides.
  void fits_by_model() {
    if (gpu_ == nullptr || !q_.has(Field::params_b)) return;
    std::vector<double> sizes = reals(q_.all(Field::params_b));
    sort_few(sizes);
    for (std::size_t i = 0; i < sizes.size(); i += std::max<std::size_t>(1, sizes.size() - 1)) {
      double need = 0;
      double have = 0;
      const bool fit = fits(sizes[i], q_.kind, need, have);
      if (have <= 0) continue;
      QuoteStatement s = own("fits", {Field::params_b, Field::count}, "GiB");
      s.computed = need;
      s.figures = {{"params_b", sizes[i]},
                   {"need_gib", need},
                   {"have_gib", have},
                   {"count", static_cast<double>(count_of(q_))}};
      if (fit) {
        conclude(s, Verdict::holds, "quote_fits_holds");
        continue;
      }
      double least_need = need;
      bool lora = false;
      bool qlora = false;
      if (q_.kind == TrainingKind::full || q_.kind == TrainingKind::pretrain) {
        lora = fits(sizes[i], TrainingKind::lora, least_need, have);
      }
      if (!lora && q_.kind != TrainingKind::qlora) {
        qlora = fits(sizes[i], TrainingKind::qlora, least_need, have);
      }
      s.figures.emplace_back("adapters_need_gib", least_need);
      conclude(s, Verdict::infeasible,
               lora    ? "quote_fits_lora_only"
               : qlora ? "quote_fits_qlora_only"
                       : "quote_does_not_fit");
    }
  }

  /// The price of a GPU-hour, from whatever period is stated, in yuan.
  std::optional<double> gpu_hour() const {
    const double gpus = static_cast<double>(count_of(q_));
    if (!hours_.empty()) return hours_.front().approximate() / gpus;
    if (!months_.empty()) {
      return months_.front().approximate() / catalog_.calendar.hours_per_month() / gpus;
    }
    if (!days_.empty()) {
      return days_.front().approximate() / catalog_.calendar.hours_per_day / gpus;
    }
    if (years_.empty()) return std::nullopt;
    return years_.front().approximate() / catalog_.calendar.hours_per_year() / gpus;
  }

  /// What gpu_hour rests on.
  Field price_field() const {
    if (!hours_.empty()) return q_.has(Field::per_hour) ? Field::per_hour : Field::per_gpu_hour;
    if (!months_.empty()) {
      return q_.has(Field::per_month) ? Field::per_month : Field::per_gpu_month;
    }
    return days_.empty() ? Field::per_year : Field::per_day;
  }

  void against_market() {
    const std::optional<double> price = gpu_hour();
    if (gpu_ == nullptr || !price) return;
    double low = 0;
    double high = 0;
    double offers = 0;
    for (const OfferEntry& offer : catalog_.offers) {
      if (offer.gpu != gpu_->id || offer.id.substr(0, 8) == "article-") continue;
      const Tariff tariff = tariff_of(offer);
      for (const BillingMode mode : {BillingMode::on_demand, BillingMode::monthly}) {
        const std::optional<Decimal> all = price_in_yuan(tariff, mode);
        if (!all) continue;
        const double hour = all->approximate() / static_cast<double>(tariff.unit_gpus) /
                            catalog_.calendar.hours_per_period(mode);
        low = offers > 0 ? std::min(low, hour) : hour;
        high = std::max(high, hour);
        ++offers;
      }
    }
    if (offers < 1) return;
    QuoteStatement s = own("market_price", {price_field()}, "CNY/GPU/hour");
    s.stated = *price;
    s.computed = low;
    s.figures = {{"price", *price}, {"market_low", low}, {"market_high", high}, {"offers", offers}};
    constexpr double kFar = 2;  // times below the lowest or above the highest
    if (*price * kFar < low) {
      conclude(s, Verdict::implausible, "quote_far_below_market");
    } else if (*price > high * kFar) {
      conclude(s, Verdict::implausible, "quote_far_above_market");
    } else {
      conclude(s, Verdict::holds,
               *price < low    ? "quote_below_market"
               : *price > high ? "quote_above_market"
                               : "quote_within_market");
    }
  }

  std::optional<Decimal> price_in_yuan(const Tariff& tariff, BillingMode mode) const {
    const std::optional<ModePrice>& price = tariff.price(mode);
    if (!price) return std::nullopt;
    const Money all{times(price->value, price->per_gpu ? tariff.unit_gpus : 1), price->currency};
    if (all.currency == kCny) return all.amount;
    const std::optional<Money> money = rate_ ? convert(all, *rate_, kCny) : std::optional<Money>();
    return money ? std::optional<Decimal>(money->amount) : std::nullopt;
  }

  /// The plan's storage filled through its own line.
  void transfer() {
    if (!q_.has(Field::storage_tb) || !q_.has(Field::bandwidth_mbit_s)) return;
    const double line = q_.real(Field::bandwidth_mbit_s);
    if (line <= 0) return;
    const double days = q_.real(Field::storage_tb) * 1e12 * 8 / (line * 1e6 * kSecondsPerDay);
    QuoteStatement s = own("transfer", {Field::storage_tb, Field::bandwidth_mbit_s}, "days");
    s.computed = days;
    s.figures = {{"terabytes", q_.real(Field::storage_tb)}, {"mbit_s", line}, {"days", days}};
    const double training = q_.real(Field::training_days);
    if (training > 0) {
      s.fields.push_back(Field::training_days);
      s.figures.emplace_back("training_days", training);
      const bool in_time = days <= training;
      conclude(s, in_time ? Verdict::holds : Verdict::conflict,
               in_time ? "quote_transfer_time" : "quote_transfer_longer_than_training");
    } else {
      conclude(s, Verdict::holds, "quote_transfer_time");
    }
  }

  void hidden_fees() {
    if (q_.fees.empty() || months_.empty()) return;
    std::vector<Fee> fees = q_.fees;
    for (Fee& fee : fees) {
      if (fee.kind != FeeKind::percent) fee.amount = in_yuan(fee.amount);
    }
    const FeeSum sum = sum_fees(fees, months_.front(), 1, catalog_.article.get());
    QuoteStatement s = own("hidden_fees", {Field::hidden_fee_percent}, "fraction");
    s.computed = sum.share;
    s.figures = {{"share_percent", sum.share * kPercent},
                 {"fees", sum.total.approximate()},
                 {"rent", months_.front().approximate()}};
    if (q_.has(Field::hidden_fee_percent)) {
      const double stated = q_.real(Field::hidden_fee_percent);
      s.stated = stated / kPercent;
      s.figures.emplace_back("stated_percent", stated);
      const bool within = sum.share * kPercent <= stated;
      conclude(s, within ? Verdict::holds : Verdict::conflict,
               within ? "quote_fees_within_stated" : "quote_fees_above_stated");
    } else {
      conclude(s, Verdict::holds, "quote_fees_share");
    }
  }

  const Quote& q_;
  const Catalog& catalog_;
  const std::optional<ExchangeRate>& rate_;
  const GpuEntry* gpu_;
  Article local_;
  std::vector<Decimal> months_;  ///< of all GPUs, in yuan
  std::vector<Decimal> hours_;
  std::vector<Decimal> years_;
  std::vector<Decimal> days_;
  std::vector<QuoteStatement> discounted_;
  std::optional<Decimal> paid_;
  double params_b_ = 0;
  std::vector<QuoteStatement> found_;
};

}  // namespace

const char* quote_field_name(QuoteField field) { return kFieldNames[static_cast<int>(field)]; }

bool is_money(QuoteField field) {
  switch (field) {
    case QuoteField::per_hour:
    case QuoteField::per_gpu_hour:
    case QuoteField::per_day:
    case QuoteField::per_month:
    case QuoteField::per_gpu_month:
    case QuoteField::per_year:
    case QuoteField::average_per_month:
    case QuoteField::unit_cost_per_1k:
    case QuoteField::average_unit_cost_per_1k:
    case QuoteField::hours_total:
      return true;
    default:
      return false;
  }
}

bool is_plausible(QuoteField field, Decimal value) {
  constexpr std::int64_t kWhole = 100;  // percent
  constexpr double kMost = 1e15;
  if (value.is_negative() || value.approximate() > kMost) return false;
  switch (field) {
    case QuoteField::count:
      return value >= Decimal::from_integer(limits::gpus.low) &&
             value <= Decimal::from_integer(limits::gpus.high);
    case QuoteField::zhe:
      return !value.is_zero() && value <= Decimal::from_integer(kWhole);
    case QuoteField::paid:
      return !value.is_zero() && value <= Decimal::from_integer(1);
    case QuoteField::discount_percent:
    case QuoteField::cheaper_percent:
    case QuoteField::unit_cheaper_percent:
    case QuoteField::hidden_fee_percent:
      return value <= Decimal::from_integer(kWhole);
    default:
      return true;
  }
}

std::optional<Decimal> quote_price(const Quote& quote, BillingMode mode) {
  const bool month = mode == BillingMode::monthly;
  const std::vector<Decimal> found = mode == BillingMode::annual  ? quote.all(Field::per_year)
                                     : mode == BillingMode::daily ? quote.all(Field::per_day)
                                     : month ? prices(quote, Field::per_month, Field::per_gpu_month)
                                             : prices(quote, Field::per_hour, Field::per_gpu_hour);
  return found.empty() ? std::nullopt : std::optional<Decimal>(found.front());
}

FeeSum sum_fees(const std::vector<Fee>& fees, Decimal rent_per_month, double months,
                const Article* article) {
  FeeSum sum;
  const Decimal rent = multiply(rent_per_month, months, kMoneyScale);
  for (const Fee& fee : fees) {
    Decimal due;
    switch (fee.kind) {
      case FeeKind::none:
        break;
      case FeeKind::fixed:
        due = fee.amount;
        break;
      case FeeKind::per_month:
        due = multiply(fee.amount, months, kMoneyScale);
        break;
      case FeeKind::percent:
        due = multiply(multiply(rent, fee.amount, kMoneyScale), 1, 100, kMoneyScale);
        break;
      case FeeKind::per_gb:
        due = multiply(fee.amount, fee.quantity * months, kMoneyScale);
        break;
      case FeeKind::per_event:
        due = multiply(fee.amount, fee.quantity, kMoneyScale);
        break;
    }
    Decimal& category = sum.by_category[static_cast<int>(fee.category)];
    category = category + due;
    sum.total = sum.total + due;
  }
  const Decimal all = rent + sum.total;
  if (!all.is_zero()) sum.share = divide(sum.total, all, kDigits).approximate();
  if (article == nullptr) return sum;
  double narrowest = 0;
  for (const ArticleFees& band : article->fees) {
    if (sum.share < band.low || sum.share > band.high) continue;
    if (!sum.band.empty() && band.high - band.low >= narrowest) continue;
    narrowest = band.high - band.low;
    sum.band = band.code;
  }
  return sum;
}

std::vector<QuoteStatement> judge_quote(const Quote& quote, const Catalog& catalog,
                                        const std::optional<ExchangeRate>& rate) {
  return Judge(quote, catalog, rate).run();
}

}  // namespace traintally
