#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "belfry/field/fp_gen.h"
#include "belfry/field/fr_gen.h"
#include "belfry/field/montgomery_adx.h"
#include "belfry/field/path_field.h"

#ifndef __x86_64__
#error "mulx, adcx and adox are instructions of x86-64"
#endif

// The scalar ADX path: FrAdx and FpAdx, for kernels that are instantiated once per instruction set
// (Isa::kAdx of a table; whoever chooses from the table has asked best_isa()).
//
// A kernel templated over its field becomes an ADX kernel by writing FpAdx where it says Fp. The
// source needs no compiler flag, since the instructions stand in assembly text, and so nothing that
// the compiler emits for it could be unfit for another CPU.
namespace belfry::field {
namespace adx {

// x - p where that is not negative, for x below 2p, by moves on the borrow: GCC 12 turns the same
// in C++ into vector code that waits for its operands to come back from memory.
#define BELFRY_ADX_KEEP(word) "movq %[x" #word "], %[d" #word "]\n\t"
#define BELFRY_ADX_BORROW(word) "sbbq 8*" #word "(%[p]), %[d" #word "]\n\t"
#define BELFRY_ADX_TAKE(word) "cmovncq %[d" #word "], %[x" #word "]\n\t"

// NOLINTBEGIN(readability-magic-numbers): the numbers are positions
[[gnu::always_inline]] inline std::array<std::uint64_t, 4> reduce_once(
    std::array<std::uint64_t, 4> x, const std::array<std::uint64_t, 4>& p) noexcept {
  std::uint64_t d0;
  std::uint64_t d1;
  std::uint64_t d2;
  std::uint64_t d3;
  __asm__(BELFRY_ADX_KEEP(0) BELFRY_ADX_KEEP(1) BELFRY_ADX_KEEP(2)
              BELFRY_ADX_KEEP(3) "subq (%[p]), %[d0]\n\t" BELFRY_ADX_BORROW(1) BELFRY_ADX_BORROW(2)
                  BELFRY_ADX_BORROW(3) BELFRY_ADX_TAKE(0) BELFRY_ADX_TAKE(1) BELFRY_ADX_TAKE(2)
                      BELFRY_ADX_TAKE(3)
          : [x0] "+r"(x[0]), [x1] "+r"(x[1]), [x2] "+r"(x[2]), [x3] "+r"(x[3]), [d0] "=&r"(d0),
            [d1] "=&r"(d1), [d2] "=&r"(d2), [d3] "=&r"(d3)
          : [p] "r"(p.data()), "m"(p)
          : "cc");
  return x;
}
[[gnu::always_inline]] inline std::array<std::uint64_t, 6> reduce_once(
    std::array<std::uint64_t, 6> x, const std::array<std::uint64_t, 6>& p) noexcept {
  std::uint64_t d0;
  std::uint64_t d1;
  std::uint64_t d2;
  std::uint64_t d3;
  std::uint64_t d4;
  std::uint64_t d5;
  __asm__(BELFRY_ADX_KEEP(0) BELFRY_ADX_KEEP(1) BELFRY_ADX_KEEP(2) BELFRY_ADX_KEEP(3)
              BELFRY_ADX_KEEP(4) BELFRY_ADX_KEEP(5) "subq (%[p]), %[d0]\n\t" BELFRY_ADX_BORROW(1)
                  BELFRY_ADX_BORROW(2) BELFRY_ADX_BORROW(3) BELFRY_ADX_BORROW(4)
                      BELFRY_ADX_BORROW(5) BELFRY_ADX_TAKE(0) BELFRY_ADX_TAKE(1) BELFRY_ADX_TAKE(2)
                          BELFRY_ADX_TAKE(3) BELFRY_ADX_TAKE(4) BELFRY_ADX_TAKE(5)
          : [x0] "+r"(x[0]), [x1] "+r"(x[1]), [x2] "+r"(x[2]), [x3] "+r"(x[3]), [x4] "+r"(x[4]),
            [x5] "+r"(x[5]), [d0] "=&r"(d0), [d1] "=&r"(d1), [d2] "=&r"(d2), [d3] "=&r"(d3),
            [d4] "=&r"(d4), [d5] "=&r"(d5)
          : [p] "r"(p.data()), "m"(p)
          : "cc");
  return x;
}
// NOLINTEND(readability-magic-numbers)

#undef BELFRY_ADX_KEEP
#undef BELFRY_ADX_BORROW
#undef BELFRY_ADX_TAKE

}  // namespace adx

/// Only where the CPU has BMI2 and ADX.
template <class Params>
struct AdxProduct {
  using Limbs = std::array<std::uint64_t, Params::kLimbs>;
  static Limbs multiply(const Limbs& a, const Limbs& b) noexcept {
    return adx::reduce_once(adx::Product<Params>::below_2p(a, b), Params::kModulus);
  }
};

}  // namespace belfry::field

namespace belfry {

using FrAdx = field::PathField<field::FrParams, field::AdxProduct<field::FrParams>>;
using FpAdx = field::PathField<field::FpParams, field::AdxProduct<field::FpParams>>;

}  // namespace belfry
