#pragma once

#include "belfry/msm/coordinate_lanes.h"

/// Affine additions on eight pairs at a time; included by kernels_ifma_*.cpp only.
namespace belfry::msm::ifma {
namespace {

constexpr std::size_t kCacheLine = 64;

/// Eight pairs of the batch; the last group repeats its last pair.
struct Group {
  Rows a;
  Rows b;
  OutRows out;
  __mmask8 negative_a;
  __mmask8 negative_b;
};
/// Word `word` (a, b or out) of each of eight pairs: of 24 words that of index 3·lane + word.
BELFRY_LANES __m512i pair_words(const __m512i (&words)[3], long long word) noexcept {
  constexpr long long kWords = sizeof(PairSum) / sizeof(std::uint64_t);
  const __m512i lane = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
  const __m512i index = _mm512_add_epi64(_mm512_mullo_epi64(lane, _mm512_set1_epi64(kWords)),
                                         _mm512_set1_epi64(word));
  const __m512i low = _mm512_permutex2var_epi64(words[0], index, words[1]);
  const __mmask8 beyond = _mm512_cmpge_epi64_mask(index, _mm512_set1_epi64(2 * kLanes));
  return _mm512_mask_permutexvar_epi64(low, beyond, index, words[2]);
}
/// The addresses go through vectors: one by one they cost more instructions than a multiplication.
BELFRY_LANES Group load_group(const PairSum* pairs, std::size_t left) noexcept {
  static_assert(sizeof(PairSum) == 3 * sizeof(std::uint64_t));
  PairSum last[kLanes];
  if (left < kLanes) [[unlikely]] {
    for (std::size_t i = 0; i < kLanes; ++i) last[i] = pairs[i < left ? i : left - 1];
    pairs = last;
  }
  const auto* const bytes = reinterpret_cast<const std::byte*>(pairs);
  const __m512i words[3] = {_mm512_loadu_si512(bytes), _mm512_loadu_si512(bytes + 64),
                            _mm512_loadu_si512(bytes + 128)};
  const __m512i sign = _mm512_set1_epi64(1);
  const __m512i a = pair_words(words, 0);
  const __m512i b = pair_words(words, 1);
  Group group;
  group.negative_a = _mm512_test_epi64_mask(a, sign);
  group.negative_b = _mm512_test_epi64_mask(b, sign);
  _mm512_storeu_si512(group.a, _mm512_andnot_si512(sign, a));
  _mm512_storeu_si512(group.b, _mm512_andnot_si512(sign, b));
  _mm512_storeu_si512(group.out, pair_words(words, 2));
  return group;
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
  const unsigned finite = unsigned{field::kAllLanes} & ~(out.a_infinite | out.b_infinite);
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
                                            C& denominators) {
  const Group group = load_group(pairs, left);
  const C x1 = gather<C>(group.a, 0);
  const C x2 = gather<C>(group.b, 0);
  const Special special = classify(group, x1, x2);
  const C y1 = carry(with_sign(gather<C>(group.a, 1), group.negative_a));
  C d = carry(sub(x2, x1, 2));
  d = select(d, carry(add(y1, y1)), special.doubling);
  const unsigned trivial = special.a_infinite | special.b_infinite | special.cancelled;
  d = select(d, one<C>(), static_cast<__mmask8>(trivial));
  denominators = d;
}

/// Results of a group with special lanes, from the inverses of special_denominators.
template <class C>
[[gnu::noinline]] void special_results(const PairSum* pairs, std::size_t left, const C& inverse) {
  const Group group = load_group(pairs, left);
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

/// out = a·b; out may be a. One copy of the code, for the instruction caches. Called once between
/// other work of about a third of its length, which then runs on the ports that multiplications
/// leave free; a CPU does not look far enough ahead to mix longer pieces.
template <class C>
[[gnu::noinline]] void multiply_into(C& out, const C& a, const C& b) noexcept {
  out = mul(a, b);
}
template <class C>
[[gnu::noinline]] void square_into(C& out, const C& a) noexcept {
  out = square(a);
}

/// Where pass one leaves what pass two needs: denominator, product of those before in its chain and
/// x1, for each group, then one flag byte a group. Group g belongs to chain g % kAbreast, and the
/// places after the last groups take the whole products.
template <class C>
struct Scratch {
  static constexpr std::size_t kParts = 3;
  std::byte* base;
  std::byte* flags;

  BELFRY_LANES Scratch(std::byte* memory, std::size_t groups) noexcept
      : base(memory), flags(memory + (groups + kAbreast) * kParts * sizeof(C)) {}
  [[nodiscard]] BELFRY_LANES C& denominator(std::size_t group) const noexcept {
    return *reinterpret_cast<C*>(base + group * kParts * sizeof(C));
  }
  [[nodiscard]] BELFRY_LANES C& product(std::size_t group) const noexcept {
    return (&denominator(group))[1];
  }
  [[nodiscard]] BELFRY_LANES C& x1(std::size_t group) const noexcept {
    return (&denominator(group))[2];
  }
};

/// What a call works on: pairs, their scratch, and in pass two the inverse of each chain.
template <class C>
struct Batch {
  const PairSum* pairs;
  std::size_t n;
  Scratch<C> scratch;
  C chain[kAbreast];

  [[nodiscard]] BELFRY_LANES const PairSum* group_pairs(std::size_t group) const noexcept {
    return pairs + kLanes * group;
  }
  [[nodiscard]] BELFRY_LANES std::size_t left(std::size_t group) const noexcept {
    return n - kLanes * group;
  }
};

/// Groups between asking for a coordinate and using it: memory answers after 300 ns and more, and
/// pass one takes 60 ns a group.
constexpr std::size_t kAheadOne = 16;
constexpr std::size_t kAheadTwo = 6;

/// Asks for coordinate `index` of the points of a full group.
template <class C>
BELFRY_LANES void prefetch_group(const PairSum* pairs, std::size_t index) noexcept {
  constexpr std::size_t kBytes = kFpStride * C::kDegree;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kLanes; ++i) {
#pragma GCC unroll 2
    for (std::size_t at = 0; at < kBytes; at += kCacheLine) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr): an address with its sign bit, only prefetched
      _mm_prefetch(reinterpret_cast<const char*>(pairs[i].a.bits + index * kBytes + at),
                   _MM_HINT_T0);
      // NOLINTNEXTLINE(performance-no-int-to-ptr): likewise
      _mm_prefetch(reinterpret_cast<const char*>(pairs[i].b.bits + index * kBytes + at),
                   _MM_HINT_T0);
    }
  }
}

