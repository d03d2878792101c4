#pragma once

#include <cstdint>
#include <span>

#include "belfry/base/error.h"
#include "belfry/filecoin/native/graph.h"
#include "belfry/filecoin/native/node_file.h"
#include "belfry/filecoin/native/tree_rows.h"
#include "belfry/filecoin/native/work.h"

/// Layers of labels as a whole, and what is made of them: columns and the replica (formats.md 3.6,
/// 3.8).
namespace belfry::filecoin {

/// Fills `labels` with layer number `layer` (from 1) of a sector. Above layer 1, `below` is the
/// layer under it. Each label waits for the one before it, so one worker hashes while the others
/// fetch what the next thousands of nodes need.
///
/// @return kCancelled only
/// Cost: 20 blocks of SHA-256 a node, one after the other.
[[nodiscard]] Result<void> make_layer(const Graph& graph, const Node& replica_id,
                                      std::uint32_t layer, std::span<const Node> below,
                                      std::span<Node> labels, const WorkView& work);

/// Leaves of TreeC: Poseidon over the labels of a node on all layers, lowest first. The files
/// outlive the source.
[[nodiscard]] LeafSource column_hashes(std::span<const NodeFile> layers);

/// replica[i] = label[i] + data[i] mod r. `replica` may be one of the others.
void encode_replica(std::span<const Node> labels, std::span<const Node> data,
                    std::span<Node> replica) noexcept;

}  // namespace belfry::filecoin
