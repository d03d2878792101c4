#include "belfry/cli/machine.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "belfry/cli/bench/estimate.h"
#include "belfry/cli/bench/witness_work.h"
#include "belfry/filecoin/circuits.h"
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

using Hashes = std::map<std::uint32_t, std::uint64_t>;

bench::WitnessWork work_of(const char* name) {
  const auto circuit = filecoin::find_circuit(name);
  EXPECT_TRUE(circuit) << name;
  return circuit ? bench::witness_work(*circuit) : bench::WitnessWork{};
}

TEST(WitnessWork, CountsTheHashesOfACircuit) {
  // 18 challenges: 15 columns, 16 paths of ten levels, eleven labels of 20 blocks, 30 data hashes.
  EXPECT_EQ(work_of("porep-32GiB").poseidon, (Hashes{{2, 1}, {8, 2880}, {11, 270}}));
  EXPECT_EQ(work_of("porep-32GiB").compressions, 18U * (11 * 20 + 30 * 2));
  EXPECT_EQ(work_of("window-32GiB").poseidon, (Hashes{{2, 2349}, {8, 234'900}}));
  EXPECT_EQ(work_of("window-32GiB").compressions, 0U);
  EXPECT_EQ(work_of("winning-2KiB").poseidon.at(8), 66U * 2);
  EXPECT_EQ(work_of("update-32GiB").poseidon.at(8), 86U * 2 * 10);
  EXPECT_EQ(work_of("update-32GiB").compressions, 2U * (127 + 4 + 86 * (30 - 4 - 7)));
}

TEST(WitnessWork, ExplainsTheVariablesOfACircuit) {
  // 26,087 bits a compression of a label, 22,667 in a data hash, whose padding is constant.
  for (const char* const name : {"porep-2KiB", "porep-32GiB", "update-2KiB", "update-32GiB"}) {
    const auto counts = filecoin::circuit_counts(*filecoin::find_circuit(name));
    ASSERT_TRUE(counts) << name;
    const auto compressions = static_cast<double>(work_of(name).compressions);
    EXPECT_GT(static_cast<double>(counts->aux) / compressions, 22'000) << name;
    EXPECT_LT(static_cast<double>(counts->aux) / compressions, 27'000) << name;
  }
}

TEST(WitnessWork, FloorCountsEveryPart) {
  const bench::FloorModel floor(Isa::kPortable, 1);
  const r1cs::WitnessLayout layout{{}, {.bits = 6400, .fields = 100}, 10};
  constexpr double kRate = 1e9;
  const auto seconds = [&](const bench::WitnessWork& work) {
    return bench::witness_seconds(floor, work, layout, kRate);
  };
  const double written = (1000 * 8 + 1000 * 32) / kRate + 2000 * floor.cycle_seconds();
  EXPECT_NEAR(seconds({}), written, written * 1e-9);
  EXPECT_NEAR(seconds({{}, 1000}) - written, 540'000 * floor.cycle_seconds(), written * 1e-6);
  EXPECT_NEAR(seconds({{{8, 1000}}, 0}) - written, 1000 * floor.poseidon_seconds(8),
              floor.poseidon_seconds(8));
  EXPECT_NEAR(bench::checks_seconds(floor, {{}, 1000}), 128'000 * floor.cycle_seconds(), 1e-9);
}

}  // namespace
}  // namespace belfry::cli
