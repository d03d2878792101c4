#include "belfry/groth16/keygen/device_keygen_gpu.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "belfry/gpu/fill.h"
#include "belfry/gpu/memory.h"
#include "belfry/groth16/keygen/domain_basis.h"
#include "belfry/groth16/keygen/part_scalars.h"
#include "belfry/groth16/keygen/query_scalars.h"
#include "belfry/groth16/prove/query_masks.h"
#include "belfry/msm/fixed_base_gpu.h"
#include "belfry/ntt/domain.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kStage = "groth16.device_keygen";
/// Scalars that one batch multiplies.
constexpr std::uint32_t kChunk = std::uint32_t{1} << 23;
constexpr std::size_t kGrain = 1 << 14;

enum class Zeros : bool { kSkipped, kKept };

/// Where made points go: a range of the device's memory, or of the host's.
template <class Affine>
struct PointRange {
  gpu::DeviceSpan<Affine> device{};
  std::span<Affine> host{};

  [[nodiscard]] bool in_host() const noexcept { return !host.empty(); }
  [[nodiscard]] std::size_t size() const noexcept {
    return in_host() ? host.size() : device.size();
  }
  [[nodiscard]] PointRange subspan(std::size_t offset, std::size_t count) const noexcept {
    if (in_host()) return {.host = host.subspan(offset, count)};
    return {.device = device.subspan(offset, count)};
  }
};

/// All of them.
struct PointRanges {
  PointRange<curve::G1Affine> h;
  PointRange<curve::G1Affine> l;
  PointRange<curve::G1Affine> a;
  PointRange<curve::G1Affine> b_g1;
  PointRange<curve::G2Affine> b_g2;
};

/// Multiplies lists of scalars by a generator, chunk by chunk.
template <class Curve>
class PointMaker {
 public:
  using Affine = typename Curve::Affine;

  /// What `create` takes of the device, which is not touched.
  static Result<void> take(const gpu::DeviceInfo& device, gpu::Arena& arena, MadeIn made_in) {
    BELFRY_CHECK(msm::DeviceFixedBase<Curve>::take(kChunk, device, arena));
    BELFRY_CHECK(arena.take<Fr>(kChunk, "scalars"));
    BELFRY_CHECK(take_tile(arena, made_in));
    return {};
  }
  static Result<PointMaker> create(const DevicePlaceView& place, const WorkView& work,
                                   MadeIn made_in) {
    BELFRY_TRY(auto base,
               msm::DeviceFixedBase<Curve>::create(Affine::generator(), kChunk, place.device,
                                                   place.arena, work.executor, place.stream));
    BELFRY_TRY(const auto scalars, place.arena.take<Fr>(kChunk, "scalars"));
    BELFRY_TRY(const auto tile, take_tile(place.arena, made_in));
    return PointMaker(base, scalars, tile, place, work);
  }

  /// out = the multiples of all lists, one after the other; kInternal if they are not as many.
  Result<void> make(const std::vector<std::span<const Fr>>& lists, Zeros zeros,
                    const PointRange<Affine>& out) {
    out_ = out;
    done_ = 0;
    pending_.clear();
    for (const std::span<const Fr> list : lists) {
      for (const Fr& scalar : list) {
        if (zeros == Zeros::kSkipped && scalar.is_zero()) continue;
        pending_.push_back(scalar);
        if (pending_.size() == kChunk) BELFRY_CHECK(flush());
      }
    }
    BELFRY_CHECK(flush());
    if (done_ == out.size()) return {};
    return fail(other_count(done_));
  }

 private:
  PointMaker(const msm::DeviceFixedBase<Curve>& base, gpu::DeviceSpan<Fr> scalars,
             gpu::DeviceSpan<Affine> tile, const DevicePlaceView& place, const WorkView& work)
      : base_(base), scalars_(scalars), tile_(tile), place_(place), work_(work) {
    pending_.reserve(kChunk);
  }

