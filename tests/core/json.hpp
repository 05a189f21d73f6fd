#pragma once

#include <deque>
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

/// A value, as the core's functions take it. What they read points into it, so it is kept for good.
inline const JsonValue& reparsed(const Json& value) {
  static std::deque<std::string> texts;
  static std::deque<Document> documents;
  Problems problems;
  return documents.emplace_back(texts.emplace_back(value.dump()), problems).root();
}

}  // namespace traintally
