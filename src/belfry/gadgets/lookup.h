#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "belfry/gadgets/number.h"

namespace belfry::gadgets {

/// A point of a table: two coordinates.
struct TableEntry {
  Fr x;
  Fr y;
};

namespace detail {

/// The coefficients c_S with table[i] = Σ over the subsets S of the bits of i of c_S (Moebius
/// inversion).
template <std::size_t N>
[[nodiscard]] constexpr std::array<Fr, N> subset_coefficients(std::array<Fr, N> table) {
  for (std::size_t bit = 1; bit < N; bit *= 2) {
    for (std::size_t i = 0; i < N; ++i) {
      if ((i & bit) != 0) table[i] -= table[i ^ bit];
    }
  }
  return table;
}

template <std::size_t N>
[[nodiscard]] std::array<Fr, N> coordinate(std::span<const TableEntry, N> table,
                                           Fr TableEntry::* which) {
  std::array<Fr, N> out{};
  for (std::size_t i = 0; i < N; ++i) out[i] = table[i].*which;
  return out;
}

/// The entry of `table` that the bits select, where values exist.
template <class Cs, std::size_t N>
[[nodiscard]] typename Cs::FieldValue selected(const std::array<Fr, N>& table,
                                               std::span<const Boolean<Cs>> bits) {
  if constexpr (Cs::kComputesValues) {
    std::size_t index = 0;
    for (std::size_t i = 0; (std::size_t{1} << i) < N; ++i) {
      if (bits[i].value()) index |= std::size_t{1} << i;
    }
    return table[index];
  } else {
    return {};
  }
}

/// c_0·ONE + c_1·p + c_2·q + c_3·(p ∧ q).
template <class Cs>
[[nodiscard]] typename Cs::Lc bilinear(const std::array<Fr, 4>& c, const Boolean<Cs>& p,
                                       const Boolean<Cs>& q, const Boolean<Cs>& both) {
  typename Cs::Lc lc;
  lc.plus_one(c[0]);
  p.add_to(lc, c[1]);
  q.add_to(lc, c[2]);
  both.add_to(lc, c[3]);
  return lc;
}

}  // namespace detail

/// table[bits] for three bits, first bit least significant: two new numbers, one row each. Not used
/// by mainnet circuits. Source: spec gadgets.md 16.1.
template <class Cs>
[[nodiscard]] std::pair<AllocatedNumber<Cs>, AllocatedNumber<Cs>> lookup3_xy(
    Cs& cs, std::span<const Boolean<Cs>, 3> bits, std::span<const TableEntry, 8> table) {
  using Lc = typename Cs::Lc;
  const auto entry = [&](Fr TableEntry::* which) {
    return AllocatedNumber<Cs>::alloc(
        cs, detail::selected<Cs>(detail::coordinate(table, which), std::span(bits)));
  };
  const auto x = entry(&TableEntry::x);
  const auto y = entry(&TableEntry::y);
  const Boolean<Cs> both = Boolean<Cs>::and_of(cs, bits[1], bits[2]);
  const auto tie = [&](const AllocatedNumber<Cs>& number, Fr TableEntry::* which) {
    const auto c = detail::subset_coefficients(detail::coordinate(table, which));
    const Lc with_bit0 = detail::bilinear<Cs>({c[1], c[3], c[5], c[7]}, bits[1], bits[2], both);
    const Lc without = detail::bilinear<Cs>({c[0], c[2], c[4], c[6]}, bits[1], bits[2], both);
    cs.enforce(with_bit0, bits[0].lc(),
               Lc{}.plus(number.ref()).plus(without, Coefficient::minus_one()));
  };
  tie(x, &TableEntry::x);
  tie(y, &TableEntry::y);
  return {x, y};
}

/// table[bits 0, 1] with y negated if bit 2 is set: x stays a linear combination, y is a new
/// number. Not used by mainnet circuits. Source: spec gadgets.md 16.2.
template <class Cs>
[[nodiscard]] std::pair<Num<Cs>, AllocatedNumber<Cs>> lookup3_xy_with_conditional_negation(
    Cs& cs, std::span<const Boolean<Cs>, 3> bits, std::span<const TableEntry, 4> table) {
  using Lc = typename Cs::Lc;
  const auto table_y = detail::coordinate(table, &TableEntry::y);
  const auto selected = detail::selected<Cs>(table_y, bits);
  const auto y = AllocatedNumber<Cs>::alloc(cs, r1cs::choose(bits[2].value(), -selected, selected));
  const Boolean<Cs> both = Boolean<Cs>::and_of(cs, bits[0], bits[1]);
  const auto cx = detail::subset_coefficients(detail::coordinate(table, &TableEntry::x));
  Num<Cs> x = Num<Cs>::constant(cx[0]);
  x.add_bit_scaled(bits[0], cx[1]);
  x.add_bit_scaled(bits[1], cx[2]);
  x.add_bit_scaled(both, cx[3]);
  const auto cy = detail::subset_coefficients(table_y);
  const Lc plain = detail::bilinear<Cs>(cy, bits[0], bits[1], both);
  cs.enforce(Lc{}.plus(plain, Coefficient::power_of_two(1)), bits[2].lc(),
             Lc{}.plus(plain).minus(y.ref()));
  return {x, y};
}

}  // namespace belfry::gadgets
