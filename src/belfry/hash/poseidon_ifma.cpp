// Compiled for AVX-512 IFMA: raw pointers and local functions only (field/fr_lanes.h says why).
#include "belfry/hash/poseidon_kernels.h"

#if defined(__AVX512IFMA__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#include "belfry/field/fr_lanes.h"

namespace belfry::hash::detail {
namespace {

using field::FrLaneParams;
using field::kLanes;
using Lanes = field::LaneLimbs<FrLaneParams>;

constexpr std::size_t kLimbs = FrLaneParams::kLimbs;
constexpr std::size_t kNodeWords = FrLaneParams::kWords;
constexpr std::size_t kFullRounds = 8;
/// After so many partial rounds the state is brought below 1.4r again: each adds at most 1.1r, and
/// what a sum of twelve products then hands to its S-box stays far below 32r.
constexpr std::size_t kRoundsBetweenReductions = 16;

static_assert(kLimbs == kPoseidonConstantLimbs);

/// Walks through the constants of the table.
struct Cursor {
  const std::uint64_t* at;
  BELFRY_LANES const std::uint64_t* take(std::size_t constants) noexcept {
    const std::uint64_t* taken = at;
    at += constants * kLimbs;
    return taken;
  }
};

BELFRY_LANES Lanes broadcast(const std::uint64_t* constant) noexcept {
  Lanes out;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kLimbs; ++i) out.limb[i] = field::lanes_of(constant[i]);
  return out;
}

/// The sum in the making: its lower half is cancelled, its upper half is the result.
struct Accumulator {
  __m512i t[2 * kLimbs];
};
/// Begins with c·2^260, so that c is added to the result.
BELFRY_LANES Accumulator begin(const Lanes& c) noexcept {
  Accumulator sum;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kLimbs; ++i) {
    sum.t[i] = _mm512_setzero_si512();
    sum.t[kLimbs + i] = c.limb[i];
  }
  return sum;
}
BELFRY_LANES Accumulator begin() noexcept {
  Accumulator sum;
#pragma GCC unroll 16
  for (std::size_t i = 0; i < 2 * kLimbs; ++i) sum.t[i] = _mm512_setzero_si512();
  return sum;
}
BELFRY_LANES void add_product(Accumulator& sum, const Lanes& a, const Lanes& b) noexcept {
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kLimbs; ++i) field::add_row(sum.t + i, a, b.limb[i]);
}
BELFRY_LANES Lanes finish(Accumulator& sum) noexcept {
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kLimbs; ++i) {
    field::cancel_lowest<FrLaneParams>(sum.t + i, field::quotient_digit<FrLaneParams>(sum.t[i]));
  }
  return field::carry_upper_half<FrLaneParams>(sum.t);
}

/// a·b + c
BELFRY_LANES Lanes multiply_add(const Lanes& a, const Lanes& b, const Lanes& c) noexcept {
  Accumulator sum = begin(c);
  field::add_row(sum.t, a, b.limb[0]);
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kLimbs; ++i) {
    const __m512i m = field::quotient_digit<FrLaneParams>(sum.t[i]);
    if (i + 1 < kLimbs) field::add_row(sum.t + i + 1, a, b.limb[i + 1]);
    field::cancel_lowest<FrLaneParams>(sum.t + i, m);
  }
  return field::carry_upper_half<FrLaneParams>(sum.t);
}

/// Watches nothing: trees want results alone.
struct NoLaneWatcher {
  static void first_round(const Lanes& /*square*/, const Lanes& /*fourth*/,
                          const Lanes& /*output*/) noexcept {}
  static void later_round(const Lanes& /*base*/, const Lanes& /*square*/, const Lanes& /*fourth*/,
                          const Lanes& /*output*/) noexcept {}
};

