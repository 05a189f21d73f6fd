#include "entry_json.hpp"

namespace traintally {

std::string_view required_text(ObjectReader& reader, const char* name) {
  const std::optional<std::string_view> text = reader.text(name);
  if (text ? text->empty() : !reader.has(name)) reader.missing(name, "string");
  return text.value_or("");
}

}  // namespace traintally
