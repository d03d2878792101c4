// Aggregates of recorded proofs, byte for byte, and their verification.
#include <gtest/gtest.h>

#include "belfry/curve/encoding.h"
#include "groth16/recorded_aggregate.h"

namespace belfry::groth16 {
namespace {

using belfry::test::read_vector;
using test::RecordedProofs;
using test::value_of;

/// The bytes of an aggregate with the recorded SRS.
test::Bytes aggregate_bytes_of(const RecordedProofs& recorded, SnarkPackVersion version) {
  const Executor executor(2);
  const AggregationKey key =
      value_of(test::recorded_srs().proving_key(padded_proofs(recorded.proofs.size()), executor));
  return value_of(
      encode(value_of(aggregate(key, recorded.proofs, version, recorded.bound_to, {executor}))));
}

TEST(RecordedAggregates, ThirteenPartitionsEqualTheReference) {
  EXPECT_EQ(aggregate_bytes_of(test::thirteen_partitions(), SnarkPackVersion::kV2),
            read_vector("porep-2kib-ni/aggregate.bin"));
}

TEST(RecordedAggregates, ThreeSectorsEqualTheReferenceInBothVersions) {
  const RecordedProofs sectors = test::three_sectors();
  EXPECT_EQ(aggregate_bytes_of(sectors, SnarkPackVersion::kV1),
            read_vector("aggregate-2kib-3sectors/aggregate-v1.bin"));
  EXPECT_EQ(aggregate_bytes_of(sectors, SnarkPackVersion::kV2),
            read_vector("aggregate-2kib-3sectors/aggregate-v2.bin"));
}

TEST(RecordedAggregates, ReadAndWrittenTheyAreTheSame) {
  for (const char* name :
       {"porep-2kib-ni/aggregate.bin", "aggregate-2kib-3sectors/aggregate-v1.bin",
        "aggregate-2kib-3sectors/aggregate-v2.bin"}) {
    const test::Bytes bytes = read_vector(name);
    EXPECT_EQ(value_of(encode(value_of(parse_aggregate(bytes, name)))), bytes);
  }
}

TEST(RecordedSrs, HoldsThePowersOfTwoSecrets) {
  const Executor executor(2);
  const auto checked = check_srs(test::recorded_srs(), {executor});
  EXPECT_TRUE(checked) << checked.error().describe();
}

/// The recorded aggregate of thirteen partitions and all that it is verified with.
class ThirteenPartitions : public testing::Test {
 protected:
  [[nodiscard]] bool holds(const AggregateProof& proof) const {
    return value_of(verify_aggregate(srs_, key_, proof, statement(), executor_));
  }
  [[nodiscard]] AggregateStatementView statement() const {
    return {.version = SnarkPackVersion::kV2,
            .public_inputs = recorded_.public_inputs,
            .bound_to = recorded_.bound_to};
  }

