// Derived parameters: the same points as from a trapdoor, the same proofs, and their file.
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>

#include "belfry/groth16/derived/derived_check.h"
#include "belfry/groth16/keygen/keygen.h"
#include "belfry/groth16/prove/cpu_backend.h"
#include "belfry/groth16/prove/prove.h"
#include "belfry/r1cs/aux_values.h"
#include "groth16/blocks_system.h"
#include "groth16/derived_on_host.h"
#include "groth16/domain_values.h"
#include "groth16/recorded.h"
#include "groth16/support.h"
#include "support/sealed_head.h"
#include "support/whole_error.h"

namespace belfry::groth16 {
namespace {

using belfry::test::read_vector;
using belfry::test::TempDir;
using curve::G1Affine;
using curve::G1Jacobian;

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

/// The circuit of mixed parts, and its parameters from the recorded trapdoor.
class Blocks {
 public:
  Blocks(std::uint64_t blocks, unsigned bits)
      : system_(blocks, bits), shape_(test::value_of(r1cs::extract_shape("blocks", system_))) {
    (void)test::value_of(make_test_parameters(shape_, test::recorded_trapdoor(), dir_.path(),
                                              "blocks", {executor_}));
    parameters_.emplace(test::value_of(Parameters::open(path("blocks.params"))));
  }
  [[nodiscard]] const r1cs::Shape& shape() const { return shape_; }
  [[nodiscard]] const Parameters& parameters() const { return *parameters_; }
  [[nodiscard]] std::filesystem::path path(const char* name) const { return dir_ / name; }
  [[nodiscard]] const Executor& executor() const { return executor_; }
  [[nodiscard]] DerivedIdentity identity() const {
    return DerivedIdentity::of(*parameters_, shape_);
  }
  [[nodiscard]] std::filesystem::path write() const {
    test::write_derived(path("blocks.derived"), identity(), shape_,
                        test::HostDeriver(*parameters_, shape_).make());
    return path("blocks.derived");
  }

