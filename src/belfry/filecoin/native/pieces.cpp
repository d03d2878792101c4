#include "belfry/filecoin/native/pieces.h"

#include <array>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "belfry/filecoin/native/fr32.h"
#include "belfry/filecoin/native/tree_rows.h"
#include "belfry/filecoin/native/trees.h"

namespace belfry::filecoin {
namespace {

constexpr std::string_view kPiecesStage = "filecoin.pieces";

bool is_piece_size(std::uint64_t unpadded) noexcept {
  return unpadded % kUnpaddedGroup == 0 && std::has_single_bit(unpadded / kUnpaddedGroup);
}

/// log2 of the nodes of a piece: 127 bytes become four.
std::uint32_t height_of(std::uint64_t unpadded) noexcept {
  return static_cast<std::uint32_t>(
      std::countr_zero(unpadded / kUnpaddedGroup * (kPaddedGroup / kNodeBytes)));
}

/// Commitments to runs of nodes, joined while the two last are of equal height.
class PieceStack {
 public:
  void push(const Node& commitment, std::uint32_t height) {
    while (!stack_.empty() && stack_.back().height < height) {
      add(zero_commitment(stack_.back().height), stack_.back().height);
    }
    add(commitment, height);
  }
  [[nodiscard]] Node root() {
    while (stack_.size() > 1) {
      add(zero_commitment(stack_.back().height), stack_.back().height);
    }
    return stack_.front().commitment;
  }

 private:
  struct Entry {
    Node commitment;
    std::uint32_t height;
  };
  void add(Node commitment, std::uint32_t height) {
    while (!stack_.empty() && stack_.back().height == height) {
      const std::vector<Node> pair{stack_.back().commitment, commitment};
      commitment = hash_children(TreeHash::kSha256, pair);
      ++height;
      stack_.pop_back();
    }
    stack_.push_back({commitment, height});
  }
  std::vector<Entry> stack_;
};

Error size_error(std::string section, std::uint64_t found) {
  return invalid(std::string(kPiecesStage), "a piece has 127·2^k unpadded bytes")
      .in_section(std::move(section))
      .but("127·2^k bytes", std::to_string(found));
}

}  // namespace

PieceAlignment piece_alignment(std::uint64_t written, std::uint64_t size) noexcept {
  std::uint64_t needed = kUnpaddedGroup;
  while (needed < size) needed *= 2;
  const std::uint64_t beyond = written % needed;
  return {beyond == 0 ? 0 : needed - beyond, needed - size};
}

Node zero_commitment(std::uint32_t height) noexcept {
  Node node;
  for (std::uint32_t i = 0; i < height; ++i) {
    const std::array<Node, 2> pair{node, node};
    node = hash_children(TreeHash::kSha256, pair);
  }
  return node;
}

Result<Node> piece_commitment(ByteSpan data, const WorkView& work) {
  if (!is_piece_size(data.size())) return fail(size_error("", data.size()));
  const auto keep_nothing = [](std::uint32_t, std::uint64_t, std::span<const Node>) {
    return Result<void>();
  };
  return build_tree(RowHasher(TreeHash::kSha256, 2), fr32_nodes(data.size()), fr32_leaves(data),
                    keep_nothing, work);
}

Result<Node> comm_d_of_pieces(const SectorParams& sector, std::span<const Piece> pieces) {
  if (pieces.empty()) {
    return zero_commitment(static_cast<std::uint32_t>(std::countr_zero(sector.nodes())));
  }
  const std::uint64_t room = unpadded_size(sector.bytes);
  std::uint64_t used = 0;
  PieceStack stack;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::string section = "pieces[" + std::to_string(i) + "]";
    const std::uint64_t size = pieces[i].unpadded_bytes;
    if (!is_piece_size(size)) return fail(size_error(section, size));
    // Zero pieces in front count, too.
    const PieceAlignment zeros = piece_alignment(used, size);
    if (size > room || zeros.left > room - used || size > room - used - zeros.left) {
      return fail(invalid(std::string(kPiecesStage), "the pieces do not fit into the sector")
                      .in_section(section)
                      .but("at most " + std::to_string(room) + " unpadded bytes in all",
                           std::to_string(size) + " behind " + std::to_string(used + zeros.left)));
    }
    used += zeros.left + size;
    stack.push(pieces[i].commitment, height_of(size));
  }
  return stack.root();
}

}  // namespace belfry::filecoin
