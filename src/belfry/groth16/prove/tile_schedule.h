#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "belfry/groth16/params/params.h"
#include "belfry/groth16/prove/prover_options.h"

namespace belfry::groth16 {

/// Buffers on a device for tiles of points: two a pool, filled in turn.
enum class TilePool : std::uint8_t {
  kLarge,  ///< stays for a whole pass
  kBits,   ///< lies where a quotient has its arrays, so it is filled beside H sums alone
};
inline constexpr std::size_t kTilePools = 2;
inline constexpr std::size_t kBuffersOfPool = 2;

/// A tile of points that has to come from the host, and to where.
struct TileJob {
  Section section;
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  TilePool pool = TilePool::kLarge;
  std::size_t buffer = 0;  ///< of the pool
};

/// How the tiles of the bit sums of a pass are spread over those of its H sums, so that the bus
/// brings them while the device works: after H tile i come `after(i)` of them, as even as possible.
struct TileMixture {
  std::uint64_t bit_tiles = 0;
  std::uint64_t h_tiles = 1;

  [[nodiscard]] std::uint64_t after(std::uint64_t i) const noexcept {
    return (i + 1) * bit_tiles / h_tiles - i * bit_tiles / h_tiles;
  }
};

/// The tiles of a pass in the order of their use: what is appended, then tiles of H with those of
/// bit sums between them. The next tile may be filled while the one before is read, never more.
class TileSchedule {
 public:
  /// All tiles of a section, one after the other.
  void append(Section section, const PointTiles& tiles);
  /// Tiles of a section that come between those of H.
  void add_bits(Section section, const PointTiles& tiles);
  /// The tiles of H once for each witness, and between them, spread by TileMixture, all that
  /// `add_bits` was given. Once, at the end.
  void append_mixture(const PointTiles& h, std::size_t witnesses);

  [[nodiscard]] std::vector<TileJob> take() && { return std::move(jobs_); }

 private:
  void push(TileJob job);

  std::vector<TileJob> jobs_;
  std::vector<TileJob> bits_;
  std::size_t pushed_[kTilePools]{};
};

}  // namespace belfry::groth16
