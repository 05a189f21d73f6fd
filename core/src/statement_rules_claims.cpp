// Tables that must be in order, and claims that must agree with each other.

#include <algorithm>

#include "statement_check.hpp"

namespace traintally::statement_rules {
namespace {

constexpr double kPercent = 100;

// Bands that follow one another without overlapping.
bool rising(const SizeBand& lower, const SizeBand& upper) {
  return lower.high_b > 0 && lower.high_b <= upper.low_b;
}

bool outside(double count, std::int64_t least, std::int64_t most) {
  return count < static_cast<double>(least) || (most > 0 && count > static_cast<double>(most));
}

bool shares_gpu(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
  return std::any_of(a.begin(), a.end(), [&](std::string_view id) {
    return std::find(b.begin(), b.end(), id) != b.end();
  });
}

// Figures that name the same thing are the same.
bool all_agree(StatementCheck& check) {
  bool same = true;
  for (std::size_t i = 1; i < check.statement.stated.size(); ++i) {
    same = same && check.agrees(check.stated(0), check.stated(i));
  }
  return same;
}

}  // namespace

// The faster a link, the smaller the share of time that communication takes.
void communication_order(StatementCheck& check) {
  bool ordered = true;
  for (std::size_t i = 0; i < check.statement.gpus.size(); ++i) {
    const ArticleGpu& row = check.gpu(i);
    ordered = ordered && row.communication > 0 && row.communication < 1;
    if (i == 0) continue;
    const ArticleGpu& before = check.gpu(i - 1);
    ordered =
        ordered && (row.link_gb_s > before.link_gb_s) == (row.communication < before.communication);
  }
  const std::size_t last = check.statement.gpus.size() - 1;
  check.figure("cards", static_cast<double>(check.article.communication_cards));
  check.figure("slow_gb_s", check.gpu(0).link_gb_s);
  check.figure("slow_percent", check.gpu(0).communication * kPercent);
  check.figure("fast_gb_s", check.gpu(last).link_gb_s);
  check.figure("fast_percent", check.gpu(last).communication * kPercent);
  check.conclude(ordered, Verdict::conflict);
}

// Plans, the communication table and article A's recommendations keep to the cluster sizes in which
// each card is offered.
void cluster_sizes(StatementCheck& check) {
  double broken = 0;
  const auto cards = static_cast<double>(check.article.communication_cards);
  for (std::size_t i = 0; i < check.statement.gpus.size(); ++i) {
    const ArticleGpu& row = check.gpu(i);
    const auto plan_cards = static_cast<double>(check.plan_on(row).cards);
    if (outside(plan_cards, row.least_cards, row.most_cards)) ++broken;
    if (row.most_cards > 0 && cards > static_cast<double>(row.most_cards)) ++broken;
    for (const ArticleConfig& config : check.article.configs) {
      if (!shares_gpu(config.gpus, row.gpus)) continue;
      const std::int64_t largest = std::max(config.least_cards, config.most_cards);  // 0: open
      if (outside(static_cast<double>(largest), row.least_cards, row.most_cards)) ++broken;
    }
  }
  check.need(check.statement.gpus.size() == 3);
  check.computed_is(broken);
  check.figure("first_most", static_cast<double>(check.gpu(0).most_cards));
  check.figure("table_cards", cards);
  check.figure("second_least", static_cast<double>(check.gpu(1).least_cards));
  check.figure("second_most", static_cast<double>(check.gpu(1).most_cards));
  check.figure("second_plan", static_cast<double>(check.plan_on(check.gpu(1)).cards));
  check.figure("third_least", static_cast<double>(check.gpu(2).least_cards));
  check.figure("third_most", static_cast<double>(check.gpu(2).most_cards));
  check.figure("third_plan", static_cast<double>(check.plan_on(check.gpu(2)).cards));
  check.figure("broken", broken);
  check.conclude(broken == 0, Verdict::conflict);
}

// Larger models get more storage, and each band holds its largest model's training state.
void storage_bands(StatementCheck& check) {
  constexpr double kGBPerTB = 1000;
  const std::vector<ArticleStorage>& rows = check.article.storage;
  check.need(rows.size() == 3);
  if (rows.size() != 3) return;
  bool sound = true;
  double fewest_states = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const SizeBand& band = rows[i].band;
    const double largest_b = band.high_b > 0 ? band.high_b : band.low_b;
    const double states =
        rows[i].terabytes * kGBPerTB / published_memory(check.article, largest_b).states_gb;
    fewest_states = i == 0 ? states : std::min(fewest_states, states);
    if (i > 0) {
      sound = sound && rising(rows[i - 1].band, band) && rows[i].terabytes > rows[i - 1].terabytes;
    }
  }
  check.computed_is(fewest_states);
  check.figure("first_tb", rows[0].terabytes);
  check.figure("second_tb", rows[1].terabytes);
  check.figure("third_tb", rows[2].terabytes);
  check.figure("states", fewest_states);
  check.conclude(sound && fewest_states >= 1, Verdict::conflict);
}

