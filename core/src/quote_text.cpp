#include <algorithm>

#include <traintally/quote.hpp>

namespace traintally {
namespace {

constexpr std::size_t kContext = 36;  // bytes before a figure that say what it is

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

struct Replacement {
  const char* from;
  const char* to;
};
constexpr Replacement kPlain[] = {
    {"，", ","}, {"：", ":"}, {"（", "("}, {"）", ")"}, {"；", ";"}, {"。", ";"}, {"、", ","},
    {"×", "x"},  {"／", "/"}, {"＄", "$"}, {"￥", "¥"}, {"～", "-"}, {"—", "-"},  {"–", "-"},
    {"至", "-"}, {"％", "%"}, {"＋", "+"}, {"＊", "x"}, {"*", "x"},  {"　", " "}, {"\t", " "},
    {"|", ";"},  {"\r", ""},  {"\n", ";"}, {"０", "0"}, {"１", "1"}, {"２", "2"}, {"３", "3"},
    {"４", "4"}, {"５", "5"}, {"６", "6"}, {"７", "7"}, {"８", "8"}, {"９", "9"}};

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
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
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
  bool only_tokens;  ///< a Latin letter that means this before "tokens" alone
};
constexpr Scale kScales[] = {{"万亿|trillion", 12, false},
                             {"千万", 7, false},
                             {"百万|million", 6, false},
                             {"十亿|billion", 9, false},
                             {"亿", 8, false},
                             {"万", 4, false},
                             {"千", 3, false},
                             {"k", 3, true},
                             {"m", 6, true},
                             {"b", 9, true},
                             {"t", 12, true}};

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
constexpr const char* kPeriodsBefore[] = {"每小时|时租|按量|hourly|按时", "日租|按天|包天|daily",
                                          "月付|包月|月租|月价|每月|月成本|monthly|month",
                                          "年付|包年|年租|年价|每年|年成本|yearly|annual|year"};

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
      : text_(plain(text)), catalog_(catalog), used_(text_.size(), false) {}

  QuoteText run() {
    find_gpu();
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
    r_.mixed_currencies = yuan_ && dollars_;
    r_.quote.currency = dollars_ && !yuan_ ? kUsd : kCny;
    return std::move(r_);
  }

 private:
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

