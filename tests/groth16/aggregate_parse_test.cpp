// What the readers of aggregates and of their SRS refuse.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "belfry/curve/encoding.h"
#include "belfry/curve/gt_encoding.h"
#include "belfry/curve/multiply.h"
#include "groth16/aggregate_support.h"
#include "support/points.h"
#include "support/whole_error.h"

namespace belfry::groth16 {
namespace {

using test::Bytes;
using test::value_of;

constexpr std::size_t kGt = curve::kGtCompressedSize;
constexpr std::size_t kG1 = curve::kCompressedSize<curve::G1Affine>;
constexpr std::size_t kG2 = curve::kCompressedSize<curve::G2Affine>;

void put(Bytes& bytes, std::size_t at, ByteSpan content) {
  std::ranges::copy(content, bytes.begin() + static_cast<std::ptrdiff_t>(at));
}

/// Points that every reader refuses.
template <class Curve>
std::vector<Bytes> bad_points() {
  using Affine = curve::Affine<Curve>;
  std::mt19937_64 rng(1);
  const auto outside = curve::encode_compressed(belfry::test::random_curve_point<Curve>(rng));
  const auto infinity = curve::encode_compressed(Affine::infinity());
  std::vector<Bytes> bad{{outside.begin(), outside.end()}, {infinity.begin(), infinity.end()}};
  bad.emplace_back(infinity.size(), 0x00);  // not flagged as compressed
  bad.emplace_back(infinity.size(), 0xff);  // coordinates above p
  return bad;
}

// --- Aggregates -------------------------------------------------------------------------------

/// A field of the encoding of an aggregate of two proofs.
struct Field {
  const char* name;
  std::size_t bytes;
};
constexpr std::array kFields{Field{"com_ab.t", kGt},
                             Field{"com_ab.u", kGt},
                             Field{"com_c.t", kGt},
                             Field{"com_c.u", kGt},
                             Field{"ip_ab", kGt},
                             Field{"agg_c", kG1},
                             Field{"n", 4},
                             Field{"ab[0].t_left", kGt},
                             Field{"ab[0].u_left", kGt},
                             Field{"ab[0].t_right", kGt},
                             Field{"ab[0].u_right", kGt},
                             Field{"c[0].t_left", kGt},
                             Field{"c[0].u_left", kGt},
                             Field{"c[0].t_right", kGt},
                             Field{"c[0].u_right", kGt},
                             Field{"z_ab[0].left", kGt},
                             Field{"z_ab[0].right", kGt},
                             Field{"z_c[0].left", kG1},
                             Field{"z_c[0].right", kG1},
                             Field{"final_a", kG1},
                             Field{"final_b", kG2},
                             Field{"final_c", kG1},
                             Field{"final_vkey[0]", kG2},
                             Field{"final_vkey[1]", kG2},
                             Field{"final_wkey[0]", kG1},
                             Field{"final_wkey[1]", kG1},
                             Field{"vkey_opening[0]", kG2},
                             Field{"vkey_opening[1]", kG2},
                             Field{"wkey_opening[0]", kG1},
                             Field{"wkey_opening[1]", kG1}};
constexpr std::size_t kCountOffset = 5 * kGt + kG1;

class AggregateBytes : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const Executor executor(2);
    const auto key = value_of(test::SmallSrs(4).open().proving_key(2, executor));
    bytes_ = new Bytes(value_of(encode(value_of(aggregate(
        key, test::TinyProofs(2).proofs, SnarkPackVersion::kV2, test::kBoundTo, {executor})))));
  }
  static void TearDownTestSuite() {
    delete bytes_;
    bytes_ = nullptr;
  }
  static Error refuse(ByteSpan bytes) {
    const auto proof = parse_aggregate(bytes, "aggregate.bin");
    EXPECT_FALSE(proof);
    if (proof) return Error{ErrorCode::kInternal, "", "accepted"};
    belfry::test::expect_whole_error(proof.error());
    return proof.error();
  }

  static Bytes* bytes_;
};
Bytes* AggregateBytes::bytes_ = nullptr;

