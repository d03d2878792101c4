// The device prover in tiles: asked to stop, with two lanes, with plain witnesses, and watched.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "belfry/gpu/memory.h"
#include "belfry/groth16/derived/derive.h"
#include "belfry/groth16/derived/derived_file.h"
#include "belfry/groth16/prove/device_prover_gpu.h"
#include "groth16/streamed_circuit.h"
#include "groth16/support.h"
#include "support/cuda_calls.h"

namespace belfry::groth16 {
namespace {

using belfry::test::CudaWatch;
using test::expect_sums;
using test::StreamedCircuit;

constexpr std::uint64_t kVram = std::uint64_t{8} << 30;

/// A prover of a circuit with memory of its own.
class OpenProver {
 public:
  OpenProver(const StreamedCircuit& circuit, QuotientBasis basis, const HostPoints& points,
             const DeviceProverOptions& options)
      : circuit_(circuit),
        basis_(basis),
        device_(test::value_of(gpu::open_device(0))),
        memory_(test::value_of(gpu::DeviceMemory::allocate(kVram))),
        upload_(circuit.executor()),
        lane_upload_(circuit.executor()),
        supply_{points, upload_} {
    gpu::Arena arena(memory_.data(), memory_.size_bytes());
    prover_ = std::make_unique<DeviceProver>(test::value_of(
        DeviceProver::take(test::value_of(PreparedShape::create(circuit.shape(), basis)), options,
                           device_, arena, gpu::StreamRef(stream_))));
  }
  [[nodiscard]] DeviceProver& prover() { return *prover_; }
  [[nodiscard]] Result<void> load(const CancelToken& cancel = {}) {
    return prover_->load(supply_, {circuit_.executor(), nullptr, cancel}, stream_);
  }
  [[nodiscard]] Result<std::vector<PartialSums>> prove(const CancelToken& cancel = {}) {
    return prover_->prove(circuit_.witnesses(), supply_, cancel, stream_);
  }
  [[nodiscard]] Result<void> upload(unsigned lane, std::size_t first, std::size_t count) {
    return prover_->upload(lane, std::span(circuit_.witnesses()).subspan(first, count),
                           lane_upload_);
  }
  [[nodiscard]] Result<std::vector<PartialSums>> prove_lane(unsigned lane) {
    return prover_->prove_lane(lane, supply_, {}, stream_);
  }
  /// Cancels, and keeps the stream of points and sums busy for longer than the host takes to leave.
  void cancel_and_hold(CancelSource& source) const {
    source.cancel();
    const auto sleep = [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(50)); };
    EXPECT_EQ(cudaLaunchHostFunc(gpu::StreamRef(stream_).handle(), sleep, nullptr), cudaSuccess);
  }
  /// Whether nothing is under way on that stream.
  [[nodiscard]] bool idle() const {
    return cudaStreamQuery(gpu::StreamRef(stream_).handle()) == cudaSuccess;
  }
  /// The sums of the circuit's witnesses from `first` on.
  void expect_right(const Result<std::vector<PartialSums>>& sums, std::size_t first,
                    std::size_t count) const {
    ASSERT_TRUE(sums) << sums.error().describe();
    ASSERT_EQ(sums->size(), count);
    for (std::size_t k = 0; k < count; ++k) {
      expect_sums((*sums)[k], circuit_.expected(first + k), basis_);
    }
  }
  void expect_right(const Result<std::vector<PartialSums>>& sums) const {
    expect_right(sums, 0, circuit_.witnesses().size());
  }

