#include "writer.hpp"

#include <algorithm>

#include <nlohmann/detail/conversions/to_chars.hpp>

namespace traintally {

std::string number_text(double value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (value > -kExact && value < kExact) {
    const auto whole = static_cast<std::int64_t>(value);
    if (static_cast<double>(whole) == value) return std::to_string(whole);
  }
  char buffer[64];
  // std::to_chars has no doubles in libc++ 13.
  const char* end = nlohmann::detail::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, static_cast<std::size_t>(end - buffer));
}

char* JsonWriter::room(std::size_t bytes) {
  if (size_ + bytes > capacity_) {
    capacity_ = 2 * (size_ + bytes) + 200;
    std::unique_ptr<char[]> grown(new char[capacity_]);
    if (size_ > 0) std::memcpy(grown.get(), out_.get(), size_);
    out_ = std::move(grown);
  }
  size_ += bytes;
  return out_.get() + (size_ - bytes);
}

void JsonWriter::open(char bracket) {
  separate();
  add(bracket);
  comma_ = false;
}

void JsonWriter::close(char bracket) {
  add(bracket);
  comma_ = true;
}

void JsonWriter::key(std::string_view name) {
  separate();
  quoted(name);
  add(':');
  comma_ = false;
}

void JsonWriter::quoted(std::string_view value) {
  constexpr char kHex[] = "0123456789abcdef";
  add('"');
  std::size_t written = 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const auto code = static_cast<unsigned char>(value[i]);
    if (code >= 0x20 && code != '"' && code != '\\') continue;
    add(value.substr(written, i - written));
    written = i;
    add('\\');
    if (code >= 0x20) continue;  // the character itself follows
    const char escaped[] = {'u', '0', '0', kHex[code >> 4], kHex[code & 15]};
    add({escaped, sizeof escaped});
    written = i + 1;
  }
  add(value.substr(written));
  add('"');
}

void JsonWriter::text(std::string_view value) {
  separate();
  quoted(value);
}

void JsonWriter::whole(std::int64_t value) {
  separate();
  add(std::to_string(value));
}

void JsonWriter::flag(bool value) {
  separate();
  add(value ? "true" : "false");
}

void JsonWriter::null() {
  separate();
  add("null");
}

void JsonWriter::real(double value) {
  separate();
  add(number_text(value));
}

void JsonWriter::raw(std::string_view document) {
  separate();
  add(document);
}

void JsonWriter::json(const JsonValue& value) {
  switch (value.kind()) {
    case JsonValue::Kind::null:
      return null();
    case JsonValue::Kind::boolean:
      return flag(value.boolean());
    case JsonValue::Kind::whole:
      return whole(*value.whole());
    case JsonValue::Kind::real:
      return real(value.number());
    case JsonValue::Kind::string:
      return text(value.text());
    case JsonValue::Kind::array:
      begin_array();
      for (const JsonValue& element : value) json(element);
      return end_array();
    case JsonValue::Kind::object:
      begin_object();
      members(value);
      return end_object();
  }
}

void JsonWriter::members(const JsonValue& object) {
  for (const JsonValue& member : object) {
    key(member.name());
    json(member);
  }
}

void write_problems(JsonWriter& writer, const Problems& problems) {
  writer.begin_array();
  for (const Problem* problem = problems.data(); problem != problems.data() + problems.size();
       ++problem) {
    const auto same = [problem](const Problem& other) {
      return other.at == problem->at && other.code == problem->code &&
             other.accepts == problem->accepts;
    };
    if (std::any_of(problems.data(), problem, same)) continue;
    writer.begin_object();
    writer.text("at", problem->at);
    writer.text("code", problem->code);
    writer.text("accepts", problem->accepts);
    writer.end_object();
  }
  writer.end_array();
}

}  // namespace traintally
