#include "belfry/filecoin/sealing/vanilla_update.h"

#include <string>
#include <utility>
#include <vector>

#include "belfry/filecoin/update/randomness.h"

namespace belfry::filecoin {
namespace {

constexpr std::string_view kVanillaUpdateStage = "filecoin.vanilla_update";

/// What the paths of all partitions come from.
struct Sources {
  SealedReplica old_replica;
  SealedReplica new_replica;
  StoredTree data_tree;
};

Result<Sources> open_sources(const SectorPaths& old_sector, const SectorPaths& new_sector,
                             const SectorParams& sector) {
  BELFRY_TRY(SealedReplica old_replica, open_replica(old_sector, sector));
  BELFRY_TRY(SealedReplica new_replica, open_replica(new_sector, sector));
  const Node& comm_c = old_replica.aux.comm_c;
  if (!(new_replica.aux.comm_c == comm_c)) {
    return fail(
        invalid(std::string(kVanillaUpdateStage), "the new sector is no update of the old one")
            .in_file(new_sector.p_aux().string())
            .in_section("comm_c")
            .but(to_hex(comm_c.bytes()), to_hex(new_replica.aux.comm_c.bytes())));
  }
  BELFRY_TRY(StoredTree data_tree, StoredTree::open(new_sector.data_tree(sector)));
  return Sources{std::move(old_replica), std::move(new_replica), std::move(data_tree)};
}

Result<VanillaUpdateChallenge> prove_challenge(const Sources& sources, std::uint64_t node) {
  VanillaUpdateChallenge out;
  BELFRY_TRY(out.r_old, sources.old_replica.tree.prove(node));
  BELFRY_TRY(out.d_new, sources.data_tree.prove(node));
  BELFRY_TRY(out.r_new, sources.new_replica.tree.prove(node));
  return out;
}

Result<VanillaUpdatePartition> prove_partition(const Sources& sources, const UpdateParams& params,
                                               std::uint32_t partition, const Executor& executor) {
  VanillaUpdatePartition out;
  out.comm_c = sources.old_replica.aux.comm_c;
  out.apex_leaves.resize(params.apex_leaves);
  BELFRY_CHECK(sources.data_tree.read_row(
      0, params.bits_below_apex(), std::uint64_t{partition} * params.apex_leaves, out.apex_leaves));
  const auto nodes = update_challenges(params, sources.new_replica.comm_r(), partition);
  std::vector<Result<VanillaUpdateChallenge>> proofs(nodes.size());
  executor.for_each(nodes.size(),
                    [&](std::size_t i) { proofs[i] = prove_challenge(sources, nodes[i]); });
  for (auto& proof : proofs) {
    BELFRY_TRY(out.challenges.emplace_back(), std::move(proof));
  }
  return out;
}

}  // namespace

Result<VanillaUpdate> make_vanilla_update(const SectorPaths& old_sector,
                                          const SectorPaths& new_sector, const SectorParams& sector,
                                          const Executor& executor, const CancelToken& cancel) {
  if (sector.update_partitions == 0) {
    return fail(invalid(std::string(kVanillaUpdateStage), "the sector size has no SnapDeals")
                    .in_section(std::string(sector.name)));
  }
  BELFRY_TRY(const Sources sources, open_sources(old_sector, new_sector, sector));
  const UpdateParams params = update_params(sector);
  VanillaUpdate out{.sector = &sector,
                    .statement = {.comm_r_old = sources.old_replica.comm_r(),
                                  .comm_r_new = sources.new_replica.comm_r(),
                                  .comm_d_new = sources.data_tree.root()},
                    .partitions = {}};
  for (std::uint32_t k = 0; k < params.partitions; ++k) {
    BELFRY_CHECK(cancel.check(std::string(kVanillaUpdateStage)));
    BELFRY_TRY(out.partitions.emplace_back(), prove_partition(sources, params, k, executor));
  }
  for (std::uint32_t k = 0; k < params.partitions; ++k) {
    BELFRY_CHECK(cancel.check(std::string(kVanillaUpdateStage)));
    BELFRY_CHECK(check_vanilla_update(out, k, executor));
  }
  return out;
}

}  // namespace belfry::filecoin
