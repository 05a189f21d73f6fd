// Statements about tokens, times and rates, held against each other and against physics.

#include <algorithm>
#include <cmath>

#include "statement_check.hpp"

namespace traintally::statement_rules {
namespace {

constexpr double kBitsPerByte = 8;
constexpr double kSecondsPerDay = 86400;
constexpr double kTera = 1e12;
constexpr double kMega = 1e6;
constexpr double kPercent = 100;

double physical(const StatementCheck& check, double params_b, const ArticleGpu& row) {
  return physical_tokens_per_day(params_b, row.dense_tflops, check.article.mfu_for_physics);
}

double times_apart(double a, double b) { return a > b ? a / b : b / a; }

}  // namespace

// The month's tokens are those of a card and day, times cards and days.
void tokens_per_month(StatementCheck& check) {
  const double rate = check.input("tokens_per_card_day");
  const double cards = check.input("cards");
  const double computed = published_tokens_per_month(check.article, rate, cards);
  check.stated_is(check.stated());
  check.computed_is(computed);
  check.figure("tokens_per_card_day", rate);
  check.figure("cards", cards);
  check.figure("days", check.article.days_per_month);
  check.figure("stated", check.stated());
  check.figure("computed", computed);
  check.figure("stated_per_card_day", check.stated() / (cards * check.article.days_per_month));
  check.conclude(check.agrees(check.stated(), computed), Verdict::conflict);
}

// A card's tokens per day against what it can compute.
void tokens_per_day(StatementCheck& check) {
  const double params_b = check.input("params_b");
  const double computed = physical(check, params_b, check.gpu());
  check.stated_is(check.stated());
  check.computed_is(computed);
  check.figure("params_b", params_b);
  check.figure("stated", check.stated());
  check.figure("computed", computed);
  check.figure("mfu_percent", check.article.mfu_for_physics * kPercent);
  check.figure("tflops", check.gpu().dense_tflops);
  check.figure("ratio", times_apart(computed, check.stated()));
  check.conclude(!check.beyond_physics(check.stated(), computed), Verdict::implausible);
}

// The tokens per card and day that a stated month implies, against what the card can compute.
void tokens_per_card_day(StatementCheck& check) {
  const double params_b = check.input("params_b");
  const double cards = check.input("cards");
  const double computed = check.input("tokens_per_month") / (cards * check.article.days_per_month);
  const double limit = physical(check, params_b, check.gpu());
  check.computed_is(computed);
  check.figure("params_b", params_b);
  check.figure("cards", cards);
  check.figure("tokens_per_month", check.input("tokens_per_month"));
  check.figure("computed", computed);
  check.figure("physical", limit);
  check.figure("mfu_percent", check.article.mfu_for_physics * kPercent);
  check.figure("ratio", times_apart(limit, computed));
  check.conclude(!check.beyond_physics(computed, limit), Verdict::implausible);
}

// The tokens that the stated days and speeds make, against what the cards can compute in them.
void days_physics(StatementCheck& check) {
  const double params_b = check.input("params_b");
  double least_said = 0;
  double most_said = 0;
  double most_possible = 0;
  bool beyond = false;
  bool any_said = false;
  for (std::size_t i = 0; i < check.statement.gpus.size(); ++i) {
    const ArticleGpu& row = check.gpu(i);
    for (const ArticleDays& days : check.article.days) {
      if (days.gpu != row.id || days.params_b != params_b || days.cards != 1) continue;
      const double possible = days.days * physical(check, params_b, row);
      most_possible = std::max(most_possible, possible);
      for (const ArticleSpeed& speed : check.article.speeds) {
        if (speed.gpu != row.id || speed.params_b != params_b) continue;
        const double said = days.days * speed.tokens_per_card_day;
        least_said = any_said ? std::min(least_said, said) : said;
        most_said = std::max(most_said, said);
        beyond = beyond || check.beyond_physics(said, possible);
        any_said = true;
      }
    }
  }
  check.need(any_said);
  check.stated_is(most_said);
  check.computed_is(most_possible);
  check.figure("params_b", params_b);
  check.figure("stated_low", least_said);
  check.figure("stated_high", most_said);
  check.figure("computed", most_possible);
  check.figure("mfu_percent", check.article.mfu_for_physics * kPercent);
  check.conclude(!beyond, Verdict::implausible);
}

// Printed rates are the dense ones that training uses.
void training_peak(StatementCheck& check) {
  constexpr double kPrintedToWholeTflops = 0.5;
  bool same = true;
  double most = 1;
  for (std::size_t i = 0; i < check.statement.gpus.size(); ++i) {
    const ArticleGpu& row = check.gpu(i);
    for (const double printed : {row.fp16_tflops, row.tensor_tflops}) {
      same = same && std::abs(printed - row.dense_tflops) <= kPrintedToWholeTflops;
      most = std::max(most, printed / row.dense_tflops);
    }
  }
  const ArticleGpu& first = check.gpu();
  check.stated_is(first.fp16_tflops);
  check.computed_is(first.dense_tflops);
  check.figure("stated", first.fp16_tflops);
  check.figure("stated_tensor", first.tensor_tflops);
  check.figure("computed", first.dense_tflops);
  check.figure("ratio", first.fp16_tflops / first.dense_tflops);
  check.figure("most_ratio", most);
  check.conclude(same, Verdict::conflict);
}

// Link rates of one table count one way, or both ways added; not some this and some that.
void link_conventions(StatementCheck& check) {
  std::size_t one_way = 0;
  std::size_t both_ways = 0;
  const std::size_t count = check.statement.gpus.size();
  for (std::size_t i = 0; i < count; ++i) {
    const double ratio = check.gpu(i).link_gb_s / check.gpu(i).link_one_way_gb_s;
    (ratio < 1.5 ? one_way : both_ways) += 1;  // half-way between the conventions
  }
  check.need(count == 3);
  check.stated_is(check.gpu(0).link_gb_s);
  check.computed_is(check.gpu(0).link_one_way_gb_s);
  const char* const printed[] = {"first", "second", "third"};
  const char* const one[] = {"first_one_way", "second_one_way", "third_one_way"};
  for (std::size_t i = 0; i < 3; ++i) {
    check.figure(printed[i], check.gpu(i).link_gb_s);
    check.figure(one[i], check.gpu(i).link_one_way_gb_s);
  }
  check.conclude(one_way == 0 || both_ways == 0, Verdict::conflict);
}

// The plan's data reach it over its own line before the stated training would be over.
void transfer_time(StatementCheck& check) {
  const ArticlePlan& plan = check.plan();
  check.need(plan.uplink_mbit_s > 0);
  const double days =
      plan.storage_tb * kTera * kBitsPerByte / (plan.uplink_mbit_s * kMega * kSecondsPerDay);
  const double params_b = check.input("params_b");
  double training_days = 0;
  for (const ArticleDays& row : check.article.days) {
    const bool same = row.gpu == plan.gpu && row.params_b == params_b && row.cards == plan.cards;
    if (same) training_days = row.days;
  }
  check.need(training_days > 0);
  check.computed_is(days);
  check.figure("terabytes", plan.storage_tb);
  check.figure("mbit_s", plan.uplink_mbit_s);
  check.figure("days", days);
  check.figure("training_days", training_days);
  check.figure("params_b", params_b);
  check.conclude(days <= training_days, Verdict::conflict);
}

// A data set's size is its tokens times their bytes.
void dataset_size(StatementCheck& check) {
  const double bytes = check.input("tokens") * check.input("bytes_per_token");
  check.stated_is(check.stated());
  check.computed_is(bytes);
  check.figure("tokens", check.input("tokens"));
  check.figure("bytes_per_token", check.input("bytes_per_token"));
  check.figure("stated_tb", check.stated() / kTera);
  check.figure("computed_tb", bytes / kTera);
  check.conclude(check.agrees(check.stated(), bytes), Verdict::slip);
}

}  // namespace traintally::statement_rules
