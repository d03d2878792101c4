#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "belfry/base/platform.h"
#include "belfry/field/montgomery_host.h"
#include "belfry/field/words.h"
#ifdef __CUDACC__
#include "belfry/field/montgomery_device.cuh"
#endif

namespace belfry::field {

#ifdef __CUDACC__
namespace device {
template <class Params>
__device__ __noinline__ std::array<std::uint64_t, Params::kLimbs> invert(
    const std::array<std::uint64_t, Params::kLimbs>& a);
}  // namespace device
#endif

/// An element of a prime field in Montgomery form: `limbs` holds x·R mod p with
/// R = 2^(64·kLimbs), little-endian limbs, always fully reduced. `Params` is a
/// generated struct (see fr_gen.h).
///
/// Products and inverses have three texts that agree in every bit: the portable
/// one here (constexpr, the reference of the others), that of the CPU
/// (montgomery_host.h) and that of the device (montgomery_device.cuh). Not
/// constant time. Thread-safe (a value).
template <class Params>
struct MontgomeryField {
  static constexpr std::size_t kLimbs = Params::kLimbs;
  using Limbs = std::array<std::uint64_t, kLimbs>;
  static_assert(Params::kModulusBits < 64 * kLimbs, "mul relies on a free top bit");

  Limbs limbs{};

  BELFRY_HD static constexpr MontgomeryField zero() noexcept { return {}; }
  BELFRY_HD static constexpr MontgomeryField one() noexcept { return {Params::kOne}; }
  /// The element of a small integer.
  BELFRY_HD static constexpr MontgomeryField from_u64(std::uint64_t value) noexcept {
    MontgomeryField x;
    x.limbs[0] = value;
    return x * MontgomeryField{Params::kRadixSquared};
  }
  /// The element of an integer below p, given as little-endian limbs. The
  /// caller has checked the range (see FrBytes).
  BELFRY_HD static constexpr MontgomeryField from_canonical(const Limbs& value) noexcept {
    return MontgomeryField{value} * MontgomeryField{Params::kRadixSquared};
  }
  /// The integer in [0, p), little-endian limbs.
  [[nodiscard]] BELFRY_HD constexpr Limbs to_canonical() const noexcept {
    MontgomeryField unit;
    unit.limbs[0] = 1;
    return (*this * unit).limbs;
  }

  [[nodiscard]] BELFRY_HD constexpr bool is_zero() const noexcept { return *this == zero(); }
  // Not the comparison of std::array: device code calls the host's memcmp for it, and is told that
  // everything is equal.
  BELFRY_HD friend constexpr bool operator==(const MontgomeryField& a,
                                             const MontgomeryField& b) noexcept {
    std::uint64_t difference = 0;
    BELFRY_UNROLL
    for (std::size_t i = 0; i < kLimbs; ++i) difference |= a.limbs[i] ^ b.limbs[i];
    return difference == 0;
  }

