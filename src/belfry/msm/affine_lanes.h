#pragma once

#include "belfry/msm/coordinate_lanes.h"

/// Affine additions on eight pairs at a time; included by kernels_ifma_*.cpp only.
namespace belfry::msm::ifma {
namespace {

/// Eight pairs of the batch; the last group repeats its last pair.
struct Group {
  Rows a;
  Rows b;
  OutRows out;
  __mmask8 negative_a;
  __mmask8 negative_b;
};
BELFRY_LANES Group load_group(const PairSum* pairs, std::size_t left) noexcept {
  Group group;
  unsigned negative_a = 0;
  unsigned negative_b = 0;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kLanes; ++i) {
    const PairSum& pair = pairs[i < left ? i : left - 1];
    group.a[i] = reinterpret_cast<const std::byte*>(pair.a.bits & ~std::uintptr_t{1});
    group.b[i] = reinterpret_cast<const std::byte*>(pair.b.bits & ~std::uintptr_t{1});
    group.out[i] = pair.out;
    negative_a |= static_cast<unsigned>(pair.a.bits & 1) << i;
    negative_b |= static_cast<unsigned>(pair.b.bits & 1) << i;
  }
  group.negative_a = static_cast<__mmask8>(negative_a);
  group.negative_b = static_cast<__mmask8>(negative_b);
  return group;
}
BELFRY_LANES void prefetch_group(const PairSum* pairs, std::size_t bytes) noexcept {
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kLanes; ++i) {
    for (std::size_t at = 0; at < bytes; at += 64) {
      _mm_prefetch(reinterpret_cast<const char*>(pairs[i].a.bits + at), _MM_HINT_T0);
      _mm_prefetch(reinterpret_cast<const char*>(pairs[i].b.bits + at), _MM_HINT_T0);
    }
  }
}

/// Lanes in which the chord formula fails, exactly.
struct Special {
  __mmask8 a_infinite;
  __mmask8 b_infinite;
  __mmask8 doubling;   ///< equal points
  __mmask8 cancelled;  ///< opposite points
};
template <class C>
BELFRY_LANES Special classify(const Group& group, const C& x1, const C& x2) noexcept {
  const C y1 = gather<C>(group.a, 1);
  const C y2 = gather<C>(group.b, 1);
  Special out;
  out.a_infinite = all_limbs_zero(y1);
  out.b_infinite = all_limbs_zero(y2);
  const unsigned finite = 0xffU & ~(out.a_infinite | out.b_infinite);
  const unsigned same_x = finite & zero_mask(sub(x2, x1, 2));
  const LaneSum<C> signed_y1 = with_sign(y1, group.negative_a);
  const LaneSum<C> signed_y2 = with_sign(y2, group.negative_b);
  const unsigned same_y = zero_mask(sub(signed_y2, signed_y1, 2));
  out.doubling = static_cast<__mmask8>(same_x & same_y);
  out.cancelled = static_cast<__mmask8>(same_x & ~same_y);
  return out;
}

/// Cheap sieve: false only if no lane is special. A difference x2 - x1 + 2p that is zero modulo p
/// is p, 2p or 3p, and infinity has x = 0; the lowest limb tells all but one in 2^50 others apart.
template <class C>
BELFRY_LANES bool may_be_special(const C& x1, const C& x2, const C& d) noexcept {
  constexpr std::uint64_t kMask = (std::uint64_t{1} << field::kLaneRadix) - 1;
  const __m512i low = d.c[0].x.limb[0];
  __mmask8 hit = _mm512_testn_epi64_mask(x1.c[0].x.limb[0], x1.c[0].x.limb[0]);
  hit = static_cast<__mmask8>(hit | _mm512_testn_epi64_mask(x2.c[0].x.limb[0], x2.c[0].x.limb[0]));
#pragma GCC unroll 3
  for (std::uint64_t k = 1; k <= 3; ++k) {
    const std::uint64_t multiple = (k * FpLaneParams::kModulus[0]) & kMask;
    hit = static_cast<__mmask8>(hit | _mm512_cmpeq_epi64_mask(low, field::lanes_of(multiple)));
  }
  return hit != 0;
}

/// Denominators of a group with special lanes: 2y for doublings, 1 where nothing is divided.
template <class C>
[[gnu::noinline]] void special_denominators(const PairSum* pairs, std::size_t left,
                                            std::byte* denominators) {
  const Group group = load_group(pairs, left);
  const C x1 = gather<C>(group.a, 0);
  const C x2 = gather<C>(group.b, 0);
  const Special special = classify(group, x1, x2);
  const C y1 = carry(with_sign(gather<C>(group.a, 1), group.negative_a));
  C d = carry(sub(x2, x1, 2));
  d = select(d, carry(add(y1, y1)), special.doubling);
  const unsigned trivial = special.a_infinite | special.b_infinite | special.cancelled;
  d = select(d, one<C>(), static_cast<__mmask8>(trivial));
  store_lanes(denominators, d);
}

