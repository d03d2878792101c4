#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "belfry/field/fr.h"

namespace belfry::r1cs {

/// How many blocks a LaneWitnessBuilder fills side by side.
inline constexpr std::size_t kWitnessLanes = 8;

/// The values that one field variable has in blocks filled side by side.
struct LaneFr {
  std::array<Fr, kWitnessLanes> lanes{};
};

/// The same of a bit: bit k is that of lane k.
struct LaneBit {
  std::uint8_t lanes = 0;

  [[nodiscard]] bool at(std::size_t lane) const noexcept { return ((lanes >> lane) & 1) != 0; }
  void set(std::size_t lane, bool value) noexcept {
    lanes = static_cast<std::uint8_t>(lanes | (unsigned{value} << lane));
  }
  LaneBit operator!() const noexcept { return {static_cast<std::uint8_t>(~lanes)}; }
};

/// What unknown.h has for values of one block and for none.
[[nodiscard]] inline LaneBit bit_and(LaneBit a, LaneBit b) noexcept {
  return {static_cast<std::uint8_t>(a.lanes & b.lanes)};
}
[[nodiscard]] inline LaneBit bit_xor(LaneBit a, LaneBit b) noexcept {
  return {static_cast<std::uint8_t>(a.lanes ^ b.lanes)};
}
[[nodiscard]] inline LaneFr choose(LaneBit condition, const LaneFr& yes,
                                   const LaneFr& no) noexcept {
  LaneFr out;
  for (std::size_t k = 0; k < kWitnessLanes; ++k) {
    out.lanes[k] = condition.at(k) ? yes.lanes[k] : no.lanes[k];
  }
  return out;
}

/// value += term where the condition holds.
inline void add_where(Fr& value, bool condition, const Fr& term) noexcept {
  if (condition) value += term;
}
inline void add_where(LaneFr& value, LaneBit condition, const Fr& term) noexcept {
  for (std::size_t k = 0; k < kWitnessLanes; ++k) add_where(value.lanes[k], condition.at(k), term);
}

/// How many blocks an interpreter fills side by side.
template <class Cs>
inline constexpr std::size_t kLanesOf =
    std::is_same_v<typename Cs::FieldValue, LaneFr> ? kWitnessLanes : 1;

/// The field value that an interpreter is given from function(lane), an Fr; function(0) alone where
/// blocks are filled one by one.
template <class Cs, class Function>
[[nodiscard]] auto each_lane(Function&& function) {
  if constexpr (kLanesOf<Cs> == 1) {
    return function(std::size_t{0});
  } else {
    LaneFr out;
    for (std::size_t k = 0; k < kWitnessLanes; ++k) out.lanes[k] = function(k);
    return out;
  }
}

}  // namespace belfry::r1cs
