#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>

namespace belfry::test {

/// A second process that leaves so much of the first card's memory free, and no more, until the
/// object dies. The program `vram_holder` lies beside the test's.
class VramHolder {
 public:
  explicit VramHolder(std::uint64_t leave_bytes) {
    const std::string program =
        (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "vram_holder").string();
    const std::string leave = std::to_string(leave_bytes);
    std::array<int, 2> to{};
    std::array<int, 2> from{};
    EXPECT_EQ(::pipe2(to.data(), O_CLOEXEC), 0);
    EXPECT_EQ(::pipe2(from.data(), O_CLOEXEC), 0);
    child_ = ::fork();
    if (child_ == 0) {
      // Between fork and exec nothing may touch what other threads hold.
      ::dup2(to[0], STDIN_FILENO);
      ::dup2(from[1], STDOUT_FILENO);
      ::execl(program.c_str(), program.c_str(), leave.c_str(), nullptr);
      ::_exit(127);
    }
    ::close(to[0]);
    ::close(from[1]);
    input_ = to[1];
    std::array<char, 64> line{};
    EXPECT_GT(::read(from[0], line.data(), line.size()), 0) << program << " did not start";
    ::close(from[0]);
  }
  ~VramHolder() {
    ::close(input_);
    int status = 0;
    EXPECT_EQ(::waitpid(child_, &status, 0), child_);
    EXPECT_EQ(status, 0) << "the other process failed";
  }
  VramHolder(const VramHolder&) = delete;
  VramHolder& operator=(const VramHolder&) = delete;

 private:
  pid_t child_ = -1;
  int input_ = -1;
};

}  // namespace belfry::test
