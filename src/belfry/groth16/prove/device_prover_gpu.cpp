#include "belfry/groth16/prove/device_prover_gpu.h"

#include <algorithm>
#include <string>
#include <utility>

#include "belfry/gpu/drain.h"
#include "belfry/gpu/fill.h"
#include "belfry/msm/pattern_core.h"

namespace belfry::groth16 {
namespace {

// Stages, as plans and times name them.
constexpr std::string_view kUpload = "upload";
constexpr std::string_view kMasks = "masks";
constexpr std::string_view kQuotient = "quotient";
constexpr std::string_view kMsmH = "msm_h";

struct QueryStages {
  std::string_view bits;
  std::string_view tail;
};
constexpr QueryStages kL{"bits_l", "tail_l"};
constexpr QueryStages kA{"bits_a", "tail_a"};
constexpr QueryStages kBG1{"bits_b_g1", "tail_b_g1"};
constexpr QueryStages kBG2{"bits_b_g2", "tail_b_g2"};

ArenaUse use_of(const std::optional<gpu::StreamRef>& stream) {
  return stream ? ArenaUse::kRun : ArenaUse::kPlan;
}

}  // namespace

void DeviceProver::add_stage(std::string_view name, const gpu::Arena& arena) {
  stages_.push_back({.name = std::string(name), .device_bytes = arena.used_bytes()});
}

Result<DeviceProver> DeviceProver::take(std::shared_ptr<const PreparedShape> shape,
                                        const DeviceProverOptions& options,
                                        const gpu::DeviceInfo& device, gpu::Arena& arena,
                                        std::optional<gpu::StreamRef> stream) {
  if (options.masks == 0 || options.masks > msm::core::kMaxMasks) {
    return fail(invalid("groth16.device_prover", "one to ten witnesses share a pass"));
  }
  DeviceProver out(std::move(shape), options);
  BELFRY_CHECK(out.take_shape(arena, stream));
  BELFRY_CHECK(out.take_queries(arena, stream));
  if (options.residency == Residency::kNone) {
    // Tiles arrive in every stage.
    BELFRY_CHECK(out.take_buffers(arena));
  } else {
    BELFRY_CHECK(out.take_bits(device, arena, use_of(stream)));
  }
  BELFRY_CHECK(out.take_tails(device, arena, use_of(stream)));
  BELFRY_CHECK(out.take_rows(device, arena, use_of(stream)));
  return out;
}

Result<void> DeviceProver::take_shape(gpu::Arena& arena, std::optional<gpu::StreamRef> stream) {
  BELFRY_TRY(const ntt::Domain domain, ntt::Domain::for_rows(shape_->shape.rows()));
  if (stream) {
    BELFRY_TRY(rows_, r1cs::DeviceShape::upload(shape_->coded, arena, *stream));
    BELFRY_TRY(tree_, ntt::DeviceTree::create(domain, arena, *stream));
  } else {
    BELFRY_TRY(rows_, r1cs::DeviceShape::reserve(shape_->coded, arena));
    BELFRY_TRY(tree_, ntt::DeviceTree::reserve(domain, arena));
  }
  BELFRY_TRY(ones_, arena.take<std::uint64_t>(rows_->ones_words(), "ones"));
  BELFRY_TRY(masks_, DeviceQueryMasks::take(shape_->shape, shape_->basis, options_.masks, arena));
  if (stream) masks_->upload_tables(shape_->shape, *stream);
  for (unsigned k = 0; k < options_.lanes; ++k) {
    BELFRY_TRY(auto lane, WitnessLane::take(*rows_, options_.masks, arena, use_of(stream)));
    lanes_.push_back(std::move(lane));
  }
  return {};
}

Result<void> DeviceProver::take_queries(gpu::Arena& arena, std::optional<gpu::StreamRef> stream) {
  const auto take_tail = [&](Query query, DeviceTail& to) -> Result<void> {
    const QueryTail& tail = shape_->tail(query);
    BELFRY_TRY(to, DeviceTail::take(tail, arena));
    if (stream) to.upload_async(tail, *stream);
    return {};
  };
  BELFRY_CHECK(take_tail(Query::kL, tail_l_));
  BELFRY_CHECK(take_tail(Query::kA, tail_a_));
  BELFRY_CHECK(take_tail(Query::kB, tail_b_));
  BELFRY_TRY(faults_, arena.take<std::uint64_t>(kSections, "faults"));
  const QueryCounts& counts = shape_->points;
  if (options_.residency != Residency::kNone) {
    BELFRY_TRY(h_points_,
               arena.take<curve::G1Affine>(counts.h * options_.h_copies, "points of a query"));
  }
  const bool all = options_.residency == Residency::kAll;
  BELFRY_CHECK(l_.take_points(Section::kL, counts.l, tail_l_, all, arena));
  BELFRY_CHECK(a_.take_points(Section::kA, counts.a, tail_a_, all, arena));
  BELFRY_CHECK(b_g1_.take_points(Section::kBG1, counts.b, tail_b_, all, arena));
  return b_g2_.take_points(Section::kBG2, counts.b, tail_b_, all, arena);
}

Result<void> DeviceProver::take_buffers(gpu::Arena& arena) {
  const std::uint64_t bytes = options_.streamed_tile() * sizeof(curve::G1Affine);
  for (auto& buffer : buffers_) {
    BELFRY_TRY(buffer, arena.take<std::byte>(bytes, "tiles of points"));
  }
  return {};
}

Result<void> DeviceProver::take_bits(const gpu::DeviceInfo& device, gpu::Arena& arena,
                                     ArenaUse use) {
  const std::uint64_t tile = options_.residency == Residency::kAll ? 0 : options_.streamed_tile();
  const auto take_one = [&](auto& query, std::string_view name) -> Result<void> {
    const gpu::Arena::Scope scope(arena);
    if (options_.residency == Residency::kH) BELFRY_CHECK(take_buffers(arena));
    BELFRY_CHECK(query.take_bit_sums(options_.masks, tile, device, arena, use));
    add_stage(name, arena);
    return {};
  };
  BELFRY_CHECK(take_one(l_, kL.bits));
  BELFRY_CHECK(take_one(a_, kA.bits));
  BELFRY_CHECK(take_one(b_g1_, kBG1.bits));
  return take_one(b_g2_, kBG2.bits);
}

Result<void> DeviceProver::take_tails(const gpu::DeviceInfo& device, gpu::Arena& arena,
                                      ArenaUse use) {
  const auto take_one = [&](auto& query, std::string_view name) -> Result<void> {
    const gpu::Arena::Scope scope(arena);
    BELFRY_CHECK(query.take_tail_sum(options_.sets_per_pass, device, arena, use));
    add_stage(name, arena);
    return {};
  };
  BELFRY_CHECK(take_one(l_, kL.tail));
  BELFRY_CHECK(take_one(a_, kA.tail));
  BELFRY_CHECK(take_one(b_g1_, kBG1.tail));
  return take_one(b_g2_, kBG2.tail);
}

Result<void> DeviceProver::take_rows(const gpu::DeviceInfo& device, gpu::Arena& arena,
                                     ArenaUse use) {
  const std::uint64_t rows = tree_->domain().size();
  const gpu::Arena::Scope scope(arena);
  BELFRY_CHECK(quotient_.take_result(rows, shape_->basis, options_.room, arena));
  {
    const gpu::Arena::Scope transforms(arena);
    BELFRY_CHECK(quotient_.take_rest(arena, use));
    add_stage(kQuotient, arena);
  }
  // Between tiles of H come those of the bit sums, beside the scalars of H.
  if (options_.residency == Residency::kNone) BELFRY_CHECK(take_bits(device, arena, use));
  using Msm = msm::DeviceMsm<curve::G1>;
  msm::DeviceMsmOptions options;
  options.copies = options_.h_copies;
  options.sets_per_pass = options_.sets_per_pass;
  const auto make = use == ArenaUse::kPlan ? &Msm::take : &Msm::create;
  const std::uint64_t tile = options_.residency == Residency::kNone ? options_.streamed_tile()
                             : options_.tile_log == 0               ? 0
                                                      : std::uint64_t{1} << options_.tile_log;
  BELFRY_CHECK(
      h_sums_.take({shape_->points.h, tile}, arena, [&](std::uint64_t points) -> Result<Msm> {
        BELFRY_TRY(const auto plan,
                   msm::plan_device_msm<curve::G1>(
                       points, device, arena.size_bytes() - arena.used_bytes(), options));
        return make(plan, arena);
      }));
  add_stage(kMsmH, arena);
  return {};
}

std::uint64_t DeviceProver::host_bytes() const noexcept {
  constexpr std::uint64_t kStaging = 2 * gpu::StagedUpload::kBufferBytes;
  return kStaging + shape_->memory_bytes() +
         DeviceQuotient::host_bytes(tree_->domain().size(), options_.room);
}

TileMixture DeviceProver::mixture(std::size_t witnesses) const noexcept {
  return {l_.tiles().count() + a_.tiles().count() + b_g1_.tiles().count() + b_g2_.tiles().count(),
          witnesses * h_sums_.tiles().count()};
}

std::vector<TileJob> DeviceProver::jobs(std::size_t witnesses) const {
  std::vector<TileJob> bits;
  append_jobs(Section::kL, l_.tiles(), bits);
  append_jobs(Section::kA, a_.tiles(), bits);
  append_jobs(Section::kBG1, b_g1_.tiles(), bits);
  append_jobs(Section::kBG2, b_g2_.tiles(), bits);
  if (options_.residency != Residency::kNone) return bits;
  std::vector<TileJob> h;
  append_jobs(Section::kH, h_sums_.tiles(), h);
  const TileMixture mixed = mixture(witnesses);
  std::vector<TileJob> out;
  auto next_bit = bits.begin();
  for (std::uint64_t i = 0; i < mixed.h_tiles; ++i) {
    out.push_back(h[i % h.size()]);
    const auto end = next_bit + static_cast<std::ptrdiff_t>(mixed.after(i));
    out.insert(out.end(), next_bit, end);
    next_bit = end;
  }
  return out;
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
  clock_.mark(kUpload, stream);
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
  const bool mixed = options_.residency == Residency::kNone;
  for (auto left = mixed ? 0 : mixture(1).bit_tiles; left > 0; --left) {
    sum_bit_tile_async(feed, stream);
  }
  sum_tails_async(0, stream);
  tails_done_.record(stream);
  std::vector<WitnessSums> sums;
  for (std::size_t k = 0; k < witnesses_.size(); ++k) {
    // The host reads one stage's sums while the device runs the next, which needs their place last.
    BELFRY_CHECK(cancel.check("groth16.device_prover"));
    BELFRY_CHECK(sum_h_async(k, mixed ? feed : nullptr, stream));
    rows_done_.record(stream);
    tails_done_.synchronize();
    sums.push_back(read_tails());
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
  clock_.mark(kMasks, stream);
  l_.begin_bits();
  a_.begin_bits();
  b_g1_.begin_bits();
  b_g2_.begin_bits();
}

void DeviceProver::sum_bit_tile_async(TileFeed* feed, gpu::StreamRef stream) {
  const auto sum = [&](auto& query, Query masks, std::string_view name) {
    query.sum_bit_tile_async(masks_->masks(masks), feed, stream);
    clock_.mark(name, stream);
  };
  if (l_.bit_tiles_left() > 0) return sum(l_, Query::kL, kL.bits);
  if (a_.bit_tiles_left() > 0) return sum(a_, Query::kA, kA.bits);
  if (b_g1_.bit_tiles_left() > 0) return sum(b_g1_, Query::kB, kBG1.bits);
  sum(b_g2_, Query::kB, kBG2.bits);
}

void DeviceProver::sum_tails_async(std::size_t witness, gpu::StreamRef stream) {
  const DeviceValues values{witnesses_[witness].inputs, witnesses_[witness].fields};
  const auto sum = [&](auto& query, std::string_view name) {
    query.sum_tail_async(values, stream);
    clock_.mark(name, stream);
  };
  sum(l_, kL.tail);
  sum(a_, kA.tail);
  sum(b_g1_, kBG1.tail);
  sum(b_g2_, kBG2.tail);
}

Result<void> DeviceProver::sum_h_async(std::size_t witness, TileFeed* feed, gpu::StreamRef stream) {
  BELFRY_CHECK(quotient_.run_async(*rows_, *tree_, witnesses_[witness], clock_, stream));
  h_total_ = curve::G1Jacobian::infinity();
  const PointTiles& tiles = h_sums_.tiles();
  for (std::uint64_t k = 0; k < tiles.count(); ++k) {
    // The last coefficient of the quotient is zero and has no point; on the domain every row has
    // one.
    const auto scalars = quotient_.result().subspan(tiles.begin(k), tiles.size(k));
    const gpu::DeviceSpan<const curve::G1Affine> points =
        feed != nullptr      ? feed->take<curve::G1>(stream)
        : tiles.count() == 1 ? gpu::DeviceSpan<const curve::G1Affine>(h_points_)
                             : h_points_.subspan(tiles.begin(k), tiles.size(k));
    h_sums_.of(k).multiply_async(points, scalars, stream);
    h_sums_.mark(k, stream);
    clock_.mark(kMsmH, stream);
    if (feed != nullptr) {
      feed->release(stream);
      const TileMixture mixed = mixture(witnesses_.size());
      for (auto left = mixed.after(witness * tiles.count() + k); left > 0; --left) {
        sum_bit_tile_async(feed, stream);
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

DeviceProver::WitnessSums DeviceProver::read_tails() const {
  return {l_.tail_sum(), a_.tail_sum(), b_g1_.tail_sum(), b_g2_.tail_sum(), {}};
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
