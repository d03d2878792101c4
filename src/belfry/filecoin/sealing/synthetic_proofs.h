#pragma once

#include <cstdint>
#include <filesystem>
#include <utility>

#include "belfry/base/error.h"
#include "belfry/base/file.h"
#include "belfry/filecoin/native/challenges.h"
#include "belfry/filecoin/sealing/challenge_prover.h"

/// `syn-porep-vanilla-proofs.dat`: what a synthetic sector keeps instead of layers and trees, a
/// record for every challenge that the seed could select (formats.md 3.9).
namespace belfry::filecoin {

/// Bytes of one record.
[[nodiscard]] std::uint64_t synthetic_record_bytes(const SectorParams& sector);

/// What the records are made of.
struct SyntheticSource {
  const SectorParams& sector;
  const Graph& graph;
  const SyntheticSet& set;
  const SealedLayers& layers;
  const StoredTree& replica_tree;  ///< completed, since all of it is read
};
/// Writes the file, which does not exist yet, some thousand records at a time, in parallel. 2 KiB:
/// half a megabyte; 8 MiB: 6 GB, as all large sectors have 2^18 challenges. Counts records as done.
[[nodiscard]] Result<void> write_synthetic_proofs(const SyntheticSource& source,
                                                  const std::filesystem::path& path,
                                                  const WorkView& work);

/// The file, open for single records. Thread-safe.
class SyntheticProofs {
 public:
  /// kInvalidInput unless the size is that of all records of the sector.
  [[nodiscard]] static Result<SyntheticProofs> open(const std::filesystem::path& path,
                                                    const SectorParams& sector);

  /// Roots of TreeD, TreeC and TreeR.
  [[nodiscard]] const Node& root_d() const noexcept { return root_d_; }
  [[nodiscard]] const Node& root_c() const noexcept { return root_c_; }
  [[nodiscard]] const Node& root_r() const noexcept { return root_r_; }
  /// Record number `index`, which must be about `node` and its parents in the graph. kInvalidInput
  /// names file, offset and field.
  [[nodiscard]] Result<VanillaChallenge> challenge(const Graph& graph, std::uint64_t index,
                                                   std::uint64_t node) const;

 private:
  SyntheticProofs(MappedFile file, const SectorParams& sector)
      : file_(std::move(file)), sector_(&sector) {}

  MappedFile file_;
  const SectorParams* sector_;
  Node root_d_;
  Node root_c_;
  Node root_r_;
};

}  // namespace belfry::filecoin
