#pragma once

#include <cstdint>
#include <span>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/filecoin/formats/vanilla_proof.h"
#include "belfry/filecoin/native/work.h"

/// Pieces of data and what they commit to (formats.md 3.4).
namespace belfry::filecoin {

/// A piece as the chain knows it. Its padded size is a power of two of at least 128 bytes.
struct Piece {
  Node commitment;
  std::uint64_t unpadded_bytes;
};

/// Zero bytes around a piece that is written behind `written` unpadded bytes of a sector: `left` so
/// that it begins at a multiple of its size, `right` so that this is 127·2^k.
struct PieceAlignment {
  std::uint64_t left;
  std::uint64_t right;
};
[[nodiscard]] PieceAlignment piece_alignment(std::uint64_t written, std::uint64_t size) noexcept;

/// Commitment to 2^height nodes of zero bytes.
[[nodiscard]] Node zero_commitment(std::uint32_t height) noexcept;

/// Commitment to data of 127·2^k bytes: the root of the data tree over its padded form.
/// kInvalidInput for another size. Parallel.
[[nodiscard]] Result<Node> piece_commitment(ByteSpan data, const WorkView& work);

/// The root over the pieces in order, each moved to a multiple of its size by zero pieces, up to
/// the next power of two, or over the empty sector if there are none. It is the comm_d of the
/// sector only if the pieces fill it. kInvalidInput names the piece: its size is none, or the
/// pieces do not fit into the sector.
[[nodiscard]] Result<Node> comm_d_of_pieces(const SectorParams& sector,
                                            std::span<const Piece> pieces);

}  // namespace belfry::filecoin
