#include <algorithm>

#include <traintally/quote.hpp>

#include "ascii.hpp"
#include "quote_numerals.hpp"

namespace traintally {
namespace {

constexpr std::size_t kContext = 36;  // bytes before a figure that say what it is

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

struct Replacement {
  const char* from;
  const char* to;
};
constexpr Replacement kPlain[] = {
    {"，", ", "}, {"：", ":"}, {"（", "("}, {"）", ")"}, {"；", ";"}, {"。", ";"}, {"、", ","},
    {"×", "x"},   {"／", "/"}, {"＄", "$"}, {"￥", "¥"}, {"～", "-"}, {"~", "-"},  {"—", "- "},
    {"–", "-"},   {"−", "-"},  {"至", "-"}, {"．", "."}, {"％", "%"}, {"＋", "+"}, {"＊", "x"},
    {"*", "x"},   {"　", " "}, {"\t", " "}, {"|", ";"},  {"\r", ""},  {"\n", ";"}, {"０", "0"},
    {"１", "1"},  {"２", "2"}, {"３", "3"}, {"４", "4"}, {"５", "5"}, {"６", "6"}, {"７", "7"},
    {"８", "8"},  {"９", "9"}};

/// Lower case, half width, clauses ended by ';'.
std::string plain(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const Replacement* found = nullptr;
    for (const Replacement& each : kPlain) {
      const std::string_view from = each.from;
      if (text.substr(i, from.size()) == from) found = &each;
    }
    if (found != nullptr) {
      out += found->to;
      i += std::string_view(found->from).size();
      continue;
    }
    const char c = text[i++];
    out += lower(c);
  }
  return out;
}

/// Whether one of the words, "a|b|c", stands at the start; the longest. Latin words end there.
std::size_t starts_with(std::string_view text, std::string_view words) {
  std::size_t longest = 0;
  while (!words.empty()) {
    const std::size_t bar = std::min(words.find('|'), words.size());
    const std::string_view word = words.substr(0, bar);
    words.remove_prefix(std::min(bar + 1, words.size()));
    if (word.empty() || text.substr(0, word.size()) != word) continue;
    const std::string_view after = text.substr(word.size());
    // "40gbx4": a factor begins no word.
    const bool factor =
        after.size() > 1 && after[0] == 'x' && (is_digit(after[1]) || after[1] == ' ');
    const bool cut = is_letter(word.back()) && !after.empty() && is_letter(after[0]) && !factor;
    if (!cut) longest = std::max(longest, word.size());
  }
  return longest;
}

bool contains(std::string_view text, std::string_view words) {
  while (!words.empty()) {
    const std::size_t bar = std::min(words.find('|'), words.size());
    if (bar > 0 && text.find(words.substr(0, bar)) != std::string_view::npos) return true;
    words.remove_prefix(std::min(bar + 1, words.size()));
  }
  return false;
}

/// Where the last of the words in the text ends; 0 if there is none.
std::size_t end_of_last(std::string_view text, std::string_view words) {
  std::size_t end = 0;
  while (!words.empty()) {
    const std::size_t bar = std::min(words.find('|'), words.size());
    const std::size_t at = text.rfind(words.substr(0, bar));
    if (bar > 0 && at != std::string_view::npos) end = std::max(end, at + bar);
    words.remove_prefix(std::min(bar + 1, words.size()));
  }
  return end;
}

std::string_view without_spaces(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '+')) text.remove_prefix(1);
  return text;
}

/// Powers of ten behind a figure.
struct Scale {
  const char* words;
  int power;
  enum class In : std::uint8_t { all, tokens, tokens_and_money, money } in;
};
constexpr Scale kScales[] = {{"万亿|trillion", 12, Scale::In::all},
                             {"千万", 7, Scale::In::all},
                             {"百万|million", 6, Scale::In::all},
                             {"十亿|billion", 9, Scale::In::all},
                             {"亿", 8, Scale::In::all},
                             {"万", 4, Scale::In::all},
                             {"千", 3, Scale::In::all},
                             {"k", 3, Scale::In::tokens_and_money},
                             {"w", 4, Scale::In::money},
                             {"m", 6, Scale::In::tokens},
                             {"b", 9, Scale::In::tokens},
                             {"t", 12, Scale::In::tokens}};

