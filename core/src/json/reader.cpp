#include "reader.hpp"

#include "../ascii.hpp"
#include "../nearest.hpp"
#include "writer.hpp"

namespace traintally {
namespace {

/// Of a text in UTF-8, as a JSON schema counts them.
std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (c & 0xC0) != 0x80 ? 1 : 0;
  return count;
}

bool is_decimal(std::string_view text) {
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

std::size_t NameList::find(std::string_view name) const {
  std::size_t i = 0;
  while (i < count && name != (*this)[i]) ++i;
  return i;
}

std::string NameList::joined() const {
  std::string names;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) names += ", ";
    names += (*this)[i];
  }
  return names;
}

std::string accepted(const WholeRange& range) {
  return ">= " + std::to_string(range.low) + ", <= " + std::to_string(range.high);
}

std::string accepted(const RealRange& range) {
  const std::string high = ", <= " + number_text(range.high);
  if (range.least > 0) return "0, or >= " + number_text(range.least) + high;
  return (range.above ? "> " : ">= ") + number_text(range.low) + high;
}

const char* range_code(std::int64_t value, const WholeRange& range) {
  if (value >= range.low && value <= range.high) return nullptr;
  return value <= 0 && range.low > 0 ? "not_positive" : "out_of_range";
}

const char* range_code(double value, const RealRange& range) {
  const bool low_enough = range.above ? value > range.low : value >= range.low;
  const bool too_small = value > 0 && value < range.least;
  if (low_enough && !too_small && value <= range.high) return nullptr;
  return value <= 0 && !low_enough && range.low >= 0 ? "not_positive" : "out_of_range";
}

ObjectReader::ObjectReader(const JsonValue& node, std::string at, Problems& problems)
    : node_(&node), next_(node.begin()), at_(std::move(at)), problems_(problems) {
  if (node.is_object()) return;
  node_ = nullptr;
  add_problem(problems_, at_, "wrong_type", "object");
}

ObjectReader::ObjectReader(ObjectReader& parent, const char* name)
    : node_(parent.typed(name, &JsonValue::is_object, "object")),
      at_(parent.at(name)),
      problems_(parent.problems_) {
  if (node_ != nullptr) next_ = node_->begin();
}

const JsonValue* ObjectReader::find(const char* name) {
  const std::string_view wanted = name;
  known_.push_back(wanted);
  if (node_ == nullptr) return nullptr;
  // Fields are mostly asked for in the order in which they are written.
  const JsonValue::Iterator start = next_;
  for (; next_ != node_->end(); ++next_) {
    if ((*next_).name() == wanted) return &*next_++;
  }
  for (next_ = node_->begin(); next_ != start; ++next_) {
    if ((*next_).name() == wanted) return &*next_++;
  }
  return nullptr;
}

const JsonValue* ObjectReader::typed(const char* name, bool (JsonValue::*of_type)() const,
                                     const char* type) {
  const JsonValue* node = find(name);
  if (node == nullptr || (node->*of_type)()) return node;
  problem(name, "wrong_type", type);
  return nullptr;
}

std::optional<std::int64_t> ObjectReader::whole(const char* name, const WholeRange& range) {
  const JsonValue* node = typed(name, &JsonValue::is_number, "integer");
  if (node == nullptr) return std::nullopt;
  const std::optional<std::int64_t> value = node->whole();
  const char* code = value ? range_code(*value, range) : "not_integer";
  if (code != nullptr) problem(name, code, accepted(range));
  return value;
}

std::optional<double> ObjectReader::real(const char* name, const RealRange& range) {
  const JsonValue* node = typed(name, &JsonValue::is_number, "number");
  if (node == nullptr) return std::nullopt;
  const char* code = range_code(node->number(), range);
  if (code != nullptr) problem(name, code, accepted(range));
  return node->number();
}

std::optional<bool> ObjectReader::flag(const char* name) {
  const JsonValue* node = typed(name, &JsonValue::is_boolean, "boolean");
  return node == nullptr ? std::nullopt : std::optional<bool>(node->boolean());
}

std::optional<std::string_view> ObjectReader::text(const char* name, std::size_t longest) {
  const JsonValue* node = typed(name, &JsonValue::is_string, "string");
  if (node == nullptr) return std::nullopt;
  if (characters(node->text()) <= longest) return node->text();
  problem(name, "too_long", "<= " + std::to_string(longest) + " characters");
  return std::nullopt;
}

std::optional<std::string_view> ObjectReader::decimal(const char* name) {
  const JsonValue* node = find(name);
  if (node != nullptr && node->is_number()) {
    problem(name, "wrong_type", "decimal as a string: \"" + number_text(node->number()) + '"');
    return std::nullopt;
  }
  const std::optional<std::string_view> value = text(name);
  if (value && !is_decimal(*value)) {
    problem(name, "not_decimal", "\"12.50\"");
    return std::nullopt;
  }
  return value;
}

const JsonValue* ObjectReader::array(const char* name) {
  return typed(name, &JsonValue::is_array, "array");
}

std::vector<std::string_view> ObjectReader::texts(const char* name, std::size_t longest) {
  std::vector<std::string_view> texts;
  const JsonValue* list = array(name);
  if (list == nullptr) return texts;
  for (const JsonValue& item : *list) {
    const auto report = [&](const char* code, std::string_view accepts) {
      std::size_t index = 0;
      for (JsonValue::Iterator each = list->begin(); &*each != &item; ++each) ++index;
      add_problem(problems_, pointer(at(name), index), code, accepts);
    };
    if (!item.is_string()) {
      report("wrong_type", "string");
    } else if (item.text().empty()) {
      report("missing", "string");
    } else if (characters(item.text()) > longest) {
      report("too_long", "<= " + std::to_string(longest) + " characters");
    } else {
      texts.push_back(item.text());
    }
  }
  return texts;
}

std::int64_t ObjectReader::whole_or(const char* name, const WholeRange& range,
                                    std::int64_t otherwise) {
  return whole(name, range).value_or(otherwise);
}

double ObjectReader::real_or(const char* name, const RealRange& range, double otherwise) {
  return real(name, range).value_or(otherwise);
}

bool ObjectReader::flag_or(const char* name, bool otherwise) {
  return flag(name).value_or(otherwise);
}

std::string_view ObjectReader::text_or(const char* name, std::string_view otherwise,
                                       std::size_t longest) {
  return text(name, longest).value_or(otherwise);
}

std::size_t ObjectReader::place_of(const char* name, const NameList& names) {
  const std::optional<std::string_view> given = text(name);
  if (!given) return names.count;
  const std::size_t place = names.find(*given);
  if (place == names.count) problem(name, "not_one_of", names.joined());
  return place;
}

void ObjectReader::finish() {
  if (node_ == nullptr) return;
  std::size_t next = 0;  // in what was asked for, mostly in the members' order
  for (const JsonValue& member : *node_) {
    std::size_t tried = 0;
    while (tried < known_.size() && known_[next % known_.size()] != member.name()) ++next, ++tried;
    if (tried < known_.size()) continue;
    if (problems_.size() > limits::problems) return;  // no more are reported
    problem(member.name(), "unknown_field", nearest_fields(member.name(), known_));
  }
}

void ObjectReader::problem(std::string_view name, const char* code, std::string_view accepts) {
  add_problem(problems_, at(name), code, accepts);
}

void ObjectReader::missing(std::string_view name, std::string_view accepts) {
  problem(name, "missing", accepts);
}

void ObjectReader::require(const char* name, std::string_view accepts) {
  if (!has(name)) missing(name, accepts);
}

}  // namespace traintally
