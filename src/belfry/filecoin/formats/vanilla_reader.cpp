#include "belfry/filecoin/formats/vanilla_reader.h"

#include <limits>
#include <string_view>
#include <utility>

#include "belfry/filecoin/formats/node.h"

namespace belfry::filecoin {
namespace {

constexpr std::uint64_t kMaxU32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMaxU64 = std::numeric_limits<std::uint64_t>::max();

}  // namespace

Result<Node> read_node(JsonReader& json, JsonValue value, const JsonPlace& place) {
  BELFRY_TRY(const Bytes32 bytes, json.read_bytes32(value, place));
  return parse_node(bytes, [&](const char* message) {
    return json.error_at(json.offset_of(value), place, message);
  });
}

VanillaReader::VanillaReader(JsonReader& json, const SectorParams& sector)
    : json_(json),
      sector_(sector),
      data_tree_(path_shape(kDataTree, sector.nodes())),
      replica_tree_(path_shape(sector.tree, sector.nodes())) {}

Result<void> VanillaReader::read_node_into(Node& out, JsonValue value, const JsonPlace& place) {
  BELFRY_TRY(out, read_node(json_, value, place));
  return {};
}

Result<VanillaPartition> VanillaReader::read_partition(JsonValue value, const JsonPlace& place) {
  VanillaPartition partition;
  BELFRY_CHECK(json_.read_array_of(value, place, sector_.challenges,
                                   [&](std::size_t, JsonValue inner, const JsonPlace& at) {
                                     return read_challenge(partition.emplace_back(), inner, at);
                                   }));
  return partition;
}

Result<void> VanillaReader::read_challenge(VanillaChallenge& out, JsonValue value,
                                           const JsonPlace& place) {
  enum Field : std::uint8_t { kCommD, kCommRLast, kColumns, kLabeling, kEncoding };
  return json_.read_object(
      value, place,
      {{"comm_d_proofs", "comm_r_last_proof", "replica_column_proofs", "labeling_proofs",
        "encoding_proof"}},
      [&](std::size_t which, JsonValue inner, const JsonPlace& at) -> Result<void> {
        switch (which) {
          case kCommD:
            return read_merkle_proof(out.comm_d, data_tree_, inner, at);
          case kCommRLast:
            return read_merkle_proof(out.comm_r_last, replica_tree_, inner, at);
          case kColumns:
            return read_columns(out, inner, at);
          case kEncoding:
            return read_labeling(out.encoding, inner, at);
          default:
            break;
        }
        out.labeling.resize(sector_.layers);
        return json_.read_array_of(
            inner, at, sector_.layers,
            [&](std::size_t layer, JsonValue element, const JsonPlace& below) {
              return read_labeling(out.labeling[layer], element, below);
            });
      });
}

Result<void> VanillaReader::read_columns(VanillaChallenge& out, JsonValue value,
                                         const JsonPlace& place) {
  enum Field : std::uint8_t { kOwn, kDrg, kExpander };
  return json_.read_object(
      value, place, {{"c_x", "drg_parents", "exp_parents"}},
      [&](std::size_t which, JsonValue inner, const JsonPlace& at) -> Result<void> {
        if (which == kOwn) return read_column_proof(out.column, inner, at);
        const std::span<ColumnProof> parents = which == kDrg
                                                   ? std::span<ColumnProof>(out.drg_parents)
                                                   : std::span<ColumnProof>(out.exp_parents);
        return json_.read_array_of(inner, at, parents.size(),
                                   [&](std::size_t i, JsonValue element, const JsonPlace& below) {
                                     return read_column_proof(parents[i], element, below);
                                   });
      });
}

Result<void> VanillaReader::read_column_proof(ColumnProof& out, JsonValue value,
                                              const JsonPlace& place) {
  enum Field : std::uint8_t { kColumn, kInclusion };
  return json_.read_object(
      value, place, {{"column", "inclusion_proof"}},
      [&](std::size_t which, JsonValue inner, const JsonPlace& at) -> Result<void> {
        if (which == kColumn) return read_column(out, inner, at);
        return read_merkle_proof(out.inclusion, replica_tree_, inner, at);
      });
}

Result<void> VanillaReader::read_column(ColumnProof& out, JsonValue value, const JsonPlace& place) {
  enum Field : std::uint8_t { kIndex, kRows };
  return json_.read_object(
      value, place, {{"index", "rows"}},
      [&](std::size_t which, JsonValue inner, const JsonPlace& at) -> Result<void> {
        if (which == kIndex) {
          BELFRY_TRY(const std::uint64_t index, json_.read_integer(inner, at, kMaxU32));
          out.index = static_cast<std::uint32_t>(index);
          return {};
        }
        out.rows.resize(sector_.layers);
        return json_.read_array_of(inner, at, sector_.layers,
                                   [&](std::size_t i, JsonValue row, const JsonPlace& below) {
                                     return read_node_into(out.rows[i], row, below);
                                   });
      });
}

Result<void> VanillaReader::read_labeling(LabelingProof& out, JsonValue value,
                                          const JsonPlace& place) {
  enum Field : std::uint8_t { kLabels, kLayer, kNode };
  return json_.read_object(
      value, place, {{"parents", "layer_index", "node"}},
      [&](std::size_t which, JsonValue inner, const JsonPlace& at) -> Result<void> {
        if (which == kNode) {
          BELFRY_TRY(out.node, json_.read_integer(inner, at, kMaxU64));
          return {};
        }
        if (which == kLayer) {
          BELFRY_TRY(const std::uint64_t layer, json_.read_integer(inner, at, kMaxU32));
          out.layer_index = static_cast<std::uint32_t>(layer);
          return {};
        }
        out.parents.resize(kHashedParents);
        return json_.read_array_of(inner, at, kHashedParents,
                                   [&](std::size_t i, JsonValue parent, const JsonPlace& below) {
                                     return read_node_into(out.parents[i], parent, below);
                                   });
      });
}

Result<void> VanillaReader::read_merkle_proof(MerkleProof& out, const PathShape& tree,
                                              JsonValue value, const JsonPlace& place) {
  const std::string_view wanted = tree.variant();
  out.positions.resize(tree.arities.size());
  out.siblings.resize(tree.siblings);
  return json_.read_object(
      value, place, {{"data"}},
      [&](std::size_t, JsonValue data, const JsonPlace& at) -> Result<void> {
        const std::uint64_t offset = json_.offset_of(data);
        bool found = false;
        const auto read = [&](std::string_view variant, JsonValue inner, const JsonPlace& below) {
          found = found || variant == wanted;
          return read_variant(out, tree, variant, inner, below);
        };
        BELFRY_CHECK(json_.read_map(data, at, read));
        if (found) return {};
        return fail(json_.error_at(offset, at, "no tree").but(std::string(wanted), "nothing"));
      });
}

Result<void> VanillaReader::read_variant(MerkleProof& out, const PathShape& tree,
                                         std::string_view variant, JsonValue value,
                                         const JsonPlace& place) {
  const std::string_view wanted = tree.variant();
  if (variant != wanted) {
    return fail(
        json_.error_at(json_.offset_of(value), place, "the tree is not that of the sector size")
            .but(std::string(wanted), std::string(variant)));
  }
  if (tree.upper_levels == 0) return read_single(out, tree, value, place);
  return read_compound(out, tree, value, place);
}

Result<void> VanillaReader::read_single(MerkleProof& out, const PathShape& tree, JsonValue value,
                                        const JsonPlace& place) {
  enum Field : std::uint8_t { kRoot, kLeaf };
  return json_.read_object(
      value, place, {{"root", "leaf", "path"}},
      [&](std::size_t which, JsonValue inner, const JsonPlace& at) -> Result<void> {
        if (which == kRoot) return read_node_into(out.root, inner, at);
        if (which == kLeaf) return read_node_into(out.leaf, inner, at);
        return read_path(out, tree, {0, tree.arities.size()}, inner, at);
      });
}

Result<void> VanillaReader::read_compound(MerkleProof& out, const PathShape& tree, JsonValue value,
                                          const JsonPlace& place) {
  enum Field : std::uint8_t { kRoot, kLeaf, kBase, kSub, kTop };
  const std::size_t base_levels = tree.base_levels();
  const auto handler = [&](std::size_t which, JsonValue inner,
                           const JsonPlace& at) -> Result<void> {
    if (which == kRoot) return read_node_into(out.root, inner, at);
    if (which == kLeaf) return read_node_into(out.leaf, inner, at);
    if (which == kBase) return read_path(out, tree, {0, base_levels}, inner, at);
    return read_path(out, tree, {base_levels + (which - kSub), 1}, inner, at);
  };
  if (tree.upper_levels == 1)
    return json_.read_object(value, place, {{"root", "leaf", "base_proof", "sub_proof"}}, handler);
  return json_.read_object(value, place, {{"root", "leaf", "base_proof", "sub_proof", "top_proof"}},
                           handler);
}

Result<void> VanillaReader::read_path(MerkleProof& out, const PathShape& tree, Section section,
                                      JsonValue value, const JsonPlace& place) {
  return json_.read_object(value, place, {{"path"}},
                           [&](std::size_t, JsonValue levels, const JsonPlace& at) -> Result<void> {
                             return json_.read_array_of(
                                 levels, at, section.count,
                                 [&](std::size_t i, JsonValue level, const JsonPlace& below) {
                                   return read_level(out, tree, section.first + i, level, below);
                                 });
                           });
}

Result<void> VanillaReader::read_level(MerkleProof& out, const PathShape& tree, std::size_t level,
                                       JsonValue value, const JsonPlace& place) {
  enum Field : std::uint8_t { kHashes, kIndex };
  const std::size_t arity = tree.arities[level];
  std::size_t first = 0;
  for (std::size_t below = 0; below < level; ++below) first += tree.arities[below] - 1;
  return json_.read_object(
      value, place, {{"hashes", "index"}},
      [&](std::size_t which, JsonValue inner, const JsonPlace& at) -> Result<void> {
        if (which == kIndex) {
          BELFRY_TRY(const std::uint64_t index, json_.read_integer(inner, at, arity - 1));
          out.positions[level] = static_cast<std::uint8_t>(index);
          return {};
        }
        return json_.read_array_of(inner, at, arity - 1,
                                   [&](std::size_t i, JsonValue hash, const JsonPlace& below) {
                                     return read_node_into(out.siblings[first + i], hash, below);
                                   });
      });
}

}  // namespace belfry::filecoin
