#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "belfry/base/platform.h"
#include "belfry/field/words.h"

// Inversion by division steps, one text for host and device. Source: Bernstein, Yang, "Fast
// constant-time gcd computation and modular inversion", 2019, section 11, with runs of zeros
// skipped.
namespace belfry::field {

template <class Params>
struct MontgomeryField;

namespace divstep {

/// Division steps taken on machine words before the long numbers follow. Two bits of a word are
/// left, so that sums of two products stay in range.
inline constexpr int kSteps = 62;

/// 2^kSteps·(f', g') = ((u, v), (q, r))·(f, g); |u| + |v| and |q| + |r| are at most 2^kSteps.
struct Transition {
  std::int64_t u, v, q, r;
};

/// The number of zeros below the lowest set bit; x is not zero.
BELFRY_HD inline int trailing_zeros(std::uint64_t x) noexcept {
#ifdef __CUDA_ARCH__
  return __ffsll(static_cast<long long>(x)) - 1;
#else
  return std::countr_zero(x);
#endif
}

/// (a, b) = (b, -a)
BELFRY_HD inline void exchange_negated(std::uint64_t& a, std::uint64_t& b) noexcept {
  const std::uint64_t old = a;
  a = b;
  b = 0 - old;
}

/// kSteps division steps on the low words of f (odd) and g. Works on unsigned words, where wrapping
/// is defined; the matrix has the signs. `delta` is that of the paper.
BELFRY_HD inline Transition divide_steps(std::int32_t& delta, std::uint64_t f,
                                         std::uint64_t g) noexcept {
  constexpr int kCancelBits = 6;
  std::uint64_t u = 1;
  std::uint64_t v = 0;
  std::uint64_t q = 0;
  std::uint64_t r = 1;
  int left = kSteps;
  for (;;) {
    // Steps that only halve g.
    const int zeros = trailing_zeros(g | (std::uint64_t{1} << left));
    g >>= zeros;
    u <<= zeros;
    v <<= zeros;
    delta += zeros;
    left -= zeros;
    if (left == 0) break;
    if (delta > 0) {
      delta = -delta;
      exchange_negated(f, g);
      exchange_negated(u, q);
      exchange_negated(v, r);
    }
    // Until delta is positive again every step adds f to g or not: take up to six of them at once
    // with the multiple of f that clears as many bits. f·(f² - 2) = -1/f modulo 2^6 for odd f.
    int run = 1 - delta < left ? 1 - delta : left;
    if (run > kCancelBits) run = kCancelBits;
    const auto f_low = static_cast<std::uint32_t>(f);
    const auto g_low = static_cast<std::uint32_t>(g);
    const std::uint64_t multiple =
        (g_low * f_low * (f_low * f_low - 2)) & ((std::uint32_t{1} << run) - 1);
    g += multiple * f;
    q += multiple * u;
    r += multiple * v;
  }
  return {static_cast<std::int64_t>(u), static_cast<std::int64_t>(v), static_cast<std::int64_t>(q),
          static_cast<std::int64_t>(r)};
}

BELFRY_HD inline std::uint64_t magnitude(std::int64_t x) noexcept {
  const auto bits = static_cast<std::uint64_t>(x);
  return x < 0 ? 0 - bits : bits;
}

template <class Params>
class Inversion {
  using Field = MontgomeryField<Params>;
  using Number = std::array<std::uint64_t,
                            Params::kLimbs>;  // two's complement for f and g, canonical for d and e
  static constexpr std::size_t kLimbs = Params::kLimbs;
  static constexpr unsigned kSignBit = 63;  // of the top limb
  using Wide = std::array<std::uint64_t, kLimbs + 1>;

