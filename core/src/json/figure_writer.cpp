#include "figure_writer.hpp"

#include <cmath>

namespace traintally {

void FigureWriter::begin(const char* name) {
  lengths_.push_back(at_.size());
  at_ = pointer(at_, name);
  json_.begin_object(name);
}

void FigureWriter::end() {
  at_.resize(lengths_.back());
  lengths_.pop_back();
  json_.end_object();
}

bool FigureWriter::finite(const char* name, double value) {
  if (std::isfinite(value)) return true;
  absent_.push_back({pointer(at_, name), "not_finite"});
  return false;
}

void FigureWriter::real(const char* name, double value) {
  if (finite(name, value)) json_.real(name, value);
}

void FigureWriter::bytes(const char* name, double value) {
  constexpr double kWhole = 9.2e18;  // within 64 bits
  if (!finite(name, value)) return;
  if (value >= kWhole || value <= -kWhole) {
    json_.real(name, value);  // whole anyhow: doubles of this size have no fraction
    return;
  }
  json_.whole(name, static_cast<std::int64_t>(value < 0 ? value - 0.5 : value + 0.5));
}

void FigureWriter::bytes(const char* name, const Interval<Bytes>& interval) {
  begin(name);
  bytes("value", interval.value);
  bytes("low", interval.low);
  bytes("high", interval.high);
  end();
}

void FigureWriter::estimate(const char* name, double value, double low, double high) {
  begin(name);
  real("value", value);
  real("low", low);
  real("high", high);
  end();
}

void FigureWriter::figure(const Field& field, const void* record) {
  const void* member = static_cast<const char*>(record) + field.offset;
  switch (field.kind) {
    case Field::Kind::real:
      if (const auto* value = kept<double>(field, member)) real(field.name, *value);
      break;
    case Field::Kind::bytes:
      if (const auto* value = kept<double>(field, member)) bytes(field.name, *value);
      break;
    case Field::Kind::text:
      if (!static_cast<const std::string_view*>(member)->empty()) {
        text(field.name, *static_cast<const std::string_view*>(member));
      }
      break;
    default:
      write_each(json_, record, &field, 1);
  }
}

void FigureWriter::part(const Field& field, const void* record, const char* unit) {
  json_.begin_object();
  text("code", field.name);
  Field value = field;
  value.name = unit;
  figure(value, record);
  json_.end_object();
}

std::string FigureWriter::stated(const Money& money, bool unit_cost) {
  return (unit_cost ? reported_unit_cost(money.amount) : reported_amount(money.amount)).text();
}

void FigureWriter::money(const char* name, const Money& money) { amount(name, money, false); }

void FigureWriter::unit_cost(const char* name, const Money& money) { amount(name, money, true); }

void FigureWriter::amount(const char* name, const Money& money, bool unit_cost) {
  json_.begin_object(name);
  json_.text("value", stated(money, unit_cost));
  json_.text("currency", money.currency.text());
  json_.end_object();
}

void FigureWriter::money(const char* name, const Interval<Money>& interval, bool unit_cost) {
  json_.begin_object(name);
  json_.text("value", stated(interval.value, unit_cost));
  json_.text("low", stated(interval.low, unit_cost));
  json_.text("high", stated(interval.high, unit_cost));
  json_.text("currency", interval.value.currency.text());
  json_.end_object();
}

}  // namespace traintally
