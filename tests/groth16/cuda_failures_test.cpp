// What proofs do to the card beyond their stream, and what becomes of them when a call fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <set>

#include "belfry/gpu/stream.h"
#include "belfry/groth16/keygen/keygen.h"
#include "belfry/groth16/metrics.h"
#include "belfry/groth16/prove/cuda_backend.h"
#include "belfry/groth16/prove/device_trial.h"
#include "belfry/groth16/prove/prove.h"
#include "groth16/blocks_system.h"
#include "groth16/derived_on_host.h"
#include "groth16/lost_device.h"
#include "groth16/recorded.h"
#include "groth16/support.h"
#include "support/cuda_calls.h"
#include "support/mini_system.h"
#include "support/temp_dir.h"

namespace belfry::groth16 {
namespace {

using belfry::test::CudaWatch;
using belfry::test::TempDir;
using Names = std::vector<std::string>;

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kVram = std::uint64_t{12} << 30;
constexpr std::string_view kSystem = "rows-300-inputs-50";

/// Proofs of one small system under two parameter files with the same content: a proof with the one
/// makes a backend load it anew after a proof with the other.
class CudaFailures : public testing::Test {
 protected:
  CudaFailures() {
    for (const char* name : {"first.params", "second.params"}) {
      std::filesystem::copy_file(belfry::test::vector_path(test::mini_params(kSystem)),
                                 dir_ / name);
      parameters_.push_back(test::value_of(Parameters::open(dir_ / name)));
    }
  }
  [[nodiscard]] std::unique_ptr<Backend> make() const {
    return test::value_of(make_cuda_backend({.vram_budget_bytes = kVram}, executor_));
  }
  [[nodiscard]] Result<std::vector<PartialSums>> prove(const Backend& backend,
                                                       std::size_t file) const {
    const ProveBatchView batch{parameters_[file], shape_, std::span(&witness_, 1)};
    BELFRY_TRY(const PendingProofs pending, start(backend, batch, kNoLimit));
    return std::vector<PartialSums>(pending.sums().begin(), pending.sums().end());
  }

