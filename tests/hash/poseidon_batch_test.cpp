#include "belfry/hash/poseidon_batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "belfry/hash/sha256.h"

namespace belfry::hash {
namespace {

/// Node i of a test: a digest, or one of the edges of the field.
FrBytes test_node(std::size_t i) {
  switch (i % 19) {
    case 3:
      return {};
    case 7:
      return FrBytes(-Fr::one());
    case 11:
      return FrBytes(Fr::one());
    default:
      return FrBytes(fr_trunc254(sha256(as_bytes("batch " + std::to_string(i)))));
  }
}

std::vector<FrBytes> test_nodes(std::size_t count) {
  std::vector<FrBytes> nodes(count);
  for (std::size_t i = 0; i < count; ++i) nodes[i] = test_node(i);
  return nodes;
}

FrBytes one_hash(const std::vector<const FrBytes*>& first, std::size_t place) {
  std::vector<Fr> elements;
  for (const FrBytes* input : first) elements.push_back(input[place].to_fr());
  return FrBytes(poseidon(elements));
}

class PoseidonBatchOf : public testing::TestWithParam<std::size_t> {};

TEST_P(PoseidonBatchOf, HashesTreeRows) {
  const PoseidonBatch batch(GetParam());
  for (const std::size_t count : {0U, 1U, 7U, 8U, 9U, 15U, 16U, 40U}) {
    const std::vector<FrBytes> nodes = test_nodes(batch.arity() * std::max<std::size_t>(count, 1));
    std::vector<const FrBytes*> first;
    for (std::size_t i = 0; i < batch.arity(); ++i) first.push_back(&nodes[i]);
    std::vector<FrBytes> parents(count + 1);  // one behind the end must stay
    batch.hash({first, batch.arity()}, std::span(parents).first(count));
    for (std::size_t k = 0; k < count; ++k) {
      ASSERT_EQ(parents[k], one_hash(first, k * batch.arity())) << count << " hashes, number " << k;
    }
    EXPECT_EQ(parents[count], FrBytes());
  }
}

TEST_P(PoseidonBatchOf, HashesColumns) {
  const PoseidonBatch batch(GetParam());
  constexpr std::size_t kCount = 21;
  const std::vector<FrBytes> nodes = test_nodes(batch.arity() * kCount);
  std::vector<const FrBytes*> first;
  for (std::size_t i = 0; i < batch.arity(); ++i) first.push_back(&nodes[i * kCount]);
  std::vector<FrBytes> columns(kCount);
  batch.hash({first, 1}, columns);
  std::vector<FrBytes> singly(kCount);
  batch.hash_one_by_one({first, 1}, singly);
  for (std::size_t k = 0; k < kCount; ++k) ASSERT_EQ(columns[k], one_hash(first, k)) << k;
  EXPECT_EQ(columns, singly);
}

TEST_P(PoseidonBatchOf, HashesElementsNextToTheModulus) {
  const PoseidonBatch batch(GetParam());
  const std::vector<FrBytes> nodes(batch.arity() * 8, FrBytes(-Fr::one()));
  std::vector<const FrBytes*> first;
  for (std::size_t i = 0; i < batch.arity(); ++i) first.push_back(&nodes[i]);
  std::vector<FrBytes> parents(8);
  batch.hash({first, batch.arity()}, parents);
  EXPECT_EQ(parents, std::vector<FrBytes>(8, one_hash(first, 0)));
}

INSTANTIATE_TEST_SUITE_P(Arities, PoseidonBatchOf, testing::Values(1, 2, 3, 4, 8, 11),
                         [](const auto& param) { return std::to_string(param.param); });

}  // namespace
}  // namespace belfry::hash
