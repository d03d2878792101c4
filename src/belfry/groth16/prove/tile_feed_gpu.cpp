#include "belfry/groth16/prove/tile_feed_gpu.h"

#include <utility>

namespace belfry::groth16 {

TileFeed::TileFeed(PointLoader& loader, const Buffers& buffers, TileEvents& events,
                   std::vector<TileJob> jobs, gpu::StreamRef stream)
    : loader_(loader), buffers_(buffers), events_(events), jobs_(std::move(jobs)) {
  events_.begun.record(stream);
  events_.begun.order_before(loader_.stream());
  start();
}

void TileFeed::bits_room_after(gpu::StreamRef stream) { events_.bits_room.record(stream); }

template <class Curve>
gpu::DeviceSpan<typename Curve::Affine> TileFeed::place(const TileJob& job) const {
  const auto& buffer = buffers_[static_cast<std::size_t>(job.pool)][job.buffer];
  return {reinterpret_cast<typename Curve::Affine*>(buffer.data()), job.count};
}

void TileFeed::start() {
  if (begun_ >= jobs_.size()) return;
  const TileJob& tile = jobs_[begun_++];
  if (tile.pool == TilePool::kBits) events_.bits_room.order_before(loader_.stream());
  if (was_read_[static_cast<std::size_t>(tile.pool)][tile.buffer]) {
    of(events_.read, tile).order_before(loader_.stream());
  }
  if (tile.section == Section::kBG2) {
    loader_.load<curve::G2>(tile.section, tile.first, place<curve::G2>(tile));
  } else {
    loader_.load<curve::G1>(tile.section, tile.first, place<curve::G1>(tile));
  }
  of(events_.arrived, tile).record(loader_.stream());
}

template <class Curve>
gpu::DeviceSpan<const typename Curve::Affine> TileFeed::take(gpu::StreamRef stream) {
  const TileJob& tile = jobs_[next_];
  of(events_.arrived, tile).order_before(stream);
  return place<Curve>(tile);
}

void TileFeed::prefetch() {
  if (begun_ == next_ + 1) start();
}

void TileFeed::release(gpu::StreamRef stream) {
  const TileJob& tile = jobs_[next_];
  of(events_.read, tile).record(stream);
  was_read_[static_cast<std::size_t>(tile.pool)][tile.buffer] = true;
  prefetch();
  ++next_;
}

template gpu::DeviceSpan<const curve::G1Affine> TileFeed::take<curve::G1>(gpu::StreamRef);
template gpu::DeviceSpan<const curve::G2Affine> TileFeed::take<curve::G2>(gpu::StreamRef);

}  // namespace belfry::groth16
