#include "belfry/r1cs/shape.h"

#include <gtest/gtest.h>

#include <numeric>

#include "belfry/r1cs/aux_values.h"
#include "belfry/r1cs/digest.h"
#include "belfry/r1cs/multiply.h"
#include "belfry/r1cs/synthesize.h"
#include "support/blocked_circuit.h"
#include "support/circuits.h"

namespace belfry::r1cs {
namespace {

using test::BlockedCircuit;
using test::TurningCircuit;

/// All rows of a system as maps, from its synthesis: what shapes and products are held against.
class RowList final : public ConstraintSink {
 public:
  struct Entry {
    Variable variable;
    Fr value;
  };
  using Row = std::array<std::vector<Entry>, kMatrices>;

  void on_input() override { ++inputs; }
  void on_aux(VariableClass kind) override { classes.push_back(kind); }
  void on_constraint(const LinearCombination& a, const LinearCombination& b,
                     const LinearCombination& c) override {
    Row row;
    for (std::size_t i = 0; i < kMatrices; ++i) {
      const LinearCombination& lc = *std::array{&a, &b, &c}[i];
      for (const Term& term : lc.terms()) row[i].push_back({term.variable, lc.value_of(term.code)});
    }
    rows.push_back(std::move(row));
  }

  std::uint64_t inputs = 0;
  std::vector<VariableClass> classes;
  std::vector<Row> rows;
};

template <class Circuit>
void synthesize_into(const Circuit& circuit, ConstraintSink& sink) {
  ShapeBuilder cs(sink);
  synthesize(cs, circuit);
}

struct BlockedCase {
  std::uint64_t count;
  bool turns;
};

class BlockedShape : public ::testing::TestWithParam<BlockedCase> {
 protected:
  BlockedCircuit circuit{.count = GetParam().count, .turns = GetParam().turns};
  test::System system = GetParam().turns
                            ? test::run_circuit(TurningCircuit(circuit.count), "blocked")
                            : test::run_circuit(circuit, "blocked");
  RowList list;
  void SetUp() override { synthesize_into(circuit, list); }
};

TEST_P(BlockedShape, StandsForTheWholeSystem) {
  const Shape& shape = system.shape;
  EXPECT_EQ(shape.circuit_id(), "blocked");
  EXPECT_EQ(shape.inputs(), list.inputs);
  EXPECT_EQ(shape.aux(), list.classes.size());
  EXPECT_EQ(shape.constraints(), list.rows.size());
  R1csDigest digest;
  DigestSink sink(digest);
  synthesize_into(circuit, sink);
  EXPECT_EQ(r1cs_digest(shape), digest.digest());
  CsHash hash({shape.inputs(), shape.aux(), shape.constraints()});
  DigestSink hash_sink(hash);
  synthesize_into(circuit, hash_sink);
  EXPECT_EQ(cs_hash(shape), hash.finish());
}

TEST_P(BlockedShape, CountsDensities) {
  std::vector<bool> a_aux(system.shape.aux()), b_aux(system.shape.aux());
  std::vector<bool> b_input(system.shape.inputs());
  for (const auto& row : list.rows) {
    for (const auto& entry : row[0]) {
      if (!entry.variable.is_input()) a_aux[entry.variable.index()] = true;
    }
    for (const auto& entry : row[1]) {
      (entry.variable.is_input() ? b_input : b_aux)[entry.variable.index()] = true;
    }
  }
  const auto count = [](const std::vector<bool>& bits) {
    return static_cast<std::uint64_t>(std::count(bits.begin(), bits.end(), true));
  };
  EXPECT_EQ(system.shape.dense_a_aux(), count(a_aux));
  EXPECT_EQ(system.shape.dense_b_aux(), count(b_aux));
  EXPECT_EQ(system.shape.dense_b_inputs(), count(b_input));
}

TEST_P(BlockedShape, MultipliesLikeTheRows) {
  const WitnessLookupView lookup(system.shape, system.witness);
  const std::array products{&system.a, &system.b, &system.c};
  for (std::size_t row = 0; row < list.rows.size(); ++row) {
    for (std::size_t i = 0; i < kMatrices; ++i) {
      Fr sum = Fr::zero();
      for (const auto& entry : list.rows[row][i]) sum += entry.value * lookup.value(entry.variable);
      ASSERT_EQ((*products[i])[row], sum) << "row " << row << " matrix " << i;
    }
  }
  // The appended rows.
  for (std::size_t i = 0; i < list.inputs; ++i) {
    EXPECT_EQ(system.a[list.rows.size() + i], system.witness.inputs()[i]);
    EXPECT_TRUE(system.b[list.rows.size() + i].is_zero());
    EXPECT_TRUE(system.c[list.rows.size() + i].is_zero());
  }
}

TEST_P(BlockedShape, AccumulatesColumnsLikeTheRows) {
  const Shape& shape = system.shape;
  const auto weights = test::random_frs(shape.rows(), 17);
  for (std::size_t i = 0; i < kMatrices; ++i) {
    std::vector<Fr> expected_inputs(shape.inputs(), Fr::zero());
    std::vector<Fr> expected_aux(shape.aux(), Fr::zero());
    for (std::size_t row = 0; row < list.rows.size(); ++row) {
      for (const auto& entry : list.rows[row][i]) {
        auto& family = entry.variable.is_input() ? expected_inputs : expected_aux;
        family[entry.variable.index()] += entry.value * weights[row];
      }
    }
    for (std::size_t k = 0; i == 0 && k < shape.inputs(); ++k) {
      expected_inputs[k] += weights[shape.constraints() + k];
    }
    std::vector<Fr> inputs(shape.inputs(), Fr::one());
    std::vector<Fr> aux(shape.aux(), Fr::one());
    const auto done =
        accumulate_columns(shape, static_cast<Matrix>(i), weights, inputs, aux, Executor(2));
    ASSERT_TRUE(done.has_value());
    EXPECT_EQ(inputs, expected_inputs);
    EXPECT_EQ(aux, expected_aux);
  }
}

TEST_P(BlockedShape, LooksUpWhatPartsSpread) {
  const Shape& shape = system.shape;
  const WitnessLookupView lookup(shape, system.witness);
  std::vector<Fr> all = aux_of_part(shape.header(), system.witness.header());
  for (std::uint64_t i = 0; i < shape.blocks(); ++i) {
    const auto block = aux_of_part(shape.block(), system.witness.block(i));
    all.insert(all.end(), block.begin(), block.end());
  }
  ASSERT_EQ(all.size(), shape.aux());
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(lookup.aux(i), all[i]) << i;
  // Class bits: the value of a bit variable is 0 or 1.
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (list.classes[i] == VariableClass::kBit) {
      EXPECT_TRUE(all[i].is_zero() || all[i] == Fr::one());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Counts, BlockedShape,
                         ::testing::Values(BlockedCase{0, false}, BlockedCase{1, false},
                                           BlockedCase{2, false}, BlockedCase{5, false},
                                           BlockedCase{1, true}, BlockedCase{2, true},
                                           BlockedCase{5, true}));

TEST(Shape, BindsSlotsOnceOrBlockByBlock) {
  const auto same = extract_shape("same", BlockedCircuit{4});
  const auto turns = extract_shape("turns", TurningCircuit(4));
  ASSERT_TRUE(same.has_value() && turns.has_value());
  EXPECT_EQ(same->view().bindings.size(), same->block().counts.slots);
  EXPECT_EQ(turns->view().bindings.size(), 4 * turns->block().counts.slots);
  // The last slots are the two bits, three further on in every block.
  const auto first = turns->bindings(0);
  const auto last = turns->bindings(3);
  ASSERT_EQ(first.size(), last.size());
  EXPECT_EQ(last.back(), first.back() + 9);
  EXPECT_EQ(last[last.size() - 2], first[first.size() - 2] + 9);
  EXPECT_EQ(last.front(), first.front());
}

TEST(Shape, LargerOutputsArePaddedWithZeros) {
  const test::System system = test::run_circuit(BlockedCircuit{2}, "blocked");
  std::vector<Fr> out(4096, Fr::one());
  ASSERT_GT(out.size(), system.shape.rows());
  ASSERT_TRUE(multiply(system.shape, Matrix::kA, system.witness, out, Executor(1)).has_value());
  EXPECT_TRUE(std::equal(system.a.begin(), system.a.end(), out.begin()));
  for (std::size_t i = system.a.size(); i < out.size(); ++i) EXPECT_TRUE(out[i].is_zero());
}

TEST(Shape, RefusesWhatDoesNotFit) {
  const test::System two = test::run_circuit(BlockedCircuit{2}, "two");
  const test::System three = test::run_circuit(BlockedCircuit{3}, "three");
  const Executor executor(1);
  std::vector<Fr> out(three.shape.rows());
  const auto other = multiply(three.shape, Matrix::kA, two.witness, out, executor);
  EXPECT_EQ(other.error().code, ErrorCode::kInvalidUsage);
  const auto shorter = multiply(three.shape, Matrix::kA, three.witness,
                                std::span(out).first(out.size() - 1), executor);
  EXPECT_EQ(shorter.error().code, ErrorCode::kInvalidUsage);
  std::vector<Fr> inputs(three.shape.inputs()), aux(three.shape.aux());
  EXPECT_FALSE(
      accumulate_columns(three.shape, Matrix::kB, std::span(out).first(1), inputs, aux, executor));
  EXPECT_FALSE(
      accumulate_columns(three.shape, Matrix::kB, out, std::span(inputs).first(1), aux, executor));
  EXPECT_FALSE(
      accumulate_columns(three.shape, Matrix::kB, out, inputs, std::span(aux).first(1), executor));
  const auto witness = compute_witness(three.shape.layout(), BlockedCircuit{2}, executor);
  ASSERT_FALSE(witness.has_value());
  EXPECT_EQ(witness.error().code, ErrorCode::kInvalidInput);
  WitnessLayout longer = three.shape.layout();
  ++longer.block.bits;
  EXPECT_FALSE(compute_witness(longer, BlockedCircuit{3}, executor).has_value());
}

/// The recorder sees all blocks of a synthesis and refuses unequal ones.
Result<Shape> record_all(const BlockedCircuit& circuit, std::uint64_t claimed,
                         const BlockArguments& arguments = {}) {
  ShapeRecorder recorder;
  synthesize_into(circuit, recorder);
  return recorder.finish("all", claimed, arguments);
}

TEST(ShapeRecorder, AcceptsEqualBlocks) {
  const auto all = record_all(BlockedCircuit{4}, 4);
  const auto first = extract_shape("all", BlockedCircuit{4});
  ASSERT_TRUE(all.has_value() && first.has_value());
  EXPECT_EQ(r1cs_digest(*all), r1cs_digest(*first));
}

/// The arguments of a turning circuit's blocks.
BlockArguments arguments_of(const TurningCircuit& circuit) {
  R1csDigest digest;
  DigestSink sink(digest);
  ShapeBuilder cs(sink);
  const auto header = circuit.header(cs);
  BlockArguments arguments;
  for (std::uint64_t i = 0; i < circuit.blocks(); ++i) {
    arguments.push_back(circuit.block_arguments(header, i));
  }
  return arguments;
}

TEST(ShapeRecorder, LearnsWhatBlocksSee) {
  const TurningCircuit circuit(4);
  const auto first = extract_shape("all", circuit);
  ASSERT_TRUE(first.has_value());
  for (const BlockArguments& arguments : {BlockArguments{}, arguments_of(circuit)}) {
    const auto all = record_all(circuit, 4, arguments);
    ASSERT_TRUE(all.has_value()) << all.error().describe();
    EXPECT_EQ(r1cs_digest(*all), r1cs_digest(*first));
    EXPECT_TRUE(std::ranges::equal(all->view().bindings, first->view().bindings));
    EXPECT_EQ(all->dense_a_aux(), first->dense_a_aux());
    EXPECT_EQ(all->dense_b_aux(), first->dense_b_aux());
  }
}

TEST(ShapeRecorder, RefusesArgumentsThatAreNot) {
  const TurningCircuit circuit(3);
  const BlockArguments good = arguments_of(circuit);
  std::vector<BlockArguments> bad(5, good);
  bad[0].pop_back();                        // a block without arguments
  bad[1][1].pop_back();                     // fewer than the first block
  bad[2][2][0] = Variable::aux(1'000'000);  // no variable of the header
  bad[3][1][0] = bad[3][1][1];              // one variable twice
  std::swap(bad[4][1][0], bad[4][1][1]);    // not what the block sees
  for (const BlockArguments& arguments : bad) {
    const auto shape = record_all(circuit, 3, arguments);
    ASSERT_FALSE(shape.has_value());
    EXPECT_EQ(shape.error().code, ErrorCode::kInvalidUsage);
  }
  // One argument left out: blocks that were not recorded would see its variable in two places.
  BlockArguments clash = good;
  for (auto& list : clash) list.pop_back();
  clash[1][0] = good[0][1];
  ShapeRecorder recorder;
  ShapeBuilder cs(recorder);
  const auto header = circuit.header(cs);
  cs.begin_block();
  circuit.block(cs, header, 0);
  const auto shape = recorder.finish("first", 3, clash);
  ASSERT_FALSE(shape.has_value());
  EXPECT_EQ(shape.error().code, ErrorCode::kInvalidUsage);
}

TEST(ShapeRecorder, RefusesUnequalBlocks) {
  BlockedCircuit rows{3}, coefficients{3}, classes{3};
  rows.uneven_rows = true;
  coefficients.uneven_coefficients = true;
  classes.uneven_classes = true;
  for (const auto& circuit : {rows, coefficients, classes}) {
    const auto shape = record_all(circuit, 3);
    ASSERT_FALSE(shape.has_value());
    EXPECT_EQ(shape.error().code, ErrorCode::kInvalidUsage);
  }
  EXPECT_FALSE(record_all(BlockedCircuit{3}, 4).has_value());
  EXPECT_FALSE(record_all(BlockedCircuit{0}, 1).has_value());
}

TEST(ShapeRecorder, RefusesMoreCoefficientsThanCodes) {
  ShapeRecorder recorder;
  ShapeBuilder cs(recorder);
  const Variable x = cs.alloc_field({});
  for (std::uint64_t i = 0; i <= kDictionaryLimit; ++i) {
    cs.enforce(LinearCombination{}.plus(x, Fr::from_u64((std::uint64_t{1} << 40) + 1 + i)), {}, {});
  }
  const auto shape = recorder.finish("coefficients", 0);
  ASSERT_FALSE(shape.has_value());
  EXPECT_EQ(shape.error().code, ErrorCode::kInvalidUsage);
}

/// 2^24 variables, said to the sink itself: a builder would make the test slow.
TEST(ShapeRecorder, RefusesMoreColumnsThanCodes) {
  // Inputs and slots take every second column.
  const std::pair<std::uint64_t, std::uint64_t> counts[] = {{0, kColumnLimit},
                                                            {kColumnLimit / 2 + 1, 0}};
  for (const auto& [inputs, aux] : counts) {
    ShapeRecorder recorder;
    recorder.on_block();
    for (std::uint64_t i = 0; i < inputs; ++i) recorder.on_input();
    for (std::uint64_t i = 0; i < aux; ++i) recorder.on_aux(VariableClass::kBit);
    const auto shape = recorder.finish("columns", 1);
    ASSERT_FALSE(shape.has_value());
    EXPECT_EQ(shape.error().code, ErrorCode::kInvalidUsage);
    EXPECT_NE(shape.error().message.find("2^24"), std::string::npos) << shape.error().message;
  }
}

TEST(ShapeRecorder, KeepsLongRowsAndRareCoefficients) {
  ShapeRecorder recorder;
  ShapeBuilder cs(recorder);
  R1csDigest digest;
  DigestSink sink(digest);
  ShapeBuilder second(sink);
  for (ShapeBuilder* builder : {&cs, &second}) {
    std::vector<Variable> bits;
    for (int i = 0; i < 700; ++i) bits.push_back(builder->alloc_bit({}));
    for (const std::uint32_t length : {254, 255, 256, 700, 0, 1}) {
      LinearCombination lc;
      for (std::uint32_t i = 0; i < length; ++i) {
        // Powers with and without codes, negative ones, and others.
        const Coefficient power = Coefficient::power_of_two(i % kPowerCodes);
        lc.plus(bits[i], i % 3 == 0 ? power : i % 3 == 1 ? -power : Fr::from_u64(i));
      }
      builder->enforce(lc, lc, lc);
    }
  }
  const auto shape = recorder.finish("long rows", 0);
  ASSERT_TRUE(shape.has_value());
  EXPECT_EQ(shape->header().matrices[0].long_lengths.size(), 3U);
  EXPECT_EQ(r1cs_digest(*shape), digest.digest());
}

TEST(Checkpoints, TellCountsAndDigestAtEachStep) {
  const BlockedCircuit circuit{2};
  CheckpointSink sink;
  synthesize_into(circuit, sink);
  ASSERT_EQ(sink.checkpoints().size(), 2U);
  const Checkpoint& first = sink.checkpoints()[0];
  const auto header = extract_shape("header", BlockedCircuit{0});
  ASSERT_TRUE(header.has_value());
  EXPECT_EQ(first.name, "block");
  EXPECT_EQ(first.counts, (SystemCounts{header->inputs(), header->aux(), header->constraints()}));
  EXPECT_EQ(first.digest, r1cs_digest(*header));
  EXPECT_EQ(sink.counts().constraints, extract_shape("both", circuit)->constraints());
}

TEST(R1csDigest, OfNothingIsThatOfTheEmptyString) {
  R1csDigest digest;
  EXPECT_EQ(digest.digest(), hash::sha256(ByteSpan{}));
}

}  // namespace
}  // namespace belfry::r1cs