// The durations follow one another without a gap; and where the prices set the first bound.
void billing_bands(StatementCheck& check) {
  constexpr double kHoursPerDay = 24;
  const std::vector<ArticleBilling>& rows = check.article.billing;
  check.need(rows.size() == 3);
  if (rows.size() != 3) return;
  bool contiguous = rows.front().low_months == 0 && rows.back().high_months == 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    contiguous = contiguous && rows[i].low_months == rows[i - 1].high_months;
  }
  const double breakeven_days =
      divide(check.money("monthly"), check.money("hourly"), 12).approximate() / kHoursPerDay;
  check.computed_is(breakeven_days);
  check.figure("first_months", rows[0].high_months);
  check.figure("second_months", rows[1].high_months);
  check.figure("monthly", check.input("monthly"));
  check.figure("hourly", check.input("hourly"));
  check.figure("breakeven_days", breakeven_days);
  check.conclude(contiguous, Verdict::conflict);
}

// Each recommended cluster holds its band's largest model, by article B's rule and reduction; and
// how the recommendation compares with article B's plan for the same size.
void config_bands(StatementCheck& check) {
  bool all_hold = !check.article.configs.empty();
  double least_spare = 0;
  double recommended = 0;
  double sold = 0;
  for (const ArticleConfig& config : check.article.configs) {
    const double largest_b = config.band.high_b > 0 ? config.band.high_b : config.band.low_b;
    const double have_gb = config.memory_gb * static_cast<double>(config.least_cards);
    const double spare = have_gb / published_memory(check.article, largest_b).reduced_gb;
    least_spare = least_spare == 0 ? spare : std::min(least_spare, spare);
    all_hold = all_hold && spare >= 1;
    for (const ArticlePlan& plan : check.article.plans) {
      if (plan.band.high_b == 0 || plan.band.high_b != config.band.high_b) continue;
      recommended = static_cast<double>(config.least_cards);
      sold = static_cast<double>(plan.cards);
    }
  }
  check.computed_is(least_spare);
  check.figure("spare", least_spare);
  check.figure("recommended_cards", recommended);
  check.figure("plan_cards", sold);
  check.conclude(all_hold, Verdict::infeasible);
}

// The plan that each kind of user is sent to costs what that user has, and is for those sizes.
void profile_plans(StatementCheck& check) {
  const std::vector<ArticleProfile>& rows = check.article.profiles;
  check.need(rows.size() == 3);
  if (rows.size() != 3) return;
  const char* const names[] = {"first", "second", "third"};
  bool affordable = true;
  for (std::size_t i = 0; i < 3; ++i) {
    const ArticlePlan* plan = check.article.find_plan(rows[i].plan);
    check.need(plan != nullptr);
    if (plan == nullptr) return;
    const double monthly = check.price(plan->monthly).approximate();
    const bool in_budget = monthly >= rows[i].low_budget &&
                           (rows[i].high_budget == 0 || monthly <= rows[i].high_budget);
    const bool same_sizes =
        plan->band.low_b == rows[i].band.low_b && plan->band.high_b == rows[i].band.high_b;
    affordable = affordable && in_budget && same_sizes;
    check.figure(names[i], monthly);
  }
  check.figure("first_budget", rows[0].high_budget);
  check.figure("second_low_budget", rows[1].low_budget);
  check.figure("second_high_budget", rows[1].high_budget);
  check.figure("third_budget", rows[2].low_budget);
  check.conclude(affordable, Verdict::conflict);
}

// As many kinds of hidden fee as are announced, and shares that rise as sellers get worse.
void fee_bands(StatementCheck& check) {
  const std::vector<ArticleFees>& rows = check.article.fees;
  check.need(rows.size() == 3);
  if (rows.size() != 3) return;
  const auto kinds = static_cast<double>(check.article.fee_categories.size());
  // Listed from the worst seller to the best.
  const bool ordered = rows[0].low >= rows[1].high && rows[1].high >= rows[2].high;
  check.stated_is(check.stated());
  check.computed_is(kinds);
  check.figure("kinds", kinds);
  check.figure("small_low_percent", rows[0].low * kPercent);
  check.figure("small_high_percent", rows[0].high * kPercent);
  check.figure("regular_percent", rows[1].high * kPercent);
  check.figure("provider_percent", rows[2].high * kPercent);
  check.conclude(ordered && check.agrees(check.stated(), kinds), Verdict::conflict);
}

