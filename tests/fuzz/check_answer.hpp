#pragma once

#include <string>
#include <string_view>

#include <traintally/session.hpp>

/// Evaluates a document and looks at the answer: it must be one JSON object with a version, hold no
/// null and no text that stands for a number that isn't one, and be the same when asked again.
/// @return what is wrong with it; "" if nothing is
std::string check_answer(const traintally::Session& session, std::string_view command,
                         std::string_view document);
