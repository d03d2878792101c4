#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "belfry/field/fr.h"
#include "belfry/hash/poseidon.h"

namespace belfry::hash {

/// Hashes that PoseidonLanes computes side by side.
inline constexpr std::size_t kPoseidonLanes = 8;

/// One field element of each of eight hashes.
using PoseidonLaneElements = std::array<Fr, kPoseidonLanes>;

/// Eight Poseidon hashes of one arity side by side, with everything that a circuit's witness wants
/// of them. Equal in every bit to `poseidon_core::permute` with a watcher, lane by lane.
///
/// Immutable, thread-safe, does not allocate. With AVX-512 IFMA, arities 2, 4, 8 and 11 and the
/// tree tag, all eight at once; one after the other else. Cost in docs/perf/hash.md.
class PoseidonLanes {
 public:
  /// Arities 1..kMaxPoseidonArity; anything else is a bug of the caller.
  explicit PoseidonLanes(std::size_t arity);

  /// The values of one hash that a watcher sees: square, fourth power and output of each S-box but
  /// that of element 0 in the first round, and from the second round on its base before them:
  /// 3·a + 4·(7·t + R_P), t = a + 1.
  [[nodiscard]] std::size_t traced() const noexcept;

  /// @param elements  element i of all hashes                      // (arity)
  /// @param trace     where traced() values of each hash go, in the order of the circuit
  /// @param out       the results; overlaps no element
  void hash(const Fr& tag, std::span<const PoseidonLaneElements* const> elements,
            const std::array<Fr*, kPoseidonLanes>& trace, PoseidonLaneElements& out) const noexcept;
  /// The same without lanes, for comparison.
  void hash_one_by_one(const Fr& tag, std::span<const PoseidonLaneElements* const> elements,
                       const std::array<Fr*, kPoseidonLanes>& trace,
                       PoseidonLaneElements& out) const noexcept;

 private:
  const PoseidonConstants* constants_;
  /// For the kernel: poseidon_kernels.h. Empty where it is not used.
  std::vector<std::uint64_t> table_;
};

/// The lanes of an arity in 1..kMaxPoseidonArity, made the first time (milliseconds) and kept.
/// Thread-safe.
[[nodiscard]] const PoseidonLanes& poseidon_lanes(std::size_t arity);

}  // namespace belfry::hash
