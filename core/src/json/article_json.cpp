#include "article_json.hpp"

#include <initializer_list>
#include <memory>
#include <utility>

#include "reader.hpp"

namespace traintally {
namespace {

// The articles' figures are what they are; only nonsense is refused.
constexpr RealRange kFigure{0, 1e18};
constexpr RealRange kPositive{0, 1e18, true};
constexpr WholeRange kCards{1, 1'000'000};
constexpr std::size_t kText = 1000;

/// A field of an object and where its value goes. One list of these an object keeps the reading of
/// its dozens of fields small. Fields are needed unless said.
class Field {
 public:
  Field(const char* name, double* into, const RealRange& range = kFigure)
      : name_(name), kind_(Kind::real), range_(&range), real_(into) {}
  Field(const char* name, std::int64_t* into) : name_(name), kind_(Kind::cards), whole_(into) {}
  Field(const char* name, std::string* into) : name_(name), kind_(Kind::text), text_(into) {}
  Field(const char* name, bool* into) : name_(name), kind_(Kind::flag), flag_(into) {}
  Field(const char* name, std::vector<std::string>* into)
      : name_(name), kind_(Kind::texts), texts_(into) {}
  /// [low, high], where null is an open end and reads as 0.
  Field(const char* name, double* low, double* high)
      : name_(name), kind_(Kind::range), real_(low), high_(high) {}
  Field(const char* name, SizeBand* band) : Field(name, &band->low_b, &band->high_b) {}

  /// A decimal, kept as its text.
  static Field decimal(const char* name, std::string* into) {
    Field field(name, into);
    field.kind_ = Kind::decimal;
    return field;
  }
  /// For the reader of the file, not kept: a place or a source.
  static Field note(const char* name) { return Field(name, static_cast<std::string*>(nullptr)); }
  static Field notes(const char* name) {
    return Field(name, static_cast<std::vector<std::string>*>(nullptr));
  }
  /// An object or a list, read on its own.
  static Field nested(const char* name) {
    Field field = note(name);
    field.kind_ = Kind::nested;
    return field;
  }
  Field optional() const {
    Field field = *this;
    field.needed_ = false;
    return field;
  }

  void read(ObjectReader& reader) const;

 private:
  enum class Kind : std::uint8_t { real, cards, flag, text, decimal, texts, range, nested };

  void read_texts(ObjectReader& reader) const;
  void read_range(ObjectReader& reader) const;

