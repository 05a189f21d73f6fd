#pragma once

namespace traintally {

/// The merged catalogue (core/catalog/*.json as one JSON object) and its length in bytes. Linked
/// into the command and the tests; the wasm is handed the same text by the page.
extern const char* const catalog_text;
extern const unsigned catalog_text_size;

}  // namespace traintally
