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

/// x^5 + key
BELFRY_LANES Lanes sbox(const Lanes& x, const Lanes& key) noexcept {
  const Lanes fourth = field::montgomery_square(field::montgomery_square(x));
  return multiply_add(fourth, x, key);
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

template <std::size_t T>
BELFRY_LANES void full_sboxes(Lanes (&state)[T], const std::uint64_t* keys) noexcept {
#pragma GCC unroll 1
  for (std::size_t i = 0; i < T; ++i) state[i] = sbox(state[i], broadcast(keys + i * kLimbs));
}

template <std::size_t T>
BELFRY_LANES void partial_round(Lanes (&state)[T], Cursor& constants) noexcept {
  state[0] = sbox(state[0], broadcast(constants.take(1)));
  const Lanes first = state[0];
  state[0] = row_product(state, constants.take(T));
  const std::uint64_t* row = constants.take(T - 1);
#pragma GCC unroll 1
  for (std::size_t i = 1; i < T; ++i) {
    state[i] = multiply_add(first, broadcast(row + (i - 1) * kLimbs), state[i]);
  }
}

/// Input `from` of eight hashes: x to x·2^260, plus the key before its S-box.
BELFRY_LANES Lanes load_input(const std::uint64_t* from, __m512i places,
                              const std::uint64_t* key) noexcept {
  __m512i words[kNodeWords];
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kNodeWords; ++i) {
    words[i] = _mm512_i64gather_epi64(places, from + i, sizeof(std::uint64_t));
  }
  const Lanes encode = field::lanes_constant<FrLaneParams>(FrLaneParams::kEncodeLane);
  return multiply_add(field::split_words<FrLaneParams>(words), encode, broadcast(key));
}

/// x·2^260 below 32r to canonical words of the eight results.
BELFRY_LANES void store_output(std::uint64_t* to, const Lanes& x) noexcept {
  Lanes one;
  one.limb[0] = field::lanes_of(1);
#pragma GCC unroll 8
  for (std::size_t i = 1; i < kLimbs; ++i) one.limb[i] = _mm512_setzero_si512();
  field::fr_store(to, field::fr_canonical({field::montgomery(x, one)}));
}

/// Eight hashes; lane k reads input i at first[i] + places[k].
template <std::size_t T>
void permute(const PoseidonTable& table, const std::uint64_t* const* first, __m512i places,
             std::uint64_t* out) noexcept {
  Cursor constants{table.limbs};
  Lanes state[T];
  state[0] = broadcast(constants.take(1));
  const std::uint64_t* pre_keys = constants.take(T - 1);
  const std::uint64_t* keys = constants.take((kFullRounds - 1) * T);
  const std::uint64_t* mds = constants.take(T * T);
  const std::uint64_t* pre_sparse = constants.take(T * T);
#pragma GCC unroll 1
  for (std::size_t i = 1; i < T; ++i) {
    const Lanes x = load_input(first[i - 1], places, pre_keys + (i - 1) * kLimbs);
    state[i] = sbox(x, broadcast(keys + i * kLimbs));
  }
#pragma GCC unroll 1
  for (std::size_t round = 1; round < kFullRounds / 2; ++round) {
    mix(state, mds);
    full_sboxes(state, keys + round * T * kLimbs);
  }
  mix(state, pre_sparse);
#pragma GCC unroll 1
  for (std::size_t k = 0; k < table.partial_rounds; ++k) {
    partial_round(state, constants);
    if (k % kRoundsBetweenReductions != kRoundsBetweenReductions - 1) continue;
#pragma GCC unroll 1
    for (std::size_t i = 0; i < T; ++i) state[i] = field::reduce_estimated(state[i]);
  }
#pragma GCC unroll 1
  for (std::size_t round = kFullRounds / 2; round + 1 < kFullRounds; ++round) {
    full_sboxes(state, keys + round * T * kLimbs);
    mix(state, mds);
  }
  Lanes zero;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kLimbs; ++i) zero.limb[i] = _mm512_setzero_si512();
#pragma GCC unroll 1
  for (std::size_t i = 0; i < T; ++i) state[i] = sbox(state[i], zero);
  store_output(out, row_product(state, mds + T * kLimbs));
}

template <std::size_t T>
void hash_lists(const PoseidonTable& table, const PoseidonWords& inputs, std::uint64_t* out,
                std::size_t count) {
  const std::uint64_t* first[T - 1];
  for (std::size_t i = 0; i + 1 < T; ++i) first[i] = inputs.first[i];
  const __m512i lanes = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
  const __m512i stride = field::lanes_of(inputs.stride_words);
  while (count >= kLanes) {
    permute<T>(table, first, _mm512_mullo_epi64(lanes, stride), out);
    for (std::size_t i = 0; i + 1 < T; ++i) first[i] += kLanes * inputs.stride_words;
    out += kLanes * kNodeWords;
    count -= kLanes;
  }
  if (count == 0) return;
  // The lanes beyond the end repeat the last list.
  const __m512i clamped = _mm512_min_epu64(lanes, field::lanes_of(count - 1));
  std::uint64_t nodes[kLanes * kNodeWords];
  permute<T>(table, first, _mm512_mullo_epi64(clamped, stride), nodes);
  for (std::size_t i = 0; i < count * kNodeWords; i += kNodeWords) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i),
                        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(nodes + i)));
  }
}

}  // namespace

PoseidonKernel poseidon_kernel_ifma(std::size_t arity) noexcept {
  // Trees, and the columns of 2 and 11 layers; a state has one element more.
  constexpr std::size_t kColumn = 11;
  switch (arity) {
    case 2:
      return &hash_lists<2 + 1>;
    case 8:
      return &hash_lists<8 + 1>;
    case kColumn:
      return &hash_lists<kColumn + 1>;
    default:
      return nullptr;
  }
}

}  // namespace belfry::hash::detail

#else

namespace belfry::hash::detail {

PoseidonKernel poseidon_kernel_ifma(std::size_t /*arity*/) noexcept { return nullptr; }

}  // namespace belfry::hash::detail

#endif
