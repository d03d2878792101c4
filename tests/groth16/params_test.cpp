#include "belfry/groth16/params/params.h"

#include <random>

#include "belfry/curve/encoding.h"
#include "belfry/curve/subgroup.h"
#include "belfry/groth16/params/check.h"
#include "belfry/groth16/params/counts.h"
#include "belfry/groth16/params/writer.h"
#include "groth16/support.h"
#include "reference/slow_field.h"
#include "support/whole_error.h"

namespace belfry::groth16 {
namespace {

using belfry::test::read_vector;
using belfry::test::TempDir;
using belfry::test::vector_path;
using test::Bytes;

constexpr std::string_view kSystem = "rows-252-inputs-4";

class ParametersFile : public testing::Test {
 protected:
  /// Opens `bytes` as a `.params` file and, if that succeeds, checks every point.
  Result<void> check(const Bytes& bytes) {
    test::write_bytes(path_, bytes);
    auto parameters = Parameters::open(path_);
    if (!parameters) return fail(parameters.error());
    return check_points(*parameters, {executor_});
  }
  Error refuse(const Bytes& bytes) {
    const Result<void> outcome = check(bytes);
    if (outcome) return Error{ErrorCode::kInternal, "", "accepted"};
    belfry::test::expect_whole_error(outcome.error());
    EXPECT_EQ(outcome.error().file, path_.string());
    return outcome.error();
  }

