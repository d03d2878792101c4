#include "belfry/hash/fr_products.h"

#include <array>
#include <cstdint>

#include "belfry/base/cpu.h"

namespace belfry::hash {
namespace {

/// Six words, little-endian: what a sum of products fits in.
using WideSum = std::array<std::uint64_t, 6>;

/// The modulus, and 2^256 minus the modulus, as operands of a step.
constexpr Fr kModulusElement{field::FrParams::kModulus};
constexpr Fr::Limbs complement_of_modulus() noexcept {
  Fr::Limbs out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = ~field::FrParams::kModulus[i];
  ++out[0];  // the lowest limb of r is not zero
  return out;
}
constexpr Fr kModulusComplement{complement_of_modulus()};

/// t += a·b, C++ alone.
struct PortableStep {
  [[gnu::always_inline]] static void add(WideSum& t, const Fr& a, std::uint64_t b) noexcept {
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < Fr::kLimbs; ++i) {
      const field::Uint128 u = field::Uint128{a.limbs[i]} * b + t[i] + carry;
      t[i] = static_cast<std::uint64_t>(u);
      carry = static_cast<std::uint64_t>(u >> 64);
    }
    const field::Uint128 u = field::Uint128{t[4]} + carry;
    t[4] = static_cast<std::uint64_t>(u);
    t[5] += static_cast<std::uint64_t>(u >> 64);
  }
  /// The representative in [0, r) of x < 2r.
  [[gnu::always_inline]] static Fr reduce_once(const Fr::Limbs& x) noexcept {
    return Fr{x} + Fr::zero();
  }
};

#if defined(__x86_64__)
/// t += a·b with two carry chains at once: low halves through CF, high halves through OF. Needs a
/// CPU of Isa::kAdx.
struct AdxStep {
  [[gnu::always_inline]] static void add(WideSum& t, const Fr& a, std::uint64_t b) noexcept {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    __asm__(
        "xorl %k[low], %k[low]\n\t"  // clears both carries
        "mulxq %[a0], %[low], %[high]\n\t"
        "adcxq %[low], %[t0]\n\t"
        "adoxq %[high], %[t1]\n\t"
        "mulxq %[a1], %[low], %[high]\n\t"
        "adcxq %[low], %[t1]\n\t"
        "adoxq %[high], %[t2]\n\t"
        "mulxq %[a2], %[low], %[high]\n\t"
        "adcxq %[low], %[t2]\n\t"
        "adoxq %[high], %[t3]\n\t"
        "mulxq %[a3], %[low], %[high]\n\t"
        "adcxq %[low], %[t3]\n\t"
        "adoxq %[high], %[t4]\n\t"
        "movl $0, %k[low]\n\t"
        "adcxq %[low], %[t4]\n\t"
        "adoxq %[low], %[t5]\n\t"
        "adcxq %[low], %[t5]\n\t"
        : [t0] "+r"(t[0]), [t1] "+r"(t[1]), [t2] "+r"(t[2]), [t3] "+r"(t[3]), [t4] "+r"(t[4]),
          [t5] "+r"(t[5]), [low] "=&r"(low), [high] "=&r"(high)
        : "d"(b), [a0] "m"(a.limbs[0]), [a1] "m"(a.limbs[1]), [a2] "m"(a.limbs[2]),
          [a3] "m"(a.limbs[3])
        : "cc");
  }
  /// The representative in [0, r) of x < 2r.
  [[gnu::always_inline]] static Fr reduce_once(const Fr::Limbs& x) noexcept {
    constexpr const Fr::Limbs& kModulus = field::FrParams::kModulus;
    Fr::Limbs out = x;
    __asm__(
        "subq %[p0], %[x0]\n\t"
        "sbbq %[p1], %[x1]\n\t"
        "sbbq %[p2], %[x2]\n\t"
        "sbbq %[p3], %[x3]\n\t"
        "cmovcq %[y0], %[x0]\n\t"
        "cmovcq %[y1], %[x1]\n\t"
        "cmovcq %[y2], %[x2]\n\t"
        "cmovcq %[y3], %[x3]\n\t"
        : [x0] "+&r"(out[0]), [x1] "+&r"(out[1]), [x2] "+&r"(out[2]), [x3] "+&r"(out[3])
        : [y0] "rm"(x[0]), [y1] "rm"(x[1]), [y2] "rm"(x[2]), [y3] "rm"(x[3]), [p0] "m"(kModulus[0]),
          [p1] "m"(kModulus[1]), [p2] "m"(kModulus[2]), [p3] "m"(kModulus[3])
        : "cc");
    return Fr{out};
  }
};
#endif

/// The representative in [0, r) of t < 64·r (t[5] is zero).
template <class Step>
[[gnu::always_inline]] inline Fr reduce_wide(const WideSum& t) noexcept {
  constexpr unsigned kTopByte = 56;
  // An estimate of t / r from the bits above 2^248, too small by at most one.
  const std::uint64_t top = (t[4] << 8) | (t[3] >> kTopByte);
  const std::uint64_t quotient = top / ((field::FrParams::kModulus[3] >> kTopByte) + 1);
  // t - quotient·r as t + quotient·(2^256 - r), without what exceeds 2^256.
  WideSum rest{t[0], t[1], t[2], t[3], 0, 0};
  Step::add(rest, kModulusComplement, quotient);
  return Step::reduce_once({rest[0], rest[1], rest[2], rest[3]});
}

/// Σ a[i]·b[i·stride] over n < 128 terms in Montgomery form: the sum of n products is below
/// n·r·2^256, and takes one Montgomery reduction, digit by digit (coarsely integrated operand
/// scanning).
template <class Step>
[[gnu::always_inline]] inline WideSum wide_sum(const Fr* a, const Fr* b, std::size_t stride,
                                               std::size_t n) noexcept {
  WideSum t{};
  for (std::size_t digit = 0; digit < Fr::kLimbs; ++digit) {
    for (std::size_t i = 0; i < n; ++i) Step::add(t, a[i], b[i * stride].limbs[digit]);
    Step::add(t, kModulusElement, t[0] * field::FrParams::kMontgomeryInverse);
    t = {t[1], t[2], t[3], t[4], t[5], 0};
  }
  return t;
}
}  // namespace

namespace detail {

Fr sum_of_products_portable(const Fr* a, const Fr* b, std::size_t stride, std::size_t n) noexcept {
  return reduce_wide<PortableStep>(wide_sum<PortableStep>(a, b, stride, n));
}

}  // namespace detail

Fr sum_of_products(const Fr* a, const Fr* b, std::size_t stride, std::size_t n) noexcept {
#if defined(__x86_64__)
  static const bool adx = best_isa() >= Isa::kAdx;
  if (adx) return reduce_wide<AdxStep>(wide_sum<AdxStep>(a, b, stride, n));
#endif
  return detail::sum_of_products_portable(a, b, stride, n);
}

}  // namespace belfry::hash