  const char* name_;
  Kind kind_;
  bool needed_ = true;
  const RealRange* range_ = nullptr;
  union {
    double* real_ = nullptr;
    std::int64_t* whole_;
    bool* flag_;
    std::string* text_;
    std::vector<std::string>* texts_;
  };
  double* high_ = nullptr;
};

void Field::read(ObjectReader& reader) const {
  if (!reader.has(name_)) {
    if (needed_) reader.missing(name_, "a value");
    return;
  }
  switch (kind_) {
    case Kind::real:
      *real_ = reader.real(name_, *range_).value_or(0);
      break;
    case Kind::cards:
      *whole_ = reader.whole(name_, kCards).value_or(0);
      break;
    case Kind::flag:
      *flag_ = reader.flag(name_).value_or(false);
      break;
    case Kind::text:
    case Kind::decimal: {
      std::optional<std::string> value =
          kind_ == Kind::text ? reader.text(name_, kText) : reader.decimal(name_);
      if (text_ != nullptr && value) *text_ = std::move(*value);
      break;
    }
    case Kind::texts:
      read_texts(reader);
      break;
    case Kind::range:
      read_range(reader);
      break;
    case Kind::nested:
      break;
  }
}

void Field::read_texts(ObjectReader& reader) const {
  const JsonValue* list = reader.array(name_);
  if (list == nullptr) return;
  for (const JsonValue& item : *list) {
    if (!item.is_string()) return reader.problem(name_, "wrong_type", "array of strings");
    if (texts_ != nullptr) texts_->emplace_back(item.text());
  }
}

// A number, or null for an open end.
bool read_number(const JsonValue& node, double& into) {
  into = node.number();
  return node.is_number() || node.is_null();
}

void Field::read_range(ObjectReader& reader) const {
  const JsonValue& pair = *reader.find(name_);
  if (!pair.is_array() || pair.size() != 2 || !read_number(*pair.begin(), *real_) ||
      !read_number(*++pair.begin(), *high_)) {
    reader.problem(name_, "wrong_type", "[low, high]");
  }
}

/// Reads one object: these fields and no others. `node` may be null, and is then reported by
/// whoever lists it as a field.
void read_fields(const JsonValue* node, const std::string& at, Problems& problems,
                 std::initializer_list<Field> fields) {
  if (node == nullptr) return;
  ObjectReader reader(*node, at, problems);
  if (!reader.is_object()) return;
  for (const Field& field : fields) field.read(reader);
  reader.finish();
}

std::size_t list_size(const JsonValue* list, const std::string& at, Problems& problems) {
  if (list == nullptr) return 0;
  if (!list->is_array()) {
    add_problem(problems, at, "wrong_type", "array");
    return 0;
  }
  return list->size();
}

/// Reads a list of rows, each by `read`.
template <class Row>
void read_rows(const JsonValue& parent, const std::string& parent_at, const char* name,
               Problems& problems, std::vector<Row>& rows,
               void (*read)(const JsonValue&, const std::string&, Problems&, Row&)) {
  const std::string at = pointer(parent_at, name);
  const JsonValue* list = parent.find(name);
  rows = std::vector<Row>(list_size(list, at, problems));
  if (rows.empty()) return;
  std::size_t index = 0;
  for (const JsonValue& row : *list) {
    read(row, pointer(at, index), problems, rows[index]);
    ++index;
  }
}

void read_source(const JsonValue& node, const std::string& at, Problems& problems,
                 ArticleSource& row) {
  read_fields(
      &node, at, problems,
      {{"id", &row.id}, {"title", &row.title}, {"language", &row.language}, {"date", &row.date}});
}

void read_gpu(const JsonValue& node, const std::string& at, Problems& problems, ArticleGpu& row) {
  double least = 0;
  double most = 0;
  read_fields(&node, at, problems,
              {{"id", &row.id},
               {"name", &row.name},
               {"gpus", &row.gpus},
               {"near", &row.near},
               {"memory_gb", &row.memory_gb, kPositive},
               {"fp16_tflops", &row.fp16_tflops, kPositive},
               {"tensor_tflops", &row.tensor_tflops, kPositive},
               {"link_gb_s", &row.link_gb_s, kPositive},
               {"communication", &row.communication, limits::share},
               {"cards", &least, &most},
               Field::notes("at"),
               Field::nested("check")});
  row.least_cards = static_cast<std::int64_t>(least);
  row.most_cards = static_cast<std::int64_t>(most);
  read_fields(node.find("check"), at + "/check", problems,
              {{"dense_tflops", &row.dense_tflops, kPositive},
               {"link_one_way_gb_s", &row.link_one_way_gb_s, kPositive},
               Field::note("source")});
}

void read_days(const JsonValue& node, const std::string& at, Problems& problems, ArticleDays& row) {
  read_fields(&node, at, problems,
              {{"gpu", &row.gpu},
               {"params_b", &row.params_b, kPositive},
               {"cards", &row.cards},
               {"days", &row.days, kPositive},
               Field::note("at")});
}

// Stated for a card and day, or as a month's total of a cluster; then left as a card's month, for
// the article's days to divide.
void read_speed(const JsonValue& node, const std::string& at, Problems& problems,
                ArticleSpeed& row) {
  double month = 0;
  std::int64_t cards = 1;
  read_fields(&node, at, problems,
              {{"gpu", &row.gpu},
               {"params_b", &row.params_b, kPositive},
               Field("tokens_per_card_day", &row.tokens_per_card_day, kPositive).optional(),
               Field("tokens_per_month", &month, kPositive).optional(),
               Field("cards", &cards).optional(),
               {"at", &row.at}});
  row.tokens_per_card_month = cards > 0 ? month / static_cast<double>(cards) : 0;
  if (row.tokens_per_card_day <= 0 && month <= 0) {
    add_problem(problems, at, "missing", "tokens_per_card_day or tokens_per_month");
  }
}

void read_plan(const JsonValue& node, const std::string& at, Problems& problems, ArticlePlan& row) {
  read_fields(&node, at, problems,
              {{"id", &row.id},
               {"offers", &row.offers},
               {"gpu", &row.gpu},
               {"cards", &row.cards},
               {"params_b", &row.band},
               Field::decimal("monthly", &row.monthly),
               Field::decimal("hourly", &row.hourly).optional(),
               Field::decimal("average_monthly", &row.average_monthly),
               {"storage_tb", &row.storage_tb},
               Field("uplink_mbit_s", &row.uplink_mbit_s).optional(),
               Field::note("at")});
}

void read_band(const JsonValue& node, const std::string& at, Problems& problems,
               ArticleStorage& row) {
  read_fields(&node, at, problems, {{"params_b", &row.band}, {"terabytes", &row.terabytes}});
}

void read_config(const JsonValue& node, const std::string& at, Problems& problems,
                 ArticleConfig& row) {
  double least = 0;
  double most = 0;
  read_fields(&node, at, problems,
              {{"params_b", &row.band},
               {"name", &row.name},
               {"gpus", &row.gpus},
               {"memory_gb", &row.memory_gb, kPositive},
               {"cards", &least, &most},
               Field::note("at")});
  row.least_cards = static_cast<std::int64_t>(least);
  row.most_cards = static_cast<std::int64_t>(most);
}

void read_billing(const JsonValue& node, const std::string& at, Problems& problems,
                  ArticleBilling& row) {
  read_fields(
      &node, at, problems,
      {{"months", &row.low_months, &row.high_months}, {"way", &row.way}, Field::note("at")});
}

void read_profile(const JsonValue& node, const std::string& at, Problems& problems,
                  ArticleProfile& row) {
  read_fields(&node, at, problems,
              {{"code", &row.code},
               {"params_b", &row.band},
               {"budget", &row.low_budget, &row.high_budget},
               {"plan", &row.plan},
               Field::note("at")});
}

void read_fee(const JsonValue& node, const std::string& at, Problems& problems, ArticleFees& row) {
  read_fields(&node, at, problems, {{"code", &row.code}, {"share", &row.low, &row.high}});
}

void read_terms(const JsonValue& node, Article& article, Problems& problems) {
  const auto object = [&](const char* name, std::initializer_list<Field> fields) {
    read_fields(node.find(name), pointer("/article", name), problems, fields);
  };
  object("memory", {{"weight_bytes", &article.weight_bytes, kPositive},
                    {"gradient_bytes", &article.gradient_bytes, kPositive},
                    {"optimizer_bytes", &article.optimizer_bytes, kPositive},
                    {"activation_gb", &article.activation_low_gb, &article.activation_high_gb},
                    {"reduction", &article.reduction, limits::share},
                    Field::note("at")});
  object("communication", {{"cards", &article.communication_cards}, Field::note("at")});
  object("month", {{"days", &article.days_per_month, kPositive}, Field::note("at")});
  std::string paid;
  object("annual", {Field::decimal("paid", &paid), Field::note("at")});
  article.annual_paid = Decimal::parse(paid).value_or(Decimal{});
  object("long_term", {{"months", &article.long_term_months},
                       {"discount", &article.long_term_low, &article.long_term_high},
                       Field::note("at")});
  object("training_time",
         {{"deviation", &article.period_deviation, limits::share}, Field::note("at")});
  object("delivery", {{"single_hours", &article.delivery_single_hours},
                      {"cluster_hours", &article.delivery_cluster_hours},
                      {"own_build_days", &article.own_build_low_days, &article.own_build_high_days},
                      Field::note("at")});
  object("stability", {{"interruption_rate", &article.interruption_rate, limits::share},
                       {"fluctuation", &article.fluctuation, limits::share},
                       {"availability", &article.availability, limits::share},
                       Field::note("at")});
  object("fees",
         {{"categories", &article.fee_categories}, Field::nested("shares"), Field::note("at")});
  object("storage", {Field::nested("bands"),
                     Field::nested("file_system"),
                     Field::nested("drive"),
                     {"free_tb", &article.free_storage_tb},
                     Field::note("at")});
  ArticleOwnership& own = article.ownership;
  object("ownership", {{"gpu", &own.gpu},
                       {"cards", &own.cards},
                       {"capex_per_card", &own.capex_per_card, kPositive},
                       {"staff_per_year", &own.staff_per_year},
                       {"rack_per_year", &own.rack_per_year},
                       {"power_per_year", &own.power_per_year},
                       {"depreciation", &own.depreciation, limits::share},
                       {"years", &own.years, kPositive},
                       {"rent_per_month", &own.rent_per_month},
                       Field::note("at")});
  object("check", {{"mfu", &article.mfu_for_physics, limits::positive_share},
                   {"implausible_ratio", &article.implausible_ratio, kPositive},
                   {"about", &article.about, limits::share},
                   {"size_margin", &article.size_margin, limits::share},
                   Field::note("source")});
}

void read_tables(const JsonValue& node, Article& article, Problems& problems) {
  const std::string at = "/article";
  if (const JsonValue* fees = node.find("fees")) {
    read_rows(*fees, at + "/fees", "shares", problems, article.fees, read_fee);
  }
  if (const JsonValue* storage = node.find("storage")) {
    const std::string storage_at = at + "/storage";
    read_rows(*storage, storage_at, "bands", problems, article.storage, read_band);
    read_fields(storage->find("file_system"), storage_at + "/file_system", problems,
                {{"from_params_b", &article.fast_storage_from_b, kPositive},
                 {"gb_s", &article.fast_storage_gb_s, kPositive}});
    read_fields(
        storage->find("drive"), storage_at + "/drive", problems,
        {{"gb_s", &article.drive_gb_s, kPositive}, {"latency_us", &article.drive_latency_us}});
  }
  read_rows(node, at, "sources", problems, article.sources, read_source);
  read_rows(node, at, "gpus", problems, article.gpus, read_gpu);
  read_rows(node, at, "days", problems, article.days, read_days);
  read_rows(node, at, "speeds", problems, article.speeds, read_speed);
  read_rows(node, at, "plans", problems, article.plans, read_plan);
  read_rows(node, at, "configs", problems, article.configs, read_config);
  read_rows(node, at, "billing", problems, article.billing, read_billing);
  read_rows(node, at, "profiles", problems, article.profiles, read_profile);
  read_rows(node, at, "statements", problems, article.statements, read_statement);
}

void read_article(const JsonValue& node, Article& article, Problems& problems) {
  read_fields(
      &node, "/article", problems,
      {Field::nested("sources"),       Field::nested("memory"),  Field::nested("communication"),
       Field::nested("month"),         Field::nested("annual"),  Field::nested("long_term"),
       Field::nested("training_time"), Field::nested("storage"), Field::nested("delivery"),
       Field::nested("stability"),     Field::nested("fees"),    Field::nested("gpus"),
       Field::nested("days"),          Field::nested("speeds"),  Field::nested("plans"),
       Field::nested("configs"),       Field::nested("billing"), Field::nested("profiles"),
       Field::nested("ownership"),     Field::nested("check"),   Field::nested("statements")});
  read_terms(node, article, problems);
  read_tables(node, article, problems);
  if (article.days_per_month <= 0) return;  // a problem already
  for (ArticleSpeed& speed : article.speeds) {
    if (speed.tokens_per_card_day > 0) continue;
    speed.tokens_per_card_day = speed.tokens_per_card_month / article.days_per_month;
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

}  // namespace

void read_statement(const JsonValue& node, const std::string& at, Problems& problems,
                    Statement& statement) {
  SizeBand band;
  read_fields(&node, at, problems,
              {{"id", &statement.id},
               {"at", &statement.at},
               {"rule", &statement.rule},
               {"unit", &statement.unit},
               Field::nested("in").optional(),
               Field::nested("stated").optional(),
               Field("step", &statement.step).optional(),
               Field("approximate", &statement.approximate).optional(),
               Field("gpus", &statement.gpus).optional(),
               Field("plans", &statement.plans).optional(),
               Field("params_b", &band).optional()});
  if (node.find("params_b") != nullptr) statement.band = band;
  if (const JsonValue* stated = node.find("stated")) {
    statement.stated = read_numbers(*stated, pointer(at, "stated"), problems);
  }
  const JsonValue* inputs = node.find("in");
  if (inputs == nullptr) return;
  for (const JsonValue& input : *inputs) {
    statement.inputs.push_back({std::string(input.name()),
                                read_numbers(input, pointer(at + "/in", input.name()), problems)});
  }
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
      catalog.article = std::make_shared<const Article>(std::move(article));
    }
  }
  Calendar& calendar = catalog.calendar;
  read_fields(document.find("calendar"), "/calendar", problems,
              {{"hours_per_day", &calendar.hours_per_day, kPositive},
               {"days_per_year", &calendar.days_per_year, kPositive},
               {"months_per_year", &calendar.months_per_year, kPositive},
               Field::note("source")});
}

}  // namespace traintally
