#pragma once

#include <string>
#include <vector>

#include <traintally/catalog.hpp>

#include "document.hpp"
#include "reader.hpp"
#include "writer.hpp"

namespace traintally {

/// Each reads one entry of core/schema/catalog.schema.json. What is wrong goes to `problems`, at
/// `at` or below; then the entry is not to be used.
///
/// The entry's figures are those of one device as a framework sees it; the document has those of a
/// package as it is sold (dies_per_package devices).
void read_entry(const JsonValue& node, const std::string& at, const Catalog& catalog,
                GpuEntry& entry, Problems& problems);
void read_entry(const JsonValue& node, const std::string& at, const Catalog& catalog,
                ModelEntry& entry, Problems& problems);
void read_entry(const JsonValue& node, const std::string& at, const Catalog& catalog,
                OfferEntry& entry, Problems& problems);

/// The lowest share of nominal memory that the catalogue knows a framework to get on a card of this
/// vendor, or of any where it knows none; 1 where it knows nothing.
double usable_memory_share(const Catalog& catalog, std::string_view vendor);

/// Each writes the fields of a sound entry in its normal form: those of the document, and the
/// defaults of those that were left out.
void write_entry(JsonWriter& writer, const JsonValue& node, const GpuEntry& entry,
                 const Catalog& catalog);
void write_entry(JsonWriter& writer, const JsonValue& node, const ModelEntry& entry,
                 const Catalog& catalog);
void write_entry(JsonWriter& writer, const JsonValue& node, const OfferEntry& entry,
                 const Catalog& catalog);

inline constexpr Named<Confidence> kConfidences[] = {
    {"high", Confidence::high}, {"medium", Confidence::medium}, {"low", Confidence::low}};

/// "2026-11-30", or "2026-11" where the day is not known; code not_date. "" where it is not given.
std::string_view read_day(ObjectReader& reader, const char* name);

/// A text that has to be there.
std::string_view required_text(ObjectReader& reader, const char* name);

}  // namespace traintally
