#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "belfry/gpu/device_span.h"
#include "belfry/gpu/stream.h"
#include "belfry/groth16/prove/device_parameters_gpu.h"
#include "belfry/groth16/prove/prover_options.h"

namespace belfry::groth16 {

/// A tile of points that has to come from the host.
struct TileJob {
  Section section;
  std::uint64_t first;
  std::uint64_t count;
};
/// Appends the tiles of a section.
void append_jobs(Section section, const PointTiles& tiles, std::vector<TileJob>& jobs);

/// The events of a feed, made at start-up.
struct TileEvents {
  gpu::Event begun;
  std::array<gpu::Event, 2> arrived;
  std::array<gpu::Event, 2> read;
};

/// Tiles of points on their way to two buffers of a device in turn: while one is read by the stream
/// of the sums, the next fills the other through the loader's stream.
///
/// The caller takes every tile in the order of the jobs, queues what reads it and releases it.
/// `release` begins the next tile, so the host spends the copy's time there while the device is
/// busy. Throws gpu::CudaError. One thread.
class TileFeed {
 public:
  using Buffers = std::array<gpu::DeviceSpan<std::byte>, 2>;

  /// Begins the first tile after all that `stream` has queued. The referents outlive the feed.
  TileFeed(PointLoader& loader, const Buffers& buffers, TileEvents& events,
           std::vector<TileJob> jobs, gpu::StreamRef stream);

  /// The next tile, of curve::G1 or G2 as its section is; `stream` waits for its arrival.
  template <class Curve>
  [[nodiscard]] gpu::DeviceSpan<const typename Curve::Affine> take(gpu::StreamRef stream);
  /// Everything that reads the tile is queued on `stream`.
  void release(gpu::StreamRef stream);

 private:
  template <class Curve>
  [[nodiscard]] gpu::DeviceSpan<typename Curve::Affine> place(std::size_t job) const;
  void start(std::size_t job);

  PointLoader& loader_;
  Buffers buffers_;
  TileEvents& events_;
  std::vector<TileJob> jobs_;
  std::size_t next_ = 0;
};

}  // namespace belfry::groth16