TEST_F(AggregateBytes, AreOfTheLengthThatTheirFieldsMake) {
  std::size_t total = 0;
  for (const Field& field : kFields) total += field.bytes;
  EXPECT_EQ(total, 2260U + 2976U);
  EXPECT_EQ(bytes_->size(), total);
  EXPECT_EQ(aggregate_bytes(2), total);
  EXPECT_EQ(aggregate_bytes(16), 14164U);
  EXPECT_EQ(aggregate_bytes(128), 23092U);
  EXPECT_EQ(value_of(encode(value_of(parse_aggregate(*bytes_, "aggregate.bin")))), *bytes_);
}

TEST_F(AggregateBytes, CutAnywhereTheyAreRefused) {
  std::size_t offset = 0;
  for (const Field& field : kFields) {
    for (const std::size_t length : {offset, offset + 1, offset + field.bytes - 1}) {
      const Error error = refuse(ByteSpan(*bytes_).first(length));
      EXPECT_EQ(error.code, ErrorCode::kInvalidInput) << field.name << " " << length;
      EXPECT_EQ(error.file, "aggregate.bin");
      // From the count on it is the length that is wrong, before it is the field that is cut.
      EXPECT_EQ(error.section, length >= kCountOffset + 4 ? "n" : field.name) << length;
    }
    offset += field.bytes;
  }
  Bytes longer = *bytes_;
  longer.push_back(0);
  EXPECT_EQ(refuse(longer).section, "n");
}

TEST_F(AggregateBytes, EveryFieldIsChecked) {
  std::size_t offset = 0;
  for (const Field& field : kFields) {
    std::vector<Bytes> samples;
    if (field.bytes == kGt) {
      samples = {Bytes(kGt, 0xff), Bytes(kGt, 0x00), Bytes(kGt, 0x01)};
    } else if (field.bytes == kG1) {
      samples = bad_points<curve::G1>();
    } else if (field.bytes == kG2) {
      samples = bad_points<curve::G2>();
    }
    for (const Bytes& sample : samples) {
      Bytes bytes = *bytes_;
      put(bytes, offset, sample);
      const Error error = refuse(bytes);
      EXPECT_EQ(error.code, ErrorCode::kInvalidInput);
      EXPECT_EQ(error.section, field.name);
      EXPECT_EQ(error.offset, offset);
    }
    offset += field.bytes;
  }
}

TEST_F(AggregateBytes, CountsThatAreNoneOrDoNotFitAreRefused) {
  for (const std::uint32_t count : {0U, 1U, 3U, 4U, 6U, 1U << 20, 1U << 21, 0xffffffffU}) {
    Bytes bytes = *bytes_;
    std::array<std::uint8_t, 4> encoded{};
    store_le(encoded.data(), count);
    put(bytes, kCountOffset, encoded);
    const Error error = refuse(bytes);
    EXPECT_EQ(error.section, "n") << count;
    EXPECT_FALSE(error.expected.empty());
  }
}

TEST(AggregateEncoding, APairingValueOfOneHasNone) {
  AggregateProof proof;  // all pairing values are one
  proof.rounds.emplace_back();
  const auto bytes = encode(proof);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().code, ErrorCode::kInvalidInput);
}

// --- SRS --------------------------------------------------------------------------------------

constexpr std::size_t kPowers = 4;
constexpr std::array kListBytes{4 + kPowers * kG1, 4 + kPowers* kG1, 4 + kPowers* kG2,
                                4 + kPowers* kG2};
constexpr std::array<std::size_t, 4> kListOffsets{0, kListBytes[0], kListBytes[0] + kListBytes[1],
                                                  kListBytes[0] + kListBytes[1] + kListBytes[2]};
constexpr std::array kListNames{"g_alpha_powers", "g_beta_powers", "h_alpha_powers",
                                "h_beta_powers"};

class SrsBytes : public testing::Test {
 protected:
  Result<AggregationSrs> open(ByteSpan bytes) {
    test::write_bytes(file_, bytes);
    return AggregationSrs::open(file_);
  }
  Error refuse(ByteSpan bytes) {
    const auto srs = open(bytes);
    EXPECT_FALSE(srs);
    if (srs) return Error{ErrorCode::kInternal, "", "accepted"};
    belfry::test::expect_whole_error(srs.error());
    return srs.error();
  }
  Error fail_check(ByteSpan bytes) {
    const auto srs = open(bytes);
    if (!srs) return srs.error();
    const auto checked = check_srs(*srs, {executor_});
    EXPECT_FALSE(checked);
    if (checked) return Error{ErrorCode::kInternal, "", "accepted"};
    belfry::test::expect_whole_error(checked.error());
    return checked.error();
  }

