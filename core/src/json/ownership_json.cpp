#include "ownership_json.hpp"

#include <algorithm>

#include <traintally/ownership.hpp>

#include "../nearest.hpp"
#include "entry_json.hpp"
#include "names.hpp"
#include "request.hpp"

namespace traintally {
namespace {

constexpr std::size_t kSource = 1000;
constexpr RealRange kShare{0, 10};
// A number is kept to nine digits after the point: smaller ones would be none.
constexpr RealRange kMonths{1e-6, 600};
constexpr RealRange kUse{1e-6, 1};
constexpr std::int64_t kMost = 1'000'000'000'000;  // that an amount has room for
constexpr RealRange kWholeMonths{1, static_cast<double>(kMostOwnMonths)};
constexpr RealRange kDays{0, 3650};

/// Where an input stands in a request, and what it may be; no range: money.
struct InputField {
  OwnInput input;
  const char* section;
  const RealRange* range;
};
constexpr InputField kFields[] = {{OwnInput::server_price, "purchase", nullptr},
                                  {OwnInput::network_share, "purchase", &kShare},
                                  {OwnInput::spares_share, "purchase", &kShare},
                                  {OwnInput::residual_share, "purchase", &limits::share},
                                  {OwnInput::residual_months, "purchase", &kMonths},
                                  {OwnInput::capital_rate, "purchase", &kShare},
                                  {OwnInput::delivery_days, "purchase", &kDays},
                                  {OwnInput::load, "operation", &kUse},
                                  {OwnInput::host_factor, "operation", &limits::power_factor},
                                  {OwnInput::pue, "operation", &limits::power_factor},
                                  {OwnInput::tariff_per_kwh, "operation", nullptr},
                                  {OwnInput::rack_per_kw_month, "operation", nullptr},
                                  {OwnInput::staff_per_year, "operation", nullptr},
                                  {OwnInput::operations_share, "operation", &kShare},
                                  {OwnInput::rent_change, "rent", &kShare},
                                  {OwnInput::months, nullptr, &kWholeMonths},
                                  {OwnInput::utilization, nullptr, &kUse}};

constexpr Named<RentWay> kWays[] = {
    {"hour", RentWay::hour}, {"month", RentWay::month}, {"year", RentWay::year}};

Decimal noted_decimal(ObjectReader& reader, const char* name) {
  const JsonValue* node = reader.find(name);
  const std::optional<Decimal> value = node == nullptr ? std::nullopt : decimal_of(*node);
  if (!value) reader.missing(name, "number or decimal");
  return value.value_or(Decimal{});
}

void load_inputs(ObjectReader& parent, OwnershipTable& table) {
  const JsonValue* node = parent.find("inputs");
  if (node == nullptr) return parent.missing("inputs", "object");
  ObjectReader inputs(*node, parent.at("inputs"), parent.problems());
  for (int i = 1; i < kOwnInputs; ++i) {  // server_price is looked up by GPU
    const char* name = own_input_name(static_cast<OwnInput>(i));
    const JsonValue* entry = inputs.find(name);
    if (entry == nullptr) {
      inputs.missing(name, "object");
      continue;
    }
    ObjectReader reader(*entry, inputs.at(name), parent.problems());
    OwnDefault& input = table.inputs[i];
    input.value = noted_decimal(reader, "value");
    input.low = noted_decimal(reader, "low");
    input.high = noted_decimal(reader, "high");
    input.source = reader.text("source", kSource).value_or("");
    reader.text("mark");
    reader.finish();
  }
  inputs.finish();
}

/// One request, read against the catalogue and answered.
class OwnCommand {
 public:
  OwnCommand(const JsonValue& document, const Catalog& catalog) : catalog_(&catalog) {
    read(document);
  }

