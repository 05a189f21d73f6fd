// Predictions for many scenarios under changing constants, for calibrate.py.
//
//   residuals CATALOG.json SCENARIOS.jsonl CONSTANT...
//
// Every scenario is read and resolved once; each line is {"scenario": ..., "last_stage": bool}. The
// first line out is a JSON object: "refused" (for each scenario why, or ""), "constants" (for each
// the named constants as the catalogue resolves them). Then batches, in native byte order: a count
// n as one double and n records of a row's number and its constants in; n records of 4 doubles out:
// seconds of a step, bytes allocated, reserved and on the device of the measured stage.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <traintally/catalog.hpp>
#include <traintally/memory.hpp>
#include <traintally/resolve.hpp>
#include <traintally/time.hpp>

#include "json/catalog_json.hpp"
#include "json/scenario_json.hpp"

namespace {

using namespace traintally;

struct Row {
  Job job;
  bool last_stage = false;
  std::string refused;
  std::string_view time_kind, memory_kind;
};

std::string read_all(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Row read_row(const std::string& line, const Catalog& catalog) {
  Row row;
  Problems problems;
  const Document document(line, problems);
  const JsonValue* given = document.root().find("scenario");
  if (problems.empty() && given == nullptr) add_problem(problems, "/scenario", "missing", "");
  if (problems.empty()) {
    const Scenario scenario = read_scenario(*given, problems);
    const Resolved resolved = resolve(scenario, catalog, problems);
    problems = resolved.problems;
    row.job = resolved.job;
    if (resolved.stack != nullptr && problems.empty()) {
      row.time_kind = time_kind(resolved.job);
      row.memory_kind = memory_kind(resolved.job, *resolved.stack);
    }
    const JsonValue* last = document.root().find("last_stage");
    row.last_stage = last != nullptr && last->boolean();
  }
  for (const Problem& problem : problems) {
    row.refused += problem.at + " " + problem.code + " " + problem.accepts + "; ";
  }
  return row;
}

void predict(Job job, bool last_stage, double* out) {
  const StageMemory stage =
      last_stage ? estimate_stage_memory(job, job.layout.pp - 1) : estimate_memory(job).stage;
  out[0] = estimate_step_time(job).step.value;
  out[1] = stage.allocated.value;
  out[2] = stage.reserved.value;
  out[3] = stage.device.value;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  Problems problems;
  Catalog catalog;
  const std::string text = read_all(argv[1]);
  const Document document(text, problems);
  load_catalog(document.root(), catalog, problems);
  for (const Problem& problem : problems) {
    std::fprintf(stderr, "catalogue: %s %s %s\n", problem.at.c_str(), problem.code.c_str(),
                 problem.accepts.c_str());
  }
  std::vector<std::size_t> offsets;  // of the constants, in doubles from the first
  Calibration blank;
  for (int i = 3; i < argc; ++i) {
    const double* constant = find_constant(blank, argv[i]);
    if (constant == nullptr) {
      std::fprintf(stderr, "no constant %s\n", argv[i]);
      return 2;
    }
    offsets.push_back(static_cast<std::size_t>(constant - reinterpret_cast<double*>(&blank)));
  }

  std::vector<Row> rows;
  std::ifstream file(argv[2]);
  for (std::string line; std::getline(file, line);) rows.push_back(read_row(line, catalog));

  JsonWriter head;
  head.begin_object();
  head.begin_array("refused");
  for (const Row& row : rows) head.text(row.refused);
  head.end_array();
  head.begin_array("kinds");
  for (const Row& row : rows) {
    head.begin_array();
    head.text(row.time_kind);
    head.text(row.memory_kind);
    head.end_array();
  }
  head.end_array();
  head.begin_array("constants");
  for (const Row& row : rows) {
    head.begin_array();
    const auto* constants = reinterpret_cast<const double*>(&row.job.calibration);
    for (const std::size_t offset : offsets) head.real(constants[offset]);
    head.end_array();
  }
  head.end_array();
  head.end_object();
  std::puts(std::string(head.str()).c_str());
  std::fflush(stdout);

  const std::size_t width = offsets.size() + 1;
  for (double count = 0; std::fread(&count, sizeof count, 1, stdin) == 1;) {
    const auto n = static_cast<std::size_t>(count);
    std::vector<double> in(n * width), out(n * 4, 0);
    if (std::fread(in.data(), sizeof(double), in.size(), stdin) != in.size()) return 1;
    for (std::size_t i = 0; i < n; ++i) {
      const double* record = &in[i * width];
      const Row& row = rows[static_cast<std::size_t>(record[0])];
      if (!row.refused.empty()) continue;
      Job job = row.job;
      auto* constants = reinterpret_cast<double*>(&job.calibration);
      for (std::size_t k = 0; k < offsets.size(); ++k) constants[offsets[k]] = record[k + 1];
      predict(job, row.last_stage, &out[i * 4]);
    }
    std::fwrite(out.data(), sizeof(double), out.size(), stdout);
    std::fflush(stdout);
  }
}
