#include <traintally/money.hpp>

#include "../nearest.hpp"
#include "entry_json.hpp"
#include "fields.hpp"
#include "names.hpp"

namespace traintally {
namespace {

constexpr std::uint16_t kSourceLength = 1000;
constexpr std::size_t kMostPrices = 16;
constexpr RealRange kMonths{0, 1200, true};

constexpr Field::Kind kDecimal = Field::Kind::decimal;

constexpr FieldOf<OfferEntry> kFields[] = {
    TRAINTALLY_FIELD(OfferEntry, id).need(),
    TRAINTALLY_FIELD(OfferEntry, provider).need(),
    TRAINTALLY_FIELD(OfferEntry, count, &limits::gpus),
    TRAINTALLY_FIELD_AS(OfferEntry, "market_average_month", stated_month_average).as(kDecimal),
    TRAINTALLY_FIELD(OfferEntry, storage_tb, &limits::terabytes),
    TRAINTALLY_FIELD(OfferEntry, bandwidth_mbit_s, &limits::rate_or_none),
    TRAINTALLY_FIELD(OfferEntry, source).at_most(kSourceLength)};
constexpr FieldOf<OfferEntry> kNames[] = {TRAINTALLY_FIELD_AS(OfferEntry, "en", name_en),
                                          TRAINTALLY_FIELD_AS(OfferEntry, "zh", name_zh)};
constexpr FieldOf<OfferEntry> kStated[] = {
    TRAINTALLY_FIELD_AS(OfferEntry, "year_price", stated_year).as(kDecimal),
    Field::note("network", limits::name_length), Field::note("delivery", limits::name_length),
    Field::number("utilization", limits::positive_share)};
constexpr FieldOf<OfferEntry> kLongTerm[] = {
    TRAINTALLY_FIELD_AS(OfferEntry, "months", long_term_months, &kMonths).need(),
    TRAINTALLY_FIELD_AS(OfferEntry, "low", long_term_low).as(kDecimal).need(),
    TRAINTALLY_FIELD_AS(OfferEntry, "high", long_term_high).as(kDecimal).need()};
constexpr FieldOf<OfferEntry> kReliability[] = {
    TRAINTALLY_FIELD(OfferEntry, failures_per_gpu_day, &limits::failures),
    TRAINTALLY_FIELD(OfferEntry, interruption_rate, &limits::failures),
    TRAINTALLY_FIELD(OfferEntry, availability, &limits::positive_share)};
constexpr FieldOf<OfferPrice> kPrice[] = {
    TRAINTALLY_FIELD(OfferPrice, value).as(kDecimal).need(),
    Field::other("low").as(kDecimal),
    Field::other("high").as(kDecimal),
    TRAINTALLY_FIELD(OfferPrice, tax_included),
    TRAINTALLY_FIELD(OfferPrice, minimum_term_months, &kMonths),
    TRAINTALLY_FIELD(OfferPrice, rounding_s, &limits::positive_duration)};

/// The period that a mode's price is for.
constexpr Named<BillingMode> kPeriods[] = {{"hour", BillingMode::on_demand},
                                           {"day", BillingMode::daily},
                                           {"month", BillingMode::monthly},
                                           {"year", BillingMode::annual}};
constexpr Named<bool> kPer[] = {{"gpu", true}, {"plan", false}};
constexpr const char* kIncluded[] = {
    "network", "storage", "software_licences", "operations", "data_migration", "backup", "scaling"};
constexpr const char* kChecklist[] = {"rdma", "parallel_storage", "frameworks", "isolation",
                                      "support"};

enum class Tier : std::uint8_t { provider, hyperscaler, neocloud, marketplace, market };
constexpr Named<Tier> kTiers[] = {{"provider", Tier::provider},
                                  {"hyperscaler", Tier::hyperscaler},
                                  {"neocloud", Tier::neocloud},
                                  {"marketplace", Tier::marketplace},
                                  {"market", Tier::market}};

const char* period_of(BillingMode mode) {
  return name_of(kPeriods, mode == BillingMode::spot ? BillingMode::on_demand : mode);
}

/// "2026-11-30", or "2026-11" where the day is not known.
bool is_day(std::string_view text) {
  if (text.size() != 7 && text.size() != 10) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 4 || i == 7;
    if (dash ? text[i] != '-' : text[i] < '0' || text[i] > '9') return false;
  }
  const auto number = [text](std::size_t i) { return (text[i] - '0') * 10 + (text[i + 1] - '0'); };
  if (number(5) < 1 || number(5) > 12) return false;
  if (text.size() == 7) return true;
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const int year = number(0) * 100 + number(2);
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  const int days = kDays[number(5) - 1] + (leap && number(5) == 2 ? 1 : 0);
  return number(8) >= 1 && number(8) <= days;
}

std::string_view read_currency(ObjectReader& reader) {
  reader.require("currency", "ISO 4217");
  const std::optional<std::string_view> currency = reader.text("currency");
  if (currency && !Currency::parse(*currency)) {
    reader.problem("currency", "not_currency", "ISO 4217");
  }
  return currency.value_or("");
}

OfferPrice read_price(const JsonValue& node, const std::string& at, Problems& problems) {
  OfferPrice price;
  ObjectReader reader(node, at, problems);
  if (!reader.is_object()) return price;
  const std::optional<BillingMode> mode = reader.one_of("mode", names::billing_modes);
  reader.require("mode", NameList(names::billing_modes).joined());
  price.mode = mode.value_or(BillingMode::on_demand);
  const std::optional<std::string_view> period = reader.text("per");
  if (mode && period && *period != period_of(*mode)) {
    reader.problem("per", "not_one_of", period_of(*mode));
  }
  read_fields(reader, price, kPrice);
  price.currency = read_currency(reader);
  reader.finish();
  return price;
}

void read_prices(ObjectReader& parent, OfferEntry& offer) {
  const JsonValue* list = parent.array("prices");
  const std::size_t count = list == nullptr ? 0 : list->size();
  if (count == 0 || count > kMostPrices) {
    if (list != nullptr || !parent.has("prices")) {
      parent.missing("prices", "1 to " + std::to_string(kMostPrices) + " prices");
    }
    return;
  }
  for (const JsonValue& item : *list) {
    const std::string at = pointer(parent.at("prices"), offer.prices.size());
    OfferPrice price = read_price(item, at, parent.problems());
    for (const OfferPrice& other : offer.prices) {
      if (other.mode == price.mode) {
        add_problem(parent.problems(), pointer(at, "mode"), "duplicate_mode", "each mode once");
      }
    }
    offer.prices.push_back(price);
  }
}

Known read_known(ObjectReader& reader, const char* name) {
  const JsonValue* node = reader.find(name);
  if (node == nullptr) return Known::unknown;
  if (node->is_boolean()) return node->boolean() ? Known::yes : Known::no;
  if (node->text() != "unknown") reader.problem(name, "not_one_of", "true, false, unknown");
  return Known::unknown;
}

void read_checklist(ObjectReader& parent, OfferEntry& offer) {
  ObjectReader reader(parent, "checklist");
  if (!reader.is_object()) return;
  offer.rdma = read_known(reader, "rdma");
  offer.parallel_storage = read_known(reader, "parallel_storage");
  offer.frameworks = read_known(reader, "frameworks");
  offer.isolation = read_known(reader, "isolation");
  offer.support = read_known(reader, "support");
  reader.finish();
}

void read_included(ObjectReader& parent) {
  ObjectReader reader(parent, "included");
  if (!reader.is_object()) return;
  for (const char* name : kIncluded) reader.flag(name);
  reader.finish();
}

void read_other_prices(ObjectReader& parent) {
  const JsonValue* list = parent.array("other_prices");
  if (list == nullptr) return;
  std::size_t index = 0;
  for (const JsonValue& item : *list) {
    ObjectReader reader(item, pointer(parent.at("other_prices"), index++), parent.problems());
    if (!reader.is_object()) continue;
    reader.one_of("mode", names::billing_modes);
    reader.require("mode", "on_demand");
    reader.decimal("value");
    reader.require("value", "\"12.50\"");
    read_currency(reader);
    required_text(reader, "where");
    reader.finish();
  }
}

void read_fits(ObjectReader& reader) {
  const JsonValue* list = reader.array("fits_params_b");
  if (list == nullptr) return;
  const std::size_t count = list->size();
  if (count < 1 || count > 2) reader.problem("fits_params_b", "out_of_range", "1 or 2 numbers");
  std::size_t index = 0;
  for (const JsonValue& item : *list) {
    const std::string at = pointer(reader.at("fits_params_b"), index++);
    if (!item.is_number()) {
      add_problem(reader.problems(), at, "wrong_type", "number");
    } else {
      check_range(item.number(), limits::gigabytes, at, reader.problems());
    }
  }
}

void read_long_term(ObjectReader& parent, OfferEntry& offer) {
  ObjectReader reader(parent, "long_term_discount");
  if (!reader.is_object()) return;
  read_fields(reader, offer, kLongTerm);
  reader.finish();
}

void read_stated(ObjectReader& parent, OfferEntry& offer) {
  ObjectReader reader(parent, "stated");
  if (!reader.is_object()) return;
  read_fields(reader, offer, kStated);
  read_other_prices(reader);
  read_fits(reader);
  read_long_term(reader, offer);
  reader.finish();
}

void read_reliability(ObjectReader& parent, OfferEntry& offer) {
  ObjectReader reader(parent, "reliability");
  if (!reader.is_object()) return;
  read_fields(reader, offer, kReliability);
  reader.finish();
}

void read_annual_factor(ObjectReader& reader, OfferEntry& offer) {
  const std::optional<std::string_view> factor = reader.decimal("annual_factor");
  if (!factor) return;
  const std::optional<Decimal> share = Decimal::parse(*factor);
  if (!share || share->is_zero() || *share > Decimal::from_integer(1)) {
    reader.problem("annual_factor", "out_of_range", "> 0, <= 1");
  }
  offer.annual_factor = *factor;
}

/// The GPU that the offer names, by id or by any name.
const GpuEntry* read_offer_gpu(ObjectReader& reader, const Catalog& catalog) {
  const std::optional<std::string_view> name = reader.text("gpu");
  if (!name) {
    if (!reader.has("gpu")) reader.missing("gpu", "catalogue id");
    return nullptr;
  }
  if (const GpuEntry* gpu = catalog.find_gpu(*name)) return gpu;
  reader.problem("gpu", "unknown_gpu", nearest_ids(*name, catalog.gpus));
  return nullptr;
}

/// Offers count packages, the core counts devices: a price for a package is one for its devices.
void count_devices(OfferEntry& offer, std::int64_t devices) {
  if (devices <= 1) return;
  offer.count = offer.per_gpu ? devices : offer.count * devices;
  offer.per_gpu = false;
}

void write_prices(JsonWriter& writer, const JsonValue& prices) {
  writer.begin_array();
  for (const JsonValue& price : prices) {
    writer.begin_object();
    writer.members(price);
    if (price.find("per") == nullptr) {
      const std::size_t mode = NameList(names::billing_modes).find(price.find("mode")->text());
      writer.text("per", period_of(names::billing_modes[mode].value));
    }
    if (price.find("tax_included") == nullptr) writer.flag("tax_included", true);
    writer.end_object();
  }
  writer.end_array();
}

void write_checklist(JsonWriter& writer, const JsonValue* given) {
  writer.begin_object();
  if (given != nullptr) writer.members(*given);
  for (const char* name : kChecklist) {
    if (given == nullptr || given->find(name) == nullptr) writer.text(name, "unknown");
  }
  writer.end_object();
}

}  // namespace