/// x·2^260 below 17r to canonical words of x·2^256. A multiple of r below 16r makes the low four
/// bits zero; what is left, v below 32r, is taken below 16r and divided by 16 as words are joined.
BELFRY_LANES void to_portable_words(const Lanes& x, __m512i (&words)[kNodeWords]) noexcept {
  constexpr unsigned kShift = field::kLaneRadix * kLimbs - 64 * kNodeWords;
  constexpr std::uint64_t kSixteen = std::uint64_t{1} << kShift;
  const __m512i m = _mm512_and_si512(field::quotient_digit<FrLaneParams>(x.limb[0]),
                                     field::lanes_of(kSixteen - 1));
  Lanes v = x;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kLimbs; ++i) {
    const __m512i p = field::lanes_of(FrLaneParams::kModulus[i]);
    v.limb[i] = _mm512_madd52lo_epu64(v.limb[i], m, p);
    if (i + 1 < kLimbs) v.limb[i + 1] = _mm512_madd52hi_epu64(v.limb[i + 1], m, p);
  }
  v = field::reduce_once(field::carry(v), kSixteen);
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kNodeWords; ++i) {
    const unsigned from = kShift + (64 - field::kLaneRadix) * static_cast<unsigned>(i);
    words[i] = _mm512_or_si512(_mm512_srli_epi64(v.limb[i], from),
                               _mm512_slli_epi64(v.limb[i + 1], field::kLaneRadix - from));
  }
}

/// Unloads values of eight hashes, each to a place of its own.
struct UnloadWatcher {
  std::uint64_t* const* trace;  // (lanes)
  std::size_t at;               ///< words unloaded to each

  BELFRY_LANES void unload(const Lanes& x) noexcept {
    __m512i words[kNodeWords];
    to_portable_words(x, words);
    __m512i pairs[kNodeWords];
    field::fr_untranspose(words, pairs);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kNodeWords; ++i) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(trace[2 * i] + at),
                          _mm512_castsi512_si256(pairs[i]));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(trace[2 * i + 1] + at),
                          _mm512_extracti64x4_epi64(pairs[i], 1));
    }
    at += kNodeWords;
  }
  void first_round(const Lanes& square, const Lanes& fourth, const Lanes& output) noexcept {
    unload(square);
    unload(fourth);
    unload(output);
  }
  void later_round(const Lanes& base, const Lanes& square, const Lanes& fourth,
                   const Lanes& output) noexcept {
    unload(base);
    first_round(square, fourth, output);
  }
};

/// x^5 + key in the first round
template <class Watcher>
BELFRY_LANES Lanes first_sbox(const Lanes& x, const Lanes& key, Watcher& watcher) noexcept {
  const Lanes square = field::montgomery_square(x);
  const Lanes fourth = field::montgomery_square(square);
  const Lanes output = multiply_add(fourth, x, key);
  watcher.first_round(square, fourth, output);
  return output;
}
/// x^5 + key
template <class Watcher>
BELFRY_LANES Lanes sbox(const Lanes& x, const Lanes& key, Watcher& watcher) noexcept {
  const Lanes square = field::montgomery_square(x);
  const Lanes fourth = field::montgomery_square(square);
  const Lanes output = multiply_add(fourth, x, key);
  watcher.later_round(x, square, fourth, output);
  return output;
}

/// Σ state[i]·row[i]
template <std::size_t T>
BELFRY_LANES Lanes row_product(const Lanes (&state)[T], const std::uint64_t* row) noexcept {
  Accumulator sum = begin();
#pragma GCC unroll 1
  for (std::size_t i = 0; i < T; ++i) add_product(sum, state[i], broadcast(row + i * kLimbs));
  return finish(sum);
}

template <std::size_t T>
BELFRY_LANES void mix(Lanes (&state)[T], const std::uint64_t* matrix) noexcept {
  Lanes mixed[T];
#pragma GCC unroll 1
  for (std::size_t j = 0; j < T; ++j) mixed[j] = row_product(state, matrix + j * T * kLimbs);
#pragma GCC unroll 1
  for (std::size_t j = 0; j < T; ++j) state[j] = mixed[j];
}

