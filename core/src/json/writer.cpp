#include "writer.hpp"

namespace traintally {

std::string number_text(double value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (value > -kExact && value < kExact) {
    const auto whole = static_cast<std::int64_t>(value);
    if (static_cast<double>(whole) == value) return std::to_string(whole);
  }
  char buffer[64];
  // What basic_json::dump prints numbers with; std::to_chars has no doubles in libc++ 13.
  const char* end = nlohmann::detail::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, static_cast<std::size_t>(end - buffer));
}

void JsonWriter::open(char bracket) {
  separate();
  out_ += bracket;
  comma_ = false;
}

void JsonWriter::close(char bracket) {
  out_ += bracket;
  comma_ = true;
}

void JsonWriter::key(std::string_view name) {
  separate();
  quoted(name);
  out_ += ':';
  comma_ = false;
}

void JsonWriter::quoted(std::string_view value) {
  constexpr char kHex[] = "0123456789abcdef";
  out_ += '"';
  for (const char c : value) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out_ += '\\';
      out_ += c;
    } else if (code < 0x20) {
      out_ += "\\u00";
      out_ += kHex[code >> 4];
      out_ += kHex[code & 15];
    } else {
      out_ += c;
    }
  }
  out_ += '"';
}

void JsonWriter::text(std::string_view value) {
  separate();
  quoted(value);
}

void JsonWriter::whole(std::int64_t value) {
  separate();
  out_ += std::to_string(value);
}

void JsonWriter::flag(bool value) {
  separate();
  out_ += value ? "true" : "false";
}

void JsonWriter::null() {
  separate();
  out_ += "null";
}

void JsonWriter::real(double value) {
  separate();
  out_ += number_text(value);
}

void JsonWriter::raw(std::string_view document) {
  separate();
  out_ += document;
}

void JsonWriter::json(const Json& value) {
  if (const auto* members = value.get_ptr<const Json::object_t*>()) {
    begin_object();
    for (const auto& [name, member] : *members) {
      key(name);
      json(member);
    }
    end_object();
  } else if (const auto* elements = value.get_ptr<const Json::array_t*>()) {
    begin_array();
    for (const Json& element : *elements) json(element);
    end_array();
  } else if (const auto* string = value.get_ptr<const Json::string_t*>()) {
    text(*string);
  } else if (const auto* boolean = value.get_ptr<const Json::boolean_t*>()) {
    flag(*boolean);
  } else if (const auto* positive = value.get_ptr<const Json::number_unsigned_t*>()) {
    separate();
    out_ += std::to_string(*positive);
  } else if (const auto* integer = value.get_ptr<const Json::number_integer_t*>()) {
    whole(*integer);
  } else if (const auto* number = value.get_ptr<const Json::number_float_t*>()) {
    real(*number);
  } else {
    null();
  }
}

void write_problems(JsonWriter& writer, const Problems& problems) {
  writer.begin_array();
  for (const Problem& problem : problems) {
    writer.begin_object();
    writer.text("at", problem.at);
    writer.text("code", problem.code);
    writer.text("accepts", problem.accepts);
    writer.end_object();
  }
  writer.end_array();
}

}  // namespace traintally
