#include "mutate.hpp"

#include <nlohmann/json.hpp>

namespace {

using Json = nlohmann::json;

// Values at the edges of what a reader might assume.
Json hostile_value(Random& random) {
  static const char* const values[] = {
      "null",
      "true",
      "false",
      "0",
      "-1",
      "1",
      "-0.0",
      "0.5",
      "1e-300",
      "1e300",
      "-1e300",
      "1e999",
      "2147483647",
      "2147483648",
      "4294967296",
      "9007199254740993",
      "9223372036854775807",
      "-9223372036854775808",
      "18446744073709551615",
      "1000000000",
      "3.7",
      "\"\"",
      "\"auto\"",
      "\"NaN\"",
      "\"1e9\"",
      "\"-1\"",
      "\"\\u0000\"",
      "\"\\ud83d\\ude00\"",
      "\"0.1\"",
      "\"999999999999999.999999999\"",
      "[]",
      "{}",
      "[[]]",
      "[null]",
      "{\"\":{}}",
      "{\"id\":\"x\"}",
      "[1,2,3]",
  };
  const Json value = Json::parse(values[random.below(std::size(values))], nullptr, false);
  return value.is_discarded() ? Json(0) : value;  // 1e999 is out of range for the parser itself
}

Json& random_node(Json& document, Random& random) {
  Json* node = &document;
  while (node->is_structured() && !node->empty() && !random.chance(20)) {
    auto child = node->begin();
    std::advance(child, static_cast<std::ptrdiff_t>(random.below(node->size())));
    node = &*child;
  }
  return *node;
}

void mutate_structure(Json& document, const Json& other, Random& random) {
  Json& node = random_node(document, random);
  switch (random.below(7)) {
    case 0:
    case 1:
      node = hostile_value(random);
      break;
    case 2:  // the number next door, a thousand times more, or less
      if (node.is_number()) {
        const double scale[] = {1e3, 1e-3, 1e9, -1, 2, 0.999999};
        node = node.get<double>() * scale[random.below(std::size(scale))];
      }
      break;
    case 3:  // drop a field
      if (node.is_structured() && !node.empty()) {
        auto child = node.begin();
        std::advance(child, static_cast<std::ptrdiff_t>(random.below(node.size())));
        node.erase(child);
      }
      break;
    case 4:  // rename a field
      if (node.is_object() && !node.empty()) {
        auto child = node.begin();
        std::advance(child, static_cast<std::ptrdiff_t>(random.below(node.size())));
        const Json value = child.value();
        const std::string key = child.key();
        node.erase(key);
        node[key + "x"] = value;
      }
      break;
    case 5: {  // a part of another seed
      Json copy = other;
      node = random_node(copy, random);
      break;
    }
    default:  // the other seed's fields beside our own
      if (document.is_object() && other.is_object()) document.update(other);
      break;
  }
}

void mutate_bytes(std::string& text, const std::string& other, Random& random) {
  if (text.empty()) return;
  const std::size_t at = random.below(text.size());
  switch (random.below(5)) {
    case 0:
      text[at] = static_cast<char>(random.below(256));
      break;
    case 1:
      text.erase(at, random.below(16));
      break;
    case 2:
      text.resize(at);
      break;
    case 3:
      text.insert(at, text.substr(at / 2, 16));
      break;
    default:
      text = text.substr(0, at) + other.substr(random.below(other.size() + 1));
      break;
  }
}

}  // namespace

std::uint64_t Random::next() {
  state_ += 0x9e3779b97f4a7c15U;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

std::string mutate(const std::vector<std::string>& seeds, Random& random) {
  const std::string& seed = seeds[random.below(seeds.size())];
  const std::string& other = seeds[random.below(seeds.size())];
  Json document = Json::parse(seed, nullptr, false);
  const Json part = Json::parse(other, nullptr, false);
  for (std::size_t i = random.below(4) + 1; i > 0; --i) mutate_structure(document, part, random);
  std::string text = document.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (random.chance(25)) {
    for (std::size_t i = random.below(3) + 1; i > 0; --i) mutate_bytes(text, other, random);
  }
  return text;
}
