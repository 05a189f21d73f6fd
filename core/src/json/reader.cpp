#include "reader.hpp"

#include "../nearest.hpp"
#include "writer.hpp"

namespace traintally {
namespace {

std::string accepted(WholeRange range) {
  return ">= " + std::to_string(range.low) + ", <= " + std::to_string(range.high);
}

std::string accepted(RealRange range) {
  const std::string high = ", <= " + number_text(range.high);
  if (range.least > 0) return "0, or >= " + number_text(range.least) + high;
  return (range.above ? "> " : ">= ") + number_text(range.low) + high;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_decimal(const std::string& text) {
  constexpr std::size_t kWhole = 12;  // with the fraction 18 digits, all of which Decimal holds
  constexpr std::size_t kFraction = 6;
  std::size_t i = 0;
  while (i < text.size() && is_digit(text[i])) ++i;
  if (i == 0 || i > kWhole) return false;
  if (i == text.size()) return true;
  if (text[i] != '.') return false;
  const std::size_t fraction = text.size() - i - 1;
  if (fraction == 0 || fraction > kFraction) return false;
  for (++i; i < text.size(); ++i) {
    if (!is_digit(text[i])) return false;
  }
  return true;
}

}  // namespace

std::optional<std::int64_t> whole_number(const Json& node) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (const auto* positive = node.get_ptr<const Json::number_unsigned_t*>()) {
    if (*positive > static_cast<std::uint64_t>(INT64_MAX)) return INT64_MAX;
    return static_cast<std::int64_t>(*positive);
  }
  if (const auto* integer = node.get_ptr<const Json::number_integer_t*>()) return *integer;
  if (const auto* number = node.get_ptr<const Json::number_float_t*>()) {
    if (*number >= kExact) return INT64_MAX;  // whole, and past every range
    if (*number <= -kExact) return INT64_MIN;
    const auto whole = static_cast<std::int64_t>(*number);
    if (static_cast<double>(whole) == *number) return whole;
  }
  return std::nullopt;
}

bool check_range(std::int64_t value, WholeRange range, const std::string& at, Problems& problems) {
  if (value >= range.low && value <= range.high) return true;
  const bool not_positive = value <= 0 && range.low > 0;
  add_problem(problems, at, not_positive ? "not_positive" : "out_of_range", accepted(range));
  return false;
}

bool check_range(double value, RealRange range, const std::string& at, Problems& problems) {
  const bool low_enough = range.above ? value > range.low : value >= range.low;
  const bool too_small = value > 0 && value < range.least;
  if (low_enough && !too_small && value <= range.high) return true;
  const bool not_positive = value <= 0 && !low_enough && range.low >= 0;
  add_problem(problems, at, not_positive ? "not_positive" : "out_of_range", accepted(range));
  return false;
}

ObjectReader::ObjectReader(const Json& node, std::string at, Problems& problems)
    : members_(node.get_ptr<const Json::object_t*>()), at_(std::move(at)), problems_(problems) {
  if (members_ == nullptr) add_problem(problems_, at_, "wrong_type", "object");
}

const Json* ObjectReader::find(const char* name) {
  bool known = false;
  for (const std::string_view each : known_) known = known || each == name;
  if (!known) known_.emplace_back(name);
  if (members_ == nullptr) return nullptr;
  const auto member = members_->find(name);
  return member == members_->end() ? nullptr : &member->second;
}

std::optional<std::int64_t> ObjectReader::whole(const char* name, WholeRange range) {
  const Json* node = find(name);
  if (node == nullptr) return std::nullopt;
  if (!node->is_number()) {
    problem(name, "wrong_type", "integer");
    return std::nullopt;
  }
  const std::optional<std::int64_t> value = whole_number(*node);
  if (!value) {
    problem(name, "not_integer", accepted(range));
    return std::nullopt;
  }
  check_range(*value, range, at(name), problems_);
  return value;
}

std::optional<double> ObjectReader::real(const char* name, RealRange range) {
  const Json* node = find(name);
  if (node == nullptr) return std::nullopt;
  if (!node->is_number()) {
    problem(name, "wrong_type", "number");
    return std::nullopt;
  }
  const auto value = node->get<double>();
  check_range(value, range, at(name), problems_);
  return value;
}

std::optional<bool> ObjectReader::flag(const char* name) {
  const Json* node = find(name);
  if (node == nullptr) return std::nullopt;
  const auto* value = node->get_ptr<const Json::boolean_t*>();
  if (value == nullptr) {
    problem(name, "wrong_type", "boolean");
    return std::nullopt;
  }
  return *value;
}

std::optional<std::string> ObjectReader::text(const char* name, std::size_t longest) {
  const Json* node = find(name);
  if (node == nullptr) return std::nullopt;
  const auto* value = node->get_ptr<const Json::string_t*>();
  if (value == nullptr) {
    problem(name, "wrong_type", "string");
    return std::nullopt;
  }
  if (value->size() > longest) {
    problem(name, "too_long", "<= " + std::to_string(longest) + " bytes");
    return std::nullopt;
  }
  return *value;
}

std::optional<std::string> ObjectReader::decimal(const char* name) {
  std::optional<std::string> value = text(name);
  if (value && !is_decimal(*value)) {
    problem(name, "not_decimal", "\"12.50\"");
    return std::nullopt;
  }
  return value;
}

void ObjectReader::finish() {
  if (members_ == nullptr) return;
  for (const auto& member : *members_) {
    bool known = false;
    for (const std::string_view name : known_) known = known || name == member.first;
    if (!known) problem(member.first, "unknown_field", nearest_names(member.first, known_));
  }
}

void ObjectReader::problem(std::string_view name, std::string_view code, std::string accepts) {
  add_problem(problems_, at(name), code, std::move(accepts));
}

void ObjectReader::missing(std::string_view name, std::string accepts) {
  add_problem(problems_, at(name), "missing", std::move(accepts));
}

}  // namespace traintally
