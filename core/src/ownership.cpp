#include <traintally/ownership.hpp>

#include <algorithm>

#include "sorted.hpp"

namespace traintally {
namespace {

constexpr const char* kNames[kOwnInputs] = {
    "server_price",   "network_share",     "spares_share",   "residual_share",   "residual_months",
    "capital_rate",   "delivery_days",     "load",           "host_factor",      "pue",
    "tariff_per_kwh", "rack_per_kw_month", "staff_per_year", "operations_share", "rent_change",
    "months",         "utilization"};

constexpr int kDigits = 12;

Decimal operator*(Decimal a, Decimal b) { return multiply(a, b, kMoneyScale); }
Decimal operator*(Decimal a, double b) { return multiply(a, b, kMoneyScale); }

class Reckoning {
 public:
  explicit Reckoning(const OwnQuestion& question) : q_(question) {
    hours_ = q_.calendar.hours_per_month();
    delay_ = q_.real(OwnInput::delivery_days) * q_.calendar.hours_per_day / hours_;
    buy();
    operate();
  }

  Ownership run() {
    const auto months = static_cast<std::int64_t>(q_.real(OwnInput::months));
    OwnMonth now;
    for (std::int64_t m = 0; m <= std::max(months, kMostOwnMonths); ++m) {
      if (m > 0) now.capital = now.capital + month_of_capital(now.value);
      fill(now, static_cast<double>(m));
      if (m <= months) r_.curve.push_back(now);
      if (m == 0 || m > kMostOwnMonths) continue;
      if (!r_.breakeven_month && now.own <= now.rent) r_.breakeven_month = m;
      if (!r_.breakeven_month_kept && now.paid <= now.rent) r_.breakeven_month_kept = m;
    }
    const OwnMonth& end = r_.end();
    r_.saving = end.rent - end.own;
    r_.way = cheapest_way(static_cast<double>(months));
    r_.rent_per_month = divide(end.rent, Decimal::from_integer(months), kDigits);
    spread(static_cast<double>(months));
    find_breakeven_use(static_cast<double>(months));
    r_.saturated = r_.saving.saturated;
    return std::move(r_);
  }

  /// The saving alone.
  Decimal saving() {
    const auto months = static_cast<std::int64_t>(q_.real(OwnInput::months));
    OwnMonth now;
    fill(now, 0);
    for (std::int64_t m = 1; m <= months; ++m) {
      now.capital = now.capital + month_of_capital(now.value);
      now.value = value_after(static_cast<double>(m));
    }
    fill(now, static_cast<double>(months));
    return now.rent - now.own;
  }

 private:
  void buy() {
    r_.servers = multiply(q_.at(OwnInput::server_price), q_.servers, 1, kMoneyScale);
    r_.network = r_.servers * q_.at(OwnInput::network_share);
    r_.spares = (r_.servers + r_.network) * q_.at(OwnInput::spares_share);
    r_.purchase = r_.servers + r_.network + r_.spares;
  }

  void operate() {
    const Decimal year = decimal_from(q_.calendar.months_per_year, 0);
    r_.server_kw = q_.board_kw * static_cast<double>(q_.gpus) * q_.real(OwnInput::host_factor);
    r_.grid_kw = r_.server_kw * q_.real(OwnInput::load) * q_.real(OwnInput::pue);
    r_.kwh_per_month = r_.grid_kw * hours_;
    r_.power = q_.at(OwnInput::tariff_per_kwh) * r_.kwh_per_month;
    r_.rack = q_.at(OwnInput::rack_per_kw_month) * r_.server_kw;
    r_.staff = per_month(q_.at(OwnInput::staff_per_year), year);
    r_.operations = per_month(r_.purchase * q_.at(OwnInput::operations_share), year);
    r_.operation = r_.power + r_.rack + r_.staff + r_.operations;
  }

  /// No finer than the sums that it enters: a small amount with 18 digits after the point would
  /// fill a large one's 64 bits.
  static Decimal per_month(Decimal of_year, Decimal months) {
    const Decimal month = divide(of_year, months, kDigits);
    return month.scale > kMoneyScale ? month.rounded(kMoneyScale) : month;
  }

  Decimal month_of_capital(Decimal value) const {
    return per_month(value * q_.at(OwnInput::capital_rate),
                     decimal_from(q_.calendar.months_per_year, 0));
  }

  Decimal value_after(double m) const {
    const double age = std::max(0.0, m - delay_);
    const double lost =
        (1 - q_.real(OwnInput::residual_share)) * age / q_.real(OwnInput::residual_months);
    return r_.purchase * std::max(0.0, 1 - lost);
  }

  /// Rent of m months by one way; empty where it has no price.
  std::optional<Decimal> rent_by(RentWay way, double m) const {
    std::optional<Decimal> total;
    if (way == RentWay::hour && q_.hour) {
      total = *q_.hour * (hours_ * q_.real(OwnInput::utilization) * m);
    } else if (way == RentWay::month && q_.month) {
      total = *q_.month * m;
    } else if (way == RentWay::year && q_.year) {
      const double years = m / q_.calendar.months_per_year;
      auto whole = static_cast<std::int64_t>(years);
      if (static_cast<double>(whole) < years) ++whole;
      total = multiply(*q_.year, whole, 1, kMoneyScale);
    }
    if (total) total = *total * q_.at(OwnInput::rent_change);
    return total;
  }

  RentWay cheapest_way(double m) const {
    RentWay best = RentWay::hour;
    std::optional<Decimal> least;
    for (const RentWay way : {RentWay::hour, RentWay::month, RentWay::year}) {
      const std::optional<Decimal> total = rent_by(way, m);
      if (!total || (least && *least <= *total)) continue;
      least = total;
      best = way;
    }
    return best;
  }