/// What stands behind a figure (`right`), and before it in its clause (`left`), says what it is.
/// The first rule that fits is taken. `shift` moves the point: 34 "亿参数" are 3.4 billion.
struct Rule {
  const char* right;
  const char* left;
  QuoteField field;
  int shift;
};
constexpr Rule kRules[] = {
    {"折", "", QuoteField::zhe, 0},
    {"%", "隐性|hidden fee", QuoteField::hidden_fee_percent, 0},
    {"%", "低|便宜|节省|cheaper|below|less", QuoteField::cheaper_percent, 0},
    {"% cheaper|% below|% less", "", QuoteField::cheaper_percent, 0},
    {"% off|%off|% discount|%折扣|%优惠", "", QuoteField::discount_percent, 0},
    {"%", "折扣|优惠|discount|off", QuoteField::discount_percent, 0},
    {"元/1000 tokens|元/1000tokens|元/千tokens|元/千 tokens|/1k tokens|/1000 tokens|per 1k "
     "tokens|per 1,000 tokens",
     "均|average", QuoteField::average_unit_cost_per_1k, 0},
    {"元/1000 tokens|元/1000tokens|元/千tokens|元/千 tokens|/1k tokens|/1000 tokens|per 1k "
     "tokens|per 1,000 tokens",
     "", QuoteField::unit_cost_per_1k, 0},
    {"tokens/月|tokens/month|tokens per month|tokens/mo", "", QuoteField::tokens_per_month, 0},
    {"tokens/卡/天|tokens/gpu/day|tokens per gpu per day|tokens/card/day", "",
     QuoteField::tokens_per_card_day, 0},
    {"tokens/天|tokens/日|tokens/day|tokens per day|tokens a day", "", QuoteField::tokens_per_day,
     0},
    {"tokens|token|词元", "单卡|每卡|per gpu|per card", QuoteField::tokens_per_card_day, 0},
    {"tokens|token|词元", "月|month", QuoteField::tokens_per_month, 0},
    {"tokens|token|词元", "日|天|day|daily", QuoteField::tokens_per_day, 0},
    {"gbps|gb带宽|gbit", "", QuoteField::bandwidth_mbit_s, 3},
    {"mbps|mb带宽|m带宽|mbit|mb/s", "", QuoteField::bandwidth_mbit_s, 0},
    {"m|mb", "带宽|bandwidth|uplink", QuoteField::bandwidth_mbit_s, 0},
    {"tb|t存储|tib", "", QuoteField::storage_tb, 0},
    {"t", "存储|ssd|nvme|storage", QuoteField::storage_tb, 0},
    {"gb", "存储|ssd|nvme|storage|硬盘", QuoteField::storage_tb, -3},
    {"gb|g显存|g", "", QuoteField::memory_gb, 0},
    {"亿参数|亿模型", "", QuoteField::params_b, -9},
    {"b", "", QuoteField::params_b, 0},
    {"x ", "", QuoteField::count, 0},
    {"x|卡|张|块|gpus|gpu|cards|card", "", QuoteField::count, 0},
    {"天|days|day", "训练|周期|train|cycle|finish", QuoteField::training_days, 0},
    {"小时|hours|hour|h", "", QuoteField::hours, 0}};

struct Period {
  const char* words;
  QuoteField all;
  QuoteField each;
};
constexpr Period kPeriods[] = {
    {"小时|卡时|hour|hr|h|时", QuoteField::per_hour, QuoteField::per_gpu_hour},
    {"天|日|day|d", QuoteField::per_day, QuoteField::per_day},
    {"个月|月|month|mo", QuoteField::per_month, QuoteField::per_gpu_month},
    {"年|year|yr|annum", QuoteField::per_year, QuoteField::per_year}};
constexpr const char* kPeriodsBefore[] = {
    "每小时|一小时|时租|按量|hourly|按时", "日租|按天|包天|每天|每日|一天|daily",
    "月付|包月|月租|月价|每月|一个月|月成本|monthly|month",
    "年付|包年|年租|年价|每年|一年|年成本|yearly|annual|year"};

/// What a figure is for that is no price of the plan itself.
struct FeeWords {
  const char* words;
  FeeCategory category;
};
constexpr FeeWords kFees[] = {
    {"流量费|传输费|出网费|egress|data transfer|transfer fee", FeeCategory::data_transfer},
    {"带宽费|网络费|网络附加|组网费|专线费|network fee|network surcharge|bandwidth fee",
     FeeCategory::network_surcharge},
    {"显存扩展|显存扩容|vram expansion|memory expansion", FeeCategory::vram_expansion},
    {"软件授权|授权费|许可费|license fee|licence fee|licensing", FeeCategory::software_licence},
    {"故障诊断|故障排查|诊断费|fault diagnosis", FeeCategory::fault_diagnosis},
    {"扩缩容|缩容费|扩容费|scaling fee|scaling penalty", FeeCategory::scaling_penalty}};
/// Fees of no category that is summed: neither a fee nor a price.
constexpr const char* kOtherFees =
    "存储费|快照费|备份费|部署费|安装费|服务费|押金|保证金|storage fee|snapshot fee|backup fee|"
    "setup fee|support fee|deposit";

class TextReader {
 public:
  TextReader(std::string_view text, const Catalog& catalog)
      : text_(with_digits(plain(text))),
        catalog_(catalog),
        used_(text_.size(), false),
        named_(text_.size(), false) {}

  QuoteText run(const std::optional<ExchangeRate>& rate, std::optional<Currency> currency) {
    find_gpu();
    find_service_hours();
    for (std::size_t i = 0; i < text_.size();) {
      if (!is_digit(text_[i]) || used_[i]) {
        ++i;
        continue;
      }
      i = read_figure(i);
    }
    settle_gpu();
    if (contains(text_, "lora")) {
      r_.quote.kind = contains(text_, "qlora") ? TrainingKind::qlora : TrainingKind::lora;
    }
    if (contains(text_, "fp8|fp4")) {
      r_.quote.precision = contains(text_, "fp4") ? MatmulKind::fp4 : MatmulKind::fp8;
    }
    r_.mixed_currencies = yuan_ && dollars_;
    r_.quote.currency = currency.value_or(dollars_ && !yuan_ ? kUsd : kCny);
    settle_amounts(rate, dollars_ && !yuan_ ? kUsd : kCny);
    return std::move(r_);
  }

