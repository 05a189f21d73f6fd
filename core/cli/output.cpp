#include "output.hpp"

#include <cstdio>

#include <traintally/units.hpp>

#include "json/document.hpp"

namespace traintally::cli {
namespace {

constexpr double kMinute = 60;
constexpr double kHour = 60 * kMinute;
constexpr double kDay = 24 * kHour;

/// What lies at these names, one inside the other; null where there is nothing.
template <class... Names>
const JsonValue* at(const JsonValue& node, Names... names) {
  const JsonValue* found = &node;
  ((found = found == nullptr ? nullptr : found->find(names)), ...);
  return found;
}

template <class... Names>
double number(const JsonValue& node, Names... names) {
  const JsonValue* found = at(node, names...);
  return found == nullptr ? 0 : found->number();
}

template <class... Names>
std::string text(const JsonValue& node, Names... names) {
  const JsonValue* found = at(node, names...);
  return found == nullptr ? "" : std::string(found->text());
}

/// Three digits, or all of those before the point: "0.0123", "66.2", "1981".
std::string digits(double value) {
  constexpr double kWhole = 100;
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, value >= kWhole ? "%.0f" : "%.3g", value);
  return buffer;
}

std::string count(double value) {
  if (value >= 1e12) return digits(value / 1e12) + "T";
  if (value >= 1e9) return digits(value / 1e9) + "B";
  if (value >= 1e6) return digits(value / 1e6) + "M";
  return digits(value);
}

/// "66.2 s (52.5 to 80.1)" of a figure with its interval.
std::string interval(const JsonValue& figure, double unit, const char* name) {
  std::string line = digits(number(figure, "value") / unit) + name;
  if (at(figure, "low") == nullptr) return line;
  return line + " (" + digits(number(figure, "low") / unit) + " to " +
         digits(number(figure, "high") / unit) + ")";
}

std::string duration(const JsonValue& figure) {
  const double value = number(figure, "value");
  if (value >= 2 * kDay) return interval(figure, kDay, " days");
  if (value >= kHour) return interval(figure, kHour, " h");
  if (value >= 2 * kMinute) return interval(figure, kMinute, " min");
  return interval(figure, 1, " s");
}

std::string money(const JsonValue& figure) {
  const std::string low = text(figure, "low");
  const std::string range = low.empty() ? "" : " (" + low + " to " + text(figure, "high") + ")";
  return text(figure, "value") + " " + text(figure, "currency") + range;
}

class Summary {
 public:
  explicit Summary(const JsonValue& report) : report_(report) {}

  std::string run() {
    if (const JsonValue* problems = at(report_, "problems")) {
      for (const JsonValue& each : *problems) {
        line("problem", text(each, "at") + ": " + text(each, "code") +
                            (text(each, "accepts").empty() ? "" : "; accepts ") +
                            text(each, "accepts"));
      }
    }
    job();
    memory();
    time();
    cost();
    codes("warnings");
    codes("absent");
    return lines_;
  }

 private:
  void line(const char* name, const std::string& what) {
    constexpr std::size_t kColumn = 10;
    std::string label = name;
    label.resize(kColumn, ' ');
    lines_ += label + what + '\n';
  }

  void job() {
    const JsonValue* parameters = at(report_, "parameters");
    const JsonValue* resolved = at(report_, "resolved");
    if (parameters == nullptr || resolved == nullptr) return;
    const std::string model = text(*resolved, "model");
    line("model", (model.empty() ? "of its own" : model) + ", " +
                      count(number(*parameters, "total")) + " parameters; " +
                      text(*resolved, "training", "kind") + " trains " +
                      count(number(*parameters, "trainable")));
    line("on", count(number(*resolved, "cluster", "count")) + " x " +
                   text(*resolved, "cluster", "gpu") + ", " + text(*resolved, "training", "stack") +
                   ", " + text(*resolved, "training", "precision") + ", " +
                   text(*resolved, "training", "optimizer"));
    const JsonValue* layout = at(*resolved, "layout");
    if (layout == nullptr) return;
    std::string degrees;
    for (const char* name : {"tp", "pp", "cp", "ep", "dp", "zero"}) {
      if (!degrees.empty()) degrees += ' ';
      degrees += std::string(name) + '=' + digits(number(*layout, name));
    }
    const double share = number(*resolved, "training", "recompute_share");
    const std::string part =
        share > 0 && share < 1 ? " of " + digits(100 * share) + "% of layers" : "";
    line("layout", degrees + ", micro-batch " +
                       digits(number(*resolved, "training", "micro_batch")) + " x " +
                       digits(number(report_, "time", "micro_batches")) + ", recompute " +
                       text(*resolved, "training", "recompute") + part + ", offload " +
                       text(*layout, "offload"));
  }

