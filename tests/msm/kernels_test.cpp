#include "belfry/msm/kernels.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "belfry/curve/encoding.h"
#include "belfry/msm/stored_points.h"
#include "support/kernel_isas.h"
#include "support/random_points.h"

namespace belfry::msm {
namespace {

template <class C>
class Kernels : public testing::Test {
 protected:
  using Affine = typename C::Affine;
  using Jacobian = typename C::Jacobian;

  static Affine signed_point(const Affine& p, bool negative) { return negative ? -p : p; }

  /// Sums pairs of points[i] with points[j] and compares each with the complete formulas.
  static void expect_sums(Isa isa, const std::vector<Affine>& points,
                          const std::vector<std::array<std::size_t, 4>>& pairs) {
    const auto& kernels = point_kernels<C>(isa);
    AlignedBytes stored(points.size() * kernels.stride);
    AlignedBytes sums((pairs.size() + 1) * kernels.stride);
    AlignedBytes scratch(kernels.scratch_bytes);
    kernels.store(points.data(), points.size(), stored.data());
    std::vector<PairSum> work;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const auto [i, negative_i, j, negative_j] = pairs[k];
      work.push_back({point_ref(stored.data() + i * kernels.stride, negative_i != 0),
                      point_ref(stored.data() + j * kernels.stride, negative_j != 0),
                      sums.data() + k * kernels.stride});
    }
    kernels.add(work.data(), work.size(), scratch.data());
    std::vector<Affine> got(pairs.size());
    kernels.load(sums.data(), got.size(), got.data());
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const auto [i, negative_i, j, negative_j] = pairs[k];
      const Jacobian want = Jacobian::from_affine(signed_point(points[i], negative_i != 0)) +
                            signed_point(points[j], negative_j != 0);
      ASSERT_EQ(Jacobian::from_affine(got[k]), want)
          << to_string(isa) << " pair " << k << " of " << pairs.size();
      ASSERT_EQ(got[k].is_infinity(), want.is_infinity());
    }
  }
};

using Curves = testing::Types<curve::G1, curve::G2>;
TYPED_TEST_SUITE(Kernels, Curves);

TYPED_TEST(Kernels, StoreAndLoadKeepPoints) {
  auto points = test::random_points<TypeParam>(37, 1);
  points[3] = TypeParam::Affine::infinity();
  points[36] = TypeParam::Affine::infinity();
  for (const Isa isa : test::kernel_isas()) {
    const auto& kernels = point_kernels<TypeParam>(isa);
    for (const std::size_t n : {0, 1, 7, 8, 9, 16, 37}) {
      AlignedBytes stored(points.size() * kernels.stride);
      kernels.store(points.data(), n, stored.data());
      std::vector<typename TypeParam::Affine> back(n);
      kernels.load(stored.data(), n, back.data());
      EXPECT_EQ(back, std::vector(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(n)));
    }
  }
}

TYPED_TEST(Kernels, CopyAppliesTheSign) {
  auto points = test::random_points<TypeParam>(2, 2);
  points[1] = TypeParam::Affine::infinity();
  for (const Isa isa : test::kernel_isas()) {
    const auto& kernels = point_kernels<TypeParam>(isa);
    AlignedBytes stored(2 * kernels.stride);
    AlignedBytes copy(kernels.stride);
    kernels.store(points.data(), 2, stored.data());
    for (const std::size_t i : {0, 1}) {
      for (const bool negative : {false, true}) {
        kernels.copy(point_ref(stored.data() + i * kernels.stride, negative), copy.data());
        typename TypeParam::Affine got;
        kernels.load(copy.data(), 1, &got);
        EXPECT_EQ(got, negative ? -points[i] : points[i]);
      }
    }
  }
}

TYPED_TEST(Kernels, AddsRandomPairsOfAnyNumber) {
  const auto points = test::random_points<TypeParam>(64, 3);
  for (const Isa isa : test::kernel_isas()) {
    for (const std::size_t n : {0, 1, 2, 7, 8, 9, 15, 16, 17, 100}) {
      std::vector<std::array<std::size_t, 4>> pairs;
      for (std::size_t k = 0; k < n; ++k) {
        pairs.push_back({k % 64, k % 2, (k * 7 + 1) % 64, (k / 2) % 2});
      }
      this->expect_sums(isa, points, pairs);
    }
  }
}

// Infinity, P + P, P - P, P + O, O + O with both signs, alone in a group and among others.
TYPED_TEST(Kernels, AddsEverySpecialPair) {
  auto points = test::random_points<TypeParam>(8, 4);
  points[0] = TypeParam::Affine::infinity();
  points[2] = points[1];
  points[3] = -points[1];
  std::vector<std::array<std::size_t, 4>> special;
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      for (std::size_t sign = 0; sign < 4; ++sign) special.push_back({i, sign % 2, j, sign / 2});
    }
  }
  for (const Isa isa : test::kernel_isas()) {
    this->expect_sums(isa, points, special);
    for (const auto& pair : special) this->expect_sums(isa, points, {pair});
    std::vector<std::array<std::size_t, 4>> spread;
    for (std::size_t k = 0; k < special.size(); ++k) {
      for (std::size_t i = 0; i < 8; ++i) spread.push_back({4 + i % 2, 0, 6 + i % 2, i % 2});
      spread.push_back(special[k]);
    }
    this->expect_sums(isa, points, spread);
  }
}

