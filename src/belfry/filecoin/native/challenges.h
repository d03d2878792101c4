#pragma once

#include <cstdint>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/filecoin/formats/vanilla_proof.h"

namespace belfry::filecoin {

/// What challenges are derived from. Interactive: replica_id, seed. Synthetic: all three.
/// Non-interactive: replica_id, comm_r.
struct ChallengeInputs {
  Node replica_id;
  Node comm_r;
  Bytes32 seed;
};

/// The challenged nodes of partition k: `challenges` values in 1..nodes - 1 (circuits.md 2.2).
/// Thread-safe. Cost: two hashes or blocks of keystream each.
[[nodiscard]] std::vector<std::uint64_t> porep_challenges(const PorepConfig& config,
                                                          const ChallengeInputs& inputs,
                                                          std::uint32_t partition);

/// Challenge number j of the interactive and the non-interactive rule.
[[nodiscard]] std::uint64_t interactive_challenge(std::uint64_t nodes, const Node& replica_id,
                                                  const Bytes32& seed, std::uint32_t j);
[[nodiscard]] std::uint64_t non_interactive_challenge(std::uint64_t nodes, const Node& replica_id,
                                                      const Node& comm_r, std::uint32_t j);

/// The synthetic set: `size` challenges that the prover keeps proofs for, of which the seed selects
/// some.
class SyntheticSet {
 public:
  /// min(nodes, 2^18)
  [[nodiscard]] static std::uint64_t production_size(std::uint64_t nodes) noexcept;

  SyntheticSet(std::uint64_t nodes, std::uint64_t size, const Node& replica_id, const Node& comm_r);

  /// Synthetic challenge number i.
  [[nodiscard]] std::uint64_t challenge(std::uint64_t i) const;
  /// Place in the set of PoRep challenge number j.
  [[nodiscard]] std::uint64_t selected(const Bytes32& seed, std::uint32_t j) const;

 private:
  std::uint64_t nodes_;
  std::uint64_t size_;
  Node replica_id_;
  Bytes32 generation_key_;
};

}  // namespace belfry::filecoin
