#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <simdjson.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "support/temp_dir.h"

namespace belfry::test {

/// What a run of the command left.
struct RunResult {
  int code = -1;  ///< exit code; -1 if a signal ended it
  std::string out;
  std::string err;
};

/// How to run it, where the default does not do.
struct RunOptions {
  std::string stdout_file;  ///< instead of a captured one
  rlim_t file_size_limit = RLIM_INFINITY;
  std::chrono::milliseconds interrupt_after{0};  ///< after it began to listen; 0: no SIGINT
};

/// Runs the command belfry with a cache of its own and without this user's environment.
class Belfry {
 public:
  [[nodiscard]] RunResult run(std::vector<std::string> arguments,
                              const RunOptions& options = {}) const {
    const std::string out =
        options.stdout_file.empty() ? (dir_ / "out").string() : options.stdout_file;
    const std::string err = (dir_ / "err").string();
    const pid_t child = ::fork();
    if (child == 0) exec(std::move(arguments), out, err, options.file_size_limit);
    if (options.interrupt_after.count() != 0) {
      wait_until_it_listens(child);
      std::this_thread::sleep_for(options.interrupt_after);
      (void)::kill(child, SIGINT);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    RunResult run{
        .code = WIFEXITED(status) ? WEXITSTATUS(status) : -1, .out = "", .err = read(err)};
    if (options.stdout_file.empty()) run.out = read(out);
    return run;
  }
  [[nodiscard]] const TempDir& dir() const { return dir_; }
  /// Puts a file into the folder of this object and returns its path.
  [[nodiscard]] std::string put(const std::string& name, std::string_view content) const {
    std::ofstream(dir_ / name, std::ios::binary) << content;
    return (dir_ / name).string();
  }
  [[nodiscard]] static std::string read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  [[noreturn]] void exec(std::vector<std::string> arguments, const std::string& out,
                         const std::string& err, rlim_t limit) const {
    constexpr int kMode = 0600;
    const int flags = O_WRONLY | O_CREAT | O_TRUNC;
    (void)::dup2(::open(out.c_str(), flags, kMode), STDOUT_FILENO);
    (void)::dup2(::open(err.c_str(), flags, kMode), STDERR_FILENO);
    const rlimit size{limit, limit};
    (void)::setrlimit(RLIMIT_FSIZE, &size);
    arguments.insert(arguments.begin(), BELFRY_BINARY);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    std::string cache = "XDG_CACHE_HOME=" + dir_.path().string();
    std::string params = "FIL_PROOFS_PARAMETER_CACHE=" + (dir_ / "params").string();
    std::vector<char*> environment{cache.data(), params.data(), nullptr};
    (void)::execve(BELFRY_BINARY, argv.data(), environment.data());
    ::_exit(127);
  }

  /// Until the child blocks SIGINT, which it does in order to wait for it, or has ended. A
  /// sanitized program needs seconds to get there on a busy machine.
  static void wait_until_it_listens(pid_t child) {
    constexpr auto kLongest = std::chrono::minutes(5);
    constexpr std::string_view kBlocked = "SigBlk:";
    const auto is_in = [](std::uint64_t mask, int signal) {
      return (mask >> (signal - 1) & 1) != 0;
    };
    const auto deadline = std::chrono::steady_clock::now() + kLongest;
    while (std::chrono::steady_clock::now() < deadline) {
      const std::string status = read("/proc/" + std::to_string(child) + "/status");
      const std::size_t blocked = status.find(kBlocked);
      if (blocked == std::string::npos || status.find("State:\tZ") != std::string::npos) return;
      const std::uint64_t mask =
          std::strtoull(status.c_str() + blocked + kBlocked.size(), nullptr, 16);
      // A sanitizer blocks all of them for moments while it starts.
      if (is_in(mask, SIGINT) && !is_in(mask, SIGSEGV)) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  TempDir dir_;
};

/// The JSON object of a run: exactly one, on exactly one line.
class Answer {
 public:
  explicit Answer(const RunResult& run) : text_(run.out) {
    EXPECT_EQ(std::ranges::count(run.out, '\n'), 1) << run.out;
    EXPECT_TRUE(run.out.ends_with('\n')) << run.out;
    const simdjson::error_code parsed = parser_.parse(text_).get(root_);
    EXPECT_EQ(parsed, simdjson::SUCCESS) << run.out;
    // The failure is reported; what is asked of the answer then has something to look at.
    if (parsed != simdjson::SUCCESS) {
      EXPECT_EQ(parser_.parse(std::string_view("{}")).get(root_), simdjson::SUCCESS);
    }
  }
  [[nodiscard]] simdjson::dom::element root() const { return root_; }
  [[nodiscard]] bool ok() const { return bool(root_["ok"]); }
  /// A member of "error", or "" where it was left out.
  [[nodiscard]] std::string error(std::string_view member) const {
    std::string_view value;
    return root_["error"][member].get(value) == simdjson::SUCCESS ? std::string(value) : "";
  }

 private:
  simdjson::padded_string text_;
  simdjson::dom::parser parser_;
  simdjson::dom::element root_;
};

}  // namespace belfry::test
