// Derivations: the numbers of every line recompute to its value, and the last line is the figure.

#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "answers.hpp"
#include "explanation.hpp"

namespace traintally::testing {
namespace {

/// Arithmetic as derivations write it: + − × / ( ) and the ceiling brackets.
class Arithmetic {
 public:
  explicit Arithmetic(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text.substr(i, 2) == "×") {
        text_ += '*', i += 1;
      } else if (text.substr(i, 3) == "−") {
        text_ += '-', i += 2;
      } else if (text.substr(i, 3) == "⌈") {
        text_ += '[', i += 2;
      } else if (text.substr(i, 3) == "⌉") {
        text_ += ']', i += 2;
      } else if (text[i] != ' ' && text[i] != ',') {
        text_ += text[i];
      }
    }
  }

  double value() {
    const double result = sum();
    CHECK_MESSAGE(at_ == text_.size(), text_);
    return result;
  }

 private:
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  double sum() {
    double result = product();
    for (;;) {
      if (take('+')) {
        result += product();
      } else if (take('-')) {
        result -= product();
      } else {
        return result;
      }
    }
  }
  double product() {
    double result = factor();
    for (;;) {
      if (take('*')) {
        result *= factor();
      } else if (take('/')) {
        result /= factor();
      } else {
        return result;
      }
    }
  }
  double factor() {
    if (take('(')) {
      const double inner = sum();
      CHECK(take(')'));
      return inner;
    }
    if (take('[')) {
      const double inner = sum();
      CHECK(take(']'));
      return std::ceil(inner);
    }
    char* end = nullptr;
    const double number = std::strtod(text_.c_str() + at_, &end);
    REQUIRE_MESSAGE(end != text_.c_str() + at_, text_);
    at_ = static_cast<std::size_t>(end - text_.c_str());
    return number;
  }

  std::string text_;
  std::size_t at_ = 0;
};

/// The figure that a pointer leads to, as one number.
double figure(const Json& report, const std::string& at) {
  const Json& node = report.at(Json::json_pointer(at));
  if (node.is_number()) return node.get<double>();
  if (node.contains("value")) {
    return node["value"].is_string() ? std::stod(node["value"].get<std::string>())
                                     : node["value"].get<double>();
  }
  double sum = 0;  // exposed communication: the sum of its kinds
  for (const Json& part : node) sum += part.get<double>();
  return sum;
}

bool close(double a, double b, double relative, double absolute) {
  return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b)) + absolute;
}

void check_derivations(const Json& report) {
  const Json& derivations = report["derivations"];
  for (const auto& derivation : derivations.items()) {
    const std::string& at = derivation.key();
    const Json& steps = derivation.value();
    CAPTURE(at);
    REQUIRE_FALSE(steps.empty());
    for (const Json& step : steps) {
      CAPTURE(step.dump());
      const double value = step["value"].get<double>();
      const double rounding = step["unit"] == "bytes" ? 0.51 : 1e-6;  // bytes are whole
      CHECK(close(Arithmetic(step["numbers"].get<std::string>()).value(), value, 1e-6, rounding));
      CHECK_FALSE(step["symbols"].get<std::string>().empty());
      CHECK_FALSE(step["unit"].get<std::string>().empty());
    }
    // Bytes are rounded to whole ones, money as bills are.
    CHECK(close(steps.back()["value"].get<double>(), figure(report, at), 1e-4, 0.51));
  }
}

TEST_CASE("numbers are written for people and read back") {
  CHECK(number(0.0) == "0");
  CHECK(number(999.0) == "999");
  CHECK(number(1000.0) == "1,000");
  CHECK(number(-8030261248.0) == "-8,030,261,248");
  CHECK(number(-100.0) == "-100");
  CHECK(number(0.125) == "0.125");
  CHECK(Arithmetic("2 × (3 − 1) / 4 + ⌈1.2⌉ × 1,000").value() == 2001);
}

TEST_CASE("the derivations of any scenario recompute to its figures") {
  ScenarioMaker maker(11);
  int explained = 0;
  for (int i = 0; i < 900; ++i) {
    const std::string scenario = maker.next();
    const Json report = answer(scenario);
    if (!report.contains("derivations")) continue;
    CAPTURE(scenario);
    check_derivations(report);
    ++explained;
  }
  CHECK(explained > 100);
}

TEST_CASE("every headline figure has its derivation, and only when asked") {
  const Json report = sound_answer(R"({"model":"llama-3.1-8b","explain":true})");
  for (const char* at : {"/parameters/total",
                         "/parameters/trainable",
                         "/memory/weights",
                         "/memory/gradients",
                         "/memory/optimizer",
                         "/memory/activations",
                         "/memory/logits",
                         "/memory/buffers",
                         "/memory/device_peak",
                         "/time/step",
                         "/time/compute",
                         "/time/exposed_communication",
                         "/time/bubble",
                         "/time/run",
                         "/time/tokens_per_second",
                         "/time/mfu_causal",
                         "/time/mfu_full_attention",
                         "/time/hfu",
                         "/cost/total",
                         "/cost/per_1k_tokens",
                         "/cost/per_million_tokens",
                         "/storage/needed_bytes",
                         "/energy/kwh"}) {
    CAPTURE(at);
    CHECK(report["derivations"].contains(at));
  }
  CHECK_FALSE(sound_answer(R"({"model":"llama-3.1-8b"})").contains("derivations"));
}

TEST_CASE("optimizer states of full training are the textbook's 12 bytes over the ranks") {
  const Json report = sound_answer(
      R"({"model":"llama-3.1-8b","training":{"kind":"full","stack":"megatron"},
          "cluster":{"gpu":"h100-sxm-80gb","count":8},"layout":{"dp":8,"zero":1},"explain":true})");
  const Json& step = report["derivations"]["/memory/optimizer"][0];
  CHECK(step["symbols"] == "(master + moments)·(P/z)");
  CHECK(step["numbers"].get<std::string>().find("(4 + 8) × (8,0") == 0);
  CHECK(step["value"].get<double>() == doctest::Approx(12 * 8030261248.0 / 8).epsilon(0.001));
}

}  // namespace
}  // namespace traintally::testing
