// Statements about prices, bills and savings, recomputed in exact decimals.

#include <algorithm>

#include "statement_check.hpp"

namespace traintally::statement_rules {
namespace {

constexpr double kHoursPerDay = 24;
constexpr std::int64_t kMonthsPerYear = 12;
constexpr double kPercent = 100;

Decimal operator*(Decimal a, Decimal b) { return multiply(a, b, kMoneyScale); }

// A stated amount against the computed one.
void compare_amount(StatementCheck& check, Decimal computed, Verdict otherwise) {
  check.stated_is(check.stated());
  check.computed_is(computed.approximate());
  check.figure("stated", check.stated());
  check.figure("computed", computed.approximate());
  check.conclude(check.agrees(check.stated(), computed.approximate()), otherwise);
}

bool all_equal(const std::vector<double>& figures) {
  return std::all_of(figures.begin(), figures.end(),
                     [&](double figure) { return figure == figures.front(); });
}

double share_below(Decimal ours, Decimal average) {
  return 1 - ours.approximate() / average.approximate();
}

}  // namespace

// Owning: purchase, operation and refresh of the years.
void own_total(StatementCheck& check) {
  const Decimal yearly = check.money("operation_per_year") + check.money("refresh_per_year");
  check.figure("years", check.input("years"));
  compare_amount(check, check.money("capex") + yearly * check.money("years"), Verdict::slip);
}

void operation_sum(StatementCheck& check) {
  Decimal total;
  for (const double part : check.list("parts")) total = total + decimal_from(part, kMoneyScale);
  compare_amount(check, total, Verdict::slip);
}

void depreciation(StatementCheck& check) {
  check.figure("rate_percent", check.input("rate") * kPercent);
  compare_amount(check, check.money("capex") * check.money("rate"), Verdict::slip);
}

void purchase(StatementCheck& check) {
  check.figure("cards", check.input("cards"));
  check.figure("per_card", check.input("per_card"));
  compare_amount(check, check.money("per_card") * check.money("cards"), Verdict::slip);
}

void rent_total(StatementCheck& check) {
  check.figure("monthly", check.input("monthly"));
  check.figure("months", check.input("months"));
  compare_amount(check, check.money("monthly") * check.money("months"), Verdict::slip);
}

// A total said of a smaller model is at most the plan's rent over the same months.
void rent_of_plan(StatementCheck& check) {
  const Decimal monthly = check.price(check.plan().monthly);
  const double computed = (monthly * check.money("months")).approximate();
  check.stated_is(check.stated());
  check.computed_is(computed);
  check.figure("params_b", check.input("params_b"));
  check.figure("months", check.input("months"));
  check.figure("monthly", monthly.approximate());
  check.figure("cards", static_cast<double>(check.plan().cards));
  check.figure("plan_params_b", check.plan().band.low_b);
  check.figure("stated", check.stated());
  check.figure("computed", computed);
  check.conclude(check.stated() <= computed || check.agrees(check.stated(), computed),
                 Verdict::conflict);
}

// Renting saves the difference, and its share of owning.
void saving(StatementCheck& check) {
  const Decimal difference = check.money("own") - check.money("rent");
  const double share = difference.approximate() / check.input("own");
  check.stated_is(check.stated());
  check.computed_is(share);
  check.figure("saving", difference.approximate());
  check.figure("stated_percent", check.stated() * kPercent);
  check.figure("computed_percent", share * kPercent);
  check.conclude(difference == check.money("saving") && check.agrees(check.stated(), share),
                 Verdict::slip);
}

// Prices for different numbers of the same card, brought to one number of cards, are the same.
void monthly_prices(StatementCheck& check) {
  const std::vector<double>& prices = check.list("prices");
  const std::vector<double>& cards = check.list("cards");
  check.need(prices.size() == cards.size() && prices.size() == 3);
  if (prices.size() != cards.size() || prices.size() != 3) return;
  const double count = check.input("count");
  std::vector<double> monthly;
  for (std::size_t i = 0; i < prices.size(); ++i) {
    monthly.push_back(prices[i] * count / cards[i]);
  }
  const auto [least, most] = std::minmax_element(monthly.begin(), monthly.end());
  check.computed_is(*most / *least);
  check.figure("count", count);
  check.figure("first", monthly[0]);
  check.figure("second", monthly[1]);
  check.figure("third", monthly[2]);
  check.figure("ratio", *most / *least);
  check.conclude(all_equal(monthly), Verdict::conflict);
}

// One card has one monthly and one hourly price.
void card_prices(StatementCheck& check) {
  const std::vector<double>& monthly = check.list("monthly");
  const std::vector<double>& hourly = check.list("hourly");
  check.figure("monthly_low", *std::min_element(monthly.begin(), monthly.end()));
  check.figure("monthly_high", *std::max_element(monthly.begin(), monthly.end()));
  check.figure("hourly_low", *std::min_element(hourly.begin(), hourly.end()));
  check.figure("hourly_high", *std::max_element(hourly.begin(), hourly.end()));
  check.conclude(all_equal(monthly) && all_equal(hourly), Verdict::conflict);
}

// A year is twelve months at the share that is paid.
void annual_price(StatementCheck& check) {
  const Decimal monthly = check.money("monthly");
  const Decimal year = multiply(monthly, kMonthsPerYear, 1, kMoneyScale);
  check.figure("monthly", monthly.approximate());
  check.figure("paid_percent", check.article.annual_paid.approximate() * kPercent);
  check.figure("stated_percent", check.stated() / year.approximate() * kPercent);
  compare_amount(check, published_annual(check.article, monthly), Verdict::slip);
}

// Two stated prices for a year of the same plan are the same, and the one that the share gives.
void annual_prices(StatementCheck& check) {
  const Decimal monthly = check.money("monthly");
  const double computed = published_annual(check.article, monthly).approximate();
  const Decimal year = multiply(monthly, kMonthsPerYear, 1, kMoneyScale);
  const double also = check.input("also");
  check.stated_is(check.stated());
  check.computed_is(computed);
  check.figure("stated", check.stated());
  check.figure("also", also);
  check.figure("computed", computed);
  check.figure("stated_percent", check.stated() / year.approximate() * kPercent);
  check.figure("also_percent", also / year.approximate() * kPercent);
  check.figure("paid_percent", check.article.annual_paid.approximate() * kPercent);
  check.conclude(check.agrees(check.stated(), also) && check.agrees(check.stated(), computed),
                 Verdict::conflict);
}

// What is paid by each wording of one discount: "6.5 zhe" and "65 zhe" pay 65%; "a discount of 65%"
// takes 65% off.
void discount_words(StatementCheck& check) {
  std::vector<double> paid;
  for (const double zhe : check.list("zhe")) {
    paid.push_back(zhe <= 10 ? zhe / 10 : zhe / kPercent);  // tenths, or hundredths
  }
  const double zhe_paid = paid.front();
  for (const double discount : check.list("discount")) paid.push_back(1 - discount);
  check.figure("zhe", check.input("zhe"));
  check.figure("paid_percent", zhe_paid * kPercent);
  check.figure("off_percent", kPercent - zhe_paid * kPercent);
  check.figure("discount_percent", check.input("discount") * kPercent);
  check.figure("discount_paid_percent", paid.back() * kPercent);
  check.conclude(all_equal(paid), Verdict::conflict);
}

// Cheaper than the average by the stated share.
void cheaper_than(StatementCheck& check) {
  const double share = share_below(check.money("ours"), check.money("average"));
  check.stated_is(check.stated());
  check.computed_is(share);
  check.figure("ours", check.input("ours"));
  check.figure("average", check.input("average"));
  check.figure("stated_percent", check.stated() * kPercent);
  check.figure("computed_percent", share * kPercent);
  check.conclude(check.agrees(check.stated(), share), Verdict::slip);
}

// Every plan is cheaper than the average by a share within the stated range.
void cheaper_range(StatementCheck& check) {
  const std::vector<double>& ours = check.list("ours");
  const std::vector<double>& average = check.list("average");
  check.need(ours.size() == average.size());
  if (ours.size() != average.size()) return;
  const double low = check.stated(0);
  const double high = check.stated(1);
  double least = 1;
  double most = 0;
  bool inside = true;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const double share =
        share_below(decimal_from(ours[i], kMoneyScale), decimal_from(average[i], kMoneyScale));
    least = std::min(least, share);
    most = std::max(most, share);
    inside = inside && (check.agrees(low, share) || check.agrees(high, share) ||
                        (share >= low && share <= high));
  }
  check.stated_is(low);
  check.computed_is(least);
  check.figure("stated_low_percent", low * kPercent);
  check.figure("stated_high_percent", high * kPercent);
  check.figure("computed_low_percent", least * kPercent);
  check.figure("computed_high_percent", most * kPercent);
  check.conclude(inside, Verdict::slip);
}

