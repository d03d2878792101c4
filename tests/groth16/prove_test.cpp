#include "belfry/groth16/prove/prove.h"

#include <limits>
#include <random>

#include "belfry/groth16/params/counts.h"
#include "belfry/groth16/prove/cpu_backend.h"
#include "belfry/groth16/prove/quotient.h"
#include "belfry/groth16/prove/witness_selection.h"
#include "belfry/groth16/verify/verify.h"
#include "belfry/r1cs/aux_values.h"
#include "groth16/blocks_system.h"
#include "groth16/support.h"
#include "support/mini_system.h"

namespace belfry::groth16 {
namespace {

using belfry::test::read_vector;
using belfry::test::TempDir;
using test::Bytes;
using test::MiniSystem;

constexpr std::string_view kProvedSystem = "rows-300-inputs-50";
constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

class Proving : public testing::Test {
 protected:
  /// Proves with parameters from `path`, blinded by fresh randomness, and verifies.
  Result<bool> prove_with(const std::filesystem::path& path) {
    BELFRY_TRY(const Parameters parameters, Parameters::open(path));
    BELFRY_TRY(const PendingProofs pending,
               start(*backend_, {parameters, shape_, std::span(&witness_, 1)}, kNoLimit));
    BELFRY_TRY(const std::vector<Proof> proofs, finish(pending));
    return verify(key_, proofs.at(0), public_inputs(), executor_);
  }
  [[nodiscard]] std::span<const Fr> public_inputs() const {
    return std::span(system_.inputs()).subspan(1);
  }

  /// The points of a section whose scalar is not zero.
  [[nodiscard]] std::vector<std::uint64_t> points_that_count(Section section) const {
    std::vector<std::uint64_t> points;
    const auto add = [&points](std::uint64_t index, const Fr& scalar) {
      if (!scalar.is_zero()) points.push_back(index);
    };
    if (section == Section::kH) {
      const auto h = test::value_of(quotient_coefficients(shape_, witness_, {executor_}));
      for (std::size_t i = 0; i < h.size(); ++i) add(i, h[i]);
      return points;
    }
    const Query query = section == Section::kL   ? Query::kL
                        : section == Section::kA ? Query::kA
                                                 : Query::kB;
    // Without bits in this system every scalar is an element.
    const Selection selection = select(query, shape_, witness_);
    for (std::size_t i = 0; i < selection.indices.size(); ++i) {
      add(selection.indices[i], selection.scalars[i]);
    }
    return points;
  }