 private:
  /// The amounts in the quote's currency. `bare` is that of amounts without any.
  void settle_amounts(const std::optional<ExchangeRate>& rate, Currency bare) {
    const auto settled = [&](Decimal amount, Currency currency) -> std::optional<Decimal> {
      if (currency == r_.quote.currency) return amount;
      const std::optional<Money> money =
          rate ? convert({amount, currency}, *rate, r_.quote.currency) : std::nullopt;
      (money ? r_.quote.converted : r_.incomparable) = true;
      return money ? std::optional<Decimal>(money->amount.trimmed()) : std::nullopt;
    };
    for (const QuoteFinding& finding : r_.findings) {
      if (!is_money(finding.field)) continue;
      const std::optional<Decimal> amount = settled(finding.value, finding.currency.value_or(bare));
      std::vector<Decimal>& values = r_.quote.all(finding.field);
      if (amount && std::find(values.begin(), values.end(), *amount) == values.end()) {
        values.push_back(*amount);
      }
    }
    std::vector<Fee> fees;
    for (std::size_t i = 0; i < r_.quote.fees.size(); ++i) {
      Fee fee = r_.quote.fees[i];
      if (fee_currencies_[i]) {
        const std::optional<Decimal> amount = settled(fee.amount, *fee_currencies_[i]);
        if (!amount) continue;
        fee.amount = *amount;
      }
      fees.push_back(fee);
    }
    r_.quote.fees = std::move(fees);
  }

  /// "a100-sxm-80gb": "a100"; "rtx-4090d": "4090d".
  static std::string family_of(std::string_view id) {
    for (const char* maker : {"rtx-", "ascend-"}) {
      if (id.substr(0, std::string_view(maker).size()) == maker) {
        id.remove_prefix(std::string_view(maker).size());
      }
    }
    return std::string(id.substr(0, id.find('-')));
  }

  bool whole_word(std::size_t at, std::size_t length) const {
    const auto joined = [](char c) { return is_letter(c) || is_digit(c); };
    const bool before = at > 0 && joined(text_[at - 1]) && joined(text_[at]) &&
                        !(at > 2 && text_.compare(at - 3, 3, "rtx") == 0);
    const std::size_t end = at + length;
    // "a100x8", "8xa100": a factor is no part of the name.
    const bool factor = end + 1 < text_.size() && text_[end] == 'x' &&
                        (is_digit(text_[end + 1]) || text_[end + 1] == ' ');
    const bool after = end < text_.size() && joined(text_[end]) && !factor;
    const bool times =
        at > 1 && text_[at - 1] == 'x' && (is_digit(text_[at - 2]) || text_[at - 2] == ' ');
    return (!before || times) && !after;
  }

  void mark_gpu(std::size_t at, std::size_t length) {
    const auto from = static_cast<std::ptrdiff_t>(at);
    std::fill_n(used_.begin() + from, length, true);
    std::fill_n(named_.begin() + from, length, true);
  }

  /// The longest name of a GPU in the text. All its figures are those of a name, no others.
  void find_gpu() {
    std::size_t longest = 0;
    for (const GpuEntry& gpu : catalog_.gpus) {
      const std::string family = family_of(gpu.id);
      if (family.size() < 2) continue;
      for (std::size_t at = text_.find(family); at != std::string::npos;
           at = text_.find(family, at + 1)) {
        if (!whole_word(at, family.size())) continue;
        mark_gpu(at, family.size());
        if (family.size() <= longest) continue;
        longest = family.size();
        r_.gpu_text = family;
      }
    }
    // Names in Chinese characters stand for themselves.
    for (const GpuEntry& gpu : catalog_.gpus) {
      for (const std::string_view alias : gpu.aliases) {
        const std::string name = with_digits(plain(alias));
        if ((name.front() & 0x80) == 0 || name.size() <= longest) continue;
        const std::size_t at = text_.find(name);
        if (at == std::string::npos) continue;
        longest = name.size();
        r_.gpu_text = name;
        r_.quote.gpu = gpu.id;
        mark_gpu(at, name.size());
      }
    }
  }

  void settle_gpu() {
    if (r_.gpu_text.empty() || !r_.quote.gpu.empty()) return;
    const double memory_gb = r_.quote.real(QuoteField::memory_gb);
    const bool pcie = contains(text_, r_.gpu_text + " pcie|" + r_.gpu_text + "-pcie");
    const GpuEntry* best = nullptr;
    int best_score = -1;
    bool differ = false;
    for (const GpuEntry& gpu : catalog_.gpus) {
      if (family_of(gpu.id) != r_.gpu_text) continue;
      const bool same_memory = memory_gb <= 0 || memory_gb == gpu.memory_gb;
      const bool is_pcie = gpu.id.find("pcie") != std::string::npos;
      const int score = (same_memory ? 2 : 0) + (pcie == is_pcie ? 1 : 0);
      if (best != nullptr && memory_gb <= 0 && best->memory_gb != gpu.memory_gb) differ = true;
      if (score <= best_score) continue;
      best = &gpu;
      best_score = score;
    }
    if (best == nullptr) return;
    r_.quote.gpu = best->id;
    r_.gpu_assumed = differ || (memory_gb > 0 && memory_gb != best->memory_gb);
  }

  std::size_t clause_start(std::size_t at) const {
    const std::size_t from = at > kContext ? at - kContext : 0;
    for (std::size_t i = at; i > from; --i) {
      const char c = text_[i - 1];
      const bool grouping = c == ',' && i < text_.size() && is_digit(text_[i]);
      if (c == ';' || (c == ',' && !grouping)) return i;
    }
    std::size_t start = from;  // at the start of a character
    while (start < at && (text_[start] & 0xC0) == 0x80) ++start;
    return start;
  }

  /// "7x24 小时", "24/7": when somebody answers, no count and no rent.
  void find_service_hours() {
    constexpr std::string_view kForms[] = {"7x24", "24x7",  "7 x 24", "24 x 7", "24/7",
                                           "7/24", "7天24", "7天x24", "7天 24"};
    const auto joined = [](char c) { return is_digit(c) || c == '.' || c == ','; };
    for (const std::string_view form : kForms) {
      for (std::size_t at = text_.find(form); at != std::string::npos;
           at = text_.find(form, at + 1)) {
        const std::size_t end = at + form.size();
        if (at > 0 && (joined(text_[at - 1]) || is_letter(text_[at - 1]))) continue;
        if (end < text_.size() && is_digit(text_[end])) continue;
        for (std::size_t i = at; i < end; ++i) used_[i] = true;
      }
    }
  }

