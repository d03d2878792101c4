// The device prover under all ways to lie in memory, and derived parameters that a device makes.
#include <gtest/gtest.h>

#include <limits>

#include "belfry/gpu/memory.h"
#include "belfry/groth16/derived/derive.h"
#include "belfry/groth16/prove/cuda_backend.h"
#include "belfry/groth16/prove/device_prover_gpu.h"
#include "belfry/groth16/prove/residency.h"
#include "groth16/derived_on_host.h"
#include "groth16/streamed_circuit.h"
#include "groth16/support.h"

namespace belfry::groth16 {
namespace {

using test::expect_sums;
using test::StreamedCircuit;

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kVram = std::uint64_t{16} << 30;

class DeviceProving : public testing::Test {
 protected:
  void SetUp() override {
    device_ = test::value_of(gpu::open_device(0));
    memory_ =
        std::make_unique<gpu::DeviceMemory>(test::value_of(gpu::DeviceMemory::allocate(kVram)));
  }

  /// Plans, loads and proves twice; what was planned is what was used.
  std::vector<PartialSums> prove(const StreamedCircuit& circuit, QuotientBasis basis,
                                 const HostPoints& points, const DeviceProverOptions& options) {
    const auto shape = test::value_of(PreparedShape::create(circuit.shape(), basis));
    auto planned = gpu::Arena::for_plan(memory_->size_bytes());
    const auto plan =
        test::value_of(DeviceProver::take(shape, options, device_, planned, std::nullopt));
    gpu::Arena arena(memory_->data(), memory_->size_bytes());
    gpu::StagedUpload upload(circuit.executor());
    auto prover =
        test::value_of(DeviceProver::take(shape, options, device_, arena, gpu::StreamRef(stream_)));
    EXPECT_EQ(arena.peak_bytes(), planned.peak_bytes());
    Plan stages{.partitions = 1, .stages = plan.stages()};
    EXPECT_EQ(stages.device_bytes(), planned.peak_bytes());
    const PointSupply supply{points, upload};
    EXPECT_TRUE(prover.load(supply, {circuit.executor()}, stream_));
    (void)test::value_of(prover.prove(circuit.witnesses(), supply, {}, stream_));
    return test::value_of(prover.prove(circuit.witnesses(), supply, {}, stream_));
  }

