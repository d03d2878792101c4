// Under policy auto a device that can not plan or prove gives way to the CPU, which tells so; what
// is no fault of the device, and what was asked of the device alone, ends the job.
#include "belfry/engine/jobs/partition_proofs.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "belfry/engine/jobs/checked_proofs.h"
#include "belfry/engine/prove_budget.h"
#include "belfry/groth16/keygen/keygen.h"
#include "belfry/groth16/prove/cpu_backend.h"
#include "belfry/groth16/verify/verify.h"
#include "engine/listener.h"
#include "groth16/blocks_system.h"
#include "groth16/recorded.h"
#include "groth16/support.h"
#include "support/temp_dir.h"

namespace belfry::engine {
namespace {

using groth16::test::value_of;

constexpr std::uint32_t kPartitions = 3;

Error device_error(ErrorCode code) {
  return Error{code, "gpu.memory", "the card is full"}.with_hint("Free it");
}

/// What the device of a test does.
struct Behaviour {
  std::optional<ErrorCode> plan_error{};
  std::optional<ErrorCode> run_error{};
  int good_runs = 0;         ///< before the error
  bool wrong_sums = false;   ///< its proofs do not verify
  bool has_derived = false;  ///< derived parameters had part in them; without there is no room
};

/// The CPU under the name of a device that fails as it is told to.
class FailingDevice final : public groth16::Backend {
 public:
  FailingDevice(const Executor& executor, const Behaviour& behaviour)
      : cpu_(groth16::make_cpu_backend(executor)), behaviour_(behaviour) {}

  [[nodiscard]] std::string_view name() const noexcept override { return "cuda"; }
  [[nodiscard]] std::string device() const override { return "a test"; }
  [[nodiscard]] Result<groth16::Plan> plan(const r1cs::Shape& shape, std::size_t partitions,
                                           std::uint64_t budget_bytes) const override {
    if (behaviour_.plan_error) return fail(device_error(*behaviour_.plan_error));
    if (distrusted_) return fail(device_error(ErrorCode::kResourceExhausted));
    return cpu_->plan(shape, partitions, budget_bytes);
  }
  void distrust(const groth16::Parameters& /*parameters*/,
                const std::filesystem::path& derived) const override {
    distrusted_ = !derived.empty();
  }
  [[nodiscard]] Result<groth16::BatchSums> run(const groth16::ProveBatchView& batch,
                                               const groth16::Plan& plan) const override {
    if (behaviour_.run_error && runs_++ >= behaviour_.good_runs) {
      return fail(device_error(*behaviour_.run_error));
    }
    auto sums = cpu_->run(batch, plan);
    if (sums && behaviour_.wrong_sums) sums->partitions[0].h = sums->partitions[0].l;
    if (sums && behaviour_.has_derived) sums->derived = "/somewhere/x.derived";
    return sums;
  }

 private:
  std::unique_ptr<groth16::Backend> cpu_;
  Behaviour behaviour_;
  mutable int runs_ = 0;
  mutable bool distrusted_ = false;
};

class PartitionsOfAJob : public testing::Test {
 protected:
  PartitionsOfAJob() {
    (void)value_of(groth16::make_test_parameters(shape_, groth16::test::recorded_trapdoor(),
                                                 dir_.path(), "blocks", {executor_}));
    parameters_.emplace(value_of(groth16::Parameters::open(dir_ / "blocks.params")));
    const auto inputs = witness_.inputs().subspan(1);
    public_inputs_ = {inputs.begin(), inputs.end()};
  }

  [[nodiscard]] JobOptions options(BackendPolicy policy = BackendPolicy::kAuto) {
    return {.params_dir = {},
            .cache_dir = {},
            .backend = policy,
            .executor = executor_,
            .tracer = listener_.tracer()};
  }
  [[nodiscard]] Result<VerifiedProof> prove(const Behaviour& behaviour, const JobOptions& options) {
    prepared_ = 0;
    const ProofJob job{.circuit = *filecoin::find_circuit("porep-2KiB"),
                       .partitions = kPartitions,
                       .prepare = [this](const r1cs::WitnessLayout& layout,
                                         std::uint32_t) -> Result<filecoin::PreparedPartition> {
                         ++prepared_;
                         BELFRY_TRY(auto witness,
                                    r1cs::compute_witness(layout, system_, executor_));
                         return filecoin::PreparedPartition{public_inputs_, std::move(witness)};
                       },
                       .claims_checked = claims_checked_};
    return prove_partitions(std::make_unique<FailingDevice>(executor_, behaviour),
                            {job, *parameters_, shape_, {}}, options);
  }
  void expect_proved(const Result<VerifiedProof>& made, std::string_view backend) {
    ASSERT_TRUE(made) << made.error().describe();
    EXPECT_EQ(made->backend, backend);
    EXPECT_EQ(made->device == "a test", backend == "cuda") << made->device;
    EXPECT_EQ(made->partitions, kPartitions);
    const auto proofs = value_of(groth16::parse_proofs(made->proof, kPartitions));
    EXPECT_TRUE(value_of(
        groth16::verify_batch(groth16::PreparedVerifyingKey(parameters_->verifying_key()), proofs,
                              std::vector(kPartitions, public_inputs_), executor_)));
    EXPECT_EQ(listener_.counted(kBackendFallbacks), backend == "cpu" ? 1 : 0);
  }
  /// The device's error, and no fallback.
  void expect_refused(const Result<VerifiedProof>& made, ErrorCode code) {
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, code) << made.error().describe();
    EXPECT_EQ(made.error().message, "the card is full");
    EXPECT_TRUE(made.error().hint.starts_with("Free it")) << made.error().hint;
    EXPECT_EQ(listener_.counted(kBackendFallbacks), 0);
  }
  /// Memory for so many witnesses beside the CPU's plan.
  [[nodiscard]] std::uint64_t budget_for(std::size_t partitions) const {
    const auto plan = value_of(groth16::make_cpu_backend(executor_)->plan(
        shape_, partitions, std::numeric_limits<std::uint64_t>::max()));
    return plan.host_bytes() + witness_bytes(shape_.layout(), partitions);
  }

