#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace belfry::groth16 {

/// Which points stay in the memory of a device; the others come tile by tile from the host.
enum class Residency : std::uint8_t {
  kAll,
  kH,     ///< H alone: the only points that every partition reads anew
  kNone,  ///< nothing but the points of elements, where they are few (QueryTail)
};
/// "all", "h", "none".
[[nodiscard]] std::string_view to_string(Residency residency) noexcept;

/// Room that a quotient on the domain takes: arrays of the domain's size.
enum class QuotientRoom : std::uint8_t {
  kRoomy,    ///< four, and pairs of transforms; three in the basis of coefficients
  kCompact,  ///< three: each transform alone, and A·w twice
  kSpilled,  ///< two: as kCompact, and one array waits in pinned host memory
};

/// How a device prover lies in memory.
struct DeviceProverOptions {
  unsigned masks = 1;          ///< witnesses that share a pass over the points: 1 to 10
  unsigned lanes = 1;          ///< passes whose witnesses have room at once (WitnessLane): 1 or 2
  unsigned h_copies = 1;       ///< copies of the H points: four make its sum a tenth faster
  unsigned sets_per_pass = 0;  ///< of sums of products; 0: what pays and fits, 1: the least memory
  Residency residency = Residency::kAll;
  QuotientRoom room = QuotientRoom::kRoomy;
  unsigned tile_log = 0;  ///< H is summed in tiles of 2^tile_log points; 0: whole. A streamed tile
                          ///< has as many bytes, at most those of 2^kMostTileLog points of G1

  static constexpr unsigned kMostTileLog = 25;
  /// Tiles begin at whole words of the masks, those of G2 with half the points too.
  static constexpr unsigned kLeastTileLog = 7;

  /// Points of G1 in a tile of the host's.
  [[nodiscard]] std::uint64_t streamed_tile() const noexcept {
    const unsigned log = tile_log == 0 ? kMostTileLog : std::min(tile_log, kMostTileLog);
    return std::uint64_t{1} << log;
  }
  /// Points of G1 in a tile of bit sums that comes between two of H.
  [[nodiscard]] std::uint64_t bit_tile() const noexcept {
    return std::max(streamed_tile() / 2, std::uint64_t{1} << kLeastTileLog);
  }
  friend bool operator==(const DeviceProverOptions&, const DeviceProverOptions&) = default;
};

/// A list of points in tiles of equal size but for the last.
struct PointTiles {
  std::uint64_t points = 0;
  std::uint64_t tile = 0;  ///< 0: one tile has them all

  [[nodiscard]] std::uint64_t count() const noexcept {
    return tile == 0 || points <= tile ? 1 : (points + tile - 1) / tile;
  }
  [[nodiscard]] std::uint64_t begin(std::uint64_t k) const noexcept { return k * tile; }
  [[nodiscard]] std::uint64_t size(std::uint64_t k) const noexcept {
    return count() == 1 ? points : std::min(tile, points - begin(k));
  }
};

}  // namespace belfry::groth16