template <std::size_t T, class Watcher>
BELFRY_LANES void full_sboxes(Lanes (&state)[T], const std::uint64_t* keys,
                              Watcher& watcher) noexcept {
#pragma GCC unroll 1
  for (std::size_t i = 0; i < T; ++i) {
    state[i] = sbox(state[i], broadcast(keys + i * kLimbs), watcher);
  }
}

template <std::size_t T, class Watcher>
BELFRY_LANES void partial_round(Lanes (&state)[T], Cursor& constants, Watcher& watcher) noexcept {
  state[0] = sbox(state[0], broadcast(constants.take(1)), watcher);
  const Lanes first = state[0];
  state[0] = row_product(state, constants.take(T));
  const std::uint64_t* row = constants.take(T - 1);
#pragma GCC unroll 1
  for (std::size_t i = 1; i < T; ++i) {
    state[i] = multiply_add(first, broadcast(row + (i - 1) * kLimbs), state[i]);
  }
}

/// Input i of eight hashes, x·2^260 and the key before its S-box: from nodes of a list, canonical.
struct NodeInputs {
  const std::uint64_t* const* first;  ///< of lane 0
  __m512i places;                     ///< words from there to each lane's

  BELFRY_LANES Lanes load(std::size_t i, const std::uint64_t* key) const noexcept {
    __m512i words[kNodeWords];
#pragma GCC unroll 4
    for (std::size_t j = 0; j < kNodeWords; ++j) {
      words[j] = _mm512_i64gather_epi64(places, first[i] + j, sizeof(std::uint64_t));
    }
    const Lanes encode = field::lanes_constant<FrLaneParams>(FrLaneParams::kEncodeLane);
    return multiply_add(field::split_words<FrLaneParams>(words), encode, broadcast(key));
  }
};
/// The same from eight consecutive Montgomery forms: 16·(x·2^256), below 17r with the key.
struct ElementInputs {
  const std::uint64_t* const* elements;

  BELFRY_LANES Lanes load(std::size_t i, const std::uint64_t* key) const noexcept {
    constexpr unsigned kShift = field::kLaneRadix * kLimbs - 64 * kNodeWords;
    Lanes x = field::fr_load(elements[i]).x;
    const Lanes k = broadcast(key);
#pragma GCC unroll 8
    for (std::size_t j = 0; j < kLimbs; ++j) {
      x.limb[j] = _mm512_add_epi64(_mm512_slli_epi64(x.limb[j], kShift), k.limb[j]);
    }
    return field::carry(x);
  }
};

template <std::size_t T>
BELFRY_LANES void reduce(Lanes (&state)[T]) noexcept {
#pragma GCC unroll 1
  for (std::size_t i = 0; i < T; ++i) state[i] = field::reduce_estimated(state[i]);
}

/// Eight hashes, as x·2^260 below 2r. What the watcher sees is below 17r: bases of S-boxes are
/// below 1 + 12·(19·1.1)·0.03 times r as sums of products, below 1.4r after a reduction; powers and
/// outputs of these and of inputs below 17r are below 10r.
template <std::size_t T, class Inputs, class Watcher>
BELFRY_LANES Lanes permute(const PoseidonTable& table, const Inputs& inputs,
                           Watcher& watcher) noexcept {
  Cursor constants{table.limbs};
  Lanes state[T];
  state[0] = broadcast(constants.take(1));
  const std::uint64_t* pre_keys = constants.take(T - 1);
  const std::uint64_t* keys = constants.take((kFullRounds - 1) * T);
  const std::uint64_t* mds = constants.take(T * T);
  const std::uint64_t* pre_sparse = constants.take(T * T);
#pragma GCC unroll 1
  for (std::size_t i = 1; i < T; ++i) {
    const Lanes x = inputs.load(i - 1, pre_keys + (i - 1) * kLimbs);
    state[i] = first_sbox(x, broadcast(keys + i * kLimbs), watcher);
  }
#pragma GCC unroll 1
  for (std::size_t round = 1; round < kFullRounds / 2; ++round) {
    mix(state, mds);
    full_sboxes(state, keys + round * T * kLimbs, watcher);
  }
  mix(state, pre_sparse);
#pragma GCC unroll 1
  for (std::size_t k = 0; k < table.partial_rounds; ++k) {
    partial_round(state, constants, watcher);
    if (k % kRoundsBetweenReductions == kRoundsBetweenReductions - 1) reduce(state);
  }
  reduce(state);
#pragma GCC unroll 1
  for (std::size_t round = kFullRounds / 2; round + 1 < kFullRounds; ++round) {
    full_sboxes(state, keys + round * T * kLimbs, watcher);
    mix(state, mds);
  }
  Lanes zero;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kLimbs; ++i) zero.limb[i] = _mm512_setzero_si512();
