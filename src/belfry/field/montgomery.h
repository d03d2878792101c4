#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "belfry/base/platform.h"
#ifdef __CUDACC__
#include "belfry/field/montgomery_device.cuh"
#endif

namespace belfry::field {

__extension__ using Uint128 = unsigned __int128;

/// An element of a prime field in Montgomery form: `limbs` holds x·R mod p with R = 2^(64·kLimbs),
/// little-endian limbs, always fully reduced. `Params` is a generated struct (see fr_gen.h).
///
/// This is the portable path: constexpr, and the reference for the vector paths. Device code has
/// its own text for the three operations (montgomery_device.cuh), the same in every bit. Not
/// constant time. Thread-safe (a value). Source: Montgomery multiplication, coarsely integrated
/// operand scanning (Koç, Acar, Kaliski 1996), without the final carry word, which needs the
/// modulus to leave the top bit of its top limb free.
template <class Params>
struct MontgomeryField {
  static constexpr std::size_t kLimbs = Params::kLimbs;
  using Limbs = std::array<std::uint64_t, kLimbs>;
  static_assert((Params::kModulus[kLimbs - 1] >> 63) == 0, "mul relies on a free top bit");

  Limbs limbs{};

  BELFRY_HD static constexpr MontgomeryField zero() noexcept { return {}; }
  BELFRY_HD static constexpr MontgomeryField one() noexcept { return {Params::kOne}; }
  /// The element of a small integer.
  BELFRY_HD static constexpr MontgomeryField from_u64(std::uint64_t value) noexcept {
    MontgomeryField x;
    x.limbs[0] = value;
    return x * MontgomeryField{Params::kRadixSquared};
  }
  /// The element of an integer below p, given as little-endian limbs. The caller has checked the
  /// range (see FrBytes).
  BELFRY_HD static constexpr MontgomeryField from_canonical(const Limbs& value) noexcept {
    return MontgomeryField{value} * MontgomeryField{Params::kRadixSquared};
  }
  /// The integer in [0, p), little-endian limbs.
  [[nodiscard]] BELFRY_HD constexpr Limbs to_canonical() const noexcept {
    MontgomeryField unit;
    unit.limbs[0] = 1;
    return (*this * unit).limbs;
  }

  [[nodiscard]] BELFRY_HD constexpr bool is_zero() const noexcept { return limbs == Limbs{}; }
  BELFRY_HD friend constexpr bool operator==(const MontgomeryField&,
                                             const MontgomeryField&) noexcept = default;

