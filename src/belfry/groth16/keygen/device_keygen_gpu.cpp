#include "belfry/groth16/keygen/device_keygen_gpu.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "belfry/gpu/fill.h"
#include "belfry/groth16/keygen/domain_basis.h"
#include "belfry/groth16/keygen/query_scalars.h"
#include "belfry/msm/fixed_base_gpu.h"
#include "belfry/ntt/domain.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kStage = "groth16.device_keygen";
/// Scalars that one batch multiplies.
constexpr std::uint32_t kChunk = std::uint32_t{1} << 23;
constexpr std::size_t kGrain = 1 << 14;

enum class Zeros : bool { kSkipped, kKept };

/// Multiplies lists of scalars by a generator, chunk by chunk.
template <class Curve>
class PointMaker {
 public:
  using Affine = typename Curve::Affine;

  static Result<PointMaker> create(const DevicePlaceView& place, const WorkView& work) {
    BELFRY_TRY(auto base,
               msm::DeviceFixedBase<Curve>::create(Affine::generator(), kChunk, place.device,
                                                   place.arena, work.executor, place.stream));
    BELFRY_TRY(const auto scalars, place.arena.take<Fr>(kChunk, "scalars"));
    return PointMaker(base, scalars, place, work);
  }

  /// out = the multiples of all lists, one after the other; kInternal if they are not as many.
  Result<void> make(std::initializer_list<std::span<const Fr>> lists, Zeros zeros,
                    gpu::DeviceSpan<Affine> out) {
    out_ = out;
    done_ = 0;
    for (const std::span<const Fr> list : lists) {
      for (const Fr& scalar : list) {
        if (zeros == Zeros::kSkipped && scalar.is_zero()) continue;
        pending_.push_back(scalar);
        if (pending_.size() == kChunk) BELFRY_CHECK(flush());
      }
    }
    BELFRY_CHECK(flush());
    if (done_ == out.size()) return {};
    return fail(Error{ErrorCode::kInternal, std::string(kStage), "a query has other points"}.but(
        std::to_string(out.size()), std::to_string(done_)));
  }

 private:
  PointMaker(const msm::DeviceFixedBase<Curve>& base, gpu::DeviceSpan<Fr> scalars,
             const DevicePlaceView& place, const WorkView& work)
      : base_(base), scalars_(scalars), place_(place), work_(work) {
    pending_.reserve(kChunk);
  }

  Result<void> flush() {
    BELFRY_CHECK(work_.cancel.check(std::string(kStage)));
    const std::size_t count = std::min(pending_.size(), out_.size() - done_);
    if (count != 0) {
      place_.upload.copy(std::span<const Fr>(pending_).first(count), scalars_.subspan(0, count),
                         place_.stream);
      base_.multiply_async(scalars_.subspan(0, count), out_.subspan(done_, count), place_.stream);
    }
    done_ += pending_.size();
    pending_.clear();
    return {};
  }

  msm::DeviceFixedBase<Curve> base_;
  gpu::DeviceSpan<Fr> scalars_;
  const DevicePlaceView& place_;
  const WorkView& work_;
  std::vector<Fr> pending_;
  gpu::DeviceSpan<Affine> out_;
  std::uint64_t done_ = 0;
};

/// tau^i·Z/delta for the coefficients of the quotient.
std::vector<Fr> coefficient_scalars(const ntt::Domain& domain, const TestTrapdoor& trapdoor,
                                    const Executor& executor) {
  std::vector<Fr> out(domain.size() - 1);
  const Fr scale = domain.vanishing(trapdoor.tau) * trapdoor.delta.inverse();
  executor.parallel_for(out.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    Fr scalar = scale * trapdoor.tau.pow(begin);
    for (std::size_t i = begin; i < end; ++i, scalar *= trapdoor.tau) out[i] = scalar;
  });
  return out;
}

/// The scalars of H, and those of L in their basis.
struct QuotientScalars {
  std::vector<Fr> h;
  std::vector<Fr> l_inputs;
};
Result<QuotientScalars> quotient_scalars(const PreparedShape& shape, const ntt::Domain& domain,
                                         const TestTrapdoor& trapdoor, std::span<Fr> l,
                                         const WorkView& work) {
  if (shape.basis == QuotientBasis::kCoefficients) {
    return QuotientScalars{coefficient_scalars(domain, trapdoor, work.executor), {}};
  }
  BELFRY_TRY(DomainBasisScalars scalars, domain_basis_scalars(shape.shape, domain, trapdoor, work));
  work.executor.parallel_for(l.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) l[i] -= scalars.c.aux[i];
  });
  for (Fr& scalar : scalars.c.inputs) scalar = -scalar;
  return QuotientScalars{std::move(scalars.h), std::move(scalars.c.inputs)};
}

}  // namespace

Result<VerifyingKey> make_device_points(const PreparedShape& shape, const TestTrapdoor& trapdoor,
                                        const DevicePoints& points, const DevicePlaceView& place,
                                        const WorkView& work) {
  const trace::Span span(work.tracer, "groth16.device_keygen");
  BELFRY_CHECK(check_trapdoor(trapdoor));
  BELFRY_TRY(const ntt::Domain domain, ntt::Domain::for_rows(shape.shape.rows()));
  BELFRY_TRY(QueryScalars scalars, query_scalars(shape.shape, domain, trapdoor, work));
  BELFRY_TRY(const QuotientScalars quotient,
             quotient_scalars(shape, domain, trapdoor, scalars.l, work));
  {
    const gpu::Arena::Scope scope(place.arena);
    BELFRY_TRY(auto g1, PointMaker<curve::G1>::create(place, work));
    BELFRY_CHECK(g1.make({quotient.h}, Zeros::kKept, points.h));
    BELFRY_CHECK(g1.make({quotient.l_inputs, scalars.l}, Zeros::kKept, points.l));
    BELFRY_CHECK(g1.make({scalars.a.inputs, scalars.a.aux}, Zeros::kSkipped, points.a));
    BELFRY_CHECK(g1.make({scalars.b.inputs, scalars.b.aux}, Zeros::kSkipped, points.b_g1));
  }
  {
    const gpu::Arena::Scope scope(place.arena);
    BELFRY_TRY(auto g2, PointMaker<curve::G2>::create(place, work));
    BELFRY_CHECK(g2.make({scalars.b.inputs, scalars.b.aux}, Zeros::kSkipped, points.b_g2));
  }
  gpu::wait_for(place.stream);
  const msm::FixedBase<curve::G1> generator(curve::G1Affine::generator(), scalars.ic.size(),
                                            work.executor);
  return make_key(trapdoor, scalars.ic, generator, work.executor);
}

}  // namespace belfry::groth16
