#include <gtest/gtest.h>

#include "filecoin/small_sector.h"
#include "support/vectors.h"

namespace belfry::filecoin {
namespace {

TEST(GraphSlow, ParentCacheDigestsOfEightMebibytes) {
  const test::JsonFile golden("filecoin/native.json");
  for (const auto row : golden["parents_cache"].get_array()) {
    Bytes32 id{};
    id[0] = static_cast<std::uint8_t>(test::number(row["porep_id"]));
    EXPECT_EQ(test::parent_cache_digest(test::number(row["nodes"]), id,
                                        test::api_version(test::text(row["api"]))),
              test::text(row["digest"]));
  }
}

}  // namespace
}  // namespace belfry::filecoin