  Decimal rent_of(double m) const { return rent_by(cheapest_way(m), m).value_or(Decimal{}); }

  void fill(OwnMonth& now, double m) {
    now.bridge = rent_of(std::min(m, delay_));
    now.operation = r_.operation * std::max(0.0, m - delay_);
    now.value = value_after(m);
    now.paid = r_.purchase + now.operation + now.capital + now.bridge;
    now.own = now.paid - now.value;
    now.rent = rent_of(m);
  }

  void spread(double months) {
    const double used = hours_ * months * q_.real(OwnInput::utilization);
    const Decimal gpu_hours = decimal_from(used * static_cast<double>(q_.gpus), kMoneyScale);
    if (gpu_hours.is_zero()) return;
    r_.own_per_used_gpu_hour = divide(r_.end().own, gpu_hours, kDigits);
    r_.rent_per_used_gpu_hour = divide(r_.end().rent, gpu_hours, kDigits);
  }

  void find_breakeven_use(double months) {
    // Bridging costs what renting costs; the rest of owning is set against the rest of the months.
    const double rest = months - delay_;
    if (rest <= 0) return;
    const double own = (r_.end().own - r_.end().bridge).approximate() / rest;
    const double change = q_.real(OwnInput::rent_change);
    const double hourly = q_.hour ? q_.hour->approximate() * hours_ * change : 0;
    double flat = 0;
    if (q_.month) flat = q_.month->approximate() * change;
    if (q_.year) {
      const double year = q_.year->approximate() * change / q_.calendar.months_per_year;
      flat = flat > 0 ? std::min(flat, year) : year;
    }
    r_.breakeven_by_hours = hourly > 0;
    if (hourly > 0 && (flat <= 0 || own < flat)) {
      r_.breakeven_utilization = own / hourly;
    } else if (hourly <= 0 && flat > 0) {
      r_.breakeven_utilization = own / flat;
    }
  }

  const OwnQuestion& q_;
  Ownership r_;
  double hours_ = 0;  ///< of a month
  double delay_ = 0;  ///< months
};

Decimal magnitude(Decimal value) { return value.is_negative() ? -value : value; }

}  // namespace

const char* own_input_name(OwnInput input) { return kNames[static_cast<int>(input)]; }

const ServerPrice* OwnershipTable::server_of(std::string_view gpu) const {
  for (const ServerPrice& server : servers) {
    for (const std::string_view each : server.gpus) {
      if (each == gpu) return &server;
    }
  }
  return nullptr;
}

Ownership own_or_rent(const OwnQuestion& question) { return Reckoning(question).run(); }

std::vector<OwnSensitivity> own_sensitivity(const OwnQuestion& question,
                                            const OwnershipTable& table,
                                            const ServerPrice* market) {
  std::vector<OwnSensitivity> rows;
  for (int i = 0; i < kOwnInputs; ++i) {
    OwnDefault range = table.inputs[i];
    OwnSensitivity row;
    row.input = static_cast<OwnInput>(i);
    if (row.input == OwnInput::server_price) {
      if (market == nullptr) continue;
      range = {market->value, market->low, market->high, {}};
    }
    if (range.low == range.high) continue;
    const Decimal given = question.inputs[i];
    row.low = range.low;
    row.high = range.high;
    if (!(given == range.value) && !range.value.is_zero()) {
      row.low = divide(given * range.low, range.value, kDigits);
      row.high = divide(given * range.high, range.value, kDigits);
    }
    // No more hours are worked than there are, and months are whole.
    const Decimal one = Decimal::from_integer(1);
    if (row.input == OwnInput::utilization && one < row.high) row.high = one;
    if (row.input == OwnInput::months) {
      row.low = row.low < one ? one : row.low.rounded(0);
      row.high = row.high.rounded(0);
    }
    OwnQuestion moved = question;
    moved.inputs[i] = row.low;
    row.saving_at_low = Reckoning(moved).saving();
    moved.inputs[i] = row.high;
    row.saving_at_high = Reckoning(moved).saving();
    rows.push_back(row);
  }
  sort_few(rows, [](const OwnSensitivity& a, const OwnSensitivity& b) {
    return magnitude(b.saving_at_high - b.saving_at_low) <
           magnitude(a.saving_at_high - a.saving_at_low);
  });
  return rows;
}

ArticleReckoning article_reckoning(const ArticleOwnership& table) {
  const auto money = [](double value) { return decimal_from(value, 2); };
  constexpr std::int64_t kMonths = 12;
  constexpr std::int64_t kWan = 10000;
  ArticleReckoning r;
  r.years = table.years;
  r.purchase = multiply(money(table.capex_per_card), table.cards, 1, 2);
  r.operation_per_year =
      money(table.staff_per_year) + money(table.rack_per_year) + money(table.power_per_year);
  r.refresh_per_year = multiply(r.purchase, table.depreciation, 2);
  r.counted_twice = multiply(r.refresh_per_year, table.years, 2);
  r.own_without_refresh = r.purchase + multiply(r.operation_per_year, table.years, 2);
  r.own_total = r.own_without_refresh + r.counted_twice;
  r.rent_total = multiply(multiply(money(table.rent_per_month), kMonths, 1, 2), table.years, 2);
  r.rent_printed = multiply(multiply(r.rent_total, 1, kWan, 0), kWan, 1, 2);
  r.saving = r.own_total - r.rent_printed;
  r.saving_share = r.saving.approximate() / r.own_total.approximate();
  return r;
}

}  // namespace traintally
