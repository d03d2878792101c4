#include <tuple>

#include "belfry/curve/encoding.h"
#include "belfry/groth16/prove/cpu_backend.h"
#include "belfry/groth16/prove/prove.h"
#include "belfry/groth16/prove/quotient.h"
#include "belfry/hash/sha256.h"
#include "belfry/r1cs/digest.h"
#include "groth16/recorded.h"
#include "groth16/support.h"
#include "support/mini_system.h"

namespace belfry::groth16 {
namespace {

using belfry::test::BitVariables;
using belfry::test::fr_from_big_endian;
using belfry::test::JsonFile;
using belfry::test::read_vector;
using belfry::test::text;
using test::Bytes;
using test::MiniSystem;

constexpr std::uint64_t kBudget = std::uint64_t{1} << 30;

class MiniProving
    : public testing::TestWithParam<std::tuple<std::string_view, BitVariables, unsigned>> {
 protected:
  [[nodiscard]] std::string_view name() const { return std::get<0>(GetParam()); }

  Executor executor_{std::get<2>(GetParam())};
  MiniSystem system_{name(), std::get<1>(GetParam())};
  r1cs::Shape shape_ = test::shape_of(system_, name());
  r1cs::PackedWitness witness_ = test::witness_of(system_, shape_, executor_);
  Parameters parameters_ = test::open_mini(name());
  JsonFile expected_{test::mini_file(name(), "expected.json")};
};

INSTANTIATE_TEST_SUITE_P(Vectors, MiniProving,
                         testing::Combine(testing::ValuesIn(test::kMiniSystems),
                                          testing::Values(BitVariables::kNone,
                                                          BitVariables::kEverySecond),
                                          testing::Values(1u, 2u)));

TEST_P(MiniProving, TheSystemIsTheRecordedOne) {
  EXPECT_EQ(to_hex(r1cs::r1cs_digest(shape_)), text(expected_["r1cs_digest"]));
}

TEST_P(MiniProving, TheQuotientIsTheRecordedOne) {
  const auto coefficients = test::value_of(quotient_coefficients(shape_, witness_, {executor_}));
  EXPECT_TRUE(coefficients.span().back().is_zero());
  const auto h = coefficients.span().first(coefficients.size() - 1);
  hash::Sha256 digest;
  for (const Fr& coefficient : h) digest.update(FrBytes(coefficient).bytes());
  EXPECT_EQ(to_hex(digest.finish()), text(expected_["stages"]["h_digest"]));
  std::size_t i = 0;
  for (const auto first : expected_["stages"]["h_first"]) {
    ASSERT_LT(i, h.size());
    EXPECT_EQ(h[i++], fr_from_big_endian(first));
  }
}

TEST_P(MiniProving, TheFiveSumsAreTheRecordedOnes) {
  const auto backend = make_cpu_backend(executor_);
  const ProveBatchView batch{parameters_, shape_, std::span(&witness_, 1)};
  const Plan plan = test::value_of(backend->plan(shape_, 1, kBudget));
  const PartialSums sums = test::value_of(backend->run(batch, plan)).partitions.at(0);
  const auto stages = expected_["stages"];
  EXPECT_EQ(to_hex(curve::encode(sums.a)), text(stages["sum_a"]));
  EXPECT_EQ(to_hex(curve::encode(sums.b_g1)), text(stages["sum_b_g1"]));
  EXPECT_EQ(to_hex(curve::encode(sums.b_g2)), text(stages["sum_b_g2"]));
  EXPECT_EQ(to_hex(curve::encode(sums.l)), text(stages["sum_l"]));
  EXPECT_EQ(to_hex(curve::encode(sums.h)), text(stages["sum_h"]));
}

TEST_P(MiniProving, TheProofsAreTheRecordedOnes) {
  const auto backend = make_cpu_backend(executor_);
  const PendingProofs pending =
      test::value_of(start(*backend, {parameters_, shape_, std::span(&witness_, 1)}, kBudget));
  const auto proof_under = [&pending](const ProofRandomness& randomness) {
    return encode(test::value_of(finish(pending, std::span(&randomness, 1))));
  };
  EXPECT_EQ(to_hex(proof_under(test::recorded_randomness(0))),
            to_hex(read_vector(test::mini_file(name(), "proof.bin"))));
  EXPECT_EQ(to_hex(proof_under({Fr::zero(), Fr::zero()})),
            to_hex(read_vector(test::mini_file(name(), "proof-r0-s0.bin"))));
}

TEST(TinyProof, IsThatOfTheSpecification) {
  // spec formats.md 2.6, r = 19 and s = 23.
  const Executor executor(1);
  const MiniSystem system("tiny");
  const r1cs::Shape shape = test::shape_of(system, "tiny");
  const r1cs::PackedWitness witness = test::witness_of(system, shape, executor);
  const Parameters parameters = test::open_mini("tiny");
  const auto backend = make_cpu_backend(executor);
  const PendingProofs pending =
      test::value_of(start(*backend, {parameters, shape, std::span(&witness, 1)}, kBudget));
  const std::vector<ProofRandomness> randomness{{Fr::from_u64(19), Fr::from_u64(23)}};
  EXPECT_EQ(to_hex(encode(test::value_of(finish(pending, randomness)))),
            "968a564ee3f59c592c7908eb9c5e5609ff447b3e0536cb3db8d52413b9e4a1462c6f0d4aa8453b52"
            "2100922b024b0e4282cb8444bfdbd9a1f1ef6b189f68cc40b6d737fd5e9b11bc23016a9339f95d6a"
            "6bff32c0d62dd507beb7c623c57dad10098ca77680d2843d6dfad954197598d1b3660043562de03f"
            "3a30f7a64271072fc158ff534ba54ff5899ebdb17af85ab5a2b7a388e0979471f0d452bbd4e1f24b"
            "c3cee2487a363014fba30bcfd49a4c708711c186cd8096c870bf5488dfa29a91");
}

}  // namespace
}  // namespace belfry::groth16