  TempDir dir_;
  std::filesystem::path path_ = dir_.path() / "file.params";
  Executor executor_{2};
  Bytes good_ = read_vector(test::mini_params(kSystem));
  Parameters parameters_ = test::open_mini(kSystem);
};

TEST_F(ParametersFile, TheOriginalIsGood) { EXPECT_TRUE(check(good_)); }

TEST_F(ParametersFile, MissingFileIsNotFound) {
  const auto opened = Parameters::open(dir_.path() / "none.params");
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kNotFound);
}

TEST_F(ParametersFile, EmptyAndTextAreNamed) {
  EXPECT_EQ(refuse({}).message, "the file is empty");
  for (const std::size_t size : {179u, 322u}) {
    std::string page = "<html><head><title>504 Gateway Time-out</title></head>\r\n";
    page.resize(size, 'x');
    const Error error = refuse(Bytes(page.begin(), page.end()));
    EXPECT_EQ(error.message, "the file looks like text");
    EXPECT_NE(error.found.find("<html>"), std::string::npos) << error.found;
  }
}

TEST_F(ParametersFile, ShortFilesNameTheSectionThatIsMissing) {
  const auto cut = [this](std::uint64_t size) {
    return refuse(Bytes(good_.begin(), good_.begin() + static_cast<std::ptrdiff_t>(size)));
  };
  EXPECT_EQ(cut(100).section, "beta_g1");
  EXPECT_EQ(cut(863).section, "delta_g2");
  EXPECT_EQ(cut(866).section, "ic");
  EXPECT_EQ(cut(1000).section, "ic");
  for (std::size_t i = 0; i < kSections; ++i) {
    const auto section = static_cast<Section>(i);
    const SectionLayout& layout = parameters_.layout(section);
    EXPECT_EQ(cut(layout.offset).section, to_string(section));
    EXPECT_EQ(cut(layout.offset + 2).section, to_string(section));
    const Error inside = cut(layout.end() - 1);
    EXPECT_EQ(inside.section, to_string(section));
    EXPECT_EQ(inside.offset, layout.offset);
    EXPECT_NE(inside.message.find("truncated"), std::string::npos);
  }
}

TEST_F(ParametersFile, OneByteMoreIsRefused) {
  Bytes longer = good_;
  longer.push_back(0);
  const Error error = refuse(longer);
  EXPECT_EQ(error.section, "end");
  EXPECT_EQ(error.offset, good_.size());
}

TEST_F(ParametersFile, HugeCountsAreRefusedBeforeAnythingIsAllocated) {
  Bytes bytes = good_;
  store_be(bytes.data() + 864, std::uint32_t{0xffffffff});
  EXPECT_EQ(refuse(bytes).section, "ic");
  for (std::size_t i = 0; i < kSections; ++i) {
    bytes = good_;
    const auto section = static_cast<Section>(i);
    store_be(bytes.data() + parameters_.layout(section).offset, std::uint32_t{0xffffffff});
    const Error error = refuse(bytes);
    EXPECT_EQ(error.section, to_string(section));
    EXPECT_EQ(error.offset, parameters_.layout(section).offset);
    EXPECT_EQ(error.found, "4294967295");
  }
}

/// The good file with one section cut down to `count` points.
Bytes with_fewer(const Parameters& parameters, Section section, std::uint32_t count) {
  const SectionLayout& layout = parameters.layout(section);
  const ByteSpan all = parameters.bytes();
  Bytes bytes(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(layout.points_offset() +
                                                                     count * layout.point_bytes));
  store_be(bytes.data() + layout.offset, count);
  bytes.insert(bytes.end(), all.begin() + static_cast<std::ptrdiff_t>(layout.end()), all.end());
  return bytes;
}

TEST_F(ParametersFile, CountsThatContradictEachOtherAreRefused) {
  const Error h = refuse(with_fewer(parameters_, Section::kH, 254));
  EXPECT_EQ(h.section, "h");
  EXPECT_EQ(h.offset, parameters_.layout(Section::kH).offset);
  EXPECT_EQ(refuse(with_fewer(parameters_, Section::kA, 3)).section, "a");
  EXPECT_EQ(refuse(with_fewer(parameters_, Section::kBG1, 1)).section, "b_g2");
  EXPECT_EQ(refuse(with_fewer(parameters_, Section::kBG2, 1)).section, "b_g2");
}

TEST_F(ParametersFile, CountsOfAnotherCircuitAreRefused) {
  const belfry::test::MiniSystem system(kSystem);
  const r1cs::Shape shape = test::shape_of(system, kSystem);
  EXPECT_TRUE(check_counts(parameters_, shape));
  // Each file is whole in itself: h is one below a power of two, and no a point is missing for an
  // input; only the circuit tells that it is too short.
  const std::pair<Section, std::uint32_t> shorter[] = {
      {Section::kH, 127},
      {Section::kL, static_cast<std::uint32_t>(parameters_.counts().l - 1)},
      {Section::kA, static_cast<std::uint32_t>(parameters_.counts().ic)}};
  for (const auto& [section, count] : shorter) {
    test::write_bytes(path_, with_fewer(parameters_, section, count));
    const Parameters opened = test::value_of(Parameters::open(path_));
    const auto outcome = check_counts(opened, shape);
    ASSERT_FALSE(outcome) << to_string(section);
    belfry::test::expect_whole_error(outcome.error(), to_string(section));
    EXPECT_EQ(outcome.error().file, path_.string());
    EXPECT_EQ(outcome.error().section, to_string(section));
    EXPECT_EQ(outcome.error().offset, opened.layout(section).offset);
    EXPECT_EQ(outcome.error().found, std::to_string(count));
  }
}

TEST_F(ParametersFile, ABitFlipAnywhereIsFoundAndPlaced) {
  std::mt19937_64 rng(1);
  for (std::size_t i = 0; i < kSections; ++i) {
    const auto section = static_cast<Section>(i);
    const SectionLayout& layout = parameters_.layout(section);
    for (int round = 0; round < 4; ++round) {
      const std::uint64_t index = rng() % layout.count;
      const std::uint64_t at = layout.points_offset() + index * layout.point_bytes;
      Bytes bytes = good_;
      bytes[at + rng() % layout.point_bytes] ^= static_cast<std::uint8_t>(1u << (rng() % 8));
      const Error error = refuse(bytes);
      EXPECT_EQ(error.section, std::string(to_string(section)) + "[" + std::to_string(index) + "]");
      EXPECT_EQ(error.offset, at);
    }
  }
}

TEST_F(ParametersFile, ABitFlipInTheKeyIsFound) {
  std::mt19937_64 rng(2);
  for (int round = 0; round < 40; ++round) {
    Bytes bytes = good_;
    bytes[rng() % parameters_.layout(Section::kH).offset] ^=
        static_cast<std::uint8_t>(1u << (rng() % 8));
    EXPECT_NE(refuse(bytes).message, "accepted");
  }
}

/// The points of a verifying key: name, place and group.
struct KeyPoint {
  std::string_view name;
  std::uint64_t at;
  bool in_g2;
};
constexpr std::array<KeyPoint, 7> kKeyPoints{{{"alpha_g1", 0, false},
                                              {"beta_g1", 96, false},
                                              {"beta_g2", 192, true},
                                              {"gamma_g2", 384, true},
                                              {"delta_g1", 576, false},
                                              {"delta_g2", 672, true},
                                              {"ic[0]", 868, false}}};

TEST_F(ParametersFile, InfinityIsRefusedEverywhere) {
  for (const KeyPoint& point : kKeyPoints) {
    Bytes bytes = good_;
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(point.at), point.in_g2 ? 192 : 96, 0);
    bytes[point.at] = 0x40;
    const Error error = refuse(bytes);
    EXPECT_EQ(error.message, "point at infinity");
    EXPECT_EQ(error.section, point.name);
    EXPECT_EQ(error.offset, point.at);
  }
  for (std::size_t i = 0; i < kSections; ++i) {
    const SectionLayout& layout = parameters_.layout(static_cast<Section>(i));
    Bytes bytes = good_;
    const std::uint64_t at = layout.points_offset() + 3 * layout.point_bytes;
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), layout.point_bytes, 0);
    bytes[at] = 0x40;
    EXPECT_EQ(refuse(bytes).offset, at);
    EXPECT_EQ(refuse(bytes).message, "point at infinity");
  }
}

