#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../limits.hpp"
#include "document.hpp"

namespace traintally {

/// A name on the wire and the enumerator that it stands for.
template <class E>
struct Named {
  const char* name;
  E value;
};

/// The name of an enumerator in a table of Named; "" if the table lacks it.
template <class E, std::size_t count>
constexpr const char* name_of(const Named<E> (&table)[count], E value) {
  for (const Named<E>& entry : table) {
    if (entry.value == value) return entry.name;
  }
  return "";
}

/// The names of a table, whatever they stand for: the first, and how far it is to the next.
struct NameList {
  const char* const* first;
  std::size_t stride;
  std::size_t count;

  template <class E, std::size_t length>
  NameList(const Named<E> (&table)[length])
      : first(&table->name), stride(sizeof *table), count(length) {}

  const char* operator[](std::size_t i) const {
    const auto* bytes = reinterpret_cast<const char*>(first) + i * stride;
    return *reinterpret_cast<const char* const*>(bytes);
  }
  /// Where `name` is; `count` if nowhere.
  std::size_t find(std::string_view name) const;
  /// "a, b, c".
  std::string joined() const;
};

/// Reads the fields of one JSON object strictly: a field of the wrong type, out of range or
/// unknown becomes a problem at its JSON Pointer. A number out of range is reported and still
/// returned, so that the answer can repeat what was typed.
class ObjectReader {
 public:
  /// Reports wrong_type where `node` is not an object; reading it then finds nothing.
  ObjectReader(const JsonValue& node, std::string at, Problems& problems);
  /// The object `name` of another; one that is not there has no fields.
  ObjectReader(ObjectReader& parent, const char* name);

  /// The field, if it is there; it counts as known from now on.
  const JsonValue* find(const char* name);
  bool has(const char* name) { return find(name) != nullptr; }

  std::optional<std::int64_t> whole(const char* name, const WholeRange& range);
  std::optional<double> real(const char* name, const RealRange& range);
  std::optional<bool> flag(const char* name);
  std::optional<std::string_view> text(const char* name, std::size_t longest = limits::name_length);
  /// An exact decimal such as "12.50": at most 12 digits before the point and 6 after.
  std::optional<std::string_view> decimal(const char* name);
  /// The array, if it is there.
  const JsonValue* array(const char* name);

  /// The array's strings, none of them empty or longer.
  std::vector<std::string_view> texts(const char* name, std::size_t longest);

  // What is read, or `otherwise` where nothing is.
  std::int64_t whole_or(const char* name, const WholeRange& range, std::int64_t otherwise);
  double real_or(const char* name, const RealRange& range, double otherwise);
  bool flag_or(const char* name, bool otherwise);
  std::string_view text_or(const char* name, std::string_view otherwise,
                           std::size_t longest = limits::name_length);

  template <class E, std::size_t count>
  std::optional<E> one_of(const char* name, const Named<E> (&table)[count]) {
    const std::size_t place = place_of(name, table);
    return place < count ? std::optional<E>(table[place].value) : std::nullopt;
  }

  /// Reports the fields that nobody asked for.
  void finish();

  bool is_object() const { return node_ != nullptr; }
  std::string at(std::string_view name) const { return pointer(at_, name); }
  const std::string& at() const { return at_; }
  void problem(std::string_view name, const char* code, std::string_view accepts);
  void missing(std::string_view name, std::string_view accepts);
  /// Reports a field as missing if it is not there.
  void require(const char* name, std::string_view accepts);
  Problems& problems() { return problems_; }

 private:
  /// Which of the names the field is; their count, with a problem where it is there, if none.
  std::size_t place_of(const char* name, const NameList& names);
  /// The field, if it is there and `of_type` says that it has the type; else with a problem.
  const JsonValue* typed(const char* name, bool (JsonValue::*of_type)() const, const char* type);

  const JsonValue* node_ = nullptr;
  JsonValue::Iterator next_{
      nullptr};  ///< after the member found last: the one asked for next, mostly
  std::string at_;
  Problems& problems_;
  std::vector<std::string_view> known_;
};

/// A range in words: ">= 1, <= 8".
std::string accepted(const WholeRange& range);
std::string accepted(const RealRange& range);

/// The problem's code where a number is out of its range: not_positive, out_of_range; else null.
const char* range_code(std::int64_t value, const WholeRange& range);
const char* range_code(double value, const RealRange& range);

/// Checks that a number is in its range.
template <class Number, class Range>
bool check_range(Number value, const Range& range, std::string_view at, Problems& problems) {
  const char* code = range_code(value, range);
  if (code != nullptr) add_problem(problems, at, code, accepted(range));
  return code == nullptr;
}

}  // namespace traintally
