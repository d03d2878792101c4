#include "belfry/hash/fr_products.h"

#include "support/vectors.h"

namespace belfry::hash {
namespace {

void check(const std::vector<Fr>& a, const std::vector<Fr>& b, std::size_t stride) {
  for (std::size_t n = 0; n <= a.size(); ++n) {
    Fr expected = Fr::zero();
    for (std::size_t i = 0; i < n; ++i) expected += a[i] * b[i * stride];
    EXPECT_EQ(sum_of_products(a.data(), b.data(), stride, n), expected) << n << ' ' << stride;
    EXPECT_EQ(detail::sum_of_products_portable(a.data(), b.data(), stride, n), expected) << n;
  }
}

TEST(SumOfProducts, RandomElements) {
  for (const std::size_t stride : {1U, 2U, 9U}) {
    check(test::random_frs(40, stride), test::random_frs(40 * stride, 100 + stride), stride);
  }
}

/// The largest sums: every bound is met.
TEST(SumOfProducts, ExtremeElements) {
  Fr top;  // the largest representation, r - 1
  top.limbs = field::FrParams::kModulus;
  top.limbs[0] -= 1;
  for (const Fr& x : {Fr::zero(), Fr::one(), -Fr::one(), top}) {
    for (const Fr& y : {Fr::one(), -Fr::one(), top}) {
      check(std::vector<Fr>(127, x), std::vector<Fr>(127, y), 1);
    }
  }
}

/// A sum whose parts cancel is exactly zero.
TEST(SumOfProducts, Cancels) {
  for (const Fr& x : test::random_frs(20, 5)) {
    const std::vector<Fr> a{x, -x, x};
    const std::vector<Fr> b{x, x, Fr::zero()};
    EXPECT_TRUE(sum_of_products(a.data(), b.data(), 1, 3).is_zero());
    EXPECT_TRUE(detail::sum_of_products_portable(a.data(), b.data(), 1, 3).is_zero());
  }
}

}  // namespace
}  // namespace belfry::hash