  Executor executor_{2};
  belfry::test::TempDir dir_;
  std::filesystem::path file_ = dir_ / "test.srs";
  Bytes bytes_ = value_of(make_test_srs(test::small_srs_trapdoor(), kPowers, executor_));
};

TEST_F(SrsBytes, HoldWhatTheyWereMadeOf) {
  const AggregationSrs srs = value_of(open(bytes_));
  EXPECT_TRUE(check_srs(srs, {executor_}));
  const AggregationKey key = value_of(srs.proving_key(2, executor_));
  const auto [alpha, beta] = test::small_srs_trapdoor();
  const auto g = curve::G1Affine::generator();
  const auto h = curve::G2Affine::generator();
  EXPECT_EQ(key.g_alpha[0], g);
  EXPECT_EQ(key.g_alpha[3], curve::multiply(g, alpha * alpha * alpha).to_affine());
  EXPECT_EQ(key.g_beta[2], curve::multiply(g, beta * beta).to_affine());
  EXPECT_EQ(key.h_beta[1], curve::multiply(h, beta).to_affine());
  const AggregationVerifyingKey verifier = value_of(srs.verifying_key());
  EXPECT_EQ(verifier.g_powers[1], key.g_beta[1]);
  EXPECT_EQ(verifier.h_powers[0], curve::multiply(h, alpha).to_affine());
}

TEST_F(SrsBytes, TooFewPowersForTheProofsAreNamed) {
  const auto key = value_of(open(bytes_)).proving_key(4, executor_);
  ASSERT_FALSE(key);
  belfry::test::expect_whole_error(key.error());
  EXPECT_EQ(key.error().section, "g_alpha_powers");
  EXPECT_EQ(key.error().found, "4");
}

