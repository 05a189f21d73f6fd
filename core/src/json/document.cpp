#include "document.hpp"

#include <vector>

#include "../limits.hpp"

namespace traintally {
namespace {

/// Builds a document from the parser's events. Written out rather than left to json::parse so that
/// depth, duplicates and the place of an error are known; the parser itself does not recurse.
class Builder {
 public:
  using number_integer_t = Json::number_integer_t;
  using number_unsigned_t = Json::number_unsigned_t;
  using number_float_t = Json::number_float_t;
  using string_t = Json::string_t;
  using binary_t = Json::binary_t;

  explicit Builder(Problems& problems) : problems_(problems) {}

  Json take() { return failed_ ? Json(Json::value_t::discarded) : std::move(root_); }

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(number_integer_t value) { return add(value); }
  bool number_unsigned(number_unsigned_t value) { return add(value); }
  bool number_float(number_float_t value, const string_t&) { return add(value); }
  bool string(string_t& value) { return add(std::move(value)); }
  bool binary(binary_t&) { return fail("malformed_json", "JSON text"); }

  bool start_object(std::size_t) { return open(Json::object()); }
  bool key(string_t& name) {
    Json::object_t& members = *open_.back().node->get_ptr<Json::object_t*>();
    const auto [member, inserted] = members.try_emplace(std::move(name));
    if (!inserted) {
      return fail_at(pointer(path(), member->first), "duplicate_field", "each field once");
    }
    open_.back().member = &*member;
    return true;
  }
  bool end_object() { return close(); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_array() { return close(); }

  bool parse_error(std::size_t position, const std::string&, const Json::exception& error) {
    constexpr int kNumberOverflow = 406;
    if (error.id == kNumberOverflow) {
      return fail_at(path(), "out_of_range", "finite number, byte " + std::to_string(position));
    }
    return fail("malformed_json", "JSON, byte " + std::to_string(position));
  }

 private:
  struct Open {
    Json* node;
    Json::object_t::value_type* member;  // the one being read, of an object
  };

  template <class Value>
  bool add(Value&& value) {
    place(std::forward<Value>(value));
    return true;
  }

  /// Puts a value where the next one belongs and says where it is now.
  template <class Value>
  Json* place(Value&& value) {
    if (open_.empty()) {
      root_ = Json(std::forward<Value>(value));
      return &root_;
    }
    const Open& top = open_.back();
    if (top.node->is_array()) {
      Json::array_t& elements = *top.node->get_ptr<Json::array_t*>();
      elements.emplace_back(std::forward<Value>(value));
      return &elements.back();
    }
    top.member->second = Json(std::forward<Value>(value));
    return &top.member->second;
  }

  bool open(Json&& container) {
    if (open_.size() >= static_cast<std::size_t>(limits::document_depth)) {
      return fail("too_deep", "depth <= " + std::to_string(limits::document_depth));
    }
    Json* placed = place(std::move(container));
    open_.push_back({placed, nullptr});
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::string path() const {
    std::string at;
    for (const Open& each : open_) {
      if (each.node->is_array()) {
        at = pointer(at, each.node->size());
      } else if (each.member != nullptr && &each != &open_.back()) {
        at = pointer(at, each.member->first);
      }
    }
    return at;
  }

  bool fail(std::string_view code, std::string accepts) {
    return fail_at("", code, std::move(accepts));
  }
  bool fail_at(std::string at, std::string_view code, std::string accepts) {
    failed_ = true;
    add_problem(problems_, std::move(at), code, std::move(accepts));
    return false;
  }

  Problems& problems_;
  Json root_;
  std::vector<Open> open_;
  bool failed_ = false;
};

}  // namespace

Json parse_document(std::string_view text, Problems& problems) {
  if (text.size() > static_cast<std::size_t>(limits::document_bytes)) {
    add_problem(problems, "", "too_large",
                "<= " + std::to_string(limits::document_bytes) + " bytes");
    return Json(Json::value_t::discarded);
  }
  Builder builder(problems);
  Json::sax_parse(text.begin(), text.end(), &builder);
  return builder.take();
}

void add_problem(Problems& problems, std::string at, std::string_view code, std::string accepts) {
  constexpr std::size_t most = limits::problems;
  if (problems.size() > most) return;
  if (problems.size() == most) {
    problems.push_back({"", "more_problems", ""});
    return;
  }
  problems.push_back({std::move(at), std::string(code), std::move(accepts)});
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
