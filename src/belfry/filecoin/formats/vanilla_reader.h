#pragma once

#include <cstdint>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/filecoin/formats/json_reader.h"
#include "belfry/filecoin/formats/path_shape.h"
#include "belfry/filecoin/formats/vanilla_proof.h"

namespace belfry::filecoin {

/// A tree node, label or commitment: 32 bytes and canonical.
[[nodiscard]] Result<Node> read_node(JsonReader& json, JsonValue value, const JsonPlace& place);

/// Reads the vanilla proofs of one sector size (formats.md 5.2): every list has the length that the
/// size dictates, so nothing is allocated by a number that stands in the text.
class VanillaReader {
 public:
  VanillaReader(JsonReader& json, const SectorParams& sector);

  /// The challenges of one partition.
  [[nodiscard]] Result<VanillaPartition> read_partition(JsonValue value, const JsonPlace& place);

 private:
  /// A part of a path of one arity: levels [first, first + count).
  struct Section {
    std::size_t first;
    std::size_t count;
  };

  [[nodiscard]] Result<void> read_challenge(VanillaChallenge& out, JsonValue value,
                                            const JsonPlace& place);
  [[nodiscard]] Result<void> read_columns(VanillaChallenge& out, JsonValue value,
                                          const JsonPlace& place);
  [[nodiscard]] Result<void> read_column_proof(ColumnProof& out, JsonValue value,
                                               const JsonPlace& place);
  [[nodiscard]] Result<void> read_column(ColumnProof& out, JsonValue value, const JsonPlace& place);
  [[nodiscard]] Result<void> read_labeling(LabelingProof& out, JsonValue value,
                                           const JsonPlace& place);
  [[nodiscard]] Result<void> read_merkle_proof(MerkleProof& out, const PathShape& tree,
                                               JsonValue value, const JsonPlace& place);
  [[nodiscard]] Result<void> read_variant(MerkleProof& out, const PathShape& tree,
                                          std::string_view variant, JsonValue value,
                                          const JsonPlace& place);
  [[nodiscard]] Result<void> read_single(MerkleProof& out, const PathShape& tree, JsonValue value,
                                         const JsonPlace& place);
  [[nodiscard]] Result<void> read_compound(MerkleProof& out, const PathShape& tree, JsonValue value,
                                           const JsonPlace& place);
  [[nodiscard]] Result<void> read_path(MerkleProof& out, const PathShape& tree, Section section,
                                       JsonValue value, const JsonPlace& place);
  [[nodiscard]] Result<void> read_level(MerkleProof& out, const PathShape& tree, std::size_t level,
                                        JsonValue value, const JsonPlace& place);
  [[nodiscard]] Result<void> read_node_into(Node& out, JsonValue value, const JsonPlace& place);

  JsonReader& json_;
  const SectorParams& sector_;
  PathShape data_tree_;
  PathShape replica_tree_;
};

}  // namespace belfry::filecoin
