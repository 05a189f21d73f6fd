#include "document.hpp"

#include <cmath>

#include "../limits.hpp"
#include "decimal_number.hpp"
#include "scanner.hpp"

namespace traintally {

// The values.

double JsonValue::number() const {
  return kind_ == Kind::real ? real_ : kind_ == Kind::whole ? static_cast<double>(whole_) : 0;
}

std::optional<std::int64_t> JsonValue::whole() const {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (kind_ == Kind::whole) return whole_;
  if (kind_ != Kind::real) return std::nullopt;
  if (real_ >= kExact) return INT64_MAX;
  if (real_ <= -kExact) return INT64_MIN;
  const auto whole = static_cast<std::int64_t>(real_);
  return static_cast<double>(whole) == real_ ? std::optional(whole) : std::nullopt;
}

std::size_t JsonValue::size() const {
  std::size_t count = 0;
  for (Iterator each = begin(); each != end(); ++each) ++count;
  return count;
}

const JsonValue* JsonValue::find(std::string_view name) const {
  if (!is_object()) return nullptr;
  for (const JsonValue& member : *this) {
    if (member.name_ == name) return &member;
  }
  return nullptr;
}

// The parser.

namespace {

/// The integer that a number is written as, if 64 bits hold it.
std::optional<std::int64_t> integer(std::string_view text) {
  constexpr std::uint64_t kMost = INT64_MAX;
  const bool negative = text[0] == '-';
  std::uint64_t magnitude = 0;
  for (const char c : text.substr(negative ? 1 : 0)) {
    if (c < '0' || c > '9') return std::nullopt;
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (magnitude > (kMost - digit) / 10) return std::nullopt;
    magnitude = magnitude * 10 + digit;
  }
  const auto whole = static_cast<std::int64_t>(magnitude);
  return negative ? -whole : whole;
}

}  // namespace

/// Fills a document's list. It calls itself for what is inside a value, as deep as limits.hpp
/// allows and no deeper.
class Parser {
 public:
  Parser(std::string_view text, Document& document, Problems& problems)
      : scanner_(text, document.unescaped_), values_(document.values_), problems_(problems) {}

  bool document() {
    return value(scanner_.next(), {}) && (scanner_.next() == Token::end || malformed());
  }

 private:
  /// Reads the value that begins with `token`.
  bool value(Token token, std::string_view name) {
    const std::size_t place = values_.size();
    JsonValue& added = values_.emplace_back();
    added.name_ = name;
    switch (token) {
      case Token::begin_object:
        added.kind_ = JsonValue::Kind::object;
        return inside(place, Token::end_object);
      case Token::begin_array:
        added.kind_ = JsonValue::Kind::array;
        return inside(place, Token::end_array);
      case Token::string:
        added.kind_ = JsonValue::Kind::string;
        added.text_ = scanner_.text();
        return true;
      case Token::number:
        return number(added);
      case Token::yes:
      case Token::no:
        added.kind_ = JsonValue::Kind::boolean;
        added.whole_ = token == Token::yes ? 1 : 0;
        return true;
      case Token::null:
        return true;
      default:
        return malformed();
    }
  }

  bool number(JsonValue& added) {
    const std::string_view text = scanner_.text();
    if (const std::optional<std::int64_t> whole = integer(text); whole && text != "-0") {
      added.kind_ = JsonValue::Kind::whole;
      added.whole_ = *whole;
      return true;
    }
    added.kind_ = JsonValue::Kind::real;
    added.real_ = decimal_number(text);
    return std::isfinite(added.real_) ||
           fail("out_of_range", "finite number, byte " + std::to_string(scanner_.position()));
  }

  /// Reads what is inside the array or object at `place`, to its closing bracket.
  bool inside(std::size_t place, Token last) {
    if (depth_ == limits::document_depth) {
      return fail_at({}, "too_deep", "depth <= " + std::to_string(limits::document_depth));
    }
    open_[depth_++] = place;
    Token token = scanner_.next();
    for (bool first = true; token != last; first = false) {
      if (!first) {
        if (token != Token::comma) return malformed();
        token = scanner_.next();
      }
      if (last == Token::end_object ? !member(place, token) : !value(token, {})) return false;
      token = scanner_.next();
    }
    --depth_;
    values_[place].span_ = static_cast<std::uint32_t>(values_.size() - place);
    return true;
  }