  TempDir dir_;
  Executor executor_{2};
  std::unique_ptr<Backend> backend_ = make_cpu_backend(executor_);
  MiniSystem system_{kProvedSystem};
  r1cs::Shape shape_ = test::shape_of(system_, kProvedSystem);
  r1cs::PackedWitness witness_ = test::witness_of(system_, shape_, executor_);
  Parameters parameters_ = test::open_mini(kProvedSystem);
  PreparedVerifyingKey key_{parameters_.verifying_key()};
};

TEST_F(Proving, FreshRandomnessGivesOtherProofsThatVerify) {
  const PendingProofs pending =
      test::value_of(start(*backend_, {parameters_, shape_, std::span(&witness_, 1)}, kNoLimit));
  const Proof first = test::value_of(finish(pending)).at(0);
  const Proof second = test::value_of(finish(pending)).at(0);
  EXPECT_NE(encode(first), encode(second));
  EXPECT_TRUE(test::value_of(verify(key_, first, public_inputs(), executor_)));
  EXPECT_TRUE(test::value_of(verify(key_, second, public_inputs(), executor_)));
}

TEST_F(Proving, PartitionsKeepTheirOrder) {
  const std::vector<r1cs::PackedWitness> witnesses{witness_, witness_, witness_};
  const PendingProofs pending =
      test::value_of(start(*backend_, {parameters_, shape_, witnesses}, kNoLimit));
  const auto randomness = test::value_of(draw_randomness(3));
  const auto proofs = test::value_of(finish(pending, randomness));
  ASSERT_EQ(proofs.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(encode(proofs[k]), encode(pending.assemble(k, randomness[k])));
  }
  EXPECT_FALSE(finish(pending, std::span(randomness).first(2)));
}

TEST_F(Proving, AWrongWitnessGivesAProofThatDoesNotVerify) {
  witness_.header_slice().fields[5] += Fr::one();
  const PendingProofs pending =
      test::value_of(start(*backend_, {parameters_, shape_, std::span(&witness_, 1)}, kNoLimit));
  const Proof proof = test::value_of(finish(pending)).at(0);
  EXPECT_FALSE(test::value_of(verify(key_, proof, public_inputs(), executor_)));
}

TEST_F(Proving, ForeignParametersWitnessesAndPlansAreRefused) {
  const Parameters other = test::open_mini("tiny");
  const auto foreign = start(*backend_, {other, shape_, std::span(&witness_, 1)}, kNoLimit);
  ASSERT_FALSE(foreign);
  EXPECT_EQ(foreign.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(foreign.error().section, "ic");

  const r1cs::PackedWitness empty;
  EXPECT_FALSE(start(*backend_, {parameters_, shape_, std::span(&empty, 1)}, kNoLimit));

  const Plan plan = test::value_of(backend_->plan(shape_, 2, kNoLimit));
  const auto misplanned = backend_->run({parameters_, shape_, std::span(&witness_, 1)}, plan);
  ASSERT_FALSE(misplanned);
  EXPECT_EQ(misplanned.error().code, ErrorCode::kInvalidUsage);
}

TEST_F(Proving, ATooSmallBudgetIsRefusedBeforehandWithBothNumbers) {
  const Plan plan = test::value_of(backend_->plan(shape_, 1, kNoLimit));
  EXPECT_EQ(plan.stages.size(), 3u);
  EXPECT_EQ(plan.device_bytes(), 0u);
  EXPECT_TRUE(backend_->plan(shape_, 1, plan.host_bytes()));
  const auto refused = backend_->plan(shape_, 1, plan.host_bytes() - 1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kResourceExhausted);
  EXPECT_NE(refused.error().expected.find(std::to_string(plan.host_bytes())), std::string::npos);
}

TEST_F(Proving, CancelEndsTheWork) {
  CancelSource source;
  source.cancel();
  const auto outcome = start(
      *backend_, {parameters_, shape_, std::span(&witness_, 1), nullptr, source.token()}, kNoLimit);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kCancelled);
}

TEST_F(Proving, AnInfiniteDeltaIsAnError) {
  VerifyingKey key = parameters_.verifying_key();
  key.delta_g2 = curve::G2Affine::infinity();
  const auto outcome = PendingProofs::create(key, {});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().message, "unexpected identity");
}

TEST_F(Proving, ABitFlipInAPointThatCountsIsNeverProvedOver) {
  const Bytes good = read_vector(test::mini_params(kProvedSystem));
  const auto path = dir_ / "flipped.params";
  std::mt19937_64 rng(4);
  for (std::size_t i = 0; i < kSections; ++i) {
    const auto section = static_cast<Section>(i);
    const SectionLayout& layout = parameters_.layout(section);
    const std::vector<std::uint64_t> points = points_that_count(section);
    ASSERT_FALSE(points.empty());
    for (int round = 0; round < 4; ++round) {
      const std::uint64_t at =
          layout.points_offset() + points[rng() % points.size()] * layout.point_bytes;
      Bytes bytes = good;
      bytes[at + rng() % layout.point_bytes] ^= static_cast<std::uint8_t>(1u << (rng() % 8));
      test::write_bytes(path, bytes);
      const auto outcome = prove_with(path);
      ASSERT_FALSE(outcome) << to_string(section) << " at " << at;
      EXPECT_EQ(outcome.error().code, ErrorCode::kInvalidInput);
      EXPECT_EQ(outcome.error().file, path.string());
      EXPECT_EQ(outcome.error().section,
                std::string(to_string(section)) + "[" +
                    std::to_string((at - layout.points_offset()) / layout.point_bytes) + "]");
      EXPECT_EQ(outcome.error().offset, at);
      EXPECT_FALSE(outcome.error().found.empty());
    }
  }
}

TEST_F(Proving, AnotherPointOfTheGroupIsCaughtByTheSelfCheck) {
  const Bytes good = read_vector(test::mini_params(kProvedSystem));
  const auto path = dir_ / "swapped.params";
  for (std::size_t i = 0; i < kSections; ++i) {
    // Two neighbours change places: every point is still a good one.
    const SectionLayout& layout = parameters_.layout(static_cast<Section>(i));
    Bytes bytes = good;
    const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(layout.points_offset());
    const auto size = static_cast<std::ptrdiff_t>(layout.point_bytes);
    std::swap_ranges(at, at + size, at + size);
    test::write_bytes(path, bytes);
    EXPECT_FALSE(test::value_of(prove_with(path))) << i;
  }
}

TEST_F(Proving, AnInfinitePointIsNamed) {
  Bytes bytes = read_vector(test::mini_params(kProvedSystem));
  const SectionLayout& layout = parameters_.layout(Section::kH);
  const std::uint64_t at = layout.points_offset() + 9 * layout.point_bytes;
  std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), layout.point_bytes, 0);
  bytes[at] = 0x40;
  const auto path = dir_ / "infinity.params";
  test::write_bytes(path, bytes);
  const auto outcome = prove_with(path);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().message, "point at infinity");
  EXPECT_EQ(outcome.error().section, "h[9]");
  EXPECT_EQ(outcome.error().offset, at);
}

