#include <gtest/gtest.h>

#include <string>

#include "belfry/filecoin/update/job.h"
#include "filecoin/update_circuits.h"
#include "filecoin/update_witnesses.h"
#include "filecoin/updated_sector.h"
#include "support/vectors.h"

namespace belfry::filecoin {
namespace {

class UpdateLargeSizes : public testing::TestWithParam<const char*> {};

TEST_P(UpdateLargeSizes, ShapeEqualsTheReference) { (void)test::expect_update_shape(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Slow, UpdateLargeSizes,
                         testing::Values("update-1KiB", "update-4KiB", "update-8KiB",
                                         "update-16KiB", "update-32KiB", "update-8MiB",
                                         "update-16MiB", "update-512MiB", "update-32GiB",
                                         "update-64GiB"));

TEST(SectorUpdate, EightMibEqualsTheReference) { test::expect_update_of("update-8mib-vanilla"); }

TEST(UpdateWitnessByHand, SecondPartitionEqualsTheSpecification) {
  test::expect_update_by_hand("update-16KiB");
}

}  // namespace
}  // namespace belfry::filecoin
