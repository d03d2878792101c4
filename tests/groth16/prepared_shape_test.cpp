// Whether a prepared shape is of other rows, or of the same rows that lie elsewhere.
#include "belfry/groth16/prove/prepared_shape.h"

#include <gtest/gtest.h>

#include <vector>

#include "groth16/blocks_system.h"
#include "groth16/support.h"

namespace belfry::groth16 {
namespace {

using belfry::groth16::test::value_of;

r1cs::Shape shape_of(std::uint64_t blocks, unsigned bits, const char* name = "blocks") {
  return value_of(r1cs::extract_shape(name, test::BlocksSystem(blocks, bits)));
}

TEST(PreparedShape, IsOfTheSameRowsWhereverTheyLie) {
  const r1cs::Shape shape = shape_of(3, 20);
  const auto prepared = value_of(PreparedShape::create(shape));
  EXPECT_TRUE(prepared->is_of(shape));
  EXPECT_TRUE(prepared->is_of(shape_of(3, 20)));
  EXPECT_FALSE(prepared->is_of(shape_of(4, 20)));
  EXPECT_FALSE(prepared->is_of(shape_of(3, 21)));
  EXPECT_FALSE(prepared->is_of(shape_of(3, 20, "others")));
}

/// One changed entry of a list at a time.
TEST(PreparedShape, IsNotOfRowsWithOneOtherEntry) {
  const r1cs::Shape shape = shape_of(2, 20);
  const auto prepared = value_of(PreparedShape::create(shape));
  const auto expect_other = [&](auto&& change) {
    r1cs::ShapeView view = shape.view();
    change(view);
    EXPECT_FALSE(prepared->is_of(r1cs::Shape(view, nullptr)));
  };
  const auto copy_with_other = [](auto span, std::size_t at) {
    std::vector<typename decltype(span)::value_type> copy(span.begin(), span.end());
    copy.at(at) ^= 1;
    return copy;
  };
  for (std::size_t i = 0; i < r1cs::kMatrices; ++i) {
    const auto terms = copy_with_other(shape.block().matrices[i].terms, 3);
    expect_other([&](r1cs::ShapeView& view) { view.block.matrices[i].terms = terms; });
    const auto lengths = copy_with_other(shape.header().matrices[i].lengths, 5);
    expect_other([&](r1cs::ShapeView& view) { view.header.matrices[i].lengths = lengths; });
  }
  const auto bits = copy_with_other(shape.block().aux_is_bit, 0);
  expect_other([&](r1cs::ShapeView& view) { view.block.aux_is_bit = bits; });
  const auto bindings = copy_with_other(shape.view().bindings, 0);
  expect_other([&](r1cs::ShapeView& view) { view.bindings = bindings; });
  expect_other([&](r1cs::ShapeView& view) { view.header.counts.inputs += 1; });
}

}  // namespace
}  // namespace belfry::groth16
