#include "entry_json.hpp"

namespace traintally {

std::vector<std::string> read_texts(ObjectReader& reader, const char* name, std::size_t longest) {
  std::vector<std::string> texts;
  const Json* node = reader.find(name);
  if (node == nullptr) return texts;
  const auto* items = node->get_ptr<const Json::array_t*>();
  if (items == nullptr) {
    reader.problem(name, "wrong_type", "array");
    return texts;
  }
  for (std::size_t i = 0; i < items->size(); ++i) {
    const auto* text = (*items)[i].get_ptr<const Json::string_t*>();
    if (text == nullptr) {
      add_problem(reader.problems(), pointer(reader.at(name), i), "wrong_type", "string");
    } else if (text->empty()) {
      add_problem(reader.problems(), pointer(reader.at(name), i), "missing", "string");
    } else if (text->size() > longest) {
      add_problem(reader.problems(), pointer(reader.at(name), i), "too_long",
                  "<= " + std::to_string(longest) + " bytes");
    } else {
      texts.push_back(*text);
    }
  }
  return texts;
}

std::string required_text(ObjectReader& reader, const char* name) {
  const std::optional<std::string> text = reader.text(name);
  if (text ? text->empty() : !reader.has(name)) reader.missing(name, "string");
  return text.value_or("");
}

}  // namespace traintally
