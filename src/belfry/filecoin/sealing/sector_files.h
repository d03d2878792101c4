#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/filecoin/formats/vanilla_proof.h"
#include "belfry/filecoin/native/stored_tree.h"

/// The files of a sealed sector as the reference lays them out (formats.md 3.9).
namespace belfry::filecoin {

/// Where the files of a sector stand: `cache/` and `sealed` in its folder.
class SectorPaths {
 public:
  explicit SectorPaths(std::filesystem::path directory) : directory_(std::move(directory)) {}

  [[nodiscard]] const std::filesystem::path& directory() const noexcept { return directory_; }
  [[nodiscard]] std::filesystem::path cache() const { return directory_ / "cache"; }
  /// The replica.
  [[nodiscard]] std::filesystem::path sealed() const { return directory_ / "sealed"; }
  [[nodiscard]] std::filesystem::path p_aux() const { return cache() / "p_aux"; }
  [[nodiscard]] std::filesystem::path t_aux() const { return cache() / "t_aux"; }
  /// Ours: what else a proof about this sector needs (sector_record.h).
  [[nodiscard]] std::filesystem::path record() const { return directory_ / "sector.json"; }
  [[nodiscard]] std::filesystem::path synthetic_proofs() const {
    return cache() / "syn-porep-vanilla-proofs.dat";
  }
  /// Labels of one layer, from 1.
  [[nodiscard]] std::filesystem::path layer(std::uint32_t number) const;
  /// TreeD, a binary tree with all its rows.
  [[nodiscard]] TreeLocation data_tree(const SectorParams& sector) const;
  /// TreeC with all its rows.
  [[nodiscard]] TreeLocation column_tree(const SectorParams& sector) const;
  /// TreeR over the replica, without its leaves and `discarded` rows above them.
  [[nodiscard]] TreeLocation replica_tree(const SectorParams& sector,
                                          std::uint32_t discarded) const;
  /// The same with the number of rows that the reference discards of its own accord.
  [[nodiscard]] TreeLocation replica_tree(const SectorParams& sector) const;

 private:
  std::filesystem::path directory_;
};

/// `p_aux`: comm_c ‖ comm_r_last.
struct PersistentAux {
  Node comm_c;
  Node comm_r_last;
};
[[nodiscard]] std::vector<std::uint8_t> write_p_aux(const PersistentAux& aux);
/// kInvalidInput unless it is two canonical nodes.
[[nodiscard]] Result<PersistentAux> read_p_aux(const std::filesystem::path& path);
/// Which root of a tree stands in p_aux: comm_c, comm_r_last.
enum class AuxRoot : std::uint8_t { kColumnTree, kReplicaTree };
/// kInvalidInput about p_aux unless it holds the root of a tree; the message names the tree's file.
[[nodiscard]] Result<void> check_root(const SectorPaths& paths, const PersistentAux& aux,
                                      AuxRoot which, const Node& root,
                                      const std::filesystem::path& tree_file);

/// `t_aux`, bincode: where the reference finds the stores. Of all that stands in it, only the
/// number of discarded rows is not known already.
struct TemporaryAux {
  std::uint32_t discarded_rows;  ///< of TreeR
};
/// For a sector whose cache will be `cache`.
[[nodiscard]] std::vector<std::uint8_t> write_t_aux(const SectorParams& sector,
                                                    const std::filesystem::path& cache);
/// kInvalidInput with offset and field if the bytes are none, or if they are of another sector
/// size.
[[nodiscard]] Result<TemporaryAux> parse_t_aux(ByteSpan bytes, const SectorParams& sector,
                                               std::string_view file_name);

/// TreeR of a sealed sector, open for paths, and the commitments beside it. This is all that
/// WinningPoSt and WindowPoSt need.
struct SealedReplica {
  PersistentAux aux;
  StoredTree tree;

  [[nodiscard]] Node comm_r() const;
};
/// Takes the number of discarded rows from `t_aux` where there is one. kInvalidInput if a file is
/// damaged or TreeR's root is not comm_r_last; kNotFound if one is missing.
[[nodiscard]] Result<SealedReplica> open_replica(const SectorPaths& paths,
                                                 const SectorParams& sector);

}  // namespace belfry::filecoin
