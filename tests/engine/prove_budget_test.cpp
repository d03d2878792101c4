// The memory that a backend gets is what is allowed less the witnesses of the batch.
#include "belfry/engine/prove_budget.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <string>

#include "belfry/base/memory.h"
#include "belfry/groth16/prove/cpu_backend.h"
#include "groth16/blocks_system.h"
#include "groth16/support.h"

namespace belfry::engine {
namespace {

using groth16::test::value_of;

constexpr std::size_t kPartitions = 3;
constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

class ProveBudget : public testing::Test {
 protected:
  [[nodiscard]] JobOptions options(std::uint64_t asked) const {
    return {.params_dir = {}, .cache_dir = {}, .memory_budget_bytes = asked, .executor = executor_};
  }
  [[nodiscard]] Result<std::uint64_t> ask(std::uint64_t asked) const {
    return prove_budget(*backend_, shape_, kPartitions, options(asked));
  }

  Executor executor_{1};
  std::unique_ptr<groth16::Backend> backend_ = groth16::make_cpu_backend(executor_);
  groth16::test::BlocksSystem system_{5, 65};
  r1cs::Shape shape_ = value_of(r1cs::extract_shape("blocks", system_));
  std::uint64_t witnesses_ = witness_bytes(shape_.layout(), kPartitions);
  std::uint64_t backend_needs_ =
      value_of(backend_->plan(shape_, kPartitions, kNoLimit)).host_bytes();
};

TEST_F(ProveBudget, WitnessBytesAreWhatWitnessesHold) {
  const auto witness = value_of(r1cs::compute_witness(shape_.layout(), system_, executor_));
  EXPECT_EQ(witness_bytes(shape_.layout(), 1), witness.memory_bytes());
  EXPECT_EQ(witnesses_, kPartitions * witness.memory_bytes());
  EXPECT_EQ(witness_bytes(shape_.layout(), 0), 0U);
}

TEST_F(ProveBudget, TheBackendGetsTheRest) {
  EXPECT_EQ(value_of(ask(witnesses_ + backend_needs_)), backend_needs_);
  EXPECT_EQ(value_of(ask(witnesses_ + backend_needs_ + 7)), backend_needs_ + 7);
}

TEST_F(ProveBudget, WitnessesCountAgainstAnAskedBudget) {
  // Enough for the backend alone, for the witnesses alone, for nothing.
  for (const std::uint64_t asked : {witnesses_ + backend_needs_ - 1, backend_needs_, witnesses_,
                                    witnesses_ - 1, std::uint64_t{1}}) {
    const auto refused = ask(asked);
    ASSERT_FALSE(refused) << asked;
    EXPECT_EQ(refused.error().code, ErrorCode::kResourceExhausted);
    EXPECT_EQ(refused.error().expected, std::to_string(witnesses_ + backend_needs_) + " bytes");
    EXPECT_EQ(refused.error().found, std::to_string(asked) + " bytes");
    EXPECT_NE(refused.error().hint.find(std::to_string(witnesses_)), std::string::npos);
  }
}

TEST_F(ProveBudget, WithoutAnAskedOneTheMachineDecides) {
  const std::uint64_t budget = value_of(ask(0));
  EXPECT_GE(budget, backend_needs_);
  EXPECT_LE(budget + witnesses_, memory_limit_bytes());
}

}  // namespace
}  // namespace belfry::engine