  Executor executor_{4};
  TempDir dir_;
  test::MiniSystem system_{kSystem};
  r1cs::Shape shape_ = test::shape_of(system_, kSystem);
  r1cs::PackedWitness witness_ = test::witness_of(system_, shape_, executor_);
  std::vector<Parameters> parameters_;
};

void expect_equal(const std::vector<PartialSums>& found, const std::vector<PartialSums>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_EQ(found[k].a, expected[k].a);
    EXPECT_EQ(found[k].b_g1, expected[k].b_g1);
    EXPECT_EQ(found[k].b_g2, expected[k].b_g2);
    EXPECT_EQ(found[k].l, expected[k].l);
    EXPECT_EQ(found[k].h, expected[k].h);
  }
}

struct Fault {
  cudaError_t code;
  ErrorCode kind;
};
constexpr std::array kFaults{Fault{cudaErrorLaunchOutOfResources, ErrorCode::kBackendFailed},
                             Fault{cudaErrorIllegalAddress, ErrorCode::kDeviceLost},
                             Fault{cudaErrorMemoryAllocation, ErrorCode::kResourceExhausted}};

/// Calls whose failure may go unheard: releases, whose answers nobody can act upon, and questions
/// of CUB about the device, after which it does with less knowledge. The name of each is here.
bool may_go_unheard(const std::string& name) {
  static const std::set<std::string> kReleases{"cudaFree", "cudaFreeHost", "cudaStreamDestroy",
                                               "cudaEventDestroy"};
  static const std::set<std::string> kQuestions{
      "cudaGetDevice", "cudaGetDeviceCount", "cudaDeviceGetAttribute", "cudaFuncGetAttributes",
      "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags"};
  return kReleases.contains(name) || kQuestions.contains(name);
}

/// A call that failed was noticed and named, or may go unheard and did no harm.
void expect_noticed(const Result<std::vector<PartialSums>>& outcome,
                    const std::vector<PartialSums>& expected, const std::string& name,
                    const Fault& fault) {
  if (outcome) {
    EXPECT_TRUE(may_go_unheard(name)) << "a failure that nobody noticed";
    expect_equal(*outcome, expected);
    return;
  }
  EXPECT_FALSE(outcome.error().stage.empty());
  // CUB puts a code of its own in the place of what this call answers.
  if (name == "cudaGetDevice") return;
  EXPECT_EQ(outcome.error().code, fault.kind) << outcome.error().describe();
  EXPECT_NE(outcome.error().message.find(cudaGetErrorName(fault.code)), std::string::npos)
      << outcome.error().describe();
}

/// Most calls that are made to fail in one test, evenly spread: streamed proofs make thousands.
constexpr std::uint64_t kMostFailures = 250;

/// Each of `calls` calls of `prove(k)` fails once, or every n-th if there are more than
/// kMostFailures times n; what follows in the same process is right. `k` counts the failures: an
/// odd one loads what an even one did not, and the calls of loading are among those that fail.
template <class Prove>
void fail_each_call(CudaWatch& watch, std::uint64_t calls, const std::vector<PartialSums>& expected,
                    Prove&& prove) {
  ASSERT_GT(calls, 100U);
  const std::uint64_t step = (calls + kMostFailures - 1) / kMostFailures;
  std::uint64_t failures = 0;
  for (std::uint64_t i = 0; i < calls; i += step, ++failures) {
    const Fault& fault = kFaults[failures % kFaults.size()];
    watch.fail_at(i, fault.code);
    const auto outcome = prove(failures);
    const std::string name = watch.failed();
    SCOPED_TRACE("call " + std::to_string(i) + ": " + name);
    ASSERT_FALSE(name.empty()) << "the proof made fewer calls than the last one";
    expect_noticed(outcome, expected, name, fault);
    watch.fail_at(kNoLimit, cudaSuccess);
    expect_equal(test::value_of(prove(failures)), expected);
  }
  testing::Test::RecordProperty("calls", std::to_string(calls));
  testing::Test::RecordProperty("failures", std::to_string(failures));
}

/// Each call between an open backend without parameters and the sums of a proof.
TEST_F(CudaFailures, EveryCallOfAProofMayFail) {
  const auto backend = make();
  const auto expected = test::value_of(prove(*backend, 0));
  CudaWatch watch;
  expect_equal(test::value_of(prove(*backend, 1)), expected);
  fail_each_call(watch, watch.calls(), expected,
                 [&](std::uint64_t i) { return prove(*backend, i % 2); });
}

/// How a backend lies in memory.
struct Lying {
  const char* name;
  bool derived = false;
  bool least_memory = false;  ///< the budget is the least that a refusal asks for: points stream
  unsigned h_copies = 1;
};

/// Two partitions of a system of blocks, from files and with budgets of all kinds.
class CudaFailuresOfBlocks : public testing::TestWithParam<Lying> {
 protected:
  static constexpr std::size_t kPartitions = 2;

  CudaFailuresOfBlocks() {
    for (const char* name : {"first", "second"}) {
      (void)test::value_of(
          make_test_parameters(shape_, test::recorded_trapdoor(), dir_.path(), name, {executor_}));
      const auto base = dir_ / name;
      parameters_.push_back(test::value_of(Parameters::open(base.string() + ".params")));
      if (!GetParam().derived) continue;
      test::write_derived(base.string() + ".derived",
                          DerivedIdentity::of(parameters_.back(), shape_), shape_,
                          test::HostDeriver(parameters_.back(), shape_).make());
    }
  }
  [[nodiscard]] std::unique_ptr<Backend> make(std::uint64_t budget) const {
    return test::value_of(make_cuda_backend(
        {.vram_budget_bytes = budget, .h_copies = GetParam().h_copies}, executor_));
  }
  [[nodiscard]] std::uint64_t budget() const {
    if (!GetParam().least_memory) return kVram;
    constexpr std::uint64_t kLittle = std::uint64_t{1} << 20;
    const auto refused =
        make(kLittle)->plan_with(parameters_.front(), shape_, kPartitions, kNoLimit);
    EXPECT_FALSE(refused);
    return refused ? kLittle : std::stoull(refused.error().expected);
  }
  [[nodiscard]] Result<std::vector<PartialSums>> prove(const Backend& backend, std::size_t file) {
    const ProveBatchView batch{parameters_[file], shape_, witnesses_, &tracer_};
    BELFRY_TRY(const PendingProofs pending, start(backend, batch, kNoLimit));
    return std::vector<PartialSums>(pending.sums().begin(), pending.sums().end());
  }
  /// The sum over all labels of a counter.
  [[nodiscard]] double counted(std::string_view metric) const {
    double sum = 0;
    for (const trace::MetricSample& sample : metrics_.snapshot()) {
      if (sample.spec.name == metric) sum += sample.value;
    }
    return sum;
  }

