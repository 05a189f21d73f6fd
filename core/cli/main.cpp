#include <cstddef>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include <traintally/catalog_data.hpp>
#include <traintally/session.hpp>

namespace {

using traintally::Session;

constexpr std::size_t kChunk = 1 << 16;
constexpr int kWrongCall = 2;

int usage() {
  std::fprintf(stderr, "usage: traintally COMMAND [OPTIONS], COMMAND one of %s\n",
               Session::command_names().c_str());
  std::fputs(
      "One JSON document on standard input, its answer on standard output; with --jsonl one a\n"
      "line, in order.\n"
      "  --catalog FILE      in place of the built-in catalogue (the merged document)\n"
      "  --calibration FILE  merged over the catalogue's calibration\n",
      stderr);
  return kWrongCall;
}

struct Call {
  std::string_view command;
  bool lines = false;
  const char* catalog = nullptr;
  const char* calibration = nullptr;
};

std::optional<Call> parse_call(int count, char** arguments) {
  if (count < 2) return std::nullopt;
  Call call;
  call.command = arguments[1];
  if (!Session::knows(call.command)) return std::nullopt;
  for (int i = 2; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--jsonl") {
      call.lines = true;
    } else if (argument == "--catalog" && i + 1 < count) {
      call.catalog = arguments[++i];
    } else if (argument == "--calibration" && i + 1 < count) {
      call.calibration = arguments[++i];
    } else {
      return std::nullopt;
    }
  }
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

void write_line(const std::string& answer) {
  std::fwrite(answer.data(), 1, answer.size(), stdout);
  std::fputc('\n', stdout);
  std::fflush(stdout);  // somebody may wait for this answer before asking on
}

/// Answers every line as it comes; memory stays that of the longest one.
bool answer_lines(const Session& session, std::string_view command) {
  std::string pending;
  std::string buffer(kChunk, '\0');
  std::size_t read = 0;
  const auto answer = [&](std::string_view line) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == std::string_view::npos) return;
    write_line(session.evaluate(command, line));
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
  const Session session(catalog, own_calibration);
  if (session.catalog_problems() != "[]") {
    std::fprintf(stderr, "catalogue: %s\n", session.catalog_problems().c_str());
    return kWrongCall;
  }

  if (call->lines) return answer_lines(session, call->command) ? 0 : kWrongCall;
  std::string document;
  if (!read_all(stdin, document)) return kWrongCall;
  write_line(session.evaluate(call->command, document));
  return std::ferror(stdout) == 0 ? 0 : kWrongCall;
}
