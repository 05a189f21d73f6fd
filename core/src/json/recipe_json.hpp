#pragma once

#include <string>
#include <string_view>

#include <traintally/catalog.hpp>

namespace traintally {

/// The "recipe" command: a scenario in, core/schema/recipe-answer.schema.json out.
std::string recipe_answer(std::string_view document, const Catalog& catalog);

}  // namespace traintally
