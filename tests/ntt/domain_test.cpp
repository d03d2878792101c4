#include "belfry/ntt/domain.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "belfry/base/error.h"
#include "belfry/field/fr.h"

namespace belfry::ntt {
namespace {

TEST(Domain, RootHasExactOrder) {
  for (unsigned log_size = 0; log_size <= Domain::kMaxLogSize; ++log_size) {
    const auto domain = Domain::of_log_size(log_size);
    ASSERT_TRUE(domain.has_value()) << log_size;
    EXPECT_EQ(domain->size(), std::uint64_t{1} << log_size);
    EXPECT_EQ(domain->omega().pow(domain->size()), Fr::one());
    if (log_size > 0) {
      EXPECT_EQ(domain->omega().pow(domain->size() / 2), -Fr::one());
    }
    EXPECT_EQ(domain->omega() * domain->omega_inverse(), Fr::one());
    EXPECT_EQ(domain->size_inverse() * Fr::from_u64(domain->size()), Fr::one());
    EXPECT_EQ(domain->shift_inverse() * Fr::from_u64(7), Fr::one());
    EXPECT_EQ(domain->vanishing(domain->shift()) * domain->vanishing_inverse(), Fr::one());
    EXPECT_EQ(domain->vanishing(domain->omega()), Fr::zero());
    EXPECT_EQ(domain->vanishing(domain->shift() * domain->omega()),
              domain->vanishing(domain->shift()));
  }
}

TEST(Domain, LargestRootIsThatOfTheSpecification) {
  const Fr root{{0xb9b58d8c5f0e466a, 0x5b1b4c801819d7ec, 0x0af53ae352a31e64, 0x5bf3adda19e9b27b}};
  EXPECT_EQ(Domain::of_log_size(32)->omega(), root);
}

TEST(Domain, NoLargerSubgroup) {
  const auto domain = Domain::of_log_size(33);
  ASSERT_FALSE(domain.has_value());
  EXPECT_EQ(domain.error().code, ErrorCode::kInvalidInput);
  EXPECT_FALSE(Domain::of_log_size(~0U).has_value());
}

TEST(Domain, CoversRows) {
  EXPECT_EQ(Domain::for_rows(0)->size(), 1U);
  EXPECT_EQ(Domain::for_rows(1)->size(), 1U);
  EXPECT_EQ(Domain::for_rows(2)->size(), 2U);
  EXPECT_EQ(Domain::for_rows(3)->size(), 4U);
  EXPECT_EQ(Domain::for_rows(256)->size(), 256U);
  EXPECT_EQ(Domain::for_rows(257)->size(), 512U);
  EXPECT_EQ(Domain::for_rows(std::uint64_t{1} << 31)->log_size(), 31U);
}

TEST(Domain, TooManyRows) {
  for (const std::uint64_t rows :
       {(std::uint64_t{1} << 31) + 1, std::uint64_t{1} << 32, ~std::uint64_t{0}}) {
    const auto domain = Domain::for_rows(rows);
    ASSERT_FALSE(domain.has_value()) << rows;
    EXPECT_EQ(domain.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(domain.error().found, std::to_string(rows));
  }
}

}  // namespace
}  // namespace belfry::ntt