/// The first point of the curve from x = `start` on that is outside the subgroup.
template <class Point>
Point outside_subgroup(std::uint8_t start) {
  for (std::uint8_t x = start;; ++x) {
    std::array<std::uint8_t, curve::kCompressedSize<Point>> bytes{};
    bytes[0] = 0x80;
    bytes.back() = x;
    const auto point = curve::decode_compressed_unchecked<Point>(bytes);
    if (point && !curve::in_subgroup(*point)) return *point;
  }
}

TEST_F(ParametersFile, APointOutsideTheSubgroupIsFoundAndPlaced) {
  const auto g1 = curve::encode(outside_subgroup<curve::G1Affine>(1));
  const auto g2 = curve::encode(outside_subgroup<curve::G2Affine>(1));
  for (std::size_t i = 0; i < kSections; ++i) {
    const auto section = static_cast<Section>(i);
    const SectionLayout& layout = parameters_.layout(section);
    const std::uint64_t at = layout.points_offset() + (layout.count - 1) * layout.point_bytes;
    Bytes bytes = good_;
    const ByteSpan bad = section == Section::kBG2 ? ByteSpan(g2) : ByteSpan(g1);
    std::copy(bad.begin(), bad.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
    const Error error = refuse(bytes);
    EXPECT_EQ(error.offset, at);
    EXPECT_NE(error.found.find("subgroup"), std::string::npos) << error.found;
  }
}

TEST_F(ParametersFile, APointOfTheKeyOutsideTheSubgroupIsFoundAndPlaced) {
  const auto g1 = curve::encode(outside_subgroup<curve::G1Affine>(1));
  const auto g2 = curve::encode(outside_subgroup<curve::G2Affine>(1));
  for (const KeyPoint& point : kKeyPoints) {
    Bytes bytes = good_;
    const ByteSpan bad = point.in_g2 ? ByteSpan(g2) : ByteSpan(g1);
    std::copy(bad.begin(), bad.end(), bytes.begin() + static_cast<std::ptrdiff_t>(point.at));
    const Error error = refuse(bytes);
    EXPECT_EQ(error.section, point.name);
    EXPECT_EQ(error.offset, point.at);
    EXPECT_NE(error.found.find("subgroup"), std::string::npos) << error.found;
  }
}

TEST_F(ParametersFile, ACoordinateThatIsNotReducedIsFoundAndPlaced) {
  const Bytes modulus = from_hex(belfry::reference::FpPrime::kHex).value();
  const auto with_modulus_at = [&](std::uint64_t at) {
    Bytes bytes = good_;
    std::copy(modulus.begin(), modulus.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
    return bytes;
  };
  for (const KeyPoint& point : kKeyPoints) {
    EXPECT_EQ(refuse(with_modulus_at(point.at)).offset, point.at);
  }
  for (std::size_t i = 0; i < kSections; ++i) {
    const SectionLayout& layout = parameters_.layout(static_cast<Section>(i));
    const std::uint64_t at = layout.points_offset() + layout.point_bytes;
    for (std::uint64_t k = 0; k < layout.point_bytes; k += modulus.size()) {
      EXPECT_EQ(refuse(with_modulus_at(at + k)).offset, at);
    }
  }
}

template <class Point>
void append_point(Bytes& out, const Point& point) {
  const auto bytes = curve::encode(point);
  out.insert(out.end(), bytes.begin(), bytes.end());
}

/// A file whose h, b_g1 and b_g2 are so long that they are tested by bucket sums, in several
/// strips. Points of them can be replaced before it is checked.
class LongParametersFile : public ParametersFile {
 protected:
  static constexpr std::size_t kLong = 8191;

  LongParametersFile() {
    const VerifyingKey& key = parameters_.verifying_key();
    for (std::size_t i = 0; i < kLong; ++i) {
      append_point(g1_, i % 2 == 0 ? key.alpha_g1 : key.beta_g1);
      append_point(g2_, i % 2 == 0 ? key.gamma_g2 : key.beta_g2);
    }
    for (const auto& point : key.ic) append_point(a_, point);
    h_ = g1_;
  }

  template <std::size_t Size>
  static void replace(Bytes& section, std::size_t index,
                      const std::array<std::uint8_t, Size>& point) {
    std::copy(point.begin(), point.end(),
              section.begin() + static_cast<std::ptrdiff_t>(index * Size));
  }
  /// Not on the curve: a bit of y flipped.
  static void spoil(Bytes& section, std::size_t index, std::size_t point_bytes) {
    section[(index + 1) * point_bytes - 1] ^= 1;
  }

  Result<void> check_long() {
    write();
    return check_points(test::value_of(Parameters::open(path_)), {executor_});
  }
  /// Section, offset and what was found; the file must be refused.
  void expect_refused(std::string_view section, Section which, std::size_t index,
                      std::string_view found) {
    const Result<void> outcome = check_long();
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().section, std::string(section) + "[" + std::to_string(index) + "]");
    const Parameters parameters = test::value_of(Parameters::open(path_));
    const SectionLayout& layout = parameters.layout(which);
    EXPECT_EQ(outcome.error().offset, layout.points_offset() + index * layout.point_bytes);
    EXPECT_NE(outcome.error().found.find(found), std::string::npos) << outcome.error().found;
  }

  Bytes h_;
  Bytes g1_;
  Bytes g2_;

 private:
  void write() {
    auto writer = test::value_of(ParametersWriter::create(path_, parameters_.verifying_key()));
    const std::array<std::pair<std::uint64_t, ByteSpan>, kSections> sections{
        {{kLong, h_},
         {0, {}},
         {parameters_.verifying_key().ic.size(), a_},
         {kLong, g1_},
         {kLong, g2_}}};
    for (const auto& [count, points] : sections) {
      ASSERT_TRUE(writer.begin_section(count));
      ASSERT_TRUE(writer.append(points, executor_));
      ASSERT_TRUE(writer.end_section());
    }
    ASSERT_TRUE(writer.finish());
    ASSERT_TRUE(writer.commit());
  }

  Bytes a_;
};

TEST_F(LongParametersFile, IsGood) { EXPECT_TRUE(check_long()); }

TEST_F(LongParametersFile, APointOutsideTheSubgroupIsFound) {
  replace(h_, 5000, curve::encode(outside_subgroup<curve::G1Affine>(1)));
  expect_refused("h", Section::kH, 5000, "subgroup");
  h_ = g1_;
  replace(g2_, kLong - 1, curve::encode(outside_subgroup<curve::G2Affine>(1)));
  expect_refused("b_g2", Section::kBG2, kLong - 1, "subgroup");
}

/// Two bad points whose sum is good: only sums over random parts tell. The first of them is named.
TEST_F(LongParametersFile, PointsThatCancelAreFound) {
  const curve::G1Affine bad = outside_subgroup<curve::G1Affine>(1);
  replace(h_, 4097, curve::encode(bad));
  replace(h_, kLong - 1, curve::encode(-bad));
  expect_refused("h", Section::kH, 4097, "subgroup");
}

/// Points with x = 0 have order three; the vector kernels refuse them like points off the curve.
TEST_F(LongParametersFile, APointWithoutXIsFound) {
  replace(h_, 4096, curve::encode(curve::G1Affine{Fp{}, Fp::one() + Fp::one()}));
  expect_refused("h", Section::kH, 4096, "subgroup");
}

TEST_F(LongParametersFile, TheFirstPointOffTheCurveIsFound) {
  spoil(h_, 8000, 96);
  spoil(h_, 4095, 96);
  spoil(h_, 4094, 96);
  expect_refused("h", Section::kH, 4094, curve::describe(curve::PointFault::kNotOnCurve));
  h_ = g1_;
  spoil(g2_, 4096, 192);
  expect_refused("b_g2", Section::kBG2, 4096, curve::describe(curve::PointFault::kNotOnCurve));
}

TEST_F(LongParametersFile, InfinityIsFound) {
  replace(h_, 8190, curve::encode(curve::G1Affine::infinity()));
  expect_refused("h", Section::kH, 8190, "infinity");
  // The second coordinate of its encoding is not zero: not even infinity.
  h_[8190 * 96 + 95] = 1;
  const Result<void> outcome = check_long();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().section, "h[8190]");
  EXPECT_EQ(outcome.error().message, "not a point of the group");
}

