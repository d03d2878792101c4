#include "belfry/r1cs/shape_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>

#include "belfry/r1cs/digest.h"
#include "belfry/r1cs/shape_sections.h"
#include "belfry/r1cs/synthesize.h"
#include "support/blocked_circuit.h"
#include "support/circuits.h"
#include "support/shape_bytes.h"
#include "support/temp_dir.h"
#include "support/whole_error.h"

namespace belfry::r1cs {
namespace {

using test::BlockedCircuit;
using test::TempDir;

std::vector<std::uint8_t> bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Shape blocked_shape(std::uint64_t blocks) {
  const auto shape = extract_shape("blocked", BlockedCircuit{blocks});
  EXPECT_TRUE(shape.has_value());
  return *shape;
}

Result<Shape> parse(const std::vector<std::uint8_t>& bytes, DigestCheck digest) {
  return test::parse_shape_bytes(bytes, "test.shape", digest);
}

class ShapeFile : public ::testing::Test {
 protected:
  TempDir folder;
  std::filesystem::path path = folder / "x.shape";

  std::vector<std::uint8_t> written(const Shape& shape) {
    const auto done = write_shape(shape, path);
    EXPECT_TRUE(done.has_value());
    return bytes_of(path);
  }
};

TEST_F(ShapeFile, ComesBackAsItWas) {
  for (const std::uint64_t blocks : {0, 1, 3}) {
    const Shape shape = blocked_shape(blocks);
    (void)written(shape);
    const auto read = read_shape(path);
    ASSERT_TRUE(read.has_value()) << read.error().describe();
    EXPECT_EQ(read->circuit_id(), "blocked");
    EXPECT_EQ(read->blocks(), blocks);
    EXPECT_EQ(read->layout(), shape.layout());
    EXPECT_EQ(r1cs_digest(*read), r1cs_digest(shape));
    EXPECT_EQ(read->dense_a_aux(), shape.dense_a_aux());
    EXPECT_EQ(read->dense_b_aux(), shape.dense_b_aux());
    EXPECT_EQ(read->dense_b_inputs(), shape.dense_b_inputs());
    // The mapped shape is what products are made from.
    const BlockedCircuit circuit{blocks};
    test::System system{*read, *compute_witness(read->layout(), circuit, Executor(1)), {}, {}, {}};
    test::multiply_all(system);
    EXPECT_EQ(test::first_unsatisfied(system), system.a.size());
  }
}

TEST_F(ShapeFile, IsTheSameEveryTime) {
  const auto first = written(blocked_shape(3));
  EXPECT_EQ(written(blocked_shape(3)), first);
}

TEST_F(ShapeFile, ReadsAFileThatIsNotThere) {
  EXPECT_EQ(read_shape(folder / "none.shape").error().code, ErrorCode::kNotFound);
}

TEST_F(ShapeFile, RefusesEveryTruncation) {
  const auto whole = written(blocked_shape(2));
  for (std::size_t size = 0; size < whole.size(); size += size < 600 ? 1 : 97) {
    const std::vector<std::uint8_t> cut(whole.begin(),
                                        whole.begin() + static_cast<std::ptrdiff_t>(size));
    const auto shape = parse(cut, DigestCheck::kSkip);
    ASSERT_FALSE(shape.has_value()) << size;
    test::expect_whole_error(shape.error(), std::to_string(size));
    EXPECT_EQ(shape.error().file, "test.shape");
  }
  auto longer = whole;
  longer.push_back(0);
  EXPECT_FALSE(parse(longer, DigestCheck::kSkip).has_value());
}

TEST_F(ShapeFile, NamesTheSectionWhereItEnds) {
  auto bytes = written(blocked_shape(2));
  // The file says that it is as short as it is: the sections no longer fit.
  for (const std::size_t keep : {detail::kHeadBytes + 3, detail::kHeadBytes + 200}) {
    auto cut = bytes;
    cut.resize(keep);
    store_le(cut.data() + 16, std::uint64_t{keep});
    const auto shape = parse(cut, DigestCheck::kSkip);
    ASSERT_FALSE(shape.has_value());
    EXPECT_FALSE(shape.error().section.empty());
    EXPECT_TRUE(shape.error().offset.has_value());
  }
}

TEST_F(ShapeFile, RefusesEveryBitFlipByItsDigest) {
  const auto whole = written(blocked_shape(2));
  std::mt19937_64 rng(1);
  for (int i = 0; i < 300; ++i) {
    auto flipped = whole;
    const std::size_t at = i < 100 ? static_cast<std::size_t>(i) * 8 : rng() % whole.size();
    flipped[at] = static_cast<std::uint8_t>(flipped[at] ^ (1U << (rng() % 8)));
    EXPECT_FALSE(parse(flipped, DigestCheck::kVerify).has_value()) << at;
  }
}

TEST_F(ShapeFile, RefusesHugeCounts) {
  const auto whole = written(blocked_shape(2));
  // All numbers of the head, the lengths of the sections included.
  for (std::size_t at = 16; at < detail::kHeadBytes; at += 8) {
    for (const std::uint64_t value :
         {~std::uint64_t{0}, std::uint64_t{1} << 63, std::uint64_t{1} << 32, std::uint64_t{0}}) {
      auto bytes = whole;
      if (load_le<std::uint64_t>(bytes.data() + at) == value) continue;
      store_le(bytes.data() + at, value);
      const auto shape = parse(bytes, DigestCheck::kSkip);
      ASSERT_FALSE(shape.has_value()) << "number at " << at << " set to " << value;
      test::expect_whole_error(shape.error(), std::to_string(at) + "=" + std::to_string(value));
    }
  }
}

TEST_F(ShapeFile, RefusesAnotherMagicOrVersion) {
  auto bytes = written(blocked_shape(1));
  auto other = bytes;
  other[0] = 'X';
  EXPECT_NE(parse(other, DigestCheck::kSkip).error().message.find("no shape file"),
            std::string::npos);
  bytes[8] = 2;
  const auto newer = parse(bytes, DigestCheck::kSkip);
  EXPECT_EQ(newer.error().found, "2");
  EXPECT_FALSE(newer.error().hint.empty());
}

TEST_F(ShapeFile, RefusesTextUnderItsName) {
  for (const std::string_view text : {std::string_view("not found\n"),
                                      std::string_view("<html><head><title>504</title></head>")}) {
    std::vector<std::uint8_t> bytes(text.begin(), text.end());
    for (const std::size_t size : {bytes.size(), std::size_t{1000}}) {
      bytes.resize(size, ' ');
      const auto shape = parse(bytes, DigestCheck::kVerify);
      ASSERT_FALSE(shape.has_value());
      test::expect_whole_error(shape.error(), text);
      EXPECT_EQ(shape.error().file, "test.shape");
    }
  }
}

TEST_F(ShapeFile, RefusesCoefficientsThatAreNotCanonicalOrZero) {
  const Shape shape = blocked_shape(2);
  const auto whole = written(shape);
  ASSERT_FALSE(shape.dictionary().empty());
  const auto first = FrBytes(shape.dictionary()[0]).bytes();
  const auto at = std::search(whole.begin(), whole.end(), first.begin(), first.end());
  ASSERT_NE(at, whole.end());
  // r itself, the largest number, and zero.
  Bytes32 modulus = FrBytes(-Fr::one()).bytes();
  ++modulus[0];
  Bytes32 largest;
  largest.fill(0xff);
  for (const Bytes32& bad : {modulus, largest, Bytes32{}}) {
    auto bytes = whole;
    std::copy(bad.begin(), bad.end(), bytes.begin() + (at - whole.begin()));
    const auto refused = parse(bytes, DigestCheck::kSkip);
    ASSERT_FALSE(refused.has_value()) << to_hex(bad);
    EXPECT_EQ(refused.error().section, "dictionary");
    EXPECT_EQ(refused.error().offset, static_cast<std::uint64_t>(at - whole.begin()));
  }
}

/// Flips behind the digest: a byte of the body may keep the shape valid (another coefficient), but
/// what is accepted can be read to the end.
TEST_F(ShapeFile, WhatPassesTheChecksCanBeRead) {
  const auto whole = written(blocked_shape(2));
  std::mt19937_64 rng(2);
  int accepted = 0;
  for (int i = 0; i < 400; ++i) {
    auto flipped = whole;
    const std::size_t at = detail::kHeadBytes + rng() % (whole.size() - detail::kHeadBytes);
    flipped[at] = static_cast<std::uint8_t>(flipped[at] ^ (1U << (rng() % 8)));
    const auto shape = parse(flipped, DigestCheck::kSkip);
    if (!shape) {
      // In its own section, which check_shape does not know but by name.
      test::expect_whole_error(shape.error(), std::to_string(at));
      EXPECT_GE(shape.error().offset, detail::kCountsAt);
      continue;
    }
    ++accepted;
    (void)r1cs_digest(*shape);
    PackedWitness witness = *PackedWitness::create(shape->layout());
    std::vector<Fr> out(shape->rows());
    EXPECT_TRUE(multiply(*shape, Matrix::kB, witness, out, Executor(1)).has_value());
  }
  EXPECT_GT(accepted, 0);
}

}  // namespace
}  // namespace belfry::r1cs