  BELFRY_HD friend constexpr MontgomeryField operator+(const MontgomeryField& a,
                                                       const MontgomeryField& b) noexcept {
#ifdef __CUDA_ARCH__
    if (!std::is_constant_evaluated()) return {device::add<Params>(a.limbs, b.limbs)};
#endif
    Limbs sum{};
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < kLimbs; ++i) {
      const Uint128 t = Uint128{a.limbs[i]} + b.limbs[i] + carry;
      sum[i] = static_cast<std::uint64_t>(t);
      carry = static_cast<std::uint64_t>(t >> 64);
    }
    return reduce_once(sum);
  }
  BELFRY_HD friend constexpr MontgomeryField operator-(const MontgomeryField& a,
                                                       const MontgomeryField& b) noexcept {
#ifdef __CUDA_ARCH__
    if (!std::is_constant_evaluated()) return {device::subtract<Params>(a.limbs, b.limbs)};
#endif
    Limbs diff{};
    const std::uint64_t borrow = subtract(a.limbs, b.limbs, diff);
    const std::uint64_t mask = 0 - borrow;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < kLimbs; ++i) {
      const Uint128 t = Uint128{diff[i]} + (modulus(i) & mask) + carry;
      diff[i] = static_cast<std::uint64_t>(t);
      carry = static_cast<std::uint64_t>(t >> 64);
    }
    return {diff};
  }
  BELFRY_HD constexpr MontgomeryField operator-() const noexcept { return zero() - *this; }
  BELFRY_HD friend constexpr MontgomeryField operator*(const MontgomeryField& a,
                                                       const MontgomeryField& b) noexcept {
#ifdef __CUDA_ARCH__
    if (!std::is_constant_evaluated()) return {device::multiply<Params>(a.limbs, b.limbs)};
#endif
    std::array<std::uint64_t, kLimbs + 1> t{};
    for (std::size_t i = 0; i < kLimbs; ++i) {
      multiply_add(t, a.limbs, b.limbs[i]);
      reduce_limb(t);
    }
    Limbs product{};
    for (std::size_t i = 0; i < kLimbs; ++i) product[i] = t[i];
    return reduce_once(product);
  }
  BELFRY_HD constexpr MontgomeryField& operator+=(const MontgomeryField& b) noexcept {
    return *this = *this + b;
  }
  BELFRY_HD constexpr MontgomeryField& operator-=(const MontgomeryField& b) noexcept {
    return *this = *this - b;
  }
  BELFRY_HD constexpr MontgomeryField& operator*=(const MontgomeryField& b) noexcept {
    return *this = *this * b;
  }
  [[nodiscard]] BELFRY_HD constexpr MontgomeryField square() const noexcept {
    return *this * *this;
  }
  [[nodiscard]] BELFRY_HD constexpr MontgomeryField doubled() const noexcept {
    return *this + *this;
  }

  /// this^exponent, little-endian limbs; x^0 is one, also for x = 0. Variable time.
  template <std::size_t N>
  [[nodiscard]] BELFRY_HD constexpr MontgomeryField pow(
      const std::array<std::uint64_t, N>& exponent) const noexcept {
    MontgomeryField result = one();
    for (std::size_t bit = 64 * N; bit-- > 0;) {
      result = result.square();
      if (((exponent[bit / 64] >> (bit % 64)) & 1) != 0) result = result * *this;
    }
    return result;
  }
  [[nodiscard]] BELFRY_HD constexpr MontgomeryField pow(std::uint64_t exponent) const noexcept {
    return pow(std::array<std::uint64_t, 1>{exponent});
  }
  /// 1/x by Fermat; zero maps to zero. For many elements use field::batch_invert.
  [[nodiscard]] BELFRY_HD constexpr MontgomeryField inverse() const noexcept {
    constexpr Limbs kExponent = Params::kModulusMinusTwo;
    return pow(kExponent);
  }

 private:
  /// Limb i of p. A copy, because device code can not refer to a static member.
  BELFRY_HD static constexpr std::uint64_t modulus(std::size_t i) noexcept {
    constexpr Limbs kCopy = Params::kModulus;
    return kCopy[i];
  }
  /// diff = a - b modulo 2^(64·kLimbs); returns the borrow.
  BELFRY_HD static constexpr std::uint64_t subtract(const Limbs& a, const Limbs& b,
                                                    Limbs& diff) noexcept {
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < kLimbs; ++i) {
      const Uint128 t = Uint128{a[i]} - b[i] - borrow;
      diff[i] = static_cast<std::uint64_t>(t);
      borrow = static_cast<std::uint64_t>(t >> 64) & 1;
    }
    return borrow;
  }
  /// Takes a value in [0, 2p) to [0, p).
  BELFRY_HD static constexpr MontgomeryField reduce_once(const Limbs& value) noexcept {
    Limbs reduced{};
    const std::uint64_t mask = 0 - subtract(value, Limbs(Params::kModulus), reduced);
    for (std::size_t i = 0; i < kLimbs; ++i) {
      reduced[i] = (value[i] & mask) | (reduced[i] & ~mask);
    }
    return {reduced};
  }
  /// t += a · b
  BELFRY_HD static constexpr void multiply_add(std::array<std::uint64_t, kLimbs + 1>& t,
                                               const Limbs& a, std::uint64_t b) noexcept {
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < kLimbs; ++i) {
      const Uint128 u = Uint128{a[i]} * b + t[i] + carry;
      t[i] = static_cast<std::uint64_t>(u);
      carry = static_cast<std::uint64_t>(u >> 64);
    }
    t[kLimbs] += carry;
  }
  /// t = (t + m·p) / 2^64 with the m that makes it exact.
  BELFRY_HD static constexpr void reduce_limb(std::array<std::uint64_t, kLimbs + 1>& t) noexcept {
    const std::uint64_t m = t[0] * Params::kMontgomeryInverse;
    Uint128 u = Uint128{m} * modulus(0) + t[0];
    std::uint64_t carry = static_cast<std::uint64_t>(u >> 64);
    for (std::size_t i = 1; i < kLimbs; ++i) {
      u = Uint128{m} * modulus(i) + t[i] + carry;
      t[i - 1] = static_cast<std::uint64_t>(u);
      carry = static_cast<std::uint64_t>(u >> 64);
    }
    u = Uint128{t[kLimbs]} + carry;
    t[kLimbs - 1] = static_cast<std::uint64_t>(u);
    t[kLimbs] = static_cast<std::uint64_t>(u >> 64);
  }
};

}  // namespace belfry::field
