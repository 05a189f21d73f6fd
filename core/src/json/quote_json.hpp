#pragma once

#include <string>
#include <string_view>

#include <traintally/catalog.hpp>

namespace traintally {

/// The "quote" command: core/schema/quote-request.schema.json in, quote-answer.schema.json out.
std::string quote_answer(std::string_view document, const Catalog& catalog);

}  // namespace traintally