  /// Points on their way to the host, if that is where they go.
  static Result<gpu::DeviceSpan<Affine>> take_tile(gpu::Arena& arena, MadeIn made_in) {
    return arena.take<Affine>(made_in == MadeIn::kHost ? kChunk : 0, "points");
  }

  Result<void> flush() {
    BELFRY_CHECK(work_.cancel.check(std::string(kStage)));
    const std::size_t count = pending_.size();
    // At once, so that done_ never passes the end and what is left of it never wraps.
    if (count > out_.size() - done_) return fail(other_count(done_ + count));
    if (count != 0) {
      place_.upload.copy(std::span<const Fr>(pending_).first(count), scalars_.subspan(0, count),
                         place_.stream);
      put(out_.subspan(done_, count));
    }
    done_ += count;
    pending_.clear();
    return {};
  }
  /// The multiples of the scalars that are there.
  void put(const PointRange<Affine>& to) {
    const auto scalars = scalars_.subspan(0, to.size());
    if (!to.in_host()) return base_.multiply_async(scalars, to.device, place_.stream);
    const auto tile = tile_.subspan(0, to.size());
    base_.multiply_async(scalars, tile, place_.stream);
    gpu::download_async<Affine>(tile, to.host, place_.stream);
  }
  [[nodiscard]] Error other_count(std::uint64_t found) const {
    return Error{ErrorCode::kInternal, std::string(kStage), "a query has other points"}.but(
        std::to_string(out_.size()), std::to_string(found));
  }

  msm::DeviceFixedBase<Curve> base_;
  gpu::DeviceSpan<Fr> scalars_;
  gpu::DeviceSpan<Affine> tile_;
  const DevicePlaceView& place_;
  const WorkView& work_;
  std::vector<Fr> pending_;
  PointRange<Affine> out_;
  std::uint64_t done_ = 0;
};

/// tau^(first + i)·Z/delta: the points of the quotient's coefficients.
void coefficient_scalars(const ntt::Domain& domain, const TestTrapdoor& trapdoor,
                         std::uint64_t first, std::span<Fr> scalars, const Executor& executor) {
  const Fr scale = domain.vanishing(trapdoor.tau) * trapdoor.delta.inverse();
  executor.parallel_for(scalars.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    Fr scalar = scale * trapdoor.tau.pow(first + begin);
    for (std::size_t i = begin; i < end; ++i, scalar *= trapdoor.tau) scalars[i] = scalar;
  });
}

/// What the points of H from `first` on are multiples of.
void h_scalars(const PreparedShape& shape, const ntt::Domain& domain, const TestTrapdoor& trapdoor,
               std::uint64_t first, std::span<Fr> scalars, const Executor& executor) {
  if (shape.basis == QuotientBasis::kDomain) {
    domain_h_scalars(domain, trapdoor, first, scalars, executor);
  } else {
    coefficient_scalars(domain, trapdoor, first, scalars, executor);
  }
}

/// The points of one set of parameters, part by part.
class PointPlaces {
 public:
  PointPlaces(const PreparedShape& shape, const TestTrapdoor& trapdoor, const PointRanges& points,
              PointMaker<curve::G1>& g1, PointMaker<curve::G2>& g2, const WorkView& work)
      : shape_(shape), trapdoor_(trapdoor), points_(points), g1_(g1), g2_(g2), work_(work) {}

  Result<void> make_h(const ntt::Domain& domain) {
    const std::uint64_t chunk = std::min<std::uint64_t>(kChunk, domain.size());
    std::vector<Fr> scalars(chunk);
    for (std::uint64_t first = 0; first < points_.h.size(); first += chunk) {
      h_scalars(shape_, domain, trapdoor_, first, scalars, work_.executor);
      const std::uint64_t count = std::min(chunk, points_.h.size() - first);
      BELFRY_CHECK(g1_.make({std::span(scalars).first(count)}, Zeros::kKept,
                            points_.h.subspan(first, count)));
    }
    return {};
  }

