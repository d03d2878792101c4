// A proof with bad derived parameters is made again without them, and a bad one never leaves.
#include "belfry/engine/jobs/checked_proofs.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "belfry/groth16/keygen/keygen.h"
#include "belfry/groth16/prove/cpu_backend.h"
#include "belfry/groth16/verify/verify.h"
#include "engine/listener.h"
#include "groth16/blocks_system.h"
#include "groth16/recorded.h"
#include "groth16/support.h"
#include "support/points.h"
#include "support/temp_dir.h"

namespace belfry::engine {
namespace {

using groth16::test::value_of;

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

/// What becomes of the sums of a partition.
using Spoil = void (*)(groth16::PartialSums&);

template <class Curve>
void add_beside_subgroup(curve::Affine<Curve>& sum) {
  std::mt19937_64 rng(1);
  sum = (curve::Jacobian<Curve>::from_affine(sum) + belfry::test::point_beside_subgroup<Curve>(rng))
            .to_affine();
}

constexpr const char* kDerived = "/somewhere/x.derived";

/// What the backend of a test does.
struct Behaviour {
  bool has_derived = true;   ///< says that derived parameters had part in its proofs
  bool good_without = true;  ///< right sums once they are distrusted
  bool room_without = true;  ///< a plan without them fits
  std::size_t bad_partition = 1;
  Spoil spoil = [](groth16::PartialSums& sums) { sums.h = sums.l; };
  /// What another caller does between a batch and its check.
  std::function<void(const groth16::Backend&)> meanwhile{};
};

/// The CPU, with wrong sums in one partition until its derived parameters are distrusted.
class WrongUntilDistrusted final : public groth16::Backend {
 public:
  WrongUntilDistrusted(const Executor& executor, const Behaviour& behaviour)
      : cpu_(groth16::make_cpu_backend(executor)), behaviour_(behaviour) {}

  [[nodiscard]] std::string_view name() const noexcept override { return "cuda"; }
  [[nodiscard]] std::string device() const override { return "a test"; }
  [[nodiscard]] Result<groth16::Plan> plan(const r1cs::Shape& shape, std::size_t partitions,
                                           std::uint64_t budget_bytes) const override {
    return cpu_->plan(shape, partitions, budget_bytes);
  }
  [[nodiscard]] Result<groth16::Plan> plan_with(const groth16::Parameters& /*parameters*/,
                                                const r1cs::Shape& shape, std::size_t partitions,
                                                std::uint64_t budget_bytes) const override {
    const bool fits = !distrusted_ || behaviour_.room_without;
    return cpu_->plan(shape, partitions, fits ? budget_bytes : 1);
  }
  void distrust(const groth16::Parameters& parameters,
                const std::filesystem::path& derived) const override {
    blamed_.emplace_back(parameters.path(), derived);
    if (!derived.empty()) distrusted_ = true;
  }
  [[nodiscard]] Result<groth16::BatchSums> run(const groth16::ProveBatchView& batch,
                                               const groth16::Plan& plan) const override {
    auto sums = cpu_->run(batch, plan);
    ++runs_;
    if (sums && !(distrusted_ && behaviour_.good_without)) {
      behaviour_.spoil(sums->partitions.at(behaviour_.bad_partition));
    }
    if (sums && behaviour_.has_derived && !distrusted_) sums->derived = kDerived;
    if (behaviour_.meanwhile) behaviour_.meanwhile(*this);
    return sums;
  }
  [[nodiscard]] int runs() const { return runs_; }
  /// Parameters whose proofs did not verify, and the derived file that had part in them.
  using Blamed = std::vector<std::pair<std::filesystem::path, std::filesystem::path>>;
  [[nodiscard]] const Blamed& blamed() const { return blamed_; }

 private:
  std::unique_ptr<groth16::Backend> cpu_;
  Behaviour behaviour_;
  mutable std::atomic<bool> distrusted_ = false;
  mutable std::atomic<int> runs_ = 0;
  mutable Blamed blamed_;
};

class CheckedProofsOfABatch : public testing::Test {
 protected:
  CheckedProofsOfABatch() {
    (void)value_of(groth16::make_test_parameters(shape_, groth16::test::recorded_trapdoor(),
                                                 dir_.path(), "blocks", {executor_}));
    parameters_.emplace(value_of(groth16::Parameters::open(dir_ / "blocks.params")));
    const auto inputs = witnesses_.front().inputs().subspan(1);
    public_inputs_.assign(2, {inputs.begin(), inputs.end()});
  }
  [[nodiscard]] Result<CheckedProofs> make(const groth16::Backend& backend,
                                           BackendPolicy policy = BackendPolicy::kAuto) {
    const groth16::ProveBatchView batch{*parameters_, shape_, witnesses_};
    return make_checked_proofs({backend, batch, {}, public_inputs_, 4, kNoLimit},
                               {.params_dir = {},
                                .cache_dir = {},
                                .backend = policy,
                                .executor = executor_,
                                .tracer = listener_.tracer()});
  }
  void expect_good(const CheckedProofs& made) {
    EXPECT_TRUE(
        value_of(groth16::verify_bytes(groth16::PreparedVerifyingKey(parameters_->verifying_key()),
                                       made.proofs, public_inputs_, executor_)));
  }
  void expect_withheld(const Result<CheckedProofs>& made) {
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::kBackendFailed);
    EXPECT_TRUE(made.error().message.starts_with("self-check failed")) << made.error().describe();
    EXPECT_EQ(made.error().section, "partitions 5");
    EXPECT_EQ(made.error().file, parameters_->path().string());
  }

