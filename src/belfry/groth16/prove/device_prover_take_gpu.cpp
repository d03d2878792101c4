// What DeviceProver takes from its arena; the same code plans.
#include <string>
#include <utility>

#include "belfry/groth16/prove/device_prover_gpu.h"
#include "belfry/msm/pattern_core.h"

namespace belfry::groth16 {
namespace {

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
  // Where nothing stays, tiles arrive in every stage.
  if (options.residency == Residency::kNone) BELFRY_CHECK(out.take_buffers(arena));
  BELFRY_CHECK(out.take_first_sums(device, arena, use_of(stream)));
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
  for (auto& buffer : buffers_[static_cast<std::size_t>(TilePool::kLarge)]) {
    BELFRY_TRY(buffer, arena.take<std::byte>(bytes, "tiles of points"));
  }
  return {};
}

Result<void> DeviceProver::take_first_sums(const gpu::DeviceInfo& device, gpu::Arena& arena,
                                           ArenaUse use) {
  const std::uint64_t tile = options_.residency == Residency::kAll ? 0 : options_.streamed_tile();
  const auto take_one = [&](auto& query, Query, const QueryStages& names) -> Result<void> {
    if (mixes(query)) return {};
    const gpu::Arena::Scope scope(arena);
    if (options_.residency == Residency::kH) BELFRY_CHECK(take_buffers(arena));
    {
      const gpu::Arena::Scope bits(arena);
      BELFRY_CHECK(query.take_bit_sums(options_.masks, tile, device, arena, use));
      add_stage(names.bits, arena);
    }
    if (!query.streams_tail()) return {};
    BELFRY_CHECK(query.take_tail_tiles(options_, device, arena, use));
    add_stage(names.tail, arena);
    return {};
  };
  return visit_queries(take_one);
}

Result<void> DeviceProver::take_mixed_bits(const gpu::DeviceInfo& device, gpu::Arena& arena,
                                           ArenaUse use) {
  const std::uint64_t bytes = options_.bit_tile() * sizeof(curve::G1Affine);
  for (auto& buffer : buffers_[static_cast<std::size_t>(TilePool::kBits)]) {
    BELFRY_TRY(buffer, arena.take<std::byte>(bytes, "tiles of bit sums"));
  }
  const auto take_one = [&](auto& query, Query, const QueryStages& names) -> Result<void> {
    if (!mixes(query)) return {};
    const gpu::Arena::Scope scope(arena);
    BELFRY_CHECK(query.take_bit_sums(options_.masks, options_.bit_tile(), device, arena, use));
    add_stage(names.bits, arena);
    return {};
  };
  return visit_queries(take_one);
}

Result<void> DeviceProver::take_tails(const gpu::DeviceInfo& device, gpu::Arena& arena,
                                      ArenaUse use) {
  const auto take_one = [&](auto& query, Query, const QueryStages& names) -> Result<void> {
    if (query.streams_tail()) return {};
    const gpu::Arena::Scope scope(arena);
    BELFRY_CHECK(query.take_tail_sum(options_.sets_per_pass, device, arena, use));
    add_stage(names.tail, arena);
    return {};
  };
  return visit_queries(take_one);
}

Result<void> DeviceProver::take_rows(const gpu::DeviceInfo& device, gpu::Arena& arena,
                                     ArenaUse use) {
  const std::uint64_t rows = tree_->domain().size();
  const gpu::Arena::Scope scope(arena);
  BELFRY_CHECK(quotient_.take_result(rows, shape_->basis, options_.room, arena));
  {
    const gpu::Arena::Scope transforms(arena);
    BELFRY_CHECK(quotient_.take_rest(arena, use));
    add_stage(stages::kQuotient, arena);
  }
  // Between tiles of H come those of the bit sums, beside the scalars of H.
  if (options_.residency == Residency::kNone) BELFRY_CHECK(take_mixed_bits(device, arena, use));
  msm::DeviceMsmOptions options;
  options.copies = options_.h_copies;
  options.sets_per_pass = options_.sets_per_pass;
  const std::uint64_t tile = options_.residency == Residency::kNone ? options_.streamed_tile()
                             : options_.tile_log == 0               ? 0
                                                      : std::uint64_t{1} << options_.tile_log;
  BELFRY_CHECK(h_sums_.take({shape_->points.h, tile}, arena, [&](std::uint64_t points) {
    return take_msm<curve::G1>(points, options, device, arena, use);
  }));
  add_stage(stages::kMsmH, arena);
  return {};
}

}  // namespace belfry::groth16
