#include <cstddef>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include <traintally/catalog_data.hpp>
#include <traintally/session.hpp>

#include "output.hpp"

namespace {

using traintally::Session;
namespace cli = traintally::cli;

constexpr std::size_t kChunk = 1 << 16;
constexpr int kWrongCall = 2;
constexpr int kProblems = 2;  // of --strict

constexpr const char* kLists[] = {"models",     "gpus",       "offers",       "stacks",
                                  "optimizers", "precisions", "quantizations"};

int usage() {
  std::fprintf(stderr, "usage: traintally COMMAND [OPTIONS], COMMAND one of %s\n",
               Session::command_names().c_str());
  std::fputs("       traintally list LIST, LIST one of", stderr);
  for (const char* list : kLists) std::fprintf(stderr, " %s", list);
  std::fputs(
      "\nOne JSON document on standard input, its answer on standard output; with --jsonl one a\n"
      "line, in order.\n"
      "  --catalog FILE      in place of the built-in catalogue (the merged document)\n"
      "  --calibration FILE  merged over the catalogue's calibration\n"
      "  --pretty            the answer over several lines, indented\n"
      "  --summary           of an estimate: ten lines for people in place of the document\n"
      "  --strict            exit status 2 where an answer has problems, else 0 as without it\n",
      stderr);
  return kWrongCall;
}

struct Call {
  std::string_view command;
  std::string_view list;
  bool lines = false;
  bool pretty = false;
  bool summary = false;
  bool strict = false;
  const char* catalog = nullptr;
  const char* calibration = nullptr;
};

std::optional<Call> parse_call(int count, char** arguments) {
  if (count < 2) return std::nullopt;
  Call call;
  call.command = arguments[1];
  int first = 2;
  if (call.command == "list") {
    for (const char* list : kLists) {
      if (count > first && std::string_view(arguments[first]) == list) call.list = list;
    }
    if (call.list.empty()) return std::nullopt;
    ++first;
  } else if (!Session::knows(call.command)) {
    return std::nullopt;
  }
  for (int i = first; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--jsonl") {
      call.lines = true;
    } else if (argument == "--pretty") {
      call.pretty = true;
    } else if (argument == "--summary" && call.command == "estimate") {
      call.summary = true;
    } else if (argument == "--strict") {
      call.strict = true;
    } else if (argument == "--catalog" && i + 1 < count) {
      call.catalog = arguments[++i];
    } else if (argument == "--calibration" && i + 1 < count) {
      call.calibration = arguments[++i];
    } else {
      return std::nullopt;
    }
  }
  if (static_cast<int>(call.lines) + call.pretty + call.summary > 1) return std::nullopt;
  return call;
}

bool read_all(std::FILE* file, std::string& text) {
  char buffer[kChunk];
  std::size_t read = 0;
  while ((read = std::fread(buffer, 1, sizeof buffer, file)) > 0) text.append(buffer, read);
  return std::ferror(file) == 0;
}

bool read_file(const char* path, std::string& text) {
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) return false;
  const bool read = read_all(file, text);
  std::fclose(file);
  return read;
}

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void write_line(const std::string& answer) {
  print(answer);
  std::fputc('\n', stdout);
  std::fflush(stdout);  // somebody may wait for this answer before asking on
}

/// Answers every line as it comes; memory stays that of the longest one.
bool answer_lines(const Session& session, const Call& call, bool& problems) {
  std::string pending;
  std::string buffer(kChunk, '\0');
  std::size_t read = 0;
  const auto answer = [&](std::string_view line) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == std::string_view::npos) return;
    const std::string answered = session.evaluate(call.command, line);
    if (call.strict && cli::has_problems(answered)) problems = true;
    write_line(answered);
  };
  while ((read = std::fread(buffer.data(), 1, buffer.size(), stdin)) > 0) {
    std::size_t begin = 0;
    for (;;) {
      const void* found = std::memchr(buffer.data() + begin, '\n', read - begin);
      if (found == nullptr) break;
      const auto end = static_cast<std::size_t>(static_cast<const char*>(found) - buffer.data());
      pending.append(buffer, begin, end - begin);
      answer(pending);
      pending.clear();
      begin = end + 1;
    }
    pending.append(buffer, begin, read - begin);
  }
  answer(pending);
  return std::ferror(stdin) == 0;
}

}  // namespace

int main(int count, char** arguments) {
  const std::optional<Call> call = parse_call(count, arguments);
  if (!call) return usage();

  std::string own_catalog;
  std::string own_calibration;
  std::string_view catalog(traintally::catalog_text, traintally::catalog_text_size);
  if (call->catalog != nullptr) {
    if (!read_file(call->catalog, own_catalog)) {
      std::fprintf(stderr, "cannot read %s\n", call->catalog);
      return kWrongCall;
    }
    catalog = own_catalog;
  }
  if (call->calibration != nullptr && !read_file(call->calibration, own_calibration)) {
    std::fprintf(stderr, "cannot read %s\n", call->calibration);
    return kWrongCall;
  }
  if (!call->list.empty()) {
    print(cli::listed(catalog, call->list));
    return std::ferror(stdout) == 0 ? 0 : kWrongCall;
  }
  const Session session(catalog, own_calibration);
  if (session.catalog_problems() != "[]") {
    std::fprintf(stderr, "catalogue: %s\n", session.catalog_problems().c_str());
    return kWrongCall;
  }

  bool problems = false;
  if (call->lines) {
    if (!answer_lines(session, *call, problems)) return kWrongCall;
  } else {
    std::string document;
    if (!read_all(stdin, document)) return kWrongCall;
    const std::string answer = session.evaluate(call->command, document);
    problems = call->strict && cli::has_problems(answer);
    if (call->summary) {
      print(cli::summary(answer));
    } else {
      write_line(call->pretty ? cli::indented(answer) : answer);
    }
  }
  if (std::ferror(stdout) != 0) return kWrongCall;
  return problems ? kProblems : 0;
}
