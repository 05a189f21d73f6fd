#pragma once

#include <string>
#include <string_view>

#include <traintally/catalog.hpp>

#include "document.hpp"

namespace traintally {

/// Fills what the catalogue knows about buying (core/catalog/ownership.json).
void load_ownership(const JsonValue& document, Catalog& catalog, Problems& problems);

/// The "own" command: core/schema/own-request.schema.json in, own-answer.schema.json out.
std::string own_answer(std::string_view document, const Catalog& catalog);

}  // namespace traintally
