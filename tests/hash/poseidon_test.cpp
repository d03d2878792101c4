#include "belfry/hash/poseidon.h"

#include "belfry/hash/blake2.h"
#include "support/vectors.h"

namespace belfry::hash {
namespace {

std::string digest(std::span<const Fr> elements) {
  Blake2s256 hash;
  for (const Fr& element : elements) hash.update(FrBytes(element).bytes());
  return to_hex(hash.finish());
}

/// For each partial round its column, then its row.
std::string sparse_digest(const PoseidonConstants& c) {
  std::vector<Fr> all;
  for (std::size_t k = 0; k < c.partial_rounds; ++k) {
    const auto column = c.sparse_column(k);
    const auto row = c.sparse_row(k);
    all.insert(all.end(), column.begin(), column.end());
    all.insert(all.end(), row.begin(), row.end());
  }
  return digest(all);
}

std::vector<Fr> counting(std::size_t n) {
  std::vector<Fr> out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(Fr::from_u64(i));
  return out;
}

/// The element that the table of spec gadgets.md 9.7 names.
Fr named_element(const PoseidonConstants& c, std::string_view item) {
  const std::size_t t = c.width;
  const auto& keys = c.compressed_keys;
  if (item == "RC element 0") return c.round_keys[0];
  if (item == "RC element 1") return c.round_keys[1];
  if (item == "RC element t") return c.round_keys[t];
  if (item == "RC last") return c.round_keys.back();
  if (item == "CRC[t]") return c.full_round_keys(0)[0];
  if (item == "CRC[4t]") return c.full_round_keys(3)[0];
  if (item == "CRC[5t]") return c.partial_round_key(0);
  if (item == "CRC[5t+R_P−1]") return c.partial_round_key(c.partial_rounds - 1);
  if (item == "CRC last") return keys.back();
  if (item == "M[0][0]") return c.mds[0];
  if (item == "M[0][1]") return c.mds[1];
  if (item == "P[0][1]") return c.pre_sparse[1];
  if (item == "P[1][0]") return c.pre_sparse[t];
  if (item == "P[1][1]") return c.pre_sparse[t + 1];
  if (item == "S_0.w[1]") return c.sparse_column(0)[1];
  if (item == "S_0.v[0]") return c.sparse_row(0)[0];
  if (item == "S_last.w[1]") return c.sparse_column(c.partial_rounds - 1)[1];
  if (item == "S_last.v[0]") return c.sparse_row(c.partial_rounds - 1)[0];
  ADD_FAILURE() << "no such element: " << item;
  return Fr::zero();
}

TEST(Poseidon, RoundNumbers) {
  const test::JsonFile file("hash/poseidon.json");
  for (const auto row : file["round_numbers"].get_array()) {
    const auto& c = poseidon_constants(row["arity"].get_uint64());
    EXPECT_EQ(c.width, c.arity + 1);
    EXPECT_EQ(c.partial_rounds, row["partial_rounds"].get_uint64().value());
    EXPECT_EQ(c.round_keys.size(), row["round_keys"].get_uint64().value());
    EXPECT_EQ(c.compressed_keys.size(), row["compressed_keys"].get_uint64().value());
  }
  for (const auto row : file["more_round_numbers"].get_array()) {
    const auto& c = poseidon_constants(row["width"].get_uint64() - 1);
    EXPECT_EQ(c.partial_rounds, row["partial_rounds"].get_uint64().value()) << c.width;
  }
}

TEST(Poseidon, ConstantsMatchTheirDigests) {
  const test::JsonFile file("hash/poseidon.json");
  for (const auto row : file["digests"].get_array()) {
    const auto& c = poseidon_constants(row["arity"].get_uint64());
    EXPECT_EQ(digest(c.round_keys), test::text(row["round_keys"])) << c.arity;
    EXPECT_EQ(digest(c.compressed_keys), test::text(row["compressed_keys"])) << c.arity;
    EXPECT_EQ(digest(c.mds), test::text(row["mds"])) << c.arity;
    EXPECT_EQ(digest(c.pre_sparse), test::text(row["pre_sparse"])) << c.arity;
    EXPECT_EQ(sparse_digest(c), test::text(row["sparse"])) << c.arity;
  }
}

TEST(Poseidon, SingleElements) {
  const test::JsonFile file("hash/poseidon.json");
  for (const auto row : file["single_elements"].get_array()) {
    const auto& c = poseidon_constants(row["arity"].get_uint64());
    const std::string_view item = row["item"];
    EXPECT_EQ(named_element(c, item), test::fr_from_big_endian(test::text(row["value"]))) << item;
  }
}

TEST(Poseidon, MatchesTheReference) {
  const test::JsonFile file("hash/poseidon.json");
  for (const auto row : file["hashes_of_counting_elements"].get_array()) {
    const auto elements = counting(row["arity"].get_uint64());
    EXPECT_EQ(poseidon(elements), test::fr_from_big_endian(test::text(row["output"])))
        << elements.size();
  }
  const Fr one_zero = poseidon(std::array{Fr::one(), Fr::zero()});
  const Fr zero_one = poseidon(std::array{Fr::zero(), Fr::one()});
  const auto merkle = file["merkle"];
  EXPECT_EQ(one_zero, test::fr_from_big_endian(test::text(merkle["hash_1_0"])));
  EXPECT_EQ(poseidon(std::array{one_zero, zero_one}),
            test::fr_from_big_endian(test::text(merkle["root_1_0_0_1"])));
  const auto custom = file["custom_tag"];
  EXPECT_EQ(poseidon(counting(2), poseidon_custom_tag(custom["id"].get_uint64())),
            test::fr_from_big_endian(test::text(custom["output"])));
}

TEST(Poseidon, Tags) {
  EXPECT_EQ(poseidon_tree_tag(2), Fr::from_u64(3));
  EXPECT_EQ(poseidon_tree_tag(11), Fr::from_u64(2047));
  EXPECT_EQ(poseidon_tree_tag(36), Fr::from_u64(0xfffffffff));
  EXPECT_EQ(poseidon_custom_tag(1), Fr::from_u64(0x10000000000));
}

TEST(Poseidon, OptimisedFormEqualsTheTextbook) {
  for (std::size_t arity = 1; arity <= 16; ++arity) {
    const auto elements = test::random_frs(arity, arity);
    const Fr tag = arity % 2 == 0 ? poseidon_tree_tag(arity) : poseidon_custom_tag(arity);
    EXPECT_EQ(poseidon(elements, tag), poseidon_textbook(elements, tag)) << arity;
  }
}

/// Every lazily reduced sum meets its largest operands.
TEST(Poseidon, LargestElements) {
  for (const std::size_t arity : {2U, 8U, 11U, 36U}) {
    const std::vector<Fr> largest(arity, -Fr::one());
    const Fr tag = poseidon_tree_tag(arity);
    EXPECT_EQ(poseidon(largest, tag), poseidon_textbook(largest, tag)) << arity;
    EXPECT_EQ(poseidon(poseidon_constants(arity), tag, largest), poseidon(largest));
  }
}

TEST(PoseidonDeathTest, RefusesOurOwnMistakes) {
  EXPECT_DEATH((void)poseidon_constants(0), "1 to 36");
  EXPECT_DEATH((void)poseidon_constants(kMaxPoseidonArity + 1), "1 to 36");
  EXPECT_DEATH((void)poseidon(poseidon_constants(2), Fr::zero(), counting(3)), "another arity");
}

}  // namespace
}  // namespace belfry::hash
