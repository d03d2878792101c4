#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "belfry/base/bytes.h"
#include "belfry/field/fp_gen.h"
#include "belfry/field/montgomery.h"

namespace belfry {

/// The base field of BLS12-381, in Montgomery form (spec formats.md 0).
using Fp = field::MontgomeryField<field::FpParams>;

/// An Fp as it travels in points: 48 bytes, canonical (below p), big-endian. Constructed from
/// outside bytes only through `parse`, so holding one means that the range was checked.
class FpBytes {
 public:
  static constexpr std::size_t kSize = 48;
  using Array = std::array<std::uint8_t, kSize>;

  constexpr FpBytes() noexcept = default;
  constexpr explicit FpBytes(const Fp& value) noexcept {
    const auto limbs = value.to_canonical();
    for (std::size_t i = 0; i < Fp::kLimbs; ++i) {
      store_be(bytes_.data() + 8 * i, limbs[Fp::kLimbs - 1 - i]);
    }
  }
  /// Empty if the big-endian integer is p or more.
  [[nodiscard]] static constexpr std::optional<FpBytes> parse(
      std::span<const std::uint8_t, kSize> bytes) noexcept {
    if (!is_canonical(load(bytes.data()))) return std::nullopt;
    FpBytes out;
    for (std::size_t i = 0; i < kSize; ++i) out.bytes_[i] = bytes[i];
    return out;
  }
  /// Big-endian bytes to an element; empty if not canonical. One multiplication.
  [[nodiscard]] static constexpr std::optional<Fp> parse_fp(
      std::span<const std::uint8_t, kSize> bytes) noexcept {
    const Fp::Limbs limbs = load(bytes.data());
    if (!is_canonical(limbs)) return std::nullopt;
    return Fp::from_canonical(limbs);
  }

  [[nodiscard]] constexpr Fp to_fp() const noexcept { return Fp::from_canonical(limbs()); }
  [[nodiscard]] constexpr const Array& bytes() const noexcept { return bytes_; }
  /// The canonical integer, little-endian limbs.
  [[nodiscard]] constexpr Fp::Limbs limbs() const noexcept { return load(bytes_.data()); }
  friend constexpr bool operator==(const FpBytes&, const FpBytes&) noexcept = default;

  /// True below p; little-endian limbs.
  [[nodiscard]] static constexpr bool is_canonical(const Fp::Limbs& limbs) noexcept {
    field::Carry borrow = 0;
    for (std::size_t i = 0; i < Fp::kLimbs; ++i) {
      field::subtract_borrow(limbs[i], field::FpParams::kModulus[i], borrow);
    }
    return borrow != 0;
  }

 private:
  static constexpr Fp::Limbs load(const std::uint8_t* bytes) noexcept {
    Fp::Limbs limbs{};
    for (std::size_t i = 0; i < Fp::kLimbs; ++i) {
      limbs[i] = load_be<std::uint64_t>(bytes + 8 * (Fp::kLimbs - 1 - i));
    }
    return limbs;
  }

  Array bytes_{};
};

}  // namespace belfry
