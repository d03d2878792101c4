// The CUDA backend against recorded proofs and the CPU backend.
#include "belfry/groth16/prove/cuda_backend.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <future>
#include <limits>
#include <random>
#include <thread>

#include "belfry/groth16/keygen/keygen.h"
#include "belfry/groth16/prove/cpu_backend.h"
#include "belfry/groth16/prove/device_trial.h"
#include "belfry/groth16/prove/prove.h"
#include "belfry/groth16/verify/verify.h"
#include "groth16/blocks_system.h"
#include "groth16/recorded.h"
#include "groth16/support.h"
#include "support/cuda_calls.h"
#include "support/mini_system.h"
#include "support/temp_dir.h"

namespace belfry::groth16 {
namespace {

using belfry::test::BitVariables;
using belfry::test::read_vector;
using belfry::test::TempDir;

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kVram = std::uint64_t{12} << 30;
constexpr std::chrono::seconds kPatience{20};

class CudaProving : public testing::Test {
 protected:
  static std::unique_ptr<Backend> make(const Executor& executor, const CudaOptions& options) {
    return test::value_of(make_cuda_backend(options, executor));
  }

  Executor executor_{4};
  std::unique_ptr<Backend> backend_ = make(executor_, {.vram_budget_bytes = kVram});
};

void expect_equal(const PartialSums& found, const PartialSums& expected, std::size_t partition) {
  EXPECT_EQ(found.a, expected.a) << "a of partition " << partition;
  EXPECT_EQ(found.b_g1, expected.b_g1) << "b_g1 of partition " << partition;
  EXPECT_EQ(found.b_g2, expected.b_g2) << "b_g2 of partition " << partition;
  EXPECT_EQ(found.l, expected.l) << "l of partition " << partition;
  EXPECT_EQ(found.h, expected.h) << "h of partition " << partition;
}

TEST_F(CudaProving, TheMiniProofsAreTheRecordedOnes) {
  for (const std::string_view name : test::kMiniSystems) {
    for (const BitVariables bits : {BitVariables::kNone, BitVariables::kEverySecond}) {
      SCOPED_TRACE(name);
      const test::MiniSystem system(name, bits);
      const r1cs::Shape shape = test::shape_of(system, name);
      const r1cs::PackedWitness witness = test::witness_of(system, shape, executor_);
      const Parameters parameters = test::open_mini(name);
      const PendingProofs pending =
          test::value_of(start(*backend_, {parameters, shape, std::span(&witness, 1)}, kNoLimit));
      const auto proof_under = [&pending](const ProofRandomness& randomness) {
        return encode(test::value_of(finish(pending, std::span(&randomness, 1))));
      };
      EXPECT_EQ(to_hex(proof_under(test::recorded_randomness(0))),
                to_hex(read_vector(test::mini_file(name, "proof.bin"))));
      EXPECT_EQ(to_hex(proof_under({Fr::zero(), Fr::zero()})),
                to_hex(read_vector(test::mini_file(name, "proof-r0-s0.bin"))));
    }
  }
}

/// Headers, blocks, bits and elements in all mixtures, several witnesses at once.
class CudaProvingBlocks : public CudaProving {
 protected:
  void compare(std::uint64_t blocks, unsigned bits, std::size_t partitions) {
    const TempDir dir;
    const test::BlocksSystem system(blocks, bits);
    const r1cs::Shape shape = test::value_of(r1cs::extract_shape("blocks", system));
    const std::vector<r1cs::PackedWitness> witnesses = varied(shape, system, partitions);
    (void)test::value_of(
        make_test_parameters(shape, test::recorded_trapdoor(), dir.path(), "blocks", {executor_}));
    const Parameters parameters = test::value_of(Parameters::open(dir / "blocks.params"));
    const PendingProofs found =
        test::value_of(start(*backend_, {parameters, shape, witnesses}, kNoLimit));
    const PendingProofs expected = test::value_of(
        start(*make_cpu_backend(executor_), {parameters, shape, witnesses}, kNoLimit));
    ASSERT_EQ(found.partitions(), partitions);
    for (std::size_t k = 0; k < partitions; ++k) {
      expect_equal(found.sums()[k], expected.sums()[k], k);
    }
  }

