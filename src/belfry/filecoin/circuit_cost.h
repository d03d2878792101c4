#pragma once

#include <cstdint>
#include <span>

namespace belfry::filecoin {

/// Sizes of a whole circuit: ONE is an input, appended rows do not count.
struct CircuitCounts {
  std::uint64_t inputs;
  std::uint64_t aux;
  std::uint64_t constraints;
  friend constexpr bool operator==(const CircuitCounts&, const CircuitCounts&) noexcept = default;
};

/// Aux variables and constraints that a part of a circuit adds. Circuits add up their sizes from
/// such parts, by formula and without synthesis.
struct CircuitCost {
  std::uint64_t aux;
  std::uint64_t constraints;

  friend constexpr CircuitCost operator+(CircuitCost a, CircuitCost b) noexcept {
    return {a.aux + b.aux, a.constraints + b.constraints};
  }
  friend constexpr CircuitCost operator*(std::uint64_t n, CircuitCost a) noexcept {
    return {n * a.aux, n * a.constraints};
  }
};

// NOLINTBEGIN(readability-magic-numbers): the tables of circuits.md 0.3, 1.1
/// Poseidon of two allocated numbers.
inline constexpr CircuitCost kPoseidon2Cost{311, 311};
/// One level of arity 2, 4 or 8 on a path in a Poseidon tree: index bits, siblings, insertion,
/// hash.
[[nodiscard]] constexpr CircuitCost poseidon_level_cost(std::uint32_t arity) noexcept {
  if (arity == 8) return {537, 530};
  return arity == 4 ? CircuitCost{390, 387} : CircuitCost{315, 314};
}
/// One level on a path in a data tree.
inline constexpr CircuitCost kDataLevelCost{45'335, 45'382};
// NOLINTEND(readability-magic-numbers)

/// What ends the proof of an inclusion: a row packs the index (and adds an input), a row compares
/// the roots.
inline constexpr CircuitCost kPathEndCost{0, 2};

/// An inclusion in a Poseidon tree, its leaf and root allocated already (circuits.md 1.1).
[[nodiscard]] constexpr CircuitCost inclusion_cost(
    std::span<const std::uint32_t> arities) noexcept {
  CircuitCost cost = kPathEndCost;
  for (const std::uint32_t arity : arities) cost = cost + poseidon_level_cost(arity);
  return cost;
}

}  // namespace belfry::filecoin
