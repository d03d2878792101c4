#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "belfry/filecoin/update/circuit.h"
#include "belfry/filecoin/update/job.h"
#include "filecoin/recorded_witness.h"
#include "filecoin/small_update.h"
#include "filecoin/update_witnesses.h"
#include "support/vectors.h"

namespace belfry::filecoin {
namespace {

TEST(UpdateWitness, EqualsTheReference) {
  const Executor executor;
  const VanillaUpdate update = test::read_recorded_update("update-2kib");
  const auto shape = update_shape(*update.sector);
  ASSERT_TRUE(shape);
  const auto prepared = prepare_update_partition(shape->layout(), update, 0, executor);
  ASSERT_TRUE(prepared) << prepared.error().describe();
  const test::JsonFile golden("update-2kib/witness.json");
  test::expect_witness(golden["partitions"].at(0), *shape, prepared->witness, executor);
  EXPECT_TRUE(std::ranges::equal(prepared->public_inputs, prepared->witness.inputs().subspan(1)));
  EXPECT_FALSE(prepare_update_partition(shape->layout(), update, 1, executor));
  EXPECT_FALSE(prepare_checked_update_partition(shape->layout(), update, 1, executor));
}

TEST(UpdateWitnessByHand, EqualsTheSpecification) { test::expect_update_by_hand("update-2KiB"); }

}  // namespace
}  // namespace belfry::filecoin