/// Pass one for a group: multiplies its denominators to its chain.
template <class C>
BELFRY_LANES void chain_group(Batch<C>& batch, std::size_t g) {
  if (kLanes * (g + kAheadOne + 1) <= batch.n) {
    prefetch_group<C>(batch.group_pairs(g + kAheadOne), 0);
  }
  const Group group = load_group(batch.group_pairs(g), batch.left(g));
  const C x1 = gather<C>(group.a, 0);
  const C x2 = gather<C>(group.b, 0);
  const C d = carry(sub(x2, x1, 2));
  const bool special = may_be_special(x1, x2, d);
  batch.scratch.flags[g] = static_cast<std::byte>(special);
  batch.scratch.denominator(g) = d;
  batch.scratch.x1(g) = x1;
  if (special) [[unlikely]] {
    special_denominators<C>(batch.group_pairs(g), batch.left(g), batch.scratch.denominator(g));
  }
  multiply_into(batch.scratch.product(g + kAbreast), batch.scratch.product(g),
                batch.scratch.denominator(g));
}

/// Pass two for `count` groups from `first`, at most kAbreast, which go through the stages side by
/// side: one multiplication of each before the next stage starts, so that they do not wait for each
/// other. x3 = s² - x1 - x2, y3 = s(x1 - x3) - y1 with s = dy/d
/// (x2 is x1 + d - 2p). The chains hold the inverse of everything up to these groups, and lose
/// their denominators.
template <class C>
[[gnu::noinline]] void finish_groups(Batch<C>& batch, std::size_t first, std::size_t count) {
  Group groups[kAbreast];
  C inverse[kAbreast];
  C slope[kAbreast];
  C x3[kAbreast];
  C fall[kAbreast];
  LaneSum<C> y1[kAbreast];
#pragma GCC unroll 1
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t g = first + k;
    if (g >= kAheadTwo) prefetch_group<C>(batch.group_pairs(g - kAheadTwo), 1);
    groups[k] = load_group(batch.group_pairs(g), batch.left(g));
    y1[k] = with_sign(gather<C>(groups[k].a, 1), groups[k].negative_a);
    multiply_into(inverse[k], batch.chain[k], batch.scratch.product(g));
  }