std::string_view read_day(ObjectReader& reader, const char* name) {
  const std::optional<std::string_view> day = reader.text(name);
  if (day && !is_day(*day)) reader.problem(name, "not_date", "2026-11-30");
  return day.value_or("");
}

void read_entry(const JsonValue& node, const std::string& at, const Catalog& catalog,
                OfferEntry& offer, Problems& problems) {
  const std::size_t before = problems.size();
  ObjectReader reader(node, at, problems);
  if (!reader.is_object()) return;
  read_fields(reader, offer, kFields);
  ObjectReader name(reader, "name");
  read_fields(name, offer, kNames);
  name.finish();
  const GpuEntry* gpu = read_offer_gpu(reader, catalog);
  offer.gpu = gpu == nullptr ? "" : gpu->id;
  offer.per_gpu = reader.one_of("per", kPer).value_or(false);
  read_prices(reader, offer);
  read_annual_factor(reader, offer);
  read_included(reader);
  read_stated(reader, offer);
  read_checklist(reader, offer);
  read_reliability(reader, offer);
  offer.date = read_day(reader, "date");
  reader.require("date", "2026-11-30");
  offer.valid_until = read_day(reader, "valid_until");
  reader.one_of("tier", kTiers);
  offer.confidence = reader.one_of("confidence", kConfidences).value_or(Confidence::medium);
  reader.finish();
  if (problems.size() == before) count_devices(offer, gpu->devices);
}

void write_entry(JsonWriter& writer, const JsonValue& node, const OfferEntry& entry,
                 const Catalog& /*catalog*/) {
  for (const JsonValue& field : node) {
    writer.key(field.name());
    if (field.name() == "gpu") {
      writer.text(entry.gpu);
    } else if (field.name() == "prices") {
      write_prices(writer, field);
    } else if (field.name() == "checklist") {
      write_checklist(writer, &field);
    } else {
      writer.json(field);
    }
  }
  if (node.find("count") == nullptr) writer.whole("count", 1);
  if (node.find("per") == nullptr) writer.text("per", "plan");
  if (node.find("confidence") == nullptr) writer.text("confidence", "medium");
  if (node.find("checklist") == nullptr) {
    writer.key("checklist");
    write_checklist(writer, nullptr);
  }
}

}  // namespace traintally