  std::string answer() {
    if (!problems_.empty()) {
      figures_.json().begin_object();
      figures_.json().end_object();
      return join_answer(problems_, absent_, warnings_, figures_);
    }
    result_ = own_or_rent(question_);
    if (result_.saturated) blame();
    JsonWriter& w = figures_.json();
    w.begin_object();
    write_resolved();
    if (!result_.saturated) {
      write_own();
      write_rent();
      write_comparison();
      write_sensitivity();
      write_market();
    }
    write_article();
    w.end_object();
    return join_answer(problems_, absent_, warnings_, figures_);
  }

 private:
  void read(const JsonValue& document) {
    ObjectReader reader(document, "", problems_);
    if (!reader.is_object()) return;
    reader.whole("version", {1, 1});
    reader.find("catalog");
    catalog_ = &with_extension(document, *catalog_, merged_, problems_);
    currency_ = read_answer_currency(reader);
    rate_ = read_rate(reader, *catalog_);
    question_.calendar = catalog_->calendar;
    const std::optional<std::string_view> preset = reader.text("preset");
    if (preset && *preset != "article") reader.problem("preset", "not_one_of", "article");
    article_ = preset == "article" && catalog_->article != nullptr;
    for (int i = 0; i < kOwnInputs; ++i) {
      question_.inputs[i] = catalog_->ownership.inputs[i].value;
      if (is_money(i)) question_.inputs[i] = in_answer_currency(question_.inputs[i]);
    }
    if (article_) take_article();
    read_section(reader, "purchase");
    read_section(reader, "operation");
    read_section(reader, "rent");
    for (const InputField& field : kFields) {
      if (field.section == nullptr) read_input(reader, field);
    }
    reader.finish();
    if (problems_.empty()) complete();
  }

  /// Which amount makes the sums leave their range, and how much of it would not.
  void blame() {
    constexpr std::int64_t kTen = 10;
    const auto bound = [&](Decimal& amount) -> std::optional<Decimal> {
      const Decimal typed = amount;
      std::optional<Decimal> most;
      for (Decimal each = Decimal::from_integer(kMost); !most && !each.is_zero();
           each = multiply(each, 1, kTen, 0)) {
        if (each >= typed) continue;
        amount = each;
        if (!own_or_rent(question_).saturated) most = each;
      }
      amount = typed;
      return most;
    };
    const auto report = [&](const std::string& at, Decimal& amount) {
      const std::optional<Decimal> most = bound(amount);
      if (most) problems_.push_back({at, "out_of_range", "<= " + most->text()});
      return most.has_value();
    };
    for (const InputField& field : kFields) {
      if (field.range != nullptr || !given_[static_cast<int>(field.input)]) continue;
      const std::string section = pointer("", field.section);
      if (report(pointer(section, own_input_name(field.input)), question_.at(field.input))) return;
    }
    const std::pair<const char*, std::optional<Decimal>*> rents[] = {
        {"hour", &question_.hour}, {"month", &question_.month}, {"year", &question_.year}};
    for (const auto& [period, price] : rents) {
      if (!*price) continue;
      const std::string name = std::string("per_gpu_") + period;
      const bool each =
          std::find(rent_names_.begin(), rent_names_.end(), name) != rent_names_.end();
      if (report(pointer("/rent", each ? name : std::string("per_") + period), **price)) return;
    }
    problems_.push_back({"/purchase/count", "out_of_range", "fewer GPUs, or smaller amounts"});
  }

  static bool is_money(int input) { return kFields[input].range == nullptr; }

  Decimal in_answer_currency(Decimal yuan) const {
    if (currency_ == kCny || !rate_) return yuan;
    const std::optional<Money> money = convert({yuan, kCny}, *rate_, currency_);
    return money ? money->amount : yuan;
  }

  void set(OwnInput input, double value) {
    question_.at(input) = decimal_from(value, kMoneyScale).trimmed();
    given_[static_cast<int>(input)] = true;
  }

