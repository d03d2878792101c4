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

class BudgetOfABatch : public testing::Test {
 protected:
  [[nodiscard]] JobOptions options(std::uint64_t asked) const {
    return {.params_dir = {}, .cache_dir = {}, .memory_budget_bytes = asked, .executor = executor_};
  }
  [[nodiscard]] Result<ProveBudget> ask(std::uint64_t asked) const {
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

TEST_F(BudgetOfABatch, WitnessBytesAreWhatWitnessesHold) {
  const auto witness = value_of(r1cs::compute_witness(shape_.layout(), system_, executor_));
  EXPECT_EQ(witness_bytes(shape_.layout(), 1), witness.memory_bytes());
  EXPECT_EQ(witnesses_, kPartitions * witness.memory_bytes());
  EXPECT_EQ(witness_bytes(shape_.layout(), 0), 0U);
}

TEST_F(BudgetOfABatch, TheBackendGetsTheRest) {
  for (const std::uint64_t more : {0U, 7U}) {
    const ProveBudget budget = value_of(ask(witnesses_ + backend_needs_ + more));
    EXPECT_EQ(budget.partitions, kPartitions);
    EXPECT_EQ(budget.backend_bytes, backend_needs_ + more);
  }
}

TEST_F(BudgetOfABatch, WithLessMemoryItGoesInEqualBatches) {
  const std::uint64_t one = witness_bytes(shape_.layout(), 1);
  for (std::size_t partitions = 1; partitions <= 20; ++partitions) {
    for (std::size_t fit = 1; fit <= partitions; ++fit) {
      const std::uint64_t asked = backend_needs_ + fit * one + one - 1;
      const ProveBudget budget =
          value_of(prove_budget(*backend_, shape_, partitions, options(asked)));
      // As many batches as full ones would be, and none larger than it must be.
      const auto batches = [&](std::size_t size) {
        return size == 0 ? kNoLimit : (partitions + size - 1) / size;
      };
      EXPECT_LE(budget.partitions, fit);
      EXPECT_EQ(batches(budget.partitions), batches(fit));
      EXPECT_GT(batches(budget.partitions - 1), batches(fit)) << partitions << " " << fit;
      EXPECT_EQ(budget.backend_bytes, asked - budget.partitions * one);
    }
  }
}

TEST_F(BudgetOfABatch, TheWitnessCountsAgainstAnAskedBudget) {
  // Enough for the backend alone, for a witness alone, for nothing.
  const std::uint64_t witness = witness_bytes(shape_.layout(), 1);
  for (const std::uint64_t asked :
       {witness + backend_needs_ - 1, backend_needs_, witness, witness - 1, std::uint64_t{1}}) {
    const auto refused = ask(asked);
    ASSERT_FALSE(refused) << asked;
    EXPECT_EQ(refused.error().code, ErrorCode::kResourceExhausted);
    EXPECT_EQ(refused.error().expected, std::to_string(witness + backend_needs_) + " bytes");
    EXPECT_EQ(refused.error().found, std::to_string(asked) + " bytes");
    EXPECT_NE(refused.error().hint.find(std::to_string(witness)), std::string::npos);
  }
}

TEST_F(BudgetOfABatch, WithoutAnAskedOneTheMachineDecides) {
  const ProveBudget budget = value_of(ask(0));
  EXPECT_EQ(budget.partitions, kPartitions);
  EXPECT_GE(budget.backend_bytes, backend_needs_);
  EXPECT_LE(budget.backend_bytes + witnesses_, memory_limit_bytes());
  // What other processes hold is not there; so much they may take from one call to the next.
  constexpr std::uint64_t kMoves = std::uint64_t{128} << 20;
  EXPECT_LE(allowed_memory_bytes(options(0)), available_memory_bytes() + kMoves);
}

}  // namespace
}  // namespace belfry::engine
