#pragma once

#include <string>
#include <string_view>

#include <traintally/catalog.hpp>

#include "document.hpp"

namespace traintally {

/// Fills the usual shares of a project (core/catalog/project.json).
void load_project(const JsonValue& document, Catalog& catalog, Problems& problems);

/// The "project" command: core/schema/project-request.schema.json in, project-answer.schema.json
/// out.
std::string project_answer(std::string_view document, const Catalog& catalog);

}  // namespace traintally