  /// The article's own figures in the places where they belong; what it leaves out, by default.
  void take_article() {
    const ArticleOwnership& table = catalog_->article->ownership;
    const ArticleGpu* row = catalog_->article->find_gpu(table.gpu);
    if (row != nullptr && !row->gpus.empty()) gpu_ = row->gpus.front();
    question_.gpus = table.cards;
    unit_gpus_ = table.cards;
    set(OwnInput::server_price, table.capex_per_card * static_cast<double>(table.cards));
    set(OwnInput::staff_per_year, table.staff_per_year);
    set(OwnInput::operations_share, 0);
    set(OwnInput::network_share, 0);
    set(OwnInput::spares_share, 0);
    set(OwnInput::months, table.years * catalog_->calendar.months_per_year);
    set(OwnInput::utilization, 1);
    if (const GpuEntry* gpu = catalog_->find_gpu(gpu_)) {
      const double kw = gpu->gpu.power.value / 1000 * static_cast<double>(table.cards) *
                        question_.real(OwnInput::host_factor);
      if (kw > 0) set(OwnInput::rack_per_kw_month, table.rack_per_year / 12 / kw);
    }
    question_.month = decimal_from(table.rent_per_month, kMoneyScale).trimmed();
    for (const InputField& field : kFields) {
      if (field.range != nullptr || !given_[static_cast<int>(field.input)]) continue;
      question_.at(field.input) = in_answer_currency(question_.at(field.input));
    }
    question_.month = in_answer_currency(*question_.month);
  }

  void read_input(ObjectReader& reader, const InputField& field) {
    const char* name = own_input_name(field.input);
    std::optional<Decimal> value = field.range == nullptr
                                       ? read_amount(reader, name)
                                       : read_quantity(reader, name, *field.range);
    if (!value) return;
    if (field.input == OwnInput::months) value = value->rounded(0);
    question_.at(field.input) = *value;
    given_[static_cast<int>(field.input)] = true;
  }

  void read_section(ObjectReader& parent, const char* name) {
    const std::string_view section = name;
    const JsonValue* node = parent.find(name);
    if (node == nullptr) return;
    ObjectReader reader(*node, parent.at(name), problems_);
    if (!reader.is_object()) return;
    if (section == "purchase") {
      if (const auto gpu = reader.text("gpu")) gpu_ = *gpu;
      const GpuEntry* entry = catalog_->find_gpu(gpu_);
      if (entry == nullptr) {
        reader.problem("gpu", "unknown_gpu", nearest_ids(gpu_, catalog_->gpus));
      } else {
        gpu_ = entry->id;
      }
      if (const auto count = read_count(reader, "count", limits::gpus)) question_.gpus = *count;
      if (const auto unit = read_count(reader, "gpus_per_server", limits::per_node))
        unit_gpus_ = *unit;
    }
    if (section == "rent") {
      const PriceChoice choice = read_prices(reader, *catalog_, question_.gpus);
      if (choice.offer != nullptr) offer_ = choice.offer;
      for (const JsonValue& member : *node) rent_names_.emplace_back(member.name());
      if (!choice.tariff.empty()) take(choice.tariff);
    }
    for (const InputField& field : kFields) {
      if (field.section != nullptr && section == field.section) read_input(reader, field);
    }
    reader.finish();
  }

  void take(const Tariff& tariff) {
    question_.hour = price_of_all(tariff, BillingMode::on_demand, question_.gpus, rate_, currency_);
    question_.month = price_of_all(tariff, BillingMode::monthly, question_.gpus, rate_, currency_);
    question_.year = price_of_all(tariff, BillingMode::annual, question_.gpus, rate_, currency_);
    if (!question_.year && question_.month && tariff.annual_factor) {
      const std::int64_t months = static_cast<std::int64_t>(question_.calendar.months_per_year);
      const Decimal full = multiply(*question_.month, months, 1, kMoneyScale);
      question_.year = multiply(full, *tariff.annual_factor, kMoneyScale);
    }
  }

  /// The offer that rents these GPUs most cheaply over the months at the utilization.
  void take_cheapest_offer() {
    std::optional<Decimal> least;
    OwnQuestion best = question_;
    for (const OfferEntry& offer : catalog_->offers) {
      if (offer.gpu != gpu_) continue;
      take(tariff_of(offer));
      if (!question_.hour && !question_.month && !question_.year) continue;
      OwnQuestion asked = question_;
      const Decimal rent = own_or_rent(asked).end().rent;
      if (least && *least <= rent) continue;
      least = rent;
      best = question_;
      offer_ = &offer;
    }
    question_ = best;
  }

