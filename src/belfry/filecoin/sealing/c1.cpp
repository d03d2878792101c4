#include "belfry/filecoin/sealing/c1.h"

#include <filesystem>
#include <string>
#include <utility>

#include "belfry/base/try_for_each.h"
#include "belfry/filecoin/native/challenges.h"
#include "belfry/filecoin/native/trees.h"
#include "belfry/filecoin/native/work.h"
#include "belfry/filecoin/porep/vanilla_check.h"
#include "belfry/filecoin/sealing/challenge_prover.h"
#include "belfry/filecoin/sealing/synthetic_proofs.h"

namespace belfry::filecoin {
namespace {

/// Where the proof of PoRep challenge number j comes from.
using ChallengeSource =
    std::function<Result<VanillaChallenge>(std::uint32_t j, std::uint64_t node)>;

/// The statement without proofs.
C1Output make_statement(const SectorIdentity& identity, const Bytes32& seed, const Node& comm_d,
                        const PersistentAux& aux) {
  C1Output c1{};
  c1.config = identity.config;
  c1.registered = identity.registered;
  c1.comm_d = comm_d;
  c1.comm_r = comm_r(aux.comm_c, aux.comm_r_last);
  c1.replica_id = replica_id_of(identity, comm_d);
  c1.seed = seed;
  c1.ticket = identity.ticket;
  return c1;
}

Result<void> add_proofs(C1Output& c1, const ChallengeSource& source, const WorkView& work) {
  std::vector<std::uint64_t> nodes;
  for (std::uint32_t k = 0; k < c1.config.partitions(); ++k) {
    const auto challenges = porep_challenges(c1.config, {c1.replica_id, c1.comm_r, c1.seed}, k);
    nodes.insert(nodes.end(), challenges.begin(), challenges.end());
    c1.partitions.emplace_back(challenges.size());
  }
  const std::size_t each = c1.config.sector->challenges;
  const auto prove = [&](std::size_t j) -> Result<void> {
    BELFRY_CHECK(work.cancel.check("filecoin.c1"));
    BELFRY_TRY(c1.partitions[j / each][j % each], source(static_cast<std::uint32_t>(j), nodes[j]));
    return {};
  };
  BELFRY_CHECK(try_for_each(work.executor, nodes.size(), prove));
  return check_vanilla_proofs(c1, work.executor, work.cancel);
}

Result<C1Output> c1_of_trees(const SectorPaths& paths, const SectorIdentity& identity,
                             const Bytes32& seed, const WorkView& work) {
  const SectorParams& sector = *identity.config.sector;
  BELFRY_TRY(const SealedReplica replica, open_replica(paths, sector));
  BELFRY_TRY(const SealedLayers layers, open_layers(paths, sector));
  BELFRY_CHECK(check_root(paths, replica.aux, AuxRoot::kColumnTree, layers.column_tree.root(),
                          paths.column_tree(sector).files.back()));
  const Graph graph(identity.config);
  C1Output c1 = make_statement(identity, seed, layers.data_tree.root(), replica.aux);
  BELFRY_CHECK(add_proofs(
      c1,
      [&](std::uint32_t /*j*/, std::uint64_t node) {
        return prove_challenge(graph, layers, replica.tree, node);
      },
      work));
  return c1;
}

Result<C1Output> c1_of_synthetic_proofs(const SectorPaths& paths, const SectorIdentity& identity,
                                        const Bytes32& seed, const WorkView& work) {
  const SectorParams& sector = *identity.config.sector;
  BELFRY_TRY(const SyntheticProofs proofs, SyntheticProofs::open(paths.synthetic_proofs(), sector));
  BELFRY_TRY(const PersistentAux aux, read_p_aux(paths.p_aux()));
  const auto file = paths.synthetic_proofs();
  BELFRY_CHECK(check_root(paths, aux, AuxRoot::kColumnTree, proofs.root_c(), file));
  BELFRY_CHECK(check_root(paths, aux, AuxRoot::kReplicaTree, proofs.root_r(), file));
  const Graph graph(identity.config);
  C1Output c1 = make_statement(identity, seed, proofs.root_d(), aux);
  const SyntheticSet set(sector.nodes(), SyntheticSet::production_size(sector.nodes()),
                         c1.replica_id, c1.comm_r);
  BELFRY_CHECK(add_proofs(
      c1,
      [&](std::uint32_t j, std::uint64_t node) {
        return proofs.challenge(graph, set.selected(seed, j), node);
      },
      work));
  return c1;
}

}  // namespace

Result<C1Output> make_c1(const SectorPaths& paths, const SectorIdentity& identity,
                         const Bytes32& seed, const Executor& executor, const CancelToken& cancel) {
  const WorkView work{.executor = executor, .cancel = cancel};
  std::error_code ignored;
  const bool prepared = identity.config.feature == PorepFeature::kSynthetic &&
                        std::filesystem::exists(paths.synthetic_proofs(), ignored);
  return prepared ? c1_of_synthetic_proofs(paths, identity, seed, work)
                  : c1_of_trees(paths, identity, seed, work);
}

}  // namespace belfry::filecoin
