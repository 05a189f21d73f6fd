#include <algorithm>
#include <cmath>
#include <utility>

#include <traintally/published.hpp>

#include "statement_check.hpp"

namespace traintally {
namespace {

struct NamedRule {
  std::string_view name;
  StatementRule rule;
};

constexpr NamedRule kRules[] = {
    {"vram_rule", statement_rules::vram_rule},
    {"vram_with_activations", statement_rules::vram_with_activations},
    {"vram_reduced", statement_rules::vram_reduced},
    {"fits", statement_rules::fits},
    {"days_fit", statement_rules::days_fit},
    {"capacity", statement_rules::capacity},
    {"memory_use", statement_rules::memory_use},
    {"accounts_of_fit", statement_rules::accounts_of_fit},
    {"bytes_sum", statement_rules::bytes_sum},
    {"adam_bytes_sum", statement_rules::adam_bytes_sum},
    {"own_total", statement_rules::own_total},
    {"operation_sum", statement_rules::operation_sum},
    {"depreciation", statement_rules::depreciation},
    {"purchase", statement_rules::purchase},
    {"rent_total", statement_rules::rent_total},
    {"rent_of_plan", statement_rules::rent_of_plan},
    {"saving", statement_rules::saving},
    {"monthly_prices", statement_rules::monthly_prices},
    {"card_prices", statement_rules::card_prices},
    {"annual_price", statement_rules::annual_price},
    {"annual_prices", statement_rules::annual_prices},
    {"discount_words", statement_rules::discount_words},
    {"cheaper_than", statement_rules::cheaper_than},
    {"cheaper_range", statement_rules::cheaper_range},
    {"unit_cost", statement_rules::unit_cost},
    {"hourly_total", statement_rules::hourly_total},
    {"breakeven_hours", statement_rules::breakeven_hours},
    {"saving_against_time", statement_rules::saving_against_time},
    {"long_term", statement_rules::long_term},
    {"tokens_per_month", statement_rules::tokens_per_month},
    {"tokens_per_day", statement_rules::tokens_per_day},
    {"tokens_per_card_day", statement_rules::tokens_per_card_day},
    {"days_physics", statement_rules::days_physics},
    {"training_peak", statement_rules::training_peak},
    {"link_conventions", statement_rules::link_conventions},
    {"transfer_time", statement_rules::transfer_time},
    {"dataset_size", statement_rules::dataset_size},
    {"communication_order", statement_rules::communication_order},
    {"cluster_sizes", statement_rules::cluster_sizes},
    {"storage_bands", statement_rules::storage_bands},
    {"billing_bands", statement_rules::billing_bands},
    {"config_bands", statement_rules::config_bands},
    {"profile_plans", statement_rules::profile_plans},
    {"fee_bands", statement_rules::fee_bands},
    {"product_listed", statement_rules::product_listed},
    {"stability_order", statement_rules::stability_order},
    {"delivery_times", statement_rules::delivery_times},
    {"size_range", statement_rules::size_range},
    {"reserve_per_user", statement_rules::reserve_per_user},
    {"fee_claims", statement_rules::fee_claims},
    {"included_storage", statement_rules::included_storage},
    {"saving_claims", statement_rules::saving_claims},
};

constexpr Verdict kGravestFirst[] = {Verdict::implausible, Verdict::infeasible, Verdict::conflict,
                                     Verdict::slip, Verdict::holds};

bool concerns(const Article& article, const Statement& statement, const StatementFacts& facts,
              const ArticlePlan* plan, const ArticleGpu* row) {
  const auto names = [](const std::vector<std::string_view>& list, std::string_view id) {
    return std::find(list.begin(), list.end(), id) != list.end();
  };
  if (plan != nullptr && names(statement.plans, plan->id)) return true;
  if (statement.gpus.empty() && !statement.band) return false;
  const bool gpu = statement.gpus.empty() || (row != nullptr && names(statement.gpus, row->id));
  const bool size = !statement.band || in_band(article, *statement.band, facts.params_b);
  return gpu && size;
}

}  // namespace

StatementCheck::StatementCheck(const Article& article_in, const Statement& statement_in)
    : article(article_in), statement(statement_in) {
  result_.statement = &statement;
}

const std::vector<double>& StatementCheck::list(const char* name) {
  for (const NamedNumbers& input : statement.inputs) {
    if (input.name == name && !input.numbers.empty()) return input.numbers;
  }
  need(false);
  return nothing_.numbers;
}

double StatementCheck::input(const char* name) { return list(name).front(); }

double StatementCheck::stated(std::size_t index) {
  need(index < statement.stated.size());
  return index < statement.stated.size() ? statement.stated[index] : 0;
}

const ArticleGpu& StatementCheck::gpu(std::size_t index) {
  const ArticleGpu* row =
      index < statement.gpus.size() ? article.find_gpu(statement.gpus[index]) : nullptr;
  need(row != nullptr);
  return row != nullptr ? *row : no_gpu_;
}

const ArticlePlan& StatementCheck::plan(std::size_t index) {
  const ArticlePlan* found =
      index < statement.plans.size() ? article.find_plan(statement.plans[index]) : nullptr;
  need(found != nullptr);
  return found != nullptr ? *found : no_plan_;
}

const ArticlePlan& StatementCheck::plan_on(const ArticleGpu& row) {
  for (const ArticlePlan& plan : article.plans) {
    if (plan.gpu == row.id) return plan;
  }
  need(false);
  return no_plan_;
}

Decimal StatementCheck::price(std::string_view decimal) {
  const std::optional<Decimal> price = Decimal::parse(decimal);
  need(price.has_value());
  return price.value_or(Decimal{});
}

bool StatementCheck::agrees(double stated_figure, double computed_figure) const {
  // Printed decimals are not exact doubles: never ask for more than this.
  constexpr double kExact = 1e-9;
  double tolerance = kExact * std::abs(stated_figure);
  if (statement.approximate) tolerance = article.about * std::abs(stated_figure);
  if (statement.step > 0) tolerance += statement.step / 2;
  return std::abs(stated_figure - computed_figure) <= tolerance;
}

bool StatementCheck::beyond_physics(double figure, double physical) const {
  return figure * article.implausible_ratio <= physical ||
         physical * article.implausible_ratio <= figure;
}

void StatementCheck::figure(const char* name, double value) {
  result_.figures.push_back({name, value});
}

void StatementCheck::conclude(Verdict verdict, std::string_view sentence) {
  result_.verdict = verdict;
  result_.sentence_code = statement.rule;
  result_.sentence_code += '_';
  result_.sentence_code += sentence.empty() ? verdict_name(verdict) : sentence;
}

StatementResult StatementCheck::take() {
  bool sound = !missing_ && std::isfinite(result_.stated.value_or(0)) &&
               std::isfinite(result_.computed.value_or(0));
  for (const auto& [name, value] : result_.figures) sound = sound && std::isfinite(value);
  if (!sound) {
    StatementResult unchecked;
    unchecked.statement = &statement;
    return unchecked;
  }
  return std::move(result_);
}

StatementRule find_statement_rule(std::string_view name) {
  for (const NamedRule& entry : kRules) {
    if (entry.name == name) return entry.rule;
  }
  return nullptr;
}

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::slip:
      return "slip";
    case Verdict::conflict:
      return "conflict";
    case Verdict::infeasible:
      return "infeasible";
    case Verdict::implausible:
      return "implausible";
    case Verdict::unchecked:
      break;
  }
  return "unchecked";
}