  void complete() {
    const GpuEntry* gpu = catalog_->find_gpu(gpu_);
    if (gpu == nullptr) {
      problems_.push_back({"/purchase/gpu", "unknown_gpu", nearest_ids(gpu_, catalog_->gpus)});
      return;
    }
    constexpr double kWatts = 1000;
    question_.board_kw = gpu->gpu.power.value / kWatts;
    const ServerPrice* market = catalog_->ownership.server_of(gpu_);
    if (unit_gpus_ == 0) unit_gpus_ = market == nullptr ? gpu->gpu.per_node : market->count;
    if (market != nullptr) {
      market_ = *market;
      for (Decimal* price : {&market_->low, &market_->value, &market_->high}) {
        *price = multiply(in_answer_currency(*price), unit_gpus_, market->count, kMoneyScale);
      }
    }
    question_.servers = (question_.gpus + unit_gpus_ - 1) / unit_gpus_;
    if (!given_[static_cast<int>(OwnInput::server_price)]) {
      if (!market_) {
        problems_.push_back({"/purchase/server_price", "missing", "no market price of this GPU"});
        return;
      }
      question_.at(OwnInput::server_price) = market_->value;
    }
    if (!question_.hour && !question_.month && !question_.year) take_cheapest_offer();
    if (!question_.hour && !question_.month && !question_.year) {
      problems_.push_back({"/rent", "missing", "no offer of this GPU: a price"});
    }
    if (question_.board_kw <= 0) absent_.push_back({"/own/power", "no_board_power"});
  }

  // Writing.

  void amount(const char* name, Decimal value) { figures_.money(name, {value, currency_}); }

  void value_of(const InputField& field) {
    const Decimal value = question_.at(field.input);
    const char* name = own_input_name(field.input);
    if (field.range == nullptr) {
      figures_.text(name, value.trimmed(2).text());
    } else {
      figures_.real(name, value.approximate());
    }
  }

  void write_fields(const char* section) {
    const std::string_view wanted = section;
    for (const InputField& field : kFields) {
      if (field.section != nullptr && wanted == field.section) value_of(field);
    }
  }

  void price(const char* name, const std::optional<Decimal>& value) {
    if (value) figures_.text(name, value->trimmed(2).text());
  }

  void write_resolved() {
    JsonWriter& w = figures_.json();
    figures_.begin("resolved");
    figures_.whole("version", 1);
    figures_.begin("purchase");
    figures_.text("gpu", gpu_);
    figures_.whole("count", question_.gpus);
    figures_.whole("gpus_per_server", unit_gpus_);
    write_fields("purchase");
    figures_.end();
    figures_.begin("operation");
    write_fields("operation");
    figures_.end();
    figures_.begin("rent");
    price("per_hour", question_.hour);
    price("per_month", question_.month);
    price("per_year", question_.year);
    figures_.text("currency", currency_.text());
    write_fields("rent");
    figures_.end();
    for (const InputField& field : kFields) {
      if (field.section == nullptr) value_of(field);
    }
    figures_.text("currency", currency_.text());
    if (rate_) figures_.text("cny_per_usd", rate_->rate.text());
    figures_.end();
    if (offer_ != nullptr) figures_.text("offer", offer_->id);
    // Where the defaults come from.
    w.begin_object("sources");
    for (const InputField& field : kFields) {
      const int i = static_cast<int>(field.input);
      if (given_[i]) continue;
      std::string at = field.section == nullptr ? "" : pointer("", field.section);
      const bool market = field.input == OwnInput::server_price && market_.has_value();
      w.key(pointer(at, own_input_name(field.input)));
      w.text(market ? market_->source : catalog_->ownership.inputs[i].source);
    }
    if (offer_ != nullptr) w.text("/rent", offer_->source);
    w.end_object();
  }

