#include "belfry/filecoin/post/vanilla_check.h"

#include <utility>

#include "belfry/filecoin/claims.h"
#include "belfry/filecoin/native/trees.h"
#include "belfry/filecoin/post/challenges.h"

namespace belfry::filecoin {
namespace {

std::vector<std::uint32_t> arities_of(const VanillaPost& post) {
  return path_arities(post.config.sector->tree, post.config.sector->nodes());
}

ClaimPlace place_of(const VanillaPost& post, std::size_t i, const std::string& field) {
  return {kPostCheckStage,
          post_sector_name(post.partition(i), post.sectors[i].sector_number) + ", " + field};
}

std::string inclusion(std::size_t n, const char* field) {
  return "inclusion_proofs[" + std::to_string(n) + "]." + field;
}

/// Form, then hashes that are computed here: what a job takes from its witness.
Result<void> check_sector(const VanillaPost& post, std::size_t i,
                          std::span<const std::uint32_t> arities) {
  BELFRY_CHECK(check_post_sector_form(post, i));
  const VanillaPostSector& sector = post.sectors[i];
  std::vector<Fr> roots;
  roots.reserve(sector.inclusions.size());
  for (const MerkleProof& proof : sector.inclusions) {
    roots.push_back(path_root(TreeHash::kPoseidon, arities, proof).to_fr());
  }
  return check_post_sector_hashes(post, i,
                                  {comm_r(sector.comm_c, sector.comm_r_last).to_fr(), roots});
}

}  // namespace

std::string post_sector_name(std::uint32_t partition, std::uint64_t sector_number) {
  return "partition " + std::to_string(partition) + ", sector " + std::to_string(sector_number);
}

Result<void> check_post_sector_form(const VanillaPost& post, std::size_t i) {
  const VanillaPostSector& sector = post.sectors[i];
  const std::vector<std::uint32_t> arities = arities_of(post);
  const auto leaves =
      post_challenges(post.config, post.randomness, {sector.sector_number, post.position(i)});
  BELFRY_CHECK(expect_equal(leaves.size(), sector.inclusions.size(),
                            place_of(post, i, "inclusion_proofs"), "wrong number of challenges"));
  for (std::size_t n = 0; n < leaves.size(); ++n) {
    const MerkleProof& proof = sector.inclusions[n];
    BELFRY_CHECK(expect_equal(leaves[n], path_index(arities, proof.positions),
                              place_of(post, i, inclusion(n, "path")),
                              "the path is that of another leaf than the challenged one"));
    BELFRY_CHECK(expect_equal(sector.comm_r_last, proof.root,
                              place_of(post, i, inclusion(n, "root")),
                              "the root is not comm_r_last"));
  }
  return {};
}

Result<void> check_post_sector_hashes(const VanillaPost& post, std::size_t i,
                                      const PostSectorHashesView& hashes) {
  const VanillaPostSector& sector = post.sectors[i];
  BELFRY_CHECK(expect_equal(FrBytes(hashes.comm_r), sector.comm_r, place_of(post, i, "comm_r"),
                            "comm_r is not the hash of the roots of TreeC and TreeR"));
  for (std::size_t j = 0; j < hashes.roots.size(); ++j) {
    BELFRY_CHECK(expect_equal(sector.comm_r_last, FrBytes(hashes.roots[j]),
                              place_of(post, i, inclusion(hashes.first + j, "path")),
                              "the path does not lead from the leaf to the root"));
  }
  return {};
}

std::vector<PostFault> find_post_faults(const VanillaPost& post, const Executor& executor) {
  const std::vector<std::uint32_t> arities = arities_of(post);
  std::vector<Result<void>> checked(post.sectors.size());
  executor.for_each(checked.size(),
                    [&](std::size_t i) { checked[i] = check_sector(post, i, arities); });
  std::vector<PostFault> faults;
  for (std::size_t i = 0; i < checked.size(); ++i) {
    if (!checked[i]) faults.push_back({i, std::move(checked[i].error())});
  }
  return faults;
}

}  // namespace belfry::filecoin
