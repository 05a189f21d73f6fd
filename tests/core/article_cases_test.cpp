// Every statement of the two articles: computed by its rule, compared, judged, and worded.

#include <traintally/catalog_data.hpp>
#include <traintally/published.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "json.hpp"
#include "json/article_json.hpp"

namespace traintally {
namespace {

/// A file of the repository. The tests run in its root.
Json read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE_MESSAGE(file.good(), path << " is not there: run the tests in the repository's root");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  Problems problems;
  Json document = parse_document(text, problems);
  REQUIRE_MESSAGE(problems.empty(), path);
  return document;
}

const Article& article() {
  static const Article loaded = [] {
    Problems problems;
    const Json document = parse_document({catalog_text, catalog_text_size}, problems);
    Catalog catalog;
    load_article(reparsed(document), catalog, problems);
    for (const Problem& p : problems) FAIL_CHECK(p.at << " " << p.code << " " << p.accepts);
    REQUIRE(catalog.article != nullptr);
    return *catalog.article;
  }();
  return loaded;
}

const Json& cases() {
  static const Json document = read_file("tests/core/data/article_cases.json")["cases"];
  return document;
}

Statement statement_of(const Json& node) {
  Problems problems;
  Statement statement;
  read_statement(reparsed(node), "", problems, statement);
  for (const Problem& p : problems) FAIL_CHECK(p.at << " " << p.code << " " << p.accepts);
  return statement;
}

bool close(double value, double expected, double tolerance) {
  return std::abs(value - expected) <= tolerance * std::abs(expected);
}

std::string verdict_of(const StatementResult& result) {
  return std::string(verdict_name(result.verdict));
}

Article with(void (*change)(Article&)) {
  Article changed = article();
  change(changed);
  return changed;
}

}  // namespace

TEST_CASE("each statement of the articles comes out as computed by hand") {
  CHECK(cases().size() == 72);
  constexpr double kTolerance = 1e-3;
  for (const Json& entry : cases()) {
    const Statement statement = statement_of(entry["statement"]);
    CAPTURE(statement.id);
    const Json& expect = entry["expect"];
    const StatementResult result = check_statement(article(), statement);
    CHECK(verdict_of(result) == expect["verdict"].get<std::string>());
    const double tolerance =
        expect.contains("tolerance") ? expect["tolerance"].get<double>() : kTolerance;
    const bool headline = expect.contains("computed");
    if (headline) {
      REQUIRE(result.computed.has_value());
      CHECK_MESSAGE(close(*result.computed, expect["computed"].get<double>(), tolerance),
                    *result.computed);
    }
    const bool figures = expect.contains("figures");
    // A comparison or a text without a figure would show nothing.
    CHECK((headline || figures));
    if (!figures) continue;
    for (const auto& figure : expect["figures"].items()) {
      const double* value = result.figure(figure.key());
      REQUIRE_MESSAGE(value != nullptr, figure.key());
      CHECK_MESSAGE(close(*value, figure.value().get<double>(), tolerance), figure.key()
                                                                                << " " << *value);
    }
  }
}

TEST_CASE("the catalogue's statements are the articles', and come out the same") {
  REQUIRE(article().statements.size() == cases().size());
  std::set<std::string> ids;
  for (std::size_t i = 0; i < cases().size(); ++i) {
    const Statement expected = statement_of(cases()[i]["statement"]);
    const Statement& carried = article().statements[i];
    CAPTURE(expected.id);
    CHECK(carried.id == expected.id);
    CHECK(ids.emplace(carried.id).second);
    const StatementResult a = check_statement(article(), carried);
    const StatementResult b = check_statement(article(), expected);
    CHECK(a.verdict == b.verdict);
    CHECK(a.sentence_code == b.sentence_code);
    CHECK(a.stated == b.stated);
    CHECK(a.computed == b.computed);
    CHECK(a.figures == b.figures);
    CHECK_FALSE(carried.at.empty());
  }
}

