// What DeviceProver does before the first proof: points to their places.
#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "belfry/base/try_for_each.h"
#include "belfry/gpu/fill.h"
#include "belfry/groth16/params/section_source.h"
#include "belfry/groth16/prove/device_prover_gpu.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kStage = "groth16.load_points";

/// Points of G1 that are brought between two questions whether to go on: whole buffers of the
/// upload, of G2 too.
constexpr std::uint64_t kLoadedAtOnce = std::uint64_t{1} << 21;
static_assert(kLoadedAtOnce * sizeof(curve::G1Affine) % gpu::StagedUpload::kBufferBytes == 0);

/// Points of a tail that one thread gathers at once.
constexpr std::size_t kGrain = 256;

/// All points of a section to their place, in pieces.
template <class Curve>
Result<void> load_section(PointLoader& loader, Section section,
                          gpu::DeviceSpan<typename Curve::Affine> to, const CancelToken& cancel) {
  for (std::uint64_t at = 0; at < to.size(); at += kLoadedAtOnce) {
    BELFRY_CHECK(cancel.check(std::string(kStage)));
    loader.load<Curve>(section, at, to.subspan(at, std::min(kLoadedAtOnce, to.size() - at)));
  }
  return {};
}

/// Points of a section, from where the parameters lie.
template <class Affine>
void gather(const HostPoints& points, Section section, std::span<const std::uint32_t> indices,
            const Executor& executor, std::span<Affine> out) {
  const ByteSpan bytes = points.of(section);
  executor.parallel_for(out.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      std::memcpy(&out[i], bytes.data() + std::size_t{indices[i]} * sizeof(Affine), sizeof(Affine));
    }
  });
}

/// The same, decoded.
template <class Curve>
Result<void> gather_encoded(const SectionSource<Curve>& source,
                            std::span<const std::uint32_t> indices, const Executor& executor,
                            std::span<typename Curve::Affine> out) {
  const auto read = [&](std::size_t piece) -> Result<void> {
    const std::size_t end = std::min(out.size(), (piece + 1) * kGrain);
    for (std::size_t i = piece * kGrain; i < end; ++i) {
      BELFRY_CHECK(source.read(indices[i], out.subspan(i, 1)));
    }
    return {};
  };
  return try_for_each(executor, (out.size() + kGrain - 1) / kGrain, read);
}

/// A tail's points to their place, by way of host memory that host_bytes counts: together they
/// would be up to half a query.
template <class Curve>
Result<void> load_tail(const PointSupply& supply, Section section,
                       std::span<const std::uint32_t> indices,
                       gpu::DeviceSpan<typename Curve::Affine> to, const WorkView& work,
                       gpu::StreamRef stream) {
  using Affine = typename Curve::Affine;
  std::vector<Affine> piece(std::min<std::size_t>(DeviceProver::kGatheredAtOnce, indices.size()));
  for (std::size_t at = 0; at < indices.size(); at += piece.size()) {
    BELFRY_CHECK(work.cancel.check(std::string(kStage)));
    const std::size_t count = std::min(piece.size(), indices.size() - at);
    const std::span<Affine> out = std::span(piece).first(count);
    if (supply.points.encoded_in != nullptr) {
      const SectionSource<Curve> source(*supply.points.encoded_in, section);
      BELFRY_CHECK(gather_encoded<Curve>(source, indices.subspan(at, count), work.executor, out));
    } else {
      gather<Affine>(supply.points, section, indices.subspan(at, count), work.executor, out);
    }
    supply.upload.copy(std::span<const Affine>(out), to.subspan(at, count), stream);
  }
  return {};
}

}  // namespace

DevicePoints DeviceProver::points() const noexcept {
  const std::uint64_t h = options_.residency == Residency::kNone ? 0 : shape_->points.h;
  return {h_points_.subspan(0, h), l_.points(), a_.points(), b_g1_.points(), b_g2_.points()};
}

Result<void> DeviceProver::load(const PointSupply& supply, const WorkView& work,
                                gpu::StreamRef stream) {
  PointLoader loader(supply.points, supply.upload, faults_, stream);
  auto loaded = queue_load(loader, supply, work);
  if (!loaded) {
    // Whoever leaves early leaves nothing on its way to the memory.
    gpu::wait_for(stream);
    return loaded;
  }
  derive_async(stream);
  return loader.check();
}

Result<void> DeviceProver::queue_load(PointLoader& loader, const PointSupply& supply,
                                      const WorkView& work) {
  if (options_.residency != Residency::kNone) {
    BELFRY_CHECK(load_section<curve::G1>(loader, Section::kH, points().h, work.cancel));
  }
  return visit_queries([&](auto& query, Query which, const QueryStages&) -> Result<void> {
    using Group = typename std::remove_reference_t<decltype(query)>::Affine::Group;
    if (options_.residency == Residency::kAll) {
      return load_section<Group>(loader, query.section(), query.points(), work.cancel);
    }
    if (query.streams_tail()) return {};
    return load_tail<Group>(supply, query.section(), shape_->tail(which).points,
                            query.tail_points(), work, loader.stream());
  });
}

void DeviceProver::derive_async(gpu::StreamRef stream) const {
  if (options_.h_copies > 1) h_sums_.of(0).precompute_copies_async(h_points_, stream);
  if (options_.residency != Residency::kAll) return;
  l_.gather_tail_async(stream);
  a_.gather_tail_async(stream);
  b_g1_.gather_tail_async(stream);
  b_g2_.gather_tail_async(stream);
}

}  // namespace belfry::groth16
