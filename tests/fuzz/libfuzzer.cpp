// The same checks under libFuzzer, which looks for inputs that reach new code.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <traintally/catalog_data.hpp>

#include "check_answer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const traintally::Session session(
      {traintally::catalog_text, traintally::catalog_text_size});
  const std::string_view document(reinterpret_cast<const char*>(data), size);
  const std::string wrong = check_answer(session, "estimate", document);
  if (!wrong.empty()) {
    std::puts(wrong.c_str());
    std::abort();
  }
  return 0;
}