  Executor executor_{1};
  belfry::test::TempDir dir_;
  groth16::test::BlocksSystem system_{1, 5};
  r1cs::Shape shape_ = value_of(r1cs::extract_shape("blocks", system_));
  r1cs::PackedWitness witness_ =
      value_of(r1cs::compute_witness(shape_.layout(), system_, executor_));
  std::vector<Fr> public_inputs_;
  std::optional<groth16::Parameters> parameters_;
  bool claims_checked_ = false;
  int prepared_ = 0;
  test::Listener listener_;
};

TEST_F(PartitionsOfAJob, AreProvedByADeviceThatCan) {
  expect_proved(prove({}, options()), "cuda");
  EXPECT_EQ(prepared_, 3);
}

TEST_F(PartitionsOfAJob, GoToTheCpuWhereNoPlanFitsTheDevice) {
  expect_proved(prove({.plan_error = ErrorCode::kResourceExhausted}, options()), "cpu");
}

TEST_F(PartitionsOfAJob, GoToTheCpuWhereTheDeviceFails) {
  for (const ErrorCode code :
       {ErrorCode::kResourceExhausted, ErrorCode::kDeviceLost, ErrorCode::kBackendFailed}) {
    const double before = listener_.counted(kBackendFallbacks);
    const auto made = prove({.run_error = code}, options());
    ASSERT_TRUE(made) << made.error().describe();
    EXPECT_EQ(made->backend, "cpu");
    EXPECT_EQ(listener_.counted(kBackendFallbacks), before + 1);
  }
}

/// A card too small for the `.params` file alone: the CPU has them.
TEST_F(PartitionsOfAJob, GoToTheCpuWhereDerivedParametersAreBadAndThereIsNoRoomWithout) {
  const Behaviour bad{.wrong_sums = true, .has_derived = true};
  expect_proved(prove(bad, options()), "cpu");
  EXPECT_EQ(listener_.counted(kDerivedDistrusted), 1);
  const auto cuda = prove(bad, options(BackendPolicy::kCuda));
  ASSERT_FALSE(cuda);
  EXPECT_EQ(cuda.error().stage, kSelfCheckStage);
  EXPECT_EQ(listener_.counted(kBackendFallbacks), 1);
}

TEST_F(PartitionsOfAJob, KeepWhatTheDeviceProvedBeforeItFailed) {
  JobOptions little = options();
  little.memory_budget_bytes = budget_for(1);
  expect_proved(prove({.run_error = ErrorCode::kDeviceLost, .good_runs = 2}, little), "cpu");
  // Once before the first proof, once for each proof, and the third again for the CPU.
  EXPECT_EQ(prepared_, 3 + 3 + 1);
}

TEST_F(PartitionsOfAJob, AreNotPreparedForNothingWhereTheirClaimsAreChecked) {
  JobOptions little = options();
  little.memory_budget_bytes = budget_for(1);
  expect_proved(prove({}, little), "cuda");
  EXPECT_EQ(prepared_, 3 + 3);
  claims_checked_ = true;
  expect_proved(prove({}, little), "cuda");
  EXPECT_EQ(prepared_, 3);
}

TEST_F(PartitionsOfAJob, EndWithTheDevicesErrorUnderPolicyCuda) {
  const JobOptions cuda = options(BackendPolicy::kCuda);
  expect_refused(prove({.plan_error = ErrorCode::kResourceExhausted}, cuda),
                 ErrorCode::kResourceExhausted);
  expect_refused(prove({.run_error = ErrorCode::kResourceExhausted}, cuda),
                 ErrorCode::kResourceExhausted);
  expect_refused(prove({.run_error = ErrorCode::kDeviceLost}, cuda), ErrorCode::kDeviceLost);
}

TEST_F(PartitionsOfAJob, EndWithTheDevicesErrorWhereTheCpuHasNoRoomEither) {
  JobOptions little = options();
  little.memory_budget_bytes = 1;
  const auto made = prove({.plan_error = ErrorCode::kResourceExhausted}, little);
  expect_refused(made, ErrorCode::kResourceExhausted);
  EXPECT_NE(made.error().hint.find("The CPU can not do it either: "), std::string::npos);
}

TEST_F(PartitionsOfAJob, EndWithErrorsThatAreNotOfTheDevice) {
  for (const ErrorCode code :
       {ErrorCode::kInvalidInput, ErrorCode::kCancelled, ErrorCode::kInternal}) {
    expect_refused(prove({.run_error = code}, options()), code);
  }
  const auto wrong = prove({.wrong_sums = true}, options());
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::kBackendFailed);
  EXPECT_EQ(wrong.error().stage, kSelfCheckStage);
  EXPECT_EQ(listener_.counted(kBackendFallbacks), 0);
}

}  // namespace
}  // namespace belfry::engine
