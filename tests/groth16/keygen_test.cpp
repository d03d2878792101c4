#include "belfry/groth16/keygen/keygen.h"

#include <algorithm>
#include <span>
#include <vector>

#include "belfry/curve/encoding.h"
#include "belfry/groth16/keygen/polynomials.h"
#include "belfry/groth16/keygen/test_files.h"
#include "belfry/groth16/params/check.h"
#include "belfry/groth16/params/counts.h"
#include "belfry/groth16/prove/cpu_backend.h"
#include "belfry/groth16/prove/prove.h"
#include "belfry/groth16/verify/verify.h"
#include "groth16/blocks_system.h"
#include "groth16/support.h"
#include "support/vectors.h"

namespace belfry::groth16 {
namespace {

using belfry::test::TempDir;
using test::BlocksSystem;

TestTrapdoor small_trapdoor() {
  return {Fr::from_u64(5), Fr::from_u64(7), Fr::from_u64(11), Fr::from_u64(13), Fr::from_u64(17)};
}

/// Prints a section of a file three points at a time.
template <class Affine>
Result<void> print_again(const Parameters& parameters, Section section, SectionPrinter& printer) {
  constexpr std::size_t kPointBytes = curve::kUncompressedSize<Affine>;
  const ByteSpan bytes = parameters.section_bytes(section);
  std::vector<Affine> points;
  for (std::size_t at = 0; at < bytes.size(); at += kPointBytes) {
    const auto point = curve::decode<Affine>(bytes.subspan(at).first<kPointBytes>());
    EXPECT_TRUE(point);
    points.push_back(*point);
  }
  BELFRY_CHECK(printer.begin(points.size()));
  const std::span<const Affine> all(points);
  for (std::size_t at = 0; at < all.size(); at += 3) {
    BELFRY_CHECK(printer.append(all.subspan(at, std::min<std::size_t>(3, all.size() - at))));
  }
  return printer.end();
}

class Setup : public testing::Test {
 protected:
  TempDir dir_;
  Executor executor_{2};
  WorkView work_{executor_};
};

TEST_F(Setup, LagrangePolynomialsInterpolate) {
  // The sum of f(omega^j)·L_j(tau) is f(tau) for every f below the domain's size.
  for (const unsigned log_size : {0u, 1u, 4u, 13u}) {
    const ntt::Domain domain = test::value_of(ntt::Domain::of_log_size(log_size));
    const Fr tau = Fr::from_u64(0x1234567);
    const auto lagrange = test::value_of(lagrange_at(domain, tau, domain.size(), executor_));
    for (const std::uint64_t degree : {std::uint64_t{0}, domain.size() / 2, domain.size() - 1}) {
      Fr sum;
      for (std::uint64_t j = 0; j < domain.size(); ++j) {
        sum += lagrange[j] * domain.omega().pow(j).pow(degree);
      }
      EXPECT_EQ(sum, tau.pow(degree)) << log_size << " " << degree;
    }
  }
}

TEST_F(Setup, ARootOfTheDomainIsNoTau) {
  const ntt::Domain domain = test::value_of(ntt::Domain::of_log_size(4));
  const auto outcome = lagrange_at(domain, domain.omega().pow(3), 16, executor_);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kInvalidUsage);
}

TEST_F(Setup, RandomParametersProveAndVerify) {
  for (const unsigned bits : {1u, 100u}) {
    const BlocksSystem system(3, bits);
    const r1cs::Shape shape = test::value_of(r1cs::extract_shape("blocks", system));
    const auto witness = test::value_of(r1cs::compute_witness(shape.layout(), system, executor_));
    const TestTrapdoor trapdoor = test::value_of(random_test_trapdoor());
    const SetupReport report =
        test::value_of(make_test_parameters(shape, trapdoor, dir_.path(), "blocks", work_));
    const Parameters parameters = test::value_of(Parameters::open(report.params.file));
    EXPECT_TRUE(check_counts(parameters, shape));
    EXPECT_TRUE(check_file(report.params.file, {}, work_));
    const auto backend = make_cpu_backend(executor_);
    const PendingProofs pending = test::value_of(
        start(*backend, {parameters, shape, std::span(&witness, 1)}, std::uint64_t{1} << 30));
    const Proof proof = test::value_of(finish(pending)).at(0);
    const PreparedVerifyingKey key(parameters.verifying_key());
    EXPECT_TRUE(test::value_of(verify(key, proof, witness.inputs().subspan(1), executor_)));
  }
}

TEST_F(Setup, ZerosInTheTrapdoorAreRefused) {
  const r1cs::Shape shape = test::value_of(r1cs::extract_shape("blocks", BlocksSystem(1, 3)));
  for (Fr TestTrapdoor::* element :
       {&TestTrapdoor::alpha, &TestTrapdoor::beta, &TestTrapdoor::gamma, &TestTrapdoor::delta,
        &TestTrapdoor::tau}) {
    TestTrapdoor trapdoor = small_trapdoor();
    trapdoor.*element = Fr::zero();
    const auto outcome = make_test_parameters(shape, trapdoor, dir_.path(), "zero", work_);
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ErrorCode::kInvalidUsage);
  }
  EXPECT_TRUE(std::filesystem::is_empty(dir_.path()));
}