 public:
  /// R²/a mod p for a canonical a, 0 for 0. All the time d·a = f·R²·4^-rounds
  /// and e·a = g·R²·4^-rounds hold.
  BELFRY_HD static Number run(const Number& a) noexcept {
    Number f = modulus();
    Number g = a;
    Field d;
    Field e{radix_squared()};
    std::int32_t delta = 1;
    unsigned rounds = 0;
    for (; !(Field{g} == Field{}); ++rounds) {
      const Transition t = divide_steps(delta, f[0], g[0]);
      const Number next_f = shifted(sum(t.u, f, t.v, g));
      g = shifted(sum(t.q, f, t.r, g));
      f = next_f;
      const Field next_d = reduced(t.u, d, t.v, e);
      e = reduced(t.q, d, t.r, e);
      d = next_d;
    }
    // f is now 1 or -1 (p itself, and d zero, for a = 0). Every round divided by 2^64 instead of
    // 2^62.
    const Field result = d * Field::from_u64(std::uint64_t{1} << (2 * rounds));
    return (is_negative(f) ? -result : result).limbs;
  }

 private:
  // Copies, because device code can not refer to a static member.
  BELFRY_HD static Number modulus() noexcept {
    constexpr Number kCopy = Params::kModulus;
    return kCopy;
  }
  BELFRY_HD static Number radix_squared() noexcept {
    constexpr Number kCopy = Params::kRadixSquared;
    return kCopy;
  }

  BELFRY_HD static bool is_negative(const Number& x) noexcept {
    return (x[kLimbs - 1] >> kSignBit) != 0;
  }

  /// t += k·x for one word k and a sign-extended x, modulo 2^(64·(kLimbs + 1)).
  BELFRY_HD static void add_product(Wide& t, std::int64_t k, const Number& x) noexcept {
    const std::uint64_t flip = k < 0 ? ~std::uint64_t{0} : 0;
    const std::uint64_t extension = is_negative(x) ? ~std::uint64_t{0} : 0;
    const std::uint64_t factor = magnitude(k);
    std::uint64_t increment = flip & 1;  // -x = ~x + 1
    std::uint64_t carry = 0;
    BELFRY_UNROLL
    for (std::size_t i = 0; i <= kLimbs; ++i) {
      const std::uint64_t limb = (i < kLimbs ? x[i] : extension) ^ flip;
      const std::uint64_t word = limb + increment;
      increment &= static_cast<std::uint64_t>(word == 0);
      const Uint128 u = Uint128{word} * factor + t[i] + carry;
      t[i] = static_cast<std::uint64_t>(u);
      carry = static_cast<std::uint64_t>(u >> 64);
    }
  }
  BELFRY_HD static Wide sum(std::int64_t a, const Number& x, std::int64_t b,
                            const Number& y) noexcept {
    Wide t{};
    add_product(t, a, x);
    add_product(t, b, y);
    return t;
  }
  /// t / 2^kSteps, exact, for a result that fits kLimbs words.
  BELFRY_HD static Number shifted(const Wide& t) noexcept {
    Number out;
    BELFRY_UNROLL
    for (std::size_t i = 0; i < kLimbs; ++i) {
      out[i] = (t[i] >> kSteps) | (t[i + 1] << (64 - kSteps));
    }
    return out;
  }
  /// (a·x + b·y)/2^64 mod p: the sum is below 2^62·p, so one step of Montgomery's reduction leaves
  /// less than 2p.
  BELFRY_HD static Field reduced(std::int64_t a, const Field& x, std::int64_t b,
                                 const Field& y) noexcept {
    Wide t{};
    add_magnitude(t, magnitude(a), a < 0 ? -x : x);
    add_magnitude(t, magnitude(b), b < 0 ? -y : y);
    const std::uint64_t m = t[0] * Params::kMontgomeryInverse;
    add_magnitude(t, m, Field{modulus()});
    Number out;
    BELFRY_UNROLL
    for (std::size_t i = 0; i < kLimbs; ++i) out[i] = t[i + 1];
    return Field::reduce_once(out);
  }
  BELFRY_HD static void add_magnitude(Wide& t, std::uint64_t factor, const Field& x) noexcept {
    std::uint64_t carry = 0;
    BELFRY_UNROLL
    for (std::size_t i = 0; i < kLimbs; ++i) {
      const Uint128 u = Uint128{x.limbs[i]} * factor + t[i] + carry;
      t[i] = static_cast<std::uint64_t>(u);
      carry = static_cast<std::uint64_t>(u >> 64);
    }
    t[kLimbs] += carry;
  }
};

}  // namespace divstep
}  // namespace belfry::field