TEST_CASE("a verdict follows the figures: changed figures get another one") {
  int countered = 0;
  for (const Json& entry : cases()) {
    if (!entry.contains("counter")) continue;
    ++countered;
    Json changed = entry["statement"];
    const Json& counter = entry["counter"];
    for (const char* field : {"in", "stated"}) {
      if (counter.contains(field)) changed[field] = counter[field];
    }
    const Statement statement = statement_of(changed);
    const StatementResult result = check_statement(article(), statement);
    CAPTURE(statement.id);
    CHECK(verdict_of(result) == counter["verdict"].get<std::string>());
    CHECK(counter["verdict"] != entry["expect"]["verdict"]);
  }
  CHECK(countered == 63);  // the other nine are drawn from the articles' tables: next test
}

TEST_CASE("a verdict on a table follows the table") {
  const auto verdict = [](const Article& changed, const char* id) {
    for (const Statement& statement : changed.statements) {
      if (statement.id == id) return check_statement(changed, statement).verdict;
    }
    return Verdict::unchecked;
  };
  const Article dense = with([](Article& a) {
    for (ArticleGpu& gpu : a.gpus) gpu.fp16_tflops = gpu.tensor_tflops = gpu.dense_tflops;
  });
  CHECK(verdict(dense, "peak-rates") == Verdict::holds);

  const Article slow_links_best = with(
      [](Article& a) { std::swap(a.gpus.front().communication, a.gpus.back().communication); });
  CHECK(verdict(slow_links_best, "communication") == Verdict::conflict);

  const Article free_sizes = with([](Article& a) {
    for (ArticleGpu& gpu : a.gpus) gpu.least_cards = 1, gpu.most_cards = 128;
  });
  CHECK(verdict(free_sizes, "cluster-sizes") == Verdict::holds);

  const Article flat_storage = with([](Article& a) { a.storage[2].terabytes = 50; });
  CHECK(verdict(flat_storage, "storage-bands") == Verdict::conflict);
  const Article tiny_storage = with([](Article& a) { a.storage[0].terabytes = 0.1; });
  CHECK(verdict(tiny_storage, "storage-bands") == Verdict::conflict);

  const Article gap = with([](Article& a) { a.billing[1].low_months = 2; });
  CHECK(verdict(gap, "billing-bands") == Verdict::conflict);

  const Article few_cards = with([](Article& a) { a.configs.front().least_cards = 1; });
  CHECK(verdict(few_cards, "recommended-configs") == Verdict::infeasible);

  const Article dear = with([](Article& a) { a.plans.front().monthly = "2500"; });
  CHECK(verdict(dear, "user-profiles") == Verdict::conflict);

  const Article one_way = with([](Article& a) {
    for (ArticleGpu& gpu : a.gpus) gpu.link_gb_s = gpu.link_one_way_gb_s;
  });
  CHECK(verdict(one_way, "link-conventions") == Verdict::holds);

  const Article all_included = with([](Article& a) { a.free_storage_tb = 100; });
  CHECK(verdict(all_included, "included-storage") == Verdict::conflict);
  const Article same_storage = with([](Article& a) {
    for (ArticlePlan& plan : a.plans) plan.storage_tb = a.free_storage_tb;
  });
  CHECK(verdict(same_storage, "included-storage") == Verdict::holds);

  const Article dear_year = with([](Article& a) { a.annual_paid = *Decimal::parse("0.95"); });
  CHECK(verdict(dear_year, "long-term-discount") == Verdict::conflict);

  const Article large_cards = with([](Article& a) {
    for (ArticleGpu& gpu : a.gpus) gpu.memory_gb = 200;
  });
  CHECK(verdict(large_cards, "days-70b") == Verdict::holds);

  const Article quick = with([](Article& a) {
    for (ArticleSpeed& speed : a.speeds) speed.tokens_per_card_day = 1e8;
  });
  CHECK(verdict(quick, "days-7b") == Verdict::holds);

  const Article fast_line = with([](Article& a) { a.plans.front().uplink_mbit_s = 1000; });
  CHECK(verdict(fast_line, "upload-10-tb") == Verdict::holds);
}

TEST_CASE("a statement without its inputs, or of an unknown rule, is not judged") {
  for (Statement statement : article().statements) {
    CAPTURE(statement.id);
    Statement unknown = statement;
    unknown.rule = "no_such_rule";
    CHECK(check_statement(article(), unknown).verdict == Verdict::unchecked);
    if (statement.inputs.empty()) continue;
    statement.inputs.clear();
    CHECK(check_statement(article(), statement).verdict == Verdict::unchecked);
  }
  // Figures that no number can come of.
  Statement division = article().statements.front();
  for (const Statement& statement : article().statements) {
    if (statement.rule == "cheaper_than") division = statement;
  }
  for (NamedNumbers& input : division.inputs) input.numbers = {0};
  CHECK(check_statement(article(), division).verdict == Verdict::unchecked);
}