  /// Blocks that follow each other, from `first` on.
  Result<void> make_blocks(std::uint64_t first, const std::vector<PartScalars>& blocks) {
    return make_parts(blocks, shape_.shape.block(), offsets_.block(first));
  }

  Result<void> make_rest(const PartScalarMaker::Rest& rest) {
    const auto inputs = [this](Query query) { return offsets_.header[as_index(query)]; };
    BELFRY_CHECK(g1_.make({rest.inputs.l}, Zeros::kKept, points_.l.subspan(0, inputs(Query::kL))));
    BELFRY_CHECK(
        g1_.make({rest.inputs.a}, Zeros::kSkipped, points_.a.subspan(0, inputs(Query::kA))));
    BELFRY_CHECK(
        g1_.make({rest.inputs.b}, Zeros::kSkipped, points_.b_g1.subspan(0, inputs(Query::kB))));
    BELFRY_CHECK(
        g2_.make({rest.inputs.b}, Zeros::kSkipped, points_.b_g2.subspan(0, inputs(Query::kB))));
    return make_parts({&rest.header, 1}, shape_.shape.header(), offsets_.header);
  }

 private:
  static constexpr std::size_t as_index(Query query) { return static_cast<std::size_t>(query); }

  /// Parts that are alike.
  Result<void> make_parts(std::span<const PartScalars> parts, const r1cs::PartView& form,
                          const core::FirstPoints& first) {
    const auto lists = [parts](std::vector<Fr> PartScalars::* which) {
      std::vector<std::span<const Fr>> out;
      for (const PartScalars& part : parts) out.emplace_back(part.*which);
      return out;
    };
    const auto place = [&](auto points, Query query) {
      return points.subspan(first[as_index(query)], parts.size() * aux_points(query, form));
    };
    BELFRY_CHECK(g1_.make(lists(&PartScalars::l), Zeros::kKept, place(points_.l, Query::kL)));
    const auto b = lists(&PartScalars::b);
    BELFRY_CHECK(g1_.make(lists(&PartScalars::a), Zeros::kSkipped, place(points_.a, Query::kA)));
    BELFRY_CHECK(g1_.make(b, Zeros::kSkipped, place(points_.b_g1, Query::kB)));
    return g2_.make(b, Zeros::kSkipped, place(points_.b_g2, Query::kB));
  }

  const PreparedShape& shape_;
  const TestTrapdoor& trapdoor_;
  const PointRanges& points_;
  PointMaker<curve::G1>& g1_;
  PointMaker<curve::G2>& g2_;
  const WorkView& work_;
  PointOffsets offsets_{shape_.shape, shape_.basis};
};

/// Makes all points and returns the scalars of ic.
Result<std::vector<Fr>> make_all_parts(const PreparedShape& shape, const TestTrapdoor& trapdoor,
                                       PointPlaces& places, const WorkView& work) {
  constexpr std::uint64_t kScalarBytes = std::uint64_t{9} << 29;  // of blocks made together
  BELFRY_TRY(auto scalars, PartScalarMaker::create(shape.shape, shape.basis, trapdoor, work));
  const std::uint64_t blocks = shape.shape.blocks();
  const std::uint64_t group =
      std::min(scalars.blocks_within(kScalarBytes), std::uint64_t{4} * work.executor.threads());
  for (std::uint64_t first = 0; first < blocks; first += group) {
    BELFRY_TRY(const auto parts, scalars.blocks(first, std::min(group, blocks - first)));
    BELFRY_CHECK(places.make_blocks(first, parts));
  }
  BELFRY_TRY(auto rest, std::move(scalars).rest());
  BELFRY_CHECK(places.make_rest(rest));
  return std::move(rest.inputs.ic);
}

}  // namespace

