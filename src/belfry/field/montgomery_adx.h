#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

// Montgomery multiplication with BMI2 and ADX: mulx leaves the flags alone, adcx and adox carry in
// two separate flags, so a row of products is added with two chains that run side by side. GCC 12
// does not find this in C++ (docs/perf/curve.md has both times). Included by montgomery_host.cpp
// alone; runs only where the CPU has both.

namespace belfry::field::adx {

/// t += a·b for one word b, as one row; `First` is where the row's lowest word stands in the
/// ring t of N + 1 words. The sum does not overflow the ring.
template <std::size_t N>
struct Row;

#define BELFRY_ADX_STEP(word, low, high) \
  "mulxq 8*" #word                       \
  "(%[a]), %[lo], %[hi]\n\t"             \
  "adcxq %[lo], %[" #low                 \
  "]\n\t"                                \
  "adoxq %[hi], %[" #high "]\n\t"
// The last word closes both chains: the carry of the low halves joins the top word.
#define BELFRY_ADX_LAST(word, low, high) \
  "mulxq 8*" #word                       \
  "(%[a]), %[lo], %[hi]\n\t"             \
  "adcxq %[lo], %[" #low                 \
  "]\n\t"                                \
  "adoxq %[hi], %[" #high                \
  "]\n\t"                                \
  "movl $0, %k[lo]\n\t"                  \
  "adcxq %[lo], %[" #high "]\n\t"

// NOLINTBEGIN(readability-magic-numbers): the numbers are positions, as in the texts of the rows
template <>
struct Row<4> {
  template <std::size_t First>
  [[gnu::always_inline]] static void add(std::array<std::uint64_t, 5>& t, const std::uint64_t* a,
                                         std::uint64_t b) noexcept {
    std::uint64_t lo;
    std::uint64_t hi;
    __asm__("xorl %k[lo], %k[lo]\n\t"  // clears both flags
            BELFRY_ADX_STEP(0, t0, t1) BELFRY_ADX_STEP(1, t1, t2) BELFRY_ADX_STEP(2, t2, t3)
                BELFRY_ADX_LAST(3, t3, t4)
            : [t0] "+r"(t[First % 5]), [t1] "+r"(t[(First + 1) % 5]), [t2] "+r"(t[(First + 2) % 5]),
              [t3] "+r"(t[(First + 3) % 5]), [t4] "+r"(t[(First + 4) % 5]), [lo] "=&r"(lo),
              [hi] "=&r"(hi)
            : [a] "r"(a), "m"(*reinterpret_cast<const std::uint64_t(*)[4]>(a)), "d"(b)
            : "cc");
  }
};

template <>
struct Row<6> {
  template <std::size_t First>
  [[gnu::always_inline]] static void add(std::array<std::uint64_t, 7>& t, const std::uint64_t* a,
                                         std::uint64_t b) noexcept {
    std::uint64_t lo;
    std::uint64_t hi;
    __asm__("xorl %k[lo], %k[lo]\n\t"  // clears both flags
            BELFRY_ADX_STEP(0, t0, t1) BELFRY_ADX_STEP(1, t1, t2) BELFRY_ADX_STEP(2, t2, t3)
                BELFRY_ADX_STEP(3, t3, t4) BELFRY_ADX_STEP(4, t4, t5) BELFRY_ADX_LAST(5, t5, t6)
            : [t0] "+r"(t[First % 7]), [t1] "+r"(t[(First + 1) % 7]), [t2] "+r"(t[(First + 2) % 7]),
              [t3] "+r"(t[(First + 3) % 7]), [t4] "+r"(t[(First + 4) % 7]),
              [t5] "+r"(t[(First + 5) % 7]), [t6] "+r"(t[(First + 6) % 7]), [lo] "=&r"(lo),
              [hi] "=&r"(hi)
            : [a] "r"(a), "m"(*reinterpret_cast<const std::uint64_t(*)[6]>(a)), "d"(b)
            : "cc");
  }
};
// NOLINTEND(readability-magic-numbers)

#undef BELFRY_ADX_STEP
#undef BELFRY_ADX_LAST

/// a·b/R below 2p for a, b below p, as MontgomeryField::product_below_2p.
template <class Params>
struct Product {
  static constexpr std::size_t kLimbs = Params::kLimbs;
  using Limbs = std::array<std::uint64_t, kLimbs>;
  /// A ring: every step makes its lowest word zero, which becomes the top word of the next.
  using Ring = std::array<std::uint64_t, kLimbs + 1>;

  [[gnu::always_inline]] static Limbs below_2p(const Limbs& a, const Limbs& b) noexcept {
    return run(a, b, std::make_index_sequence<kLimbs>{});
  }

 private:
  template <std::size_t... Step>
  [[gnu::always_inline]] static Limbs run(const Limbs& a, const Limbs& b,
                                          std::index_sequence<Step...> /*steps*/) noexcept {
    Ring t{};
    (step<Step>(t, a, b), ...);
    return {t[(kLimbs + Step) % (kLimbs + 1)]...};
  }
  template <std::size_t Step>
  [[gnu::always_inline]] static void step(Ring& t, const Limbs& a, const Limbs& b) noexcept {
    Row<kLimbs>::template add<Step>(t, a.data(), b[Step]);
    Row<kLimbs>::template add<Step>(t, Params::kModulus.data(),
                                    t[Step] * Params::kMontgomeryInverse);
  }
};

}  // namespace belfry::field::adx
