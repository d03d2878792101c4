#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "belfry/gadgets/number.h"

namespace belfry::gadgets {

namespace detail {

/// Σ 2^j · bit_j over at most 254 bits.
template <class Cs>
[[nodiscard]] Num<Cs> weighted_sum(std::span<const Boolean<Cs>> bits) {
  Num<Cs> sum;
  for (std::uint32_t j = 0; j < bits.size(); ++j) sum.add_bit(bits[j], j);
  return sum;
}

}  // namespace detail

/// One new input per 254 bits (the last may have fewer), first bit least significant:
/// Σ 2^j·bit_j · 1 = input. Source: spec gadgets.md 5.2.
template <class Cs>
void pack_into_inputs(Cs& cs, std::span<const Boolean<Cs>> bits) {
  using Lc = typename Cs::Lc;
  while (!bits.empty()) {
    const auto chunk = bits.first(std::min<std::size_t>(bits.size(), kFieldCapacity));
    bits = bits.subspan(chunk.size());
    const Num<Cs> sum = detail::weighted_sum<Cs>(chunk);
    const auto input = AllocatedNumber<Cs>::alloc_input(cs, sum.value());
    cs.enforce(sum.lc(), Lc{}.plus_one(), Lc{}.plus(input.ref()));
  }
}
template <class Cs>
void pack_into_inputs(Cs& cs, const Booleans<Cs>& bits) {
  pack_into_inputs(cs, std::span<const Boolean<Cs>>(bits));
}

/// A new aux Σ 2^j·bit_j over the first 254 bits; further ones are ignored. Source: spec
/// gadgets.md 5.3.
template <class Cs>
[[nodiscard]] AllocatedNumber<Cs> pack_bits(Cs& cs, std::span<const Boolean<Cs>> bits) {
  return detail::weighted_sum<Cs>(bits.first(std::min<std::size_t>(bits.size(), kFieldCapacity)))
      .allocate(cs);
}
template <class Cs>
[[nodiscard]] AllocatedNumber<Cs> pack_bits(Cs& cs, const Booleans<Cs>& bits) {
  return pack_bits(cs, std::span<const Boolean<Cs>>(bits));
}

/// The field elements of bit strings outside circuits, 254 bits each, least significant first; no
/// bits, no elements. Source: spec gadgets.md 5.1.
[[nodiscard]] std::vector<Fr> compute_multipacking(const std::vector<bool>& bits);

}  // namespace belfry::gadgets
