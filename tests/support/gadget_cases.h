#pragma once

#include <bit>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "belfry/gadgets/insert.h"
#include "belfry/gadgets/por.h"
#include "belfry/hash/poseidon.h"
#include "belfry/hash/sha256.h"
#include "support/circuits.h"

/// What the tests of the gadgets of spec gadgets.md 11-16 share.
namespace belfry::test {

/// first, first + 1, ...: new numbers.
template <class Cs>
gadgets::Numbers<Cs> counting_numbers(Cs& cs, std::uint64_t first, std::size_t count) {
  gadgets::Numbers<Cs> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(num(cs, first + i));
  return out;
}
template <class Cs>
gadgets::Numbers<Cs> given_numbers(Cs& cs, const std::vector<Fr>& values) {
  gadgets::Numbers<Cs> out;
  for (const Fr& value : values) {
    out.push_back(gadgets::AllocatedNumber<Cs>::alloc(cs, cs.given([&] { return value; })));
  }
  return out;
}

/// New bits of an index, least significant first.
template <class Cs>
gadgets::Booleans<Cs> index_bits(Cs& cs, std::uint64_t index, std::size_t count) {
  gadgets::Booleans<Cs> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(boolean(cs, ((index >> i) & 1) != 0));
  return out;
}
inline std::size_t log2_of(std::size_t size) {
  return static_cast<std::size_t>(std::countr_zero(size));
}

/// Compares the R1CS digest with a row of tests/vectors/gadgets/digests.json (circuits.md 7.3)
/// whose name begins so.
inline void expect_digest(std::string_view name, const System& system) {
  const JsonFile file("gadgets/digests.json");
  for (const auto row : file.root().get_array()) {
    if (!std::string_view(row["gadget"]).starts_with(name)) continue;
    EXPECT_EQ(to_hex(r1cs::r1cs_digest(system.shape)), text(row["r1cs_digest"])) << name;
    return;
  }
  ADD_FAILURE() << "no digest of " << name;
}

/// Whatever the gadget computed itself is tied down: each value changed alone breaks a row. The
/// first `given_fields` and `given_bits` values came from outside.
inline void expect_computed_values_matter(System system, std::size_t given_fields,
                                          std::size_t given_bits) {
  const auto slice = system.witness.header_slice();
  const auto expect_broken = [&system](std::string_view what, std::size_t i) {
    multiply_all(system);
    EXPECT_LT(first_unsatisfied(system), system.a.size()) << what << ' ' << i;
  };
  for (std::size_t i = given_fields; i < slice.fields.size(); ++i) {
    slice.fields[i] += Fr::one();
    expect_broken("field", i);
    slice.fields[i] -= Fr::one();
  }
  for (std::size_t i = given_bits; i < slice.bit_count; ++i) {
    slice.bits[i / 64] ^= std::uint64_t{1} << (i % 64);
    expect_broken("bit", i);
    slice.bits[i / 64] ^= std::uint64_t{1} << (i % 64);
  }
}

/// Arities of a tree base-sub-top over `leaves` leaves, bottom to top; 0 is absent.
inline std::vector<std::uint32_t> path_arities(std::uint32_t base, std::uint32_t sub,
                                               std::uint32_t top, std::uint64_t leaves) {
  std::uint64_t below = leaves;
  if (sub > 0) below /= sub;
  if (top > 0) below /= top;
  std::vector<std::uint32_t> out;
  for (; below > 1; below /= base) out.push_back(base);
  if (sub > 0) out.push_back(sub);
  if (top > 0) out.push_back(top);
  return out;
}

/// The path of the golden table: leaf 7 at an index, sibling j of level l is 1000·(l + 1) + j.
class GoldenPath {
 public:
  GoldenPath(gadgets::NodeHash hash, std::vector<std::uint32_t> arities, std::uint64_t index)
      : hash_(hash), arities_(std::move(arities)), index_(index), root_(leaf()) {
    for (std::size_t level = 0; level < arities_.size(); ++level) {
      const std::uint32_t arity = arities_[level];
      positions_.push_back(static_cast<std::uint8_t>(index % arity));
      index /= arity;
      std::vector<Fr> children;
      for (std::uint32_t j = 0; j + 1 < arity; ++j) {
        children.push_back(Fr::from_u64(1000 * (level + 1) + j));
        siblings_.emplace_back(children.back());
      }
      children.insert(children.begin() + positions_.back(), root_);
      root_ = parent(children);
    }
  }

  [[nodiscard]] static Fr leaf() { return Fr::from_u64(7); }
  [[nodiscard]] const Fr& root() const { return root_; }
  [[nodiscard]] std::uint64_t index() const { return index_; }
  [[nodiscard]] gadgets::NodeHash hash() const { return hash_; }
  [[nodiscard]] gadgets::MerklePathView view() const { return {arities_, positions_, siblings_}; }

 private:
  [[nodiscard]] Fr parent(const std::vector<Fr>& children) const {
    if (hash_ == gadgets::NodeHash::kPoseidon) return hash::poseidon(children);
    hash::Sha256 digest;
    for (const Fr& child : children) digest.update(FrBytes(child).bytes());
    return hash::fr_trunc254(digest.finish());
  }

  gadgets::NodeHash hash_;
  std::vector<std::uint32_t> arities_;
  std::uint64_t index_;
  std::vector<std::uint8_t> positions_;
  std::vector<FrBytes> siblings_;
  Fr root_;
};

}  // namespace belfry::test
