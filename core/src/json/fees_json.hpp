#pragma once

#include <vector>

#include <traintally/fees.hpp>

#include "reader.hpp"
#include "writer.hpp"

namespace traintally {

inline constexpr Named<FeeCategory> kFeeCategoryNames[] = {
    {"network_surcharge", FeeCategory::network_surcharge},
    {"vram_expansion", FeeCategory::vram_expansion},
    {"data_transfer", FeeCategory::data_transfer},
    {"software_licence", FeeCategory::software_licence},
    {"fault_diagnosis", FeeCategory::fault_diagnosis},
    {"scaling_penalty", FeeCategory::scaling_penalty}};

/// The list "fees" of a request, and its writing.
std::vector<Fee> read_fees(ObjectReader& parent);
void write_fees(JsonWriter& w, const std::vector<Fee>& fees);

}  // namespace traintally