  gpu::DeviceInfo device_;
  std::unique_ptr<gpu::DeviceMemory> memory_;
  gpu::Stream stream_;
};

/// Everything small: tiles of 2^7 points and more, the last one shorter.
std::vector<DeviceProverOptions> small_choices(QuotientBasis basis, unsigned masks) {
  std::vector<DeviceProverOptions> out;
  for (const Residency residency : {Residency::kAll, Residency::kH, Residency::kNone}) {
    for (const QuotientRoom room :
         {QuotientRoom::kRoomy, QuotientRoom::kCompact, QuotientRoom::kSpilled}) {
      if (basis == QuotientBasis::kCoefficients && room != QuotientRoom::kRoomy) continue;
      for (const unsigned tile_log : {7U, 9U, 20U}) {
        out.push_back({.masks = masks, .residency = residency, .room = room, .tile_log = tile_log});
      }
    }
  }
  return out;
}

/// The last two are mostly elements: their tails are streamed with the tiles.
TEST_F(DeviceProving, AnyResidencyAndTileGivesTheSums) {
  for (const auto& [blocks, bits, partitions, masks] :
       {std::array{7U, 300U, 3U, 2U}, std::array{0U, 700U, 1U, 1U}, std::array{3U, 513U, 10U, 10U},
        std::array{2U, 129U, 11U, 10U}, std::array{330U, 1U, 1U, 1U},
        std::array{200U, 1U, 5U, 3U}}) {
    const StreamedCircuit circuit(blocks, bits, partitions);
    (void)test::value_of(derive_parameters(circuit.parameters(), circuit.shape(),
                                           circuit.path("blocks.derived"),
                                           {.vram_budget_bytes = kVram}, {circuit.executor()}));
    const auto derived = test::value_of(DerivedParameters::open(circuit.path("blocks.derived")));
    ASSERT_TRUE(derived.check_contents({circuit.executor()}));
    for (const auto basis : {QuotientBasis::kCoefficients, QuotientBasis::kDomain}) {
      const HostPoints points =
          basis == QuotientBasis::kDomain ? derived.points() : HostPoints::of(circuit.parameters());
      for (const DeviceProverOptions& options : small_choices(basis, masks)) {
        SCOPED_TRACE(std::string(to_string(options.residency)) + ", tile 2^" +
                     std::to_string(options.tile_log) + ", room " +
                     std::to_string(static_cast<int>(options.room)));
        const auto sums = prove(circuit, basis, points, options);
        ASSERT_EQ(sums.size(), circuit.witnesses().size());
        for (std::size_t k = 0; k < sums.size(); ++k) {
          expect_sums(sums[k], circuit.expected(k), basis);
        }
      }
    }
  }
}

TEST_F(DeviceProving, ADeviceDerivesWhatTheHostDoes) {
  memory_.reset();
  for (const unsigned blocks : {0U, 3U}) {
    const StreamedCircuit circuit(blocks, 70, 1);
    const auto made = circuit.path("made.derived");
    const auto report =
        test::value_of(derive_parameters(circuit.parameters(), circuit.shape(), made,
                                         {.vram_budget_bytes = kVram}, {circuit.executor()}));
    EXPECT_EQ(report.file, made);
    EXPECT_FALSE(report.device.empty());
    const auto expected = circuit.path("expected.derived");
    test::write_derived(expected, DerivedIdentity::of(circuit.parameters(), circuit.shape()),
                        circuit.shape(),
                        test::HostDeriver(circuit.parameters(), circuit.shape()).make());
    EXPECT_EQ(test::read_bytes(made), test::read_bytes(expected));
  }
}

TEST_F(DeviceProving, ABadPointEndsADerivationWithoutAFile) {
  memory_.reset();
  const StreamedCircuit circuit(2, 70, 1);
  for (std::size_t i = 0; i < kSections; ++i) {
    const SectionLayout& layout = circuit.parameters().layout(static_cast<Section>(i));
    auto bytes = test::read_bytes(circuit.path("blocks.params"));
    bytes[layout.points_offset() + (layout.count / 2) * layout.point_bytes + 50] ^= 4;
    test::write_bytes(circuit.path("bad.params"), bytes);
    const auto bad = test::value_of(Parameters::open(circuit.path("bad.params")));
    const auto outcome = derive_parameters(bad, circuit.shape(), circuit.path("bad.derived"),
                                           {.vram_budget_bytes = kVram}, {circuit.executor()});
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(outcome.error().file, circuit.path("bad.params").string());
    EXPECT_FALSE(std::filesystem::exists(circuit.path("bad.derived")));
  }
}

TEST_F(DeviceProving, DerivingWithoutRoomIsRefusedWithBothNumbers) {
  memory_.reset();
  const StreamedCircuit circuit(2, 70, 1);
  const auto outcome =
      derive_parameters(circuit.parameters(), circuit.shape(), circuit.path("none.derived"),
                        {.vram_budget_bytes = 1 << 20}, {circuit.executor()});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kResourceExhausted);
  EXPECT_GT(std::stoull(outcome.error().expected), std::stoull(outcome.error().found));
}

/// A damaged file is not used, and the proof is the same.
TEST_F(DeviceProving, TheBackendTakesDerivedParametersIfTheyAreWhole) {
  memory_.reset();
  const StreamedCircuit circuit(3, 200, 2);
  const auto backend = test::value_of(make_cuda_backend(
      {.vram_budget_bytes = kVram, .cache_dir = circuit.path("cache")}, circuit.executor()));
  const auto sums_now = [&] {
    return test::value_of(
        start(*backend, {circuit.parameters(), circuit.shape(), circuit.witnesses()}, kNoLimit));
  };
  expect_sums(sums_now().sums()[1], circuit.expected(1), QuotientBasis::kCoefficients);
  const auto path = circuit.path("blocks.derived");
  (void)test::value_of(derive_parameters(circuit.parameters(), circuit.shape(), path,
                                         {.vram_budget_bytes = kVram}, {circuit.executor()}));
  const auto other =
      test::value_of(make_cuda_backend({.vram_budget_bytes = kVram}, circuit.executor()));
  const auto derived = test::value_of(
      start(*other, {circuit.parameters(), circuit.shape(), circuit.witnesses()}, kNoLimit));
  expect_sums(derived.sums()[1], circuit.expected(1), QuotientBasis::kDomain);
  EXPECT_FALSE(derived.sums()[1].h == circuit.expected(1).h);
  auto bytes = test::read_bytes(path);
  bytes[9000] ^= 1;
  test::write_bytes(path, bytes);
  const auto third =
      test::value_of(make_cuda_backend({.vram_budget_bytes = kVram}, circuit.executor()));
  const auto fallen = test::value_of(
      start(*third, {circuit.parameters(), circuit.shape(), circuit.witnesses()}, kNoLimit));
  expect_sums(fallen.sums()[1], circuit.expected(1), QuotientBasis::kCoefficients);
}

}  // namespace
}  // namespace belfry::groth16
