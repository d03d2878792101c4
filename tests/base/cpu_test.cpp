#include "belfry/base/cpu.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace belfry {
namespace {

bool kernel_lists(const std::string& flags, const std::string& flag) {
  return flags.find(" " + flag + " ") != std::string::npos ||
         flags.find(" " + flag + "\n") != std::string::npos;
}

TEST(Isa, IsWhatTheKernelLists) {
  std::ifstream file("/proc/cpuinfo");
  const std::string info{std::istreambuf_iterator<char>(file), {}};
  const bool ifma = kernel_lists(info, "avx512ifma") && kernel_lists(info, "avx512vl") &&
                    kernel_lists(info, "avx512dq") && kernel_lists(info, "avx512bw");
  const bool adx = kernel_lists(info, "adx") && kernel_lists(info, "bmi2");
  const Isa expected = ifma ? Isa::kIfma : adx ? Isa::kAdx : Isa::kPortable;
  EXPECT_EQ(best_isa(), expected);
  EXPECT_EQ(best_isa(), best_isa());
}

TEST(Isa, HasNamesInOrder) {
  EXPECT_EQ(to_string(Isa::kPortable), "portable");
  EXPECT_EQ(to_string(Isa::kAdx), "adx");
  EXPECT_EQ(to_string(Isa::kIfma), "avx512-ifma");
  EXPECT_LT(Isa::kPortable, Isa::kAdx);
  EXPECT_LT(Isa::kAdx, Isa::kIfma);
}

}  // namespace
}  // namespace belfry