  Executor executor_{4};
  TempDir dir_;
  test::BlocksSystem system_{3, 200};
  r1cs::Shape shape_ = test::value_of(r1cs::extract_shape("blocks", system_));
  std::vector<r1cs::PackedWitness> witnesses_{
      kPartitions, test::value_of(r1cs::compute_witness(shape_.layout(), system_, executor_))};
  std::vector<Parameters> parameters_;
  trace::Log log_{trace::Level::kOff, trace::LogFormat::kText};
  trace::Registry metrics_{trace::kTraceMetrics, kGroth16Metrics};
  trace::Tracer tracer_{log_, metrics_};
};

TEST_P(CudaFailuresOfBlocks, EveryCallOfAProofMayFail) {
  const auto backend = make(budget());
  const auto expected = test::value_of(prove(*backend, 0));
  EXPECT_EQ(counted(kStreamedProofs) > 0, GetParam().least_memory);
  EXPECT_EQ(counted(kDerivedMissing) == 0, GetParam().derived);
  CudaWatch watch;
  expect_equal(test::value_of(prove(*backend, 1)), expected);
  fail_each_call(watch, watch.calls(), expected,
                 [&](std::uint64_t i) { return prove(*backend, i % 2); });
}

TEST_P(CudaFailuresOfBlocks, AProofWithItsParametersInPlaceStaysOnItsStreams) {
  const auto backend = make(budget());
  ASSERT_TRUE(prove(*backend, 0));
  const CudaWatch watch;
  ASSERT_TRUE(prove(*backend, 0));
  EXPECT_GT(watch.calls(), 100U);
  EXPECT_EQ(watch.beyond_streams(), Names{});
}

// With the least memory of derived parameters one array of the quotient is spilled.
INSTANTIATE_TEST_SUITE_P(Ways, CudaFailuresOfBlocks,
                         testing::Values(Lying{.name = "streamed", .least_memory = true},
                                         Lying{.name = "derived", .derived = true},
                                         Lying{.name = "derived_streamed_and_spilled",
                                               .derived = true,
                                               .least_memory = true},
                                         Lying{.name = "copies", .derived = true, .h_copies = 4}),
                         [](const auto& info) { return std::string(info.param.name); });

/// Two proofs in flight: the witnesses of one come to a lane while the other has sums in its own.
TEST_F(CudaFailures, EveryCallOfTwoLanesMayFail) {
  const test::BlocksSystem system(3, 100);
  const r1cs::Shape shape = test::value_of(r1cs::extract_shape("blocks", system));
  const std::vector<r1cs::PackedWitness> witnesses(
      2, test::value_of(r1cs::compute_witness(shape.layout(), system, executor_)));
  const TrialOptions options{.cuda = {.vram_budget_bytes = kVram}, .partitions = 2, .lanes = 2};
  const auto trial =
      test::value_of(make_device_trial(options, shape, test::recorded_trapdoor(), {executor_}));
  const auto prove_in_turn = [&](std::uint64_t i) -> Result<std::vector<PartialSums>> {
    const auto lane = static_cast<unsigned>(i % 2);
    BELFRY_CHECK(trial->upload(lane, witnesses));
    BELFRY_CHECK(trial->upload(1 - lane, witnesses));
    BELFRY_TRY(const PendingProofs first, trial->prove_lane(lane));
    BELFRY_TRY(const PendingProofs second, trial->prove_lane(1 - lane));
    std::vector<PartialSums> out(first.sums().begin(), first.sums().end());
    out.insert(out.end(), second.sums().begin(), second.sums().end());
    return out;
  };
  const auto expected = test::value_of(prove_in_turn(0));
  CudaWatch watch;
  expect_equal(test::value_of(prove_in_turn(1)), expected);
  fail_each_call(watch, watch.calls(), expected, prove_in_turn);
}

/// Opening a backend may fail at each call too, and leaves nothing behind.
TEST_F(CudaFailures, EveryCallOfOpeningMayFail) {
  CudaWatch watch;
  {
    const auto backend = make();
  }
  watch.fail_at(kNoLimit, cudaSuccess);
  {
    const auto backend = make();
  }
  const std::uint64_t calls = watch.calls();
  std::uint64_t refused = 0;
  for (std::uint64_t i = 0; i < calls; ++i) {
    watch.fail_at(i, cudaErrorInvalidValue);
    {
      const auto backend = make_cuda_backend({.vram_budget_bytes = kVram}, executor_);
      if (!backend) {
        ++refused;
        EXPECT_TRUE(backend.error().code == ErrorCode::kBackendFailed ||
                    backend.error().code == ErrorCode::kNotFound)
            << backend.error().describe();
        continue;
      }
    }
    // It failed unheard, in opening or in closing.
    EXPECT_TRUE(may_go_unheard(watch.failed())) << "call " << i << ": " << watch.failed();
  }
  EXPECT_GT(refused, 5U);
  watch.fail_at(kNoLimit, cudaSuccess);
  EXPECT_TRUE(prove(*make(), 0));
}

/// A context that is really dead: every later call names the device lost. In a process of its own.
using CudaFailuresDeathTest = CudaFailures;
TEST_F(CudaFailuresDeathTest, ALostDeviceIsNamed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        const auto backend = make();
        const bool was_well = prove(*backend, 0).has_value();
        {
          const gpu::Stream stream;
          test::lose_device(stream);
        }
        bool named = true;
        for (const std::size_t file : {std::size_t{0}, std::size_t{1}}) {
          const auto outcome = prove(*backend, file);
          named = named && !outcome && outcome.error().code == ErrorCode::kDeviceLost &&
                  !outcome.error().stage.empty();
        }
        _Exit(was_well && named ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(CudaFailures, LoadingAllocatesOnceAndActsOnNothingElse) {
  const auto backend = make();
  const CudaWatch watch;
  ASSERT_TRUE(prove(*backend, 0));
  std::map<std::string, unsigned> times;
  for (const std::string& name : watch.beyond_streams()) ++times[name];
  EXPECT_EQ(times["cudaMalloc"], 1U);
  for (const auto& [name, count] : times) {
    EXPECT_TRUE(name == "cudaMalloc" || name == "cudaHostAlloc" ||
                name == "cudaEventCreateWithFlags" || name == "cudaFreeHost" ||
                name == "cudaStreamCreateWithFlags")
        << name << ", " << count << " times";
  }
}

TEST_F(CudaFailures, AProofWithItsParametersInPlaceStaysOnItsStream) {
  const auto backend = make();
  ASSERT_TRUE(prove(*backend, 0));
  const CudaWatch watch;
  ASSERT_TRUE(prove(*backend, 0));
  EXPECT_GT(watch.calls(), 100U);
  EXPECT_EQ(watch.beyond_streams(), Names{});
}

TEST_F(CudaFailures, ATrialStaysOnItsStream) {
  const test::BlocksSystem system(3, 100);
  const r1cs::Shape shape = test::value_of(r1cs::extract_shape("blocks", system));
  const std::vector<r1cs::PackedWitness> witnesses(
      4, test::value_of(r1cs::compute_witness(shape.layout(), system, executor_)));
  for (const auto basis : {QuotientBasis::kCoefficients, QuotientBasis::kDomain}) {
    const TrialOptions options{
        .cuda = {.vram_budget_bytes = kVram}, .partitions = 4, .basis = basis};
    const auto trial =
        test::value_of(make_device_trial(options, shape, test::recorded_trapdoor(), {executor_}));
    ASSERT_TRUE(trial->prove(witnesses));
    const CudaWatch watch;
    ASSERT_TRUE(trial->prove(witnesses));
    EXPECT_EQ(watch.beyond_streams(), Names{});
  }
}

}  // namespace
}  // namespace belfry::groth16
