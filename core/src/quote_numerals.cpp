#include "quote_numerals.hpp"

#include <cstdint>
#include <optional>

namespace traintally {
namespace {

constexpr std::size_t kCharacter = 3;  // bytes of a Chinese character in UTF-8

struct Numeral {
  const char* text;
  std::int64_t value;
};
constexpr Numeral kDigits[] = {{"零", 0}, {"〇", 0}, {"一", 1}, {"二", 2}, {"两", 2}, {"三", 3},
                               {"四", 4}, {"五", 5}, {"六", 6}, {"七", 7}, {"八", 8}, {"九", 9},
                               {"壹", 1}, {"贰", 2}, {"叁", 3}, {"肆", 4}, {"伍", 5}, {"陆", 6},
                               {"柒", 7}, {"捌", 8}, {"玖", 9}};
constexpr Numeral kUnits[] = {{"十", 10},     {"拾", 10},     {"百", 100},
                              {"佰", 100},    {"千", 1000},   {"仟", 1000},
                              {"万", 10'000}, {"萬", 10'000}, {"亿", 100'000'000}};
/// What a single numeral counts; anything else makes it part of a word.
constexpr const char* kMeasures[] = {"卡", "张", "块", "台",   "折", "元", "圆", "人民币", "美元",
                                     "天", "日", "年", "小时", "周", "个", "%",  "点",     "成"};
constexpr const char* kTenths[] = {"折"};
constexpr const char* kMoney[] = {"元", "圆", "块", "人民币", "美元"};
/// Before a single numeral: it is no count.
constexpr const char* kWordsBefore[] = {"第", "统", "唯", "单", "同", "每", "任"};
/// Behind "一": a period ("一天 350 块"), no figure.
constexpr const char* kPeriodsOfOne[] = {"天", "日", "年", "小时", "周", "个"};

template <std::size_t count>
const Numeral* numeral_at(std::string_view text, const Numeral (&table)[count]) {
  for (const Numeral& each : table) {
    if (text.substr(0, kCharacter) == each.text) return &each;
  }
  return nullptr;
}

template <std::size_t count>
bool begins(std::string_view text, const char* const (&words)[count]) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  for (const std::string_view word : words) {
    if (text.substr(0, word.size()) == word) return true;
  }
  return false;
}

template <std::size_t count>
bool ends(std::string_view text, const char* const (&words)[count]) {
  for (const std::string_view word : words) {
    if (text.size() >= word.size() && text.substr(text.size() - word.size()) == word) return true;
  }
  return false;
}

/// A run of numerals.
struct Run {
  std::size_t bytes = 0;
  int numerals = 0;
  bool has_unit = false;
  bool begins_with_unit = false;  ///< other than 十
};

Run run_at(std::string_view text) {
  Run run;
  while (run.bytes < text.size()) {
    const std::string_view rest = text.substr(run.bytes);
    const Numeral* unit = numeral_at(rest, kUnits);
    if (unit == nullptr && numeral_at(rest, kDigits) == nullptr) break;
    if (run.numerals == 0 && unit != nullptr && unit->value > 10) run.begins_with_unit = true;
    run.has_unit = run.has_unit || unit != nullptr;
    run.bytes += kCharacter;
    ++run.numerals;
  }
  return run;
}

/// "两万一个月": the last numeral is the period's.
bool ends_in_one_period(std::string_view from, const Run& run) {
  constexpr const char* kPeriods[] = {"天", "日", "年", "小时", "周", "个月"};
  return from.substr(run.bytes - kCharacter, kCharacter) == "一" &&
         begins(from.substr(run.bytes), kPeriods);
}

/// "一万二" is 12,000 and "一百零二" 102; nothing where it is no number below 10^16.
std::optional<std::int64_t> value_of(std::string_view run) {
  constexpr std::int64_t kMost = 10'000'000'000'000'000;
  std::int64_t total = 0;    // of closed 亿 and 万
  std::int64_t section = 0;  // below the next of them
  std::int64_t digit = -1;
  std::int64_t last_unit = 1;
  std::int64_t last_myriad = 0;  // 万 or 亿
  for (; !run.empty(); run.remove_prefix(kCharacter)) {
    if (const Numeral* found = numeral_at(run, kDigits)) {
      if (digit > 0) return std::nullopt;
      digit = found->value;
      if (digit == 0) last_unit = 1;
      continue;
    }
    const std::int64_t unit = numeral_at(run, kUnits)->value;
    if (unit < 10'000) {
      section += (digit < 0 ? 1 : digit) * unit;
    } else {
      section += digit < 0 ? 0 : digit;
      if (section == 0) section = total > 0 ? 0 : 1;
      if (total > 0 && last_myriad < unit) {
        total = (total + section) * unit;  // "一万亿"
      } else {
        total += section * unit;
      }
      section = 0;
      last_myriad = unit;
    }
    if (total > kMost || total < 0) return std::nullopt;
    digit = -1;
    last_unit = unit;
  }
  if (digit > 0) section += digit * (last_unit > 1 ? last_unit / 10 : 1);
  return total + section;
}

/// Digits side by side: "二零二六".
std::string digits_of(std::string_view run) {
  std::string digits;
  for (; !run.empty(); run.remove_prefix(kCharacter)) {
    digits += static_cast<char>('0' + numeral_at(run, kDigits)->value);
  }
  return digits;
}

}  // namespace