 private:
  /// Witnesses with other values than the system's: sums must agree whether or not rows hold.
  std::vector<r1cs::PackedWitness> varied(const r1cs::Shape& shape,
                                          const test::BlocksSystem& system,
                                          std::size_t partitions) {
    std::vector<r1cs::PackedWitness> out(
        partitions, test::value_of(r1cs::compute_witness(shape.layout(), system, executor_)));
    std::mt19937_64 rng(partitions);
    for (std::size_t k = 1; k < partitions; ++k) {
      for (Fr& field : out[k].header_slice().fields) field = belfry::test::random_fr(rng);
      for (std::uint64_t block = 0; block < shape.blocks(); ++block) {
        const auto slice = out[k].block_slice(block);
        for (std::uint64_t i = 0; i < slice.bit_count; ++i) {
          slice.bits[i / 64] ^= (rng() & 1) << (i % 64);
        }
      }
    }
    return out;
  }
};

/// They take turns; circuits differ, so each turn loads other parameters.
TEST_F(CudaProvingBlocks, SumsOfTwoCallersAreThoseOfTheCpu) {
  constexpr unsigned kTurns = 3;
  std::array<std::jthread, 2> callers;
  for (unsigned caller = 0; caller < callers.size(); ++caller) {
    callers[caller] = std::jthread([this, caller] {
      for (unsigned turn = 0; turn < kTurns; ++turn) compare(caller + 1, 40 + caller, turn + 1);
    });
  }
}

TEST_F(CudaProvingBlocks, SumsAreThoseOfTheCpu) {
  compare(0, 40, 1);
  compare(1, 0, 2);
  compare(3, 65, 3);
  compare(5, 200, 10);
  compare(7, 300, 13);  // more than share a pass
}

/// Before its witness is made a caller asks for a plan: the proof of another is no reason to wait.
TEST_F(CudaProving, PlansAreMadeWhileAnotherCallerProves) {
  constexpr std::string_view kSystem = "rows-300-inputs-50";
  const test::MiniSystem system(kSystem);
  const r1cs::Shape shape = test::shape_of(system, kSystem);
  const r1cs::PackedWitness witness = test::witness_of(system, shape, executor_);
  const Parameters parameters = test::open_mini(kSystem);
  const auto prove = [&] {
    return start(*backend_, {parameters, shape, std::span(&witness, 1)}, kNoLimit).has_value();
  };
  ASSERT_TRUE(prove());
  const test::BlocksSystem blocks(3, 65);
  const r1cs::Shape other = test::value_of(r1cs::extract_shape("blocks", blocks));

  std::promise<void> held;
  std::promise<void> released;
  belfry::test::CudaWatch watch;
  watch.at_call(50, [&] {  // in the middle: a proof makes more than a hundred
    held.set_value();
    released.get_future().wait();
  });
  auto proof = std::async(std::launch::async, prove);
  EXPECT_EQ(held.get_future().wait_for(kPatience), std::future_status::ready);
  auto plans = std::async(std::launch::async, [&] {
    return backend_->plan_with(parameters, shape, 2, kNoLimit).has_value() &&
           backend_->plan(other, 3, kNoLimit).has_value();
  });
  EXPECT_EQ(plans.wait_for(kPatience), std::future_status::ready);
  EXPECT_EQ(proof.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  released.set_value();
  EXPECT_TRUE(plans.get());
  EXPECT_TRUE(proof.get());
}

TEST_F(CudaProving, ThePlanIsWhatIsUsed) {
  const test::BlocksSystem system(5, 200);
  const r1cs::Shape shape = test::value_of(r1cs::extract_shape("blocks", system));
  const Plan plan = test::value_of(backend_->plan(shape, 3, kNoLimit));
  EXPECT_GT(plan.device_bytes(), 0u);
  EXPECT_LE(plan.device_bytes(), kVram);
  EXPECT_EQ(backend_->name(), "cuda");
  EXPECT_FALSE(backend_->device().empty());
  const auto refused = backend_->plan(shape, 3, 1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kResourceExhausted);
}

TEST_F(CudaProving, ABatchThatDoesNotFitIsRefusedWithBothNumbers) {
  backend_.reset();
  constexpr std::uint64_t kLittle = std::uint64_t{64} << 20;
  const auto little = make(executor_, {.vram_budget_bytes = kLittle});
  const test::BlocksSystem system(5, 200);
  const r1cs::Shape shape = test::value_of(r1cs::extract_shape("blocks", system));
  const auto refused = little->plan(shape, 2, kNoLimit);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kResourceExhausted);
  EXPECT_NE(refused.error().found.find(std::to_string(kLittle)), std::string::npos);
  EXPECT_GT(std::stoull(refused.error().expected), kLittle);
  // What it asks for is enough, and one byte less is not.
  const std::uint64_t needed = std::stoull(refused.error().expected);
  EXPECT_TRUE(make(executor_, {.vram_budget_bytes = needed})->plan(shape, 2, kNoLimit));
  EXPECT_FALSE(make(executor_, {.vram_budget_bytes = needed - 1})->plan(shape, 2, kNoLimit));
}

TEST_F(CudaProving, WhatTheCardDoesNotHaveIsRefused) {
  const auto huge = make_cuda_backend({.vram_budget_bytes = std::uint64_t{1} << 50}, executor_);
  ASSERT_FALSE(huge);
  EXPECT_EQ(huge.error().code, ErrorCode::kResourceExhausted);
  const auto absent = make_cuda_backend({.ordinal = 99}, executor_);
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code, ErrorCode::kNotFound);
}

TEST_F(CudaProving, ABadPointIsNamedAndTheBackendStaysUsable) {
  constexpr std::string_view kSystem = "rows-300-inputs-50";
  const TempDir dir;
  const test::MiniSystem system(kSystem);
  const r1cs::Shape shape = test::shape_of(system, kSystem);
  const r1cs::PackedWitness witness = test::witness_of(system, shape, executor_);
  const Parameters good = test::open_mini(kSystem);
  const auto path = dir / "flipped.params";
  for (std::size_t i = 0; i < kSections; ++i) {
    const auto section = static_cast<Section>(i);
    const SectionLayout& layout = good.layout(section);
    test::Bytes bytes = read_vector(test::mini_params(kSystem));
    const std::uint64_t index = layout.count / 2;
    bytes[layout.points_offset() + index * layout.point_bytes + 50] ^= 4;
    test::write_bytes(path, bytes);
    const Parameters bad = test::value_of(Parameters::open(path));
    const auto outcome = start(*backend_, {bad, shape, std::span(&witness, 1)}, kNoLimit);
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(outcome.error().file, path.string());
    EXPECT_EQ(outcome.error().offset, layout.points_offset() + index * layout.point_bytes);
  }
  EXPECT_TRUE(start(*backend_, {good, shape, std::span(&witness, 1)}, kNoLimit));
}

TEST_F(CudaProvingBlocks, TrialsVerifyInBothBasesAndUseWhatTheyPlanned) {
  backend_.reset();
  const test::BlocksSystem system(3, 200);
  const r1cs::Shape shape = test::value_of(r1cs::extract_shape("blocks", system));
  const std::vector<r1cs::PackedWitness> witnesses(
      3, test::value_of(r1cs::compute_witness(shape.layout(), system, executor_)));
  const auto inputs = witnesses.front().inputs().subspan(1);
  const std::vector<std::vector<Fr>> public_inputs(3, {inputs.begin(), inputs.end()});
  const TestTrapdoor trapdoor = test::recorded_trapdoor();
  std::vector<curve::G1Affine> l_and_h;
  for (const auto basis : {QuotientBasis::kCoefficients, QuotientBasis::kDomain}) {
    for (const unsigned copies : {1u, 3u}) {
      const TrialOptions options{.cuda = {.vram_budget_bytes = kVram, .h_copies = copies},
                                 .partitions = 3,
                                 .basis = basis};
      const auto trial = test::value_of(make_device_trial(options, shape, trapdoor, {executor_}));
      const PendingProofs pending = test::value_of(trial->prove(witnesses));
      const auto proofs = test::value_of(finish(pending));
      EXPECT_TRUE(test::value_of(
          verify_batch(PreparedVerifyingKey(trial->key()), proofs, public_inputs, executor_)));
      const PartialSums& sums = pending.sums()[2];
      l_and_h.push_back((curve::G1Jacobian::from_affine(sums.l) + sums.h).to_affine());
      EXPECT_EQ(l_and_h.back(), l_and_h.front());
      EXPECT_GE(trial->peak_bytes(), trial->plan().device_bytes());
      EXPECT_FALSE(trial->stages().empty());
    }
  }
}

/// Where not all points stay they are made on their way to the host, and are the same.
TEST_F(CudaProvingBlocks, ATrialThatStreamsHasThePointsOfOneThatDoesNot) {
  constexpr unsigned kPartitions = 3;
  constexpr std::uint64_t kLittle = std::uint64_t{1} << 20;
  const test::BlocksSystem system(3, 200);
  const r1cs::Shape shape = test::value_of(r1cs::extract_shape("blocks", system));
  const std::vector<r1cs::PackedWitness> witnesses(
      kPartitions, test::value_of(r1cs::compute_witness(shape.layout(), system, executor_)));
  const auto refused =
      make(executor_, {.vram_budget_bytes = kLittle})->plan(shape, kPartitions, kNoLimit);
  ASSERT_FALSE(refused);
  backend_.reset();
  const auto trial_under = [&](std::uint64_t budget) {
    return test::value_of(
        make_device_trial({.cuda = {.vram_budget_bytes = budget}, .partitions = kPartitions}, shape,
                          test::recorded_trapdoor(), {executor_}));
  };
  const auto whole = trial_under(kVram);
  const PendingProofs expected = test::value_of(whole->prove(witnesses));
  const auto streamed = trial_under(std::stoull(refused.error().expected));
  ASSERT_NE(streamed->options().residency, Residency::kAll);
  EXPECT_EQ(encode(streamed->key()), encode(whole->key()));
  const PendingProofs found = test::value_of(streamed->prove(witnesses));
  for (std::size_t k = 0; k < kPartitions; ++k) {
    expect_equal(found.sums()[k], expected.sums()[k], k);
  }
}

/// Points made on the device are those of the parameter file.
TEST_F(CudaProvingBlocks, ATrialHasThePointsOfAFile) {
  const TempDir dir;
  const test::BlocksSystem system(2, 70);
  const r1cs::Shape shape = test::value_of(r1cs::extract_shape("blocks", system));
  const std::vector<r1cs::PackedWitness> witnesses(
      1, test::value_of(r1cs::compute_witness(shape.layout(), system, executor_)));
  (void)test::value_of(
      make_test_parameters(shape, test::recorded_trapdoor(), dir.path(), "blocks", {executor_}));
  const Parameters parameters = test::value_of(Parameters::open(dir / "blocks.params"));
  const PendingProofs expected =
      test::value_of(start(*backend_, {parameters, shape, witnesses}, kNoLimit));
  const auto trial = test::value_of(make_device_trial(
      {.cuda = {.vram_budget_bytes = kVram}, .basis = QuotientBasis::kCoefficients}, shape,
      test::recorded_trapdoor(), {executor_}));
  EXPECT_EQ(encode(trial->key()), encode(parameters.verifying_key()));
  const PendingProofs found = test::value_of(trial->prove(witnesses));
  expect_equal(found.sums()[0], expected.sums()[0], 0);
}

TEST_F(CudaProving, CancelEndsTheWork) {
  const test::MiniSystem system("tiny");
  const r1cs::Shape shape = test::shape_of(system, "tiny");
  const r1cs::PackedWitness witness = test::witness_of(system, shape, executor_);
  const Parameters parameters = test::open_mini("tiny");
  CancelSource source;
  source.cancel();
  const auto outcome = start(
      *backend_, {parameters, shape, std::span(&witness, 1), nullptr, source.token()}, kNoLimit);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace belfry::groth16
