#include "article_json.hpp"

#include <tuple>
#include <utility>

#include "reader.hpp"

namespace traintally {
namespace {

// The articles' figures are what they are; only nonsense is refused.
constexpr RealRange kFigure{0, 1e18};
constexpr RealRange kPositive{0, 1e18, true};
constexpr WholeRange kCards{1, 1'000'000};
constexpr std::size_t kTitle = 1000;

/// Reads an object whose every field is needed.
class Fields {
 public:
  Fields(const Json& node, const std::string& at, Problems& problems)
      : reader_(node, at, problems) {}
  Fields(Fields& parent, const char* name)
      : Fields(parent.node(name), parent.reader_.at(name), parent.reader_.problems()) {}
  ~Fields() { reader_.finish(); }
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;

  double figure(const char* name, RealRange range = kFigure) {
    return required(reader_.real(name, range), name, "number");
  }
  std::int64_t cards(const char* name) {
    return required(reader_.whole(name, kCards), name, "integer");
  }
  std::string text(const char* name) {
    return required(reader_.text(name, kTitle), name, "string");
  }
  std::string decimal(const char* name) {
    return required(reader_.decimal(name), name, "\"12.50\"");
  }
  // Not every row has one.
  std::string decimal_or_none(const char* name) { return reader_.decimal(name).value_or(""); }
  std::string text_or_none(const char* name) { return reader_.text(name, kTitle).value_or(""); }
  double figure_or_none(const char* name) { return reader_.real(name, kFigure).value_or(0); }
  bool flag_or_false(const char* name) { return reader_.flag(name).value_or(false); }
  bool has(const char* name) { return reader_.has(name); }

  std::vector<std::string> texts(const char* name, bool needed = true) {
    std::vector<std::string> list;
    for_each(name, needed, [&](const Json& item, const std::string& at) {
      if (const auto* text = item.get_ptr<const Json::string_t*>()) {
        list.push_back(*text);
      } else {
        add_problem(reader_.problems(), at, "wrong_type", "string");
      }
    });
    return list;
  }

  /// One number, or a list of them; null reads as 0, an open end.
  std::vector<double> numbers(const char* name) {
    const Json* found = reader_.find(name);
    if (found == nullptr) return {};
    return read_numbers(*found, reader_.at(name), reader_.problems());
  }

  static std::vector<double> read_numbers(const Json& node, const std::string& at,
                                          Problems& problems) {
    std::vector<double> list;
    const auto read = [&](const Json& item) {
      if (item.is_number()) {
        list.push_back(item.get<double>());
      } else if (item.is_null()) {
        list.push_back(0);
      } else {
        add_problem(problems, at, "wrong_type", "number");
      }
    };
    if (node.is_array()) {
      for (const Json& item : node) read(item);
    } else {
      read(node);
    }
    return list;
  }

  /// A pair [low, high].
  std::pair<double, double> range(const char* name) {
    const std::vector<double> ends = numbers(name);
    if (ends.size() == 2) return {ends[0], ends[1]};
    reader_.problem(name, "wrong_type", "[low, high]");
    return {};
  }
  SizeBand band(const char* name) {
    const auto [low, high] = range(name);
    return {low, high};
  }
  void cards_range(std::int64_t& least, std::int64_t& most) {
    const auto [low, high] = range("cards");
    least = static_cast<std::int64_t>(low);
    most = static_cast<std::int64_t>(high);
  }

  template <class Row>
  void rows(const char* name, std::vector<Row>& list, void (*read)(Fields&, Row&)) {
    for_each(name, true, [&](const Json& item, const std::string& at) {
      Fields fields(item, at, reader_.problems());
      read(fields, list.emplace_back());
    });
  }

  template <class Read>
  void for_each(const char* name, bool needed, Read read) {
    const Json* list = reader_.find(name);
    if (list == nullptr || !list->is_array()) {
      if (list != nullptr || needed) reader_.problem(name, "wrong_type", "array");
      return;
    }
    for (std::size_t i = 0; i < list->size(); ++i) {
      read((*list)[i], pointer(reader_.at(name), i));
    }
  }

