#include "belfry/field/adx.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "belfry/base/cpu.h"
#include "belfry/field/fp.h"
#include "belfry/field/fr.h"
#include "belfry/field/path_field.h"

namespace belfry::field {
namespace {

template <class PortableT, class AdxT>
struct Path {
  using Portable = PortableT;
  using Adx = AdxT;
};

template <class P>
class AdxPath : public testing::Test {
 protected:
  using Portable = typename P::Portable;
  using Adx = typename P::Adx;
  using Limbs = typename Portable::Limbs;
  using Common = typename Portable::Common;

  void SetUp() override {
    if (best_isa() < Isa::kAdx) GTEST_SKIP() << "this CPU lacks ADX";
  }

  /// Zero, one, the ends of the range and words that make the longest carries.
  static std::vector<Limbs> edges() {
    std::vector<Limbs> out{{}, Common::one().limbs, (-Common::one()).limbs};
    Limbs one{};
    one[0] = 1;
    out.push_back(one);
    out.push_back((Common::zero() - Common{one}).limbs);  // the greatest limbs, p - 1
    for (std::size_t i = 0; i < Limbs{}.size(); ++i) {
      Limbs full{};
      for (std::size_t j = 0; j <= i; ++j) full[j] = ~std::uint64_t{0};
      full.back() &= 0x0fffffffffffffff;  // below r; halved until below p, too
      while (Common{full}.limbs.back() >= Common{out[4]}.limbs.back()) full.back() >>= 1;
      out.push_back(full);
      Limbs bit{};
      bit[i] = 1;
      out.push_back(bit);
    }
    return out;
  }
  static Limbs random_limbs(std::mt19937_64& rng) {
    Limbs limbs;
    for (auto& word : limbs) word = rng();
    limbs.back() %= Common{edges()[4]}.limbs.back();
    return limbs;
  }
  static void compare(const Limbs& a, const Limbs& b) {
    ASSERT_EQ((Adx{a} * Adx{b}).limbs, Common::portable_product({a}, {b}).limbs);
    ASSERT_EQ((Portable{a} * Portable{b}).limbs, Common::portable_product({a}, {b}).limbs);
    ASSERT_EQ((Adx{a} + Adx{b}).limbs, (Common{a} + Common{b}).limbs);
    ASSERT_EQ((Adx{a} - Adx{b}).limbs, (Common{a} - Common{b}).limbs);
    ASSERT_EQ((-Adx{a}).limbs, (-Common{a}).limbs);
    ASSERT_EQ(Adx{a}.doubled().limbs, (Common{a} + Common{a}).limbs);
    ASSERT_EQ(Adx{a}.square().limbs, Common::portable_product({a}, {a}).limbs);
  }
};

using Paths = testing::Types<Path<FrPortable, FrAdx>, Path<FpPortable, FpAdx>>;
TYPED_TEST_SUITE(AdxPath, Paths);

TYPED_TEST(AdxPath, EqualsPortableOnEdges) {
  const auto edges = this->edges();
  for (const auto& a : edges) {
    for (const auto& b : edges) this->compare(a, b);
  }
}

TYPED_TEST(AdxPath, EqualsPortableOnRandomValues) {
  std::mt19937_64 rng(41);
  constexpr int kRounds = 20000;
  for (int i = 0; i < kRounds; ++i) this->compare(this->random_limbs(rng), this->random_limbs(rng));
}

TYPED_TEST(AdxPath, AssigningOperatorsMayAlias) {
  std::mt19937_64 rng(42);
  using Tested = typename TypeParam::Adx;
  const Tested x{this->random_limbs(rng)};
  Tested y = x;
  y *= y;
  EXPECT_EQ(y, x.square());
  y = x;
  y += y;
  EXPECT_EQ(y, x.doubled());
  y -= y;
  EXPECT_TRUE(y.is_zero());
  EXPECT_EQ(x * Tested::one(), x);
}

}  // namespace
}  // namespace belfry::field