  struct Figure {
    Decimal value;
    std::size_t end = 0;     ///< behind its digits
    bool has_scale = false;  ///< "万" behind it is in the value
  };

  Figure figure_at(std::size_t at) const {
    std::size_t end = at;
    std::string digits;
    bool point = false;
    while (end < text_.size()) {
      const char c = text_[end];
      const bool next = end + 1 < text_.size() && is_digit(text_[end + 1]);
      if (is_digit(c)) {
        digits += c;
      } else if (c == '.' && next && !point) {
        digits += c;
        point = true;
      } else if (c == ',' && next && !point && groups(end)) {
        // "27,600"
      } else {
        break;
      }
      ++end;
    }
    std::optional<Decimal> number = Decimal::parse(digits);
    if (!number || number->scale > 6) number = Decimal{0, 0, true};
    return {*number, end, false};
  }

  /// Takes the powers of ten behind a figure off `right`: "12.5万", "1万2", "1.2w/月".
  Decimal scaled(Decimal value, std::string_view left, std::string_view& right) const {
    right = without_spaces(right);
    for (const Scale& scale : kScales) {
      const std::size_t length = starts_with(right, scale.words);
      if (length == 0) continue;
      const std::string_view behind = without_spaces(right.substr(length));
      const bool tokens = starts_with(behind, "tokens|token") > 0;
      const bool money = names_amount(left, behind);
      if (scale.in == Scale::In::tokens && !tokens) continue;
      if (scale.in == Scale::In::money && !money) continue;
      if (scale.in == Scale::In::tokens_and_money && !tokens && !money) continue;
      // "100亿参数" is read as a whole by its rule.
      if (scale.power == 8 && starts_with(right, "亿参数|亿模型") > 0) continue;
      for (int i = 0; i < scale.power; ++i) value = multiply(value, 10, 1, value.scale);
      const bool shorthand = scale.power == 4 || scale.power == 3;
      right.remove_prefix(length);
      if (shorthand && !right.empty() && is_digit(right[0])) {
        // "1万2" is 12,000, and so is "1万2千".
        std::string_view last = right.substr(1);
        const std::size_t thousand = scale.power == 4 ? starts_with(last, "千") : 0;
        last.remove_prefix(thousand);
        last = without_spaces(last);
        if (last.empty() || starts_with(last, ";|,|)|/|元|块|每|人民币|rmb|起|左右") > 0) {
          Decimal more = Decimal::from_integer(right[0] - '0');
          for (int i = 1; i < scale.power; ++i) more = multiply(more, 10, 1, 0);
          value = value + more;
          right = last;
        }
      }
      right = without_spaces(right);
      break;
    }
    return value;
  }

  static std::string_view without_end_spaces(std::string_view text) {
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
  }

  static bool ends_with(std::string_view text, std::string_view words) {
    const std::size_t end = end_of_last(text, words);
    return end > 0 && end == text.size();
  }

  /// The text before a figure without what only leads up to it: "月租：约".
  static std::string_view without_lead(std::string_view left) {
    for (bool again = true; again && !left.empty();) {
      again = false;
      for (const std::string_view lead : {" ", ":", "=", "-", "约", "为", "仅", "仅需", "只要",
                                          "低至", "是", "价格", "价", "费用", "only", "from"}) {
        if (left.size() < lead.size() || left.substr(left.size() - lead.size()) != lead) continue;
        left.remove_suffix(lead.size());
        again = true;
        break;
      }
    }
    return left;
  }

  /// The period that the text before a figure ends with, or -1.
  static int period_right_before(std::string_view left) {
    for (const std::string_view each : {without_end_spaces(left), without_lead(left)}) {
      for (int i = 0; i < 4; ++i) {
        if (ends_with(each, kPeriodsBefore[i])) return i;
      }
    }
    return -1;
  }

  /// Length of "/小时", "每月", "per GPU per hour" at the start; 0 for none.
  static std::size_t period_behind(std::string_view right) {
    const std::string_view rest = without_spaces(right);
    const std::size_t mark = starts_with(rest, "/|每|一|per");
    if (mark == 0) return 0;
    const std::string_view unit = without_spaces(rest.substr(mark));
    for (const Period& period : kPeriods) {
      if (starts_with(unit, period.words) > 0) return right.size() - unit.size();
    }
    // "/卡/小时", "/gpu/hr"
    const std::size_t each = starts_with(unit, "gpu|卡|张|card");
    return each > 0 ? period_behind(unit.substr(each)) : 0;
  }

  /// Length of "/gpu", "per card", "每卡" at the start; 0 for none.
  static std::size_t card_behind(std::string_view right) {
    const std::string_view rest = without_spaces(right);
    const std::size_t mark = starts_with(rest, "/|per|每|·");
    if (mark == 0) return 0;
    const std::string_view unit = without_spaces(rest.substr(mark));
    const std::size_t length = starts_with(unit, "gpu|卡|张|card");
    return length == 0 ? 0 : right.size() - unit.size() + length;
  }

  /// period_behind with its period: "/小时" whole.
  static std::size_t whole_period(std::string_view right) {
    const std::size_t mark = period_behind(right);
    if (mark == 0) return 0;
    std::size_t longest = 0;
    for (const Period& period : kPeriods) {
      longest = std::max(longest, starts_with(right.substr(mark), period.words));
    }
    return mark + longest;
  }

