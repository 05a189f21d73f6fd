#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <traintally/catalog.hpp>
#include <traintally/cost.hpp>
#include <traintally/money.hpp>
#include <traintally/report.hpp>

#include "figure_writer.hpp"
#include "reader.hpp"

namespace traintally {

// What the requests about money have in common.

/// The elements of the array `name`, none where it is not there; codes wrong_type, too_many.
std::vector<const JsonValue*> items_of(ObjectReader& reader, const char* name, std::size_t most);

/// A number, or a decimal in a string.
std::optional<Decimal> decimal_of(const JsonValue& node);

/// An amount: a decimal string of at least zero.
std::optional<Decimal> read_amount(ObjectReader& reader, const char* name);

/// A quantity that is no money, as a decimal; problems as ObjectReader::real.
std::optional<Decimal> read_quantity(ObjectReader& reader, const char* name, RealRange range);

/// A count; one out of range is reported, and the nearest in it taken: counts divide.
std::optional<std::int64_t> read_count(ObjectReader& reader, const char* name,
                                       const WholeRange& range);

/// "currency": CNY or USD, else the first.
Currency read_answer_currency(ObjectReader& reader);

/// "cny_per_usd", else the catalogue's.
std::optional<ExchangeRate> read_rate(ObjectReader& reader, const Catalog& catalog);

/// Prices that a request names: {"offer"} or {"per_gpu_hour", "per_hour", "per_gpu_month",
/// "per_month", "per_year", "annual_factor", "currency", "tax_included"}. `given` is what they are
/// said for, in GPUs. The offer is left null where prices are given or none is named.
struct PriceChoice {
  Tariff tariff;
  const OfferEntry* offer = nullptr;
};
PriceChoice read_prices(ObjectReader& reader, const Catalog& catalog, std::int64_t gpus);

/// A period's price of all rented GPUs in `to`; empty without such a price or a rate for it.
std::optional<Decimal> price_of_all(const Tariff& tariff, BillingMode mode, std::int64_t gpus,
                                    const std::optional<ExchangeRate>& rate, Currency to);

/// Starts an answer: version, problems, absent, warnings.
void begin_answer(JsonWriter& w, const Problems& problems, const std::vector<Absent>& absent,
                  const std::vector<Warning>& warnings);

/// An answer whose figures were written into `figures` as one object.
std::string join_answer(const Problems& problems, const std::vector<Absent>& absent,
                        const std::vector<Warning>& warnings, FigureWriter& figures);

/// The answer to a document that could not be read at all.
std::string refusal(const Problems& problems);

/// The built-in catalogue; where a document brings a "catalog", `merged`: its entries over those.
const Catalog& with_extension(const JsonValue& document, const Catalog& catalog,
                              std::optional<Catalog>& merged, Problems& problems);

}  // namespace traintally
