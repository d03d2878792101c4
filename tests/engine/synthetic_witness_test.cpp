#include "belfry/engine/jobs/synthetic_witness.h"

#include <gtest/gtest.h>

#include "belfry/filecoin/circuits.h"
#include "belfry/r1cs/multiply.h"

namespace belfry::engine {
namespace {

class MakingSyntheticWitnesses : public testing::Test {
 protected:
  static filecoin::Circuit circuit(std::string_view name) {
    auto found = filecoin::find_circuit(name);
    EXPECT_TRUE(found) << name;
    return *found;
  }
  Executor executor_{2};
  JobOptions options_{.params_dir = {}, .cache_dir = {}, .executor = executor_};
};

TEST_F(MakingSyntheticWitnesses, SatisfyTheirCircuits) {
  for (const auto& [name, partitions] : {std::pair{"winning-2KiB", 1u}, {"window-2KiB", 2u}}) {
    SCOPED_TRACE(name);
    const auto shape = filecoin::circuit_shape(circuit(name));
    ASSERT_TRUE(shape);
    const auto sector = SyntheticSector::create(circuit(name), partitions, options_);
    ASSERT_TRUE(sector) << sector.error().describe();
    EXPECT_EQ(sector->partitions(), partitions);
    const auto witnesses = sector->witnesses(shape->layout(), options_);
    ASSERT_TRUE(witnesses) << witnesses.error().describe();
    ASSERT_EQ(witnesses->values.size(), partitions);
    for (unsigned k = 0; k < partitions; ++k) {
      const r1cs::PackedWitness& witness = witnesses->values[k];
      const auto inputs = witness.inputs().subspan(1);
      EXPECT_EQ(witnesses->public_inputs[k], std::vector<Fr>(inputs.begin(), inputs.end()));
      std::vector<Fr> a(shape->rows());
      std::vector<Fr> b(shape->rows());
      std::vector<Fr> c(shape->rows());
      ASSERT_TRUE(r1cs::multiply(*shape, r1cs::Matrix::kA, witness, a, executor_));
      ASSERT_TRUE(r1cs::multiply(*shape, r1cs::Matrix::kB, witness, b, executor_));
      ASSERT_TRUE(r1cs::multiply(*shape, r1cs::Matrix::kC, witness, c, executor_));
      std::size_t broken = 0;
      for (std::size_t i = 0; i < a.size(); ++i) broken += a[i] * b[i] == c[i] ? 0 : 1;
      EXPECT_EQ(broken, 0U);
    }
  }
}

TEST_F(MakingSyntheticWitnesses, HaveTheUsualPartitions) {
  EXPECT_EQ(usual_partitions(circuit("porep-32GiB")), 10U);
  EXPECT_EQ(usual_partitions(circuit("porep-2KiB")), 1U);
  EXPECT_EQ(usual_partitions(circuit("window-32GiB")), 1U);
  EXPECT_EQ(usual_partitions(circuit("winning-32GiB")), 1U);
}

TEST_F(MakingSyntheticWitnesses, AreMissingForSnapDeals) {
  const auto refused = SyntheticSector::create(circuit("update-2KiB"), 1, options_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(refused.error().section, "update-2KiB");
}

}  // namespace
}  // namespace belfry::engine
