// The recorded 2 KiB PoRep proof, made by the CUDA backend from a parameter file and from derived
// parameters, under any budget; and derived parameters of its 2^22 rows against the trapdoor.
#include <gtest/gtest.h>

#include "belfry/engine/jobs/derive.h"
#include "belfry/engine/shape_cache.h"
#include "belfry/filecoin/formats/c1.h"
#include "belfry/groth16/derived/derived_file.h"
#include "belfry/groth16/keygen/query_scalars.h"
#include "belfry/groth16/metrics.h"
#include "belfry/msm/fixed_base.h"
#include "engine/listener.h"
#include "engine/recorded_sector.h"
#include "groth16/domain_values.h"

namespace belfry::engine {
namespace {

using belfry::test::read_vector;

class PorepProofOnDevice : public testing::Test {
 protected:
  static void SetUpTestSuite() { parameters_ = new test::TestParameters("porep-2KiB"); }
  static void TearDownTestSuite() {
    delete parameters_;
    parameters_ = nullptr;
  }

  [[nodiscard]] JobOptions options() {
    JobOptions out = parameters_->options();
    out.backend = BackendPolicy::kCuda;
    out.tracer = listener_.tracer();
    return out;
  }
  /// The recorded proof, or an error.
  static Result<VerifiedProof> prove(const JobOptions& options) {
    const auto c1 = filecoin::parse_c1(read_vector("porep-2kib-v1_1/c1.json"), "c1.json");
    if (!c1) return fail(c1.error());
    return prove_porep(*c1, {groth16::test::recorded_randomness(0)}, options);
  }
  static void expect_recorded(const Result<VerifiedProof>& proof) {
    ASSERT_TRUE(proof) << proof.error().describe();
    EXPECT_EQ(proof->backend, "cuda");
    EXPECT_EQ(to_hex(proof->proof), to_hex(read_vector("porep-2kib-v1_1/proof.bin")));
  }
  void prove_under_budgets() {
    for (const std::uint64_t megabytes : {6000U, 4000U, 3000U, 2500U, 2000U}) {
      JobOptions little = options();
      little.vram_budget_bytes = megabytes << 20;
      const auto proof = prove(little);
      if (!proof) {
        EXPECT_EQ(proof.error().code, ErrorCode::kResourceExhausted) << proof.error().describe();
        std::cout << megabytes << " MiB: " << proof.error().describe() << "\n";
        continue;
      }
      expect_recorded(proof);
      std::cout << megabytes << " MiB: " << proof->seconds.prove << " s\n";
    }
  }

  static inline test::TestParameters* parameters_ = nullptr;
  test::Listener listener_;
};

TEST_F(PorepProofOnDevice, Of2KiBEqualsTheReference) {
  expect_recorded(prove(options()));
  EXPECT_EQ(listener_.counted(groth16::kDerivedMissing), 1);
  prove_under_budgets();
  EXPECT_GT(listener_.counted(groth16::kStreamedProofs), 0);
}

TEST_F(PorepProofOnDevice, FromDerivedParametersEqualsTheReference) {
  const auto made = derive_parameters(parameters_->circuit(), options());
  ASSERT_TRUE(made) << made.error().describe();
  EXPECT_FALSE(made->were_there);
  std::cout << "derived in " << made->made.seconds << " s, transforms "
            << made->made.transform_seconds << " s, check " << made->made.check_seconds << " s\n";
  const auto again = derive_parameters(parameters_->circuit(), options());
  ASSERT_TRUE(again) << again.error().describe();
  EXPECT_TRUE(again->were_there);
  expect_recorded(prove(options()));
  EXPECT_EQ(listener_.counted(groth16::kDerivedMissing), 0);
  prove_under_budgets();
  EXPECT_GT(listener_.counted(groth16::kStreamedProofs), 0);
}

/// A whole file, digests and all, whose points are all at infinity: the proof is made without it.
TEST_F(PorepProofOnDevice, FromWrongDerivedParametersIsMadeAgainWithout) {
  const JobOptions with = options();
  const auto parameters = groth16::test::value_of(open_parameters(parameters_->circuit(), with));
  const auto shape = groth16::test::value_of(load_shape(parameters_->circuit(), with));
  const auto path = groth16::derived_paths(parameters, with.cache_dir).back();
  std::filesystem::create_directories(with.cache_dir);
  const groth16::QueryCounts counts = groth16::derived_counts(shape);
  auto writer = groth16::test::value_of(groth16::DerivedWriter::create(
      path, groth16::DerivedIdentity::of(parameters, shape), counts, with.executor));
  for (const std::uint64_t points : {counts.h, counts.l, counts.a, counts.b, 2 * counts.b}) {
    ASSERT_TRUE(writer.append(std::vector<std::uint8_t>(points * sizeof(curve::G1Affine))));
  }
  ASSERT_TRUE(writer.commit());
  // Without the file that an earlier test left beside the parameters.
  std::filesystem::remove(groth16::derived_paths(parameters, with.cache_dir).front());
  expect_recorded(prove(with));
  EXPECT_EQ(listener_.counted(kDerivedDistrusted), 1);
  EXPECT_EQ(listener_.counted(groth16::kDerivedMissing), 1);
  std::filesystem::remove(path);
}

/// Parameters whose points a card makes are those of the CPU, which the reference's tell.
TEST(SetupOnDevice, Of2KiBMakesTheRecordedFiles) {
  const test::TestParameters made("porep-2KiB", BackendPolicy::kCuda);
  EXPECT_FALSE(made.report().device.empty());
  test::expect_recorded_files(made);
}

/// Every H and L point of 2^22 rows.
TEST_F(PorepProofOnDevice, DerivedPointsAreThoseOfTheTrapdoor) {
  const JobOptions with = options();
  const auto made = derive_parameters(parameters_->circuit(), with);
  ASSERT_TRUE(made) << made.error().describe();
  const auto derived = groth16::DerivedParameters::open(made->made.file);
  ASSERT_TRUE(derived) << derived.error().describe();
  const auto shape = load_shape(parameters_->circuit(), with);
  ASSERT_TRUE(shape);
  const auto domain = ntt::Domain::for_rows(shape->rows());
  const auto trapdoor = groth16::test::recorded_trapdoor();
  const auto scalars =
      groth16::test::domain_scalars(*shape, *domain, trapdoor, false, with.executor);
  const auto query = groth16::query_scalars(*shape, *domain, trapdoor, with.work());
  ASSERT_TRUE(query) << query.error().describe();
  std::vector<Fr> l;
  for (const Fr& c : scalars.c_inputs) l.push_back(-c);
  for (std::size_t i = 0; i < query->l.size(); ++i) l.push_back(query->l[i] - scalars.c_aux[i]);
  const msm::FixedBase<curve::G1> base(curve::G1Affine::generator(), l.size(), with.executor);
  const auto expect = [&](groth16::Section section, const std::vector<Fr>& multiples) {
    std::vector<curve::G1Affine> expected(multiples.size());
    ASSERT_TRUE(base.multiply(multiples, expected, with.executor));
    const ByteSpan found = derived->points().of(section);
    ASSERT_EQ(found.size(), expected.size() * sizeof(curve::G1Affine));
    EXPECT_EQ(std::memcmp(found.data(), expected.data(), found.size()), 0) << to_string(section);
  };
  expect(groth16::Section::kH, scalars.h);
  expect(groth16::Section::kL, l);
}

}  // namespace
}  // namespace belfry::engine