  /// Whether a figure between these is an amount, as far as "w" and "k" may be ten thousands and
  /// thousands.
  static bool names_amount(std::string_view left, std::string_view behind) {
    const std::string_view before = without_end_spaces(left);
    return ends_with(before, "$|¥|usd|rmb|cny") || period_right_before(left) >= 0 ||
           starts_with(behind, "元|块|人民币|rmb|cny|usd|美元|yuan|dollars") > 0 ||
           period_behind(behind) > 0;
  }

  std::size_t place_of(std::string_view part) const {
    return static_cast<std::size_t>(part.data() - text_.data());
  }

  /// Whether a GPU, or the word, comes next: "块 4090", "块显卡".
  bool names_gpu(std::string_view right) const {
    right = without_spaces(right);
    for (bool again = true; again;) {
      again = false;
      if (starts_with(right, "显卡|卡|gpu|gpus|card|cards") > 0) return true;
      for (const std::string_view maker :
           {"rtx", "geforce", "nvidia", "tesla", "英伟达", "昇腾", "华为", "的", "-", " "}) {
        if (right.substr(0, maker.size()) != maker) continue;
        right.remove_prefix(maker.size());
        again = true;
        break;
      }
    }
    return !right.empty() && named_[place_of(right)];
  }

  bool ends_in_gpu(std::string_view left) const {
    left = without_end_spaces(left);
    if (left.empty()) return false;
    return named_[place_of(left) + left.size() - 1] || ends_with(left, "显卡|卡|gpu|gpus");
  }

  /// "块" is yuan behind a price and cards beside a GPU.
  bool block_is_money(std::string_view left, std::string_view behind, Decimal value) const {
    if (names_gpu(behind)) return false;
    if (const std::size_t length = whole_period(behind)) {
      // "8块 每小时15元": the period is the next price's.
      const std::string_view after = without_spaces(behind.substr(length));
      const bool next = behind.front() == ' ' && !after.empty() && is_digit(after.front());
      if (!next) return true;
    }
    if (value.trimmed().scale > 0) return true;
    if (ends_in_gpu(left)) return false;
    for (const char* words : kPeriodsBefore) {
      if (contains(left, words)) return true;
    }
    return false;
  }