TEST_F(ParametersFile, TheWriterKeepsToWhatWasAnnounced) {
  auto writer = test::value_of(ParametersWriter::create(path_, parameters_.verifying_key()));
  EXPECT_FALSE(writer.end_section());
  ASSERT_TRUE(writer.begin_section(2));
  ASSERT_TRUE(writer.append(Bytes(96), executor_));
  EXPECT_EQ(writer.end_section().error().code, ErrorCode::kInternal);
  EXPECT_FALSE(writer.finish());
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(ParametersFile, ANeighbouringKeyMustBeTheSame) {
  test::write_bytes(path_, good_);
  const auto vk = dir_.path() / "file.vk";
  Bytes key(good_.begin(), good_.begin() + static_cast<std::ptrdiff_t>(verifying_key_bytes(4)));
  test::write_bytes(vk, key);
  EXPECT_TRUE(check_file(path_, {}, {executor_}));
  for (const std::size_t size : {key.size() - 1, key.size() + 1}) {
    Bytes other = key;
    other.resize(size);
    test::write_bytes(vk, other);
    const auto outcome = check_file(path_, {}, {executor_});
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().file, vk.string());
  }
  key[100] ^= 1;
  test::write_bytes(vk, key);
  const auto outcome = check_file(path_, {}, {executor_});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().offset, 100u);
}

