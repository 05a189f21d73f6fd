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

  void begin(const char* name);
  void end();
  JsonWriter& json() { return json_; }

  void real(const char* name, double value);
  void bytes(const char* name, double value);  ///< rounded to a whole number
  void bytes(const char* name, Bytes value) { bytes(name, value.value); }
  void seconds(const char* name, Seconds value) { real(name, value.value); }
  void whole(const char* name, std::int64_t value) { json_.whole(name, value); }
  void flag(const char* name, bool value) { json_.flag(name, value); }
  void text(const char* name, std::string_view value) { json_.text(name, value); }
  void bytes(const char* name, const Interval<Bytes>& interval);
  void estimate(const char* name, double value, double low, double high);
  void money(const char* name, const Money& money);
  void unit_cost(const char* name, const Money& money);
  void money(const char* name, const Interval<Money>& interval, bool unit_cost);

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
  void amount(const char* name, const Money& money, bool unit_cost);
  bool finite(const char* name, double value);
  static std::string stated(const Money& money, bool unit_cost);

  JsonWriter json_;
  std::string at_;
  std::vector<std::size_t> lengths_;
  std::vector<Absent>& absent_;
};

}  // namespace traintally
