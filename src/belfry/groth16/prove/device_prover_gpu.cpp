#include "belfry/groth16/prove/device_prover_gpu.h"

#include <algorithm>
#include <string>
#include <utility>

#include "belfry/gpu/drain.h"
#include "belfry/gpu/fill.h"

namespace belfry::groth16 {

std::uint64_t DeviceProver::host_bytes() const noexcept {
  constexpr std::uint64_t kStaging = 2 * gpu::StagedUpload::kBufferBytes;
  const std::uint64_t gathered =
      options_.residency == Residency::kAll ? 0 : kGatheredAtOnce * sizeof(curve::G2Affine);
  return kStaging + gathered + shape_->memory_bytes() +
         DeviceQuotient::host_bytes(tree_->domain().size(), options_.room);
}

std::vector<TileJob> DeviceProver::jobs(std::size_t witnesses) {
  TileSchedule out;
  const auto add = [&](auto& query, Query, const QueryStages&) -> Result<void> {
    if (mixes(query)) {
      out.add_bits(query.section(), query.tiles());
    } else {
      out.append(query.section(), query.tiles());
    }
    return {};
  };
  (void)visit_queries(add);
  if (options_.residency == Residency::kNone) out.append_mixture(h_sums_.tiles(), witnesses);
  return std::move(out).take();
}

std::uint64_t DeviceProver::mixed_tiles_left() {
  std::uint64_t tiles = 0;
  (void)visit_queries([&](auto& query, Query, const QueryStages&) -> Result<void> {
    if (mixes(query)) tiles += query.bit_tiles_left();
    return {};
  });
  return tiles;
}

Result<std::vector<PartialSums>> DeviceProver::prove(std::span<const r1cs::PackedWitness> witnesses,
                                                     const PointSupply& supply,
                                                     const CancelToken& cancel,
                                                     gpu::StreamRef stream) {
  std::vector<PartialSums> sums;
  clock_.start(stream);
  for (std::size_t done = 0; done < witnesses.size(); done += options_.masks) {
    const auto pass =
        witnesses.subspan(done, std::min<std::size_t>(options_.masks, witnesses.size() - done));
    BELFRY_CHECK(upload(0, pass, supply.upload));
    BELFRY_CHECK(run_pass(0, supply, cancel, stream, sums));
  }
  times_ = clock_.times();
  return sums;
}

Result<WitnessLane*> DeviceProver::lane(unsigned number) {
  if (number < lanes_.size()) return &lanes_[number];
  return fail(Error{ErrorCode::kInvalidUsage, "groth16.device_prover", "no such lane"}.but(
      "below " + std::to_string(lanes_.size()), std::to_string(number)));
}

Result<void> DeviceProver::upload(unsigned number, std::span<const r1cs::PackedWitness> witnesses,
                                  gpu::StagedUpload& staging) {
  BELFRY_TRY(WitnessLane* const to, lane(number));
  return to->upload(*rows_, witnesses, staging);
}

Result<std::vector<PartialSums>> DeviceProver::prove_lane(unsigned number,
                                                          const PointSupply& supply,
                                                          const CancelToken& cancel,
                                                          gpu::StreamRef stream) {
  std::vector<PartialSums> sums;
  clock_.start(stream);
  BELFRY_CHECK(run_pass(number, supply, cancel, stream, sums));
  times_ = clock_.times();
  return sums;
}

void DeviceProver::drain() const noexcept {
  gpu::drain(tiles_stream_);
  for (const WitnessLane& lane : lanes_) lane.drain();
}

Result<void> DeviceProver::run_pass(unsigned number, const PointSupply& supply,
                                    const CancelToken& cancel, gpu::StreamRef stream,
                                    std::vector<PartialSums>& out) {
  BELFRY_TRY(const WitnessLane* const from, lane(number));
  witnesses_ = from->witnesses();
  if (witnesses_.empty()) {
    return fail(ErrorCode::kInvalidUsage, "groth16.device_prover", "the lane has no witnesses");
  }
  from->order_before(stream);
  clock_.mark(stages::kUpload, stream);
  if (options_.residency == Residency::kAll) {
    const auto proved = prove_pass(nullptr, cancel, stream, out);
    // Whoever leaves early leaves nothing behind that reads the lane, or a tile, any more.
    if (!proved) gpu::wait_for(stream);
    return proved;
  }
  PointLoader loader(supply.points, supply.upload, faults_, tiles_stream_);
  TileFeed feed(loader, buffers_, tile_events_, jobs(witnesses_.size()), stream);
  const auto proved = prove_pass(&feed, cancel, stream, out);
  gpu::wait_for(stream);
  BELFRY_CHECK(loader.check());
  return proved;
}

Result<void> DeviceProver::prove_pass(TileFeed* feed, const CancelToken& cancel,
                                      gpu::StreamRef stream, std::vector<PartialSums>& out) {
  make_masks_async(stream);
  BELFRY_CHECK(sum_first_async(feed, cancel, stream));
  const bool mixed = options_.residency == Residency::kNone;
  const TileMixture mixture{mixed_tiles_left(), witnesses_.size() * h_sums_.tiles().count()};
  sum_tails_async(0, stream);
  tails_done_.record(stream);
  std::vector<WitnessSums> sums;
  for (std::size_t k = 0; k < witnesses_.size(); ++k) {
    // The host reads one stage's sums while the device runs the next, which needs their place last.
    BELFRY_CHECK(cancel.check("groth16.device_prover"));
    BELFRY_CHECK(sum_h_async(k, mixed ? feed : nullptr, mixture, cancel, stream));
    rows_done_.record(stream);
    tails_done_.synchronize();
    sums.push_back(read_tails(k));
    if (k + 1 < witnesses_.size()) {
      sum_tails_async(k + 1, stream);
      tails_done_.record(stream);
    }
    rows_done_.synchronize();
    collect_h(h_sums_.tiles().count() - 1);
    sums.back().h = h_total_;
  }
  for (std::size_t k = 0; k < sums.size(); ++k) out.push_back(with_bits(k, sums[k]));
  return {};
}

void DeviceProver::make_masks_async(gpu::StreamRef stream) {
  masks_->clear_async(stream);
  for (std::size_t k = 0; k < witnesses_.size(); ++k) {
    r1cs::spread_bits_async(*rows_, witnesses_[k], ones_, stream);
    masks_->make_async(static_cast<unsigned>(k), ones_, stream);
  }
  clock_.mark(stages::kMasks, stream);
  l_.begin_pass();
  a_.begin_pass();
  b_g1_.begin_pass();
  b_g2_.begin_pass();
}

Result<void> DeviceProver::sum_first_async(TileFeed* feed, const CancelToken& cancel,
                                           gpu::StreamRef stream) {
  return visit_queries([&](auto& query, Query scalars, const QueryStages& names) -> Result<void> {
    while (!mixes(query) && query.bit_tiles_left() > 0) {
      BELFRY_CHECK(cancel.check("groth16.device_prover"));
      sum_tile_async(query, scalars, names, feed, stream);
    }
    return {};
  });
}

void DeviceProver::sum_mixed_tile_async(TileFeed& feed, gpu::StreamRef stream) {
  bool summed = false;
  (void)visit_queries([&](auto& query, Query scalars, const QueryStages& names) -> Result<void> {
    if (summed || !mixes(query) || query.bit_tiles_left() == 0) return {};
    sum_tile_async(query, scalars, names, &feed, stream);
    summed = true;
    return {};
  });
}

template <class Curve>
void DeviceProver::sum_tile_async(DeviceQuery<Curve>& query, Query scalars,
                                  const QueryStages& names, TileFeed* feed, gpu::StreamRef stream) {
  const gpu::DeviceSpan<const typename Curve::Affine> points =
      feed != nullptr ? feed->take<Curve>(stream)
                      : gpu::DeviceSpan<const typename Curve::Affine>(query.points());
  query.sum_bit_tile_async(masks_->masks(scalars), points, stream);
  clock_.mark(names.bits, stream);
  if (feed == nullptr) return;
  if (query.streams_tail()) {
    for (std::size_t k = 0; k < witnesses_.size(); ++k) {
      query.sum_tail_tile_async(k, values_of(k), points, stream);
      feed->prefetch();
    }
    clock_.mark(names.tail, stream);
  }
  feed->release(stream);
}

void DeviceProver::sum_tails_async(std::size_t witness, gpu::StreamRef stream) {
  (void)visit_queries([&](auto& query, Query, const QueryStages& names) -> Result<void> {
    if (query.streams_tail()) return {};
    query.sum_tail_async(values_of(witness), stream);
    clock_.mark(names.tail, stream);
    return {};
  });
}

Result<void> DeviceProver::sum_h_async(std::size_t witness, TileFeed* feed,
                                       const TileMixture& mixture, const CancelToken& cancel,
                                       gpu::StreamRef stream) {
  BELFRY_CHECK(quotient_.run_async(*rows_, *tree_, witnesses_[witness], clock_, stream));
  if (feed != nullptr) feed->bits_room_after(stream);
  h_total_ = curve::G1Jacobian::infinity();
  const PointTiles& tiles = h_sums_.tiles();
  for (std::uint64_t k = 0; k < tiles.count(); ++k) {
    // At full size a witness's tiles take seconds.
    BELFRY_CHECK(cancel.check("groth16.device_prover"));
    // The last coefficient of the quotient is zero and has no point; on the domain every row has
    // one.
    const auto scalars = quotient_.result().subspan(tiles.begin(k), tiles.size(k));
    const gpu::DeviceSpan<const curve::G1Affine> points =
        feed != nullptr      ? feed->take<curve::G1>(stream)
        : tiles.count() == 1 ? gpu::DeviceSpan<const curve::G1Affine>(h_points_)
                             : h_points_.subspan(tiles.begin(k), tiles.size(k));
    h_sums_.of(k).multiply_async(points, scalars, stream);
    h_sums_.mark(k, stream);
    clock_.mark(stages::kMsmH, stream);
    if (feed != nullptr) {
      feed->release(stream);
      for (auto left = mixture.after(witness * tiles.count() + k); left > 0; --left) {
        sum_mixed_tile_async(*feed, stream);
      }
    }
    if (k > 0) collect_h(k - 1);
  }
  return {};
}

void DeviceProver::collect_h(std::uint64_t tile) {
  h_sums_.wait(tile);
  h_total_ += h_sums_.of(tile).result();
}

DeviceProver::WitnessSums DeviceProver::read_tails(std::size_t witness) {
  return {l_.tail_sum(witness),
          a_.tail_sum(witness),
          b_g1_.tail_sum(witness),
          b_g2_.tail_sum(witness),
          {}};
}

PartialSums DeviceProver::with_bits(std::size_t witness, const WitnessSums& sums) {
  PartialSums out;
  out.l = (sums.l + l_.bit_sums()[witness]).to_affine();
  out.a = (sums.a + a_.bit_sums()[witness]).to_affine();
  out.b_g1 = (sums.b_g1 + b_g1_.bit_sums()[witness]).to_affine();
  out.b_g2 = (sums.b_g2 + b_g2_.bit_sums()[witness]).to_affine();
  out.h = sums.h.to_affine();
  return out;
}

}  // namespace belfry::groth16
