#include "belfry/filecoin/claims.h"

#include "belfry/base/bytes.h"

namespace belfry::filecoin {

Result<void> expect_equal(const Node& expected, const Node& found, const ClaimPlace& place,
                          std::string_view message) {
  if (expected == found) return {};
  return fail(
      place.error(std::string(message)).but(to_hex(expected.bytes()), to_hex(found.bytes())));
}

Result<void> expect_equal(std::uint64_t expected, std::uint64_t found, const ClaimPlace& place,
                          std::string_view message) {
  if (expected == found) return {};
  return fail(
      place.error(std::string(message)).but(std::to_string(expected), std::to_string(found)));
}

Result<void> check_inclusion(const ClaimedTree& tree, const MerkleProof& proof, std::uint64_t node,
                             const ClaimPlace& place) {
  BELFRY_CHECK(expect_equal(node, path_index(tree.arities, proof.positions), place.part("path"),
                            "the path is that of another leaf"));
  BELFRY_CHECK(expect_equal(tree.root, proof.root, place.part("root"),
                            "the root is not that of the sector"));
  return expect_equal(proof.root, path_root(tree.hash, tree.arities, proof), place.part("path"),
                      "the path does not lead from the leaf to the root");
}

}  // namespace belfry::filecoin