  bool member(std::size_t place, Token token) {
    if (token != Token::string) return malformed();
    const std::string_view name = scanner_.text();
    if (!names_.insert(place, name)) {
      values_.emplace_back().name_ = name;
      return fail("duplicate_field", "each field once");
    }
    return scanner_.next() == Token::colon ? value(scanner_.next(), name) : malformed();
  }

  /// The pointer of the value at the end of the list.
  std::string path() const {
    std::string at;
    for (int i = 0; i < depth_; ++i) {
      // The values that are still open have no span yet: the next of them, or the last, is the one
      // to name.
      const std::size_t inner = i + 1 < depth_ ? open_[i + 1] : values_.size() - 1;
      if (values_[open_[i]].is_object()) {
        at = pointer(at, values_[inner].name_);
      } else {
        std::size_t index = 0;
        for (std::size_t j = open_[i] + 1; j < inner; j += values_[j].span_) ++index;
        at = pointer(at, index);
      }
    }
    return at;
  }

  bool malformed() {
    return fail_at({}, "malformed_json", "JSON, byte " + std::to_string(scanner_.position()));
  }
  bool fail(const char* code, std::string_view accepts) { return fail_at(path(), code, accepts); }
  bool fail_at(std::string_view at, const char* code, std::string_view accepts) {
    add_problem(problems_, at, code, accepts);
    return false;
  }

  /// The members' names that were read, each with the place of its object: a hash table of these.
  class Names {
   public:
    /// False if the object has a member of this name.
    bool insert(std::size_t object, std::string_view name) {
      if (2 * count_ >= slots_.size()) grow();
      ++count_;
      return put({object, name});
    }

   private:
    struct Name {
      std::size_t object;
      std::string_view name;
    };

    bool put(const Name& name) {
      // FNV-1a (Fowler, Noll, Vo).
      std::uint32_t hash = 2166136261U ^ static_cast<std::uint32_t>(name.object);
      for (const char c : name.name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
      const std::size_t mask = slots_.size() - 1;  // a power of two less one
      std::size_t slot = hash & mask;
      for (; slots_[slot].name.data() != nullptr; slot = (slot + 1) & mask) {
        if (slots_[slot].object == name.object && slots_[slot].name == name.name) return false;
      }
      slots_[slot] = name;
      return true;
    }
    void grow() {
      std::vector<Name> before(slots_.empty() ? 64 : 2 * slots_.size());
      before.swap(slots_);
      for (const Name& each : before) {
        if (each.name.data() != nullptr) put(each);
      }
    }

    std::vector<Name> slots_;  ///< no name: free
    std::size_t count_ = 0;
  };

  Scanner scanner_;
  std::vector<JsonValue>& values_;
  Problems& problems_;
  Names names_;
  std::size_t open_[limits::document_depth] = {};
  int depth_ = 0;
};

Document::Document(std::string_view text, Problems& problems) {
  constexpr auto kMost = static_cast<std::size_t>(limits::document_bytes);
  bool sound = false;
  if (text.size() > kMost) {
    add_problem(problems, "", "too_large", "<= " + std::to_string(kMost) + " bytes");
  } else {
    sound = Parser(text, *this, problems).document();
  }
  if (!sound) values_.assign(1, JsonValue());
}

// Problems.

void add_problem(Problems& problems, std::string_view at, const char* code,
                 std::string_view accepts) {
  constexpr std::size_t most = limits::problems;
  if (problems.size() > most) return;
  if (problems.size() == most) {
    problems.push_back({"", "more_problems", ""});
    return;
  }
  problems.push_back({std::string(at), code, std::string(accepts)});
}

std::string pointer(std::string_view at, std::string_view name) {
  std::string result(at);
  result += '/';
  for (const char c : name) {
    if (c == '~') {
      result += "~0";
    } else if (c == '/') {
      result += "~1";
    } else {
      result += c;
    }
  }
  return result;
}

std::string pointer(std::string_view at, std::size_t index) {
  return std::string(at) + '/' + std::to_string(index);
}

}  // namespace traintally