/// What `select` must give, variable by variable: (point, scalar) of all points with a scalar.
std::vector<Fr> scalars_of(Query query, const r1cs::Shape& shape,
                           const r1cs::PackedWitness& witness) {
  std::vector<Fr> scalars;
  const auto bit = [](std::span<const std::uint64_t> words, std::uint64_t i) {
    return ((words[i / 64] >> (i % 64)) & 1) != 0;
  };
  const auto each_part = [&shape](auto&& visit) {
    visit(shape.header(), std::uint64_t{0}, std::uint64_t{0});
    for (std::uint64_t k = 0; k < shape.blocks(); ++k) {
      visit(shape.block(), shape.block_input_offset(k), shape.block_aux_offset(k));
    }
  };
  const r1cs::WitnessLookupView values(shape, witness);
  each_part([&](const r1cs::PartView& part, std::uint64_t first, std::uint64_t) {
    for (std::uint64_t i = 0; query != Query::kL && i < part.counts.inputs; ++i) {
      if (query == Query::kA || bit(part.b_input_density, i)) {
        scalars.push_back(witness.inputs()[first + i]);
      }
    }
  });
  each_part([&](const r1cs::PartView& part, std::uint64_t, std::uint64_t first) {
    const auto density = query == Query::kA ? part.a_aux_density : part.b_aux_density;
    for (std::uint64_t j = 0; j < part.counts.aux; ++j) {
      if (query == Query::kL || bit(density, j)) scalars.push_back(values.aux(first + j));
    }
  });
  return scalars;
}

void expect_selection(const r1cs::Shape& shape, const r1cs::PackedWitness& witness) {
  for (const Query query : {Query::kL, Query::kA, Query::kB}) {
    const std::vector<Fr> expected = scalars_of(query, shape, witness);
    const Selection selection = select(query, shape, witness);
    ASSERT_EQ(selection.mask.size(), (expected.size() + 63) / 64);
    ASSERT_EQ(selection.indices.size(), selection.scalars.size());
    std::vector<Fr> found(expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (((selection.mask[i / 64] >> (i % 64)) & 1) != 0) found[i] = Fr::one();
    }
    for (std::size_t i = 0; i < selection.indices.size(); ++i) {
      ASSERT_LT(selection.indices[i], found.size());
      found[selection.indices[i]] += selection.scalars[i];
    }
    EXPECT_EQ(found, expected);
  }
  const QueryCounts counts = query_counts(shape);
  EXPECT_EQ(scalars_of(Query::kL, shape, witness).size(), counts.l);
  EXPECT_EQ(scalars_of(Query::kA, shape, witness).size(), counts.a);
  EXPECT_EQ(scalars_of(Query::kB, shape, witness).size(), counts.b);
}

TEST_F(Proving, SelectionsHoldEveryScalarOnce) {
  expect_selection(shape_, witness_);
  for (const std::uint64_t blocks : {1u, 2u, 5u}) {
    for (const unsigned bits : {0u, 1u, 30u, 63u, 64u, 65u, 200u}) {
      const test::BlocksSystem system(blocks, bits);
      const r1cs::Shape shape = test::value_of(r1cs::extract_shape("blocks", system));
      expect_selection(shape,
                       test::value_of(r1cs::compute_witness(shape.layout(), system, executor_)));
    }
  }
}

}  // namespace
}  // namespace belfry::groth16
