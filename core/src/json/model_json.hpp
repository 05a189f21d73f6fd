#pragma once

#include <string>

#include <traintally/model.hpp>

#include "reader.hpp"
#include "writer.hpp"

namespace traintally {

/// Reads the fields of an architecture (model_shape in core/schema/scenario.schema.json) and checks
/// that they agree. Catalogue entries have the same fields beside their own, so finish() is left to
/// the caller.
/// @return false where the model is not usable; the reader's problems say why
bool read_model_shape(ObjectReader& reader, Model& model);

/// Writes the fields of an architecture into the object that is open. Read back, the model has the
/// same counts and the same work.
void write_model_shape(JsonWriter& writer, const Model& model);

}  // namespace traintally
