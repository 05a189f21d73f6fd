// Predictions for many scenarios under changing calibration constants, for calibrate.py.
//
//   residuals CATALOG.json SCENARIOS.jsonl
//
// Every scenario is read and resolved once. Then, by lines of words between tabs on standard input:
//   set LEVEL ID NAME VALUE   a constant at a level: defaults (ID "-"), architectures, gpus, families,
//                             stacks
//   habit STACK NAME VALUE    a habit of a stack: see kHabits
//   clear                     back to the catalogue's own calibration and habits
//   run                       answers 4 doubles a scenario, native byte order: seconds of a step,
//                             bytes allocated, reserved and on the device of the measured stage
// A scenario line may have "last_stage": true beside "scenario". One that is refused answers NaN and is
// named on standard error at the start.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <traintally/catalog.hpp>
#include <traintally/memory.hpp>
#include <traintally/resolve.hpp>
#include <traintally/time.hpp>

#include "json/catalog_json.hpp"
#include "json/document.hpp"
#include "json/scenario_json.hpp"

namespace {

using namespace traintally;

struct Habit {
  const char* name;
  double StackHabits::*number;
  Bytes StackHabits::*bytes;
};

constexpr Habit kHabits[] = {
    {"gradient_bytes", &StackHabits::gradient_bytes, nullptr},
    {"norm_saved_bytes", &StackHabits::norm_saved_bytes, nullptr},
    {"logits_bytes", &StackHabits::logits_bytes, nullptr},
    {"fused_logits_bytes", &StackHabits::fused_logits_bytes, nullptr},
    {"gathered_layers", &StackHabits::gathered_layers, nullptr},
    {"reserved_factor", &StackHabits::reserved_factor, nullptr},
    {"bucket", nullptr, &StackHabits::bucket},
    {"workspace", nullptr, &StackHabits::workspace},
    {"context", nullptr, &StackHabits::context},
    {"collective", nullptr, &StackHabits::collective},
};

bool set_habit(StackHabits& habits, const std::string& name, double value) {
  for (const Habit& habit : kHabits) {
    if (name != habit.name) continue;
    if (habit.number != nullptr) {
      habits.*habit.number = value;
    } else {
      habits.*habit.bytes = Bytes{value};
    }
    return true;
  }
  return false;
}

struct Prepared {
  Job job;
  const GpuEntry* gpu = nullptr;
  const StackEntry* stack = nullptr;
  bool last_stage = false;
  bool refused = true;
};

std::string read_all(const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "cannot read %s\n", path);
    std::exit(2);
  }
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<Prepared> prepare(const char* path, const Catalog& catalog) {
  std::vector<Prepared> all;
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    Prepared one;
    Problems problems;
    const Json document = parse_document(line, problems);
    const bool wrapped = document.is_object() && document.contains("scenario");
    if (problems.empty() && wrapped) {
      const Scenario scenario = read_scenario(document["scenario"], problems);
      Resolved resolved = resolve(scenario, catalog);
      for (const auto& problem : resolved.problems) problems.push_back(problem);
      if (problems.empty()) {
        one.job = resolved.job;
        one.gpu = resolved.gpu;
        one.stack = resolved.stack;
        one.refused = false;
        const auto measured = document.find("measured");
        one.last_stage = measured != document.end() && measured->contains("last_stage");
      }
    }
    if (one.refused) {
      std::fprintf(stderr, "refused line %zu: %s %s\n", all.size() + 1,
                   problems.empty() ? "" : problems.front().at.c_str(),
                   problems.empty() ? "" : problems.front().code.c_str());
    }
    all.push_back(one);
  }
  return all;
}

void set_level(std::vector<CalibrationLevel>& levels, const std::string& id,
               const std::string& name, double value) {
  for (CalibrationLevel& level : levels) {
    if (level.id != id) continue;
    for (auto& [known, number] : level.constants) {
      if (known == name) {
        number = value;
        return;
      }
    }
    level.constants.emplace_back(name, value);
    return;
  }
  levels.push_back({id, {{name, value}}});
}