 private:
  const StreamedCircuit& circuit_;
  QuotientBasis basis_;
  gpu::DeviceInfo device_;
  gpu::DeviceMemory memory_;
  gpu::Stream stream_;
  gpu::StagedUpload upload_;
  gpu::StagedUpload lane_upload_;
  PointSupply supply_;
  std::unique_ptr<DeviceProver> prover_;
};

DerivedParameters derive(const StreamedCircuit& circuit) {
  const auto path = circuit.path("blocks.derived");
  (void)test::value_of(derive_parameters(circuit.parameters(), circuit.shape(), path,
                                         {.vram_budget_bytes = kVram}, {circuit.executor()}));
  return test::value_of(DerivedParameters::open(path));
}

/// A quotient, and where its points come from.
struct QuotientCase {
  QuotientBasis basis;
  QuotientRoom room;
  HostPoints points;
};

/// Cancelled at that call, a prover stops early, leaves nothing under way and proves afterwards.
void expect_stop(OpenProver& open, CudaWatch& watch, std::uint64_t at, std::uint64_t calls) {
  CancelSource source;
  watch.at_call(at, [&] { open.cancel_and_hold(source); });
  const auto stopped = open.prove(source.token());
  EXPECT_TRUE(open.idle());
  ASSERT_FALSE(stopped) << "call " << at << " of " << calls;
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
  EXPECT_LT(watch.calls(), calls);
  open.expect_right(open.prove());
}

/// Some thirty tiles of H for one witness, after which nothing else would ask.
TEST(StreamedProver, StopsBetweenTilesAndProvesAfterwards) {
  const StreamedCircuit circuit(7, 300, 1);
  const auto derived = derive(circuit);
  for (const QuotientCase& quotient :
       {QuotientCase{QuotientBasis::kCoefficients, QuotientRoom::kRoomy,
                     HostPoints::of(circuit.parameters())},
        QuotientCase{QuotientBasis::kDomain, QuotientRoom::kSpilled, derived.points()}}) {
    for (const Residency residency : {Residency::kAll, Residency::kH, Residency::kNone}) {
      SCOPED_TRACE(std::string(to_string(residency)) + ", room " +
                   std::to_string(static_cast<int>(quotient.room)));
      OpenProver open(circuit, quotient.basis, quotient.points,
                      {.residency = residency, .room = quotient.room, .tile_log = 7});
      ASSERT_TRUE(open.load());
      open.expect_right(open.prove());
      CudaWatch watch;
      open.expect_right(open.prove());
      const std::uint64_t calls = watch.calls();
      for (const std::uint64_t at : {calls / 2, calls / 4 * 3, calls / 10 * 9}) {
        expect_stop(open, watch, at, calls);
      }
    }
  }
}

/// After the first piece is on its way, and before the last is asked for.
TEST(StreamedProver, StopsWhileItLoads) {
  const StreamedCircuit circuit(3, 200, 1);
  for (const Residency residency : {Residency::kAll, Residency::kH, Residency::kNone}) {
    SCOPED_TRACE(to_string(residency));
    const auto make = [&] {
      return std::make_unique<OpenProver>(
          circuit, QuotientBasis::kCoefficients, HostPoints::of(circuit.parameters()),
          DeviceProverOptions{.residency = residency, .tile_log = 7});
    };
    CudaWatch watch;
    const std::uint64_t calls = [&] {
      const auto whole = make();
      watch.at_call(0, [] {});  // counts from here
      EXPECT_TRUE(whole->load());
      return watch.calls();
    }();
    for (const std::uint64_t at : {calls / 4, calls / 3}) {
      const auto open = make();
      CancelSource source;
      watch.at_call(at, [&] { open->cancel_and_hold(source); });
      const auto stopped = open->load(source.token());
      EXPECT_TRUE(open->idle());
      ASSERT_FALSE(stopped) << "call " << at << " of " << calls;
      EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
      EXPECT_GT(watch.calls(), at);
      EXPECT_LT(watch.calls(), calls);
      ASSERT_TRUE(open->load());
      open->expect_right(open->prove());
    }
  }
}

/// More points of elements than are gathered at once, encoded and decoded; the plan counts a piece.
TEST(StreamedProver, GathersPointsOfElementsInPieces) {
  const StreamedCircuit circuit(5000, 5, 1);
  const auto derived = derive(circuit);
  for (const auto basis : {QuotientBasis::kCoefficients, QuotientBasis::kDomain}) {
    const auto shape = test::value_of(PreparedShape::create(circuit.shape(), basis));
    ASSERT_GT(shape->tail(Query::kL).points.size(), DeviceProver::kGatheredAtOnce);
    const HostPoints points =
        basis == QuotientBasis::kDomain ? derived.points() : HostPoints::of(circuit.parameters());
    OpenProver part(circuit, basis, points, {.residency = Residency::kH, .tile_log = 14});
    ASSERT_TRUE(part.load());
    part.expect_right(part.prove());
    OpenProver whole(circuit, basis, points, {.residency = Residency::kAll});
    EXPECT_EQ(
        part.prover().host_bytes(),
        whole.prover().host_bytes() + DeviceProver::kGatheredAtOnce * sizeof(curve::G2Affine));
  }
}

/// Every bit and every element alike: all points of a query, or none, in one sum.
TEST(StreamedProver, ProvesWitnessesOfZerosAndOfOnes) {
  // The second is mostly elements.
  for (const auto& [blocks, bits] : {std::array{3U, 200U}, std::array{200U, 1U}}) {
    StreamedCircuit circuit(blocks, bits, 2);
    auto witnesses = circuit.witnesses();
    const auto fill = [](auto slice, bool one) {
      for (Fr& field : slice.fields) field = one ? Fr::one() : Fr::zero();
      for (std::uint64_t i = 0; i < slice.bit_count; ++i) {
        const std::uint64_t bit = std::uint64_t{1} << (i % 64);
        slice.bits[i / 64] = one ? slice.bits[i / 64] | bit : slice.bits[i / 64] & ~bit;
      }
    };
    for (const bool one : {false, true}) {
      r1cs::PackedWitness& witness = witnesses[one ? 1 : 0];
      fill(witness.header_slice(), one);
      for (std::uint64_t k = 0; k < blocks; ++k) fill(witness.block_slice(k), one);
    }
    circuit.replace(std::move(witnesses));
    for (const Residency residency : {Residency::kAll, Residency::kH, Residency::kNone}) {
      SCOPED_TRACE(to_string(residency));
      OpenProver open(circuit, QuotientBasis::kCoefficients, HostPoints::of(circuit.parameters()),
                      {.masks = 2, .residency = residency, .tile_log = 7});
      ASSERT_TRUE(open.load());
      open.expect_right(open.prove());
    }
  }
}

/// Tiles and the witnesses of the next pass come at the same time, on two streams.
TEST(StreamedProver, FillsALaneWhileTilesOfTheOtherCome) {
  constexpr unsigned kPasses = 4;
  constexpr std::size_t kOfAPass = 2;
  for (const unsigned blocks : {7U, 200U}) {
    const StreamedCircuit circuit(blocks, blocks == 200 ? 1 : 300, kPasses * kOfAPass);
    for (const Residency residency : {Residency::kH, Residency::kNone}) {
      SCOPED_TRACE(to_string(residency));
      OpenProver open(circuit, QuotientBasis::kCoefficients, HostPoints::of(circuit.parameters()),
                      {.masks = kOfAPass, .lanes = 2, .residency = residency, .tile_log = 7});
      ASSERT_TRUE(open.load());
      ASSERT_TRUE(open.upload(0, 0, kOfAPass));
      for (unsigned pass = 0; pass < kPasses; ++pass) {
        Result<void> filled;
        std::jthread filler;
        if (pass + 1 < kPasses) {
          filler = std::jthread(
              [&, pass] { filled = open.upload((pass + 1) % 2, (pass + 1) * kOfAPass, kOfAPass); });
        }
        const auto sums = open.prove_lane(pass % 2);
        if (filler.joinable()) filler.join();
        ASSERT_TRUE(filled);
        open.expect_right(sums, pass * kOfAPass, kOfAPass);
      }
    }
  }
}

TEST(StreamedProver, StaysOnItsStreams) {
  const StreamedCircuit circuit(7, 300, 3);
  const auto derived = derive(circuit);
  for (const Residency residency : {Residency::kAll, Residency::kH, Residency::kNone}) {
    for (const QuotientRoom room :
         {QuotientRoom::kRoomy, QuotientRoom::kCompact, QuotientRoom::kSpilled}) {
      SCOPED_TRACE(std::string(to_string(residency)) + ", room " +
                   std::to_string(static_cast<int>(room)));
      OpenProver open(circuit, QuotientBasis::kDomain, derived.points(),
                      {.masks = 2, .residency = residency, .room = room, .tile_log = 7});
      ASSERT_TRUE(open.load());
      // The clock makes its events in the first proof of a size.
      open.expect_right(open.prove());
      const CudaWatch watch;
      open.expect_right(open.prove());
      EXPECT_GT(watch.calls(), 100U);
      EXPECT_EQ(watch.beyond_streams(), std::vector<std::string>{});
    }
  }
}

}  // namespace
}  // namespace belfry::groth16