TEST_F(ParametersFile, CancelEndsTheCheck) {
  CancelSource source;
  source.cancel();
  const auto outcome = check_points(parameters_, {executor_, nullptr, source.token()});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kCancelled);
}

TEST_F(ParametersFile, AVerdictIsKeptAndBoundToTheBytes) {
  test::write_bytes(path_, good_);
  const auto cache = dir_.path() / "cache";
  EXPECT_FALSE(test::value_of(check_file(path_, cache, {executor_})).from_cache);
  EXPECT_TRUE(test::value_of(check_file(path_, cache, {executor_})).from_cache);

  // The same size and time, but a bad point: the digest tells.
  const auto time = std::filesystem::last_write_time(path_);
  Bytes bad = good_;
  bad[parameters_.layout(Section::kL).points_offset() + 5] ^= 1;
  test::write_bytes(path_, bad);
  std::filesystem::last_write_time(path_, time);
  EXPECT_FALSE(check_file(path_, cache, {executor_}));

  // The good bytes with another time are another file.
  test::write_bytes(path_, good_);
  std::filesystem::last_write_time(path_, time + std::chrono::seconds(1));
  EXPECT_FALSE(test::value_of(check_file(path_, cache, {executor_})).from_cache);
}

TEST_F(ParametersFile, ADamagedVerdictIsNone) {
  test::write_bytes(path_, good_);
  const VerdictCache cache(dir_.path() / "cache");
  const FileIdentity identity = test::value_of(identify(path_));
  const FileDigest digest = file_digest(good_);
  EXPECT_FALSE(cache.find(identity));
  ASSERT_TRUE(cache.store(identity, digest));
  EXPECT_EQ(cache.find(identity), digest);
  const auto verdict = std::filesystem::directory_iterator(dir_.path() / "cache")->path();
  const Bytes stored = test::read_bytes(verdict);
  for (std::size_t i = 0; i < stored.size(); ++i) {
    Bytes damaged = stored;
    damaged[i] ^= 0x80;
    test::write_bytes(verdict, damaged);
    EXPECT_FALSE(cache.find(identity)) << i;
    test::write_bytes(verdict, ByteSpan(stored).first(i));
    EXPECT_FALSE(cache.find(identity)) << i;
  }
  test::write_bytes(verdict, stored);
  EXPECT_TRUE(cache.holds(identity, digest));
  EXPECT_FALSE(cache.holds(identity, file_digest(Bytes{})));
}