std::string with_digits(std::string_view text) {
  constexpr std::string_view kPercent = "百分之";
  constexpr std::string_view kPoint = "点";
  std::string out;
  out.reserve(text.size());
  const auto copy = [&](std::size_t bytes) {
    out += text.substr(0, bytes);
    text.remove_prefix(bytes);
  };
  while (!text.empty()) {
    const bool percent = text.substr(0, kPercent.size()) == kPercent;
    const std::string_view from = percent ? text.substr(kPercent.size()) : text;
    Run run = run_at(from);
    if (run.numerals > 1 && run.has_unit && ends_in_one_period(from, run)) {
      run.bytes -= kCharacter;  // "两万一个月"
      --run.numerals;
    }
    if (run.numerals == 0) {
      copy(1);
      continue;
    }
    const std::string_view numerals = from.substr(0, run.bytes);
    std::string_view behind = from.substr(run.bytes);
    const bool after_digit = !out.empty() && out.back() >= '0' && out.back() <= '9';
    bool number = !after_digit && !ends(out, kWordsBefore);
    if (run.begins_with_unit) {
      number = number && run.numerals > 1 && begins(behind, kMoney);  // "百万元"
    } else if (run.numerals == 1) {
      number = number && (percent || begins(behind, kMeasures)) &&
               !(numerals == "一" && begins(behind, kPeriodsOfOne));
    }
    std::string digits;
    if (number && !run.has_unit) {
      digits = digits_of(numerals);
      if (digits.size() == 2 && begins(behind, kTenths)) {
        digits.insert(1, 1, '.');
      } else if (run.numerals == 2 && digits.front() != '0') {
        digits.clear();  // "三五天": three to five
      }
    } else if (number) {
      const std::optional<std::int64_t> value = value_of(numerals);
      if (value) digits = std::to_string(*value);
    }
    if (digits.empty()) {
      copy(run.bytes + (percent ? kPercent.size() : 0));
      continue;
    }
    if (behind.substr(0, kPoint.size()) == kPoint) {
      const Run fraction = run_at(behind.substr(kPoint.size()));
      if (fraction.numerals > 0 && !fraction.has_unit && !run.has_unit) {
        digits += '.' + digits_of(behind.substr(kPoint.size(), fraction.bytes));
        behind.remove_prefix(kPoint.size() + fraction.bytes);
      }
    }
    out += digits;
    if (percent) out += '%';
    text = behind;
  }
  return out;
}

}  // namespace traintally