#pragma GCC unroll 1
  for (std::size_t k = 0; k < count; ++k) {
    const LaneSum<C> y2 = with_sign(gather<C>(groups[k].b, 1), groups[k].negative_b);
    slope[k] = carry(sub(y2, y1[k], 2));
    multiply_into(batch.chain[k], batch.chain[k], batch.scratch.denominator(first + k));
  }
#pragma GCC unroll 1
  for (std::size_t k = 0; k < count; ++k) multiply_into(slope[k], slope[k], inverse[k]);
#pragma GCC unroll 1
  for (std::size_t k = 0; k < count; ++k) square_into(x3[k], slope[k]);
#pragma GCC unroll 1
  for (std::size_t k = 0; k < count; ++k) {
    const C& x1 = batch.scratch.x1(first + k);
    const C& d = batch.scratch.denominator(first + k);
    x3[k] = reduce(sub(sub(sub(as_sum(x3[k]), x1, 3), x1, 2), d, 0));
    fall[k] = carry(sub(x1, x3[k], 2));
    if (batch.scratch.flags[first + k] == std::byte{0}) [[likely]] {
      scatter(groups[k].out, 0, x3[k]);
    }
    multiply_into(fall[k], fall[k], slope[k]);
  }
#pragma GCC unroll 1
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t g = first + k;
    if (batch.scratch.flags[g] != std::byte{0}) [[unlikely]] {
      special_results<C>(batch.group_pairs(g), batch.left(g), inverse[k]);
      continue;
    }
    scatter(groups[k].out, 1, reduce(sub(as_sum(fall[k]), y1[k], 3)));
  }
}

/// Every chain becomes its inverse: one inversion for all lanes of all chains.
template <class C>
void invert_chains(C (&chain)[kAbreast]) {
  C before[kAbreast];
  before[0] = one<C>();
  for (std::size_t k = 1; k < kAbreast; ++k) before[k] = mul(before[k - 1], chain[k - 1]);
  C inverse = invert(mul(before[kAbreast - 1], chain[kAbreast - 1]));
  for (std::size_t k = kAbreast; k-- > 0;) {
    const C own = mul(inverse, before[k]);
    inverse = mul(inverse, chain[k]);
    chain[k] = own;
  }
}

/// The sums of one batch with one inversion (Montgomery's trick): pass one multiplies up the
/// denominators, pass two walks back.
template <class C>
[[gnu::noinline]] void add_batch(Batch<C>& batch) {
  const std::size_t groups = (batch.n + kLanes - 1) / kLanes;
  for (std::size_t k = 0; k < kAbreast; ++k) batch.scratch.product(k) = one<C>();
  for (std::size_t g = 0; g < groups; ++g) chain_group(batch, g);
  for (std::size_t k = 0; k < kAbreast; ++k) {
    batch.chain[(groups + k) % kAbreast] = batch.scratch.product(groups + k);
  }
  invert_chains(batch.chain);
  for (std::size_t end = groups; end > 0;) {
    const std::size_t first = (end - 1) / kAbreast * kAbreast;
    finish_groups(batch, first, end - first);
    end = first;
  }
}

/// All sums, BatchPairs pairs at a time.
template <class C, std::size_t BatchPairs>
BELFRY_LANES void add_pairs(const PairSum* pairs, std::size_t n, std::byte* scratch) {
  for (std::size_t at = 0; at < n; at += BatchPairs) {
    const std::size_t count = n - at < BatchPairs ? n - at : BatchPairs;
    Batch<C> batch{pairs + at, count, Scratch<C>(scratch, (count + kLanes - 1) / kLanes), {}};
    add_batch(batch);
  }
}

}  // namespace
}  // namespace belfry::msm::ifma
