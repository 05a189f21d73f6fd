#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <traintally/published.hpp>

namespace traintally {

/// One statement while its rule checks it: reads the inputs, takes the figures, and notes when
/// something that the rule needs is not there. Not part of the public interface.
class StatementCheck {
 public:
  StatementCheck(const Article& article_in, const Statement& statement_in);

  const Article& article;
  const Statement& statement;

  // What the statement gives. A missing one reads as 0 or as an empty row, and leaves the statement
  // unchecked.
  double input(const char* name);
  Decimal money(const char* name) { return decimal_from(input(name), kMoneyScale); }
  const std::vector<double>& list(const char* name);
  double stated(std::size_t index = 0);
  const ArticleGpu& gpu(std::size_t index = 0);
  const ArticlePlan& plan(std::size_t index = 0);
  /// The first plan on cards of this row.
  const ArticlePlan& plan_on(const ArticleGpu& row);
  /// A decimal of the article's tables.
  Decimal price(std::string_view decimal);
  void need(bool there) { missing_ = missing_ || !there; }

  /// Whether a stated figure is what was computed, to the digits that it is printed with.
  bool agrees(double stated_figure, double computed_figure) const;
  /// Whether two figures differ so far that physics rules one of them out.
  bool beyond_physics(double figure, double physical) const;

  // What the rule finds.
  void figure(const char* name, double value);
  void stated_is(double value) { result_.stated = value; }
  void computed_is(double value) { result_.computed = value; }
  /// The verdict; the sentence is the rule's name and `sentence`, or the verdict's name.
  void conclude(Verdict verdict, std::string_view sentence = {});
  void conclude(bool holds, Verdict otherwise) { conclude(holds ? Verdict::holds : otherwise); }

  /// The result; unchecked where something was missing or a figure is not finite.
  StatementResult take();

 private:
  bool missing_ = false;
  const NamedNumbers nothing_{"", {0}};
  const ArticleGpu no_gpu_;
  const ArticlePlan no_plan_;
  StatementResult result_;
};

using StatementRule = void (*)(StatementCheck& check);

/// The rule of that name, or null.
StatementRule find_statement_rule(std::string_view name);

// The rules, by what they are about.
namespace statement_rules {
// Memory: statement_rules_memory.cpp
void vram_rule(StatementCheck& check);
void vram_with_activations(StatementCheck& check);
void vram_reduced(StatementCheck& check);
void fits(StatementCheck& check);
void days_fit(StatementCheck& check);
void capacity(StatementCheck& check);
void memory_use(StatementCheck& check);
void accounts_of_fit(StatementCheck& check);
void bytes_sum(StatementCheck& check);
void adam_bytes_sum(StatementCheck& check);
// Money: statement_rules_money.cpp
void own_total(StatementCheck& check);
void operation_sum(StatementCheck& check);
void depreciation(StatementCheck& check);
void purchase(StatementCheck& check);
void rent_total(StatementCheck& check);
void rent_of_plan(StatementCheck& check);
void saving(StatementCheck& check);
void monthly_prices(StatementCheck& check);
void card_prices(StatementCheck& check);
void annual_price(StatementCheck& check);
void annual_prices(StatementCheck& check);
void discount_words(StatementCheck& check);
void cheaper_than(StatementCheck& check);
void cheaper_range(StatementCheck& check);
void unit_cost(StatementCheck& check);
void hourly_total(StatementCheck& check);
void breakeven_hours(StatementCheck& check);
void saving_against_time(StatementCheck& check);
void long_term(StatementCheck& check);
// Speed and hardware: statement_rules_speed.cpp
void tokens_per_month(StatementCheck& check);
void tokens_per_day(StatementCheck& check);
void tokens_per_card_day(StatementCheck& check);
void days_physics(StatementCheck& check);
void training_peak(StatementCheck& check);
void link_conventions(StatementCheck& check);
void transfer_time(StatementCheck& check);
void dataset_size(StatementCheck& check);
// Tables and claims: statement_rules_claims.cpp
void communication_order(StatementCheck& check);
void cluster_sizes(StatementCheck& check);
void storage_bands(StatementCheck& check);
void billing_bands(StatementCheck& check);
void config_bands(StatementCheck& check);
void profile_plans(StatementCheck& check);
void fee_bands(StatementCheck& check);
void product_listed(StatementCheck& check);
void stability_order(StatementCheck& check);
void delivery_times(StatementCheck& check);
void size_range(StatementCheck& check);
void reserve_per_user(StatementCheck& check);
void fee_claims(StatementCheck& check);
void included_storage(StatementCheck& check);
void saving_claims(StatementCheck& check);
}  // namespace statement_rules

}  // namespace traintally
