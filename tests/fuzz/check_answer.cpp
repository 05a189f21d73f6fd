#include "check_answer.hpp"

#include <cctype>
#include <nlohmann/json.hpp>

namespace {

using Json = nlohmann::json;

bool stands_for_no_number(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (!text.empty() && text.front() == '-') text.erase(0, 1);
  return text == "nan" || text == "inf" || text == "infinity";
}

/// The pointer of the first value that no answer may hold; "" if there is none.
std::string first_wrong(const Json& node, const std::string& at) {
  // A provider's own entries are repeated as they were given, wrong ones too.
  if (at == "/resolved/catalog") return "";
  if (node.is_null()) return at + " is null";
  // What the document itself said is repeated as it was: a model may be called "nan".
  const bool repeated = at.starts_with("/resolved/") || at.starts_with("/problems/") ||
                        at.starts_with("/phases/") || at == "/quote/plan";
  if (!repeated && node.is_string() && stands_for_no_number(node.get<std::string>())) {
    return at + " is no number";
  }
  if (node.is_structured()) {
    for (const auto& [key, value] : node.items()) {
      std::string wrong = first_wrong(value, at + "/" + key);
      if (!wrong.empty()) return wrong;
    }
  }
  return "";
}

}  // namespace

std::string check_answer(const traintally::Session& session, std::string_view command,
                         std::string_view document) {
  const std::string answer = session.evaluate(command, document);
  const Json parsed = Json::parse(answer, nullptr, false);
  if (parsed.is_discarded()) return "the answer is no JSON: " + answer;
  if (!parsed.is_object() || parsed.value("version", 0) != 1) return "no version: " + answer;
  if (!parsed.contains("problems")) return "no problems: " + answer;
  std::string wrong = first_wrong(parsed, "");
  if (!wrong.empty()) return wrong + " in " + answer;
  if (session.evaluate(command, document) != answer) return "asked twice, answered differently";
  return "";
}
