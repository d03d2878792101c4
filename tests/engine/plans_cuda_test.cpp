// What the CUDA backend would take for the large circuits under the budgets of common cards: it
// chooses something that fits, or refuses with needed and free bytes. Nothing is proved.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "belfry/engine/shape_cache.h"
#include "belfry/filecoin/circuits.h"
#include "belfry/groth16/prove/cuda_backend.h"
#include "groth16/support.h"

namespace belfry::engine {
namespace {

using groth16::test::value_of;

struct Case {
  const char* circuit;
  std::size_t partitions;
  std::uint64_t least_gigabytes;  ///< that must suffice
};

class PlansOnDevice : public testing::TestWithParam<Case> {
 protected:
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

  /// Device bytes of a plan; an error where it is refused.
  [[nodiscard]] Result<std::uint64_t> plan(const r1cs::Shape& shape, std::uint64_t budget) const {
    BELFRY_TRY(const auto backend,
               groth16::make_cuda_backend({.vram_budget_bytes = budget}, executor_));
    BELFRY_TRY(const groth16::Plan plan, backend->plan(shape, GetParam().partitions, kNoLimit));
    return plan.device_bytes();
  }

  Executor executor_{8};
  belfry::test::TempDir dir_;
};

TEST_P(PlansOnDevice, FitTheCardOrAreRefusedWithBothNumbers) {
  const JobOptions options{.params_dir = {}, .cache_dir = dir_.path(), .executor = executor_};
  const auto circuit = value_of(filecoin::find_circuit(GetParam().circuit));
  const auto shape = value_of(extract_shape(circuit, options));
  for (const std::uint64_t gigabytes : {12U, 16U, 24U, 48U, 80U, 141U}) {
    const std::uint64_t budget = gigabytes * 1'000'000'000;
    const auto planned = plan(shape, budget);
    if (planned) {
      std::cout << GetParam().circuit << ", " << gigabytes << " GB: " << *planned << " bytes\n";
      EXPECT_LE(*planned, budget);
      continue;
    }
    std::cout << GetParam().circuit << ", " << gigabytes << " GB: " << planned.error().describe()
              << "\n";
    EXPECT_LT(gigabytes, GetParam().least_gigabytes);
    ASSERT_EQ(planned.error().code, ErrorCode::kResourceExhausted);
    EXPECT_EQ(planned.error().found, std::to_string(budget) + " bytes");
    EXPECT_GT(std::stoull(planned.error().expected), budget);
    // What it says is needed suffices.
    EXPECT_TRUE(plan(shape, std::stoull(planned.error().expected)));
  }
}

INSTANTIATE_TEST_SUITE_P(Circuits, PlansOnDevice,
                         testing::Values(Case{"porep-32GiB", 10, 16}, Case{"window-32GiB", 1, 24},
                                         Case{"update-32GiB", 16, 24}, Case{"winning-32GiB", 1, 12},
                                         Case{"porep-2KiB", 1, 12}),
                         [](const auto& info) {
                           std::string name = info.param.circuit;
                           name[name.find('-')] = '_';
                           return name;
                         });

}  // namespace
}  // namespace belfry::engine