 private:
  TempDir dir_;
  Executor executor_{1};
  test::BlocksSystem system_;
  r1cs::Shape shape_;
  std::optional<Parameters> parameters_;
};

TEST(DerivedPoints, AreThoseOfTheTrapdoor) {
  for (const std::uint64_t blocks : {0u, 3u}) {
    const Blocks system(blocks, 9);
    const auto points = test::HostDeriver(system.parameters(), system.shape()).make();
    const ntt::Domain domain = test::value_of(ntt::Domain::for_rows(system.shape().rows()));
    const auto scalars = test::domain_scalars(system.shape(), domain, test::recorded_trapdoor(),
                                              false, system.executor());
    const auto expect = [](const G1Affine& found, const Fr& scalar, std::size_t i) {
      EXPECT_EQ(G1Jacobian::from_affine(found), curve::multiply(G1Affine::generator(), scalar))
          << i;
    };
    ASSERT_EQ(points.h.size(), domain.size());
    for (std::size_t p = 0; p < points.h.size(); ++p) expect(points.h[p], scalars.h[p], p);
    const auto l = test::points_of<curve::G1>(system.parameters(), Section::kL);
    const std::size_t inputs = system.shape().inputs();
    ASSERT_EQ(points.l.size(), inputs + l.size());
    for (std::size_t i = 0; i < inputs; ++i) expect(points.l[i], -scalars.c_inputs[i], i);
    for (std::size_t i = 0; i < l.size(); ++i) {
      const auto moved = G1Jacobian::from_affine(l[i]) - points.l[inputs + i];
      expect(moved.to_affine(), scalars.c_aux[i], i);
    }
  }
}

/// Σ scalars·points, one after the other.
G1Jacobian sum_of(const std::vector<Fr>& scalars, const std::vector<G1Affine>& points) {
  auto sum = G1Jacobian::infinity();
  for (std::size_t i = 0; i < points.size(); ++i) sum += curve::multiply(points[i], scalars[i]);
  return sum;
}

/// Inputs, then aux.
std::vector<Fr> assignment(const r1cs::Shape& shape, const r1cs::PackedWitness& witness) {
  std::vector<Fr> out(witness.inputs().begin(), witness.inputs().end());
  const r1cs::WitnessLookupView values(shape, witness);
  for (std::uint64_t i = 0; i < shape.aux(); ++i) out.push_back(values.aux(i));
  return out;
}

/// The sums that a device would hand over.
PartialSums derived_sums(PartialSums sums, const Parameters& parameters, const r1cs::Shape& shape,
                         const r1cs::PackedWitness& witness, const Executor& executor) {
  const auto points = test::HostDeriver(parameters, shape).make();
  const ntt::Domain domain = test::value_of(ntt::Domain::for_rows(shape.rows()));
  sums.h = sum_of(test::domain_quotient(shape, witness, domain, executor), points.h).to_affine();
  sums.l = sum_of(assignment(shape, witness), points.l).to_affine();
  return sums;
}

TEST(DerivedPoints, MakeTheRecordedProof) {
  const Executor executor(1);
  for (const std::string_view name : {"tiny", "rows-300-inputs-50"}) {
    const test::MiniSystem system(name, belfry::test::BitVariables::kEverySecond);
    const r1cs::Shape shape = test::shape_of(system, name);
    const r1cs::PackedWitness witness = test::witness_of(system, shape, executor);
    const Parameters parameters = test::open_mini(name);
    const PendingProofs expected = test::value_of(
        start(*make_cpu_backend(executor), {parameters, shape, std::span(&witness, 1)}, kNoLimit));
    const PendingProofs pending = test::value_of(PendingProofs::create(
        parameters.verifying_key(),
        {derived_sums(expected.sums()[0], parameters, shape, witness, executor)}));
    const ProofRandomness randomness = test::recorded_randomness(0);
    EXPECT_EQ(to_hex(encode(test::value_of(finish(pending, std::span(&randomness, 1))))),
              to_hex(read_vector(test::mini_file(name, "proof.bin"))));
  }
}

TEST(DerivedPoints, HaveTheSumsOfTheParametersWithBlocks) {
  const Blocks system(3, 9);
  const test::BlocksSystem circuit(3, 9);
  const r1cs::PackedWitness witness =
      test::value_of(r1cs::compute_witness(system.shape().layout(), circuit, system.executor()));
  const PendingProofs expected = test::value_of(
      start(*make_cpu_backend(system.executor()),
            {system.parameters(), system.shape(), std::span(&witness, 1)}, kNoLimit));
  const PartialSums& sums = expected.sums()[0];
  const PartialSums found =
      derived_sums(sums, system.parameters(), system.shape(), witness, system.executor());
  EXPECT_EQ(G1Jacobian::from_affine(found.l) + found.h, G1Jacobian::from_affine(sums.l) + sums.h);
  EXPECT_FALSE(found.h == sums.h);
}

/// What check_derived_points says of points that were written.
Result<void> check_points(const Blocks& system, const test::DerivedPoints& points) {
  const auto path = system.path("checked.derived");
  test::write_derived(path, system.identity(), system.shape(), points);
  const DerivedParameters file = test::value_of(DerivedParameters::open(path));
  return check_derived_points(file, system.parameters(), system.shape(), {system.executor()});
}

TEST(DerivedCheck, FindsAnyWrongPoint) {
  for (const std::uint64_t blocks : {0U, 3U}) {
    const Blocks system(blocks, 40);
    const auto points = test::HostDeriver(system.parameters(), system.shape()).make();
    const auto good = check_points(system, points);
    EXPECT_TRUE(good) << good.error().describe();
    const auto expect_found = [&](auto member, std::string_view section) {
      const std::size_t count = (points.*member).size();
      for (const std::size_t index : {std::size_t{0}, count / 2, count - 1}) {
        test::DerivedPoints wrong = points;
        auto& point = (wrong.*member)[index];
        point = point.is_infinity() ? std::decay_t<decltype(point)>::generator() : -point;
        const auto refused = check_points(system, wrong);
        ASSERT_FALSE(refused) << section << " " << index;
        EXPECT_EQ(refused.error().code, ErrorCode::kInvalidInput);
        const std::string place = "[" + std::to_string(index) + "]";
        EXPECT_EQ(refused.error().section,
                  section == "h or l" ? section : std::string(section) + place);
        EXPECT_FALSE(refused.error().file.empty());
      }
    };
    expect_found(&test::DerivedPoints::h, "h or l");
    expect_found(&test::DerivedPoints::l, "h or l");
    expect_found(&test::DerivedPoints::a, "a");
    expect_found(&test::DerivedPoints::b_g1, "b_g1");
    expect_found(&test::DerivedPoints::b_g2, "b_g2");
  }
}

TEST(DerivedCheck, FindsTwoPointsInEachOthersPlace) {
  const Blocks system(3, 40);
  auto points = test::HostDeriver(system.parameters(), system.shape()).make();
  // Two points of L in each other's place, as a wrong order of columns would leave them.
  std::swap(points.l.front(), points.l.back());
  EXPECT_FALSE(check_points(system, points));
}

TEST(DerivedCheck, StopsWhenCancelled) {
  const Blocks system(1, 9);
  const DerivedParameters file = test::value_of(DerivedParameters::open(system.write()));
  CancelSource source;
  source.cancel();
  const auto stopped = check_derived_points(file, system.parameters(), system.shape(),
                                            {system.executor(), nullptr, source.token()});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
}

TEST(DerivedFile, ReturnsWhatWasWritten) {
  const Blocks system(2, 70);
  const auto points = test::HostDeriver(system.parameters(), system.shape()).make();
  test::write_derived(system.path("x.derived"), system.identity(), system.shape(), points);
  const DerivedParameters file = test::value_of(DerivedParameters::open(system.path("x.derived")));
  EXPECT_TRUE(file.check_identity(system.identity(), derived_counts(system.shape())));
  EXPECT_TRUE(file.check_contents({system.executor()}));
  const HostPoints found = file.points();
  EXPECT_EQ(found.encoded_in, nullptr);
  const auto expect_bytes = [&](Section section, ByteSpan expected) {
    EXPECT_EQ(to_hex(found.of(section)), to_hex(expected)) << to_string(section);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(found.of(section).data()) % 4096, 0U);
  };
  expect_bytes(Section::kH, test::bytes_of(points.h));
  expect_bytes(Section::kL, test::bytes_of(points.l));
  expect_bytes(Section::kA, test::bytes_of(points.a));
  expect_bytes(Section::kBG1, test::bytes_of(points.b_g1));
  expect_bytes(Section::kBG2, test::bytes_of(points.b_g2));
}

TEST(DerivedFile, RefusesAnyFlippedByte) {
  const Blocks system(1, 5);
  const auto good = test::read_bytes(system.write());
  const auto path = system.path("bad.derived");
  for (std::size_t at = 0; at < good.size(); at += at < 256 ? 1 : 997) {
    auto bytes = good;
    bytes[at] ^= 0x10;
    test::write_bytes(path, bytes);
    const auto opened = DerivedParameters::open(path);
    const bool zeros = at >= 200 && at < 4096;  // the rest of the head's page says nothing
    if (opened) {
      const auto checked = opened->check_contents({system.executor()});
      EXPECT_EQ(checked.has_value(), zeros) << at;
      if (!checked) belfry::test::expect_whole_error(checked.error(), std::to_string(at));
      continue;
    }
    belfry::test::expect_whole_error(opened.error(), std::to_string(at));
    EXPECT_EQ(opened.error().file, path.string());
  }
}

TEST(DerivedFile, RefusesAnyOtherLength) {
  const Blocks system(1, 5);
  const auto good = test::read_bytes(system.write());
  const auto path = system.path("cut.derived");
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{4095},
                                 std::size_t{4096}, good.size() - 1, good.size() + 1}) {
    auto bytes = good;
    bytes.resize(size);
    test::write_bytes(path, bytes);
    const auto opened = DerivedParameters::open(path);
    ASSERT_FALSE(opened) << size;
    belfry::test::expect_whole_error(opened.error(), std::to_string(size));
  }
  EXPECT_EQ(DerivedParameters::open(system.path("none")).error().code, ErrorCode::kNotFound);
}

