#pragma once

#include <string>
#include <string_view>

namespace traintally::cli {

/// A compact JSON document over several lines, two spaces a level.
std::string indented(std::string_view json);

/// Whether an answer has problems, or is none.
bool has_problems(std::string_view answer);

/// A report (core/schema/report.schema.json) in about ten lines, for people: its figures as they
/// are, only in other units; or its problems.
std::string summary(std::string_view report);

/// The entries of the catalogue's list `name`, one a line: id, name, and aliases or an offer's GPU,
/// with tabs between them; "" if there is no such list.
std::string listed(std::string_view catalog, std::string_view name);

}  // namespace traintally::cli