TEST_CASE("the figures that statements are held against are the GPU catalogue's") {
  Problems problems;
  const Json document = parse_document({catalog_text, catalog_text_size}, problems);
  for (const ArticleGpu& row : article().gpus) {
    CAPTURE(row.id);
    int found = 0;
    for (const Json& gpu : document["gpus"]) {
      if (gpu["id"] != row.gpus.front()) continue;
      ++found;
      CHECK(gpu["memory_gb"].get<double>() == row.memory_gb);
      CHECK(gpu["peak_tflops"]["bf16"].get<double>() == row.dense_tflops);
      const Json& link = gpu.contains("link") ? gpu["link"] : gpu["pcie"];
      CHECK(link["gb_s"].get<double>() == row.link_one_way_gb_s);
    }
    CHECK(found == 1);
  }
}

TEST_CASE("a visitor sees the statements about the plan, the GPU and the size at hand") {
  const auto ids = [](const StatementFacts& facts) {
    std::set<std::string> list;
    for (const StatementResult& result : relevant_statements(article(), facts)) {
      list.emplace(result.statement->id);
    }
    return list;
  };
  // 7B on one RTX 4090, priced by the visitor: the memory rule for its size, the card's own rows.
  const std::set<std::string> small = ids({7, "rtx-4090", "", 1});
  for (const char* id : {"vram-7", "7b-on-4090", "tokens-4090-physics", "price-4090"}) {
    CHECK_MESSAGE(small.count(id) == 1, id);
  }
  for (const char* id : {"vram-70", "70b-on-4-a100", "fee-claims", "unit-cost-8-h100"}) {
    CHECK_MESSAGE(small.count(id) == 0, id);
  }
  // The same on the article's entry plan: its claims as well.
  const std::set<std::string> on_plan = ids({7, "rtx-4090", "article-entry", 1});
  CHECK(std::includes(on_plan.begin(), on_plan.end(), small.begin(), small.end()));
  CHECK(on_plan.count("fee-claims") == 1);
  // 70B on a card that the articles don't know: only what is about the size.
  const std::set<std::string> other = ids({70, "mi300x", "", 8});
  CHECK(other.count("vram-70") == 1);
  CHECK(other.count("70b-on-4-a100") == 0);
  // A size between the bands, on an unknown card: nothing.
  CHECK(ids({20, "mi300x", "", 8}).empty());
}

TEST_CASE("the gravest statements come first") {
  const std::vector<StatementResult> results =
      relevant_statements(article(), {7, "rtx-4090", "article-entry", 1});
  REQUIRE(results.size() > 5);
  CHECK(results.front().verdict == Verdict::implausible);
  CHECK(results.back().verdict == Verdict::holds);
  const std::string order = "implausible infeasible conflict slip holds";
  for (std::size_t i = 1; i < results.size(); ++i) {
    CHECK(order.find(verdict_name(results[i - 1].verdict)) <=
          order.find(verdict_name(results[i].verdict)));
  }
}

TEST_CASE("an article with a field missing is left out, and said") {
  Problems problems;
  Json document = parse_document({catalog_text, catalog_text_size}, problems);
  REQUIRE(problems.empty());
  for (const char* field : {"memory", "gpus", "annual", "statements", "check"}) {
    Json damaged = document;
    damaged["article"].erase(field);
    Catalog catalog;
    Problems found;
    load_article(reparsed(damaged), catalog, found);
    CHECK_MESSAGE(!found.empty(), field);
    CHECK(catalog.article == nullptr);
  }
  document["article"]["statements"][0]["rule"] = "no_such_rule";
  Catalog catalog;
  load_article(reparsed(document), catalog, problems);
  REQUIRE(problems.size() == 1);
  CHECK(problems.front().at == "/article/statements/0");
  CHECK(problems.front().code == "unchecked_statement");
}

}  // namespace traintally
