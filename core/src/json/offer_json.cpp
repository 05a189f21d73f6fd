#include <traintally/money.hpp>

#include "../nearest.hpp"
#include "entry_json.hpp"
#include "names.hpp"

namespace traintally {
namespace {

constexpr std::size_t kSourceLength = 1000;
constexpr std::size_t kMostPrices = 16;
constexpr std::size_t kMostSuggested = 1000;  // ids that a misspelt one is compared with
constexpr RealRange kMonths{0, 1200, true};

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
  return text.size() == 7 || (number(8) >= 1 && number(8) <= 31);
}

std::string read_day(ObjectReader& reader, const char* name) {
  const std::optional<std::string> day = reader.text(name);
  if (day && !is_day(*day)) reader.problem(name, "not_date", "2026-11-30");
  return day.value_or("");
}

std::string read_currency(ObjectReader& reader) {
  const std::optional<std::string> currency = reader.text("currency");
  if (!currency && !reader.has("currency")) reader.missing("currency", "ISO 4217");
  if (currency && !Currency::parse(*currency)) {
    reader.problem("currency", "not_currency", "ISO 4217");
  }
  return currency.value_or("");
}

/// The array `name`, or none; code wrong_type.
const Json::array_t* find_array(ObjectReader& reader, const char* name) {
  const Json* node = reader.find(name);
  if (node == nullptr) return nullptr;
  const auto* items = node->get_ptr<const Json::array_t*>();
  if (items == nullptr) reader.problem(name, "wrong_type", "array");
  return items;
}

OfferPrice read_price(const Json& node, const std::string& at, Problems& problems) {
  OfferPrice price;
  ObjectReader reader(node, at, problems);
  if (!reader.is_object()) return price;
  const std::optional<BillingMode> mode = reader.one_of("mode", names::billing_modes);
  if (!mode && !reader.has("mode"))
    reader.missing("mode", "on_demand, daily, monthly, annual, spot");
  price.mode = mode.value_or(BillingMode::on_demand);
  const std::optional<std::string> period = reader.text("per");
  if (mode && period && *period != period_of(*mode)) {
    reader.problem("per", "not_one_of", period_of(*mode));
  }
  const std::optional<std::string> value = reader.decimal("value");
  if (!value && !reader.has("value")) reader.missing("value", "\"12.50\"");
  price.value = value.value_or("");
  reader.decimal("low");
  reader.decimal("high");
  price.currency = read_currency(reader);
  price.tax_included = reader.flag("tax_included").value_or(true);
  price.minimum_term_months = reader.real("minimum_term_months", kMonths).value_or(0);
  price.rounding_s = reader.real("rounding_s", limits::positive_duration).value_or(0);
  reader.finish();
  return price;
}

void read_prices(ObjectReader& parent, OfferEntry& offer) {
  const Json::array_t* items = find_array(parent, "prices");
  if (items == nullptr || items->empty() || items->size() > kMostPrices) {
    if (items != nullptr || !parent.has("prices")) {
      parent.missing("prices", "1 to " + std::to_string(kMostPrices) + " prices");
    }
    return;
  }
  for (std::size_t i = 0; i < items->size(); ++i) {
    const std::string at = pointer(parent.at("prices"), i);
    OfferPrice price = read_price((*items)[i], at, parent.problems());
    for (const OfferPrice& other : offer.prices) {
      if (other.mode == price.mode) {
        add_problem(parent.problems(), pointer(at, "mode"), "duplicate_mode", "each mode once");
      }
    }
    offer.prices.push_back(std::move(price));
  }
}

Known read_known(ObjectReader& reader, const char* name) {
  const Json* node = reader.find(name);
  if (node == nullptr) return Known::unknown;
  if (const auto* flag = node->get_ptr<const Json::boolean_t*>()) {
    return *flag ? Known::yes : Known::no;
  }
  const auto* text = node->get_ptr<const Json::string_t*>();
  if (text == nullptr || *text != "unknown") {
    reader.problem(name, "not_one_of", "true, false, unknown");
  }
  return Known::unknown;
}

void read_checklist(ObjectReader& parent, OfferEntry& offer) {
  const Json* node = parent.find("checklist");
  if (node == nullptr) return;
  ObjectReader reader(*node, parent.at("checklist"), parent.problems());
  offer.rdma = read_known(reader, "rdma");
  offer.parallel_storage = read_known(reader, "parallel_storage");
  offer.frameworks = read_known(reader, "frameworks");
  offer.isolation = read_known(reader, "isolation");
  offer.support = read_known(reader, "support");
  reader.finish();
}

void read_included(ObjectReader& parent) {
  const Json* node = parent.find("included");
  if (node == nullptr) return;
  ObjectReader reader(*node, parent.at("included"), parent.problems());
  for (const char* name : kIncluded) reader.flag(name);
  reader.finish();
}

void read_other_prices(ObjectReader& parent) {
  const Json::array_t* items = find_array(parent, "other_prices");
  if (items == nullptr) return;
  for (std::size_t i = 0; i < items->size(); ++i) {
    ObjectReader reader((*items)[i], pointer(parent.at("other_prices"), i), parent.problems());
    if (!reader.is_object()) continue;
    if (!reader.one_of("mode", names::billing_modes) && !reader.has("mode"))
      reader.missing("mode", "on_demand");
    if (!reader.decimal("value") && !reader.has("value")) reader.missing("value", "\"12.50\"");
    read_currency(reader);
    required_text(reader, "where");
    reader.finish();
  }
}

void read_fits(ObjectReader& reader) {
  const Json::array_t* items = find_array(reader, "fits_params_b");
  if (items == nullptr) return;
  const std::string at = reader.at("fits_params_b");
  if (items->empty() || items->size() > 2) {
    add_problem(reader.problems(), at, "out_of_range", "1 or 2 numbers");
  }
  for (std::size_t i = 0; i < items->size(); ++i) {
    if (!(*items)[i].is_number()) {
      add_problem(reader.problems(), pointer(at, i), "wrong_type", "number");
    } else {
      check_range((*items)[i].get<double>(), limits::gigabytes, pointer(at, i), reader.problems());
    }
  }
}

void read_long_term(ObjectReader& parent) {
  const Json* node = parent.find("long_term_discount");
  if (node == nullptr) return;
  ObjectReader reader(*node, parent.at("long_term_discount"), parent.problems());
  if (!reader.real("months", kMonths) && !reader.has("months")) reader.missing("months", "> 0");
  if (!reader.decimal("low") && !reader.has("low")) reader.missing("low", "\"0.05\"");
  if (!reader.decimal("high") && !reader.has("high")) reader.missing("high", "\"0.10\"");
  reader.finish();
}

void read_stated(ObjectReader& parent, OfferEntry& offer) {
  const Json* node = parent.find("stated");
  if (node == nullptr) return;
  ObjectReader reader(*node, parent.at("stated"), parent.problems());
  offer.stated_year = reader.decimal("year_price").value_or("");
  read_other_prices(reader);
  read_fits(reader);
  reader.text("network");
  reader.text("delivery");
  reader.real("utilization", limits::positive_share);
  read_long_term(reader);
  reader.finish();
}

void read_annual_factor(ObjectReader& reader, OfferEntry& offer) {
  const std::optional<std::string> factor = reader.decimal("annual_factor");
  if (!factor) return;
  const std::optional<Decimal> share = Decimal::parse(*factor);
  if (!share || share->is_zero() || *share > Decimal::from_integer(1)) {
    reader.problem("annual_factor", "out_of_range", "> 0, <= 1");
  }
  offer.annual_factor = *factor;
}

/// The GPU that the offer names, by id or by any name.
const GpuEntry* read_offer_gpu(ObjectReader& reader, const Catalog& catalog) {
  const std::optional<std::string> name = reader.text("gpu");
  if (!name) {
    if (!reader.has("gpu")) reader.missing("gpu", "catalogue id");
    return nullptr;
  }
  if (const GpuEntry* gpu = catalog.find_gpu(*name)) return gpu;
  std::vector<std::string_view> ids;
  for (const GpuEntry& gpu : catalog.gpus) {
    if (ids.size() < kMostSuggested) ids.push_back(gpu.id);
  }
  reader.problem("gpu", "unknown_gpu", nearest_names(*name, ids));
  return nullptr;
}

/// Offers count packages, the core counts devices: a price for a package is one for its devices.
void count_devices(OfferEntry& offer, std::int64_t devices) {
  if (devices <= 1) return;
  offer.count = offer.per_gpu ? devices : offer.count * devices;
  offer.per_gpu = false;
}

}  // namespace

