#include "article_json.hpp"

#include "fields.hpp"

namespace traintally {
namespace {

// The articles' figures are what they are; only nonsense is refused.
constexpr RealRange kFigure{0, 1e18};
constexpr RealRange kPositive{0, 1e18, true};
constexpr WholeRange kCards{1, 1'000'000};
constexpr std::uint16_t kText = 1000;

// Every field of the articles is needed, but for a few.
#define FIELD(Record, name, ...) TRAINTALLY_FIELD(Record, name __VA_OPT__(, ) __VA_ARGS__).need()
#define TEXT(Record, name) TRAINTALLY_FIELD(Record, name).at_most(kText).need()
#define FIELD_AS(Record, name, member, ...) \
  TRAINTALLY_FIELD_AS(Record, name, member __VA_OPT__(, ) __VA_ARGS__).need()
#define ENDS(Record, name, low, high) TRAINTALLY_ENDS(Record, name, low, high).need()
#define BAND(Record) ENDS(Record, "params_b", band.low_b, band.high_b)

constexpr Field::Kind kDecimal = Field::Kind::decimal;
/// For the reader of the file: where it stands, where it is from.
constexpr Field kAt = Field::note("at", kText).need();
constexpr Field kSource = Field::note("source", kText).need();

constexpr Field nested(const char* name) { return Field::other(name).need(); }

constexpr FieldOf<ArticleSource> kSources[] = {TEXT(ArticleSource, id), TEXT(ArticleSource, title),
                                               TEXT(ArticleSource, language),
                                               TEXT(ArticleSource, date)};
constexpr FieldOf<ArticleGpu> kGpu[] = {TEXT(ArticleGpu, id),
                                        TEXT(ArticleGpu, name),
                                        FIELD(ArticleGpu, gpus),
                                        FIELD(ArticleGpu, near),
                                        FIELD(ArticleGpu, memory_gb, &kPositive),
                                        FIELD(ArticleGpu, fp16_tflops, &kPositive),
                                        FIELD(ArticleGpu, tensor_tflops, &kPositive),
                                        FIELD(ArticleGpu, link_gb_s, &kPositive),
                                        FIELD(ArticleGpu, communication, &limits::share),
                                        ENDS(ArticleGpu, "cards", least_cards, most_cards),
                                        kAt.as(Field::Kind::texts),
                                        nested("check")};
constexpr FieldOf<ArticleGpu> kGpuCheck[] = {FIELD(ArticleGpu, dense_tflops, &kPositive),
                                             FIELD(ArticleGpu, link_one_way_gb_s, &kPositive),
                                             kSource};
constexpr FieldOf<ArticleDays> kDays[] = {
    TEXT(ArticleDays, gpu), FIELD(ArticleDays, params_b, &kPositive),
    FIELD(ArticleDays, cards, &kCards), FIELD(ArticleDays, days, &kPositive), kAt};
constexpr FieldOf<ArticlePlan> kPlan[] = {TEXT(ArticlePlan, id),
                                          FIELD(ArticlePlan, offers),
                                          TEXT(ArticlePlan, gpu),
                                          FIELD(ArticlePlan, cards, &kCards),
                                          BAND(ArticlePlan),
                                          FIELD(ArticlePlan, monthly).as(kDecimal),
                                          TRAINTALLY_FIELD(ArticlePlan, hourly).as(kDecimal),
                                          FIELD(ArticlePlan, average_monthly).as(kDecimal),
                                          FIELD(ArticlePlan, storage_tb, &kFigure),
                                          TRAINTALLY_FIELD(ArticlePlan, uplink_mbit_s, &kFigure),
                                          kAt};
constexpr FieldOf<ArticleStorage> kBands[] = {BAND(ArticleStorage),
                                              FIELD(ArticleStorage, terabytes, &kFigure)};
constexpr FieldOf<ArticleConfig> kConfig[] = {BAND(ArticleConfig),
                                              TEXT(ArticleConfig, name),
                                              FIELD(ArticleConfig, gpus),
                                              FIELD(ArticleConfig, memory_gb, &kPositive),
                                              ENDS(ArticleConfig, "cards", least_cards, most_cards),
                                              kAt};
constexpr FieldOf<ArticleBilling> kBilling[] = {
    ENDS(ArticleBilling, "months", low_months, high_months), TEXT(ArticleBilling, way), kAt};
constexpr FieldOf<ArticleProfile> kProfile[] = {
    TEXT(ArticleProfile, code), BAND(ArticleProfile),
    ENDS(ArticleProfile, "budget", low_budget, high_budget), TEXT(ArticleProfile, plan), kAt};
constexpr FieldOf<ArticleFees> kFees[] = {TEXT(ArticleFees, code),
                                          ENDS(ArticleFees, "share", low, high)};
constexpr FieldOf<ArticleOwnership> kOwnership[] = {
    TEXT(ArticleOwnership, gpu),
    FIELD(ArticleOwnership, cards, &kCards),
    FIELD(ArticleOwnership, capex_per_card, &kPositive),
    FIELD(ArticleOwnership, staff_per_year, &kFigure),
    FIELD(ArticleOwnership, rack_per_year, &kFigure),
    FIELD(ArticleOwnership, power_per_year, &kFigure),
    FIELD(ArticleOwnership, depreciation, &limits::share),
    FIELD(ArticleOwnership, years, &kPositive),
    FIELD(ArticleOwnership, rent_per_month, &kFigure),
    kAt};
constexpr FieldOf<Statement> kStatement[] = {TEXT(Statement, id),
                                             FIELD(Statement, at),
                                             TEXT(Statement, rule),
                                             TEXT(Statement, unit),
                                             Field::other("in"),
                                             Field::other("stated"),
                                             TRAINTALLY_FIELD(Statement, step, &kFigure),
                                             TRAINTALLY_FIELD(Statement, approximate),
                                             TRAINTALLY_FIELD(Statement, gpus),
                                             TRAINTALLY_FIELD(Statement, plans),
                                             Field::other("params_b")};
constexpr FieldOf<SizeBand> kStatementBand[] = {
    TRAINTALLY_ENDS(SizeBand, "params_b", low_b, high_b)};

// The articles' terms, object by object.
constexpr FieldOf<Article> kMemory[] = {
    FIELD(Article, weight_bytes, &kPositive),
    FIELD(Article, gradient_bytes, &kPositive),
    FIELD(Article, optimizer_bytes, &kPositive),
    ENDS(Article, "activation_gb", activation_low_gb, activation_high_gb),
    FIELD(Article, reduction, &limits::share),
    kAt};
constexpr FieldOf<Article> kCommunication[] = {
    FIELD_AS(Article, "cards", communication_cards, &kCards), kAt};
constexpr FieldOf<Article> kMonth[] = {FIELD_AS(Article, "days", days_per_month, &kPositive), kAt};
constexpr FieldOf<Article> kAnnual[] = {Field::other("paid").as(kDecimal).need(), kAt};
constexpr FieldOf<Article> kLongTerm[] = {FIELD_AS(Article, "months", long_term_months, &kFigure),
                                          ENDS(Article, "discount", long_term_low, long_term_high),
                                          kAt};
constexpr FieldOf<Article> kTrainingTime[] = {
    FIELD_AS(Article, "deviation", period_deviation, &limits::share), kAt};
constexpr FieldOf<Article> kDelivery[] = {
    FIELD_AS(Article, "single_hours", delivery_single_hours, &kFigure),
    FIELD_AS(Article, "cluster_hours", delivery_cluster_hours, &kFigure),
    ENDS(Article, "own_build_days", own_build_low_days, own_build_high_days), kAt};
constexpr FieldOf<Article> kStability[] = {FIELD(Article, interruption_rate, &limits::share),
                                           FIELD(Article, fluctuation, &limits::share),
                                           FIELD(Article, availability, &limits::share), kAt};
constexpr FieldOf<Article> kFeeTerms[] = {FIELD_AS(Article, "categories", fee_categories),
                                          nested("shares"), kAt};
constexpr FieldOf<Article> kStorage[] = {nested("bands"), nested("file_system"), nested("drive"),
                                         FIELD_AS(Article, "free_tb", free_storage_tb, &kFigure),
                                         kAt};
constexpr FieldOf<Article> kFileSystem[] = {
    FIELD_AS(Article, "from_params_b", fast_storage_from_b, &kPositive),
    FIELD_AS(Article, "gb_s", fast_storage_gb_s, &kPositive)};
constexpr FieldOf<Article> kDrive[] = {FIELD_AS(Article, "gb_s", drive_gb_s, &kPositive),
                                       FIELD_AS(Article, "latency_us", drive_latency_us, &kFigure)};
constexpr FieldOf<Article> kCheck[] = {
    FIELD_AS(Article, "mfu", mfu_for_physics, &limits::positive_share),
    FIELD(Article, implausible_ratio, &kPositive), FIELD(Article, about, &limits::share),
    FIELD(Article, size_margin, &limits::share), kSource};

constexpr FieldOf<Calendar> kCalendar[] = {
    FIELD(Calendar, hours_per_day, &kPositive), FIELD(Calendar, days_per_year, &kPositive),
    FIELD(Calendar, months_per_year, &kPositive),
    FIELD(Calendar, days_in_longest_month, &kPositive), kSource};

/// Stated for a card and day, or as a month's total of a cluster.
struct StatedSpeed {
  ArticleSpeed speed;
  double tokens_per_month = 0;
  std::int64_t cards = 1;
};
constexpr FieldOf<StatedSpeed> kSpeed[] = {
    FIELD_AS(StatedSpeed, "gpu", speed.gpu).at_most(kText),
    FIELD_AS(StatedSpeed, "params_b", speed.params_b, &kPositive),
    TRAINTALLY_FIELD_AS(StatedSpeed, "tokens_per_card_day", speed.tokens_per_card_day, &kPositive),
    TRAINTALLY_FIELD(StatedSpeed, tokens_per_month, &kPositive),
    TRAINTALLY_FIELD(StatedSpeed, cards, &kCards),
    FIELD_AS(StatedSpeed, "at", speed.at).at_most(kText)};

#undef FIELD
#undef TEXT
#undef FIELD_AS
#undef ENDS
#undef BAND

/// Reads the object `name` of another, of these fields and no others. One that is not there is
/// reported by whoever lists it as a field.
template <class Record, std::size_t count>
void read_object(ObjectReader& parent, const char* name, Record& record,
                 const FieldOf<Record> (&fields)[count]) {
  ObjectReader reader(parent, name);
  if (!reader.is_object()) return;
  read_fields(reader, record, fields);
  reader.finish();
}

/// Reads the list `name` of an object, each row by its fields and then by `rest`.
template <class Row, std::size_t count>
void read_rows(ObjectReader& parent, const char* name, std::vector<Row>& rows,
               const FieldOf<Row> (&fields)[count],
               void (*rest)(ObjectReader&, std::type_identity_t<Row>&) = nullptr) {
  const JsonValue* list = parent.array(name);
  if (list == nullptr) return;
  rows.reserve(list->size());
  for (const JsonValue& item : *list) {
    ObjectReader reader(item, pointer(parent.at(name), rows.size()), parent.problems());
    Row& row = rows.emplace_back();
    if (!reader.is_object()) continue;
    read_fields(reader, row, fields);
    if (rest != nullptr) rest(reader, row);
    reader.finish();
  }
}

// As a card's day; of a month, as a card's month for the article's days to divide.
void finish_speed(ObjectReader& reader, StatedSpeed& row) {
  row.speed.tokens_per_card_month =
      row.cards > 0 ? row.tokens_per_month / static_cast<double>(row.cards) : 0;
  if (row.speed.tokens_per_card_day <= 0 && row.tokens_per_month <= 0) {
    add_problem(reader.problems(), reader.at(), "missing",
                "tokens_per_card_day or tokens_per_month");
  }
}

// One number, or a list of them.
std::vector<double> read_numbers(const JsonValue& node, const std::string& at, Problems& problems) {
  std::vector<double> numbers;
  const auto read = [&](const JsonValue& item) {
    if (!item.is_number()) add_problem(problems, at, "wrong_type", "number or array of numbers");
    numbers.push_back(item.number());
  };
  if (!node.is_array()) {
    read(node);
  } else {
    for (const JsonValue& item : node) read(item);
  }
  return numbers;
}

void finish_statement(ObjectReader& reader, Statement& statement) {
  if (reader.has("params_b")) {
    SizeBand band;
    read_fields(reader, band, kStatementBand);
    statement.band = band;
  }
  if (const JsonValue* stated = reader.find("stated")) {
    statement.stated = read_numbers(*stated, reader.at("stated"), reader.problems());
  }
  const JsonValue* inputs = reader.find("in");
  if (inputs == nullptr || !inputs->is_object()) return;
  for (const JsonValue& input : *inputs) {
    const std::string at = pointer(reader.at("in"), input.name());
    statement.inputs.push_back({input.name(), read_numbers(input, at, reader.problems())});
  }
}

void read_terms(ObjectReader& reader, Article& article) {
  read_object(reader, "memory", article, kMemory);
  read_object(reader, "communication", article, kCommunication);
  read_object(reader, "month", article, kMonth);
  read_object(reader, "annual", article, kAnnual);
  read_object(reader, "long_term", article, kLongTerm);
  read_object(reader, "training_time", article, kTrainingTime);
  read_object(reader, "delivery", article, kDelivery);
  read_object(reader, "stability", article, kStability);
  read_object(reader, "fees", article, kFeeTerms);
  read_object(reader, "storage", article, kStorage);
  read_object(reader, "ownership", article.ownership, kOwnership);
  read_object(reader, "check", article, kCheck);
  ObjectReader annual(reader, "annual");
  article.annual_paid = Decimal::parse(annual.decimal("paid").value_or("0")).value_or(Decimal{});
}

void read_tables(ObjectReader& reader, Article& article) {
  ObjectReader fees(reader, "fees");
  read_rows(fees, "shares", article.fees, kFees);
  ObjectReader storage(reader, "storage");
  read_rows(storage, "bands", article.storage, kBands);
  read_object(storage, "file_system", article, kFileSystem);
  read_object(storage, "drive", article, kDrive);
  read_rows(reader, "sources", article.sources, kSources);
  read_rows(reader, "gpus", article.gpus, kGpu,
            [](ObjectReader& row, ArticleGpu& gpu) { read_object(row, "check", gpu, kGpuCheck); });
  read_rows(reader, "days", article.days, kDays);
  std::vector<StatedSpeed> speeds;
  read_rows(reader, "speeds", speeds, kSpeed, finish_speed);
  for (const StatedSpeed& stated : speeds) article.speeds.push_back(stated.speed);
  read_rows(reader, "plans", article.plans, kPlan);
  read_rows(reader, "configs", article.configs, kConfig);
  read_rows(reader, "billing", article.billing, kBilling);
  read_rows(reader, "profiles", article.profiles, kProfile);
  read_rows(reader, "statements", article.statements, kStatement, finish_statement);
}

void read_article(const JsonValue& node, Article& article, Problems& problems) {
  ObjectReader reader(node, "/article", problems);
  if (!reader.is_object()) return;
  read_terms(reader, article);
  read_tables(reader, article);
  for (const char* name :
       {"sources",       "memory",  "communication", "month",     "annual",  "long_term",
        "training_time", "storage", "delivery",      "stability", "fees",    "gpus",
        "days",          "speeds",  "plans",         "configs",   "billing", "profiles",
        "ownership",     "check",   "statements"}) {
    reader.require(name, "a value");
  }
  reader.finish();
  if (article.days_per_month <= 0) return;  // a problem already
  for (ArticleSpeed& speed : article.speeds) {
    if (speed.tokens_per_card_day > 0) continue;
    speed.tokens_per_card_day = speed.tokens_per_card_month / article.days_per_month;
  }
}

}  // namespace

void read_statement(const JsonValue& node, const std::string& at, Problems& problems,
                    Statement& statement) {
  ObjectReader reader(node, at, problems);
  if (!reader.is_object()) return;
  read_fields(reader, statement, kStatement);
  finish_statement(reader, statement);
  reader.finish();
}

void load_article(const JsonValue& document, Catalog& catalog, Problems& problems) {
  if (const JsonValue* node = document.find("article")) {
    const std::size_t before = problems.size();
    Article article;
    read_article(*node, article, problems);
    for (std::size_t i = 0; i < article.statements.size(); ++i) {
      if (check_statement(article, article.statements[i]).verdict == Verdict::unchecked) {
        add_problem(problems, pointer("/article/statements", i), "unchecked_statement",
                    "a known rule with its inputs");
      }
    }
    // Half an article would answer with zeros.
    if (problems.size() == before) {
      catalog.article = Shared<Article>(std::move(article));
    }
  }
  if (const JsonValue* node = document.find("calendar")) {
    ObjectReader reader(*node, "/calendar", problems);
    if (!reader.is_object()) return;
    read_fields(reader, catalog.calendar, kCalendar);
    reader.finish();
  }
}

}  // namespace traintally