Result<void> take_device_keygen(const gpu::DeviceInfo& device, gpu::Arena& arena, MadeIn made_in) {
  const gpu::Arena::Scope scope(arena);
  BELFRY_CHECK(PointMaker<curve::G1>::take(device, arena, made_in));
  // That of H alone, a tile of its points in the place of the other, is less.
  return PointMaker<curve::G2>::take(device, arena, made_in);
}

namespace {

Result<VerifyingKey> make_points(const PreparedShape& shape, const TestTrapdoor& trapdoor,
                                 const PointRanges& points, MadeIn made_in,
                                 const DevicePlaceView& place, const WorkView& work) {
  const trace::Span span(work.tracer, "groth16.device_keygen");
  BELFRY_TRY(const ntt::Domain domain, ntt::Domain::for_rows(shape.shape.rows()));
  std::vector<Fr> ic;
  {
    const gpu::Arena::Scope scope(place.arena);
    BELFRY_TRY(auto g1, PointMaker<curve::G1>::create(place, work, made_in));
    BELFRY_TRY(auto g2, PointMaker<curve::G2>::create(place, work, made_in));
    PointPlaces places(shape, trapdoor, points, g1, g2, work);
    BELFRY_TRY(ic, make_all_parts(shape, trapdoor, places, work));
    BELFRY_CHECK(places.make_h(domain));
    gpu::wait_for(place.stream);
  }
  const msm::FixedBase<curve::G1> generator(curve::G1Affine::generator(), ic.size(), work.executor);
  return make_key(trapdoor, ic, generator, work.executor);
}

}  // namespace

Result<VerifyingKey> make_device_points(const PreparedShape& shape, const TestTrapdoor& trapdoor,
                                        const DevicePoints& points, const DevicePlaceView& place,
                                        const WorkView& work) {
  return make_points(shape, trapdoor,
                     {.h = {.device = points.h},
                      .l = {.device = points.l},
                      .a = {.device = points.a},
                      .b_g1 = {.device = points.b_g1},
                      .b_g2 = {.device = points.b_g2}},
                     MadeIn::kDevice, place, work);
}

Result<VerifyingKey> make_host_points(const PreparedShape& shape, const TestTrapdoor& trapdoor,
                                      const HostPlaces& points, const DevicePlaceView& place,
                                      const WorkView& work) {
  return make_points(shape, trapdoor,
                     {.h = {.host = points.h},
                      .l = {.host = points.l},
                      .a = {.host = points.a},
                      .b_g1 = {.host = points.b_g1},
                      .b_g2 = {.host = points.b_g2}},
                     MadeIn::kHost, place, work);
}

Result<void> make_device_h(
    const PreparedShape& shape, const TestTrapdoor& trapdoor, const DevicePlaceView& place,
    const WorkView& work,
    const std::function<Result<void>(gpu::DeviceSpan<const curve::G1Affine>)>& take) {
  const trace::Span span(work.tracer, "groth16.device_keygen_h");
  BELFRY_TRY(const ntt::Domain domain, ntt::Domain::for_rows(shape.shape.rows()));
  const std::uint64_t all = shape.points.h;
  const std::uint64_t chunk = std::min<std::uint64_t>(kChunk, domain.size());
  const gpu::Arena::Scope scope(place.arena);
  BELFRY_TRY(const auto points, place.arena.take<curve::G1Affine>(chunk, "points"));
  BELFRY_TRY(auto g1, PointMaker<curve::G1>::create(place, work, MadeIn::kDevice));
  std::vector<Fr> scalars(chunk);
  for (std::uint64_t first = 0; first < all; first += chunk) {
    h_scalars(shape, domain, trapdoor, first, scalars, work.executor);
    const std::uint64_t count = std::min(chunk, all - first);
    const auto tile = points.subspan(0, count);
    BELFRY_CHECK(g1.make({std::span(scalars).first(count)}, Zeros::kKept, {.device = tile}));
    gpu::wait_for(place.stream);
    BELFRY_CHECK(take(tile));
  }
  return {};
}

}  // namespace belfry::groth16
