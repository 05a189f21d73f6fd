#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace traintally {

/// What a JSON text is made of.
enum class Token : std::uint8_t {
  none,  ///< nothing that JSON knows
  end,
  begin_object,
  end_object,
  begin_array,
  end_array,
  colon,
  comma,
  string,
  number,
  yes,
  no,
  null
};

/// Takes a text apart, strictly by RFC 8259 and, inside strings, UTF-8. Bytes are counted as they
/// are looked at, the end of the text as one, so that a refusal can say where reading stopped.
class Scanner {
 public:
  /// @param unescaped where strings with escapes go; made when there is one.
  Scanner(std::string_view text, std::unique_ptr<char[]>& unescaped);

  Token next();

  std::size_t position() const { return position_; }
  /// A string's characters, or a number as it is written.
  std::string_view text() const { return token_; }

 private:
  int get();
  Token rest(std::string_view letters, Token token);
  bool digits(int& c);
  Token number(int c);
  Token string();
  void skip_plain();
  bool escape();
  bool code_point();
  int code_unit();
  bool sequence(int lead);
  void put(int c);

  std::string_view text_;
  std::size_t position_ = 0;
  bool bad_mark_ = false;
  std::string_view token_;
  std::unique_ptr<char[]>& unescaped_;
  std::size_t used_ = 0;  ///< of unescaped_
  bool copying_ = false;  ///< the string at hand goes to unescaped_
};

}  // namespace traintally
