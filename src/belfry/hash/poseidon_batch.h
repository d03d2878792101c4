#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "belfry/field/fr.h"
#include "belfry/hash/poseidon.h"

namespace belfry::hash {

/// Where the inputs of many hashes stand: input i of hash k is `first[i][k * stride]`. The children
/// of a tree row have first[i] = row + i and stride = arity; columns have one array an input and
/// stride 1. A view.
struct PoseidonInputs {
  std::span<const FrBytes* const> first;  // (arity)
  std::size_t stride;
};

/// Poseidon with the tree tag over many lists of one length, bytes in and bytes out: what trees and
/// columns are made of. Equal to `poseidon` in every bit.
///
/// Immutable, thread-safe, `hash` does not allocate. Eight hashes at a time with AVX-512 IFMA where
/// the CPU has it and the arity is 2, 8 or 11; one at a time otherwise. Cost in docs/perf/hash.md.
class PoseidonBatch {
 public:
  /// Arities 1..11; anything else is a bug of the caller. Cost: a millisecond the first time.
  explicit PoseidonBatch(std::size_t arity);

  [[nodiscard]] std::size_t arity() const noexcept { return arity_; }
  /// out[k] = Poseidon(inputs of hash k). `out` overlaps no input.
  void hash(const PoseidonInputs& inputs, std::span<FrBytes> out) const noexcept;
  /// The same without lanes, for comparison.
  void hash_one_by_one(const PoseidonInputs& inputs, std::span<FrBytes> out) const noexcept;

 private:
  std::size_t arity_;
  const PoseidonConstants* constants_;
  /// For the lanes: poseidon_kernels.h. Empty where they are not used.
  std::vector<std::uint64_t> table_;
};

}  // namespace belfry::hash