OfferEntry read_offer(const Json& node, const std::string& at, const Catalog& catalog,
                      Problems& problems) {
  const std::size_t before = problems.size();
  OfferEntry offer;
  ObjectReader reader(node, at, problems);
  if (!reader.is_object()) return offer;
  offer.id = required_text(reader, "id");
  offer.provider = required_text(reader, "provider");
  if (const Json* names = reader.find("name")) {
    ObjectReader name(*names, reader.at("name"), problems);
    offer.name_en = name.text("en").value_or("");
    offer.name_zh = name.text("zh").value_or("");
    name.finish();
  }
  const GpuEntry* gpu = read_offer_gpu(reader, catalog);
  offer.gpu = gpu == nullptr ? "" : gpu->id;
  offer.count = reader.whole("count", limits::gpus).value_or(1);
  offer.per_gpu = reader.one_of("per", kPer).value_or(false);
  read_prices(reader, offer);
  read_annual_factor(reader, offer);
  offer.stated_month_average = reader.decimal("market_average_month").value_or("");
  offer.storage_tb = reader.real("storage_tb", limits::terabytes).value_or(0);
  offer.bandwidth_mbit_s = reader.real("bandwidth_mbit_s", limits::rate_or_none).value_or(0);
  read_included(reader);
  read_stated(reader, offer);
  read_checklist(reader, offer);
  offer.date = read_day(reader, "date");
  if (!reader.has("date")) reader.missing("date", "2026-11-30");
  offer.valid_until = read_day(reader, "valid_until");
  offer.source = reader.text("source", kSourceLength).value_or("");
  reader.one_of("tier", kTiers);
  offer.confidence = reader.one_of("confidence", kConfidences).value_or(Confidence::medium);
  reader.finish();
  if (problems.size() == before) count_devices(offer, gpu->devices);
  return offer;
}

void fill_offer(Json& node) {
  auto& fields = *node.get_ptr<Json::object_t*>();
  fields.try_emplace("count", 1);
  fields.try_emplace("per", "plan");
  fields.try_emplace("confidence", "medium");
  for (Json& price : *fields["prices"].get_ptr<Json::array_t*>()) {
    auto& members = *price.get_ptr<Json::object_t*>();
    for (const Named<BillingMode>& mode : names::billing_modes) {
      if (members["mode"] == mode.name) members.try_emplace("per", period_of(mode.value));
    }
    members.try_emplace("tax_included", true);
  }
  Json& checklist = fields.try_emplace("checklist", Json::object()).first->second;
  for (const char* name : kChecklist) {
    checklist.get_ptr<Json::object_t*>()->try_emplace(name, "unknown");
  }
}

}  // namespace traintally
