#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "belfry/base/assert.h"
#include "belfry/gadgets/uint32.h"
#include "belfry/hash/sha256.h"

namespace belfry::gadgets {

/// The chaining value of SHA-256 inside a circuit, a..h.
template <class Cs>
using Sha256Words = std::array<Uint32<Cs>, 8>;

namespace detail {

inline constexpr std::size_t kSha256BlockBits = 512;
inline constexpr std::size_t kSha256Rounds = 64;
inline constexpr std::size_t kSha256BlockWords = 16;

/// A sum whose addition waits until its value is needed (spec gadgets.md 8.2): the last round's is
/// joined with the feed-forward.
template <class Cs>
class PendingSum {
 public:
  using Word = Uint32<Cs>;

  explicit PendingSum(const Word& ready) { push(ready); }
  template <std::size_t N>
  PendingSum(const std::array<Word, N>& terms) {  // NOLINT(google-explicit-constructor): a sum
    for (const Word& term : terms) push(term);
  }
  void push(const Word& term) { terms_[count_++] = term; }
  [[nodiscard]] Word evaluate(MultiEq<Cs>& multi_eq) const {
    if (count_ == 1) return terms_[0];
    return Word::add_many(multi_eq, std::span<const Word>(terms_.data(), count_));
  }

 private:
  std::array<Word, kMaxOperands> terms_{};
  std::size_t count_ = 0;
};

/// x rotated by r0 ⊕ x rotated by r1 ⊕ third, as two xors.
template <class Cs>
[[nodiscard]] Uint32<Cs> sigma(Cs& cs, const Uint32<Cs>& x, unsigned r0, unsigned r1,
                               const Uint32<Cs>& third) {
  using Word = Uint32<Cs>;
  return Word::xor_of(cs, Word::xor_of(cs, x.rotr(r0), x.rotr(r1)), third);
}

/// The 64 schedule words of a block of 512 bits.
template <class Cs>
[[nodiscard]] std::array<Uint32<Cs>, kSha256Rounds> sha256_schedule(
    MultiEq<Cs>& multi_eq, std::span<const Boolean<Cs>> block) {
  // Rotations and shifts of the message schedule, FIPS 180-4 4.1.2.
  constexpr unsigned kS0First = 7, kS0Second = 18, kS0Shift = 3;
  constexpr unsigned kS1First = 17, kS1Second = 19, kS1Shift = 10;
  constexpr std::size_t kBack15 = 15, kBack7 = 7;
  using Word = Uint32<Cs>;
  Cs& cs = multi_eq.cs();
  std::array<Word, kSha256Rounds> w{};
  for (std::size_t i = 0; i < kSha256BlockWords; ++i) {
    w[i] = Word::from_bits_be(block.subspan(Word::kBits * i).template first<Word::kBits>());
  }
  for (std::size_t i = kSha256BlockWords; i < kSha256Rounds; ++i) {
    const Word& x = w[i - kBack15];
    const Word& y = w[i - 2];
    const Word s0 = sigma<Cs>(cs, x, kS0First, kS0Second, x.shr(kS0Shift));
    const Word s1 = sigma<Cs>(cs, y, kS1First, kS1Second, y.shr(kS1Shift));
    const std::array<Word, 4> terms{w[i - kSha256BlockWords], s0, w[i - kBack7], s1};
    w[i] = Word::add_many(multi_eq, terms);
  }
  return w;
}

}  // namespace detail

/// One compression: the chaining value after `block` (512 Booleans). Its MultiEq ends with it.
/// Source: spec gadgets.md 8.2; FIPS 180-4.
template <class Cs>
[[nodiscard]] Sha256Words<Cs> sha256_compress(Cs& cs, std::span<const Boolean<Cs>> block,
                                              const Sha256Words<Cs>& state) {
  // Rotations of the rounds, FIPS 180-4 4.1.2.
  constexpr unsigned kE0 = 6, kE1 = 11, kE2 = 25;
  constexpr unsigned kA0 = 2, kA1 = 13, kA2 = 22;
  using Word = Uint32<Cs>;
  using Sum = detail::PendingSum<Cs>;
  BELFRY_ASSERT(block.size() == detail::kSha256BlockBits, "a SHA-256 block has 512 bits");
  if constexpr (!Cs::kComputesValues) {
    // All but a few rows of the large circuits are in compressions: without them the rest of a
    // stopped synthesis takes milliseconds.
    if (cs.stopped()) return state;
  }
  MultiEq<Cs> multi_eq(cs);
  const auto w = detail::sha256_schedule<Cs>(multi_eq, block);
  const auto& k = hash::sha256_round_constants();

  const auto& [a0, b0, c0, d0, e0, f0, g0, h0] = state;
  Sum a(a0);
  Word b = b0, c = c0, d = d0;
  Sum e(e0);
  Word f = f0, g = g0, h = h0;
  for (std::size_t i = 0; i < detail::kSha256Rounds; ++i) {
    const Word e_now = e.evaluate(multi_eq);
    const Word s1 = detail::sigma<Cs>(cs, e_now, kE0, kE1, e_now.rotr(kE2));
    const Word ch = Word::ch_of(cs, e_now, f, g);
    const Sum t1(std::array{h, s1, ch, Word::constant(k[i]), w[i]});
    const Word a_now = a.evaluate(multi_eq);
    const Word s0 = detail::sigma<Cs>(cs, a_now, kA0, kA1, a_now.rotr(kA2));
    const Word maj = Word::maj_of(cs, a_now, b, c);
    h = g, g = f, f = e_now;
    e = t1;
    e.push(d);
    d = c, c = b, b = a_now;
    a = t1;
    a.push(s0);
    a.push(maj);
  }
  a.push(a0);
  e.push(e0);
  const auto sum = [&multi_eq](const Word& x, const Word& y) {
    return Word::add_many(multi_eq, std::array<Word, 2>{x, y});
  };
  // The order of these additions is that of the rows; braces keep it.
  return Sha256Words<Cs>{a.evaluate(multi_eq), sum(b0, b), sum(c0, c), sum(d0, d),
                         e.evaluate(multi_eq), sum(f0, f), sum(g0, g), sum(h0, h)};
}

namespace detail {

template <class Cs>
[[nodiscard]] Sha256Words<Cs> sha256_initial() {
  Sha256Words<Cs> state{};
  const auto& initial = hash::sha256_initial_state();
  for (std::size_t i = 0; i < state.size(); ++i) state[i] = Uint32<Cs>::constant(initial[i]);
  return state;
}
template <class Cs>
[[nodiscard]] Booleans<Cs> sha256_digest_bits(const Sha256Words<Cs>& state) {
  Booleans<Cs> out;
  out.reserve(state.size() * Uint32<Cs>::kBits);
  for (const auto& word : state) word.append_bits_be(out);
  return out;
}

}  // namespace detail

/// SHA-256 of a message of whole bytes; bits byte by byte, most significant first, both ways. The
/// padding is constant. 256 Booleans. Source: spec gadgets.md 8.1.
template <class Cs>
[[nodiscard]] Booleans<Cs> sha256(Cs& cs, Booleans<Cs> message) {
  constexpr std::size_t kByteBits = 8;
  constexpr std::size_t kLengthBits = 64;
  BELFRY_ASSERT(message.size() % kByteBits == 0, "SHA-256 takes whole bytes");
  const std::uint64_t length = message.size();
  message.push_back(Boolean<Cs>::constant(true));
  while ((message.size() + kLengthBits) % detail::kSha256BlockBits != 0) message.emplace_back();
  for (std::size_t i = kLengthBits; i-- > 0;) {
    message.push_back(Boolean<Cs>::constant(((length >> i) & 1) != 0));
  }
  Sha256Words<Cs> state = detail::sha256_initial<Cs>();
  for (std::size_t at = 0; at < message.size(); at += detail::kSha256BlockBits) {
    const std::span<const Boolean<Cs>> rest(message);
    state = sha256_compress<Cs>(cs, rest.subspan(at, detail::kSha256BlockBits), state);
  }
  return detail::sha256_digest_bits<Cs>(state);
}

/// One compression of 512 Booleans from the initial value, without padding.
template <class Cs>
[[nodiscard]] Booleans<Cs> sha256_block_no_padding(Cs& cs, const Booleans<Cs>& block) {
  return detail::sha256_digest_bits<Cs>(
      sha256_compress<Cs>(cs, block, detail::sha256_initial<Cs>()));
}

}  // namespace belfry::gadgets
