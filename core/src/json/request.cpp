#include "request.hpp"

#include <algorithm>

#include "../nearest.hpp"
#include "catalog_json.hpp"
#include "report_json.hpp"

namespace traintally {
namespace {

constexpr int kQuantityScale = 9;

struct NamedPrice {
  const char* name;
  BillingMode mode;
  bool per_gpu;
};
constexpr NamedPrice kPrices[] = {
    {"per_gpu_hour", BillingMode::on_demand, true}, {"per_hour", BillingMode::on_demand, false},
    {"per_day", BillingMode::daily, false},         {"per_gpu_month", BillingMode::monthly, true},
    {"per_month", BillingMode::monthly, false},     {"per_year", BillingMode::annual, false}};

}  // namespace

std::vector<const JsonValue*> items_of(ObjectReader& reader, const char* name, std::size_t most) {
  std::vector<const JsonValue*> found;
  const JsonValue* node = reader.find(name);
  if (node == nullptr) return found;
  if (!node->is_array()) {
    reader.problem(name, "wrong_type", "array");
    return found;
  }
  if (node->size() > most) {
    reader.problem(name, "too_many", "<= " + std::to_string(most) + " entries");
    return found;
  }
  for (const JsonValue& item : *node) found.push_back(&item);
  return found;
}

std::optional<Decimal> decimal_of(const JsonValue& node) {
  if (node.is_number()) {
    // Fewer digits after the point where there are many before it.
    const double value = node.number();
    return decimal_from(value, value < 1e6 ? kQuantityScale : value < 1e12 ? 3 : 0).trimmed();
  }
  return Decimal::parse(node.text());
}

std::optional<Decimal> read_amount(ObjectReader& reader, const char* name) {
  const std::optional<std::string_view> text = reader.decimal(name);
  return text ? Decimal::parse(*text) : std::nullopt;
}

std::optional<Decimal> read_quantity(ObjectReader& reader, const char* name, RealRange range) {
  const std::optional<double> value = reader.real(name, range);
  if (!value) return std::nullopt;
  return decimal_from(*value, kQuantityScale).trimmed();
}

std::optional<std::int64_t> read_count(ObjectReader& reader, const char* name,
                                       const WholeRange& range) {
  const std::optional<std::int64_t> value = reader.whole(name, range);
  if (!value) return std::nullopt;
  return std::clamp(*value, range.low, range.high);
}

Currency read_answer_currency(ObjectReader& reader) {
  const std::optional<std::string_view> text = reader.text("currency");
  if (!text) return kCny;
  const std::optional<Currency> currency = Currency::parse(*text);
  if (currency && (*currency == kCny || *currency == kUsd)) return *currency;
  reader.problem("currency", "not_one_of", "CNY, USD");
  return kCny;
}

std::optional<ExchangeRate> read_rate(ObjectReader& reader, const Catalog& catalog) {
  const std::optional<std::string_view> text = reader.decimal("cny_per_usd");
  const std::optional<Decimal> rate = Decimal::parse(text ? *text : catalog.cny_per_usd);
  if (!rate || rate->units <= 0) {
    if (text) reader.problem("cny_per_usd", "not_positive", "> 0");
    return std::nullopt;
  }
  return ExchangeRate{kUsd, kCny, *rate};
}

PriceChoice read_prices(ObjectReader& reader, const Catalog& catalog, std::int64_t gpus) {
  PriceChoice choice;
  const std::optional<std::string_view> id = reader.text("offer");
  const std::string_view currency = reader.text("currency").value_or("CNY");
  if (currency != "CNY" && currency != "USD") {
    reader.problem("currency", "not_one_of", "CNY, USD");
  }
  const bool tax = reader.flag("tax_included").value_or(true);
  choice.tariff.unit_gpus = gpus;
  for (const NamedPrice& price : kPrices) {
    const std::optional<std::string_view> value = reader.decimal(price.name);
    if (!value) continue;
    if (choice.tariff.price(price.mode)) {
      reader.problem(price.name, "given_twice", "one price for a period");
    }
    set_price(choice.tariff, {price.mode, *value, currency, tax}, price.per_gpu);
  }
  if (id) {
    choice.offer = catalog.find_offer(*id);
    if (choice.offer == nullptr) {
      reader.problem("offer", "unknown_offer", nearest_ids(*id, catalog.offers));
    } else if (choice.tariff.empty()) {
      choice.tariff = tariff_of(*choice.offer);
    } else {
      choice.offer = nullptr;
    }
  }
  const std::optional<std::string_view> factor = reader.decimal("annual_factor");
  if (factor && !set_annual_factor(choice.tariff, *factor)) {
    reader.problem("annual_factor", "out_of_range", "> 0, <= 1");
  }
  return choice;
}

std::optional<Decimal> price_of_all(const Tariff& tariff, BillingMode mode, std::int64_t gpus,
                                    const std::optional<ExchangeRate>& rate, Currency to) {
  const std::optional<ModePrice>& price = tariff.price(mode);
  if (!price) return std::nullopt;
  const std::int64_t units = (gpus + tariff.unit_gpus - 1) / tariff.unit_gpus;
  const std::int64_t times = price->per_gpu ? units * tariff.unit_gpus : units;
  const Money money{multiply(price->value, times, 1, kMoneyScale), price->currency};
  if (money.currency == to) return money.amount;
  if (!rate) return std::nullopt;
  const std::optional<Money> converted = convert(money, *rate, to);
  return converted ? std::optional<Decimal>(converted->amount) : std::nullopt;
}

void begin_answer(JsonWriter& w, const Problems& problems, const std::vector<Absent>& absent,
                  const std::vector<Warning>& warnings) {
  w.begin_object();
  w.whole("version", 1);
  w.key("problems");
  write_problems(w, problems);
  write_absent(w, absent);
  write_warnings(w, warnings);
}

std::string join_answer(const Problems& problems, const std::vector<Absent>& absent,
                        const std::vector<Warning>& warnings, FigureWriter& figures) {
  JsonWriter w;
  begin_answer(w, problems, absent, warnings);
  std::string text = w.take();
  const std::string rest = figures.json().take();
  if (rest.size() > 2) {
    text += ',';
    text.append(rest, 1, rest.size() - 2);  // without its braces
  }
  text += '}';
  return text;
}

std::string refusal(const Problems& problems) {
  JsonWriter w;
  begin_answer(w, problems, {}, {});
  w.end_object();
  return w.take();
}

const Catalog& with_extension(const JsonValue& document, const Catalog& catalog,
                              std::optional<Catalog>& merged, Problems& problems) {
  const JsonValue* extension = document.find("catalog");
  if (extension == nullptr) return catalog;
  merged = catalog;
  load_entries(*extension, "/catalog", *merged, problems);
  return *merged;
}

}  // namespace traintally
