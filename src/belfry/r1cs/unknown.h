#pragma once

#include "belfry/field/fr.h"

namespace belfry::r1cs {

/// The value of everything while only the shape of a circuit is recorded: arithmetic on it compiles
/// to nothing, and no branch can be made on it, so that no shape can depend on a value (spec
/// gadgets.md 18, trap 17).
struct Unknown {
  [[nodiscard]] constexpr Unknown square() const noexcept { return {}; }
  [[nodiscard]] constexpr Unknown doubled() const noexcept { return {}; }
  [[nodiscard]] constexpr Unknown inverse() const noexcept { return {}; }
  constexpr Unknown operator-() const noexcept { return {}; }
  constexpr Unknown operator!() const noexcept { return {}; }

  friend constexpr Unknown operator+(Unknown, Unknown) noexcept { return {}; }
  friend constexpr Unknown operator-(Unknown, Unknown) noexcept { return {}; }
  friend constexpr Unknown operator*(Unknown, Unknown) noexcept { return {}; }
  friend constexpr Unknown operator+(Unknown, const Fr&) noexcept { return {}; }
  friend constexpr Unknown operator-(Unknown, const Fr&) noexcept { return {}; }
  friend constexpr Unknown operator*(Unknown, const Fr&) noexcept { return {}; }
  friend constexpr Unknown operator+(const Fr&, Unknown) noexcept { return {}; }
  friend constexpr Unknown operator-(const Fr&, Unknown) noexcept { return {}; }
  friend constexpr Unknown operator*(const Fr&, Unknown) noexcept { return {}; }
};

/// Operations on values that both interpreters understand: Fr and bool, or Unknown.
[[nodiscard]] inline bool bit_and(bool a, bool b) noexcept { return a && b; }
[[nodiscard]] inline bool bit_xor(bool a, bool b) noexcept { return a != b; }
[[nodiscard]] constexpr Unknown bit_and(Unknown, Unknown) noexcept { return {}; }
[[nodiscard]] constexpr Unknown bit_xor(Unknown, Unknown) noexcept { return {}; }

/// `yes` if the condition holds, else `no`.
[[nodiscard]] inline Fr choose(bool condition, const Fr& yes, const Fr& no) noexcept {
  return condition ? yes : no;
}
[[nodiscard]] constexpr Unknown choose(Unknown, Unknown, Unknown) noexcept { return {}; }

/// A bit as a field element.
[[nodiscard]] inline Fr to_field(bool bit) noexcept { return bit ? Fr::one() : Fr::zero(); }
[[nodiscard]] constexpr Unknown to_field(Unknown) noexcept { return {}; }

}  // namespace belfry::r1cs