void set_default(CalibrationTable& table, const std::string& name, double value) {
  for (auto& [known, number] : table.defaults) {
    if (known == name) {
      number = value;
      return;
    }
  }
  table.defaults.emplace_back(name, value);
}

/// Words between tabs; at least one.
std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> words(1);
  for (const char c : line) {
    if (c == '\t') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

void answer(const std::vector<Prepared>& jobs, const Catalog& catalog,
            const std::map<std::string, std::map<std::string, double>>& habits) {
  std::map<std::pair<const GpuEntry*, const StackEntry*>, Calibration> constants;
  std::vector<double> out;
  out.reserve(jobs.size() * 4);
  for (const Prepared& one : jobs) {
    if (one.refused) {
      for (int i = 0; i < 4; ++i) out.push_back(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    const auto key = std::make_pair(one.gpu, one.stack);
    auto found = constants.find(key);
    if (found == constants.end()) {
      Basis basis;
      found = constants.emplace(key, resolve_calibration(catalog, *one.gpu, *one.stack, basis)).first;
    }
    Job job = one.job;
    job.calibration = found->second;
    const auto changed = habits.find(one.stack->id);
    if (changed != habits.end()) {
      for (const auto& [name, value] : changed->second) set_habit(job.stack, name, value);
    }
    out.push_back(estimate_step_time(job).step.value);
    const StageMemory stage = one.last_stage ? estimate_stage_memory(job, job.layout.pp - 1)
                                             : estimate_memory(job).stage;
    out.push_back(stage.allocated.value);
    out.push_back(stage.reserved.value);
    out.push_back(stage.device.value);
  }
  std::fwrite(out.data(), sizeof(double), out.size(), stdout);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: residuals CATALOG.json SCENARIOS.jsonl\n");
    return 2;
  }
  Problems problems;
  Catalog catalog;
  const Json document = Json::parse(read_all(argv[1]), nullptr, false);
  load_catalog(document, catalog, problems);
  for (const auto& problem : problems) {
    std::fprintf(stderr, "catalogue: %s %s\n", problem.at.c_str(), problem.code.c_str());
  }
  const CalibrationTable original = catalog.calibration;
  const std::vector<Prepared> jobs = prepare(argv[2], catalog);
  std::map<std::string, std::map<std::string, double>> habits;
  std::fprintf(stderr, "ready %zu\n", jobs.size());

  std::string line;
  while (std::getline(std::cin, line)) {
    const std::vector<std::string> words = split(line);
    const std::string& command = words.front();
    if (command == "set") {
      Calibration known;
      if (words.size() != 5 || !set_constant(known, words[3], 1)) {
        std::fprintf(stderr, "not understood: %s\n", line.c_str());
        return 2;
      }
      const std::string& level = words[1];
      const std::string& id = words[2];
      const std::string& name = words[3];
      const double value = std::strtod(words[4].c_str(), nullptr);
      CalibrationTable& table = catalog.calibration;
      if (level == "defaults") set_default(table, name, value);
      if (level == "architectures") set_level(table.architectures, id, name, value);
      if (level == "gpus") set_level(table.gpus, id, name, value);
      if (level == "families") set_level(table.families, id, name, value);
      if (level == "stacks") set_level(table.stacks, id, name, value);
    } else if (command == "habit") {
      StackHabits known;
      if (words.size() != 4 || !set_habit(known, words[2], 1)) {
        std::fprintf(stderr, "not understood: %s\n", line.c_str());
        return 2;
      }
      habits[words[1]][words[2]] = std::strtod(words[3].c_str(), nullptr);
    } else if (command == "clear") {
      catalog.calibration = original;
      habits.clear();
    } else if (command == "run") {
      answer(jobs, catalog, habits);
    } else {
      std::fprintf(stderr, "not understood: %s\n", line.c_str());
      return 2;
    }
  }
  return 0;
}
