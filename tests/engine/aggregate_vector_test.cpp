// The recorded aggregates through the engine: made of recorded proofs, verified against claims.
#include <gtest/gtest.h>

#include "belfry/engine/jobs/porep.h"
#include "engine/recorded_aggregate.h"

namespace belfry::engine {
namespace {

using belfry::test::read_vector;
using test::RecordedAggregate;

const filecoin::AggregationProof kV1 = filecoin::aggregation_proofs()[0];
const filecoin::AggregationProof kV2 = filecoin::aggregation_proofs()[1];

class AggregateVectors : public testing::Test {
 protected:
  [[nodiscard]] std::vector<std::uint8_t> make(const RecordedAggregate& recorded,
                                               const filecoin::AggregationProof& version) const {
    const auto made = aggregate_porep(recorded.config(), version, recorded.views(), options_);
    if (made) return made->proof;
    ADD_FAILURE() << made.error().describe();
    return {};
  }
  [[nodiscard]] bool holds(ByteSpan aggregate, const filecoin::AggregationProof& version,
                           std::span<const PorepClaim> claims) const {
    const auto valid = verify_aggregate(aggregate, version, claims, options_);
    if (valid) return *valid;
    ADD_FAILURE() << valid.error().describe();
    return false;
  }
  /// That every part of every claim matters. `with_seed`: also the seed.
  void expect_bound(ByteSpan aggregate, const RecordedAggregate& recorded, bool with_seed) const {
    for (std::size_t i = 0; i < recorded.claims.size(); ++i) {
      const auto fails = [&](const auto& change) {
        std::vector<PorepClaim> claims = recorded.claims;
        change(claims[i]);
        return !holds(aggregate, kV2, claims);
      };
      EXPECT_TRUE(fails([](PorepClaim& claim) { claim.comm_r[0] ^= 1; }));
      EXPECT_TRUE(fails([](PorepClaim& claim) { claim.comm_d[0] ^= 1; }));
      EXPECT_TRUE(fails([](PorepClaim& claim) { claim.ticket[0] ^= 1; }));
      EXPECT_TRUE(fails([](PorepClaim& claim) { ++claim.sector.miner; }));
      EXPECT_TRUE(fails([](PorepClaim& claim) { ++claim.sector.sector; }));
      EXPECT_EQ(fails([](PorepClaim& claim) { claim.seed[0] ^= 1; }), with_seed);
    }
  }

  test::RecordedKeys keys_;
  JobOptions options_ = keys_.options();
};

TEST_F(AggregateVectors, ThreeSectorsInBothVersions) {
  const RecordedAggregate sectors = test::recorded_sectors_of_aggregate();
  const auto v1 = read_vector("aggregate-2kib-3sectors/aggregate-v1.bin");
  const auto v2 = read_vector("aggregate-2kib-3sectors/aggregate-v2.bin");
  EXPECT_EQ(make(sectors, kV1), v1);
  EXPECT_EQ(make(sectors, kV2), v2);
  EXPECT_TRUE(holds(v1, kV1, sectors.claims));
  EXPECT_TRUE(holds(v2, kV2, sectors.claims));
  EXPECT_FALSE(holds(v1, kV2, sectors.claims));
  EXPECT_FALSE(holds(v2, kV1, sectors.claims));
  expect_bound(v2, sectors, true);
  std::vector<PorepClaim> swapped = sectors.claims;
  std::swap(swapped[0], swapped[1]);
  EXPECT_FALSE(holds(v2, kV2, swapped));
}

TEST_F(AggregateVectors, ThirteenPartitionsOfANonInteractiveSector) {
  const RecordedAggregate sector = test::recorded_non_interactive();
  const auto recorded = read_vector("porep-2kib-ni/aggregate.bin");
  EXPECT_EQ(make(sector, kV2), recorded);
  const auto valid = verify_porep(recorded, sector.claims.front(), options_);
  ASSERT_TRUE(valid) << valid.error().describe();
  EXPECT_TRUE(*valid);
  expect_bound(recorded, sector, false);
}

TEST_F(AggregateVectors, TwoNonInteractiveSectorsInOneAggregate) {
  RecordedAggregate sectors = test::recorded_non_interactive();
  sectors.claims.push_back(sectors.claims.front());
  sectors.proofs.push_back(sectors.proofs.front());
  sectors.names.push_back("the same once more");
  const auto aggregate = make(sectors, kV2);  // 26 proofs, padded to 32
  EXPECT_TRUE(holds(aggregate, kV2, sectors.claims));
  EXPECT_EQ(verify_aggregate(aggregate, kV2, std::span(sectors.claims).first(1), options_)
                .error()
                .section,
            "n");
}

TEST_F(AggregateVectors, ProofsThatDoNotHoldAreNamed) {
  RecordedAggregate sectors = test::recorded_sectors_of_aggregate();
  std::swap(sectors.proofs[0], sectors.proofs[2]);
  const auto made = aggregate_porep(sectors.config(), kV2, sectors.views(), options_);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(made.error().section, "proof of sector 1; proof of sector 3");
}

TEST_F(AggregateVectors, PartitionsThatDoNotHoldAreNamed) {
  RecordedAggregate sector = test::recorded_non_interactive();
  constexpr std::ptrdiff_t kProofBytes = 192;
  auto& bytes = sector.proofs.front();
  std::swap_ranges(bytes.begin() + 3 * kProofBytes, bytes.begin() + 4 * kProofBytes,
                   bytes.begin() + 7 * kProofBytes);
  const auto made = aggregate_porep(sector.config(), kV2, sector.views(), options_);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(made.error().section, sector.names.front() + " partition 3, 7");
}

}  // namespace
}  // namespace belfry::engine