  void write_own() {
    figures_.begin("own");
    amount("servers", result_.servers);
    amount("network", result_.network);
    amount("spares", result_.spares);
    amount("purchase", result_.purchase);
    figures_.real("server_kw", result_.server_kw);
    figures_.real("grid_kw", result_.grid_kw);
    figures_.real("kwh_per_month", result_.kwh_per_month);
    amount("power_per_month", result_.power);
    amount("rack_per_month", result_.rack);
    amount("staff_per_month", result_.staff);
    amount("operations_per_month", result_.operations);
    amount("operation_per_month", result_.operation);
    const OwnMonth& end = result_.end();
    amount("bridging_rent", end.bridge);
    amount("operation_total", end.operation);
    amount("capital_cost", end.capital);
    amount("paid", end.paid);
    amount("residual_value", end.value);
    amount("total", end.own);
    amount("per_used_gpu_hour", result_.own_per_used_gpu_hour);
    figures_.end();
  }

  void write_rent() {
    figures_.begin("rent");
    figures_.text("way", name_of(kWays, result_.way));
    amount("per_month", result_.rent_per_month);
    amount("total", result_.end().rent);
    amount("per_used_gpu_hour", result_.rent_per_used_gpu_hour);
    figures_.end();
  }

  void write_comparison() {
    JsonWriter& w = figures_.json();
    figures_.text("cheaper", result_.saving.is_negative() ? "rent" : "own");
    amount("saving_by_owning", result_.saving);
    if (result_.breakeven_month) {
      figures_.whole("breakeven_month", *result_.breakeven_month);
    } else {
      absent_.push_back({"/breakeven_month", "not_within_ten_years"});
    }
    if (result_.breakeven_month_kept) {
      figures_.whole("breakeven_month_kept", *result_.breakeven_month_kept);
    } else {
      absent_.push_back({"/breakeven_month_kept", "not_within_ten_years"});
    }
    if (result_.breakeven_utilization) {
      figures_.begin("breakeven_utilization");
      figures_.real("value", *result_.breakeven_utilization);
      figures_.text("of", result_.breakeven_by_hours ? "hours" : "months");
      figures_.flag("reachable", *result_.breakeven_utilization <= 1);
      figures_.end();
    } else {
      absent_.push_back({"/breakeven_utilization", "rent_cheaper_at_any_use"});
    }
    w.begin_array("curve");
    for (std::size_t m = 0; m < result_.curve.size(); ++m) {
      const OwnMonth& month = result_.curve[m];
      w.begin_object();
      w.whole("month", static_cast<std::int64_t>(m));
      w.text("own", reported_amount(month.own).text());
      w.text("paid", reported_amount(month.paid).text());
      w.text("value", reported_amount(month.value).text());
      w.text("rent", reported_amount(month.rent).text());
      w.end_object();
    }
    w.end_array();
  }

  void write_sensitivity() {
    JsonWriter& w = figures_.json();
    OwnershipTable table = catalog_->ownership;
    for (int i = 0; i < kOwnInputs; ++i) {
      if (!is_money(i)) continue;
      OwnDefault& input = table.inputs[i];
      for (Decimal* each : {&input.value, &input.low, &input.high}) {
        *each = in_answer_currency(*each);
      }
    }
    w.begin_array("sensitivity");
    for (const OwnSensitivity& row :
         own_sensitivity(question_, table, market_ ? &*market_ : nullptr)) {
      const InputField& field = kFields[static_cast<int>(row.input)];
      w.begin_object();
      w.text("input", own_input_name(row.input));
      w.text("at", pointer(field.section == nullptr ? "" : pointer("", field.section),
                           own_input_name(row.input)));
      w.real("low", row.low.approximate());
      w.real("high", row.high.approximate());
      amount("saving_at_low", row.saving_at_low);
      amount("saving_at_high", row.saving_at_high);
      w.end_object();
    }
    w.end_array();
  }

