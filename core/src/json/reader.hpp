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

/// Reads the fields of one JSON object strictly: a field of the wrong type, out of range or
/// unknown becomes a problem at its JSON Pointer. A number out of range is reported and still
/// returned, so that the answer can repeat what was typed.
class ObjectReader {
 public:
  /// Reports wrong_type where `node` is not an object; reading it then finds nothing.
  ObjectReader(const Json& node, std::string at, Problems& problems);

  /// The field, if it is there; it counts as known from now on.
  const Json* find(const char* name);
  bool has(const char* name) { return find(name) != nullptr; }

  std::optional<std::int64_t> whole(const char* name, WholeRange range);
  std::optional<double> real(const char* name, RealRange range);
  std::optional<bool> flag(const char* name);
  std::optional<std::string> text(const char* name, std::size_t longest = limits::name_length);
  /// An exact decimal such as "12.50": at most 15 digits before the point and 9 after.
  std::optional<std::string> decimal(const char* name);

  template <class E, std::size_t count>
  std::optional<E> one_of(const char* name, const Named<E> (&table)[count]) {
    const std::optional<std::string> given = text(name);
    if (!given) return std::nullopt;
    for (const Named<E>& entry : table) {
      if (*given == entry.name) return entry.value;
    }
    std::string accepts;
    for (const Named<E>& entry : table) {
      if (!accepts.empty()) accepts += ", ";
      accepts += entry.name;
    }
    problem(name, "not_one_of", accepts);
    return std::nullopt;
  }

  /// Reports the fields that nobody asked for.
  void finish();

  bool is_object() const { return members_ != nullptr; }
  std::string at(std::string_view name) const { return pointer(at_, name); }
  const std::string& at() const { return at_; }
  void problem(std::string_view name, std::string_view code, std::string accepts);
  void missing(std::string_view name, std::string accepts);
  Problems& problems() { return problems_; }

 private:
  const Json::object_t* members_ = nullptr;
  std::string at_;
  Problems& problems_;
  std::vector<std::string_view> known_;
};

/// The integer that a JSON number is, also where it is written as 4.096e3.
std::optional<std::int64_t> whole_number(const Json& node);

/// Checks that an integer is in its range; codes not_positive, out_of_range.
bool check_range(std::int64_t value, WholeRange range, const std::string& at, Problems& problems);
bool check_range(double value, RealRange range, const std::string& at, Problems& problems);

}  // namespace traintally