const double* StatementResult::figure(std::string_view name) const {
  for (const auto& [key, value] : figures) {
    if (key == name) return &value;
  }
  return nullptr;
}

StatementResult check_statement(const Article& article, const Statement& statement) {
  StatementCheck check(article, statement);
  const StatementRule rule = find_statement_rule(statement.rule);
  check.need(rule != nullptr);
  if (rule != nullptr) rule(check);
  return check.take();
}

std::vector<StatementResult> check_statements(const Article& article) {
  std::vector<StatementResult> results;
  results.reserve(article.statements.size());
  for (const Statement& statement : article.statements) {
    results.push_back(check_statement(article, statement));
  }
  return results;
}

std::vector<StatementResult> relevant_statements(const Article& article,
                                                 const StatementFacts& facts) {
  bool borrowed = false;
  const ArticleGpu* row = article.row_for(facts.gpu, borrowed);
  if (borrowed) row = nullptr;
  const ArticlePlan* plan = article.plan_of_offer(facts.offer);
  std::vector<StatementResult> checked;
  for (const Statement& statement : article.statements) {
    if (!concerns(article, statement, facts, plan, row)) continue;
    checked.push_back(check_statement(article, statement));
  }
  std::vector<StatementResult> results;
  results.reserve(checked.size());
  for (const Verdict verdict : kGravestFirst) {
    for (StatementResult& result : checked) {
      if (result.verdict == verdict) results.push_back(std::move(result));
    }
  }
  return results;
}

}  // namespace traintally
