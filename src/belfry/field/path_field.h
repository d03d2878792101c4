#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "belfry/field/fp_gen.h"
#include "belfry/field/fr_gen.h"
#include "belfry/field/montgomery.h"

namespace belfry::field {

/// A prime field whose multiplication is fixed when the kernel is compiled: `Product` is a type
/// with `multiply(a, b)`, a·b/R mod p in canonical limbs. Fr and Fp ask the CPU at every product; a
/// kernel that exists once per instruction set and was chosen from a table takes one of these
/// instead, has the product inlined and, as the types differ, shares no function with the other
/// kernels.
///
/// Layout, form and results are those of MontgomeryField, word for word: read an array of Fr
/// through `FrAdx{x.limbs}` and write it through `.limbs`, which cost nothing. Thread-safe (a
/// value).
template <class Params, class Product>
struct PathField {
  static constexpr std::size_t kLimbs = Params::kLimbs;
  using Limbs = std::array<std::uint64_t, kLimbs>;
  using Common = MontgomeryField<Params>;

  Limbs limbs{};

  static constexpr PathField zero() noexcept { return {}; }
  static constexpr PathField one() noexcept { return {Params::kOne}; }
  [[nodiscard]] constexpr bool is_zero() const noexcept { return limbs == Limbs{}; }
  friend constexpr bool operator==(const PathField&, const PathField&) noexcept = default;

  friend constexpr PathField operator+(const PathField& a, const PathField& b) noexcept {
    return {(Common{a.limbs} + Common{b.limbs}).limbs};
  }
  friend constexpr PathField operator-(const PathField& a, const PathField& b) noexcept {
    return {(Common{a.limbs} - Common{b.limbs}).limbs};
  }
  constexpr PathField operator-() const noexcept { return zero() - *this; }
  friend PathField operator*(const PathField& a, const PathField& b) noexcept {
    return {Product::multiply(a.limbs, b.limbs)};
  }
  constexpr PathField& operator+=(const PathField& b) noexcept { return *this = *this + b; }
  constexpr PathField& operator-=(const PathField& b) noexcept { return *this = *this - b; }
  PathField& operator*=(const PathField& b) noexcept { return *this = *this * b; }
  [[nodiscard]] PathField square() const noexcept { return *this * *this; }
  [[nodiscard]] constexpr PathField doubled() const noexcept { return *this + *this; }
};

/// C++ alone, on every CPU.
template <class Params>
struct PortableProduct {
  using Limbs = std::array<std::uint64_t, Params::kLimbs>;
  static Limbs multiply(const Limbs& a, const Limbs& b) noexcept {
    return MontgomeryField<Params>::portable_product({a}, {b}).limbs;
  }
};

}  // namespace belfry::field

namespace belfry {

using FrPortable = field::PathField<field::FrParams, field::PortableProduct<field::FrParams>>;
using FpPortable = field::PathField<field::FpParams, field::PortableProduct<field::FpParams>>;

}  // namespace belfry
