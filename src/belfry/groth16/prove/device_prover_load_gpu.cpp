// What DeviceProver does before the first proof: points to their places.
#include <algorithm>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "belfry/base/try_for_each.h"
#include "belfry/groth16/params/section_source.h"
#include "belfry/groth16/prove/device_prover_gpu.h"

namespace belfry::groth16 {
namespace {

/// The tail's points of a section, from where the parameters lie.
template <class Affine>
std::vector<Affine> gather(const HostPoints& points, Section section,
                           std::span<const std::uint32_t> indices, const Executor& executor) {
  constexpr std::size_t kGrain = 1024;
  std::vector<Affine> out(indices.size());
  const ByteSpan bytes = points.of(section);
  executor.parallel_for(out.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      std::memcpy(&out[i], bytes.data() + std::size_t{indices[i]} * sizeof(Affine), sizeof(Affine));
    }
  });
  return out;
}
/// The same, decoded.
template <class Curve>
Result<std::vector<typename Curve::Affine>> gather_encoded(const Parameters& parameters,
                                                           Section section,
                                                           std::span<const std::uint32_t> indices,
                                                           const Executor& executor) {
  using Affine = typename Curve::Affine;
  constexpr std::size_t kPiece = 1024;
  const SectionSource<Curve> source(parameters, section);
  std::vector<Affine> out(indices.size());
  const auto read = [&](std::size_t piece) -> Result<void> {
    const std::size_t end = std::min(out.size(), (piece + 1) * kPiece);
    for (std::size_t i = piece * kPiece; i < end; ++i) {
      BELFRY_CHECK(source.read(indices[i], std::span(out).subspan(i, 1)));
    }
    return {};
  };
  BELFRY_CHECK(try_for_each(executor, (out.size() + kPiece - 1) / kPiece, read));
  return out;
}

}  // namespace

DevicePoints DeviceProver::points() const noexcept {
  const std::uint64_t h = options_.residency == Residency::kNone ? 0 : shape_->points.h;
  return {h_points_.subspan(0, h), l_.points(), a_.points(), b_g1_.points(), b_g2_.points()};
}

Result<void> DeviceProver::load(const PointSupply& supply, const Executor& executor,
                                gpu::StreamRef stream) {
  PointLoader loader(supply.points, supply.upload, faults_, stream);
  const DevicePoints to = points();
  if (options_.residency != Residency::kNone) loader.load<curve::G1>(Section::kH, 0, to.h);
  const auto tail = [&](auto& query, const QueryTail& list) -> Result<void> {
    using Affine = typename std::remove_reference_t<decltype(query)>::Affine;
    using Group = typename Affine::Group;
    if (options_.residency == Residency::kAll) {
      loader.load<Group>(query.section(), 0, query.points());
      return {};
    }
    if (query.streams_tail()) return {};
    std::vector<Affine> points;
    if (supply.points.encoded_in != nullptr) {
      BELFRY_TRY(points, gather_encoded<Group>(*supply.points.encoded_in, query.section(),
                                               list.points, executor));
    } else {
      points = gather<Affine>(supply.points, query.section(), list.points, executor);
    }
    supply.upload.copy(std::span<const Affine>(points), query.tail_points(), stream);
    return {};
  };
  BELFRY_CHECK(tail(l_, shape_->tail(Query::kL)));
  BELFRY_CHECK(tail(a_, shape_->tail(Query::kA)));
  BELFRY_CHECK(tail(b_g1_, shape_->tail(Query::kB)));
  BELFRY_CHECK(tail(b_g2_, shape_->tail(Query::kB)));
  derive_async(stream);
  return loader.check();
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