/// A system with an aux that no constraint mentions.
struct LooseSystem {
  [[nodiscard]] static std::uint64_t blocks() { return 0; }
  template <class Cs>
  static int header(Cs& cs) {
    using Lc = typename Cs::Lc;
    const auto x = cs.alloc_field(cs.given([] { return Fr::one(); }));
    (void)cs.alloc_field(cs.given([] { return Fr::one(); }));
    cs.enforce(Lc{}.plus(x), Lc{}.plus(x), Lc{}.plus(x));
    return 0;
  }
  template <class Cs>
  static void block(Cs&, int, std::uint64_t) {}
};

TEST_F(Setup, AnUnconstrainedVariableIsNamedAndNothingIsWritten) {
  const r1cs::Shape shape = test::value_of(r1cs::extract_shape("loose", LooseSystem{}));
  const auto outcome = make_test_parameters(shape, small_trapdoor(), dir_.path(), "loose", work_);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().message, "unconstrained variable");
  EXPECT_EQ(outcome.error().section, "aux 1");
  EXPECT_TRUE(std::filesystem::is_empty(dir_.path()));
}

TEST_F(Setup, CancelLeavesNothing) {
  const r1cs::Shape shape = test::value_of(r1cs::extract_shape("blocks", BlocksSystem(1, 3)));
  CancelSource source;
  source.cancel();
  const auto outcome = make_test_parameters(shape, small_trapdoor(), dir_.path(), "x",
                                            {executor_, nullptr, source.token()});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kCancelled);
  EXPECT_TRUE(std::filesystem::is_empty(dir_.path()));
}

/// Whoever makes the points, on whichever device: a section that ends early, or a maker that fails
/// between sections, leaves no file.
TEST_F(Setup, SectionsThatAreNotWholeLeaveNothing) {
  const VerifyingKey key = test::open_mini("tiny").verifying_key();
  const std::vector<curve::G1Affine> points(3, curve::G1Affine::generator());
  const std::span<const curve::G1Affine> some(points);
  const auto outcome_of = [&](const PrintSections& print) {
    return write_test_files(dir_.path(), "x", key, points.size(), print, work_);
  };
  const auto short_section = outcome_of([&](SectionPrinter& printer) -> Result<void> {
    BELFRY_CHECK(printer.begin(some.size()));
    BELFRY_CHECK(printer.append(some.first(2)));
    return printer.end();
  });
  ASSERT_FALSE(short_section);
  EXPECT_EQ(short_section.error().code, ErrorCode::kInternal);
  const auto missing_sections = outcome_of([&](SectionPrinter& printer) -> Result<void> {
    BELFRY_CHECK(printer.begin(some.size()));
    BELFRY_CHECK(printer.append(some));
    return printer.end();
  });
  ASSERT_FALSE(missing_sections);
  EXPECT_EQ(missing_sections.error().code, ErrorCode::kInternal);
  const auto failed = outcome_of(
      [](SectionPrinter&) -> Result<void> { return fail(ErrorCode::kDeviceLost, "test", "gone"); });
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::kDeviceLost);
  EXPECT_TRUE(std::filesystem::is_empty(dir_.path()));
}

/// The points of a file, printed again in pieces of another size, are the file.
TEST_F(Setup, SectionsInPiecesMakeTheSameFile) {
  const r1cs::Shape shape = test::value_of(r1cs::extract_shape("blocks", BlocksSystem(1, 3)));
  const SetupReport whole =
      test::value_of(make_test_parameters(shape, small_trapdoor(), dir_.path(), "whole", work_));
  const Parameters parameters = test::value_of(Parameters::open(whole.params.file));
  const auto print = [&](SectionPrinter& printer) -> Result<void> {
    for (std::size_t i = 0; i < kSections; ++i) {
      const auto section = static_cast<Section>(i);
      if (section == Section::kBG2) {
        BELFRY_CHECK(print_again<curve::G2Affine>(parameters, section, printer));
      } else {
        BELFRY_CHECK(print_again<curve::G1Affine>(parameters, section, printer));
      }
    }
    return {};
  };
  const SetupReport pieces = test::value_of(
      write_test_files(dir_.path(), "pieces", parameters.verifying_key(), 1, print, work_));
  EXPECT_EQ(pieces.params.sha256, whole.params.sha256);
  EXPECT_EQ(test::read_bytes(pieces.params.file), test::read_bytes(whole.params.file));
  EXPECT_EQ(test::read_bytes(pieces.vk.file), test::read_bytes(whole.vk.file));
  EXPECT_TRUE(is_marked_for_tests(pieces.params.file, whole.params.digest));
}

TEST_F(Setup, TheMarkBelongsToItsFile) {
  const r1cs::Shape shape = test::value_of(r1cs::extract_shape("blocks", BlocksSystem(1, 3)));
  const SetupReport report =
      test::value_of(make_test_parameters(shape, small_trapdoor(), dir_.path(), "marked", work_));
  EXPECT_EQ(test_mark_path(report.params.file), dir_ / "marked.test.json");
  EXPECT_TRUE(is_marked_for_tests(report.params.file, report.params.digest));
  FileDigest other = report.params.digest;
  other[0] ^= 1;
  EXPECT_FALSE(is_marked_for_tests(report.params.file, other));
  EXPECT_FALSE(is_marked_for_tests(dir_ / "unmarked.params"));
}

}  // namespace
}  // namespace belfry::groth16
