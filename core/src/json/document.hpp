#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <traintally/problem.hpp>

namespace traintally {

/// One value of a parsed document, which lies in the document's list of all its values: each is
/// followed by what is inside it. It is valid as long as the document and its text are.
class JsonValue {
 public:
  /// A number is `whole` if it is written as an integer that 64 bits hold, otherwise `real`.
  enum class Kind : std::uint8_t { null, boolean, whole, real, string, array, object };

  JsonValue() : whole_(0) {}

  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::null; }
  bool is_boolean() const { return kind_ == Kind::boolean; }
  bool is_number() const { return kind_ == Kind::whole || kind_ == Kind::real; }
  bool is_string() const { return kind_ == Kind::string; }
  bool is_array() const { return kind_ == Kind::array; }
  bool is_object() const { return kind_ == Kind::object; }

  bool boolean() const { return is_boolean() && whole_ != 0; }
  /// 0 for what is no number.
  double number() const;
  /// The integer that a number is, also where it is written as 4.096e3; one past every range is the
  /// highest or the lowest.
  std::optional<std::int64_t> whole() const;
  /// "" for what is no string.
  std::string_view text() const { return is_string() ? text_ : std::string_view(); }

  /// Of an object's member.
  std::string_view name() const { return name_; }
  /// How many elements or members there are; 0 for what has none.
  std::size_t size() const;
  /// The member of this name; null if there is none, or this is no object.
  const JsonValue* find(std::string_view name) const;

  /// Goes through the elements or members in the document's order.
  class Iterator {
   public:
    explicit Iterator(const JsonValue* value) : value_(value) {}
    const JsonValue& operator*() const { return *value_; }
    Iterator& operator++() {
      value_ += value_->span_;
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    bool operator!=(const Iterator& other) const { return value_ != other.value_; }

   private:
    const JsonValue* value_;
  };
  Iterator begin() const { return Iterator(this + 1); }
  Iterator end() const { return Iterator(this + span_); }

 private:
  friend class Parser;

  std::string_view name_;
  std::uint32_t span_ = 1;  ///< of values in the list: this and what is inside
  Kind kind_ = Kind::null;
  union {
    std::int64_t whole_;
    double real_;
    std::string_view text_;
  };
};

/// A parsed JSON text.
class Document {
 public:
  /// Parses one JSON document (RFC 8259, UTF-8), of which strings without escapes are views.
  /// Refuses what is longer, or nested deeper, than limits.hpp allows, and a field given twice.
  /// Codes of problems: malformed_json (accepts names the byte where reading stopped), too_large,
  /// too_deep, duplicate_field, out_of_range (no double holds the number).
  Document(std::string_view text, Problems& problems);

  /// The whole document; null where there were problems.
  const JsonValue& root() const { return values_.front(); }

  /// Frees the values, but not the texts that were read from them.
  void keep_texts_only() { values_ = {}; }

 private:
  friend class Parser;

  std::vector<JsonValue> values_;
  std::unique_ptr<char[]> unescaped_;  ///< strings that had escapes
};

/// Adds a problem. Past limits::problems of them the rest are counted
/// as one, more_problems.
void add_problem(Problems& problems, std::string_view at, const char* code,
                 std::string_view accepts);

/// `at` extended by a field's name or an index, as a JSON Pointer (RFC 6901).
std::string pointer(std::string_view at, std::string_view name);
std::string pointer(std::string_view at, std::size_t index);

}  // namespace traintally