 private:
  const Json& node(const char* name) {
    const Json* found = reader_.find(name);
    return found != nullptr ? *found : missing_;
  }

  template <class T>
  T required(std::optional<T> value, const char* name, const char* accepts) {
    if (!value && !reader_.has(name)) reader_.missing(name, accepts);
    return std::move(value).value_or(T{});
  }

  ObjectReader reader_;
  Json missing_;
};

void read_source(Fields& fields, ArticleSource& source) {
  source.id = fields.text("id");
  source.title = fields.text("title");
  source.language = fields.text("language");
  source.date = fields.text("date");
}

void read_gpu(Fields& fields, ArticleGpu& gpu) {
  gpu.id = fields.text("id");
  gpu.name = fields.text("name");
  gpu.gpus = fields.texts("gpus");
  gpu.near = fields.texts("near");
  gpu.memory_gb = fields.figure("memory_gb", kPositive);
  gpu.fp16_tflops = fields.figure("fp16_tflops");
  gpu.tensor_tflops = fields.figure("tensor_tflops");
  gpu.link_gb_s = fields.figure("link_gb_s");
  gpu.communication = fields.figure("communication", limits::share);
  fields.cards_range(gpu.least_cards, gpu.most_cards);
  fields.texts("at");
  Fields check(fields, "check");
  gpu.dense_tflops = check.figure("dense_tflops", kPositive);
  gpu.link_one_way_gb_s = check.figure("link_one_way_gb_s", kPositive);
  check.text("source");
}

void read_days(Fields& fields, ArticleDays& days) {
  days.gpu = fields.text("gpu");
  days.params_b = fields.figure("params_b", kPositive);
  days.cards = fields.cards("cards");
  days.days = fields.figure("days", kPositive);
  fields.text("at");
}

void read_plan(Fields& fields, ArticlePlan& plan) {
  plan.id = fields.text("id");
  plan.offers = fields.texts("offers");
  plan.gpu = fields.text("gpu");
  plan.cards = fields.cards("cards");
  plan.band = fields.band("params_b");
  plan.monthly = fields.decimal("monthly");
  plan.hourly = fields.decimal_or_none("hourly");
  plan.average_monthly = fields.decimal("average_monthly");
  plan.storage_tb = fields.figure("storage_tb");
  plan.uplink_mbit_s = fields.figure_or_none("uplink_mbit_s");
  fields.text("at");
}

void read_storage_band(Fields& fields, ArticleStorage& storage) {
  storage.band = fields.band("params_b");
  storage.terabytes = fields.figure("terabytes");
}

void read_config(Fields& fields, ArticleConfig& config) {
  config.band = fields.band("params_b");
  config.name = fields.text("name");
  config.gpus = fields.texts("gpus");
  config.memory_gb = fields.figure("memory_gb", kPositive);
  fields.cards_range(config.least_cards, config.most_cards);
  fields.text("at");
}

void read_billing(Fields& fields, ArticleBilling& billing) {
  std::tie(billing.low_months, billing.high_months) = fields.range("months");
  billing.way = fields.text("way");
  fields.text("at");
}

void read_profile(Fields& fields, ArticleProfile& profile) {
  profile.code = fields.text("code");
  profile.band = fields.band("params_b");
  std::tie(profile.low_budget, profile.high_budget) = fields.range("budget");
  profile.plan = fields.text("plan");
  fields.text("at");
}

void read_fee_share(Fields& fields, ArticleFees& fees) {
  fees.code = fields.text("code");
  std::tie(fees.low, fees.high) = fields.range("share");
}

// A speed is stated for a card and day, or as a month's total of a cluster.
void read_speed(Fields& fields, ArticleSpeed& speed, double days_per_month) {
  speed.gpu = fields.text("gpu");
  speed.params_b = fields.figure("params_b", kPositive);
  speed.at = fields.text("at");
  if (fields.has("tokens_per_card_day")) {
    speed.tokens_per_card_day = fields.figure("tokens_per_card_day", kPositive);
    return;
  }
  const auto cards = static_cast<double>(fields.cards("cards"));
  const double tokens = fields.figure("tokens_per_month", kPositive);
  if (cards > 0 && days_per_month > 0) {
    speed.tokens_per_card_day = tokens / (cards * days_per_month);
  }
}

void read_memory_rule(Fields& article_fields, Article& article) {
  Fields fields(article_fields, "memory");
  article.weight_bytes = fields.figure("weight_bytes", kPositive);
  article.gradient_bytes = fields.figure("gradient_bytes", kPositive);
  article.optimizer_bytes = fields.figure("optimizer_bytes", kPositive);
  std::tie(article.activation_low_gb, article.activation_high_gb) = fields.range("activation_gb");
  article.reduction = fields.figure("reduction", limits::share);
  fields.text("at");
}

void read_terms(Fields& article_fields, Article& article, Problems& problems) {
  {
    Fields fields(article_fields, "communication");
    article.communication_cards = fields.cards("cards");
    fields.text("at");
  }
  {
    Fields fields(article_fields, "month");
    article.days_per_month = fields.figure("days", kPositive);
    fields.text("at");
  }
  {
    Fields fields(article_fields, "annual");
    const std::optional<Decimal> paid = Decimal::parse(fields.decimal("paid"));
    if (!paid) add_problem(problems, "/article/annual/paid", "not_decimal", "\"0.65\"");
    article.annual_paid = paid.value_or(Decimal{});
    fields.text("at");
  }
  {
    Fields fields(article_fields, "long_term");
    article.long_term_months = fields.figure("months");
    std::tie(article.long_term_low, article.long_term_high) = fields.range("discount");
    fields.text("at");
  }
  {
    Fields fields(article_fields, "training_time");
    article.period_deviation = fields.figure("deviation", limits::share);
    fields.text("at");
  }
  {
    Fields fields(article_fields, "delivery");
    article.delivery_single_hours = fields.figure("single_hours");
    article.delivery_cluster_hours = fields.figure("cluster_hours");
    std::tie(article.own_build_low_days, article.own_build_high_days) =
        fields.range("own_build_days");
    fields.text("at");
  }
  {
    Fields fields(article_fields, "stability");
    article.interruption_rate = fields.figure("interruption_rate", limits::share);
    article.fluctuation = fields.figure("fluctuation", limits::share);
    article.availability = fields.figure("availability", limits::share);
    fields.text("at");
  }
  {
    Fields fields(article_fields, "fees");
    article.fee_categories = fields.texts("categories");
    fields.rows("shares", article.fees, read_fee_share);
    fields.text("at");
  }
}

void read_storage(Fields& article_fields, Article& article) {
  Fields fields(article_fields, "storage");
  fields.rows("bands", article.storage, read_storage_band);
  {
    Fields file_system(fields, "file_system");
    article.fast_storage_from_b = file_system.figure("from_params_b", kPositive);
    article.fast_storage_gb_s = file_system.figure("gb_s", kPositive);
  }
  {
    Fields drive(fields, "drive");
    article.drive_gb_s = drive.figure("gb_s", kPositive);
    article.drive_latency_us = drive.figure("latency_us");
  }
  article.free_storage_tb = fields.figure("free_tb");
  fields.text("at");
}

void read_ownership(Fields& article_fields, ArticleOwnership& own) {
  Fields fields(article_fields, "ownership");
  own.gpu = fields.text("gpu");
  own.cards = fields.cards("cards");
  own.capex_per_card = fields.figure("capex_per_card", kPositive);
  own.staff_per_year = fields.figure("staff_per_year");
  own.rack_per_year = fields.figure("rack_per_year");
  own.power_per_year = fields.figure("power_per_year");
  own.depreciation = fields.figure("depreciation", limits::share);
  own.years = fields.figure("years", kPositive);
  own.rent_per_month = fields.figure("rent_per_month");
  fields.text("at");
}

void read_check(Fields& article_fields, Article& article) {
  Fields fields(article_fields, "check");
  article.mfu_for_physics = fields.figure("mfu", limits::positive_share);
  article.implausible_ratio = fields.figure("implausible_ratio", kPositive);
  article.about = fields.figure("about", limits::share);
  article.size_margin = fields.figure("size_margin", limits::share);
  fields.text("source");
}

void read_article(const Json& node, Article& article, Problems& problems) {
  Fields fields(node, "/article", problems);
  fields.rows("sources", article.sources, read_source);
  read_memory_rule(fields, article);
  read_terms(fields, article, problems);
  read_storage(fields, article);
  fields.rows("gpus", article.gpus, read_gpu);
  fields.rows("days", article.days, read_days);
  fields.for_each("speeds", true, [&](const Json& item, const std::string& at) {
    Fields speed(item, at, problems);
    read_speed(speed, article.speeds.emplace_back(), article.days_per_month);
  });
  fields.rows("plans", article.plans, read_plan);
  fields.rows("configs", article.configs, read_config);
  fields.rows("billing", article.billing, read_billing);
  fields.rows("profiles", article.profiles, read_profile);
  read_ownership(fields, article.ownership);
  read_check(fields, article);
  fields.for_each("statements", true, [&](const Json& item, const std::string& at) {
    article.statements.push_back(read_statement(item, at, problems));
  });
}

void read_calendar(const Json& node, Calendar& calendar, Problems& problems) {
  Fields fields(node, "/calendar", problems);
  calendar.hours_per_day = fields.figure("hours_per_day", kPositive);
  calendar.days_per_year = fields.figure("days_per_year", kPositive);
  calendar.months_per_year = fields.figure("months_per_year", kPositive);
  fields.text("source");
}

}  // namespace

Statement read_statement(const Json& node, const std::string& at, Problems& problems) {
  Statement statement;
  Fields fields(node, at, problems);
  statement.id = fields.text("id");
  statement.at = fields.texts("at");
  statement.rule = fields.text("rule");
  statement.unit = fields.text("unit");
  statement.stated = fields.numbers("stated");
  statement.step = fields.figure_or_none("step");
  statement.approximate = fields.flag_or_false("approximate");
  statement.gpus = fields.texts("gpus", false);
  statement.plans = fields.texts("plans", false);
  if (fields.has("params_b")) statement.band = fields.band("params_b");
  if (fields.has("in")) {
    const Json& inputs = node["in"];
    for (auto input = inputs.begin(); input != inputs.end(); ++input) {
      std::vector<double> numbers =
          Fields::read_numbers(input.value(), pointer(at + "/in", input.key()), problems);
      statement.inputs.push_back({input.key(), std::move(numbers)});
    }
  }
  return statement;
}

void load_article(const Json& document, Catalog& catalog, Problems& problems) {
  const auto article = document.find("article");
  if (article != document.end()) {
    const std::size_t before = problems.size();
    read_article(*article, catalog.article, problems);
    const std::vector<Statement>& statements = catalog.article.statements;
    for (std::size_t i = 0; problems.size() == before && i < statements.size(); ++i) {
      if (check_statement(catalog.article, statements[i]).verdict == Verdict::unchecked) {
        add_problem(problems, pointer("/article/statements", i), "unchecked_statement",
                    "a known rule with its inputs");
      }
    }
    // Half an article would answer with zeros.
    if (problems.size() != before) catalog.article = {};
  }
  const auto calendar = document.find("calendar");
  if (calendar != document.end()) read_calendar(*calendar, catalog.calendar, problems);
}

}  // namespace traintally
