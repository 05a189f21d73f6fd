#include <traintally/published.hpp>

#include <algorithm>
#include <cmath>

namespace traintally {
namespace {

constexpr double kBillion = 1e9;
constexpr double kHoursPerDay = 24;
constexpr double kSecondsPerDay = 86400;
constexpr std::int64_t kMonthsPerYear = 12;
// Unit costs are kept to more digits than any report shows.
constexpr int kUnitCostDigits = 12;

bool contains(const std::vector<std::string_view>& list, std::string_view item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

template <class Entry>
const Entry* find_by_id(const std::vector<Entry>& entries, std::string_view id) {
  for (const Entry& entry : entries) {
    if (entry.id == id) return &entry;
  }
  return nullptr;
}

bool within(std::int64_t count, std::int64_t least, std::int64_t most) {
  return count >= least && (most == 0 || count <= most);
}

// The storage band of a size; between two bands the larger counts.
const ArticleStorage* storage_band(const Article& article, double params_b, bool& exact) {
  const ArticleStorage* found = nullptr;
  for (const ArticleStorage& row : article.storage) {
    found = &row;
    exact = in_band(article, row.band, params_b);
    if (exact || params_b < row.band.low_b) break;
  }
  return found;
}

// The stated speed for a row: that of the job's size band, else of the nearest size.
const ArticleSpeed* stated_speed(const Article& article, const ArticleGpu& row, double params_b,
                                 bool& exact) {
  bool in_some_band = false;
  const ArticleStorage* job_band = storage_band(article, params_b, in_some_band);
  const ArticleSpeed* nearest = nullptr;
  double nearest_ratio = 0;
  exact = false;
  for (const ArticleSpeed& speed : article.speeds) {
    if (speed.gpu != row.id) continue;
    if (in_some_band && in_band(article, job_band->band, speed.params_b)) {
      exact = true;
      return &speed;
    }
    const double ratio = std::max(speed.params_b / params_b, params_b / speed.params_b);
    if (nearest == nullptr || ratio < nearest_ratio) {
      nearest = &speed;
      nearest_ratio = ratio;
    }
  }
  return nearest;
}

PublishedSpeed speed_of_job(const Article& article, const ArticleSpeed& stated,
                            const PublishedQuestion& question) {
  PublishedSpeed speed;
  const auto cards = static_cast<double>(question.count);
  speed.tokens_per_card_day = stated.tokens_per_card_day;
  speed.stated_params_b = stated.params_b;
  speed.at = stated.at;
  speed.tokens_per_day = stated.tokens_per_card_day * cards;
  speed.tokens_per_month = published_tokens_per_month(article, stated.tokens_per_card_day, cards);
  if (question.tokens > 0) {
    const double days = question.tokens / speed.tokens_per_day;
    speed.run_days = days;
    speed.run_low_days = days * (1 - article.period_deviation);
    speed.run_high_days = days * (1 + article.period_deviation);
  }
  return speed;
}

// A 4: "within 1 month", "1 to 6", "more than 6": a bound belongs to the middle band.
const ArticleBilling* billing_for(const Article& article, double months) {
  const ArticleBilling* found = nullptr;
  for (const ArticleBilling& row : article.billing) {
    const bool reached = row.high_months > 0 ? months >= row.low_months : months > row.low_months;
    if (reached) found = &row;
  }
  return found;
}

Money hours_at(const Money& hourly, double hours) {
  return {multiply(hourly.amount, hours, kMoneyScale), hourly.currency};
}

// The run's bill, paid the way that article A recommends for its duration. A custom cluster is
// priced at the yearly rate, the only price that the articles give for a long contract.
void bill_run(const PublishedQuestion& question, std::string_view way, double months,
              const PublishedSpeed* speed, PublishedMoney& money) {
  if (way == "on_demand" && question.hourly && speed != nullptr && speed->run_days) {
    money.total = hours_at(*question.hourly, *speed->run_days * kHoursPerDay);
    return;
  }
  const double whole_months = std::max(1.0, std::ceil(months));
  Money total = money.monthly;
  total.amount = multiply(total.amount, whole_months, kMoneyScale);
  if (way == "custom_cluster") {
    const Decimal year = multiply(money.annual.amount, whole_months, kMoneyScale);
    total.amount = multiply(year, 1, kMonthsPerYear, kMoneyScale);
  }
  money.total = total;
  money.total_months = whole_months;
}

PublishedMoney price_job(const Article& article, const PublishedQuestion& question,
                         const PublishedSpeed* speed) {
  PublishedMoney money;
  money.monthly = *question.monthly;
  const Currency currency = money.monthly.currency;
  money.annual = {published_annual(article, money.monthly.amount), currency};
  if (question.hourly && question.hourly->currency == currency) {
    money.hourly = question.hourly;
    if (!question.hourly->amount.is_zero()) {
      money.breakeven_hours =
          divide(money.monthly.amount, question.hourly->amount, kUnitCostDigits);
    }
  }
  if (speed != nullptr) {
    const Decimal unit = published_unit_cost(money.monthly.amount, speed->tokens_per_month);
    money.per_1k_tokens = Money{unit, currency};
    const Decimal thousand = Decimal::from_integer(1000);
    money.per_million_tokens = Money{multiply(unit, thousand, unit.scale), currency};
  }
  for (const ArticleFees& row : article.fees) {
    const auto on_rent = [&](double share) {
      return Money{multiply(money.monthly.amount, share / (1 - share), kMoneyScale), currency};
    };
    money.fees.push_back({row.code, on_rent(row.low), on_rent(row.high)});
  }
  return money;
}

PublishedOwnership own_or_rent(const Article& article, const PublishedQuestion& question) {
  const ArticleOwnership& own = article.ownership;
  const double capex = own.capex_per_card * static_cast<double>(question.count);
  const double operation = (own.staff_per_year + own.rack_per_year + own.power_per_year) *
                           static_cast<double>(question.count) / static_cast<double>(own.cards);
  PublishedOwnership result;
  result.years = own.years;
  // The article adds the refresh, a depreciation, to the purchase itself.
  const double yearly = operation + capex * own.depreciation;
  result.own_total = {decimal_from(capex + yearly * own.years, kMoneyScale), kCny};
  const Decimal annual = published_annual(article, question.monthly->amount);
  result.rent_total = {multiply(annual, own.years, kMoneyScale), kCny};
  result.saving =
      1 - result.rent_total.amount.approximate() / result.own_total.amount.approximate();
  return result;
}

void recommend(const Article& article, const PublishedQuestion& question, double params_b,
               PublishedAnswer& answer) {
  double low_b = -1;  // of the first band that reaches the size; its alternatives share it
  for (const ArticleConfig& row : article.configs) {
    const bool reaches = row.band.high_b == 0 || params_b <= row.band.high_b;
    if (low_b < 0 && reaches) low_b = row.band.low_b;
    if (row.band.low_b != low_b) continue;
    answer.recommended.push_back(&row);
    answer.follows_recommended =
        answer.follows_recommended || (contains(row.gpus, question.gpu) &&
                                       within(question.count, row.least_cards, row.most_cards));
  }
}

void find_profile(const Article& article, const PublishedQuestion& question, double params_b,
                  PublishedAnswer& answer) {
  for (const ArticleProfile& row : article.profiles) {
    if (!in_band(article, row.band, params_b)) continue;
    if (question.monthly && question.monthly->currency == kCny) {
      const double budget = question.monthly->amount.approximate();
      if (budget < row.low_budget || (row.high_budget > 0 && budget > row.high_budget)) continue;
    }
    answer.profile = row.code;
    answer.profile_plan = row.plan;
    return;
  }
}

}  // namespace

const ArticleGpu* Article::find_gpu(std::string_view id) const { return find_by_id(gpus, id); }

const ArticlePlan* Article::find_plan(std::string_view id) const { return find_by_id(plans, id); }

const ArticlePlan* Article::plan_of_offer(std::string_view offer) const {
  for (const ArticlePlan& plan : plans) {
    if (contains(plan.offers, offer)) return &plan;
  }
  return nullptr;
}

const ArticleGpu* Article::row_for(std::string_view catalogue_gpu, bool& borrowed) const {
  borrowed = false;
  for (const ArticleGpu& row : gpus) {
    if (contains(row.gpus, catalogue_gpu)) return &row;
  }
  borrowed = true;
  for (const ArticleGpu& row : gpus) {
    if (contains(row.near, catalogue_gpu)) return &row;
  }
  return nullptr;
}

bool in_band(const Article& article, const SizeBand& band, double params_b) {
  return params_b >= band.low_b * (1 - article.size_margin) &&
         (band.high_b == 0 || params_b <= band.high_b * (1 + article.size_margin));
}

PublishedMemory published_memory(const Article& article, double params_b) {
  PublishedMemory memory;
  memory.weights_gb = params_b * article.weight_bytes;
  memory.gradients_gb = params_b * article.gradient_bytes;
  memory.optimizer_gb = params_b * article.optimizer_bytes;
  memory.states_gb =
      params_b * (article.weight_bytes + article.gradient_bytes + article.optimizer_bytes);
  memory.low_gb = memory.states_gb + article.activation_low_gb;
  memory.high_gb = memory.states_gb + article.activation_high_gb;
  memory.reduced_gb = memory.states_gb * (1 - article.reduction);
  memory.reduced_low_gb = memory.reduced_gb + article.activation_low_gb;
  memory.reduced_high_gb = memory.reduced_gb + article.activation_high_gb;
  return memory;
}

std::int64_t published_gpu_count(double need_gb, double memory_gb) {
  constexpr double kMost = 1e15;  // of cards, far beyond any: no quotient overflows the count
  const double count = memory_gb > 0 ? std::ceil(need_gb / memory_gb) : kMost;
  return static_cast<std::int64_t>(std::min(std::max(1.0, count), kMost));
}

double published_tokens_per_month(const Article& article, double tokens_per_card_day,
                                  double cards) {
  return tokens_per_card_day * cards * article.days_per_month;
}

Decimal published_unit_cost(Decimal monthly, double tokens_per_month) {
  const Decimal thousands = decimal_from(tokens_per_month / 1000, kMoneyScale);
  return divide(monthly, thousands, kUnitCostDigits);
}

Decimal published_annual(const Article& article, Decimal monthly) {
  const Decimal year = multiply(monthly, kMonthsPerYear, 1, monthly.scale);
  return multiply(year, article.annual_paid, kMoneyScale);
}

double physical_tokens_per_day(double params_b, double dense_tflops, double mfu) {
  constexpr double kFlopsPerParameterAndToken = 6;
  constexpr double kTera = 1e12;
  return mfu * dense_tflops * kTera * kSecondsPerDay /
         (kFlopsPerParameterAndToken * params_b * kBillion);
}

PublishedAnswer answer_published(const Article& article, const PublishedQuestion& question) {
  PublishedAnswer answer;
  if (article.empty()) return answer;
  answer.known = true;
  answer.full_training_only =
      question.kind == TrainingKind::lora || question.kind == TrainingKind::qlora;
  const auto lacks = [&](const char* field, const char* reason) {
    answer.absent.emplace_back(field, reason);
  };

  const double params_b = question.parameters / kBillion;
  const PublishedMemory memory = published_memory(article, params_b);
  answer.memory = memory;
  answer.memory_known = question.memory_gb > 0;
  if (answer.memory_known) {
    answer.have_gb = question.memory_gb * static_cast<double>(question.count);
    answer.fits = memory.reduced_gb <= answer.have_gb;
    answer.fits_unreduced = memory.states_gb <= answer.have_gb;
    answer.fits_with_activations = memory.reduced_high_gb <= answer.have_gb;
    answer.gpu_count = published_gpu_count(memory.reduced_gb, question.memory_gb);
    answer.gpu_count_unreduced = published_gpu_count(memory.states_gb, question.memory_gb);
  } else {
    lacks("fits", "gpu_memory_not_known");
  }

  const ArticleGpu* row = article.row_for(question.gpu, answer.gpu_borrowed);
  const ArticleSpeed* stated = nullptr;
  if (row != nullptr) {
    answer.gpu_row = row->id;
    answer.communication = {question.count > 1 ? row->communication : 0,
                            article.communication_cards,
                            question.count == article.communication_cards};
    answer.least_cards = row->least_cards;
    answer.most_cards = row->most_cards;
    answer.within_cards = within(question.count, row->least_cards, row->most_cards);
    for (const ArticleDays& days : article.days) {
      if (!answer.gpu_borrowed && days.gpu == row->id && days.cards == question.count &&
          in_band(article, {days.params_b, days.params_b}, params_b)) {
        answer.stated_days = days.days;
      }
    }
    bool exact = false;
    stated = stated_speed(article, *row, params_b, exact);
    if (stated != nullptr) {
      answer.speed = speed_of_job(article, *stated, question);
      answer.speed->exact_size = exact;
    }
  } else {
    answer.gpu_borrowed = false;
    lacks("communication", "gpu_not_in_article");
  }
  if (!answer.speed) lacks("speed", "gpu_not_in_article");
  if (!answer.stated_days) lacks("stated_days", "not_stated_for_this_job");
  const PublishedSpeed* speed = answer.speed ? &*answer.speed : nullptr;

  answer.months = question.months;
  if (!answer.months && speed != nullptr && speed->run_days) {
    answer.months = *speed->run_days / article.days_per_month;
  }
  if (answer.months) {
    const ArticleBilling* billing = billing_for(article, *answer.months);
    if (billing != nullptr) answer.billing = billing->way;
  } else {
    lacks("billing", "no_duration");
  }

  if (question.monthly) {
    answer.money = price_job(article, question, speed);
    if (speed == nullptr) lacks("unit_cost_per_1k", "no_stated_speed");
    if (answer.months) bill_run(question, answer.billing, *answer.months, speed, *answer.money);
  } else {
    lacks("monthly", "no_monthly_price");
  }
  const bool priced_in_yuan = question.monthly && question.monthly->currency == kCny;
  if (row != nullptr && row->id == article.ownership.gpu && priced_in_yuan) {
    answer.ownership = own_or_rent(article, question);
  } else {
    lacks("ownership", priced_in_yuan ? "no_purchase_price" : "no_monthly_price_in_yuan");
  }

  bool exact_size = false;
  if (const ArticleStorage* storage = storage_band(article, params_b, exact_size)) {
    answer.storage.terabytes = storage->terabytes;
    answer.storage.exact_size = exact_size;
  }
  answer.storage.drive_gb_s = article.drive_gb_s;
  answer.storage.drive_latency_us = article.drive_latency_us;
  answer.storage.free_tb = article.free_storage_tb;
  if (in_band(article, {article.fast_storage_from_b, 0}, params_b)) {
    answer.storage.file_system_gb_s = article.fast_storage_gb_s;
  }

  recommend(article, question, params_b, answer);
  find_profile(article, question, params_b, answer);
  if (answer.profile.empty()) lacks("profile", "no_profile_for_size_and_budget");
  if (const ArticlePlan* plan = article.plan_of_offer(question.offer)) answer.plan = plan->id;
  answer.delivery_hours =
      question.count > 1 ? article.delivery_cluster_hours : article.delivery_single_hours;
  answer.own_build_low_days = article.own_build_low_days;
  answer.own_build_high_days = article.own_build_high_days;
  answer.interruption_rate = article.interruption_rate;
  answer.fluctuation = article.fluctuation;
  answer.availability = article.availability;

  answer.statements =
      relevant_statements(article, {params_b, question.gpu, question.offer, question.count});
  return answer;
}

}  // namespace traintally