#pragma GCC unroll 1
  for (std::size_t i = 0; i < T; ++i) state[i] = sbox(state[i], zero, watcher);
  return row_product(state, mds + T * kLimbs);
}

/// Canonical words of the eight results.
BELFRY_LANES void store_output(std::uint64_t* to, const Lanes& x) noexcept {
  Lanes one;
  one.limb[0] = field::lanes_of(1);
#pragma GCC unroll 8
  for (std::size_t i = 1; i < kLimbs; ++i) one.limb[i] = _mm512_setzero_si512();
  field::fr_store(to, field::fr_canonical({field::montgomery(x, one)}));
}

template <std::size_t T>
void hash_eight(const PoseidonTable& table, const NodeInputs& inputs, std::uint64_t* out) {
  NoLaneWatcher watcher;
  store_output(out, permute<T>(table, inputs, watcher));
}

template <std::size_t T>
void trace_eight(const PoseidonTable& table, const std::uint64_t* const* elements,
                 std::uint64_t* const* trace, std::uint64_t* out) {
  UnloadWatcher watcher{trace, 0};
  __m512i words[kNodeWords];
  to_portable_words(permute<T>(table, ElementInputs{elements}, watcher), words);
  field::fr_store_words(out, words);
}

template <std::size_t T>
void hash_lists(const PoseidonTable& table, const PoseidonWords& inputs, std::uint64_t* out,
                std::size_t count) {
  const std::uint64_t* first[T - 1];
  for (std::size_t i = 0; i + 1 < T; ++i) first[i] = inputs.first[i];
  const __m512i lanes = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
  const __m512i stride = field::lanes_of(inputs.stride_words);
  while (count >= kLanes) {
    hash_eight<T>(table, {first, _mm512_mullo_epi64(lanes, stride)}, out);
    for (std::size_t i = 0; i + 1 < T; ++i) first[i] += kLanes * inputs.stride_words;
    out += kLanes * kNodeWords;
    count -= kLanes;
  }
  if (count == 0) return;
  // The lanes beyond the end repeat the last list.
  const __m512i clamped = _mm512_min_epu64(lanes, field::lanes_of(count - 1));
  std::uint64_t nodes[kLanes * kNodeWords];
  hash_eight<T>(table, {first, _mm512_mullo_epi64(clamped, stride)}, nodes);
  for (std::size_t i = 0; i < count * kNodeWords; i += kNodeWords) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i),
                        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(nodes + i)));
  }
}

}  // namespace

PoseidonKernels poseidon_kernels_ifma(std::size_t arity) noexcept {
  // Trees, and the columns of 2 and 11 layers; a state has one element more.
  constexpr std::size_t kColumn = 11;
  switch (arity) {
    case 2:
      return {&hash_lists<2 + 1>, &trace_eight<2 + 1>};
    case 4:
      return {&hash_lists<4 + 1>, &trace_eight<4 + 1>};
    case 8:
      return {&hash_lists<8 + 1>, &trace_eight<8 + 1>};
    case kColumn:
      return {&hash_lists<kColumn + 1>, &trace_eight<kColumn + 1>};
    default:
      return {nullptr, nullptr};
  }
}

}  // namespace belfry::hash::detail

#else

namespace belfry::hash::detail {

PoseidonKernels poseidon_kernels_ifma(std::size_t /*arity*/) noexcept { return {nullptr, nullptr}; }

}  // namespace belfry::hash::detail

#endif
