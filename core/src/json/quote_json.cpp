#include "quote_json.hpp"

#include <algorithm>

#include <traintally/quote.hpp>

#include "../nearest.hpp"
#include "fees_json.hpp"
#include "names.hpp"
#include "request.hpp"

namespace traintally {
namespace {

constexpr std::size_t kLongestText = 20'000;
constexpr RealRange kFigure{0, 1e15};
constexpr RealRange kPercents{0, 100};
constexpr RealRange kHundredths{0, 100, true};
constexpr RealRange kShareOfYear{0, 1, true};

/// Of a field's values.
const RealRange& range_of(QuoteField field) {
  switch (field) {
    case QuoteField::zhe:
      return kHundredths;
    case QuoteField::paid:
      return kShareOfYear;
    case QuoteField::discount_percent:
    case QuoteField::cheaper_percent:
    case QuoteField::unit_cheaper_percent:
    case QuoteField::hidden_fee_percent:
      return kPercents;
    default:
      return kFigure;
  }
}

constexpr Named<MatmulKind> kPrecisions[] = {
    {"bf16", MatmulKind::bf16}, {"fp8", MatmulKind::fp8}, {"fp4", MatmulKind::fp4}};

/// The verdicts as a buyer hears them.
constexpr Named<Verdict> kVerdicts[] = {{"holds", Verdict::holds},
                                        {"arithmetic_slip", Verdict::slip},
                                        {"conflicts", Verdict::conflict},
                                        {"does_not_fit", Verdict::infeasible},
                                        {"implausible", Verdict::implausible}};

void read_value(ObjectReader& reader, const JsonValue& node, const std::string& at,
                QuoteField field, std::vector<Decimal>& values) {
  const bool text_needed = is_money(field) && !node.is_string();
  const std::optional<Decimal> value = text_needed ? std::nullopt : decimal_of(node);
  constexpr int kDigits = 9;  // after the point
  if (!value || value->scale > kDigits) {
    add_problem(reader.problems(), at, is_money(field) ? "not_decimal" : "wrong_type",
                "number, or decimal as \"12.50\"");
    return;
  }
  if (field == QuoteField::count) {
    if (value->trimmed().scale > 0) {
      return add_problem(reader.problems(), at, "not_integer", accepted(limits::gpus));
    }
    if (!check_range(static_cast<std::int64_t>(value->approximate()), limits::gpus, at,
                     reader.problems())) {
      return;
    }
  }
  if (!check_range(value->approximate(), range_of(field), at, reader.problems())) return;
  values.push_back(value->trimmed());
}

bool differ(const std::vector<Decimal>& a, const std::vector<Decimal>& b) {
  const auto all_in = [](const std::vector<Decimal>& these, const std::vector<Decimal>& those) {
    return std::all_of(these.begin(), these.end(), [&](const Decimal& each) {
      return std::find(those.begin(), those.end(), each) != those.end();
    });
  };
  return !all_in(a, b) || !all_in(b, a);
}

/// Fields that are given take the place of what was read from the text, and say so where it says
/// otherwise.
void read_fields(ObjectReader& reader, const Catalog& catalog, Quote& quote,
                 std::vector<Warning>& warnings) {
  if (const auto plan = reader.text("plan")) quote.plan = *plan;
  if (const auto name = reader.text("gpu")) {
    const GpuEntry* gpu = catalog.find_gpu(*name);
    if (gpu == nullptr) reader.problem("gpu", "unknown_gpu", nearest_ids(*name, catalog.gpus));
    const bool other = gpu != nullptr && !quote.gpu.empty() && quote.gpu != gpu->id;
    if (other) warnings.push_back({"typed_gpu_over_text", {}});
    quote.gpu = gpu == nullptr ? "" : gpu->id;
  }
  if (reader.has("currency")) quote.currency = read_answer_currency(reader);
  if (const auto precision = reader.one_of("precision", kPrecisions)) quote.precision = *precision;
  if (const auto kind = reader.one_of("kind", names::kinds)) quote.kind = *kind;
  for (int i = 0; i < kQuoteFields; ++i) {
    const auto field = static_cast<QuoteField>(i);
    const char* name = quote_field_name(field);
    const JsonValue* node = reader.find(name);
    if (node == nullptr) continue;
    std::vector<Decimal>& values = quote.all(field);
    const std::vector<Decimal> read = std::move(values);
    values.clear();
    if (node->is_array()) {
      std::size_t index = 0;
      for (const JsonValue* item : items_of(reader, name, kMostQuoteValues)) {
        read_value(reader, *item, pointer(reader.at(name), index++), field, values);
      }
    } else {
      read_value(reader, *node, reader.at(name), field, values);
    }
    if (read.empty() || values.empty() || !differ(read, values)) continue;
    quote.is_range[i] = false;
    warnings.push_back(
        {"typed_over_text",
         {{"typed", values.front().approximate()}, {"read", read.front().approximate()}}});
  }
  std::size_t index = 0;
  for (const JsonValue* item : items_of(reader, "ranges", kQuoteFields)) {
    const std::string at = pointer(reader.at("ranges"), index++);
    int i = 0;
    while (i < kQuoteFields && item->text() != quote_field_name(static_cast<QuoteField>(i))) ++i;
    if (i < kQuoteFields && quote.values[i].size() == 2) {
      quote.is_range[i] = true;
    } else {
      add_problem(reader.problems(), at, "out_of_range", "a field with two values");
    }
  }
  if (reader.has("fees")) quote.fees = read_fees(reader);
  reader.finish();
}

void write_decimals(JsonWriter& w, QuoteField field, const std::vector<Decimal>& values) {
  w.begin_array(quote_field_name(field));
  for (const Decimal& value : values) {
    if (is_money(field)) {
      w.text(value.trimmed(2).text());
    } else {
      w.real(value.approximate());
    }
  }
  w.end_array();
}

void write_quote(JsonWriter& w, const Quote& quote) {
  w.begin_object("quote");
  if (!quote.plan.empty()) w.text("plan", quote.plan);
  if (!quote.gpu.empty()) w.text("gpu", quote.gpu);
  w.text("currency", quote.currency.text());
  w.text("kind", name_of(names::kinds, quote.kind));
  if (quote.precision != MatmulKind::bf16) {
    w.text("precision", name_of(kPrecisions, quote.precision));
  }
  for (int i = 0; i < kQuoteFields; ++i) {
    const auto field = static_cast<QuoteField>(i);
    if (quote.has(field)) write_decimals(w, field, quote.all(field));
  }
  const auto is_range = [&quote](int i) {
    return quote.is_range[i] && quote.values[i].size() == 2;
  };
  bool any = false;
  for (int i = 0; i < kQuoteFields; ++i) any = any || is_range(i);
  if (any) {
    w.begin_array("ranges");
    for (int i = 0; i < kQuoteFields; ++i) {
      if (is_range(i)) w.text(quote_field_name(static_cast<QuoteField>(i)));
    }
    w.end_array();
  }
  if (!quote.fees.empty()) write_fees(w, quote.fees);
  w.end_object();
}

void write_text(JsonWriter& w, const QuoteText& read) {
  w.begin_object("text");
  if (!read.gpu_text.empty()) {
    w.begin_object("gpu");
    w.text("text", read.gpu_text);
    w.text("value", read.quote.gpu);
    w.flag("assumed", read.gpu_assumed);
    w.end_object();
  }
  w.begin_array("understood");
  for (const QuoteFinding& finding : read.findings) {
    w.begin_object();
    w.text("field", quote_field_name(finding.field));
    w.real("value", finding.value.approximate());
    if (finding.currency) w.text("currency", finding.currency->text());
    w.text("text", finding.text);
    w.end_object();
  }
  w.end_array();
  w.begin_array("not_understood");
  for (const std::string& piece : read.not_understood) w.text(piece);
  w.end_array();
  w.end_object();
}

void write_statements(JsonWriter& w, const std::vector<QuoteStatement>& statements) {
  std::int64_t counts[std::size(kVerdicts)] = {};
  w.begin_array("statements");
  for (const QuoteStatement& s : statements) {
    for (std::size_t i = 0; i < std::size(kVerdicts); ++i) {
      if (kVerdicts[i].value == s.verdict) ++counts[i];
    }
    w.begin_object();
    w.text("code", s.code);
    w.begin_array("fields");
    for (const QuoteField field : s.fields) w.text(quote_field_name(field));
    w.end_array();
    w.text("verdict", name_of(kVerdicts, s.verdict));
    w.text("sentence_code", s.sentence_code);
    w.text("unit", s.unit);
    if (s.stated) w.real("stated", *s.stated);
    if (s.computed) w.real("computed", *s.computed);
    w.figures(s.figures);
    w.end_object();
  }
  w.end_array();
  w.begin_object("counts");
  for (std::size_t i = 0; i < std::size(kVerdicts); ++i) w.whole(kVerdicts[i].name, counts[i]);
  w.end_object();
}

void write_fee_sum(FigureWriter& w, const Quote& quote, const Catalog& catalog, double months) {
  const std::optional<Decimal> rent = quote_price(quote, BillingMode::monthly);
  if (quote.fees.empty() || !rent) return;
  const FeeSum sum = sum_fees(quote.fees, *rent, months, catalog.article.get());
  w.begin("fees");
  w.real("months", months);
  w.money("rent", {multiply(*rent, months, kMoneyScale), quote.currency});
  w.begin("by_category");
  for (const Named<FeeCategory>& category : kFeeCategoryNames) {
    w.money(category.name, {sum.by_category[static_cast<int>(category.value)], quote.currency});
  }
  w.end();
  w.money("total", {sum.total, quote.currency});
  w.real("share", sum.share);
  if (!sum.band.empty()) w.text("band", sum.band);
  w.json().begin_array("bands");
  if (catalog.article != nullptr) {
    for (const ArticleFees& band : catalog.article->fees) {
      w.json().begin_object();
      w.text("code", band.code);
      w.real("low", band.low);
      w.real("high", band.high);
      w.json().end_object();
    }
  }
  w.json().end_array();
  w.end();
}

}  // namespace

std::string quote_answer(std::string_view document, const Catalog& builtin) {
  Problems problems;
  std::vector<Absent> absent;
  std::vector<Warning> warnings;
  FigureWriter figures(absent);
  JsonWriter& w = figures.json();
  w.begin_object();
  const Document parsed(document, problems);
  const JsonValue& node = parsed.root();
  if (problems.empty()) {
    ObjectReader reader(node, "", problems);
    reader.whole("version", {1, 1});
    reader.find("catalog");
    std::optional<Catalog> merged;
    const Catalog& catalog = with_extension(node, builtin, merged, problems);
    const std::optional<ExchangeRate> rate = read_rate(reader, catalog);
    const double months = reader.real("months", {0, 1200, true}).value_or(1);
    QuoteText read;
    const std::optional<std::string_view> text = reader.text("text", kLongestText);
    const JsonValue* fields = reader.find("quote");
    std::optional<Currency> currency;
    if (const JsonValue* given = fields == nullptr ? nullptr : fields->find("currency")) {
      currency = Currency::parse(given->text());
    }
    if (text) read = read_quote_text(*text, catalog, rate, currency);
    Quote quote = read.quote;
    if (fields != nullptr) {
      ObjectReader given(*fields, reader.at("quote"), problems);
      read_fields(given, catalog, quote, warnings);
    } else if (!text) {
      reader.missing("quote", "text or quote");
    }
    reader.finish();
    if (problems.empty()) {
      if (text) write_text(w, read);
      if (read.incomparable) {
        warnings.push_back({"currencies_not_compared", {}});
      } else if (quote.converted) {
        warnings.push_back({"mixed_currencies", {{"cny_per_usd", rate->rate.approximate()}}});
      }
      if (quote.gpu.empty()) absent.push_back({"/quote/gpu", "no_gpu_recognised"});
      write_quote(w, quote);
      write_statements(w, judge_quote(quote, catalog, rate));
      write_fee_sum(figures, quote, catalog, months);
    }
  }
  w.end_object();
  return join_answer(problems, absent, warnings, figures);
}

}  // namespace traintally