TEST_F(SrsBytes, NoFileEmptyAndTextAreRefused) {
  EXPECT_EQ(AggregationSrs::open(dir_ / "none.srs").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(refuse({}).code, ErrorCode::kInvalidInput);
  EXPECT_EQ(refuse(as_bytes("<html>404 Not Found</html>")).code, ErrorCode::kInvalidInput);
}

TEST_F(SrsBytes, CutAnywhereTheyAreRefused) {
  for (std::size_t list = 0; list < kListBytes.size(); ++list) {
    const std::size_t offset = kListOffsets[list];
    for (const std::size_t length : {offset + 1, offset + 4, offset + kListBytes[list] - 1}) {
      const Error error = refuse(ByteSpan(bytes_).first(length));
      EXPECT_EQ(error.code, ErrorCode::kInvalidInput);
      EXPECT_EQ(error.section, kListNames[list]) << length;
    }
  }
  bytes_.push_back(0);
  EXPECT_EQ(refuse(bytes_).code, ErrorCode::kInvalidInput);
}

TEST_F(SrsBytes, CountsThatAreNoneOrDoNotFitAreRefused) {
  for (std::size_t list = 0; list < kListBytes.size(); ++list) {
    const std::size_t offset = kListOffsets[list];
    for (const std::uint32_t count : {0U, 1U, 0x00ffffffU, 0xffffffffU}) {
      Bytes bytes = bytes_;
      store_be(bytes.data() + offset, count);
      const Error error = refuse(bytes);
      EXPECT_EQ(error.section, kListNames[list]) << count;
      EXPECT_EQ(error.offset, offset);
    }
  }
}

TEST_F(SrsBytes, EveryPointIsChecked) {
  for (std::size_t list = 0; list < kListBytes.size(); ++list) {
    const std::size_t offset = kListOffsets[list];
    const std::size_t point_bytes = list < 2 ? kG1 : kG2;
    for (const std::size_t index : {0U, 1U, 3U}) {
      for (const Bytes& sample : list < 2 ? bad_points<curve::G1>() : bad_points<curve::G2>()) {
        Bytes bytes = bytes_;
        const std::size_t at = offset + 4 + index * point_bytes;
        put(bytes, at, sample);
        const Error error = fail_check(bytes);
        EXPECT_EQ(error.section, std::string(kListNames[list]) + "[" + std::to_string(index) + "]");
        EXPECT_EQ(error.offset, at);
      }
    }
  }
}

TEST_F(SrsBytes, ListsThatAreNoPowersAreFound) {
  for (std::size_t list = 0; list < kListBytes.size(); ++list) {
    const std::size_t offset = kListOffsets[list];
    // The last power once more in the place before it: good points, in a wrong order.
    const std::size_t point_bytes = list < 2 ? kG1 : kG2;
    const std::size_t end = offset + kListBytes[list];
    Bytes bytes = bytes_;
    put(bytes, end - 2 * point_bytes, ByteSpan(bytes_).subspan(end - point_bytes, point_bytes));
    EXPECT_EQ(fail_check(bytes).section, kListNames[list]);
  }
}

TEST_F(SrsBytes, OtherSecretsInOneGroupAreFound) {
  const Bytes other =
      value_of(make_test_srs({Fr::from_u64(3), Fr::from_u64(4)}, kPowers, executor_));
  const std::size_t g2 = kListBytes[0] + kListBytes[1];
  Bytes bytes = bytes_;
  put(bytes, g2, ByteSpan(other).subspan(g2));
  EXPECT_EQ(fail_check(bytes).section, "g_alpha_powers");
}

TEST_F(SrsBytes, SecretsThatAnyoneSeesAreRefused) {
  const Fr one = Fr::one();
  const Fr other = Fr::from_u64(5);
  struct Case {
    SrsTrapdoor trapdoor;
    const char* section;
  };
  for (const Case& bad : {Case{{one, other}, "g_alpha_powers"}, Case{{other, one}, "g_beta_powers"},
                          Case{{other, other}, "g_beta_powers"}}) {
    const Bytes bytes = value_of(make_test_srs(bad.trapdoor, kPowers, executor_));
    const Error error = fail_check(bytes);
    EXPECT_EQ(error.code, ErrorCode::kInvalidInput);
    EXPECT_EQ(error.section, bad.section);
    EXPECT_EQ(error.file, file_.string());
    // Who only verifies sees them too, and who aggregates.
    const Error seen = value_of(open(bytes)).verifying_key().error();
    belfry::test::expect_whole_error(seen);
    EXPECT_EQ(seen.section, bad.section);
    const AggregationKey key = value_of(value_of(open(bytes)).proving_key(2, executor_));
    EXPECT_EQ(check_powers(key, {executor_}).error().section, bad.section);
  }
}

TEST_F(SrsBytes, PointsThatWereReadAreCheckedAsTheFile) {
  const AggregationKey good = value_of(value_of(open(bytes_)).proving_key(2, executor_));
  EXPECT_TRUE(check_powers(good, {executor_}));
  const auto section = [&](const auto& change) {
    AggregationKey key = good;
    change(key);
    const auto checked = check_powers(key, {executor_});
    return checked ? std::string() : checked.error().section;
  };
  EXPECT_EQ(section([](AggregationKey& key) { key.g_alpha[3] = key.g_alpha[2]; }),
            "g_alpha_powers");
  EXPECT_EQ(section([](AggregationKey& key) { key.g_beta[2] = key.g_alpha[2]; }), "g_beta_powers");
  EXPECT_EQ(section([](AggregationKey& key) { key.g_beta[0] = key.g_beta[1]; }), "g_beta_powers");
  EXPECT_EQ(section([](AggregationKey& key) { key.h_beta[0] = key.h_beta[1]; }), "h_beta_powers");
  // The second power in G2 is what the lists of G1 are checked with.
  EXPECT_EQ(section([](AggregationKey& key) { key.h_alpha[1] = -key.h_alpha[1]; }),
            "g_alpha_powers");
}

TEST_F(SrsBytes, AnotherGeneratorInOneListIsFound) {
  // The list of beta, one place on, is a list of powers too, of another base.
  const Bytes longer = value_of(make_test_srs(test::small_srs_trapdoor(), kPowers + 1, executor_));
  const std::size_t longer_list = 4 + (kPowers + 1) * kG1;
  Bytes bytes = bytes_;
  put(bytes, kListBytes[0] + 4, ByteSpan(longer).subspan(longer_list + 4 + kG1, kPowers * kG1));
  const Error error = fail_check(bytes);
  EXPECT_EQ(error.section, "g_beta_powers");
}

}  // namespace
}  // namespace belfry::groth16
