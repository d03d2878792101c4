#pragma once

#include <cstdint>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/filecoin/formats/vanilla_proof.h"
#include "belfry/filecoin/native/graph.h"
#include "belfry/filecoin/sealing/sector_files.h"

namespace belfry::filecoin {

/// The layers and trees of a sealed sector whose cache is whole.
struct SealedLayers {
  std::vector<NodeFile> layers;  // (layers), layer 1 first
  StoredTree data_tree;
  StoredTree column_tree;
};
/// kNotFound or kInvalidInput names the file.
[[nodiscard]] Result<SealedLayers> open_layers(const SectorPaths& paths,
                                               const SectorParams& sector);

/// The column of a node and its way into TreeC.
[[nodiscard]] Result<ColumnProof> prove_column(const SealedLayers& sector, std::uint64_t node);

/// The vanilla proof of one challenge (formats.md 3.11) from layers and trees. kInvalidInput if
/// what it touches is damaged; whether the claims agree with each other is for
/// check_vanilla_proofs. Thread-safe. Cost: 17 paths.
[[nodiscard]] Result<VanillaChallenge> prove_challenge(const Graph& graph,
                                                       const SealedLayers& sector,
                                                       const StoredTree& replica_tree,
                                                       std::uint64_t node);

/// Fills in labeling and encoding proofs, which repeat labels of the parents' columns.
void add_labeling(VanillaChallenge& challenge);

}  // namespace belfry::filecoin
