#include "support/coded_product.h"

#include <gtest/gtest.h>

#include "belfry/r1cs/synthesize.h"
#include "support/blocked_circuit.h"
#include "support/random_system.h"

namespace belfry::r1cs {
namespace {

using test::RandomSystem;

TEST(CodedProduct, AgreesWithMultiplyOnRandomSystems) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    for (const std::uint64_t blocks : std::vector<std::uint64_t>{0, 1, 3, 11}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", blocks " << blocks);
      const auto shape = extract_shape("random", RandomSystem{blocks, 150 + 37 * seed, seed});
      ASSERT_TRUE(shape) << shape.error().describe();
      test::expect_coded_products(*shape, test::random_witness(shape->layout(), seed));
    }
  }
}

TEST(CodedProduct, AgreesWithMultiplyOnBlocksOfGadgets) {
  for (const std::uint64_t blocks : std::vector<std::uint64_t>{1, 4}) {
    const auto shape = extract_shape("blocked", test::BlockedCircuit{blocks});
    ASSERT_TRUE(shape);
    test::expect_coded_products(*shape, test::random_witness(shape->layout(), blocks));
  }
}

// Tiles of every form, down to single rows, and a domain far larger than the rows.
TEST(CodedProduct, DoesNotDependOnTheTiles) {
  const auto shape = extract_shape("random", RandomSystem{2, 20, 9});
  ASSERT_TRUE(shape);
  const auto witness = test::random_witness(shape->layout(), 4);
  const auto coded = CodedShape::create(*shape);
  ASSERT_TRUE(coded);
  const test::CodedProduct products(*coded, witness);
  for (const unsigned log_size : {7U, 9U, 12U}) {
    const auto expected = test::reversed_product(*shape, Matrix::kA, witness, log_size);
    for (const unsigned run_log : {0U, 1U, 2U, 5U}) {
      for (const unsigned rows_log : {0U, 3U, 6U}) {
        EXPECT_EQ(products.product(Matrix::kA, log_size, run_log, rows_log), expected)
            << log_size << " " << run_log << " " << rows_log;
      }
    }
  }
}

// Rows just below, at and above the length that a byte holds; a wide coefficient takes two words.
struct Lengths {
  [[nodiscard]] static std::uint64_t blocks() { return 0; }
  template <class Cs>
  std::vector<typename Cs::Ref> header(Cs& cs) const {
    std::vector<typename Cs::Ref> bits;
    for (int i = 0; i < 300; ++i) bits.push_back(cs.alloc_bit(cs.given([] { return false; })));
    for (const std::size_t length :
         std::vector<std::size_t>{1, 254, 0, 255, 3, 256, 254, 300, 7, 127, 128}) {
      typename Cs::Lc narrow;
      typename Cs::Lc wide;
      for (std::size_t i = 0; i < length; ++i) {
        narrow.plus(bits[i]);
        wide.plus(bits[i], Fr::from_u64(1001 + 2 * i));
      }
      cs.enforce(narrow, wide, typename Cs::Lc{});
      for (std::size_t i = 0; i < length % 13; ++i) cs.enforce(narrow, typename Cs::Lc{}, narrow);
    }
    return bits;
  }
  template <class Cs>
  static void block(Cs&, const std::vector<typename Cs::Ref>&, std::uint64_t) {}
};

TEST(CodedProduct, FindsRowsOfEveryLength) {
  const auto shape = extract_shape("lengths", Lengths{});
  ASSERT_TRUE(shape);
  test::expect_coded_products(*shape, test::random_witness(shape->layout(), 3));
}

}  // namespace
}  // namespace belfry::r1cs
