#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <traintally/catalog.hpp>
#include <traintally/fees.hpp>
#include <traintally/money.hpp>
#include <traintally/published.hpp>

namespace traintally {

/// What a seller may state in figures. Money is in the quote's currency. A figure that is stated
/// more than once has more than one value.
enum class QuoteField : std::uint8_t {
  count,      ///< GPUs
  memory_gb,  ///< of one
  per_hour,   ///< of all GPUs
  per_gpu_hour,
  per_day,
  per_month,
  per_gpu_month,
  per_year,
  paid,              ///< share of twelve months that a year costs
  zhe,               ///< the same in Chinese tenths or hundredths: 6.5 and 65 are 0.65
  discount_percent,  ///< "65% discount": off the price, if words mean what they say
  average_per_month,
  cheaper_percent,  ///< than that average
  tokens_per_card_day,
  tokens_per_day,
  tokens_per_month,
  unit_cost_per_1k,  ///< tokens
  average_unit_cost_per_1k,
  unit_cheaper_percent,
  params_b,       ///< sizes that it is said to fit, 1e9 parameters
  training_days,  ///< for the smallest of them
  storage_tb,
  bandwidth_mbit_s,
  hours,              ///< an example: so many hours ...
  hours_total,        ///< ... cost so much
  hidden_fee_percent  ///< of the bill
};
inline constexpr int kQuoteFields = 26;
inline constexpr std::size_t kMostQuoteValues = 16;  ///< of one field
const char* quote_field_name(QuoteField field);
bool is_money(QuoteField field);
/// Whether a field may have the value: a discount is no more than 100%, a share of a price is not
/// 0.
bool is_plausible(QuoteField field, Decimal value);

struct Quote {
  std::string plan;
  std::string gpu;  ///< catalogue id; "" if none was recognised
  Currency currency = kCny;
  TrainingKind kind = TrainingKind::full;     ///< of training that is said to fit
  MatmulKind precision = MatmulKind::bf16;    ///< of a stated speed: bf16 (16 bits), fp8 or fp4
  bool converted = false;                     ///< some amounts were stated in another currency
  std::array<bool, kQuoteFields> is_range{};  ///< the values are the ends of one range
  std::array<std::vector<Decimal>, kQuoteFields> values;
  std::vector<Fee> fees;

  std::vector<Decimal>& all(QuoteField field) { return values[static_cast<int>(field)]; }
  const std::vector<Decimal>& all(QuoteField field) const {
    return values[static_cast<int>(field)];
  }
  bool has(QuoteField field) const { return !all(field).empty(); }
  /// The first, or `otherwise`.
  double real(QuoteField field, double otherwise = 0) const {
    return has(field) ? all(field).front().approximate() : otherwise;
  }
};

/// A piece of a pasted text that was understood.
struct QuoteFinding {
  QuoteField field = QuoteField::count;
  Decimal value;
  std::string text;                  ///< what it was read from
  std::optional<Currency> currency;  ///< of an amount, as stated
};

struct QuoteText {
  Quote quote;
  std::vector<QuoteFinding> findings;
  std::string gpu_text;                     ///< what the GPU was read from
  bool gpu_assumed = false;                 ///< others of that name differ in memory or form
  std::vector<std::string> not_understood;  ///< pieces with figures that no rule reads
  bool mixed_currencies = false;
  bool incomparable = false;  ///< amounts were left out of `quote` for want of a rate
};

/// Reads a quote in Chinese or English. Understands what its rules name and nothing else: every
/// figure is in a finding or in not_understood. Each amount keeps its own currency in its finding;
/// in the quote it is in the quote's, at `rate`. The quote's is `currency`, or else the text's, and
/// of two the yuan.
QuoteText read_quote_text(std::string_view text, const Catalog& catalog,
                          const std::optional<ExchangeRate>& rate,
                          std::optional<Currency> currency = std::nullopt);

/// A statement of a quote, judged.
struct QuoteStatement {
  std::string code;
  std::vector<QuoteField> fields;  ///< that it rests on
  Verdict verdict = Verdict::holds;
  std::string sentence_code;  ///< key of its sentence
  std::string unit;
  std::optional<double> stated;
  std::optional<double> computed;
  std::vector<std::pair<std::string, double>> figures;  ///< money is in yuan
};

/// Judges what can be judged; the gravest first. Amounts are compared in yuan at `rate`; without
/// one, those in another currency are left out.
std::vector<QuoteStatement> judge_quote(const Quote& quote, const Catalog& catalog,
                                        const std::optional<ExchangeRate>& rate);

/// The quote's price of all its GPUs for one period: the first that is stated.
std::optional<Decimal> quote_price(const Quote& quote, BillingMode mode);

}  // namespace traintally