TYPED_TEST(Kernels, SumsMayReplaceTheirOperands) {
  const auto points = test::random_points<TypeParam>(40, 5);
  for (const Isa isa : test::kernel_isas()) {
    const auto& kernels = point_kernels<TypeParam>(isa);
    AlignedBytes stored(points.size() * kernels.stride);
    AlignedBytes scratch(kernels.scratch_bytes);
    kernels.store(points.data(), points.size(), stored.data());
    std::vector<PairSum> work;
    for (std::size_t k = 0; k < 20; ++k) {
      std::byte* const a = stored.data() + 2 * k * kernels.stride;
      std::byte* const b = a + kernels.stride;
      work.push_back({point_ref(a), point_ref(b), k % 2 == 0 ? a : b});
    }
    kernels.add(work.data(), work.size(), scratch.data());
    std::vector<typename TypeParam::Affine> got(points.size());
    kernels.load(stored.data(), got.size(), got.data());
    for (std::size_t k = 0; k < 20; ++k) {
      const auto want = TypeParam::Jacobian::from_affine(points[2 * k]) + points[2 * k + 1];
      EXPECT_EQ(TypeParam::Jacobian::from_affine(got[2 * k + k % 2]), want);
    }
  }
}

TYPED_TEST(Kernels, DecodeAgreesWithTheEncodingRoom) {
  using Point = typename TypeParam::Affine;
  auto points = test::random_points<TypeParam>(21, 6);
  points[5] = Point::infinity();
  std::vector<std::uint8_t> bytes;
  for (const auto& p : points) {
    const auto encoded = curve::encode(p);
    bytes.insert(bytes.end(), encoded.begin(), encoded.end());
  }
  const std::size_t size = bytes.size() / points.size();
  for (const Isa isa : test::kernel_isas()) {
    const auto& kernels = point_kernels<TypeParam>(isa);
    AlignedBytes stored(points.size() * kernels.stride);
    for (const std::size_t n : {1, 8, 9, 21}) {
      ASSERT_TRUE(kernels.decode(bytes.data(), n, stored.data()));
      std::vector<Point> got(n);
      kernels.load(stored.data(), n, got.data());
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(got[i], points[i]);
    }
    // Any changed bit of any byte: refused exactly if the portable decoder refuses.
    for (std::size_t at = 0; at < 9 * size; ++at) {
      auto damaged = bytes;
      damaged[at] ^= static_cast<std::uint8_t>(1U << (at % 8));
      const std::size_t point = at / size;
      const auto want =
          curve::decode_unchecked<Point>(std::span<const std::uint8_t>(damaged)
                                             .subspan(point * size)
                                             .template first<curve::kUncompressedSize<Point>>());
      ASSERT_EQ(kernels.decode(damaged.data(), points.size(), stored.data()), want.has_value())
          << to_string(isa) << " byte " << at;
    }
  }
}

TEST(KernelsG1, DecodeRefusesWhatThePortableDecoderRefuses) {
  const Fp zero = Fp::zero();
  const Fp two = Fp::one().doubled();
  const auto order_three = curve::encode(curve::G1Affine{zero, two});
  std::array<std::uint8_t, 96> modulus_x = curve::encode(curve::G1Affine::generator());
  for (std::size_t i = 0; i < 48; ++i) {
    modulus_x[i] =
        static_cast<std::uint8_t>(field::FpParams::kModulus[5 - i / 8] >> (56 - 8 * (i % 8)));
  }
  std::array<std::uint8_t, 96> both_flags{};
  both_flags[0] = 0xc0;
  const std::array<std::uint8_t, 96> zeros{};
  for (const auto& bytes : {order_three, modulus_x, both_flags, zeros}) {
    ASSERT_FALSE(curve::decode_unchecked<curve::G1Affine>(bytes).has_value());
    for (const Isa isa : test::kernel_isas()) {
      const auto& kernels = point_kernels<curve::G1>(isa);
      AlignedBytes stored(kernels.stride);
      EXPECT_FALSE(kernels.decode(bytes.data(), 1, stored.data())) << to_string(isa);
    }
  }
}

TEST(PointKernels, AskingForMoreThanTheCpuHasIsLowered) {
  EXPECT_LE(point_kernels<curve::G1>(Isa::kIfma).isa, best_isa());
  EXPECT_EQ(point_kernels<curve::G2>(Isa::kPortable).isa, Isa::kPortable);
}

}  // namespace
}  // namespace belfry::msm