TEST(VerifyingKeyFile, EveryTruncationNamesWhatIsMissing) {
  const Bytes bytes = read_vector("mini/tiny/tiny.vk");
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    const auto key = parse_verifying_key(ByteSpan(bytes).first(size), "key.vk");
    ASSERT_FALSE(key) << size;
    belfry::test::expect_whole_error(key.error(), std::to_string(size));
    EXPECT_EQ(key.error().file, "key.vk");
    EXPECT_LE(key.error().offset, size);
  }
}

TEST(VerifyingKeyFile, AHugeCountIsRefusedBeforeAnythingIsAllocated) {
  Bytes bytes = read_vector("mini/tiny/tiny.vk");
  store_be(bytes.data() + 864, std::uint32_t{0xffffffff});
  const auto key = parse_verifying_key(bytes, "key.vk");
  ASSERT_FALSE(key);
  EXPECT_EQ(key.error().section, "ic");
  EXPECT_EQ(key.error().offset, 864U);
  EXPECT_EQ(key.error().found, "4294967295");
}

TEST(VerifyingKeyFile, TrailingBytesTextAndEmptinessAreRefused) {
  const TempDir dir;
  const auto path = dir.path() / "key.vk";
  Bytes bytes = read_vector("mini/tiny/tiny.vk");
  test::write_bytes(path, bytes);
  EXPECT_TRUE(read_verifying_key(path));
  const auto refuse = [&path](ByteSpan content) {
    test::write_bytes(path, content);
    const auto key = read_verifying_key(path);
    EXPECT_FALSE(key);
    if (key) return Error{ErrorCode::kInternal, "", "accepted"};
    belfry::test::expect_whole_error(key.error());
    return key.error();
  };
  bytes.push_back(0);
  EXPECT_EQ(refuse(bytes).section, "end");
  EXPECT_EQ(refuse({}).message, "the file is empty");
  EXPECT_EQ(refuse(as_bytes("not found\n")).message, "the file looks like text");
  store_be(bytes.data() + 864, std::uint32_t{0});
  bytes.resize(868);
  EXPECT_EQ(refuse(bytes).section, "ic");
}

}  // namespace
}  // namespace belfry::groth16
