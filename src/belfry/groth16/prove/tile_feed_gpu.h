#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "belfry/gpu/device_span.h"
#include "belfry/gpu/stream.h"
#include "belfry/groth16/prove/device_parameters_gpu.h"
#include "belfry/groth16/prove/tile_schedule.h"

namespace belfry::groth16 {

/// One of something for each buffer of each pool.
template <class T>
using OfTileBuffers = std::array<std::array<T, kBuffersOfPool>, kTilePools>;

/// The events of a feed, made at start-up.
struct TileEvents {
  gpu::Event begun;
  gpu::Event bits_room;
  OfTileBuffers<gpu::Event> arrived;
  OfTileBuffers<gpu::Event> read;
};

/// Tiles of points on their way to the buffers of a device: while one is read by the stream of the
/// sums, the next fills another through the loader's stream.
///
/// The caller takes every tile in the order of the jobs, queues what reads it and releases it.
/// `release` begins the next tile, so the host spends the copy's time there while the device is
/// busy. Throws gpu::CudaError. One thread.
class TileFeed {
 public:
  using Buffers = OfTileBuffers<gpu::DeviceSpan<std::byte>>;

  /// Begins the first tile after all that `stream` has queued. The referents outlive the feed.
  TileFeed(PointLoader& loader, const Buffers& buffers, TileEvents& events,
           std::vector<TileJob> jobs, gpu::StreamRef stream);

  /// What `stream` has queued is done before a buffer of TilePool::kBits is filled.
  void bits_room_after(gpu::StreamRef stream);

  /// The next tile, of curve::G1 or G2 as its section is; `stream` waits for its arrival.
  template <class Curve>
  [[nodiscard]] gpu::DeviceSpan<const typename Curve::Affine> take(gpu::StreamRef stream);
  /// Begins the tile after the one that was taken, before `release` would: for callers that have
  /// queued enough of its work to keep the device busy.
  void prefetch();
  /// Everything that reads the tile is queued on `stream`.
  void release(gpu::StreamRef stream);

 private:
  template <class Curve>
  [[nodiscard]] gpu::DeviceSpan<typename Curve::Affine> place(const TileJob& job) const;
  [[nodiscard]] static gpu::Event& of(OfTileBuffers<gpu::Event>& events, const TileJob& job) {
    return events[static_cast<std::size_t>(job.pool)][job.buffer];
  }
  void start();

  PointLoader& loader_;
  Buffers buffers_;
  TileEvents& events_;
  std::vector<TileJob> jobs_;
  std::size_t begun_ = 0;
  std::size_t next_ = 0;
  OfTileBuffers<bool> was_read_{};
};

}  // namespace belfry::groth16
