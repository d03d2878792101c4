#pragma once

#include <compare>
#include <cstdint>

namespace belfry::r1cs {

/// A variable of a constraint system: an input (public; number 0 is the constant ONE) or an aux
/// (private), each family numbered from 0 in order of allocation. Ordered inputs first, then by
/// index: the canonical order of terms. A value. Source: spec gadgets.md 1.2, 1.3.
class Variable {
 public:
  /// Indices stay below this bound in both families.
  static constexpr std::uint32_t kIndexLimit = std::uint32_t{1} << 31;

  [[nodiscard]] static constexpr Variable input(std::uint32_t index) noexcept {
    return Variable{index};
  }
  [[nodiscard]] static constexpr Variable aux(std::uint32_t index) noexcept {
    return Variable{index | kIndexLimit};
  }
  [[nodiscard]] static constexpr Variable one() noexcept { return input(0); }

  [[nodiscard]] constexpr bool is_input() const noexcept { return code_ < kIndexLimit; }
  [[nodiscard]] constexpr std::uint32_t index() const noexcept { return code_ & (kIndexLimit - 1); }

  friend constexpr auto operator<=>(const Variable&, const Variable&) noexcept = default;

 private:
  constexpr explicit Variable(std::uint32_t code) noexcept : code_(code) {}

  std::uint32_t code_;
};

/// What is known of a variable's value from how it was made: a bit is 0 or 1 by construction
/// (decomposed bits, results of xor, and, ch, maj), everything else is a field element.
enum class VariableClass : std::uint8_t { kBit, kField };

/// What the interpreter without variables has in their place.
struct NoVariable {
  friend constexpr bool operator==(NoVariable, NoVariable) noexcept { return true; }
};

}  // namespace belfry::r1cs