/// Results of a group with special lanes, from the inverses of special_denominators.
template <class C>
[[gnu::noinline]] void special_results(const PairSum* pairs, std::size_t left,
                                       const std::byte* inverses) {
  const Group group = load_group(pairs, left);
  const C inverse = load_lanes<C>(inverses);
  const C x1 = gather<C>(group.a, 0);
  const C x2 = gather<C>(group.b, 0);
  const Special special = classify(group, x1, x2);
  const LaneSum<C> y1 = with_sign(gather<C>(group.a, 1), group.negative_a);
  const LaneSum<C> y2 = with_sign(gather<C>(group.b, 1), group.negative_b);
  const C xx = square(x1);
  const C tangent = carry(add(add(xx, xx), xx));
  const C numerator = select(carry(sub(y2, y1, 2)), tangent, special.doubling);
  const C slope = mul(numerator, inverse);
  C x3 = reduce(sub(sub(as_sum(square(slope)), x1, 3), x2, 0));
  C y3 = reduce(sub(as_sum(mul(slope, carry(sub(x1, x3, 2)))), y1, 3));
  x3 = select(x3, x1, special.b_infinite);
  y3 = select(y3, reduce(plus(y1, 1)), special.b_infinite);
  x3 = select(x3, x2, special.a_infinite);
  y3 = select(y3, reduce(plus(y2, 1)), special.a_infinite);
  const unsigned both = special.a_infinite & special.b_infinite;
  const auto infinite = static_cast<__mmask8>(special.cancelled | both);
  scatter(group.out, 0, cleared(x3, infinite));
  scatter(group.out, 1, cleared(y3, infinite));
}

/// x and y of the sums of one group: x3 = s² - x1 - x2, y3 = s(x1 - x3) - y1 with s = dy/d. x2 is
/// x1 + d - 2p.
template <class C>
BELFRY_LANES void finish_group(const Group& group, const C& d, const C& inverse) noexcept {
  const C x1 = gather<C>(group.a, 0);
  const LaneSum<C> y1 = with_sign(gather<C>(group.a, 1), group.negative_a);
  const LaneSum<C> y2 = with_sign(gather<C>(group.b, 1), group.negative_b);
  const C slope = mul(carry(sub(y2, y1, 2)), inverse);
  const C x3 = reduce(sub(sub(sub(as_sum(square(slope)), x1, 3), x1, 2), d, 0));
  const C y3 = reduce(sub(as_sum(mul(slope, carry(sub(x1, x3, 2)))), y1, 3));
  scatter(group.out, 0, x3);
  scatter(group.out, 1, y3);
}

/// All sums with one inversion (Montgomery's trick over groups of eight): the first pass multiplies
/// up the denominators, the second walks back. Scratch: 2·sizeof(C) bytes a group, then one flag
/// byte a group.
template <class C>
BELFRY_LANES void add_pairs(const PairSum* pairs, std::size_t n, std::byte* scratch) {
  constexpr std::size_t kSlot = 2 * sizeof(C);
  constexpr std::size_t kAhead = 2;
  constexpr std::size_t kCoordinateBytes = kFpStride * C::kDegree;
  const std::size_t groups = (n + kLanes - 1) / kLanes;
  std::byte* const flags = scratch + groups * kSlot;
  C product = one<C>();
  for (std::size_t g = 0; g < groups; ++g) {
    if (kLanes * (g + kAhead + 1) <= n) {
      prefetch_group(pairs + kLanes * (g + kAhead), kCoordinateBytes);
    }
    const Group group = load_group(pairs + kLanes * g, n - kLanes * g);
    const C x1 = gather<C>(group.a, 0);
    const C x2 = gather<C>(group.b, 0);
    C d = carry(sub(x2, x1, 2));
    const bool special = may_be_special(x1, x2, d);
    std::byte* const slot = scratch + g * kSlot;
    store_lanes(slot, d);
    if (special) [[unlikely]] {
      special_denominators<C>(pairs + kLanes * g, n - kLanes * g, slot);
      d = load_lanes<C>(slot);
    }
    flags[g] = static_cast<std::byte>(special);
    store_lanes(slot + sizeof(C), product);
    product = mul(product, d);
  }
  C inverse = invert(product);
  for (std::size_t g = groups; g-- > 0;) {
    if (g >= kAhead) {
      prefetch_group(pairs + kLanes * (g - kAhead), 2 * kCoordinateBytes);
    }
    std::byte* const slot = scratch + g * kSlot;
    const C d = load_lanes<C>(slot);
    const C group_inverse = mul(inverse, load_lanes<C>(slot + sizeof(C)));
    inverse = mul(inverse, d);
    if (flags[g] != std::byte{0}) [[unlikely]] {
      store_lanes(slot, group_inverse);
      special_results<C>(pairs + kLanes * g, n - kLanes * g, slot);
      continue;
    }
    finish_group(load_group(pairs + kLanes * g, n - kLanes * g), d, group_inverse);
  }
}

}  // namespace
}  // namespace belfry::msm::ifma
