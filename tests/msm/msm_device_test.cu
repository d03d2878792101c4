#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "belfry/base/executor.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/device.h"
#include "belfry/gpu/memory.h"
#include "belfry/gpu/stream.h"
#include "belfry/msm/msm.h"
#include "belfry/msm/msm_gpu.h"
#include "belfry/msm/selected_sums_gpu.h"
#include "msm/adversary.h"

namespace belfry::msm {
namespace {

using test::Inputs;

template <class Curve>
class MsmOnDevice : public testing::Test {
 protected:
  using Affine = typename Curve::Affine;
  using Jacobian = typename Curve::Jacobian;

  void SetUp() override {
    device_ = *gpu::open_device(0);
    memory_ = std::make_unique<gpu::DeviceMemory>(
        std::move(*gpu::DeviceMemory::allocate(std::uint64_t{6} << 30)));
  }

  Jacobian on_device(const test::Problem<Curve>& problem, const DeviceMsmOptions& options) {
    gpu::Arena arena(memory_->data(), memory_->size_bytes());
    const auto points =
        *arena.template take<Affine>(problem.points.size() * options.copies, "points");
    const auto scalars = *arena.template take<Fr>(problem.scalars.size(), "scalars");
    const std::uint64_t before = arena.used_bytes();
    const auto plan = plan_device_msm<Curve>(problem.points.size(), device_,
                                             memory_->size_bytes() - before, options);
    EXPECT_TRUE(plan) << plan.error().describe();
    auto msm = DeviceMsm<Curve>::create(*plan, arena);
    EXPECT_EQ(arena.used_bytes() - before, plan->workspace_bytes);
    gpu::upload_async<Affine>(problem.points, points.subspan(0, problem.points.size()), stream_);
    gpu::upload_async<Fr>(problem.scalars, scalars, stream_);
    msm->precompute_copies_async(points, stream_);
    msm->multiply_async(points, scalars, stream_);
    stream_.synchronize();
    const Jacobian first = msm->result();
    msm->multiply_async(points, scalars, stream_);  // an object is used again
    stream_.synchronize();
    EXPECT_EQ(msm->result(), first);
    return first;
  }
  void check(std::size_t n, Inputs inputs, const DeviceMsmOptions& options = {}) {
    const auto problem = test::problem<Curve>(n, inputs, n + 1);
    const Executor executor;
    const auto expected = multiply<Curve>(
        SpanSource<Curve>(std::span<const Affine>(problem.points)), problem.scalars, executor);
    ASSERT_TRUE(expected);
    EXPECT_EQ(on_device(problem, options), *expected)
        << n << " points, kind " << static_cast<int>(inputs);
  }

