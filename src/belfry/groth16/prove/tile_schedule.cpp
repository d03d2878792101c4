#include "belfry/groth16/prove/tile_schedule.h"

namespace belfry::groth16 {

void TileSchedule::push(TileJob job) {
  job.buffer = pushed_[static_cast<std::size_t>(job.pool)]++ % kBuffersOfPool;
  jobs_.push_back(job);
}

void TileSchedule::append(Section section, const PointTiles& tiles) {
  for (std::uint64_t k = 0; k < tiles.count(); ++k) {
    push({.section = section, .first = tiles.begin(k), .count = tiles.size(k)});
  }
}

void TileSchedule::add_bits(Section section, const PointTiles& tiles) {
  for (std::uint64_t k = 0; k < tiles.count(); ++k) {
    bits_.push_back({.section = section,
                     .first = tiles.begin(k),
                     .count = tiles.size(k),
                     .pool = TilePool::kBits});
  }
}

void TileSchedule::append_mixture(const PointTiles& h, std::size_t witnesses) {
  const TileMixture mixture{bits_.size(), witnesses * h.count()};
  std::size_t next = 0;
  for (std::uint64_t i = 0; i < mixture.h_tiles; ++i) {
    const std::uint64_t k = i % h.count();
    push({.section = Section::kH, .first = h.begin(k), .count = h.size(k)});
    for (std::uint64_t left = mixture.after(i); left > 0; --left) push(bits_[next++]);
  }
}

}  // namespace belfry::groth16
