#pragma once

#include <cstdint>
#include <type_traits>

#include "belfry/base/platform.h"

// Steps of long arithmetic on 64-bit words. GCC 12 is led to keep carries in the flag and choices
// as conditional moves; from plain C++ it makes vector code that waits for words to come back from
// memory, at twice the time of a whole addition. Clang needs no help.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define BELFRY_GCC_WORDS 1
#endif

namespace belfry::field {

__extension__ using Uint128 = unsigned __int128;
using Carry = unsigned char;

/// a + b + carry; the carry out replaces the carry in.
BELFRY_HD constexpr std::uint64_t add_carry(std::uint64_t a, std::uint64_t b,
                                            Carry& carry) noexcept {
#ifdef BELFRY_GCC_WORDS
  if (!std::is_constant_evaluated()) {
    unsigned long long sum = 0;
    carry = __builtin_ia32_addcarryx_u64(carry, a, b, &sum);
    return sum;
  }
#endif
  const Uint128 t = Uint128{a} + b + carry;
  carry = static_cast<Carry>(t >> 64);
  return static_cast<std::uint64_t>(t);
}

/// a - b - borrow; likewise.
BELFRY_HD constexpr std::uint64_t subtract_borrow(std::uint64_t a, std::uint64_t b,
                                                  Carry& borrow) noexcept {
#ifdef BELFRY_GCC_WORDS
  if (!std::is_constant_evaluated()) {
    unsigned long long difference = 0;
    borrow = __builtin_ia32_sbb_u64(borrow, a, b, &difference);
    return difference;
  }
#endif
  const Uint128 t = Uint128{a} - b - borrow;
  borrow = static_cast<Carry>((t >> 64) & 1);
  return static_cast<std::uint64_t>(t);
}

/// if_set where the flag is 1, else if_clear, in a general register.
BELFRY_HD constexpr std::uint64_t choose(Carry flag, std::uint64_t if_set,
                                         std::uint64_t if_clear) noexcept {
  std::uint64_t chosen = flag != 0 ? if_set : if_clear;
#ifdef BELFRY_GCC_WORDS
  if (!std::is_constant_evaluated()) __asm__("" : "+r"(chosen));
#endif
  return chosen;
}

}  // namespace belfry::field
