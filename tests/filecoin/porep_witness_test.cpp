#include <gtest/gtest.h>

#include <string>

#include "belfry/filecoin/formats/c1.h"
#include "belfry/filecoin/native/challenges.h"
#include "belfry/filecoin/porep/circuit.h"
#include "belfry/filecoin/porep/public_inputs.h"
#include "belfry/filecoin/porep/witness.h"
#include "belfry/r1cs/aux_values.h"
#include "belfry/r1cs/digest.h"
#include "filecoin/cases.h"
#include "filecoin/recorded_witness.h"
#include "filecoin/small_sector.h"
#include "support/vectors.h"

namespace belfry::filecoin {
namespace {

const r1cs::Shape& two_kib_shape() {
  static const r1cs::Shape shape = *porep_shape(**find_sector("2KiB"));
  return shape;
}

class PorepWitness : public testing::TestWithParam<const char*> {};

TEST_P(PorepWitness, EqualsTheReference) {
  const std::string folder = GetParam();
  const Executor executor;
  const auto c1 = parse_c1(test::read_vector(folder + "/c1.json"), "c1.json");
  ASSERT_TRUE(c1) << c1.error().describe();
  const test::JsonFile golden(folder + "/witness.json");
  std::uint32_t k = 0;
  for (const auto partition : golden["partitions"].get_array()) {
    SCOPED_TRACE(k);
    const auto witness = porep_witness(two_kib_shape().layout(), *c1, k, executor);
    ASSERT_TRUE(witness) << witness.error().describe();
    test::expect_witness(partition, two_kib_shape(), *witness, executor);
    const auto inputs = porep_public_inputs(c1->config, porep_statement(*c1), k);
    ASSERT_TRUE(inputs);
    EXPECT_TRUE(std::equal(inputs->begin(), inputs->end(), witness->inputs().begin() + 1,
                           witness->inputs().end()));
    ++k;
  }
  EXPECT_EQ(k, c1->config.partitions());
  EXPECT_FALSE(porep_witness(two_kib_shape().layout(), *c1, k, executor));
}

INSTANTIATE_TEST_SUITE_P(Vectors, PorepWitness,
                         testing::Values("porep-2kib-v1_0", "porep-2kib-v1_1",
                                         "porep-2kib-v1_2-synthetic", "porep-2kib-ni"));

TEST(PorepWitness32Kib, EqualsTheReference) {
  const Executor executor;
  const PorepConfig config = test::config_32kib();
  const auto c1 =
      parse_c1_inner(test::read_vector("porep-32kib/c1-inner.json"), config, "c1-inner.json");
  ASSERT_TRUE(c1) << c1.error().describe();
  const auto shape = porep_shape(*config.sector);
  ASSERT_TRUE(shape);
  const auto witness = porep_witness(shape->layout(), *c1, 0, executor);
  ASSERT_TRUE(witness) << witness.error().describe();
  const test::JsonFile golden("porep-32kib/witness.json");
  test::expect_witness(golden["partitions"].at(0), *shape, *witness, executor);
  // A layout of another circuit is refused.
  EXPECT_FALSE(porep_witness(two_kib_shape().layout(), *c1, 0, executor));
}

TEST(PorepWitnessByHand, EqualsTheSpecification) {
  const Executor executor;
  const test::JsonFile golden("filecoin/native.json");
  for (const auto row : golden["porep_2kib"].get_array()) {
    const C1Output c1 = test::prove_small_sector(test::make_small_sector(
        test::number(row["porep_id"]), test::api_version(test::text(row["api"]))));
    const auto witness = porep_witness(two_kib_shape().layout(), c1, 0, executor);
    ASSERT_TRUE(witness);
    EXPECT_EQ(to_hex(r1cs::aux_digest(two_kib_shape(), *witness)), test::text(row["aux_digest"]));
    EXPECT_EQ(test::checked_abc_digest(two_kib_shape(), *witness, executor),
              test::text(row["abc_digest"]));
    EXPECT_EQ(r1cs::WitnessLookupView(two_kib_shape(), *witness).aux(300),
              test::fr_from_big_endian(test::text(row["aux_300"])));
  }
}

TEST(PorepPublicInputs, EqualTheSealedSectors) {
  for (const char* folder : {"porep-2kib-v1_0", "porep-2kib-v1_1", "porep-2kib-v1_2-synthetic",
                             "porep-2kib-ni", "porep-8mib-v1_1-vanilla"}) {
    const test::JsonFile sector(std::string(folder) + "/sector.json");
    const auto node = [&](const char* key) {
      return *FrBytes::parse(*bytes32_from_hex(std::string_view(sector[key])));
    };
    const PorepConfig config = find_seal_proof(test::text(sector["registered_proof"]))->config();
    const PorepStatement statement{node("replica_id"), node("comm_d"), node("comm_r"),
                                   *bytes32_from_hex(std::string_view(sector["seed"]))};
    std::uint32_t k = 0;
    for (const auto partition : sector["public_inputs"].get_array()) {
      std::vector<Fr> expected;
      for (const auto value : partition.get_array()) {
        expected.push_back(test::fr_from_big_endian(test::text(value)));
      }
      EXPECT_EQ(*porep_public_inputs(config, statement, k), expected) << folder << k;
      ++k;
    }
    EXPECT_EQ(k, config.partitions());
    EXPECT_EQ(porep_public_inputs(config, statement, k).error().code, ErrorCode::kInvalidInput);
  }
}

}  // namespace
}  // namespace belfry::filecoin
