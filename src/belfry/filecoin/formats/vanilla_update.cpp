#include "belfry/filecoin/formats/vanilla_update.h"

#include <string>

#include "belfry/filecoin/formats/bincode.h"

namespace belfry::filecoin {
namespace {

/// The trees of a sector size, as their paths are written.
struct UpdateTrees {
  PathShape replica;
  PathShape data;

  explicit UpdateTrees(const SectorParams& sector)
      : replica(path_shape(sector.tree, sector.nodes())),
        data(path_shape(kDataTree, sector.nodes())) {}
};

Result<void> read_path(BincodeReader& reader, MerkleProof& out, const PathShape& tree,
                       const char* field) {
  auto done = reader.merkle_proof(out, tree);
  if (done) return done;
  return fail(inside(field, std::move(done.error())));
}

Result<void> read_challenge(BincodeReader& reader, VanillaUpdateChallenge& out,
                            const UpdateTrees& trees) {
  BELFRY_CHECK(read_path(reader, out.r_old, trees.replica, "proof_r_old"));
  BELFRY_CHECK(read_path(reader, out.d_new, trees.data, "proof_d_new"));
  return read_path(reader, out.r_new, trees.replica, "proof_r_new");
}

}  // namespace

Result<VanillaUpdatePartition> parse_vanilla_update(ByteSpan bytes, const SectorParams& sector,
                                                    std::string_view file_name) {
  const UpdateTrees trees(sector);
  BincodeReader reader(bytes, "filecoin.vanilla_update", file_name);
  VanillaUpdatePartition out;
  BELFRY_TRY(out.comm_c, reader.node("comm_c"));
  BELFRY_CHECK(reader.nodes(out.apex_leaves, sector.update_apex, "apex_leaves"));
  BELFRY_CHECK(reader.count(sector.update_challenges, "challenge_proofs"));
  for (std::uint32_t i = 0; i < sector.update_challenges; ++i) {
    if (auto done = read_challenge(reader, out.challenges.emplace_back(), trees); !done) {
      return fail(inside("challenge_proofs[" + std::to_string(i) + "]", std::move(done.error())));
    }
  }
  BELFRY_CHECK(reader.finish());
  return out;
}

std::vector<std::uint8_t> write_vanilla_update(const VanillaUpdatePartition& partition,
                                               const SectorParams& sector) {
  const UpdateTrees trees(sector);
  BincodeWriter writer;
  writer.node(partition.comm_c);
  writer.number(std::uint64_t{partition.apex_leaves.size()});
  for (const Node& leaf : partition.apex_leaves) writer.node(leaf);
  writer.number(std::uint64_t{partition.challenges.size()});
  for (const VanillaUpdateChallenge& challenge : partition.challenges) {
    writer.merkle_proof(challenge.r_old, trees.replica);
    writer.merkle_proof(challenge.d_new, trees.data);
    writer.merkle_proof(challenge.r_new, trees.replica);
  }
  return writer.take();
}

}  // namespace belfry::filecoin
