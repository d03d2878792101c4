#include "belfry/filecoin/sealing/vanilla_post.h"

#include <string>
#include <utility>

#include "belfry/base/try_for_each.h"
#include "belfry/filecoin/claims.h"

namespace belfry::filecoin {
namespace {

constexpr std::string_view kVanillaPostStage = "filecoin.vanilla_post";

}  // namespace

Result<VanillaPostSector> make_vanilla_post(const SectorPaths& paths, const PostConfig& config,
                                            const Node& randomness, const PostPlace& place,
                                            const Executor& executor) {
  const SectorParams& sector = *config.sector;
  BELFRY_TRY(const SealedReplica replica, open_replica(paths, sector));
  const auto arities = path_arities(sector.tree, sector.nodes());
  const ClaimedTree tree{TreeHash::kPoseidon, arities, replica.aux.comm_r_last};
  const auto challenges = post_challenges(config, randomness, place);
  VanillaPostSector out{.sector_number = place.sector_number,
                        .comm_r = replica.comm_r(),
                        .inclusions = std::vector<MerkleProof>(challenges.size()),
                        .comm_c = replica.aux.comm_c,
                        .comm_r_last = replica.aux.comm_r_last};
  const auto prove = [&](std::size_t i) -> Result<void> {
    BELFRY_TRY(out.inclusions[i], replica.tree.prove(challenges[i]));
    return check_inclusion(
        tree, out.inclusions[i], challenges[i],
        {kVanillaPostStage, "sector " + std::to_string(place.sector_number) +
                                ", inclusion_proofs[" + std::to_string(i) + "]"});
  };
  auto proved = try_for_each(executor, challenges.size(), prove);
  if (!proved) return fail(std::move(proved.error()).in_file(paths.sealed().string()));
  return out;
}

}  // namespace belfry::filecoin
