#include "belfry/groth16/prove/device_query_gpu.h"

#include <algorithm>

#include "belfry/groth16/params/decode_gpu.h"
#include "belfry/groth16/prove/query_masks_gpu.h"

namespace belfry::groth16 {
Result<DeviceTail> DeviceTail::take(const QueryTail& tail, gpu::Arena& arena) {
  DeviceTail out;
  out.covers_all = tail.covers_all;
  BELFRY_TRY(out.points, arena.take<std::uint32_t>(tail.points.size(), "points of elements"));
  BELFRY_TRY(out.values, arena.take<std::uint32_t>(tail.values.size(), "places of elements"));
  return out;
}

void DeviceTail::upload_async(const QueryTail& tail, gpu::StreamRef stream) const {
  gpu::upload_async<std::uint32_t>(tail.points, points, stream);
  gpu::upload_async<std::uint32_t>(tail.values, values, stream);
}

template <class Curve>
Result<void> DeviceQuery<Curve>::take_points(Section section, std::uint64_t points,
                                             const DeviceTail& tail, bool resident,
                                             gpu::Arena& arena) {
  section_ = section;
  count_ = points;
  tail_ = tail;
  resident_ = resident;
  if (resident) {
    BELFRY_TRY(points_, arena.take<Affine>(points, "points of a query"));
  }
  if (tail.covers_all) {
    tail_points_ = points_;
    return {};
  }
  BELFRY_TRY(tail_points_, arena.take<Affine>(tail.points.size(), "points of elements"));
  return {};
}

template <class Curve>
Result<void> DeviceQuery<Curve>::take_bit_sums(unsigned masks, std::uint64_t tile,
                                               const gpu::DeviceInfo& device, gpu::Arena& arena,
                                               ArenaUse use) {
  using Sums = msm::DeviceSelectedSums<Curve>;
  const auto make = use == ArenaUse::kPlan ? &Sums::take : &Sums::create;
  totals_.assign(masks, Jacobian::infinity());
  const std::uint64_t points = tile * sizeof(curve::G1Affine) / sizeof(Affine);
  return bit_sums_.take({count_, points}, arena,
                        [&](std::uint64_t count) { return make(count, masks, device, arena); });
}

template <class Curve>
Result<void> DeviceQuery<Curve>::take_tail_sum(unsigned sets_per_pass,
                                               const gpu::DeviceInfo& device, gpu::Arena& arena,
                                               ArenaUse use) {
  BELFRY_TRY(scalars_, arena.take<Fr>(tail_points_.size(), "elements"));
  auto sum =
      take_msm<Curve>(tail_points_.size(), {.sets_per_pass = sets_per_pass}, device, arena, use);
  if (!sum) return fail(std::move(sum).error());
  tail_sum_ = std::make_unique<msm::DeviceMsm<Curve>>(*std::move(sum));
  return {};
}

template <class Curve>
Result<void> DeviceQuery<Curve>::take_tail_tiles(const DeviceProverOptions& options,
                                                 const gpu::DeviceInfo& device, gpu::Arena& arena,
                                                 ArenaUse use) {
  const std::uint64_t points = options.streamed_tile() * sizeof(curve::G1Affine) / sizeof(Affine);
  tail_totals_.assign(options.masks, Jacobian::infinity());
  BELFRY_TRY(scalars_, arena.take<Fr>(std::min(points, count_), "elements"));
  return tail_tiles_.take({count_, points}, arena, [&](std::uint64_t count) {
    return take_msm<Curve>(count, {.sets_per_pass = options.sets_per_pass}, device, arena, use);
  });
}

template <class Curve>
void DeviceQuery<Curve>::gather_tail_async(gpu::StreamRef stream) const {
  if (tail_.covers_all) return;
  gather_points_async<Curve>(points_, tail_.points, tail_points_, stream);
}

template <class Curve>
void DeviceQuery<Curve>::begin_pass() {
  std::fill(totals_.begin(), totals_.end(), Jacobian::infinity());
  std::fill(tail_totals_.begin(), tail_totals_.end(), Jacobian::infinity());
  pending_.reset();
  queued_ = 0;
  collected_ = 0;
}

template <class Curve>
void DeviceQuery<Curve>::sum_bit_tile_async(gpu::DeviceSpan<const std::uint64_t> masks,
                                            gpu::DeviceSpan<const Affine> points,
                                            gpu::StreamRef stream) {
  constexpr std::uint64_t kWordBits = 64;
  const std::uint64_t k = queued_++;
  // Masks of one stride, from the tile's first word on; tiles begin at whole words.
  const gpu::DeviceSpan<const std::uint64_t> own(
      masks.data() + bit_sums_.tiles().begin(k) / kWordBits, masks.size());
  bit_sums_.of(k).sum_async(points, own, stream);
  bit_sums_.mark(k, stream);
  if (k > 0) collect(k - 1);
}

template <class Curve>
void DeviceQuery<Curve>::collect(std::uint64_t tile) {
  bit_sums_.wait(tile);
  const auto sums = bit_sums_.of(tile).result();
  for (std::size_t m = 0; m < sums.size(); ++m) totals_[m] += sums[m];
  collected_ = tile + 1;
}

template <class Curve>
const std::vector<typename Curve::Jacobian>& DeviceQuery<Curve>::bit_sums() {
  if (collected_ < bit_sums_.tiles().count()) collect(collected_);
  return totals_;
}

template <class Curve>
void DeviceQuery<Curve>::sum_tail_async(const DeviceValues& values, gpu::StreamRef stream) {
  gather_values_async(values.inputs, values.fields, tail_.values, scalars_, stream);
  tail_sum_->multiply_async(tail_points_, scalars_, stream);
}

template <class Curve>
void DeviceQuery<Curve>::sum_tail_tile_async(std::size_t witness, const DeviceValues& values,
                                             gpu::DeviceSpan<const Affine> points,
                                             gpu::StreamRef stream) {
  const std::uint64_t k = queued_ - 1;
  // One tile's sums share an object, and its place for the result.
  if (pending_ && pending_->tile == k) collect_tail();
  const PointTiles& tiles = tail_tiles_.tiles();
  const auto scalars = scalars_.subspan(0, tiles.size(k));
  gather_values_async(values.inputs, values.fields,
                      tail_.values.subspan(tiles.begin(k), tiles.size(k)), scalars, stream);
  tail_tiles_.of(k).multiply_async(points, scalars, stream);
  tail_tiles_.mark(k, stream);
  if (pending_) collect_tail();
  pending_ = Pending{k, witness};
}

template <class Curve>
void DeviceQuery<Curve>::collect_tail() {
  tail_tiles_.wait(pending_->tile);
  tail_totals_[pending_->witness] += tail_tiles_.of(pending_->tile).result();
  pending_.reset();
}

template <class Curve>
typename Curve::Jacobian DeviceQuery<Curve>::tail_sum(std::size_t witness) {
  if (!streams_tail()) return tail_sum_->result();
  if (pending_) collect_tail();
  return tail_totals_[witness];
}

template class DeviceQuery<curve::G1>;
template class DeviceQuery<curve::G2>;

}  // namespace belfry::groth16
