// The article method: the articles' rules, for any size, card, count and price.

#include <traintally/catalog_data.hpp>
#include <traintally/published.hpp>

#include <doctest/doctest.h>

#include <string>

#include "json/article_json.hpp"

namespace traintally {
namespace {

const Article& article() {
  static const Article loaded = [] {
    Problems problems;
    static const Document document({catalog_text, catalog_text_size}, problems);
    Catalog catalog;
    load_article(document.root(), catalog, problems);
    for (const Problem& p : problems) FAIL_CHECK(p.at << " " << p.code << " " << p.accepts);
    REQUIRE(catalog.article != nullptr);
    return *catalog.article;
  }();
  return loaded;
}

Money yuan(const char* amount) { return {*Decimal::parse(amount), kCny}; }

std::string text(const Money& money) { return reported_amount(money.amount).text(); }

/// The article's entry plan: 7B on one RTX 4090.
PublishedQuestion entry_job() {
  PublishedQuestion question;
  question.parameters = 7e9;
  question.gpu = "rtx-4090";
  question.memory_gb = 24;
  question.offer = "article-entry";
  question.monthly = yuan("1100");
  question.hourly = yuan("1.86");
  return question;
}

PublishedQuestion job(double params_b, std::string_view gpu, double memory_gb, std::int64_t count,
                      const char* monthly) {
  PublishedQuestion question;
  question.parameters = params_b * 1e9;
  question.gpu = gpu;
  question.memory_gb = memory_gb;
  question.count = count;
  question.monthly = yuan(monthly);
  return question;
}

bool lacks(const PublishedAnswer& answer, std::string_view field, std::string_view reason) {
  for (const auto& [name, code] : answer.absent) {
    if (name == field && code == reason) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("memory by the rule: 12 bytes a parameter, activations, the reduction") {
  const PublishedMemory memory = published_memory(article(), 7);
  CHECK(memory.weights_gb == 14);
  CHECK(memory.gradients_gb == 14);
  CHECK(memory.optimizer_gb == 56);
  CHECK(memory.states_gb == 84);
  CHECK(memory.low_gb == 89);
  CHECK(memory.high_gb == 114);
  CHECK(memory.reduced_gb == doctest::Approx(33.6));
  CHECK(memory.reduced_low_gb == doctest::Approx(38.6));
  CHECK(memory.reduced_high_gb == doctest::Approx(63.6));
}

TEST_CASE("memory grows with the model, and the cards with it") {
  PublishedMemory before;
  for (double params_b = 0.1; params_b < 2000; params_b *= 1.3) {
    const PublishedMemory memory = published_memory(article(), params_b);
    CHECK(memory.states_gb > before.states_gb);
    CHECK(memory.reduced_gb < memory.states_gb);
    CHECK(memory.states_gb < memory.low_gb);
    CHECK(memory.low_gb < memory.high_gb);
    const std::int64_t cards = published_gpu_count(memory.reduced_gb, 80);
    CHECK(static_cast<double>(cards) * 80 >= memory.reduced_gb);
    CHECK((cards == 1 || static_cast<double>(cards - 1) * 80 < memory.reduced_gb));
    before = memory;
  }
}

TEST_CASE("the entry plan, whole") {
  const PublishedAnswer answer = answer_published(article(), entry_job());
  REQUIRE(answer.known);
  CHECK_FALSE(answer.full_training_only);
  CHECK(answer.have_gb == 24);
  CHECK_FALSE(answer.fits);
  CHECK(answer.gpu_count == 2);
  CHECK(answer.gpu_count_unreduced == 4);
  CHECK(answer.gpu_row == "rtx-4090");
  CHECK_FALSE(answer.gpu_borrowed);
  CHECK(answer.communication->share == 0);
  CHECK(answer.within_cards);
  CHECK(answer.stated_days == 14);
  REQUIRE(answer.speed.has_value());
  CHECK(answer.speed->tokens_per_card_day == 33000);
  CHECK(answer.speed->exact_size);
  CHECK(answer.speed->tokens_per_month == 990000);
  REQUIRE(answer.money.has_value());
  CHECK(text(answer.money->annual) == "8580.00");
  CHECK(answer.money->breakeven_hours->rounded(1).text() == "591.4");
  // 1100 / 990 thousand tokens.
  CHECK(reported_unit_cost(answer.money->per_1k_tokens->amount).text() == "1.11111");
  CHECK(text(*answer.money->per_million_tokens) == "1111.11");
  CHECK(answer.storage.terabytes == 10);
  CHECK(answer.storage.exact_size);
  CHECK_FALSE(answer.storage.file_system_gb_s.has_value());
  CHECK(answer.profile == "individual");
  CHECK(answer.plan == "entry");
  CHECK(answer.delivery_hours == 2);
  CHECK(answer.recommended.size() == 2);
  CHECK_FALSE(answer.follows_recommended);  // article A asks for 4 to 8 cards
  CHECK_FALSE(answer.statements.empty());
}

TEST_CASE("the advanced plan: 70B on four A100 does not fit by the article's own rule") {
  PublishedQuestion question = job(70, "a100-sxm-40gb", 40, 4, "27600");
  question.tokens = 20e6;
  const PublishedAnswer answer = answer_published(article(), question);
  CHECK(answer.memory.reduced_gb == doctest::Approx(336));
  CHECK(answer.have_gb == 160);
  CHECK_FALSE(answer.fits);
  CHECK(answer.gpu_count == 9);
  CHECK(answer.stated_days == 28);
  CHECK_FALSE(answer.within_cards);  // the article's own plan leaves its own range of 8 to 32
  CHECK(answer.communication->share == 0.15);
  CHECK(answer.communication->stated_cards == 8);
  CHECK_FALSE(answer.communication->exact);
  // The month's tokens of B 4.2, and with them the article's own unit cost.
  CHECK(answer.speed->tokens_per_month == doctest::Approx(10e6));
  CHECK(reported_unit_cost(answer.money->per_1k_tokens->amount).text() == "2.76");
  CHECK(text(answer.money->annual) == "215280.00");
  CHECK(answer.storage.terabytes == 50);
  CHECK(answer.profile == "small_team");
  // 20 million tokens take two months: paid by the month (A 4.2).
  CHECK(*answer.speed->run_days == doctest::Approx(60));
  CHECK(answer.speed->run_low_days == doctest::Approx(57));
  CHECK(answer.speed->run_high_days == doctest::Approx(63));
  CHECK(*answer.months == doctest::Approx(2));
  CHECK(answer.billing == "monthly");
  CHECK(text(*answer.money->total) == "55200.00");
  CHECK(answer.money->total_months == 2);
}

TEST_CASE("the flagship plan: 100B on eight H100 fits with the reduction alone") {
  const PublishedAnswer answer =
      answer_published(article(), job(100, "h100-sxm-80gb", 80, 8, "192000"));
  CHECK(answer.fits);
  CHECK_FALSE(answer.fits_unreduced);
  CHECK(answer.fits_with_activations);
  CHECK(answer.gpu_count == 6);
  CHECK(answer.communication->exact);
  CHECK(answer.communication->share == 0.08);
  CHECK(reported_unit_cost(answer.money->per_1k_tokens->amount).text() == "2.74286");
  CHECK(*answer.storage.file_system_gb_s == 100);
  CHECK(answer.profile == "enterprise");
  CHECK(answer.delivery_hours == 12);
  CHECK(answer.recommended.front()->least_cards == 64);
}

TEST_CASE("the way to pay follows the months") {
  PublishedQuestion question = entry_job();
  const auto way = [&](double months) {
    question.months = months;
    return answer_published(article(), question).billing;
  };
  CHECK(way(0.2) == "on_demand");
  CHECK(way(0.99) == "on_demand");
  CHECK(way(1) == "monthly");
  CHECK(way(6) == "monthly");
  CHECK(way(6.1) == "custom_cluster");
  question.months.reset();
  const PublishedAnswer unknown = answer_published(article(), question);
  CHECK(unknown.billing.empty());
  CHECK(lacks(unknown, "billing", "no_duration"));
}

TEST_CASE("the run is billed the way that is recommended") {
  PublishedQuestion question = entry_job();
  question.tokens = 330000;  // ten days at 33,000 a day
  const PublishedAnswer days = answer_published(article(), question);
  CHECK(days.billing == "on_demand");
  CHECK(text(*days.money->total) == "446.40");  // 240 hours at 1.86
  CHECK_FALSE(days.money->total_months.has_value());
  question.tokens = 33000 * 30 * 7.5;
  const PublishedAnswer long_run = answer_published(article(), question);
  CHECK(long_run.billing == "custom_cluster");
  CHECK(text(*long_run.money->total) == "5720.00");  // eight months of 1100 at 65%
  question.hourly.reset();
  question.tokens = 330000;
  CHECK(text(*answer_published(article(), question).money->total) == "1100.00");
}

TEST_CASE("hidden fees are a share of the whole bill") {
  const PublishedAnswer answer = answer_published(article(), entry_job());
  REQUIRE(answer.money->fees.size() == 3);
  const PublishedFee& small = answer.money->fees[0];
  CHECK(small.code == "small_platform");
  // 40% and 60% of the bill are two thirds and one and a half times the rent.
  CHECK(text(small.low) == "733.33");
  CHECK(text(small.high) == "1650.00");
  CHECK(text(answer.money->fees[1].high) == "57.89");
}

TEST_CASE("owning eight A100 against renting them, as the article adds it up") {
  const PublishedAnswer answer =
      answer_published(article(), job(70, "a100-sxm-40gb", 40, 8, "164153.85"));
  REQUIRE(answer.ownership.has_value());
  CHECK(text(answer.ownership->own_total) == "9840000.00");
  // 106,700 a month is the 65% price: 3,841,200 in three years.
  CHECK(text(answer.ownership->rent_total) == "3841200.09");
  CHECK(answer.ownership->saving == doctest::Approx(0.6096).epsilon(1e-4));
  CHECK(lacks(answer_published(article(), entry_job()), "ownership", "no_purchase_price"));
}

TEST_CASE("a card that the articles don't name keeps the rules and lacks the tables") {
  const PublishedAnswer answer = answer_published(article(), job(30, "mi300x", 192, 8, "100000"));
  CHECK(answer.fits);
  CHECK(answer.memory.states_gb == 360);
  CHECK(answer.gpu_row.empty());
  CHECK_FALSE(answer.communication.has_value());
  CHECK_FALSE(answer.speed.has_value());
  CHECK_FALSE(answer.money->per_1k_tokens.has_value());
  CHECK(lacks(answer, "communication", "gpu_not_in_article"));
  CHECK(lacks(answer, "speed", "gpu_not_in_article"));
  CHECK(lacks(answer, "unit_cost_per_1k", "no_stated_speed"));
  // Between 13B and 34B: the larger band's storage, and said not to be in it.
  CHECK(answer.storage.terabytes == 50);
  CHECK_FALSE(answer.storage.exact_size);
}

TEST_CASE("a near card borrows the tables, and it is said") {
  const PublishedAnswer answer =
      answer_published(article(), job(7, "a100-sxm-80gb", 80, 1, "8000"));
  CHECK(answer.gpu_row == "a100-40gb");
  CHECK(answer.gpu_borrowed);
  CHECK(answer.speed->tokens_per_card_day == 30000);
  CHECK_FALSE(answer.stated_days.has_value());
}

TEST_CASE("a size that has no speed of its own takes the nearest one, and it is said") {
  const PublishedAnswer answer =
      answer_published(article(), job(7, "h100-sxm-80gb", 80, 1, "24000"));
  REQUIRE(answer.speed.has_value());
  CHECK(answer.speed->stated_params_b == 100);
  CHECK_FALSE(answer.speed->exact_size);
  CHECK(answer.speed->tokens_per_card_day == doctest::Approx(291666.67));
}

TEST_CASE("recommended clusters by size") {
  const auto follows = [](double params_b, std::string_view gpu, std::int64_t count) {
    const PublishedAnswer answer = answer_published(article(), job(params_b, gpu, 80, count, "1"));
    CHECK(answer.recommended.size() == 2);
    return answer.follows_recommended;
  };
  CHECK(follows(7, "rtx-4090", 4));
  CHECK(follows(10, "ascend-910b2", 8));
  CHECK_FALSE(follows(7, "rtx-4090", 9));
  CHECK(follows(32, "a100-sxm-80gb", 16));
  CHECK_FALSE(follows(32, "a100-sxm-40gb", 16));
  CHECK(follows(70, "a100-sxm-80gb", 32));
  CHECK(follows(405, "h100-sxm-80gb", 1024));
  CHECK(follows(180, "h200-sxm-141gb", 64));
  CHECK_FALSE(follows(180, "h200-sxm-141gb", 32));
}

TEST_CASE("a profile needs both the size and the budget") {
  CHECK(answer_published(article(), job(7, "rtx-4090", 24, 1, "2000")).profile == "individual");
  const PublishedAnswer dear = answer_published(article(), job(7, "rtx-4090", 24, 1, "2000.01"));
  CHECK(dear.profile.empty());
  CHECK(lacks(dear, "profile", "no_profile_for_size_and_budget"));
}

TEST_CASE("adapters are outside the articles' rules") {
  PublishedQuestion question = entry_job();
  question.kind = TrainingKind::qlora;
  CHECK(answer_published(article(), question).full_training_only);
}

TEST_CASE("a card whose memory is not known neither fits nor fails to") {
  PublishedQuestion question = entry_job();
  question.memory_gb = 0;
  const PublishedAnswer answer = answer_published(article(), question);
  CHECK_FALSE(answer.memory_known);
  CHECK(answer.gpu_count == 0);
  CHECK(lacks(answer, "fits", "gpu_memory_not_known"));
}

TEST_CASE("without a price there is no money, and without an article no answer") {
  PublishedQuestion question = entry_job();
  question.monthly.reset();
  const PublishedAnswer unpriced = answer_published(article(), question);
  CHECK_FALSE(unpriced.money.has_value());
  CHECK(lacks(unpriced, "monthly", "no_monthly_price"));
  CHECK(lacks(unpriced, "ownership", "no_monthly_price_in_yuan"));
  CHECK_FALSE(answer_published(Article{}, question).known);
}

TEST_CASE("what a card can train in a day follows from its rate") {
  CHECK(physical_tokens_per_day(7, 165.2, 0.4) == doctest::Approx(1.359e8).epsilon(1e-3));
  CHECK(physical_tokens_per_day(100, 989.4, 0.4) == doctest::Approx(5.7e7).epsilon(1e-3));
  CHECK(physical_tokens_per_day(14, 165.2, 0.4) ==
        doctest::Approx(physical_tokens_per_day(7, 165.2, 0.2)));
}

}  // namespace traintally
