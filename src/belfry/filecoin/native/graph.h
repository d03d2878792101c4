#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/filecoin/formats/proof_types.h"

namespace belfry::filecoin {

/// The stacked graph of one porep_id: who the parents of a node are (circuits.md 2.2,
/// formats.md 3.5). A value; const use is thread-safe. Cost: about 10 µs a node, a twentieth of
/// that after `tabulate`.
class Graph {
 public:
  using Parents = std::array<std::uint64_t, kParents>;

  Graph(std::uint64_t nodes, const Bytes32& porep_id, ApiVersion api);
  explicit Graph(const PorepConfig& config)
      : Graph(config.sector->nodes(), config.porep_id, config.api) {}

  /// For who asks for the parents of every node: a round of the expander permutation depends on
  /// half an index only, so its three functions become tables. Cost: 3·2^11 hashes at 8 MiB, 3·2^17
  /// and 1.5 MiB at 32 GiB. Changes no result.
  void tabulate();

  /// The 6 DRG parents of a node below `nodes`, in the order of the api version: the predecessor
  /// stands last in V1_0 and first later. Nodes 0 and 1 have six zeros.
  [[nodiscard]] std::array<std::uint64_t, kDrgParents> drg_parents(std::uint64_t node) const;
  /// The 8 expander parents. V1_0 truncates the permuted index to 32 bits before it divides.
  [[nodiscard]] std::array<std::uint64_t, kExpanderParents> expander_parents(
      std::uint64_t node) const;
  /// DRG parents, then expander parents.
  [[nodiscard]] Parents parents(std::uint64_t node) const;

 private:
  [[nodiscard]] std::uint64_t permute(std::uint64_t index) const noexcept;
  [[nodiscard]] std::uint64_t round(std::size_t which, std::uint64_t half) const noexcept;

  std::uint64_t nodes_;
  ApiVersion api_;
  Bytes32 drg_seed_{};  ///< 28 bytes of digest; the last four take the node
  std::array<std::uint64_t, 3> feistel_keys_{};
  std::uint32_t half_bits_;
  std::vector<std::uint32_t> rounds_;  ///< (3, 2^half_bits) once tabulated
};

}  // namespace belfry::filecoin
