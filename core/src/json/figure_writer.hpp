#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <traintally/cost.hpp>
#include <traintally/problem.hpp>
#include <traintally/units.hpp>

#include "fields.hpp"
#include "writer.hpp"

namespace traintally {

/// Writes the figures of a report, knowing the pointer of each: one that is not finite is left out
/// and noted as absent.
class FigureWriter {
 public:
  explicit FigureWriter(std::vector<Absent>& absent) : absent_(absent) {}

  void begin(std::string_view name);
  void end();
  JsonWriter& json() { return json_; }

  void real(std::string_view name, double value);
  void bytes(std::string_view name, double value);  ///< rounded to a whole number
  void bytes(std::string_view name, Bytes value) { bytes(name, value.value); }
  void seconds(std::string_view name, Seconds value) { real(name, value.value); }
  void whole(std::string_view name, std::int64_t value) { json_.whole(name, value); }
  void flag(std::string_view name, bool value) { json_.flag(name, value); }
  void text(std::string_view name, std::string_view value) { json_.text(name, value); }
  void bytes(std::string_view name, const Interval<Bytes>& interval);
  void estimate(std::string_view name, double value, double low, double high);
  void money(std::string_view name, const Money& money);
  void unit_cost(std::string_view name, const Money& money);
  void money(std::string_view name, const Interval<Money>& interval, bool unit_cost);

  /// The fields that a record keeps, but for optional ones that hold nothing and empty texts.
  template <class Record, std::size_t count>
  void figures(const Record& record, const FieldOf<Record> (&table)[count]) {
    for (const Field& field : table) figure(field, &record);
  }
  /// The same as a list "parts" of {"code", `unit`}.
  template <class Record, std::size_t count>
  void parts(const Record& record, const FieldOf<Record> (&table)[count], const char* unit) {
    begin_parts();
    for (const Field& field : table) part(field, &record, unit);
    json_.end_array();
  }

 private:
  void figure(const Field& field, const void* record);
  void begin_parts() { json_.begin_array("parts"); }
  void part(const Field& field, const void* record, const char* unit);
  void amount(std::string_view name, const Money& money, bool unit_cost);
  bool finite(std::string_view name, double value);
  static std::string stated(const Money& money, bool unit_cost);

  JsonWriter json_;
  std::string at_;
  std::vector<std::size_t> lengths_;
  std::vector<Absent>& absent_;
};

}  // namespace traintally
