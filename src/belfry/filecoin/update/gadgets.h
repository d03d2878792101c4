#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "belfry/filecoin/update/params.h"
#include "belfry/gadgets/constraint.h"
#include "belfry/gadgets/insert.h"
#include "belfry/gadgets/number.h"
#include "belfry/gadgets/pack.h"
#include "belfry/gadgets/por.h"
#include "belfry/gadgets/poseidon.h"
#include "belfry/hash/poseidon.h"

/// What only the SnapDeals circuits need of constraints (circuits.md 4.4). Operand order and order
/// of allocation are part of each.
namespace belfry::filecoin::update_gadgets {

template <class Cs>
using Number = gadgets::AllocatedNumber<Cs>;
template <class Cs>
using Numbers = gadgets::Numbers<Cs>;
template <class Cs>
using Booleans = gadgets::Booleans<Cs>;
template <class Cs>
using Bits = std::span<const gadgets::Boolean<Cs>>;

/// G(x, y): Poseidon of two numbers under the custom tag. 311 aux, 311 rows.
template <class Cs>
[[nodiscard]] Number<Cs> custom_hash(Cs& cs, const Number<Cs>& x, const Number<Cs>& y) {
  const std::array<Number<Cs>, 2> elements{x, y};
  return gadgets::poseidon<Cs>(cs, elements, hash::poseidon_custom_tag(kUpdateTag));
}

/// (Σ 2^i·bit_i) · 1 = number: everything in A, unlike to_bits_le. One row.
template <class Cs>
void enforce_bits(Cs& cs, Bits<Cs> bits, const Number<Cs>& number) {
  using Lc = typename Cs::Lc;
  gadgets::Num<Cs> sum;
  for (std::uint32_t i = 0; i < bits.size(); ++i) sum.add_bit(bits[i], i);
  cs.enforce(sum.lc(), Lc{}.plus_one(), Lc{}.plus(number.ref()));
}

/// The root over this partition's apex leaves, row by row, lies under `root` at the partition's
/// place. (leaves - 1)·45,379 + p·45,381 + 1 rows.
template <class Cs>
void check_apex(Cs& cs, std::span<const Number<Cs>> leaves, Bits<Cs> partition_bits,
                std::span<const Number<Cs>> partition_path, const Number<Cs>& root) {
  Numbers<Cs> row(leaves.begin(), leaves.end());
  while (row.size() > 1) {
    Numbers<Cs> above;
    for (std::size_t i = 0; i < row.size(); i += 2) {
      above.push_back(gadgets::hash_node<Cs>(cs, gadgets::NodeHash::kSha256,
                                             std::span<const Number<Cs>>(row).subspan(i, 2)));
    }
    row = std::move(above);
  }
  const std::vector<std::uint32_t> arities(partition_path.size(), 2);
  gadgets::check_path(cs, gadgets::NodeHash::kSha256, row.front(),
                      gadgets::AllocatedPath<Cs>{arities, partition_bits, partition_path}, root);
}

/// The random bits of each challenge of a partition, least significant first: digest j is
/// G(comm_r_new, D·partition + j), cut into groups from below. Not unique: a digest may also be
/// represented by its value plus r. 567 aux and 568 rows a digest.
template <class Cs>
[[nodiscard]] std::vector<Booleans<Cs>> challenge_bits(Cs& cs, const UpdateParams& params,
                                                       const Number<Cs>& comm_r_new,
                                                       const Number<Cs>& partition) {
  const std::uint32_t digests = params.digests();
  const auto width = static_cast<std::ptrdiff_t>(params.random_bits());
  std::vector<Booleans<Cs>> groups;
  groups.reserve(params.challenges);
  for (std::uint32_t j = 0; j < digests; ++j) {
    gadgets::Num<Cs> index;
    index.add_scaled(gadgets::Num<Cs>(partition), Fr::from_u64(digests));
    index.add(gadgets::Num<Cs>::constant(Fr::from_u64(j)));
    const auto digest = custom_hash(cs, comm_r_new, index.allocate(cs));
    const Booleans<Cs> bits = gadgets::alloc_field_bits_le<Cs>(cs, digest.value());
    enforce_bits<Cs>(cs, bits, digest);
    auto from = bits.begin();
    for (std::uint32_t i = 0; i < params.challenges_per_digest(); ++i, from += width) {
      if (groups.size() < params.challenges) groups.emplace_back(from, from + width);
    }
  }
  return groups;
}

/// The top h bits of a challenge as a number, h by the one-hot `select`: Σ select_i · (top
/// choices_i bits). 13 aux, 13 rows, whatever the choices are.
template <class Cs>
[[nodiscard]] Number<Cs> selected_high_bits(
    Cs& cs, Bits<Cs> challenge, Bits<Cs> select,
    const std::array<std::uint32_t, kHighBitChoices>& choices) {
  using Lc = typename Cs::Lc;
  gadgets::Num<Cs> sum;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const auto high = gadgets::pack_bits<Cs>(cs, challenge.last(choices[i]));
    const auto chosen = Number<Cs>::alloc(cs, r1cs::to_field(select[i].value()) * high.value());
    cs.enforce(Lc{}.plus(high.ref()), select[i].lc(), Lc{}.plus(chosen.ref()));
    sum.add(gadgets::Num<Cs>(chosen));
  }
  return sum.allocate(cs);
}

/// old + data · rho. Two aux, two rows.
template <class Cs>
[[nodiscard]] Number<Cs> encode(Cs& cs, const Number<Cs>& old_node, const Number<Cs>& data,
                                const Number<Cs>& rho) {
  return gadgets::add(cs, old_node, data.mul(cs, rho));
}

}  // namespace belfry::filecoin::update_gadgets
