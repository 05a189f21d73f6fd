#include "fees_json.hpp"

#include "request.hpp"

namespace traintally {
namespace {

constexpr std::size_t kMostFees = 100;
constexpr RealRange kEvents{0, 1e9};
constexpr Named<FeeKind> kFeeKinds[] = {
    {"none", FeeKind::none},       {"fixed", FeeKind::fixed},   {"per_month", FeeKind::per_month},
    {"percent", FeeKind::percent}, {"per_gb", FeeKind::per_gb}, {"per_event", FeeKind::per_event}};
}  // namespace

std::vector<Fee> read_fees(ObjectReader& parent) {
  std::vector<Fee> fees;
  std::size_t index = 0;
  for (const JsonValue* item : items_of(parent, "fees", kMostFees)) {
    ObjectReader reader(*item, pointer(parent.at("fees"), index++), parent.problems());
    if (!reader.is_object()) continue;
    Fee fee;
    const auto category = reader.one_of("category", kFeeCategoryNames);
    if (!category && !reader.has("category")) reader.missing("category", "data_transfer");
    fee.category = category.value_or(fee.category);
    fee.kind = reader.one_of("kind", kFeeKinds).value_or(FeeKind::none);
    const std::optional<Decimal> amount = read_amount(reader, "amount");
    fee.amount = amount.value_or(Decimal{});
    // The answer repeats what was typed, sound or not.
    if (const JsonValue* typed = reader.find("amount"); typed != nullptr && !amount) {
      fee.refused = typed->text().substr(0, limits::name_length);
    }
    fee.quantity = reader.real("quantity", kEvents).value_or(1);
    reader.finish();
    fees.push_back(fee);
  }
  return fees;
}

void write_fees(JsonWriter& w, const std::vector<Fee>& fees) {
  w.begin_array("fees");
  for (const Fee& fee : fees) {
    w.begin_object();
    w.text("category", name_of(kFeeCategoryNames, fee.category));
    w.text("kind", name_of(kFeeKinds, fee.kind));
    w.text("amount", fee.refused.empty() ? fee.amount.trimmed(2).text() : fee.refused);
    w.real("quantity", fee.quantity);
    w.end_object();
  }
  w.end_array();
}

}  // namespace traintally
