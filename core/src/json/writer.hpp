#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "document.hpp"

namespace traintally {

/// The shortest decimal that reads back as the same double, "12" rather than "12.0". Needs a finite
/// value.
std::string number_text(double value);

/// Writes one JSON document, keys in the order given, without spaces.
class JsonWriter {
 public:
  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  void key(std::string_view name);

  void text(std::string_view value);
  void whole(std::int64_t value);
  void flag(bool value);
  void null();
  void real(double value);  ///< needs a finite value
  void json(const JsonValue& value);
  void members(const JsonValue& object);  ///< those of an object, without its braces
  void raw(std::string_view document);    ///< a complete JSON value

  void begin_object(const char* name) { key(name), begin_object(); }
  void begin_array(const char* name) { key(name), begin_array(); }
  void text(const char* name, std::string_view value) { key(name), text(value); }
  void whole(const char* name, std::int64_t value) { key(name), whole(value); }
  void flag(const char* name, bool value) { key(name), flag(value); }
  void real(const char* name, double value) { key(name), real(value); }

  /// "figures": an object of what a list of (name, number) holds.
  template <class List>
  void figures(const List& list) {
    begin_object("figures");
    for (const auto& [name, value] : list) {
      key(name);
      real(value);
    }
    end_object();
  }

  std::string_view str() const { return {out_.get(), size_}; }
  std::string take() const { return std::string(str()); }

 private:
  void separate() {
    if (comma_) add(',');
    comma_ = true;
  }
  void open(char bracket);
  void close(char bracket);
  void quoted(std::string_view value);
  void add(char c) { *room(1) = c; }
  void add(std::string_view text) {
    if (!text.empty()) std::memcpy(room(text.size()), text.data(), text.size());
  }
  /// So many bytes at the end, to be filled. A string's own growth costs a call for each byte.
  char* room(std::size_t bytes);

  std::unique_ptr<char[]> out_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  bool comma_ = false;
};

/// Writes the problems as a list, each once.
void write_problems(JsonWriter& writer, const Problems& problems);

}  // namespace traintally
