#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "belfry/base/error.h"
#include "belfry/filecoin/formats/vanilla_proof.h"
#include "belfry/filecoin/native/trees.h"

/// How the claims of vanilla proofs are compared with what they should be. Every contradiction is
/// kInvalidInput with the step that found it as stage and the claim's place as section.
namespace belfry::filecoin {

/// Where a claim stands.
struct ClaimPlace {
  std::string_view stage;  ///< "filecoin.porep.check"
  std::string section;     ///< "vanilla_proofs[0][1].comm_d_proofs"

  /// A part of the claim: the section and ".field" behind it.
  [[nodiscard]] ClaimPlace part(std::string_view field) const {
    return {stage, section + "." + std::string(field)};
  }
  [[nodiscard]] Error error(std::string message) const {
    return invalid(std::string(stage), std::move(message)).in_section(section);
  }
};

/// Refuses two values that should be one. Nodes are shown as hex.
[[nodiscard]] Result<void> expect_equal(const Node& expected, const Node& found,
                                        const ClaimPlace& place, std::string_view message);
[[nodiscard]] Result<void> expect_equal(std::uint64_t expected, std::uint64_t found,
                                        const ClaimPlace& place, std::string_view message);

/// The tree that a path has to be of.
struct ClaimedTree {
  TreeHash hash;
  std::span<const std::uint32_t> arities;
  const Node& root;
};

/// The path is that of leaf number `node` and leads from the claimed leaf to the claimed root,
/// which is the tree's. One hash a level.
[[nodiscard]] Result<void> check_inclusion(const ClaimedTree& tree, const MerkleProof& proof,
                                           std::uint64_t node, const ClaimPlace& place);

}  // namespace belfry::filecoin
