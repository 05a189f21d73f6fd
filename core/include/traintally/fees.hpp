#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <traintally/money.hpp>

namespace traintally {

struct Article;

/// The categories of article B 5.1.
enum class FeeCategory : std::uint8_t {
  network_surcharge,
  vram_expansion,
  data_transfer,
  software_licence,
  fault_diagnosis,
  scaling_penalty
};
inline constexpr int kFeeCategories = 6;

enum class FeeKind : std::uint8_t { none, fixed, per_month, percent, per_gb, per_event };

/// One fee, and how often it falls due over the months.
struct Fee {
  FeeCategory category = FeeCategory::network_surcharge;
  FeeKind kind = FeeKind::none;
  Decimal amount;         ///< money, or a percentage of the rent
  double quantity = 1;    ///< GB a month (per_gb) or times in all (per_event)
  std::string refused{};  ///< an amount that is no decimal, as typed; "" where it is one
};

struct FeeSum {
  Decimal by_category[kFeeCategories];
  Decimal total;
  double share = 0;  ///< of rent and fees together: what the article's bands count
  std::string band;  ///< the article's narrowest that holds the share; "" above and between them
};

/// Fees over `months` on a rent. Rounds to kMoneyScale.
FeeSum sum_fees(const std::vector<Fee>& fees, Decimal rent_per_month, double months,
                const Article* article);

}  // namespace traintally
