#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "belfry/base/error.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/stream.h"
#include "belfry/groth16/prove/prover_options.h"

namespace belfry::groth16 {

/// What stands behind an arena: nothing, so that objects are measured, or memory of the device.
enum class ArenaUse : std::uint8_t { kPlan, kRun };

/// Objects that sum tiles one after the other on one stream, in one workspace: two for tiles of
/// full size, so that the result of one is read while the other works, and one for the last.
///
/// Throws gpu::CudaError.
template <class Sum>
class TiledSums {
 public:
  /// Takes the largest of the workspaces, which the caller gives back with a scope.
  ///
  /// @param make  (points) -> Result<Sum>, takes its workspace from `arena`
  template <class Make>
  [[nodiscard]] Result<void> take(const PointTiles& tiles, gpu::Arena& arena, const Make& make) {
    tiles_ = tiles;
    std::uint64_t largest = 0;
    const auto put = [&](std::size_t place, std::uint64_t points) -> Result<void> {
      const std::uint64_t before = arena.used_bytes();
      const gpu::Arena::Scope scope(arena);
      auto sum = make(points);
      if (!sum) return fail(std::move(sum).error());
      largest = std::max(largest, arena.used_bytes() - before);
      sums_[place] = std::make_unique<Sum>(*std::move(sum));
      return {};
    };
    for (std::size_t i = 0; i < kFull && i + 1 < tiles.count(); ++i) {
      BELFRY_CHECK(put(i, tiles.tile));
    }
    BELFRY_CHECK(put(kFull, tiles.size(tiles.count() - 1)));
    BELFRY_TRY(workspace_, arena.take<std::byte>(largest, "sums of tiles"));
    return {};
  }

  [[nodiscard]] const PointTiles& tiles() const noexcept { return tiles_; }
  /// What sums tile k.
  [[nodiscard]] Sum& of(std::uint64_t k) const noexcept {
    return *sums_[k + 1 == tiles_.count() ? kFull : k % kFull];
  }
  /// Tile k is queued on `stream`.
  void mark(std::uint64_t k, gpu::StreamRef stream) { done_[k % kFull].record(stream); }
  /// Blocks until tile k is summed; the tile after it may be queued, none later.
  void wait(std::uint64_t k) const { done_[k % kFull].synchronize(); }

 private:
  static constexpr std::size_t kFull = 2;

  PointTiles tiles_;
  gpu::DeviceSpan<std::byte> workspace_;  // of all of them
  std::array<std::unique_ptr<Sum>, kFull + 1> sums_;
  std::array<gpu::Event, kFull> done_;
};

}  // namespace belfry::groth16
