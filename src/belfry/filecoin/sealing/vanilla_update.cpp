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

/// The statement of an update, without its partitions.
VanillaUpdate statement_of(const Sources& sources, const SectorParams& sector) {
  return {.sector = &sector,
          .statement = {.comm_r_old = sources.old_replica.comm_r(),
                        .comm_r_new = sources.new_replica.comm_r(),
                        .comm_d_new = sources.data_tree.root()},
          .partitions = {}};
}

Result<VanillaUpdate> make_checked(const SectorPaths& old_sector, const SectorPaths& new_sector,
                                   const SectorParams& sector, const Executor& executor,
                                   const CancelToken& cancel) {
  BELFRY_TRY(const Sources sources, open_sources(old_sector, new_sector, sector));
  const UpdateParams params = update_params(sector);
  VanillaUpdate out = statement_of(sources, sector);
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

/// Whether one sector is an update of the other, as far as the first partition tells.
bool is_update(const SectorPaths& old_sector, const SectorPaths& new_sector,
               const SectorParams& sector, const Executor& executor) {
  const auto sources = open_sources(old_sector, new_sector, sector);
  if (!sources) return false;
  auto first = prove_partition(*sources, update_params(sector), 0, executor);
  if (!first) return false;
  VanillaUpdate update = statement_of(*sources, sector);
  update.partitions.push_back(std::move(*first));
  return check_vanilla_update(update, 0, executor).has_value();
}

bool is_same_replica(const SectorPaths& one, const SectorPaths& other) {
  const auto first = read_p_aux(one.p_aux());
  const auto second = read_p_aux(other.p_aux());
  return first && second && write_p_aux(*first) == write_p_aux(*second);
}

/// Who mixed up two folders learns it: what failed was one of many nodes, or a file that only an
/// updated sector has.
Error explain(Error error, const SectorPaths& old_sector, const SectorPaths& new_sector,
              const SectorParams& sector, const Executor& executor) {
  const auto no_update = [&](std::string found, std::string hint) {
    return invalid(std::string(kVanillaUpdateStage), "the new sector is no update of the old one")
        .in_file(new_sector.directory().string())
        .but("an update of " + old_sector.directory().string(), std::move(found))
        .with_hint(std::move(hint));
  };
  if (error.code == ErrorCode::kCancelled) return error;
  // An error that names a file is about that file, and not about how the two fit together.
  if (error.file.empty() && is_same_replica(old_sector, new_sector)) {
    return no_update("the same replica", "Name the sector before the update, and the one after it");
  }
  if (!is_update(new_sector, old_sector, sector, executor)) return error;
  return no_update("the sector that this one is an update of",
                   "Name the two folders the other way round");
}

}  // namespace

Result<VanillaUpdate> make_vanilla_update(const SectorPaths& old_sector,
                                          const SectorPaths& new_sector, const SectorParams& sector,
                                          const Executor& executor, const CancelToken& cancel) {
  if (sector.update_partitions == 0) {
    return fail(invalid(std::string(kVanillaUpdateStage), "the sector size has no SnapDeals")
                    .in_section(std::string(sector.name)));
  }
  return make_checked(old_sector, new_sector, sector, executor, cancel).map_error([&](Error error) {
    return explain(std::move(error), old_sector, new_sector, sector, executor);
  });
}

}  // namespace belfry::filecoin
