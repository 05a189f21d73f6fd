#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include <traintally/units.hpp>

#include "reader.hpp"
#include "writer.hpp"

namespace traintally {

/// A field of a JSON object and where in a record its value is kept. Records are read and written
/// by constant tables of these, with one reader and one writer for all of them.
struct Field {
  enum class Kind : std::uint8_t {
    whole,
    real,
    bytes,  ///< a real that is written rounded to a whole number
    flag,
    text,
    decimal,     ///< a text that is an exact decimal
    texts,       ///< a list of them
    ends,        ///< [low, high] in two reals, where null is an open end and kept as 0
    whole_ends,  ///< likewise in two integers
    known        ///< not kept: read elsewhere, or only for whoever reads the file
  };

  const char* name;
  Kind kind = Kind::known;
  bool optional = false;   ///< kept in a std::optional; else what is there stays if it is left out
  bool needed = false;     ///< missing where it is left out, or an empty text
  bool kept = false;       ///< in the record; else it is only checked
  std::uint8_t power = 0;  ///< of ten, of the record's unit in the field's
  std::uint16_t offset = 0;                     ///< in the record
  std::uint16_t high = 0;                       ///< offset of the high end
  std::uint16_t longest = limits::name_length;  ///< bytes of a text
  const void* range = nullptr;                  ///< a WholeRange or RealRange

  // Changes to a field, for its table.
  constexpr Field need() const {
    Field field = *this;
    field.needed = true;
    return field;
  }
  constexpr Field as(Kind other) const {
    Field field = *this;
    field.kind = other;
    return field;
  }
  /// A record in bytes of a field in GB (9), in FLOPS of one in TFLOPS (12).
  constexpr Field times_power_of_ten(std::uint8_t exponent) const {
    Field field = *this;
    field.power = exponent;
    return field;
  }
  constexpr Field at_most(std::uint16_t text_length) const {
    Field field = *this;
    field.longest = text_length;
    return field;
  }

  // Fields that no record keeps.
  static constexpr Field other(const char* name) { return {name}; }
  static constexpr Field note(const char* name, std::uint16_t longest) {
    return Field{name, Kind::text}.at_most(longest);
  }
  static constexpr Field number(const char* name, const WholeRange& accepted) {
    Field field{name, Kind::whole};
    field.range = &accepted;
    return field;
  }
  static constexpr Field number(const char* name, const RealRange& accepted) {
    Field field{name, Kind::real};
    field.range = &accepted;
    return field;
  }
};

/// A field of records of one type.
template <class Record>
struct FieldOf : Field {
  constexpr FieldOf(const Field& field) : Field(field) {}
};

namespace fields {

// The kind of field that a member of each type is.
constexpr Field::Kind kind_of(const std::int64_t*) { return Field::Kind::whole; }
constexpr Field::Kind kind_of(const double*) { return Field::Kind::real; }
template <class Unit>
constexpr Field::Kind kind_of(const Quantity<Unit>*) {
  return Field::Kind::real;
}
constexpr Field::Kind kind_of(const Bytes*) { return Field::Kind::bytes; }
constexpr Field::Kind kind_of(const bool*) { return Field::Kind::flag; }
constexpr Field::Kind kind_of(const std::string_view*) { return Field::Kind::text; }
constexpr Field::Kind kind_of(const std::vector<std::string_view>*) { return Field::Kind::texts; }
template <class Value>
constexpr Field::Kind kind_of(const std::optional<Value>*) {
  return kind_of(static_cast<const Value*>(nullptr));
}

template <class Value>
inline constexpr bool is_optional = false;
template <class Value>
inline constexpr bool is_optional<std::optional<Value>> = true;

template <class Record, class Value>
constexpr Field kept_at(const char* name, std::size_t offset, const void* range = nullptr) {
  static_assert(std::is_standard_layout_v<Record>);
  Field field{name, kind_of(static_cast<const Value*>(nullptr))};
  field.optional = is_optional<Value>;
  field.kept = true;
  field.offset = static_cast<std::uint16_t>(offset);
  field.range = range;
  return field;
}

template <class Record, class Value>
constexpr Field ends_at(const char* name, std::size_t low, std::size_t high) {
  static_assert(std::is_standard_layout_v<Record>);
  Field field = kept_at<Record, Value>(name, low);
  field.kind = field.kind == Field::Kind::whole ? Field::Kind::whole_ends : Field::Kind::ends;
  field.high = static_cast<std::uint16_t>(high);
  return field;
}

}  // namespace fields

/// The field `name`, kept in Record::member; a number with the address of its range.
#define TRAINTALLY_FIELD_AS(Record, name, member, ...)             \
  ::traintally::fields::kept_at<Record, decltype(Record::member)>( \
      name, offsetof(Record, member) __VA_OPT__(, ) __VA_ARGS__)
/// The field that is called as the member is.
#define TRAINTALLY_FIELD(Record, member, ...) \
  TRAINTALLY_FIELD_AS(Record, #member, member __VA_OPT__(, ) __VA_ARGS__)
/// A pair [low, high] and its two members.
#define TRAINTALLY_ENDS(Record, name, low, high)                                            \
  ::traintally::fields::ends_at<Record, decltype(Record::low)>(name, offsetof(Record, low), \
                                                               offsetof(Record, high))

/// What the member holds; null where it is optional and empty.
template <class Value>
const Value* kept(const Field& field, const void* member) {
  if (!field.optional) return static_cast<const Value*>(member);
  const auto& held = *static_cast<const std::optional<Value>*>(member);
  return held ? &*held : nullptr;
}

/// For every field in their order.
void read_each(ObjectReader& reader, void* record, const Field* fields, std::size_t count);
void write_each(JsonWriter& writer, const void* record, const Field* fields, std::size_t count);

/// Reads the fields into a record.
template <class Record, std::size_t count>
void read_fields(ObjectReader& reader, Record& record, const FieldOf<Record> (&table)[count]) {
  static_assert(sizeof(FieldOf<Record>) == sizeof(Field));
  read_each(reader, &record, table, count);
}

/// Checks fields that no record keeps.
template <std::size_t count>
void check_fields(ObjectReader& reader, const Field (&table)[count]) {
  read_each(reader, nullptr, table, count);
}

/// Writes the fields that the record keeps, but for optional ones that hold nothing.
template <class Record, std::size_t count>
void write_fields(JsonWriter& writer, const Record& record, const FieldOf<Record> (&table)[count]) {
  write_each(writer, &record, table, count);
}

}  // namespace traintally