// Monthly rent over monthly tokens; a stated cost that is ten times off is said to be.
void unit_cost(StatementCheck& check) {
  const double tokens = check.input("tokens_per_month");
  const Decimal monthly = check.money("monthly");
  const double computed = published_unit_cost(monthly, tokens).approximate();
  const double ratio = check.stated() / computed;
  check.stated_is(check.stated());
  check.computed_is(computed);
  check.figure("monthly", monthly.approximate());
  check.figure("tokens_per_month", tokens);
  check.figure("stated", check.stated());
  check.figure("computed", computed);
  if (check.agrees(check.stated(), computed)) {
    check.conclude(Verdict::holds);
  } else {
    const bool misplaced_point =
        check.agrees(check.stated(), computed * 10) || check.agrees(check.stated(), computed / 10);
    if (misplaced_point) check.figure("ratio", ratio > 1 ? ratio : 1 / ratio);
    check.conclude(Verdict::slip, misplaced_point ? "ten_times" : "");
  }
}

void hourly_total(StatementCheck& check) {
  check.figure("hours", check.input("hours"));
  check.figure("hourly", check.input("hourly"));
  compare_amount(check, check.money("hourly") * check.money("hours"), Verdict::slip);
}

// The hours at which the month is as cheap as the hours fit in a month of the article's days.
void breakeven_hours(StatementCheck& check) {
  const double hours = divide(check.money("monthly"), check.money("hourly"), 12).approximate();
  const double hours_per_month = check.article.days_per_month * kHoursPerDay;
  check.computed_is(hours);
  check.figure("monthly", check.input("monthly"));
  check.figure("hourly", check.input("hourly"));
  check.figure("hours", hours);
  check.figure("hours_per_month", hours_per_month);
  check.conclude(hours <= hours_per_month, Verdict::conflict);
}

