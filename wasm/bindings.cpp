// What JavaScript sees of the core: one class, strings in, strings out.

#include <emscripten/bind.h>

#include <traintally/session.hpp>

namespace {

// Embind (3.1.6) knows no std::string_view: these take what it has.
std::string evaluate(const traintally::Session& session, const std::string& command,
                     const std::string& document) {
  return session.evaluate(command, document);
}

traintally::PlanSession* plan(const traintally::Session& session, const std::string& document) {
  return new traintally::PlanSession(session, document);
}

}  // namespace

// All of printf would be linked for the one place that calls it: Embind, naming a type that it does
// not know in a message to developers.
extern "C" int siprintf(char* out, const char* /*format*/, ...) {
  *out = '\0';
  return 0;
}

EMSCRIPTEN_BINDINGS(traintally) {
  emscripten::class_<traintally::Session>("Session")
      .constructor<std::string>()
      .function("evaluate", &evaluate)
      .function("catalog_problems", &traintally::Session::catalog_problems)
      .function("plan", &plan, emscripten::allow_raw_pointers());
  emscripten::class_<traintally::PlanSession>("PlanSession")
      .function("step", &traintally::PlanSession::step)
      .function("answer", &traintally::PlanSession::answer);
}
