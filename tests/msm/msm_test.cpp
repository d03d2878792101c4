#include "belfry/msm/msm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "support/kernel_isas.h"
#include "support/random_points.h"
#include "support/vectors.h"

namespace belfry::msm {
namespace {

template <class C>
class Msm : public testing::Test {
 protected:
  using Affine = typename C::Affine;
  using Jacobian = typename C::Jacobian;
  using Source = SpanSource<C>;

  static Jacobian reference(const std::vector<Affine>& points, const std::vector<Fr>& scalars) {
    return multiply_reference<C>(Source(points), scalars).value();
  }
  /// The windowed path with a few windows, and the path that `multiply` would choose.
  void expect_product(const std::vector<Affine>& points, const std::vector<Fr>& scalars) const {
    const Jacobian want = reference(points, scalars);
    for (const Isa isa : test::kernel_isas()) {
      for (const unsigned bits : {0U, 3U, 8U, 13U}) {
        const auto got = multiply<C>(Source(points), scalars, executor_, {isa, bits});
        ASSERT_TRUE(got.has_value());
        ASSERT_EQ(*got, want) << to_string(isa) << " n " << points.size() << " window " << bits;
      }
    }
  }

  Executor executor_{2};
};

using Curves = testing::Types<curve::G1, curve::G2>;
TYPED_TEST_SUITE(Msm, Curves);

/// 0, 1, 2, r - 1, r - 2 and powers of two, which carry through every digit.
std::vector<Fr> edge_scalars() {
  std::vector<Fr> out{Fr::zero(), Fr::one(), Fr::from_u64(2), -Fr::one(), -Fr::from_u64(2)};
  Fr power = Fr::one();
  for (int i = 0; i < 254; ++i) {
    power = power.doubled();
    if (i % 10 == 3) {
      out.push_back(power);
      out.push_back(power - Fr::one());
    }
  }
  return out;
}

TYPED_TEST(Msm, LengthsAroundPowersOfTwo) {
  const auto points = test::random_points<TypeParam>(129, 1);
  const auto scalars = test::random_frs(129, 2);
  for (const std::size_t n : {0, 1, 2, 31, 32, 33, 127, 129}) {
    const auto count = static_cast<std::ptrdiff_t>(n);
    this->expect_product({points.begin(), points.begin() + count},
                         {scalars.begin(), scalars.begin() + count});
  }
}

TYPED_TEST(Msm, EdgeScalars) {
  const auto scalars = edge_scalars();
  this->expect_product(test::random_points<TypeParam>(scalars.size(), 3), scalars);
}

TYPED_TEST(Msm, RepeatedOppositeAndInfinitePoints) {
  auto points = test::random_points<TypeParam>(40, 4);
  for (std::size_t i = 0; i < 10; ++i) points[i] = points[10];
  for (std::size_t i = 20; i < 30; ++i) points[i] = i % 2 == 0 ? points[20] : -points[20];
  points[35] = TypeParam::Affine::infinity();
  points[39] = TypeParam::Affine::infinity();
  auto scalars = test::random_frs(40, 5);
  for (std::size_t i = 0; i < 30; ++i) scalars[i] = scalars[i % 3];
  this->expect_product(points, scalars);
}

TYPED_TEST(Msm, EqualScalars) {
  const auto points = test::random_points<TypeParam>(50, 6);
  for (const Fr& scalar : {Fr::zero(), Fr::one(), -Fr::one(), test::random_frs(1, 7)[0]}) {
    this->expect_product(points, std::vector<Fr>(50, scalar));
  }
}

TYPED_TEST(Msm, AllPointsEqual) {
  const auto one = test::random_points<TypeParam>(1, 8)[0];
  const std::vector<typename TypeParam::Affine> points(70, one);
  this->expect_product(points, std::vector<Fr>(70, Fr::one()));
  this->expect_product(points, test::random_frs(70, 9));
}

/// Long enough for several blocks a window and for buckets over block borders. The points are
/// generator multiples with known factors, so the sum is one multiplication.
TYPED_TEST(Msm, ManyPointsAgainstTheirFactors) {
  constexpr std::size_t kCount = 70001;
  const auto step = curve::multiply<TypeParam>(TypeParam::generator(), 12345).to_affine();
  std::vector<typename TypeParam::Jacobian> chain(kCount);
  chain[0] = TypeParam::Jacobian::from_affine(TypeParam::generator());
  for (std::size_t i = 1; i < kCount; ++i) chain[i] = chain[i - 1] + step;
  std::vector<typename TypeParam::Affine> points(kCount);
  curve::batch_to_affine<TypeParam>(std::span<const typename TypeParam::Jacobian>(chain),
                                    std::span<typename TypeParam::Affine>(points));
  for (const bool equal : {false, true}) {
    auto scalars = test::random_frs(kCount, 10);
    if (equal) std::fill(scalars.begin(), scalars.end(), scalars[0]);
    Fr factor = Fr::zero();
    for (std::size_t i = 0; i < kCount; ++i) {
      factor += scalars[i] * (Fr::one() + Fr::from_u64(12345) * Fr::from_u64(i));
    }
    const auto want = curve::multiply<TypeParam>(TypeParam::generator(), factor);
    const Isa best = best_isa();
    const auto got = multiply<TypeParam>(SpanSource<TypeParam>(points), scalars, this->executor_,
                                         {best, equal ? 5U : 0U});
    ASSERT_TRUE(got.has_value());
    EXPECT_EQ(*got, want);
  }
}

TYPED_TEST(Msm, SelectedSumsAgainstScalarsOfZeroAndOne) {
  const auto points = test::random_points<TypeParam>(150, 11);
  std::mt19937_64 rng(12);
  for (const std::size_t n : {0, 1, 63, 64, 65, 150}) {
    const std::vector<typename TypeParam::Affine> some(
        points.begin(), points.begin() + static_cast<std::ptrdiff_t>(n));
    for (const int density : {0, 1, 2, 3}) {
      // Bits beyond the last point are set at random too: they must not count.
      std::vector<std::uint64_t> mask((n + 63) / 64);
      for (auto& word : mask) {
        word = density == 0   ? 0
               : density == 1 ? rng() & rng() & rng()
               : density == 2 ? rng()
                              : ~std::uint64_t{0};
      }
      std::vector<Fr> scalars(n);
      for (std::size_t i = 0; i < n; ++i) {
        scalars[i] = Fr::from_u64((mask[i / 64] >> (i % 64)) & 1);
      }
      for (const Isa isa : test::kernel_isas()) {
        const auto got =
            sum_selected<TypeParam>(SpanSource<TypeParam>(some), mask, this->executor_, {isa, 0});
        ASSERT_TRUE(got.has_value());
        EXPECT_EQ(*got, this->reference(some, scalars));
      }
    }
  }
}

TYPED_TEST(Msm, SelectedSumOverSeveralTasks) {
  constexpr std::size_t kCount = 40000;
  const auto one = test::random_points<TypeParam>(1, 13)[0];
  const std::vector<typename TypeParam::Affine> points(kCount, one);
  const std::vector<std::uint64_t> mask(kCount / 64, 0x5555555555555555ULL);
  const auto got = sum_selected<TypeParam>(SpanSource<TypeParam>(points), mask, this->executor_);
  ASSERT_TRUE(got.has_value());
  EXPECT_EQ(*got, curve::multiply<TypeParam>(one, kCount / 2));
}

TYPED_TEST(Msm, GatheredPoints) {
  const auto points = test::random_points<TypeParam>(60, 14);
  std::vector<std::uint8_t> bytes;
  for (const auto& p : points) {
    const auto encoded = curve::encode(p);
    bytes.insert(bytes.end(), encoded.begin(), encoded.end());
  }
  const EncodedSource<TypeParam> encoded(bytes, {"file", "h", 0});
  const std::vector<std::uint32_t> indices{59, 0, 3, 3, 17, 58};
  const auto scalars = test::random_frs(indices.size(), 15);
  std::vector<typename TypeParam::Affine> chosen;
  for (const auto i : indices) chosen.push_back(points[i]);
  const auto want = this->reference(chosen, scalars);
  for (const Isa isa : test::kernel_isas()) {
    for (const unsigned bits : {0U, 4U}) {
      const auto got = multiply_gathered<TypeParam>(SpanSource<TypeParam>(points), indices, scalars,
                                                    this->executor_, {isa, bits});
      ASSERT_TRUE(got.has_value());
      EXPECT_EQ(*got, want);
      const auto decoded =
          multiply_gathered<TypeParam>(encoded, indices, scalars, this->executor_, {isa, bits});
      ASSERT_TRUE(decoded.has_value());
      EXPECT_EQ(*decoded, want);
    }
  }
}

TYPED_TEST(Msm, EncodedSourceNamesTheFaultyPoint) {
  const auto points = test::random_points<TypeParam>(300, 16);
  std::vector<std::uint8_t> bytes;
  for (const auto& p : points) {
    const auto encoded = curve::encode(p);
    bytes.insert(bytes.end(), encoded.begin(), encoded.end());
  }
  const std::size_t size = bytes.size() / points.size();
  const auto scalars = test::random_frs(points.size(), 17);
  const EncodedSource<TypeParam> source(bytes, {"v28.params", "l", 1000});
  const auto good = multiply<TypeParam>(source, scalars, this->executor_);
  ASSERT_TRUE(good.has_value());
  EXPECT_EQ(*good, this->reference(points, scalars));
  bytes[123 * size + size - 1] ^= 1;
  for (const Isa isa : test::kernel_isas()) {
    const auto bad = multiply<TypeParam>(source, scalars, this->executor_, {isa, 0});
    ASSERT_FALSE(bad.has_value());
    EXPECT_EQ(bad.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(bad.error().file, "v28.params");
    EXPECT_EQ(bad.error().section, "l");
    EXPECT_EQ(bad.error().offset, 1000 + 123 * size);
    std::vector<std::uint64_t> all(5, ~std::uint64_t{0});
    EXPECT_FALSE(sum_selected<TypeParam>(source, all, this->executor_, {isa, 0}).has_value());
    all[1] = 0;  // points 64 to 127 are not read
    EXPECT_TRUE(sum_selected<TypeParam>(source, all, this->executor_, {isa, 0}).has_value());
  }
}

TYPED_TEST(Msm, RefusesLengthsThatDiffer) {
  const auto points = test::random_points<TypeParam>(3, 18);
  const SpanSource<TypeParam> source(points);
  const auto scalars = test::random_frs(2, 19);
  const auto code = [](const auto& result) {
    EXPECT_FALSE(result.has_value());
    return result.has_value() ? ErrorCode::kInternal : result.error().code;
  };
  const Executor& executor = this->executor_;
  EXPECT_EQ(code(multiply<TypeParam>(source, scalars, executor)), ErrorCode::kInvalidInput);
  EXPECT_EQ(code(multiply_reference<TypeParam>(source, scalars)), ErrorCode::kInvalidInput);
  const std::vector<std::uint64_t> two_words(2);
  EXPECT_EQ(code(sum_selected<TypeParam>(source, two_words, executor)), ErrorCode::kInvalidInput);
  EXPECT_EQ(code(sum_selected<TypeParam>(source, {}, executor)), ErrorCode::kInvalidInput);
  const std::vector<std::uint32_t> beyond{0, 3};
  EXPECT_EQ(code(multiply_gathered<TypeParam>(source, beyond, scalars, executor)),
            ErrorCode::kInvalidInput);
  const std::vector<std::uint32_t> one{0};
  EXPECT_EQ(code(multiply_gathered<TypeParam>(source, one, scalars, executor)),
            ErrorCode::kInvalidInput);
  const std::vector<Fr> three(3);
  EXPECT_EQ(code(multiply<TypeParam>(source, three, executor, {Isa::kPortable, 21})),
            ErrorCode::kInvalidUsage);
}

}  // namespace
}  // namespace belfry::msm
