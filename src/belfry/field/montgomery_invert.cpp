#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "belfry/field/fp.h"
#include "belfry/field/fr.h"
#include "belfry/field/montgomery_host.h"

namespace belfry::field::host {
namespace {

/// Division steps taken on machine words before the long numbers follow. Two bits of a word are
/// left, so that sums of two products stay in range.
constexpr int kSteps = 62;

/// 2^kSteps·(f', g') = ((u, v), (q, r))·(f, g); |u| + |v| and |q| + |r| are at most 2^kSteps.
struct Transition {
  std::int64_t u, v, q, r;
};

/// kSteps division steps on the low words of f (odd) and g. Works on unsigned words, where wrapping
/// is defined; the matrix has the signs. `delta` is that of the paper.
Transition divide_steps(std::int64_t& delta, std::uint64_t f, std::uint64_t g) noexcept {
  constexpr int kCancelBits = 6;
  std::uint64_t u = 1;
  std::uint64_t v = 0;
  std::uint64_t q = 0;
  std::uint64_t r = 1;
  int left = kSteps;
  for (;;) {
    // Steps that only halve g.
    const int zeros = std::countr_zero(g | (std::uint64_t{1} << left));
    g >>= zeros;
    u <<= zeros;
    v <<= zeros;
    delta += zeros;
    left -= zeros;
    if (left == 0) break;
    if (delta > 0) {
      delta = -delta;
      f = std::exchange(g, 0 - f);
      u = std::exchange(q, 0 - u);
      v = std::exchange(r, 0 - v);
    }
    // Until delta is positive again every step adds f to g or not: take up to six of them at once
    // with the multiple of f that clears as many bits. f·(f² - 2) = -1/f modulo 2^6 for odd f.
    const int run = static_cast<int>(std::min<std::int64_t>({1 - delta, left, kCancelBits}));
    const std::uint64_t mask = (std::uint64_t{1} << run) - 1;
    const std::uint64_t multiple = (g * f * (f * f - 2)) & mask;
    g += multiple * f;
    q += multiple * u;
    r += multiple * v;
  }
  return {static_cast<std::int64_t>(u), static_cast<std::int64_t>(v), static_cast<std::int64_t>(q),
          static_cast<std::int64_t>(r)};
}

std::uint64_t magnitude(std::int64_t x) noexcept {
  const auto bits = static_cast<std::uint64_t>(x);
  return x < 0 ? 0 - bits : bits;
}

template <class Params>
class Inversion {
  using Field = MontgomeryField<Params>;
  using Number = Limbs<Params>;  // two's complement for f and g, canonical for d and e
  static constexpr std::size_t kLimbs = Params::kLimbs;
  using Wide = std::array<std::uint64_t, kLimbs + 1>;

 public:
  /// d·a = f·R²·4^-rounds and e·a = g·R²·4^-rounds hold all the time.
  static Number run(const Number& a) noexcept {
    Number f = Params::kModulus;
    Number g = a;
    Field d;
    Field e{Params::kRadixSquared};
    std::int64_t delta = 1;
    unsigned rounds = 0;
    for (; g != Number{}; ++rounds) {
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
  static bool is_negative(const Number& x) noexcept { return (x[kLimbs - 1] >> 63) != 0; }

  /// t += k·x for one word k and a sign-extended x, modulo 2^(64·(kLimbs + 1)).
  static void add_product(Wide& t, std::int64_t k, const Number& x) noexcept {
    const std::uint64_t flip = k < 0 ? ~std::uint64_t{0} : 0;
    const std::uint64_t extension = is_negative(x) ? ~std::uint64_t{0} : 0;
    const std::uint64_t factor = magnitude(k);
    std::uint64_t increment = flip & 1;  // -x = ~x + 1
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i <= kLimbs; ++i) {
      const std::uint64_t limb = (i < kLimbs ? x[i] : extension) ^ flip;
      const std::uint64_t word = limb + increment;
      increment &= static_cast<std::uint64_t>(word == 0);
      const Uint128 u = Uint128{word} * factor + t[i] + carry;
      t[i] = static_cast<std::uint64_t>(u);
      carry = static_cast<std::uint64_t>(u >> 64);
    }
  }
  static Wide sum(std::int64_t a, const Number& x, std::int64_t b, const Number& y) noexcept {
    Wide t{};
    add_product(t, a, x);
    add_product(t, b, y);
    return t;
  }
  /// t / 2^kSteps, exact, for a result that fits kLimbs words.
  static Number shifted(const Wide& t) noexcept {
    Number out;
    for (std::size_t i = 0; i < kLimbs; ++i) {
      out[i] = (t[i] >> kSteps) | (t[i + 1] << (64 - kSteps));
    }
    return out;
  }
  /// (a·x + b·y)/2^64 mod p: the sum is below 2^62·p, so one step of Montgomery's reduction leaves
  /// less than 2p.
  static Field reduced(std::int64_t a, const Field& x, std::int64_t b, const Field& y) noexcept {
    Wide t{};
    add_magnitude(t, magnitude(a), a < 0 ? -x : x);
    add_magnitude(t, magnitude(b), b < 0 ? -y : y);
    const std::uint64_t m = t[0] * Params::kMontgomeryInverse;
    add_magnitude(t, m, Field{Params::kModulus});
    Number out;
    for (std::size_t i = 0; i < kLimbs; ++i) out[i] = t[i + 1];
    return Field::reduce_once(out);
  }
  static void add_magnitude(Wide& t, std::uint64_t factor, const Field& x) noexcept {
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < kLimbs; ++i) {
      const Uint128 u = Uint128{x.limbs[i]} * factor + t[i] + carry;
      t[i] = static_cast<std::uint64_t>(u);
      carry = static_cast<std::uint64_t>(u >> 64);
    }
    t[kLimbs] += carry;
  }
};

}  // namespace

template <class Params>
Limbs<Params> invert(const Limbs<Params>& a) noexcept {
  return Inversion<Params>::run(a);
}

template Limbs<FrParams> invert<FrParams>(const Limbs<FrParams>&) noexcept;
template Limbs<FpParams> invert<FpParams>(const Limbs<FpParams>&) noexcept;

}  // namespace belfry::field::host
