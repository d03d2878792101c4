#include "belfry/cli/machine.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "belfry/cli/bench/estimate.h"
#include "support/temp_dir.h"

namespace belfry::cli {
namespace {

namespace fs = std::filesystem;

void put(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

TEST(Machine, TellsTheFirstCpuAndTheDriver) {
  const test::TempDir root;
  put(root / "proc/cpuinfo",
      "processor\t: 0\nmodel name\t: AMD EPYC 9R45\nflags\t\t: fpu\nmodel name\t: another\n");
  put(root / "sys/module/nvidia/version", "550.54.15\n");
  EXPECT_EQ(cpu_model(root.path()), "AMD EPYC 9R45");
  EXPECT_EQ(nvidia_driver(root.path()), "550.54.15");
}

TEST(Machine, SaysNothingWhereTheKernelDoes) {
  const test::TempDir root;
  EXPECT_EQ(cpu_model(root.path()), std::nullopt);
  EXPECT_EQ(nvidia_driver(root.path()), std::nullopt);
  put(root / "proc/cpuinfo", "processor\t: 0\nmodel name\t:\n");
  put(root / "sys/module/nvidia/version", "");
  EXPECT_EQ(cpu_model(root.path()), std::nullopt);
  EXPECT_EQ(nvidia_driver(root.path()), std::nullopt);
}

TEST(Estimate, GrowsWithTheCircuit) {
  const bench::FloorModel floor(Isa::kPortable, 1);
  const auto seconds = [&](const char* name) {
    const auto circuit = filecoin::find_circuit(name);
    EXPECT_TRUE(circuit) << name;
    const auto estimate = bench::estimate_partition_seconds(*circuit, floor);
    EXPECT_TRUE(estimate) << name;
    return estimate.value_or(0);
  };
  EXPECT_GT(seconds("winning-2KiB"), 0);
  EXPECT_GT(seconds("porep-2KiB"), seconds("winning-2KiB"));
  // 2^27 rows beside 2^22: 32 times, a little less for wider windows and more for the transforms.
  EXPECT_GT(seconds("porep-32GiB"), 20 * seconds("porep-2KiB"));
  EXPECT_LT(seconds("porep-32GiB"), 40 * seconds("porep-2KiB"));
  EXPECT_GT(seconds("window-32GiB"), seconds("porep-32GiB"));
}

}  // namespace
}  // namespace belfry::cli
