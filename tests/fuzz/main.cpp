// fuzz_evaluate [COUNT [SEED]]: evaluates that many mutated documents, the same ones every time.
// Meant for the sanitize preset: what a sanitizer finds ends the run, with the document shown.

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <traintally/catalog_data.hpp>

#include "check_answer.hpp"
#include "mutate.hpp"

#ifdef FUZZ_SANITIZED
#include <sanitizer/common_interface_defs.h>
#endif

namespace {

std::string command;
std::string document;

void show_document() {
  std::printf("%s was given:\n%s\nfuzz: 0 passed, 1 failed\n", command.c_str(), document.c_str());
  std::fflush(stdout);
}

void on_abort(int) {
  show_document();
  std::_Exit(1);
}

/// Documents by the command that they are for: seeds/COMMAND.NAME.json.
std::map<std::string, std::vector<std::string>> read_seeds() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(FUZZ_SEEDS)) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());  // the directory's order is nobody's
  std::map<std::string, std::vector<std::string>> seeds;
  for (const auto& path : paths) {
    std::ifstream in(path, std::ios::binary);
    seeds[path.stem().stem().string()].emplace_back(std::istreambuf_iterator<char>(in),
                                                    std::istreambuf_iterator<char>());
  }
  return seeds;
}

/// Of each thousand documents, those up to `until` are for a command. A plan searches long.
struct Turn {
  long until;
  const char* command;
  const char* seeds;
};
constexpr Turn kTurns[] = {
    {650, "estimate", "estimate"}, {700, "catalog", "catalog"}, {770, "fit", "fit"},
    {830, "own", "own"},           {900, "quote", "quote"},     {940, "project", "project"},
    {990, "recipe", "recipe"},     {991, "plan", "plan"},       {1000, "nonsense", "estimate"}};

}  // namespace

int main(int argc, char** argv) {
  const long count = argc > 1 ? std::atol(argv[1]) : 20000;
  Random random(argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 20261130);
  for (const int fault : {SIGABRT, SIGFPE, SIGSEGV}) std::signal(fault, on_abort);
#ifdef FUZZ_SANITIZED
  __sanitizer_set_death_callback(show_document);
#endif

  const std::map<std::string, std::vector<std::string>> seeds = read_seeds();
  const traintally::Session session({traintally::catalog_text, traintally::catalog_text_size});
  long failed = 0;
  for (long i = 0; i < count; ++i) {
    const Turn& turn = *std::find_if(std::begin(kTurns), std::end(kTurns),
                                     [&](const Turn& each) { return i % 1000 < each.until; });
    command = turn.command;
    document = mutate(seeds.at(turn.seeds), random);
    const std::string wrong = check_answer(session, command, document);
    if (wrong.empty()) continue;
    ++failed;
    std::printf("%s of %s: %s\n", command.c_str(), document.c_str(), wrong.c_str());
  }
  std::printf("fuzz: %ld passed, %ld failed\n", count - failed, failed);
  return failed > 0 ? 1 : 0;
}