// A product that is offered is one that a vendor lists.
void product_listed(StatementCheck& check) {
  const double vendors = check.input("vendors_listing");
  check.computed_is(vendors);
  check.figure("memory_gb", check.input("memory_gb"));
  check.figure("fp8_eflops", check.input("fp8_eflops"));
  check.figure("vendors", vendors);
  check.conclude(vendors >= 1, Verdict::conflict);
}

// The provider's stability is better than that of the small platforms it is set against, and meets
// the article's own advice.
void stability_order(StatementCheck& check) {
  const Article& article = check.article;
  const double hours_down = (1 - article.availability) * article.days_per_month * 24;
  check.computed_is(hours_down);
  check.figure("interruption_percent", article.interruption_rate * kPercent);
  check.figure("small_interruption_percent", check.input("small_interruption_rate") * kPercent);
  check.figure("fluctuation_percent", article.fluctuation * kPercent);
  check.figure("availability_percent", article.availability * kPercent);
  check.figure("hours_down", hours_down);
  check.conclude(article.interruption_rate < check.input("small_interruption_rate") &&
                     article.fluctuation < check.input("small_fluctuation") &&
                     article.availability >= check.input("advised_availability"),
                 Verdict::conflict);
}

// "At most" so many hours for a cluster is not less than "at the soonest" for one of them; and both
// articles give one range for building one's own.
void delivery_times(StatementCheck& check) {
  const Article& article = check.article;
  const std::vector<double>& own = check.list("own_build_days");
  const double soonest = check.input("large_cluster_soonest_hours");
  check.computed_is(soonest);
  check.stated_is(article.delivery_cluster_hours);
  check.figure("at_most_hours", article.delivery_cluster_hours);
  check.figure("soonest_hours", soonest);
  check.figure("own_low_days", article.own_build_low_days);
  check.figure("own_high_days", article.own_build_high_days);
  check.figure("other_low_days", own.front());
  check.figure("other_high_days", own.back());
  check.conclude(soonest <= article.delivery_cluster_hours &&
                     own.front() == article.own_build_low_days &&
                     own.back() == article.own_build_high_days,
                 Verdict::conflict);
}

// The largest model that is said to fit is one size.
void size_range(StatementCheck& check) {
  check.stated_is(check.stated(0));
  check.computed_is(check.stated(1));
  check.figure("first_b", check.stated(0));
  check.figure("second_b", check.stated(1));
  check.conclude(all_agree(check), Verdict::conflict);
}

// Users who train at the same time have a device each, at the least.
void reserve_per_user(StatementCheck& check) {
  const double ratio = check.input("devices") / check.input("users");
  check.computed_is(ratio);
  check.figure("devices", check.input("devices"));
  check.figure("users", check.input("users"));
  check.figure("users_per_device", 1 / ratio);
  check.conclude(ratio >= 1, Verdict::implausible);
}

// "None", "below so much" and "within so much" are one share.
void fee_claims(StatementCheck& check) {
  check.stated_is(check.stated(0));
  check.computed_is(check.stated(2));
  check.figure("none_percent", check.stated(0) * kPercent);
  check.figure("below_percent", check.stated(1) * kPercent);
  check.figure("within_percent", check.stated(2) * kPercent);
  check.conclude(all_agree(check), Verdict::conflict);
}

// The storage that comes free is what the plans include.
void included_storage(StatementCheck& check) {
  double most = 0;
  bool same = true;
  for (const ArticlePlan& plan : check.article.plans) {
    most = std::max(most, plan.storage_tb);
    same = same && check.agrees(check.article.free_storage_tb, plan.storage_tb);
  }
  check.stated_is(check.article.free_storage_tb);
  check.computed_is(most);
  check.figure("free_tb", check.article.free_storage_tb);
  check.figure("most_tb", most);
  check.conclude(same, Verdict::conflict);
}

// The saving that renting is said to bring is one share.
void saving_claims(StatementCheck& check) {
  check.stated_is(check.stated(0));
  check.computed_is(check.stated(1));
  check.figure("first_percent", check.stated(0) * kPercent);
  check.figure("second_percent", check.stated(1) * kPercent);
  check.conclude(all_agree(check), Verdict::conflict);
}

}  // namespace traintally::statement_rules
