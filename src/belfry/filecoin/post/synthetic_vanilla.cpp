#include "belfry/filecoin/post/synthetic_vanilla.h"

#include <map>
#include <utility>

#include "belfry/filecoin/native/trees.h"
#include "belfry/filecoin/porep/sparse_tree.h"
#include "belfry/filecoin/post/challenges.h"

namespace belfry::filecoin {
namespace {

/// What filler_node values are for; the levels of a tree count from zero.
enum PostDomain : std::uint16_t { kRandomness = 1 << 8, kLeaf, kCommC };

VanillaPostSector make_sector(const VanillaPost& post, const PostPlace& place, std::uint64_t seed,
                              const Executor& executor) {
  const SectorParams& size = *post.config.sector;
  const std::uint64_t own_seed = seed + (place.sector_number << 32U);
  const auto leaves = post_challenges(post.config, post.randomness, place);
  std::map<std::uint64_t, Node> known;
  for (const std::uint64_t leaf : leaves)
    known[leaf] = filler_node(own_seed, PostDomain::kLeaf, leaf);
  const SparseTree tree(TreeHash::kPoseidon, path_arities(size.tree, size.nodes()),
                        std::move(known), own_seed, executor);
  VanillaPostSector sector;
  sector.sector_number = place.sector_number;
  sector.comm_c = filler_node(own_seed, PostDomain::kCommC, 0);
  sector.comm_r_last = tree.root();
  sector.comm_r = comm_r(sector.comm_c, sector.comm_r_last);
  for (const std::uint64_t leaf : leaves) sector.inclusions.push_back(tree.prove(leaf));
  return sector;
}

}  // namespace

VanillaPost synthetic_post(const PostConfig& config, std::uint64_t sectors, std::uint64_t seed,
                           const Executor& executor) {
  VanillaPost post{
      .config = config, .randomness = filler_node(seed, PostDomain::kRandomness, 0), .sectors = {}};
  post.sectors.resize(sectors);
  executor.for_each(sectors, [&](std::size_t i) {
    const PostPlace place{.sector_number = i + 1, .position = i};
    post.sectors[i] = make_sector(post, place, seed, executor);
  });
  return post;
}

}  // namespace belfry::filecoin
