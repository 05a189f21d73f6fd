#pragma once

#include <string>
#include <string_view>

#include <traintally/catalog.hpp>

#include "document.hpp"
#include "reader.hpp"
#include "writer.hpp"

namespace traintally {

/// Fills a catalogue from the merged document (core/catalog). What is wrong with an entry is a
/// problem at its pointer ("/gpus/3/memory_gb"), and the entry is left out.
void load_catalog(const JsonValue& document, Catalog& catalog, Problems& problems);

/// Adds the "gpus", "models" and "offers" of `node`, replacing the entries of the same id: a
/// provider's list, or the scenario's own. `at` is the pointer of `node`.
void load_entries(const JsonValue& node, const std::string& at, Catalog& catalog,
                  Problems& problems);

/// The "catalog" command: a provider's list in, {"version", "problems", "catalog": normal form}
/// out.
std::string catalog_answer(std::string_view document, const Catalog& catalog);

/// Fills stacks, precisions, optimizers, quantizations, calibration, reliability, energy, storage,
/// currencies and the article.
void load_maths_tables(const JsonValue& document, Catalog& catalog, Problems& problems);

/// Fills the rules of practice from the document's "practice".
void load_practice(const JsonValue& document, Catalog& catalog, Problems& problems);
void load_recipe_habits(const JsonValue& document, Catalog& catalog, Problems& problems);

/// Adds the document's "calibration" to what the catalogue has: of a constant that is set twice on
/// one level the later value counts.
void load_calibration(const JsonValue& document, Catalog& catalog, Problems& problems);

}  // namespace traintally