  BELFRY_HD friend constexpr MontgomeryField operator+(const MontgomeryField& a,
                                                       const MontgomeryField& b) noexcept {
#ifdef __CUDA_ARCH__
    if (!std::is_constant_evaluated()) return {device::add<Params>(a.limbs, b.limbs)};
#endif
    Limbs sum{};
    Carry carry = 0;
    for (std::size_t i = 0; i < kLimbs; ++i) sum[i] = add_carry(a.limbs[i], b.limbs[i], carry);
    return reduce_once(sum);
  }
  BELFRY_HD friend constexpr MontgomeryField operator-(const MontgomeryField& a,
                                                       const MontgomeryField& b) noexcept {
#ifdef __CUDA_ARCH__
    if (!std::is_constant_evaluated()) return {device::subtract<Params>(a.limbs, b.limbs)};
#endif
    Limbs diff{};
    Limbs wrapped{};
    const Carry borrow = subtract(a.limbs, b.limbs, diff);
    Carry carry = 0;
    for (std::size_t i = 0; i < kLimbs; ++i) wrapped[i] = add_carry(diff[i], modulus(i), carry);
    return {select(borrow, wrapped, diff)};
  }
  BELFRY_HD constexpr MontgomeryField operator-() const noexcept { return zero() - *this; }
  BELFRY_HD friend constexpr MontgomeryField operator*(const MontgomeryField& a,
                                                       const MontgomeryField& b) noexcept {
#ifdef __CUDA_ARCH__
    if (!std::is_constant_evaluated()) return {device::multiply<Params>(a.limbs, b.limbs)};
#else
    if (!std::is_constant_evaluated()) return {host::multiply<Params>(a.limbs, b.limbs)};
#endif
    return portable_product(a, b);
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

  /// this^exponent, little-endian limbs; x^0 is one, also for x = 0. Variable
  /// time.
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
  /// 1/x; zero maps to zero. For many elements use field::batch_invert.
  [[nodiscard]] BELFRY_HD constexpr MontgomeryField inverse() const noexcept {
#ifdef __CUDA_ARCH__
    if (!std::is_constant_evaluated()) return {device::invert<Params>(limbs)};
#else
    if (!std::is_constant_evaluated()) return {host::invert<Params>(limbs)};
#endif
    return portable_inverse();
  }

  /// a·b in C++ alone: for constant expressions, CPUs without ADX, and
  /// comparison. Source: Koç, Acar, Kaliski 1996, coarsely integrated operand
  /// scanning, with both passes over a limb in one and no carry word between
  /// limbs, which needs the modulus to leave the top bit of its top limb free.
  BELFRY_HD static constexpr MontgomeryField portable_product(const MontgomeryField& a,
                                                              const MontgomeryField& b) noexcept {
    return reduce_once(scan_operands(a.limbs, b.limbs, std::make_index_sequence<kLimbs>{}));
  }
  /// 1/x by Fermat, with portable products in constant expressions.
  [[nodiscard]] BELFRY_HD constexpr MontgomeryField portable_inverse() const noexcept {
    constexpr Limbs kExponent = Params::kModulusMinusTwo;
    return pow(kExponent);
  }
  /// Takes limbs of a value in [0, 2p) to [0, p).
  BELFRY_HD static constexpr MontgomeryField reduce_once(const Limbs& value) noexcept {
    Limbs reduced{};
    const Carry borrow = subtract(value, Limbs(Params::kModulus), reduced);
    return {select(borrow, value, reduced)};
  }

 private:
  /// Limb i of p. A copy, because device code can not refer to a static member.
  BELFRY_HD static constexpr std::uint64_t modulus(std::size_t i) noexcept {
    constexpr Limbs kCopy = Params::kModulus;
    return kCopy[i];
  }
  /// diff = a - b modulo 2^(64·kLimbs); returns the borrow.
  BELFRY_HD static constexpr Carry subtract(const Limbs& a, const Limbs& b, Limbs& diff) noexcept {
    Carry borrow = 0;
    for (std::size_t i = 0; i < kLimbs; ++i) diff[i] = subtract_borrow(a[i], b[i], borrow);
    return borrow;
  }
  BELFRY_HD static constexpr Limbs select(Carry flag, const Limbs& if_set,
                                          const Limbs& if_clear) noexcept {
    Limbs out{};
    for (std::size_t i = 0; i < kLimbs; ++i) out[i] = choose(flag, if_set[i], if_clear[i]);
    return out;
  }
  /// t + a·b + carry; the upper half becomes the new carry.
  BELFRY_HD static constexpr std::uint64_t multiply_add(std::uint64_t t, std::uint64_t a,
                                                        std::uint64_t b,
                                                        std::uint64_t& carry) noexcept {
    const Uint128 u = Uint128{a} * b + t + carry;
    carry = static_cast<std::uint64_t>(u >> 64);
    return static_cast<std::uint64_t>(u);
  }
  /// a·b/R below 2p. A fold instead of a loop, since GCC 12 does not unroll a
  /// loop of this size.
  template <std::size_t... I>
  BELFRY_HD static constexpr Limbs scan_operands(const Limbs& a, const Limbs& b,
                                                 std::index_sequence<I...> /*limbs*/) noexcept {
    Limbs t{};
    (scan_limb(t, a, b[I]), ...);
    return t;
  }
  /// t = (t + a·b + m·p) / 2^64 with the m that makes it exact.
  [[gnu::always_inline]] BELFRY_HD static constexpr void scan_limb(Limbs& t, const Limbs& a,
                                                                   std::uint64_t b) noexcept {
    std::uint64_t carry = 0;
    std::uint64_t reduction_carry = 0;
    const std::uint64_t low = multiply_add(t[0], a[0], b, carry);
    const std::uint64_t m = low * Params::kMontgomeryInverse;
    multiply_add(low, m, modulus(0), reduction_carry);
    for (std::size_t j = 1; j < kLimbs; ++j) {
      const std::uint64_t limb = multiply_add(t[j], a[j], b, carry);
      t[j - 1] = multiply_add(limb, m, modulus(j), reduction_carry);
    }
    t[kLimbs - 1] = carry + reduction_carry;
  }
};

}  // namespace belfry::field

#ifdef __CUDACC__
#include "belfry/field/divstep_core.h"

/// R²/a mod p: the same division steps as host::invert, out of line, since it is long and rare.
template <class Params>
__device__ __noinline__ std::array<std::uint64_t, Params::kLimbs> belfry::field::device::invert(
    const std::array<std::uint64_t, Params::kLimbs>& a) {
  return divstep::Inversion<Params>::run(a);
}
#endif
