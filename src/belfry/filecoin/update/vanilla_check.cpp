#include "belfry/filecoin/update/vanilla_check.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "belfry/base/try_for_each.h"
#include "belfry/filecoin/claims.h"
#include "belfry/filecoin/native/trees.h"
#include "belfry/filecoin/update/params.h"
#include "belfry/filecoin/update/randomness.h"

namespace belfry::filecoin {
namespace {

constexpr std::string_view kUpdateCheckStage = "filecoin.update.check";

/// One partition: its claims against the nodes that they have to be about.
class PartitionCheck {
 public:
  PartitionCheck(const VanillaUpdate& update, std::uint32_t partition)
      : params_(update_params(*update.sector)),
        statement_(update.statement),
        claims_(update.partitions[partition]),
        challenges_(update_challenges(params_, statement_.comm_r_new, partition)),
        phi_(update_phi(statement_.comm_d_new, statement_.comm_r_old)),
        data_arities_(path_arities(kDataTree, params_.nodes)),
        replica_arities_(path_arities(params_.tree, params_.nodes)),
        place_{kUpdateCheckStage, "vanilla_proofs[" + std::to_string(partition) + "]"} {}

  [[nodiscard]] Result<void> run(const Executor& executor) const {
    BELFRY_CHECK(check_sizes());
    BELFRY_CHECK(check_commitments());
    BELFRY_CHECK(try_for_each(executor, challenges_.size(),
                              [this](std::size_t i) { return check_challenge(i); }));
    return check_apex();
  }

 private:
  [[nodiscard]] Result<void> check_sizes() const {
    BELFRY_CHECK(expect_equal(params_.apex_leaves, claims_.apex_leaves.size(),
                              place_.part("apex_leaves"), "wrong number of apex leaves"));
    return expect_equal(params_.challenges, claims_.challenges.size(),
                        place_.part("challenge_proofs"), "wrong number of challenges");
  }

  [[nodiscard]] Result<void> check_commitments() const {
    const VanillaUpdateChallenge& first = claims_.challenges.front();
    const Node old_hash = comm_r(claims_.comm_c, first.r_old.root);
    const Node new_hash = comm_r(claims_.comm_c, first.r_new.root);
    auto done = expect_equal(old_hash, statement_.comm_r_old, place_.part("comm_r_old"),
                             "comm_r_old is not the hash of comm_c and the root of TreeROld");
    if (!done && old_hash == statement_.comm_r_new && new_hash == statement_.comm_r_old) {
      return fail(std::move(done.error())
                      .with_hint("comm_r_old and comm_r_new stand in each other's place"));
    }
    BELFRY_CHECK(std::move(done));
    return expect_equal(new_hash, statement_.comm_r_new, place_.part("comm_r_new"),
                        "comm_r_new is not the hash of comm_c and the root of TreeRNew");
  }

  [[nodiscard]] Result<void> check_challenge(std::size_t i) const {
    const VanillaUpdateChallenge& first = claims_.challenges.front();
    const VanillaUpdateChallenge& claim = claims_.challenges[i];
    const std::uint64_t node = challenges_[i];
    const ClaimPlace place = place_.part("challenge_proofs[" + std::to_string(i) + "]");
    BELFRY_CHECK(check_inclusion({TreeHash::kPoseidon, replica_arities_, first.r_old.root},
                                 claim.r_old, node, place.part("proof_r_old")));
    BELFRY_CHECK(check_inclusion({TreeHash::kSha256, data_arities_, statement_.comm_d_new},
                                 claim.d_new, node, place.part("proof_d_new")));
    BELFRY_CHECK(check_inclusion({TreeHash::kPoseidon, replica_arities_, first.r_new.root},
                                 claim.r_new, node, place.part("proof_r_new")));
    const Fr rho = update_rho(phi_, update_high_bits(params_, node));
    const Fr encoded = update_encode(claim.r_old.leaf.to_fr(), claim.d_new.leaf.to_fr(), rho);
    BELFRY_CHECK(expect_equal(FrBytes(encoded), claim.r_new.leaf, place.part("proof_r_new.leaf"),
                              "the new replica node is not the old one plus data times rho"));
    return check_apex_leaf(claim.d_new, node);
  }

  /// The node of TreeDNew that a challenge's path passes `levels` above its leaf.
  [[nodiscard]] Node node_on_path(const MerkleProof& proof, std::size_t levels) const {
    return path_root(TreeHash::kSha256, std::span(data_arities_).first(levels), proof);
  }

  [[nodiscard]] Result<void> check_apex_leaf(const MerkleProof& proof, std::uint64_t node) const {
    const std::uint32_t levels = params_.bits_below_apex();
    const std::uint64_t leaf = (node >> levels) & (params_.apex_leaves - 1);
    return expect_equal(node_on_path(proof, levels), claims_.apex_leaves[leaf],
                        place_.part("apex_leaves[" + std::to_string(leaf) + "]"),
                        "the apex leaf is not the node of TreeDNew at its place");
  }

  /// Apex leaves that no challenge hits show in the root over all of them.
  [[nodiscard]] Result<void> check_apex() const {
    std::vector<Node> row = claims_.apex_leaves;
    for (std::size_t size = row.size(); size > 1; size /= 2) {
      for (std::size_t i = 0; i < size; i += 2) {
        row[i / 2] = hash_children(TreeHash::kSha256, std::span<const Node>(row).subspan(i, 2));
      }
    }
    const MerkleProof& any = claims_.challenges.front().d_new;
    return expect_equal(node_on_path(any, params_.random_bits()), row.front(),
                        place_.part("apex_leaves"),
                        "the apex leaves are not those of the partition's part of TreeDNew");
  }

  UpdateParams params_;
  const UpdateStatement& statement_;
  const VanillaUpdatePartition& claims_;
  std::vector<std::uint64_t> challenges_;
  Fr phi_;
  std::vector<std::uint32_t> data_arities_;
  std::vector<std::uint32_t> replica_arities_;
  ClaimPlace place_;
};

}  // namespace

Result<void> check_update_request(const VanillaUpdate& update) {
  const std::uint32_t partitions = update.sector->update_partitions;
  if (partitions == 0) {
    return fail(invalid(std::string(kUpdateCheckStage), "the sector size has no SnapDeals")
                    .in_section(std::string(update.sector->name)));
  }
  return expect_equal(partitions, update.partitions.size(), {kUpdateCheckStage, "vanilla_proofs"},
                      "wrong number of partitions");
}

Result<void> check_vanilla_update(const VanillaUpdate& update, std::uint32_t partition,
                                  const Executor& executor) {
  BELFRY_CHECK(check_update_request(update));
  if (partition >= update.partitions.size()) {
    return fail(
        invalid(std::string(kUpdateCheckStage), "there is no such partition")
            .but("below " + std::to_string(update.partitions.size()), std::to_string(partition)));
  }
  return PartitionCheck(update, partition).run(executor);
}

}  // namespace belfry::filecoin
