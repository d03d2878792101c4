// What the CUDA backend makes of derived parameters that are there, are not, or are not to be used.
#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <string>
#include <string_view>

#include "belfry/groth16/keygen/keygen.h"
#include "belfry/groth16/metrics.h"
#include "belfry/groth16/prove/cpu_backend.h"
#include "belfry/groth16/prove/cuda_backend.h"
#include "belfry/groth16/prove/prove.h"
#include "groth16/blocks_system.h"
#include "groth16/derived_on_host.h"
#include "groth16/recorded.h"
#include "groth16/support.h"
#include "support/temp_dir.h"

namespace belfry::groth16 {
namespace {

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kVram = std::uint64_t{12} << 30;
constexpr std::uint64_t kLittle = std::uint64_t{1} << 20;

class CudaDerived : public testing::Test {
 protected:
  CudaDerived() : parameters_(make_parameters("blocks")) {}
  [[nodiscard]] Parameters make_parameters(const std::string& name) const {
    (void)test::value_of(
        make_test_parameters(shape_, test::recorded_trapdoor(), dir_.path(), name, {executor_}));
    return test::value_of(Parameters::open(dir_ / (name + ".params")));
  }
  [[nodiscard]] std::unique_ptr<Backend> make(std::uint64_t budget) const {
    return test::value_of(make_cuda_backend({.vram_budget_bytes = budget}, executor_));
  }
  void write_derived() const { write_derived(parameters_); }
  void write_derived(const Parameters& parameters) const {
    test::write_derived(derived_beside(parameters.path()), DerivedIdentity::of(parameters, shape_),
                        shape_, test::HostDeriver(parameters, shape_).make());
  }
  [[nodiscard]] PendingProofs prove(const Backend& backend, std::size_t partitions) {
    return prove(backend, partitions, parameters_);
  }
  [[nodiscard]] PendingProofs prove(const Backend& backend, std::size_t partitions,
                                    const Parameters& parameters) {
    const auto some = std::span<const r1cs::PackedWitness>(witnesses_).first(partitions);
    return test::value_of(start(backend, {parameters, shape_, some, &tracer_}, kNoLimit));
  }
  /// Whether sums came from points of the domain: their H differs, L + H does not.
  [[nodiscard]] bool of_the_domain(const PartialSums& sums) {
    const PendingProofs cpu = prove(*make_cpu_backend(executor_), 1);
    const PartialSums& expected = cpu.sums().front();
    EXPECT_EQ(curve::G1Jacobian::from_affine(sums.l) + sums.h,
              curve::G1Jacobian::from_affine(expected.l) + expected.h);
    return !(sums.h == expected.h);
  }
  /// The sum over all labels of a counter.
  [[nodiscard]] double counted(std::string_view metric) const {
    double sum = 0;
    for (const trace::MetricSample& sample : metrics_.snapshot()) {
      if (sample.spec.name == metric) sum += sample.value;
    }
    return sum;
  }
  [[nodiscard]] std::uint64_t loads() const {
    std::uint64_t count = 0;
    for (const trace::MetricSample& sample : metrics_.snapshot()) {
      if (sample.label_value == "groth16.load_parameters") count += sample.count;
    }
    return count;
  }