// At one price per day, cost falls as time does.
void saving_against_time(StatementCheck& check) {
  const double before = check.input("days_before");
  const double after = check.input("days_after");
  const double time_saving = 1 - after / before;
  const double price_ratio = (1 - check.stated()) / (after / before);
  check.stated_is(check.stated());
  check.computed_is(time_saving);
  check.figure("days_before", before);
  check.figure("days_after", after);
  check.figure("time_saving_percent", time_saving * kPercent);
  check.figure("stated_percent", check.stated() * kPercent);
  check.figure("price_ratio", price_ratio);
  check.figure("dearer_percent", (price_ratio - 1) * kPercent);
  check.conclude(check.agrees(check.stated(), time_saving), Verdict::conflict);
}

// A longer commitment is not dearer than a shorter one: a year pays no more than some months do.
void long_term(StatementCheck& check) {
  const Article& article = check.article;
  const double annual_paid = article.annual_paid.approximate();
  check.computed_is(1 - article.long_term_high);
  check.figure("months", article.long_term_months);
  check.figure("low_percent", article.long_term_low * kPercent);
  check.figure("high_percent", article.long_term_high * kPercent);
  check.figure("paid_low_percent", (1 - article.long_term_high) * kPercent);
  check.figure("paid_high_percent", (1 - article.long_term_low) * kPercent);
  check.figure("annual_percent", annual_paid * kPercent);
  check.conclude(article.long_term_low > 0 && annual_paid <= 1 - article.long_term_high,
                 Verdict::conflict);
}

}  // namespace traintally::statement_rules