  Executor executor_{2};
  RecordedProofs recorded_ = test::thirteen_partitions();
  AggregationVerifyingKey srs_ = value_of(test::recorded_srs().verifying_key());
  PreparedVerifyingKey key_{
      value_of(read_verifying_key(belfry::test::vector_path(test::kPorepKey)))};
  AggregateProof proof_ =
      value_of(parse_aggregate(read_vector("porep-2kib-ni/aggregate.bin"), "aggregate.bin"));
};

TEST_F(ThirteenPartitions, Hold) { EXPECT_TRUE(holds(proof_)); }

TEST_F(ThirteenPartitions, FailForAnotherStatement) {
  const auto fails = [&](const AggregateStatementView& other) {
    return !value_of(verify_aggregate(srs_, key_, proof_, other, executor_));
  };
  AggregateStatementView other = statement();
  other.version = SnarkPackVersion::kV1;
  EXPECT_TRUE(fails(other));
  Bytes32 bound_to = recorded_.bound_to;
  bound_to[7] ^= 1;
  other = statement();
  other.bound_to = bound_to;
  EXPECT_TRUE(fails(other));
  for (const std::size_t changed : {0U, 6U, 12U}) {
    std::vector<std::vector<Fr>> inputs = recorded_.public_inputs;
    inputs[changed][5] += Fr::one();
    other = statement();
    other.public_inputs = inputs;
    EXPECT_TRUE(fails(other)) << changed;
  }
  std::vector<std::vector<Fr>> inputs = recorded_.public_inputs;
  std::swap(inputs[3], inputs[4]);
  other.public_inputs = inputs;
  EXPECT_TRUE(fails(other));
  // Fourteen partitions are padded to sixteen as well.
  inputs = recorded_.public_inputs;
  inputs.push_back(inputs.front());
  other.public_inputs = inputs;
  EXPECT_TRUE(fails(other));
}

TEST_F(ThirteenPartitions, OtherNumbersAreRefused) {
  const std::span<const std::vector<Fr>> all = recorded_.public_inputs;
  for (const std::size_t count : {0U, 1U, 8U}) {
    AggregateStatementView other = statement();
    other.public_inputs = all.first(count);
    const auto outcome = verify_aggregate(srs_, key_, proof_, other, executor_);
    ASSERT_FALSE(outcome) << count;
    EXPECT_EQ(outcome.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(outcome.error().section, "n");
    EXPECT_EQ(outcome.error().found, "16");
  }
  std::vector<std::vector<Fr>> inputs = recorded_.public_inputs;
  inputs[2].pop_back();
  AggregateStatementView other = statement();
  other.public_inputs = inputs;
  EXPECT_EQ(verify_aggregate(srs_, key_, proof_, other, executor_).error().section,
            "public_inputs");
}

TEST_F(ThirteenPartitions, FailUnderAnotherSrsOrKey) {
  for (std::size_t k = 0; k < 2; ++k) {
    AggregationVerifyingKey other = srs_;
    other.g_powers[k] = -other.g_powers[k];
    EXPECT_FALSE(value_of(verify_aggregate(other, key_, proof_, statement(), executor_)));
    other = srs_;
    other.h_powers[k] = -other.h_powers[k];
    EXPECT_FALSE(value_of(verify_aggregate(other, key_, proof_, statement(), executor_)));
  }
  VerifyingKey key = value_of(read_verifying_key(belfry::test::vector_path(test::kPorepKey)));
  key.ic[4] = -key.ic[4];
  EXPECT_FALSE(
      value_of(verify_aggregate(srs_, PreparedVerifyingKey(key), proof_, statement(), executor_)));
}

/// Another value of the same kind.
void change(curve::Gt& value) { value = value * value; }
template <curve::GroupPoint Point>
void change(Point& point) {
  point = -point;
}

TEST_F(ThirteenPartitions, FailWithAnyFieldChanged) {
  const auto expect_false = [&](const char* name, const auto& field_of) {
    AggregateProof changed = proof_;
    change(field_of(changed));
    EXPECT_FALSE(holds(changed)) << name;
  };
#define EXPECT_BOUND(field) \
  expect_false(#field, [](AggregateProof& proof) -> auto& { return proof.field; })
  EXPECT_BOUND(com_ab.t);
  EXPECT_BOUND(com_ab.u);
  EXPECT_BOUND(com_c.t);
  EXPECT_BOUND(com_c.u);
  EXPECT_BOUND(ip_ab);
  EXPECT_BOUND(agg_c);
  EXPECT_BOUND(final_a);
  EXPECT_BOUND(final_b);
  EXPECT_BOUND(final_c);
  EXPECT_BOUND(final_vkey[0]);
  EXPECT_BOUND(final_vkey[1]);
  EXPECT_BOUND(final_wkey[0]);
  EXPECT_BOUND(final_wkey[1]);
  EXPECT_BOUND(vkey_opening[0]);
  EXPECT_BOUND(vkey_opening[1]);
  EXPECT_BOUND(wkey_opening[0]);
  EXPECT_BOUND(wkey_opening[1]);
  for (const std::size_t round : {0U, 3U}) {
    const auto expect_round = [&](const char* name, const auto& field_of) {
      expect_false(name,
                   [&](AggregateProof& proof) -> auto& { return field_of(proof.rounds[round]); });
    };
#define EXPECT_ROUND_BOUND(field) \
  expect_round(#field, [](FoldMessage& message) -> auto& { return message.field; })
    EXPECT_ROUND_BOUND(ab_left.t);
    EXPECT_ROUND_BOUND(ab_left.u);
    EXPECT_ROUND_BOUND(ab_right.t);
    EXPECT_ROUND_BOUND(ab_right.u);
    EXPECT_ROUND_BOUND(c_left.t);
    EXPECT_ROUND_BOUND(c_left.u);
    EXPECT_ROUND_BOUND(c_right.t);
    EXPECT_ROUND_BOUND(c_right.u);
    EXPECT_ROUND_BOUND(z_left);
    EXPECT_ROUND_BOUND(z_right);
    EXPECT_ROUND_BOUND(sum_left);
    EXPECT_ROUND_BOUND(sum_right);
#undef EXPECT_ROUND_BOUND
  }
#undef EXPECT_BOUND
}

}  // namespace
}  // namespace belfry::groth16