  Executor executor_{4};
  belfry::test::TempDir dir_;
  test::BlocksSystem system_{3, 200};
  r1cs::Shape shape_ = test::value_of(r1cs::extract_shape("blocks", system_));
  std::vector<r1cs::PackedWitness> witnesses_{
      5, test::value_of(r1cs::compute_witness(shape_.layout(), system_, executor_))};
  Parameters parameters_;
  trace::Log log_{trace::Level::kOff, trace::LogFormat::kText};
  trace::Registry metrics_{trace::kTraceMetrics, kGroth16Metrics};
  trace::Tracer tracer_{log_, metrics_};
};

/// A refusal that derived parameters could spare says so, unless they are there already.
TEST_F(CudaDerived, AreCountedOnByPlansIfTheyAreThere) {
  const auto little = make(kLittle);
  const auto hint = [&] {
    const auto refused = little->plan_with(parameters_, shape_, 2, kNoLimit);
    EXPECT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kResourceExhausted);
    return refused.error().hint;
  };
  EXPECT_NE(hint().find("params derive"), std::string::npos);
  write_derived();
  EXPECT_EQ(hint().find("params derive"), std::string::npos);
  std::filesystem::remove(dir_ / "blocks.derived");
  EXPECT_NE(hint().find("params derive"), std::string::npos);
  // What a plan says before is what a proof takes.
  const auto backend = make(kVram);
  const auto planned =
      test::value_of(backend->plan_with(parameters_, shape_, 2, kNoLimit)).device_bytes();
  (void)prove(*backend, 2);
  EXPECT_EQ(test::value_of(backend->plan_with(parameters_, shape_, 2, kNoLimit)).device_bytes(),
            planned);
}

TEST_F(CudaDerived, AreLeftOutOnceDistrusted) {
  write_derived();
  const auto backend = make(kVram);
  const PendingProofs first = prove(*backend, 1);
  EXPECT_TRUE(of_the_domain(first.sums().front()));
  EXPECT_EQ(first.derived(), dir_ / "blocks.derived");
  backend->distrust(parameters_, first.derived());
  const PendingProofs second = prove(*backend, 1);
  EXPECT_FALSE(of_the_domain(second.sums().front()));
  EXPECT_TRUE(second.derived().empty());
  EXPECT_TRUE(of_the_domain(prove(*make(kVram), 1).sums().front()));
  // A touch of the parameters mends nothing; a derived file that is made anew does.
  const auto touch = [path = dir_ / "blocks.params"] {
    std::filesystem::last_write_time(
        path, std::filesystem::last_write_time(path) + std::chrono::seconds(1));
  };
  touch();
  EXPECT_TRUE(prove(*backend, 1).derived().empty());
  std::filesystem::rename(dir_ / "blocks.derived", dir_ / "old.derived");
  write_derived();
  touch();  // so that points are loaded anew
  EXPECT_EQ(prove(*backend, 1).derived(), first.derived());
}

/// Between a proof and its check another caller may prove with other parameters.
TEST_F(CudaDerived, AreDistrustedByTheirParametersWhoeverProvedSince) {
  const Parameters others = make_parameters("others");
  write_derived();
  write_derived(others);
  const auto backend = make(kVram);
  const PendingProofs bad = prove(*backend, 1);
  EXPECT_EQ(prove(*backend, 1, others).derived(), dir_ / "others.derived");
  EXPECT_EQ(loads(), 2U);
  backend->distrust(parameters_, bad.derived());
  EXPECT_EQ(prove(*backend, 1, others).derived(), dir_ / "others.derived");
  EXPECT_EQ(loads(), 2U) << "the other's points stay";
  EXPECT_TRUE(prove(*backend, 1).derived().empty());
  // Told by a second caller, whose proof was as old: what is there now is of another file.
  backend->distrust(parameters_, bad.derived());
  EXPECT_TRUE(prove(*backend, 1).derived().empty());
  EXPECT_EQ(loads(), 3U);
}

/// A shape that is mapped anew for each job is the same shape.
TEST_F(CudaDerived, AreLoadedOnceForAShapeThatLiesElsewhere) {
  const auto backend = make(kVram);
  (void)prove(*backend, 2);
  const r1cs::Shape first = shape_;
  shape_ = test::value_of(r1cs::extract_shape("blocks", system_));
  ASSERT_NE(shape_.view().header.matrix(r1cs::Matrix::kA).lengths.data(),
            first.view().header.matrix(r1cs::Matrix::kA).lengths.data());
  (void)prove(*backend, 2);
  EXPECT_EQ(loads(), 1U);
}

/// A bad file is mended in its place: with or without a self-check between, its points are read
/// again.
TEST_F(CudaDerived, PointsAreReadAgainAfterABadProofOrAWrittenFile) {
  const auto backend = make(kVram);
  (void)prove(*backend, 1);
  backend->distrust(parameters_, {});
  (void)prove(*backend, 1);
  EXPECT_EQ(loads(), 2U);
  (void)prove(*backend, 1);
  EXPECT_EQ(loads(), 2U);
  const auto path = dir_ / "blocks.params";
  std::filesystem::last_write_time(
      path, std::filesystem::last_write_time(path) + std::chrono::seconds(1));
  (void)prove(*backend, 1);
  EXPECT_EQ(loads(), 3U);
}

TEST_F(CudaDerived, ThatAreMissingCountOncePerPartition) {
  const auto backend = make(kVram);
  (void)prove(*backend, 2);
  EXPECT_EQ(counted(kDerivedMissing), 2);
  (void)prove(*backend, 3);
  EXPECT_EQ(counted(kDerivedMissing), 5);
  EXPECT_EQ(counted(kStreamedProofs), 0);
}

TEST_F(CudaDerived, AreLoadedOnceForBatchesThatShrink) {
  write_derived();
  const auto backend = make(kVram);
  for (const std::size_t partitions : {4U, 2U, 1U, 4U}) {
    EXPECT_TRUE(of_the_domain(prove(*backend, partitions).sums().back()));
  }
  EXPECT_EQ(loads(), 1U);
  (void)prove(*backend, 5);
  EXPECT_EQ(loads(), 2U) << "more witnesses share a pass";
}

}  // namespace
}  // namespace belfry::groth16
