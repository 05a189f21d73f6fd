#include "scanner.hpp"

#include <cstring>

namespace traintally {
namespace {

constexpr int kEnd = -1;

bool is_digit(int c) { return c >= '0' && c <= '9'; }

}  // namespace

Scanner::Scanner(std::string_view text, std::unique_ptr<char[]>& unescaped)
    : text_(text), unescaped_(unescaped) {
  if (text.substr(0, 1) != "\xef") return;
  // A byte order mark is passed over; half of one is not.
  for (const int byte : {0xef, 0xbb, 0xbf}) bad_mark_ = bad_mark_ || get() != byte;
}

Token Scanner::next() {
  if (bad_mark_) return Token::none;
  int c = get();
  while (c == ' ' || c == '\t' || c == '\n' || c == '\r') c = get();
  switch (c) {
    case kEnd:
      return Token::end;
    case '{':
      return Token::begin_object;
    case '}':
      return Token::end_object;
    case '[':
      return Token::begin_array;
    case ']':
      return Token::end_array;
    case ':':
      return Token::colon;
    case ',':
      return Token::comma;
    case '"':
      return string();
    case 't':
      return rest("rue", Token::yes);
    case 'f':
      return rest("alse", Token::no);
    case 'n':
      return rest("ull", Token::null);
    default:
      return number(c);
  }
}

int Scanner::get() {
  ++position_;
  return position_ <= text_.size() ? static_cast<unsigned char>(text_[position_ - 1]) : kEnd;
}

Token Scanner::rest(std::string_view letters, Token token) {
  for (const char letter : letters) {
    if (get() != letter) return Token::none;
  }
  return token;
}

/// Passes over digits, of which there has to be one, and gets what follows them.
bool Scanner::digits(int& c) {
  if (!is_digit(c)) return false;
  while (is_digit(c)) c = get();
  return true;
}

Token Scanner::number(int c) {
  const std::size_t first = position_ - 1;
  if (c == '-') c = get();
  if (c == '0') {
    c = get();
  } else if (!digits(c)) {
    return Token::none;
  }
  if (c == '.') {
    c = get();
    if (!digits(c)) return Token::none;
  }
  if (c == 'e' || c == 'E') {
    c = get();
    if (c == '+' || c == '-') c = get();
    if (!digits(c)) return Token::none;
  }
  --position_;
  token_ = text_.substr(first, position_ - first);
  return Token::number;
}

Token Scanner::string() {
  const std::size_t first = position_;
  const std::size_t start = used_;
  copying_ = false;
  for (;;) {
    if (!copying_) skip_plain();
    const int c = get();
    if (c == '"') break;
    if (c < 0x20) return Token::none;  // a control character, or the end
    if (c == '\\') {
      if (!copying_) {
        // No string is longer than the text that it stands in.
        if (unescaped_ == nullptr) unescaped_ = std::make_unique<char[]>(text_.size());
        const std::size_t plain = position_ - 1 - first;
        std::memcpy(&unescaped_[used_], &text_[first], plain);
        used_ += plain;
        copying_ = true;
      }
      if (!escape()) return Token::none;
    } else if (c < 0x80) {
      put(c);
    } else if (!sequence(c)) {
      return Token::none;
    }
  }
  token_ = copying_ ? std::string_view(&unescaped_[start], used_ - start)
                    : text_.substr(first, position_ - 1 - first);
  return Token::string;
}

/// Passes over what stands for itself.
void Scanner::skip_plain() {
  const char* const end = text_.data() + text_.size();
  const char* at = text_.data() + position_;
  while (at < end && static_cast<signed char>(*at) >= 0x20 && *at != '"' && *at != '\\') ++at;
  position_ = static_cast<std::size_t>(at - text_.data());
}

void Scanner::put(int c) {
  if (copying_) unescaped_[used_++] = static_cast<char>(c);
}

bool Scanner::escape() {
  constexpr std::string_view kNames = "\"\\/bfnrt";
  constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
  const int c = get();
  if (c == 'u') return code_point();
  if (c == kEnd) return false;
  const std::size_t place = kNames.find(static_cast<char>(c));
  if (place == std::string_view::npos) return false;
  put(kMeant[place]);
  return true;
}

/// Four hexadecimal digits; negative where they are something else.
int Scanner::code_unit() {
  int unit = 0;
  for (int i = 0; i < 4; ++i) {
    const int c = get();
    const int lower = c | 0x20;
    if (is_digit(c)) {
      unit = unit * 16 + (c - '0');
    } else if (lower >= 'a' && lower <= 'f' && c != kEnd) {
      unit = unit * 16 + (lower - 'a' + 10);
    } else {
      return -1;
    }
  }
  return unit;
}

bool Scanner::code_point() {
  int code = code_unit();
  if (code < 0) return false;
  if (code >= 0xd800 && code < 0xdc00) {  // the first of two surrogates
    if (get() != '\\' || get() != 'u') return false;
    const int low = code_unit();
    if (low < 0xdc00 || low > 0xdfff) return false;
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  } else if (code >= 0xdc00 && code < 0xe000) {
    return false;
  }
  if (code < 0x80) {
    put(code);
    return true;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr int kLead[] = {0, 0xc0, 0xe0, 0xf0};
  put(kLead[more] | (code >> (6 * more)));
  for (int i = more; i-- > 0;) put(0x80 | ((code >> (6 * i)) & 0x3f));
  return true;
}

/// The bytes that follow the first of a character in UTF-8 (RFC 3629, section 4).
bool Scanner::sequence(int lead) {
  if (lead < 0xc2 || lead > 0xf4) return false;
  const int more = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
  // What the second byte may be: no longer form than needed, no surrogates, none past U+10FFFF.
  const int low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const int high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  put(lead);
  for (int i = 0; i < more; ++i) {
    const int c = get();
    if (c < (i == 0 ? low : 0x80) || c > (i == 0 ? high : 0xbf)) return false;
    put(c);
  }
  return true;
}

}  // namespace traintally
