#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "json/document.hpp"

namespace traintally {

/// What tests read and change documents with; the core has a parser of its own.
using Json = nlohmann::json;

/// Parses a document as the core does, and reports what it reports.
inline Json parse_document(std::string_view text, Problems& problems) {
  const std::size_t before = problems.size();
  const Document document(text, problems);
  return problems.size() == before ? Json::parse(text, nullptr, false) : Json();
}

/// A value, for the core's functions that take one of a parsed document.
class Reparsed {
 public:
  explicit Reparsed(const Json& value) : text_(value.dump()), document_(text_, problems_) {}
  operator const JsonValue&() const { return document_.root(); }

 private:
  std::string text_;
  Problems problems_;
  Document document_;
};

}  // namespace traintally
