#include "spelling.hpp"

#include "ascii.hpp"

namespace traintally {
namespace {

constexpr std::string_view kVariants[] = {"base", "chat", "hf", "instruct", "it", "pt"};

bool separates(char c) { return c == ' ' || c == '-' || c == '_'; }

/// Whether `text` begins with `lowered`, in either case.
bool begins(std::string_view text, std::string_view lowered) {
  if (text.size() < lowered.size()) return false;
  for (std::size_t i = 0; i < lowered.size(); ++i) {
    if (lower(text[i]) != lowered[i]) return false;
  }
  return true;
}

bool is_variant(std::string_view word) {
  for (const std::string_view variant : kVariants) {
    if (word.size() == variant.size() && begins(word, variant)) return true;
  }
  return false;
}

/// The words of a name that tell it from others, one after the other.
class Words {
 public:
  Words(std::string_view name, NameKind kind) : left_(name), kind_(kind) {
    const std::size_t slash = name.rfind('/');
    if (kind == NameKind::model && slash != std::string_view::npos) left_.remove_prefix(slash + 1);
  }

  /// "" after the last.
  std::string_view next() {
    for (;;) {
      while (!left_.empty() && separates(left_.front())) left_.remove_prefix(1);
      std::size_t length = 0;
      while (length < left_.size() && !separates(left_[length])) ++length;
      const std::string_view word = left_.substr(0, length);
      left_.remove_prefix(length);
      if (word.empty() || kind_ != NameKind::model || !is_variant(word)) return word;
    }
  }

 private:
  std::string_view left_;
  NameKind kind_;
};

}  // namespace

std::string plain_name(std::string_view name, NameKind kind) {
  std::string plain;
  Words words(name, kind);
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    for (const char c : word) plain += lower(c);
  }
  return plain;
}

bool spells(std::string_view name, std::string_view plain, NameKind kind) {
  Words words(name, kind);
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word.size() > plain.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i) {
      if (lower(word[i]) != plain[i]) return false;
    }
    plain.remove_prefix(word.size());
  }
  return plain.empty();
}

bool spells_after(std::string_view vendor, std::string_view name, std::string_view plain) {
  const std::string before = plain_name(vendor, NameKind::plain);
  return plain.size() > before.size() && plain.substr(0, before.size()) == before &&
         spells(name, plain.substr(before.size()), NameKind::plain);
}

}  // namespace traintally
