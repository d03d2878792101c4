#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "belfry/curve/encoding.h"
#include "belfry/msm/fixed_base.h"
#include "belfry/msm/msm.h"
#include "support/kernel_isas.h"
#include "support/labels.h"
#include "support/vectors.h"

namespace belfry::msm {
namespace {

template <class Curve>
constexpr std::string_view kName = "g1";
template <>
constexpr std::string_view kName<curve::G2> = "g2";

std::vector<Fr> labelled_elements(const std::string& label, std::size_t n) {
  std::vector<Fr> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = test::labelled(label + std::to_string(i));
  return out;
}

template <class Curve>
class MsmVectors : public testing::Test {
 protected:
  static constexpr std::size_t kMost = 1000;
  void SetUp() override {
    const FixedBase<Curve> base(Curve::generator(), kMost, executor_);
    ASSERT_TRUE(base.multiply(labelled_elements("belfry msm point ", kMost), points_, executor_));
  }
  void expect_sum(std::size_t n, const std::string& recorded) const {
    const SpanSource<Curve> source(std::span<const typename Curve::Affine>(points_).first(n));
    const auto scalars = std::span(scalars_).first(n);
    for (const Isa isa : test::kernel_isas()) {
      const auto sum = multiply<Curve>(source, scalars, executor_, {isa, 0});
      ASSERT_TRUE(sum.has_value());
      EXPECT_EQ(to_hex(curve::encode(sum->to_affine())), recorded) << to_string(isa) << " n " << n;
    }
    const auto slow = multiply_reference<Curve>(source, scalars);
    ASSERT_TRUE(slow.has_value());
    EXPECT_EQ(to_hex(curve::encode(slow->to_affine())), recorded) << "reference, n " << n;
  }

  Executor executor_{2};
  std::vector<typename Curve::Affine> points_ = std::vector<typename Curve::Affine>(kMost);
  std::vector<Fr> scalars_ = labelled_elements("belfry msm scalar ", kMost);
};

using Curves = testing::Types<curve::G1, curve::G2>;
TYPED_TEST_SUITE(MsmVectors, Curves);

TYPED_TEST(MsmVectors, SumsEqualTheRecordedOnes) {
  const test::JsonFile file("primitives.json");
  std::vector<std::uint64_t> lengths;
  for (const auto entry : file["msm"]["results"].get_array()) {
    const std::uint64_t n = entry["n"];
    ASSERT_LE(n, this->kMost);
    this->expect_sum(n, test::text(entry[kName<TypeParam>]));
    lengths.push_back(n);
  }
  EXPECT_EQ(lengths, (std::vector<std::uint64_t>{0, 1, 2, 31, 32, 33, 1000}));
}

}  // namespace
}  // namespace belfry::msm