  Executor executor_{1};
  belfry::test::TempDir dir_;
  groth16::test::BlocksSystem system_{1, 5};
  r1cs::Shape shape_ = value_of(r1cs::extract_shape("blocks", system_));
  std::vector<r1cs::PackedWitness> witnesses_{
      2, value_of(r1cs::compute_witness(shape_.layout(), system_, executor_))};
  std::vector<std::vector<Fr>> public_inputs_;
  std::optional<groth16::Parameters> parameters_;
  test::Listener listener_;
};

TEST_F(CheckedProofsOfABatch, BadDerivedParametersAreLeftOutAndTheProofIsMadeAgain) {
  const WrongUntilDistrusted backend(executor_, {});
  const CheckedProofs made = value_of(make(backend));
  expect_good(made);
  EXPECT_EQ(backend.runs(), 2);
  EXPECT_EQ(listener_.counted(kDerivedDistrusted), 1);
  EXPECT_EQ(listener_.counted(kSelfCheckFailures), 1);
  // The next proof does without at once.
  EXPECT_TRUE(make(backend));
  EXPECT_EQ(backend.runs(), 3);
}

TEST_F(CheckedProofsOfABatch, WithoutDerivedParametersABadProofIsWithheldAtOnce) {
  const WrongUntilDistrusted backend(executor_, {.has_derived = false});
  const auto made = make(backend);
  expect_withheld(made);
  EXPECT_EQ(made.error().hint.find("derived"), std::string::npos);
  EXPECT_EQ(backend.runs(), 1);
  EXPECT_EQ(listener_.counted(kDerivedDistrusted), 0);
}

TEST_F(CheckedProofsOfABatch, ABadProofWithoutThemTooIsWithheldAndNamesTheirFile) {
  const WrongUntilDistrusted backend(executor_, {.good_without = false});
  const auto made = make(backend);
  expect_withheld(made);
  EXPECT_NE(made.error().hint.find(kDerived), std::string::npos);
  EXPECT_EQ(backend.runs(), 2);
  EXPECT_EQ(listener_.counted(kSelfCheckFailures), 2);
}

/// Whoever may take the CPU instead gets the device's error, which is a reason to.
TEST_F(CheckedProofsOfABatch, WithoutRoomForTheSecondAttemptTheCpuMayGoOn) {
  const WrongUntilDistrusted backend(executor_, {.room_without = false});
  const auto made = make(backend);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::kResourceExhausted);
  EXPECT_NE(made.error().hint.find(kDerived), std::string::npos);
  EXPECT_EQ(backend.runs(), 1);
  EXPECT_EQ(listener_.counted(kDerivedDistrusted), 1);
}

TEST_F(CheckedProofsOfABatch, WithoutRoomForTheSecondAttemptTheFileIsNamed) {
  const WrongUntilDistrusted backend(executor_, {.room_without = false});
  const auto made = make(backend, BackendPolicy::kCuda);
  expect_withheld(made);
  EXPECT_NE(made.error().hint.find(kDerived), std::string::npos);
  EXPECT_NE(made.error().hint.find("params derive --force"), std::string::npos);
  EXPECT_EQ(backend.runs(), 1);
}

TEST_F(CheckedProofsOfABatch, ABadProofIsBlamedOnItsOwnFiles) {
  const WrongUntilDistrusted backend(executor_, {.good_without = false});
  expect_withheld(make(backend));
  EXPECT_EQ(backend.blamed(), (WrongUntilDistrusted::Blamed{{parameters_->path(), kDerived},
                                                            {parameters_->path(), ""}}));
}

/// Two callers prove with the same bad file before either has checked: both prove again.
TEST_F(CheckedProofsOfABatch, AFileThatAnotherCallerDistrustedMeanwhileIsStillTheCause) {
  const WrongUntilDistrusted backend(executor_,
                                     {.meanwhile = [this](const groth16::Backend& shared) {
                                       shared.distrust(*parameters_, kDerived);
                                     }});
  expect_good(value_of(make(backend)));
  EXPECT_EQ(backend.runs(), 2);
}

/// The pairing does not notice such points in G1, the chain does.
TEST_F(CheckedProofsOfABatch, PointsOutsideTheirSubgroupAreWithheldOrMadeAgain) {
  constexpr std::array kSpoils{
      Spoil{[](groth16::PartialSums& sums) { add_beside_subgroup<curve::G1>(sums.a); }},
      Spoil{[](groth16::PartialSums& sums) { add_beside_subgroup<curve::G1>(sums.l); }},
      Spoil{[](groth16::PartialSums& sums) { add_beside_subgroup<curve::G1>(sums.h); }},
      Spoil{[](groth16::PartialSums& sums) { add_beside_subgroup<curve::G1>(sums.b_g1); }},
      Spoil{[](groth16::PartialSums& sums) { add_beside_subgroup<curve::G2>(sums.b_g2); }}};
  for (std::size_t i = 0; i < kSpoils.size(); ++i) {
    SCOPED_TRACE(i);
    const WrongUntilDistrusted without(executor_, {.has_derived = false, .spoil = kSpoils[i]});
    expect_withheld(make(without));
    const WrongUntilDistrusted derived(executor_, {.spoil = kSpoils[i]});
    expect_good(value_of(make(derived)));
    EXPECT_EQ(derived.runs(), 2);
  }
  EXPECT_EQ(listener_.counted(kSelfCheckFailures), 2 * kSpoils.size());
}

}  // namespace
}  // namespace belfry::engine
