#pragma once

#include <string>

#include <traintally/catalog.hpp>

#include "document.hpp"

namespace traintally {

/// Fills catalog.article and catalog.calendar from "article" and "calendar" of the merged document.
/// Every field is needed: what is missing or wrong is a problem at its pointer. A statement that no
/// rule can check is one too, unchecked_statement. With any of them the article is left out.
void load_article(const JsonValue& document, Catalog& catalog, Problems& problems);

/// Reads one statement, as in "article"/"statements".
void read_statement(const JsonValue& node, const std::string& at, Problems& problems,
                    Statement& statement);

}  // namespace traintally