  void memory() {
    const JsonValue* peak = at(report_, "memory", "device_peak");
    if (peak == nullptr) return;
    const JsonValue* fits = at(report_, "memory", "fits");
    line("fits", std::string(fits != nullptr && fits->boolean() ? "yes" : "NO") + ": " +
                     interval(*peak, kGiB, " GiB") + " of " +
                     digits(number(report_, "memory", "usable") / kGiB) + " GiB");
  }

  void time() {
    const JsonValue* time = at(report_, "time");
    if (time == nullptr) return;
    if (const JsonValue* step = at(*time, "step")) line("step", duration(*step));
    if (const JsonValue* speed = at(*time, "tokens_per_second")) {
      line("speed", interval(*speed, 1, " tokens/s") + ", MFU " +
                        digits(number(*time, "mfu_causal", "value") * 100) + "% (causal)");
    }
    if (const JsonValue* run = at(*time, "run")) {
      line("run", duration(*run) + ", " + count(number(*time, "steps")) + " steps, " +
                      count(number(report_, "resolved", "training", "tokens")) + " tokens");
    }
  }

  void cost() {
    const JsonValue* total = at(report_, "cost", "total");
    if (total == nullptr) return;
    const std::string offer = text(report_, "resolved", "price", "offer");
    line("cost", money(*total) + ", " + text(report_, "cost", "mode") +
                     (offer.empty() ? "" : ", offer " + offer));
    if (const JsonValue* million = at(report_, "cost", "per_million_tokens")) {
      line("", money(*million) + " per million tokens");
    }
  }

  void codes(const char* name) {
    const JsonValue* list = at(report_, name);
    if (list == nullptr || list->size() == 0) return;
    std::string joined;
    for (const JsonValue& each : *list) {
      if (text(each, "at").rfind("/published/", 0) == 0) continue;  // no figure of these lines
      if (!joined.empty()) joined += ", ";
      joined += text(each, "at").empty() ? text(each, "code")
                                         : text(each, "at") + ": " + text(each, "code");
    }
    if (!joined.empty()) line(name, joined);
  }

  const JsonValue& report_;
  std::string lines_;
};

}  // namespace

std::string indented(std::string_view json) {
  std::string out;
  std::size_t level = 0;
  bool quoted = false;
  const auto new_line = [&] { out += '\n', out.append(2 * level, ' '); };
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (quoted) {
      out += c;
      if (c == '\\' && i + 1 < json.size()) out += json[++i];
      quoted = c != '"';
    } else if (c == '{' || c == '[') {
      out += c;
      const bool empty = i + 1 < json.size() && (json[i + 1] == '}' || json[i + 1] == ']');
      if (empty) {
        out += json[++i];
      } else {
        ++level;
        new_line();
      }
    } else if (c == '}' || c == ']') {
      if (level > 0) --level;
      new_line();
      out += c;
    } else {
      out += c;
      quoted = c == '"';
      if (c == ',') new_line();
      if (c == ':') out += ' ';
    }
  }
  return out;
}

bool has_problems(std::string_view answer) {
  Problems unreadable;
  const Document document(answer, unreadable);
  const JsonValue* problems = document.root().find("problems");
  return problems == nullptr || problems->size() > 0;
}

std::string summary(std::string_view report) {
  Problems unreadable;
  const Document document(report, unreadable);
  return Summary(document.root()).run();
}

std::string listed(std::string_view catalog, std::string_view name) {
  Problems unreadable;
  const Document document(catalog, unreadable);
  std::string lines;
  const JsonValue* list = document.root().find(name);
  if (list == nullptr || !list->is_array()) return lines;
  for (const JsonValue& entry : *list) {
    std::string full = text(entry, "name");
    if (full.empty()) full = text(entry, "name", "en");
    lines += text(entry, "id") + '\t' + full + '\t';
    bool first = true;
    if (const JsonValue* aliases = at(entry, "aliases")) {
      for (const JsonValue& alias : *aliases) {
        if (!first) lines += ", ";
        first = false;
        lines += alias.text();
      }
    } else {
      lines += text(entry, "gpu");
    }
    lines += '\n';
  }
  return lines;
}

}  // namespace traintally::cli
