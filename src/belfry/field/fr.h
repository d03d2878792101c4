#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "belfry/field/fr_gen.h"
#include "belfry/field/montgomery.h"

namespace belfry {

/// The scalar field of BLS12-381, in Montgomery form (spec formats.md 1.1).
using Fr = field::MontgomeryField<field::FrParams>;

/// An Fr as it travels: 32 bytes, canonical (below r), little-endian. Constructed from outside
/// bytes only through `parse`, so holding one means that the range was checked.
class FrBytes {
 public:
  static constexpr std::size_t kSize = 32;
  using Array = std::array<std::uint8_t, kSize>;

  constexpr FrBytes() noexcept = default;
  constexpr explicit FrBytes(const Fr& value) noexcept {
    const auto limbs = value.to_canonical();
    for (std::size_t i = 0; i < kSize; ++i) {
      bytes_[i] = static_cast<std::uint8_t>(limbs[i / 8] >> (8 * (i % 8)));
    }
  }
  /// Empty if the little-endian integer is r or more.
  [[nodiscard]] static constexpr std::optional<FrBytes> parse(
      std::span<const std::uint8_t, kSize> bytes) noexcept {
    FrBytes out;
    for (std::size_t i = 0; i < kSize; ++i) out.bytes_[i] = bytes[i];
    const auto limbs = out.limbs();
    for (std::size_t i = limbs.size(); i-- > 0;) {
      if (limbs[i] != field::FrParams::kModulus[i]) {
        if (limbs[i] < field::FrParams::kModulus[i]) return out;
        break;
      }
    }
    return std::nullopt;
  }
  /// Little-endian bytes to an element; empty if not canonical.
  [[nodiscard]] static constexpr std::optional<Fr> parse_fr(
      std::span<const std::uint8_t, kSize> bytes) noexcept {
    const auto parsed = parse(bytes);
    if (!parsed) return std::nullopt;
    return parsed->to_fr();
  }

  [[nodiscard]] constexpr Fr to_fr() const noexcept { return Fr::from_canonical(limbs()); }
  [[nodiscard]] constexpr const Array& bytes() const noexcept { return bytes_; }
  /// The canonical integer, little-endian limbs.
  [[nodiscard]] constexpr Fr::Limbs limbs() const noexcept {
    Fr::Limbs out{};
    for (std::size_t i = 0; i < kSize; ++i) out[i / 8] |= std::uint64_t{bytes_[i]} << (8 * (i % 8));
    return out;
  }
  friend constexpr bool operator==(const FrBytes&, const FrBytes&) noexcept = default;

 private:
  Array bytes_{};
};

}  // namespace belfry
