#include "belfry/msm/bucket_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "belfry/msm/msm.h"
#include "belfry/msm/window.h"
#include "support/kernel_isas.h"
#include "support/random_points.h"
#include "support/vectors.h"

namespace belfry::msm {
namespace {

/// Many points drawn from few, so that the sum is a short one: each of the few times the sum of its
/// scalars. Equal and opposite points meet in buckets all the time.
template <class C>
class BucketStreams : public testing::Test {
 protected:
  using Affine = typename C::Affine;

  BucketStreams() : few_(test::random_points<C>(13, 1)) {
    few_.push_back(Affine::infinity());
    few_.push_back(-few_[0]);
    few_.push_back(-few_[1]);
  }
  void draw(std::size_t n, const std::vector<Fr>& scalars) {
    std::mt19937_64 rng(n);
    points_.clear();
    sums_.assign(few_.size(), Fr::zero());
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t which = rng() % few_.size();
      points_.push_back(few_[which]);
      sums_[which] += scalars[i];
    }
  }
  void expect_sum(const std::vector<Fr>& scalars, unsigned threads, const Options& options) {
    draw(scalars.size(), scalars);
    const auto want = multiply_reference<C>(SpanSource<C>(few_), sums_).value();
    const Executor executor(threads);
    const auto got = multiply<C>(SpanSource<C>(points_), scalars, executor, options);
    ASSERT_TRUE(got.has_value());
    EXPECT_EQ(*got, want) << to_string(options.isa) << " n " << scalars.size() << " threads "
                          << threads << " window " << options.window_bits;
  }

  std::vector<Affine> few_;
  std::vector<Affine> points_;
  std::vector<Fr> sums_;
};

using Curves = testing::Types<curve::G1, curve::G2>;
TYPED_TEST_SUITE(BucketStreams, Curves);

constexpr unsigned kStreamedWindow = 14;

TYPED_TEST(BucketStreams, UniformScalarsFillBatchesWithoutConflicts) {
  static_assert((1U << (kStreamedWindow - 1)) >= BucketStream<TypeParam>::kLeastBuckets);
  // One full batch has 1024 additions here; about half of the first 8192 points open a bucket.
  for (const Isa isa : test::kernel_isas()) {
    for (const std::size_t n : {1U, 2U, 300U, 9001U}) {
      this->expect_sum(test::random_frs(n, 2), 1, {isa, kStreamedWindow});
    }
  }
}

/// More points wait for a bucket than may wait, so the rest goes through trees.
TYPED_TEST(BucketStreams, FewDistinctDigitsAreLeftOver) {
  for (const Isa isa : test::kernel_isas()) {
    const auto random = test::random_frs(3000, 3);
    for (const std::size_t distinct : {1U, 2U, 40U}) {
      auto scalars = random;
      for (std::size_t i = 0; i < scalars.size(); ++i) scalars[i] = random[i % distinct];
      this->expect_sum(scalars, 2, {isa, kStreamedWindow});
    }
  }
}

TYPED_TEST(BucketStreams, BitsAmongFullScalars) {
  auto scalars = test::random_frs(4000, 4);
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    if (i % 8 != 0) scalars[i] = Fr::from_u64(i % 3 == 0 ? 1 : 0);
    if (i % 64 == 3) scalars[i] = -Fr::one();
  }
  this->expect_sum(scalars, 2, {best_isa(), kStreamedWindow});
}

/// Bucket sums of one window by `parts` workers, each with its share of the buckets.
template <class C>
typename C::Jacobian window_sum(const std::vector<typename C::Affine>& points,
                                const PreparedScalars& prepared, const core::DigitPlan& plan,
                                std::size_t parts) {
  const auto& kernels = point_kernels<C>(best_isa());
  const SpanSource<C> source(points);
  StoredPoints<C> stored(kernels, points.size());
  EXPECT_TRUE(stored.fill(fetch_all(kernels, source), 0, points.size(), Executor(1)).has_value());
  Workspace<C> workspace(kernels);
  std::vector<AlignedBytes> spare;
  SortedEntries sorted;
  sorted.left.resize(parts);
  Window<C> window(kernels, plan, 1);
  window.open(spare);
  for (std::size_t part = 0; part < parts; ++part) {
    window.stream(prepared, stored, {part, parts}, workspace, sorted.left[part]);
  }
  window.sort(prepared, sorted);
  for (std::size_t i = 0; i < sorted.blocks(); ++i) {
    window.sum_block(i, sorted, stored, workspace);
  }
  window.merge(workspace);
  return window.finish(workspace);
}

/// With more threads than windows.
TYPED_TEST(BucketStreams, WorkersShareTheBucketsOfAWindow) {
  constexpr std::size_t kCount = 6000;
  const auto plan = core::DigitPlan::of(16);
  const auto scalars = test::random_frs(kCount, 5);
  this->draw(kCount, scalars);
  std::vector<std::uint64_t> limbs(Fr::kLimbs * kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    const core::Scalar prepared = core::prepare_scalar(scalars[i], plan);
    for (std::size_t k = 0; k < Fr::kLimbs; ++k) limbs[k * kCount + i] = prepared[k];
  }
  const PreparedScalars prepared{limbs.data(), kCount, kCount};
  const auto whole = window_sum<TypeParam>(this->points_, prepared, plan, 1);
  // 32768 buckets in 3 parts are streamed, in 9 parts they are left over.
  for (const std::size_t parts : {3U, 9U}) {
    EXPECT_EQ(window_sum<TypeParam>(this->points_, prepared, plan, parts), whole) << parts;
  }
}

TEST(BucketStreamChunks, BucketsLiveOnFromChunkToChunk) {
  // Two threads take 2^17 points at a time.
  class Chunks : public BucketStreams<curve::G1> {
   public:
    void TestBody() override {}
    using BucketStreams<curve::G1>::expect_sum;
  };
  constexpr std::size_t kCount = (std::size_t{1} << 17) + 5;
  Chunks chunks;
  chunks.expect_sum(test::random_frs(kCount, 6), 2, {});
}

}  // namespace
}  // namespace belfry::msm