  void write_market() {
    if (!market_) {
      absent_.push_back({"/market", "no_market_price"});
      return;
    }
    const Decimal price = question_.at(OwnInput::server_price);
    const double ratio = price.approximate() / market_->value.approximate();
    figures_.begin("market");
    amount("low", market_->low);
    amount("value", market_->value);
    amount("high", market_->high);
    figures_.real("price_ratio", ratio);
    figures_.text("source", market_->source);
    figures_.end();
    if (market_->low <= price && price <= market_->high) return;
    warnings_.push_back({market_->high < price ? "server_above_market" : "server_below_market",
                         {{"stated", price.approximate()},
                          {"market", market_->value.approximate()},
                          {"ratio", ratio}}});
  }

  /// The article's table, always beside; it is in yuan.
  void write_article() {
    if (catalog_->article == nullptr) {
      absent_.push_back({"/article", "no_article"});
      return;
    }
    const ArticleReckoning r = article_reckoning(catalog_->article->ownership);
    const auto yuan = [this](const char* name, Decimal value) {
      figures_.money(name, {value, kCny});
    };
    figures_.begin("article");
    yuan("purchase", r.purchase);
    yuan("operation_per_year", r.operation_per_year);
    yuan("refresh_per_year", r.refresh_per_year);
    figures_.real("years", r.years);
    yuan("own_total", r.own_total);
    yuan("rent_total", r.rent_total);
    yuan("rent_printed", r.rent_printed);
    yuan("saving", r.saving);
    figures_.real("saving_share", r.saving_share);
    yuan("counted_twice", r.counted_twice);
    yuan("own_without_refresh", r.own_without_refresh);
    figures_.end();
    if (article_) {
      warnings_.push_back({"counts_purchase_and_depreciation",
                           {{"own_total", r.own_total.approximate()},
                            {"counted_twice", r.counted_twice.approximate()},
                            {"own_without_refresh", r.own_without_refresh.approximate()}}});
    }
  }

  std::vector<std::string> rent_names_;  ///< of the prices that were typed
  std::optional<Catalog> merged_;
  const Catalog* catalog_;
  Problems problems_;
  std::vector<Absent> absent_;
  std::vector<Warning> warnings_;
  FigureWriter figures_{absent_};
  Currency currency_ = kCny;
  std::optional<ExchangeRate> rate_;
  bool article_ = false;
  bool given_[kOwnInputs] = {};
  std::string gpu_ = "h100-sxm-80gb";
  std::int64_t unit_gpus_ = 0;
  const OfferEntry* offer_ = nullptr;
  std::optional<ServerPrice> market_;  ///< of one server, in the answer's currency
  OwnQuestion question_;
  Ownership result_;
};

}  // namespace

void load_ownership(const JsonValue& document, Catalog& catalog, Problems& problems) {
  const JsonValue* node = document.find("ownership");
  if (node == nullptr) return;
  ObjectReader reader(*node, "/ownership", problems);
  if (!reader.is_object()) return;
  load_inputs(reader, catalog.ownership);
  constexpr std::size_t kMostServers = 1000;
  std::size_t index = 0;
  for (const JsonValue* item : items_of(reader, "servers", kMostServers)) {
    ObjectReader entry(*item, pointer(reader.at("servers"), index++), problems);
    ServerPrice server;
    server.gpus = entry.texts("gpus", limits::name_length);
    server.count = read_count(entry, "count", limits::per_node).value_or(1);
    server.low = noted_decimal(entry, "low");
    server.value = noted_decimal(entry, "value");
    server.high = noted_decimal(entry, "high");
    server.source = entry.text("source", kSource).value_or("");
    entry.finish();
    catalog.ownership.servers.push_back(std::move(server));
  }
  reader.finish();
}

std::string own_answer(std::string_view document, const Catalog& catalog) {
  Problems problems;
  const Document parsed(document, problems);
  if (!problems.empty()) return refusal(problems);
  return OwnCommand(parsed.root(), catalog).answer();
}

}  // namespace traintally
