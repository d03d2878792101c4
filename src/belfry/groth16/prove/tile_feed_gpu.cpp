#include "belfry/groth16/prove/tile_feed_gpu.h"

#include <utility>

namespace belfry::groth16 {

void append_jobs(Section section, const PointTiles& tiles, std::vector<TileJob>& jobs) {
  for (std::uint64_t k = 0; k < tiles.count(); ++k) {
    jobs.push_back({section, tiles.begin(k), tiles.size(k)});
  }
}

TileFeed::TileFeed(PointLoader& loader, const Buffers& buffers, TileEvents& events,
                   std::vector<TileJob> jobs, gpu::StreamRef stream)
    : loader_(loader), buffers_(buffers), events_(events), jobs_(std::move(jobs)) {
  events_.begun.record(stream);
  events_.begun.order_before(loader_.stream());
  start(0);
}

template <class Curve>
gpu::DeviceSpan<typename Curve::Affine> TileFeed::place(std::size_t job) const {
  return {reinterpret_cast<typename Curve::Affine*>(buffers_[job % 2].data()), jobs_[job].count};
}

void TileFeed::start(std::size_t job) {
  if (job >= jobs_.size()) return;
  if (job >= buffers_.size()) events_.read[job % 2].order_before(loader_.stream());
  const TileJob& tile = jobs_[job];
  if (tile.section == Section::kBG2) {
    loader_.load<curve::G2>(tile.section, tile.first, place<curve::G2>(job));
  } else {
    loader_.load<curve::G1>(tile.section, tile.first, place<curve::G1>(job));
  }
  events_.arrived[job % 2].record(loader_.stream());
}

template <class Curve>
gpu::DeviceSpan<const typename Curve::Affine> TileFeed::take(gpu::StreamRef stream) {
  events_.arrived[next_ % 2].order_before(stream);
  return place<Curve>(next_);
}

void TileFeed::release(gpu::StreamRef stream) {
  events_.read[next_ % 2].record(stream);
  start(++next_);
}

template gpu::DeviceSpan<const curve::G1Affine> TileFeed::take<curve::G1>(gpu::StreamRef);
template gpu::DeviceSpan<const curve::G2Affine> TileFeed::take<curve::G2>(gpu::StreamRef);

}  // namespace belfry::groth16
