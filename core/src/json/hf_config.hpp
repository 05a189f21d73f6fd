#pragma once

#include <string>

#include <traintally/model.hpp>

#include "document.hpp"

namespace traintally {

/// Reads the architecture from a Hugging Face config.json, in any of the field names that model
/// families use; fields that say nothing about size or work are passed over.
/// @param at pointer of the config
/// @return false where a needed field is missing or wrong; `problems` name it
bool read_hf_config(const JsonValue& config, const std::string& at, Model& model,
                    Problems& problems);

}  // namespace traintally