  /// Memory of the host, or a disk.
  static bool is_host_memory(std::string_view left, std::string_view behind) {
    constexpr const char* kHost =
        "内存|主存|ram|ddr4|ddr5|系统盘|数据盘|云盘|磁盘|system memory|host memory|disk";
    if (ends_with(without_lead(left), kHost)) return true;
    const std::string_view rest = without_spaces(behind);
    const std::size_t length = starts_with(rest, kHost);
    if (length == 0) return false;
    const std::string_view after = without_lead_colon(rest.substr(length));
    return after.empty() || !is_digit(after.front());  // "24G 内存64G"
  }
  static std::string_view without_lead_colon(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == ':')) text.remove_prefix(1);
    return text;
  }

  /// A minus sign that belongs to the figure at `at`.
  bool is_negative(std::size_t at) const {
    std::string_view before = std::string_view(text_).substr(0, at);
    for (const std::string_view sign : {"¥", "$"}) {
      if (before.size() >= sign.size() && before.substr(before.size() - sign.size()) == sign) {
        before.remove_suffix(sign.size());
      }
    }
    if (before.empty() || before.back() != '-') return false;
    before.remove_suffix(1);
    return before.empty() || !(is_digit(before.back()) || is_letter(before.back()));
  }

  /// Where the high end of a range begins whose low end ends at `end`: "1.5-2.0"; or 0.
  std::size_t high_end(std::size_t end) const {
    std::string_view rest = without_spaces(std::string_view(text_).substr(end));
    for (const std::string_view unit : {"b", "k", "w", "万", "亿", "元", "块"}) {
      // "34b-70b", "1万-2万"
      const std::string_view behind = rest.substr(std::min(unit.size(), rest.size()));
      if (rest.substr(0, unit.size()) != unit || without_spaces(behind).substr(0, 1) != "-") {
        continue;
      }
      rest = without_spaces(behind);
      break;
    }
    if (rest.substr(0, 1) != "-") return 0;
    rest = without_spaces(rest.substr(1));
    for (const std::string_view sign : {"¥", "$"}) {
      if (rest.substr(0, sign.size()) == sign) rest = without_spaces(rest.substr(sign.size()));
    }
    if (rest.empty() || !is_digit(rest.front()) || named_[place_of(rest)]) return 0;
    return place_of(rest);
  }

  /// Reads the figure at `at`, the first of a range or the only one; returns where to go on.
  std::size_t read_figure(std::size_t at) {
    const Figure figure = figure_at(at);
    const std::size_t begin = clause_start(at);
    const std::string_view left = std::string_view(text_).substr(begin, at - begin);
    // Part of a word, such as the version of a link or a driver.
    const bool in_word = at > 0 && is_letter(text_[at - 1]) && text_[at - 1] != 'x';
    if (in_word || (ends_in_version(left) && !is_size(std::string_view(text_).substr(at)))) {
      return figure.end;
    }
    if (figure.value.saturated || is_negative(at) || in_foreign_money(left, figure.end)) {
      miss(begin, figure.end);
      return figure.end;
    }
    if (const std::size_t torn = end_of_torn(at, figure.end)) {
      miss(begin, torn);
      return torn;
    }
    const std::size_t high_at = high_end(figure.end);
    if (high_at == 0) return read_value(begin, left, figure, nullptr);
    const Figure high = figure_at(high_at);
    if (high.value.saturated || high_end(high.end) != 0) {  // a date, a number of a telephone
      miss(begin, high.end);
      return high.end;
    }
    std::string_view right = std::string_view(text_).substr(figure.end);
    Figure low = figure;
    low.value = scaled(figure.value, left, right);
    low.has_scale = low.value != figure.value;
    return read_value(begin, left, high, &low);
  }

  /// Reads a figure, or the high end of a range that begins with `low`, by what stands around it.
  std::size_t read_value(std::size_t begin, std::string_view left, const Figure& figure,
                         const Figure* low) {
    const std::size_t end = figure.end;
    std::string_view right = std::string_view(text_).substr(end);
    const Decimal value = scaled(figure.value, left, right);
    const auto right_at = place_of(right);
    if (value.saturated) {
      miss(begin, end);
      return end;
    }
    const auto take = [&](QuoteField field, const Rule* rule, std::size_t to) {
      const auto shift = [&](Decimal each) { return rule ? shifted(each, *rule) : each; };
      if (low != nullptr) {
        // "1-2万": a scale behind the high end alone is meant for both.
        Decimal first = low->value;
        if (!low->has_scale && value > figure.value) {
          std::string_view again = std::string_view(text_).substr(end);
          first = scaled(first, left, again);
        }
        if (!is_range_field(field) || shift(value) < shift(first) ||
            !keep(field, shift(first), begin, to) || !keep(field, shift(value), begin, to)) {
          miss(begin, to);
        } else {
          r_.quote.is_range[static_cast<int>(field)] = true;
        }
      } else if (!keep(field, shift(value), begin, to)) {
        miss(begin, to);
      }
      return to;
    };
    if (names_fee(left)) {
      const std::size_t length = low == nullptr ? read_fee(left, right, value) : 0;
      if (length == 0) miss(begin, end);
      return std::max(end, right_at + length);
    }
    if (const std::size_t length = read_money(left, right, value)) {
      return take(money_field_, nullptr, right_at + length);
    }
    if (const std::optional<std::size_t> length = read_bare_money(left, right)) {
      return take(money_field_, nullptr, right_at + *length);
    }
    for (const Rule& rule : kRules) {
      const std::size_t length = starts_with(right, rule.right);
      if (length == 0 || (rule.left[0] != '\0' && !contains(left, rule.left))) continue;
      const std::string_view behind = right.substr(length);
      const bool host = rule.field == QuoteField::memory_gb && is_host_memory(left, behind);
      const bool block = rule.field == QuoteField::count && starts_with(right, "块") > 0 &&
                         !ends_in_gpu(left) && !names_gpu(behind);
      const bool service = rule.field == QuoteField::hours &&
                           starts_with(without_spaces(behind),
                                       "技术|支持|服务|客服|响应|在线|值守|support|service") > 0;
      if (host || block || service) {
        miss(begin, right_at + length);
        return right_at + length;
      }
      return take(rule.field, &rule, right_at + length);
    }
    // "Llama 70B in 2 days": of training, where a size is said and no delivery.
    const std::size_t days = starts_with(right, "天|days|day");
    if (days > 0 && r_.quote.has(QuoteField::params_b) &&
        ends_with(without_end_spaces(left), "in|within|仅需|只需|需|要") &&
        !contains(text_, "deliver|ship|交付|发货|开通|上架")) {
      return take(QuoteField::training_days, nullptr, right_at + days);
    }
    // "a100x8", "40gbx4", "8xa100": a factor; but not in "年付=月付x10".
    const std::string_view before = without_end_spaces(left);
    const bool times = !before.empty() && before.back() == 'x' &&
                       period_right_before(before.substr(0, before.size() - 1)) < 0;
    if (times || (!right.empty() && right.front() == 'x')) {
      return take(QuoteField::count, nullptr, end);
    }
    miss(begin, end);
    return end;
  }

  static bool is_range_field(QuoteField field) {
    return is_money(field) || field == QuoteField::params_b || field == QuoteField::training_days ||
           field == QuoteField::tokens_per_card_day || field == QuoteField::tokens_per_day ||
           field == QuoteField::tokens_per_month;
  }

  static Decimal shifted(Decimal value, const Rule& rule) {
    if (rule.shift == -9) return multiply(value, 1, 10, 4);  // hundred millions in billions
    for (int i = 0; i < rule.shift; ++i) value = multiply(value, 10, 1, value.scale);
    return rule.shift < 0 ? multiply(value, 1, 1000, 6).trimmed() : value;
  }

  bool groups(std::size_t comma) const {
    std::size_t digits = 0;
    while (comma + 1 + digits < text_.size() && is_digit(text_[comma + 1 + digits])) ++digits;
    return digits == 3;
  }

  /// Where a number that is written in pieces ends, "28 000", "1,5000": which digits belong
  /// together is not certain. 0 for a whole one.
  std::size_t end_of_torn(std::size_t at, std::size_t end) const {
    std::size_t to = end;
    const std::string_view digits = std::string_view(text_).substr(at, end - at);
    const bool group = digits.size() <= 3 && digits.find('.') == std::string_view::npos;
    while (to + 1 < text_.size() && is_digit(text_[to + 1]) && !used_[to + 1] &&
           (text_[to] == ',' || (text_[to] == ' ' && group && groups(to)))) {
      ++to;
      while (to < text_.size() && is_digit(text_[to])) ++to;
    }
    return to == end ? 0 : to;
  }

  /// Of a currency that we have no rate for.
  bool in_foreign_money(std::string_view left, std::size_t end) const {
    const std::string_view before = without_end_spaces(left);
    if (ends_with(before, "£|€|¢|₩|₹|hk$|nt$|c$|r$|eur|gbp|hkd|sgd|aud|jpy|twd|krw|inr"))
      return true;
    if (ends_with(before, "s$|a$") && !ends_with(before, "us$|usa$")) return true;
    return starts_with(
               without_spaces(std::string_view(text_).substr(end)),
               "£|€|¢|欧元|英镑|港元|港币|日元|新元|新币|澳元|台币|新台币|韩元|卢比|eur|euro|"
               "euros|gbp|pounds|hkd|sgd|aud|jpy|twd|krw|inr|cents") > 0;
  }

  static bool ends_in_version(std::string_view left) {
    while (!left.empty() && (left.back() == ' ' || left.back() == '-')) left.remove_suffix(1);
    for (const char* word :
         {"nvlink", "pcie", "cuda", "gen", "hbm", "ubuntu", "llama", "qwen", "gpt", "glm", "gemma",
          "phi", "mistral", "deepseek", "baichuan", "internlm", "ddr", "rocm", "python"}) {
      const std::string_view text = word;
      if (left.size() >= text.size() && left.substr(left.size() - text.size()) == text) return true;
    }
    return false;
  }

  /// "70b", "1.5b"
  static bool is_size(std::string_view text) {
    text = without_spaces(text);
    std::size_t digits = 0;
    while (digits < text.size() && (is_digit(text[digits]) || text[digits] == '.')) ++digits;
    return digits > 0 && starts_with(text.substr(digits), "b") > 0;
  }

  struct Amount {
    bool dollars = false;
    bool yuan = false;
    std::string_view behind;  ///< what follows the currency
  };

  /// The currency of a figure, before or behind it.
  Amount amount_around(std::string_view left, std::string_view right, Decimal value) const {
    std::string_view before = left;
    while (!before.empty() && before.back() == ' ') before.remove_suffix(1);
    const auto ends = [&before](std::string_view mark) {
      return before.size() >= mark.size() && before.substr(before.size() - mark.size()) == mark;
    };
    Amount amount;
    amount.dollars = ends("$") || ends("usd");
    amount.yuan = !amount.dollars && (ends("¥") || ends("rmb") || ends("cny"));
    amount.behind = right;
    if (const std::size_t length = starts_with(right, "美元|usd|刀|dollars")) {
      amount.dollars = true;
      amount.behind.remove_prefix(length);
    } else if (const std::size_t word = starts_with(right, "元|人民币|rmb|cny|yuan")) {
      amount.yuan = true;
      amount.behind.remove_prefix(word);
    } else if (const std::size_t block = starts_with(right, "块钱|块")) {
      constexpr std::size_t kAlone = 3;  // bytes
      if (!amount.dollars &&
          (block > kAlone || amount.yuan || block_is_money(left, right.substr(block), value))) {
        amount.yuan = true;
        amount.behind.remove_prefix(block);
      }
    }
    return amount;
  }

  static bool names_fee(std::string_view left) {
    for (const FeeWords& fee : kFees) {
      if (contains(left, fee.words)) return true;
    }
    return contains(left, kOtherFees);
  }

  /// Keeps the fee that `left` names. Length of what belongs to its figure behind it; 0 for a fee
  /// of another category, or one whose sum depends on what isn't said.
  std::size_t read_fee(std::string_view left, std::string_view right, Decimal value) {
    const FeeWords* named = nullptr;
    for (const FeeWords& fee : kFees) {
      if (contains(left, fee.words)) named = &fee;
    }
    if (named == nullptr) return 0;
    Fee fee{named->category, FeeKind::percent, value.trimmed(), 1, {}};
    std::size_t length = starts_with(right, "%");
    if (length == 0) {
      const Amount amount = amount_around(left, right, value);
      if (!amount.dollars && !amount.yuan) return 0;
      const std::string_view rest = without_spaces(amount.behind);
      const std::size_t monthly = starts_with(rest, "/月|/个月|每月|/month|/mo|per month|a month");
      const std::size_t event = starts_with(rest, "/次|每次|per event|each time|each");
      if (monthly + event == 0 && starts_with(rest, "/|per|每|a") > 0) return 0;
      fee.kind = monthly > 0 || contains(left, "月|monthly") ? FeeKind::per_month
                 : event > 0 || contains(left, "每次")       ? FeeKind::per_event
                                                             : FeeKind::fixed;
      length = right.size() - rest.size() + monthly + event;
      note_currency(amount.dollars);
      fee_currencies_.push_back(amount.dollars ? kUsd : kCny);
    } else {
      fee_currencies_.push_back(std::nullopt);
    }
    r_.quote.fees.push_back(fee);
    return std::max<std::size_t>(1, length);
  }

  /// Length of what belongs to an amount behind it; 0 for what is none. Sets money_field_.
  std::size_t read_money(std::string_view left, std::string_view right, Decimal value) {
    const Amount amount = amount_around(left, right, value);
    std::string_view rest = amount.behind;
    const bool dollars = amount.dollars;
    if (!dollars && !amount.yuan) return 0;
    const std::size_t unit_cost = starts_with(
        rest, "/1000 tokens|/1000tokens|/千tokens|/千 tokens|/1k tokens| per 1k tokens");
    if (unit_cost > 0) {
      money_field_ = contains(left, "均|average") ? QuoteField::average_unit_cost_per_1k
                                                  : QuoteField::unit_cost_per_1k;
      note_currency(dollars);
      return right.size() - rest.size() + unit_cost;
    }
    bool each = contains(left, "单卡|每卡|per gpu|per card");
    // "/gpu/hr", "per gpu per hour", "/卡时", "每小时".
    std::size_t taken = 0;
    for (int part = 0; part < 3; ++part) {
      const std::string_view tail = without_spaces(rest.substr(taken));
      const std::size_t skipped = rest.size() - taken - tail.size();
      const std::size_t mark = starts_with(tail, "/|per|每|a|-|·|一");
      const std::string_view unit = without_spaces(tail.substr(mark));
      const std::size_t unit_skipped = tail.size() - mark - unit.size();
      if (const std::size_t length = starts_with(unit, "gpu|卡|张|card"); length > 0) {
        if (mark == 0 && starts_with(unit, "卡时") == 0) break;
        each = true;
        taken += skipped + mark + unit_skipped + length;
        continue;
      }
      if (mark == 0 && !(part > 0 && starts_with(unit, "时") > 0)) break;
      for (const Period& period : kPeriods) {
        const std::size_t length = starts_with(unit, period.words);
        if (length == 0) continue;
        note_currency(dollars);
        taken += skipped + mark + unit_skipped + length;
        const std::size_t card = card_behind(rest.substr(taken));
        each = each || card > 0;
        taken += card;
        money_field_ = each ? period.each : period.all;
        if (money_field_ == QuoteField::per_month && contains(left, "均|average|market")) {
          money_field_ = QuoteField::average_per_month;
        }
        return right.size() - rest.size() + taken;
      }
      break;
    }
    std::size_t latest = 0;
    int period = -1;
    for (int i = 0; i < 4; ++i) {
      const std::size_t end = end_of_last(left, kPeriodsBefore[i]);
      if (end <= latest) continue;
      latest = end;
      period = i;
    }
    if (period < 0) return 0;
    note_currency(dollars);
    money_field_ = each ? kPeriods[period].each : kPeriods[period].all;
    if (money_field_ == QuoteField::per_month && contains(left, "均价|平均|average|market")) {
      money_field_ = QuoteField::average_per_month;
    }
    return std::max<std::size_t>(1, right.size() - rest.size());
  }

  /// As read_money, of an amount without a currency: it is the quote's where the period is said
  /// right beside it. "月租12000", "31,500/mo".
  std::optional<std::size_t> read_bare_money(std::string_view left, std::string_view right) {
    bool each = contains(left, "单卡|每卡|per gpu|per card");
    money_currency_.reset();
    const bool factor = ends_with(without_end_spaces(left), "x");
    const std::size_t length = factor ? 0 : period_behind(right);
    // "x8 每小时15元": the period is the next price's.
    const std::string_view after = without_spaces(right.substr(whole_period(right)));
    const bool next = starts_with(right, "/|per") == 0 && !after.empty() && is_digit(after.front());
    if (length > 0 && !next) {
      const std::string_view words = right.substr(0, length);
      each = each || contains(words, "gpu|卡|张|card");
      const std::string_view unit = right.substr(length);
      for (const Period& period : kPeriods) {
        const std::size_t taken = starts_with(unit, period.words);
        if (taken == 0) continue;
        const std::size_t card = card_behind(unit.substr(taken));
        settle_field(period, each || card > 0, left);
        return length + taken + card;
      }
      return std::nullopt;
    }
    const int period = period_right_before(left);
    if (period < 0) return std::nullopt;
    const bool clear = right.empty() || is_digit(right.front()) || names_gpu(right) ||
                       starts_with(right, ";|,|)|(|/|起|左右|以上|含|不含|x") > 0;
    if (!clear) return std::nullopt;
    settle_field(kPeriods[period], each, left);
    return 0;
  }

  void settle_field(const Period& period, bool each, std::string_view left) {
    money_field_ = each ? period.each : period.all;
    if (money_field_ == QuoteField::per_month && contains(left, "均价|平均|average|market")) {
      money_field_ = QuoteField::average_per_month;
    }
  }

  void note_currency(bool dollars) {
    (dollars ? dollars_ : yuan_) = true;
    money_currency_ = dollars ? kUsd : kCny;
  }

  /// False for what cannot be: half a GPU, 120% off, more values than a field has room for.
  bool keep(QuoteField field, Decimal value, std::size_t begin, std::size_t end) {
    const Decimal trimmed = value.trimmed();
    const bool whole = field != QuoteField::count || (trimmed.scale == 0 && trimmed.units > 0);
    if (!whole || value.saturated || !is_plausible(field, trimmed)) return false;
    std::size_t same = 0;
    for (const QuoteFinding& each : r_.findings) same += each.field == field ? 1 : 0;
    if (same >= kMostQuoteValues) return false;
    QuoteFinding finding{field, trimmed, piece(begin, end), {}};
    if (is_money(field)) {
      finding.currency = money_currency_;
    } else {
      std::vector<Decimal>& values = r_.quote.all(field);
      if (std::find(values.begin(), values.end(), trimmed) == values.end()) {
        values.push_back(trimmed);
      }
    }
    r_.findings.push_back(std::move(finding));
    return true;
  }

  void miss(std::size_t begin, std::size_t end) {
    r_.not_understood.push_back(piece(begin, std::min(end + 12, text_.size())));
  }

  std::string piece(std::size_t begin, std::size_t end) const {
    while (end < text_.size() && (text_[end] & 0xC0) == 0x80) ++end;
    while (begin < end && text_[begin] == ' ') ++begin;
    return text_.substr(begin, end - begin);
  }

  std::string text_;
  const Catalog& catalog_;
  std::vector<bool> used_;   ///< figures that are read already
  std::vector<bool> named_;  ///< in the name of a GPU
  QuoteText r_;
  QuoteField money_field_ = QuoteField::per_month;
  std::optional<Currency> money_currency_;
  std::vector<std::optional<Currency>> fee_currencies_;
  bool yuan_ = false;
  bool dollars_ = false;
};

}  // namespace

QuoteText read_quote_text(std::string_view text, const Catalog& catalog,
                          const std::optional<ExchangeRate>& rate,
                          std::optional<Currency> currency) {
  return TextReader(text, catalog).run(rate, currency);
}

}  // namespace traintally
