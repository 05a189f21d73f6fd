#pragma once

#include <string>
#include <vector>

#include <traintally/catalog.hpp>

#include "document.hpp"
#include "reader.hpp"

namespace traintally {

/// Each reads one entry of core/schema/catalog.schema.json. What is wrong goes to `problems`, at
/// `at` or below; then the entry is not to be used.
///
/// The entry's figures are those of one device as a framework sees it; the document has those of a
/// package as it is sold (dies_per_package devices).
GpuEntry read_gpu(const Json& node, const std::string& at, const Catalog& catalog,
                  Problems& problems);
ModelEntry read_model(const Json& node, const std::string& at, Problems& problems);
OfferEntry read_offer(const Json& node, const std::string& at, const Catalog& catalog,
                      Problems& problems);

/// The lowest share of nominal memory that the catalogue knows a framework to get on a card of this
/// vendor, or of any where it knows none; 1 where it knows nothing.
double usable_memory_share(const Catalog& catalog, const std::string& vendor);

/// Sets the fields of a sound entry that have defaults and were left out: its normal form.
void fill_gpu(Json& node, const Catalog& catalog);
void fill_model(Json& node, const ModelEntry& entry);
void fill_offer(Json& node);

inline constexpr Named<Confidence> kConfidences[] = {
    {"high", Confidence::high}, {"medium", Confidence::medium}, {"low", Confidence::low}};

/// The field as a list of strings; code wrong_type where it is none.
std::vector<std::string> read_texts(ObjectReader& reader, const char* name, std::size_t longest);

/// A text that has to be there.
std::string required_text(ObjectReader& reader, const char* name);

}  // namespace traintally