  gpu::DeviceInfo device_;
  std::unique_ptr<gpu::DeviceMemory> memory_;
  gpu::Stream stream_;
};
using Curves = testing::Types<curve::G1, curve::G2>;
TYPED_TEST_SUITE(MsmOnDevice, Curves);

// Small enough for compute-sanitizer --tool racecheck.
TYPED_TEST(MsmOnDevice, AgreesForAFewPoints) {
  for (const std::size_t n : {0U, 1U, 3U, 33U}) this->check(n, Inputs::kMixed, {6});
}

TYPED_TEST(MsmOnDevice, AgreesForAllLengths) {
  for (const std::size_t n : {2U, 255U, 256U, 257U, 4096U, 4097U, 10000U}) {
    this->check(n, Inputs::kMixed);
  }
  this->check(std::size_t{1} << 16, Inputs::kRandom);
}

TYPED_TEST(MsmOnDevice, AgreesForAllKindsOfInputs) {
  for (const Inputs inputs :
       {Inputs::kRandom, Inputs::kMixed, Inputs::kOneBucket, Inputs::kInfinite, Inputs::kZero}) {
    this->check(1000, inputs);
    this->check((std::size_t{1} << 15) - 5, inputs);
  }
}

TYPED_TEST(MsmOnDevice, AgreesForWindowsCopiesAndPasses) {
  for (const unsigned bits : {4u, 6u, 11u, 13u, 18u}) this->check(3000, Inputs::kMixed, {bits});
  this->check(3000, Inputs::kMixed, {10, 1, 7});   // 26 sets in four passes
  this->check(3000, Inputs::kMixed, {12, 4, 0});   // 22 windows in six sets
  this->check(3000, Inputs::kMixed, {12, 22, 1});  // one set
}

TYPED_TEST(MsmOnDevice, SumsSelectedPointsForAllMasks) {
  using Affine = typename TypeParam::Affine;
  const Executor executor;
  for (const std::size_t n : {0U, 1U, 63U, 64U, 65U, 5000U, 70000U}) {
    for (const unsigned masks : {1u, 3u, core::kMaxMasks}) {
      const auto problem = test::problem<TypeParam>(n, Inputs::kMixed, n + 1);
      const std::size_t stride = (n + 63) / 64;
      std::mt19937_64 rng(n);
      std::vector<std::uint64_t> words(masks * stride);
      for (auto& word : words) word = rng();
      gpu::Arena arena(this->memory_->data(), this->memory_->size_bytes());
      const auto points = *arena.take<Affine>(n, "points");
      const auto on_device = *arena.take<std::uint64_t>(words.size(), "masks");
      auto sums = DeviceSelectedSums<TypeParam>::create(n, masks, this->device_, arena);
      ASSERT_TRUE(sums) << sums.error().describe();
      gpu::upload_async<Affine>(problem.points, points, this->stream_);
      gpu::upload_async<std::uint64_t>(words, on_device, this->stream_);
      sums->sum_async(points, on_device, this->stream_);
      this->stream_.synchronize();
      const auto results = sums->result();
      for (unsigned m = 0; m < masks; ++m) {
        const auto expected = sum_selected<TypeParam>(
            SpanSource<TypeParam>(std::span<const Affine>(problem.points)),
            std::span<const std::uint64_t>(words).subspan(m * stride, stride), executor);
        ASSERT_TRUE(expected);
        EXPECT_EQ(results[m], *expected) << n << " points, mask " << m << " of " << masks;
      }
    }
  }
  gpu::Arena none = gpu::Arena::unlimited();
  EXPECT_FALSE(DeviceSelectedSums<TypeParam>::take(10, 0, this->device_, none));
  EXPECT_FALSE(DeviceSelectedSums<TypeParam>::take(10, 11, this->device_, none));
}

TYPED_TEST(MsmOnDevice, PlansWithinABudgetOrSaysWhatIsMissing) {
  const std::uint64_t n = std::uint64_t{1} << 20;
  const auto generous = plan_device_msm<TypeParam>(n, this->device_, std::uint64_t{1} << 40);
  ASSERT_TRUE(generous);
  const auto tight = plan_device_msm<TypeParam>(n, this->device_, generous->workspace_bytes - 1);
  ASSERT_TRUE(tight) << tight.error().describe();
  EXPECT_LT(tight->sets_per_pass, generous->sets_per_pass);
  EXPECT_LT(tight->workspace_bytes, generous->workspace_bytes);
  const auto none = plan_device_msm<TypeParam>(n, this->device_, std::uint64_t{1} << 20);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kResourceExhausted);
}

TYPED_TEST(MsmOnDevice, RefusesWhatItCanNotDo) {
  const std::uint64_t budget = std::uint64_t{1} << 40;
  for (const DeviceMsmOptions& options :
       {DeviceMsmOptions{3}, DeviceMsmOptions{25}, DeviceMsmOptions{15}, DeviceMsmOptions{20, 0},
        DeviceMsmOptions{20, 14}}) {
    const auto plan = plan_device_msm<TypeParam>(1000, this->device_, budget, options);
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().code, ErrorCode::kInvalidInput);
  }
  EXPECT_FALSE(plan_device_msm<TypeParam>(std::uint64_t{1} << 31, this->device_, budget));
}

}  // namespace
}  // namespace belfry::msm