  /// The longest name of a GPU in the text. All its figures are those of a name, no others.
  void find_gpu() {
    std::size_t longest = 0;
    for (const GpuEntry& gpu : catalog_.gpus) {
      const std::string family = family_of(gpu.id);
      if (family.size() < 2) continue;
      for (std::size_t at = text_.find(family); at != std::string::npos;
           at = text_.find(family, at + 1)) {
        if (!whole_word(at, family.size())) continue;
        std::fill_n(used_.begin() + static_cast<std::ptrdiff_t>(at), family.size(), true);
        if (family.size() <= longest) continue;
        longest = family.size();
        r_.gpu_text = family;
      }
    }
    // Names in Chinese characters stand for themselves.
    for (const GpuEntry& gpu : catalog_.gpus) {
      for (const std::string_view alias : gpu.aliases) {
        const std::string name = plain(alias);
        if ((name.front() & 0x80) == 0 || name.size() <= longest) continue;
        const std::size_t at = text_.find(name);
        if (at == std::string::npos) continue;
        longest = name.size();
        r_.gpu_text = name;
        r_.quote.gpu = gpu.id;
        std::fill_n(used_.begin() + static_cast<std::ptrdiff_t>(at), name.size(), true);
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

  /// Reads the figure at `at`; returns where to go on.
  std::size_t read_figure(std::size_t at) {
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
    const std::size_t begin = clause_start(at);
    const std::string_view left = std::string_view(text_).substr(begin, at - begin);
    std::string_view right = std::string_view(text_).substr(end);
    const std::optional<Decimal> number = Decimal::parse(digits);
    if (!number || number->scale > 6) {
      miss(begin, end);
      return end;
    }
    // Part of a word, such as the version of a link or a driver.
    const bool in_word = at > 0 && is_letter(text_[at - 1]) && text_[at - 1] != 'x';
    if (in_word || ends_in_version(left)) return end;

    int power = 0;
    right = without_spaces(right);
    for (const Scale& scale : kScales) {
      const std::size_t length = starts_with(right, scale.words);
      if (length == 0) continue;
      if (scale.only_tokens &&
          starts_with(without_spaces(right.substr(length)), "tokens|token") == 0) {
        continue;
      }
      // "100亿参数" is read as a whole by its rule.
      if (scale.power == 8 && starts_with(right, "亿参数|亿模型") > 0) continue;
      power = scale.power;
      right = without_spaces(right.substr(length));
      break;
    }
    Decimal value = *number;
    for (; power > 0; --power) value = multiply(value, 10, 1, value.scale);
    if (value.saturated) {
      miss(begin, end);
      return end;
    }
    const auto right_at = static_cast<std::size_t>(right.data() - text_.data());
    if (names_fee(left)) {
      const std::size_t length = read_fee(left, right, value);
      if (length == 0) miss(begin, end);
      return std::max(end, right_at + length);
    }
    if (const std::size_t length = read_money(left, right)) {
      keep(money_field_, value, begin, right_at + length);
      return right_at + length;
    }
    for (const Rule& rule : kRules) {
      const std::size_t length = starts_with(right, rule.right);
      if (length == 0 || (rule.left[0] != '\0' && !contains(left, rule.left))) continue;
      keep(rule.field, shifted(value, rule), begin, right_at + length);
      return right_at + length;
    }
    // "a100x8", "40gbx4", "8xa100": a factor.
    if ((at > 0 && text_[at - 1] == 'x') || (!right.empty() && right.front() == 'x')) {
      keep(QuoteField::count, value, begin, end);
    } else if (starts_with(right, "-") > 0 && is_size(right.substr(1))) {
      keep(QuoteField::params_b, value, begin, end);  // "34-70b"
    } else {
      miss(begin, end);
    }
    return end;
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

  static bool ends_in_version(std::string_view left) {
    while (!left.empty() && left.back() == ' ') left.remove_suffix(1);
    for (const char* word : {"nvlink", "pcie", "cuda", "gen", "hbm", "llama", "ubuntu"}) {
      const std::string_view text = word;
      if (left.size() >= text.size() && left.substr(left.size() - text.size()) == text) return true;
    }
    return false;
  }

  static bool is_size(std::string_view text) {
    text = without_spaces(text);
    std::size_t digits = 0;
    while (digits < text.size() && is_digit(text[digits])) ++digits;
    return digits > 0 && starts_with(text.substr(digits), "b") > 0;
  }

  struct Amount {
    bool dollars = false;
    bool yuan = false;
    std::string_view behind;  ///< what follows the currency
  };

  /// The currency of a figure, before or behind it.
  static Amount amount_around(std::string_view left, std::string_view right) {
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
    Fee fee{named->category, FeeKind::percent, value.trimmed(), 1};
    std::size_t length = starts_with(right, "%");
    if (length == 0) {
      const Amount amount = amount_around(left, right);
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
    }
    r_.quote.fees.push_back(fee);
    return std::max<std::size_t>(1, length);
  }

  /// Length of what belongs to an amount behind it; 0 for what is none. Sets money_field_.
  std::size_t read_money(std::string_view left, std::string_view right) {
    const Amount amount = amount_around(left, right);
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

  void note_currency(bool dollars) { (dollars ? dollars_ : yuan_) = true; }

  void keep(QuoteField field, Decimal value, std::size_t begin, std::size_t end) {
    std::vector<Decimal>& values = r_.quote.all(field);
    const Decimal trimmed = value.trimmed();
    if (std::find(values.begin(), values.end(), trimmed) == values.end()) {
      values.push_back(trimmed);
    }
    r_.findings.push_back({field, trimmed, piece(begin, end)});
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
  std::vector<bool> used_;
  QuoteText r_;
  QuoteField money_field_ = QuoteField::per_month;
  bool yuan_ = false;
  bool dollars_ = false;
};

}  // namespace

QuoteText read_quote_text(std::string_view text, const Catalog& catalog) {
  return TextReader(text, catalog).run();
}

}  // namespace traintally