TEST(DerivedFile, RefusesCountsThatTheFileCanNotHold) {
  const Blocks system(1, 5);
  auto bytes = test::read_bytes(system.write());
  for (const std::uint64_t count :
       {std::uint64_t{1} << 31, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    store_le<std::uint64_t>(bytes.data() + 96, count);
    test::write_bytes(system.path("counts.derived"), belfry::test::with_sealed_head(bytes));
    const auto opened = DerivedParameters::open(system.path("counts.derived"));
    ASSERT_FALSE(opened);
    belfry::test::expect_whole_error(opened.error(), std::to_string(count));
    EXPECT_EQ(opened.error().offset, 96U);
  }
}

TEST(DerivedFile, BelongsToItsParametersAndShape) {
  const Blocks system(1, 5);
  const DerivedParameters file = test::value_of(DerivedParameters::open(system.write()));
  const QueryCounts counts = derived_counts(system.shape());
  DerivedIdentity other = system.identity();
  other.shape[3] ^= 1;
  EXPECT_EQ(file.check_identity(other, counts).error().section, "shape");
  other = system.identity();
  other.parameters[3] ^= 1;
  EXPECT_EQ(file.check_identity(other, counts).error().section, "parameters");
  const Blocks larger(2, 5);
  EXPECT_FALSE(file.check_identity(larger.identity(), derived_counts(larger.shape())));
}

/// A file that is whole in itself, and says that it was made from these, with a point too few in
/// one section: who trusts the circuit's counts would read behind the mapping.
TEST(DerivedFile, HasTheCountsOfItsCircuit) {
  const Blocks system(1, 5);
  const QueryCounts good = derived_counts(system.shape());
  const auto path = system.path("blocks.derived");
  for (std::size_t i = 0; i < 4; ++i) {
    QueryCounts counts = good;
    std::uint64_t& one = *std::array{&counts.h, &counts.l, &counts.a, &counts.b}[i];
    --one;
    auto writer =
        test::value_of(DerivedWriter::create(path, system.identity(), counts, system.executor()));
    for (const std::uint64_t points : {counts.h, counts.l, counts.a, counts.b, 2 * counts.b}) {
      EXPECT_TRUE(writer.append(std::vector<std::uint8_t>(points * sizeof(G1Affine))));
    }
    ASSERT_TRUE(writer.commit());
    const DerivedParameters file = test::value_of(DerivedParameters::open(path));
    EXPECT_TRUE(file.check_identity(system.identity(), counts));
    const auto refused = file.check_identity(system.identity(), good);
    ASSERT_FALSE(refused) << i;
    EXPECT_EQ(refused.error().section, "counts");
    EXPECT_EQ(refused.error().offset, 96 + 8 * i);
    EXPECT_EQ(refused.error().expected, std::to_string(one + 1));
    EXPECT_EQ(refused.error().found, std::to_string(one));
    const TempDir cache;
    EXPECT_FALSE(promises_derived(system.parameters(), system.shape(), cache.path()));
    EXPECT_FALSE(test::value_of(
        find_derived(system.parameters(), system.shape(), cache.path(), {system.executor()})));
  }
}

TEST(DerivedFile, IsPromisedByItsHead) {
  const Blocks system(1, 5);
  const TempDir cache;
  const auto promised = [&] {
    return promises_derived(system.parameters(), system.shape(), cache.path());
  };
  EXPECT_FALSE(promised());
  const auto beside = system.write();
  EXPECT_TRUE(promised());
  const Blocks larger(2, 5);
  EXPECT_FALSE(promises_derived(system.parameters(), larger.shape(), cache.path()));
  const auto cached = derived_paths(system.parameters(), cache.path()).back();
  std::filesystem::rename(beside, cached);
  EXPECT_TRUE(promised());
  auto bytes = test::read_bytes(cached);
  bytes[20] ^= 1;
  test::write_bytes(cached, bytes);
  EXPECT_FALSE(promised());
}

TEST(DerivedFile, OfTwoParametersOfOneNameHaveTwoNamesInTheCache) {
  const Blocks one(1, 5);
  const Blocks other(2, 5);
  EXPECT_EQ(one.parameters().path().filename(), other.parameters().path().filename());
  const auto paths = derived_paths(one.parameters(), "/cache");
  EXPECT_EQ(paths.front(), one.path("blocks.derived"));
  EXPECT_EQ(paths.back().filename().string(),
            "blocks-" + to_hex(one.identity().parameters).substr(0, 16) + ".derived");
  EXPECT_NE(paths.back(), derived_paths(other.parameters(), "/cache").back());
}

TEST(DerivedFile, IsFoundBesideTheParametersOrInTheCacheUnlessDamaged) {
  const Blocks system(1, 5);
  const TempDir cache;
  const auto cached = derived_paths(system.parameters(), cache.path()).back();
  const auto find = [&] {
    return test::value_of(
        find_derived(system.parameters(), system.shape(), cache.path(), {system.executor()}));
  };
  EXPECT_FALSE(find());
  const auto beside = system.write();
  ASSERT_TRUE(find());
  EXPECT_EQ(find()->path(), beside);
  const auto bytes = test::read_bytes(beside);
  test::write_bytes(cached, bytes);
  auto damaged = bytes;
  damaged[5000] ^= 1;
  test::write_bytes(beside, damaged);
  ASSERT_TRUE(find());
  EXPECT_EQ(find()->path(), cached);
  test::write_bytes(cached, damaged);
  EXPECT_FALSE(find());
}

/// Two processes derive for one target: each checks its own bytes, and gives those the name.
TEST(DerivedFile, IsReadableBeforeItHasItsName) {
  const Blocks system(1, 5);
  const auto path = system.path("two.derived");
  const QueryCounts counts = derived_counts(system.shape());
  const auto written = [&](std::uint8_t value) {
    auto writer =
        test::value_of(DerivedWriter::create(path, system.identity(), counts, system.executor()));
    for (const std::uint64_t points : {counts.h, counts.l, counts.a, counts.b, 2 * counts.b}) {
      EXPECT_TRUE(writer.append(std::vector<std::uint8_t>(points * sizeof(G1Affine), value)));
    }
    EXPECT_TRUE(writer.finish());
    return writer;
  };
  const auto first_byte = [](const std::filesystem::path& from) {
    return test::value_of(DerivedParameters::open(from)).points().of(Section::kH)[0];
  };
  DerivedWriter first = written(1);
  DerivedWriter second = written(2);
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_NE(first.readable_path(), second.readable_path());
  EXPECT_EQ(first_byte(first.readable_path()), 1);
  ASSERT_TRUE(second.commit());
  EXPECT_EQ(first_byte(path), 2);
  EXPECT_EQ(first_byte(first.readable_path()), 1);
  ASSERT_TRUE(first.commit());
  EXPECT_EQ(first_byte(path), 1);
}

TEST(DerivedFile, AWriterKeepsToItsCounts) {
  const Blocks system(1, 5);
  const auto path = system.path("short.derived");
  auto writer = test::value_of(DerivedWriter::create(
      path, system.identity(), derived_counts(system.shape()), system.executor()));
  EXPECT_EQ(writer.commit().error().code, ErrorCode::kInternal);
  const std::vector<std::uint8_t> many(std::size_t{1} << 20);
  EXPECT_EQ(writer.append(many).error().code, ErrorCode::kInternal);
  EXPECT_FALSE(std::filesystem::exists(path));
}

/// What came after the digests would lie behind a head that does not speak of it.
TEST(DerivedFile, AFinishedOneTakesNoMorePoints) {
  const Blocks system(1, 5);
  const auto path = system.path("finished.derived");
  const QueryCounts counts = derived_counts(system.shape());
  auto writer =
      test::value_of(DerivedWriter::create(path, system.identity(), counts, system.executor()));
  for (const std::uint64_t points : {counts.h, counts.l, counts.a, counts.b, 2 * counts.b}) {
    ASSERT_TRUE(writer.append(std::vector<std::uint8_t>(points * sizeof(G1Affine))));
  }
  const auto expect_refused = [&](const Result<void>& refused) {
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kInternal);
    EXPECT_EQ(refused.error().message, "the file is finished");
    EXPECT_EQ(refused.error().file, path.string());
  };
  ASSERT_TRUE(writer.finish());
  expect_refused(writer.append(std::vector<std::uint8_t>(sizeof(G1Affine))));
  expect_refused(writer.append({}));
  expect_refused(writer.finish());
  ASSERT_TRUE(writer.commit());
  EXPECT_TRUE(test::value_of(DerivedParameters::open(path)).check_contents({system.executor()}));
  expect_refused(writer.append(std::vector<std::uint8_t>(sizeof(G1Affine))));
}

}  // namespace
}  // namespace belfry::groth16
