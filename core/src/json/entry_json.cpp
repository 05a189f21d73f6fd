#include "entry_json.hpp"

namespace traintally {

std::vector<std::string_view> read_texts(ObjectReader& reader, const char* name,
                                         std::size_t longest) {
  std::vector<std::string_view> texts;
  const JsonValue* list = reader.array(name);
  if (list == nullptr) return texts;
  for (const JsonValue& item : *list) {
    const auto report = [&](const char* code, std::string_view accepts) {
      std::size_t index = 0;
      for (JsonValue::Iterator each = list->begin(); &*each != &item; ++each) ++index;
      add_problem(reader.problems(), pointer(reader.at(name), index), code, accepts);
    };
    if (!item.is_string()) {
      report("wrong_type", "string");
    } else if (item.text().empty()) {
      report("missing", "string");
    } else if (item.text().size() > longest) {
      report("too_long", "<= " + std::to_string(longest) + " bytes");
    } else {
      texts.push_back(item.text());
    }
  }
  return texts;
}

std::string_view required_text(ObjectReader& reader, const char* name) {
  const std::optional<std::string_view> text = reader.text(name);
  if (text ? text->empty() : !reader.has(name)) reader.missing(name, "string");
  return text.value_or("");
}

}  // namespace traintally
