#include "belfry/msm/kernels.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "belfry/field/batch_invert.h"
#include "belfry/msm/kernels_ifma.h"
#include "belfry/msm/kernels_portable.h"
#ifdef __x86_64__
#include "belfry/field/adx.h"
#endif

namespace belfry::msm {
namespace {

template <class Curve>
constexpr PointKernels<Curve> kPortable =
    portable::Kernels<Curve, typename Curve::Field>::table(Isa::kPortable);

#ifdef __x86_64__

template <class Curve>
struct AdxField;
template <>
struct AdxField<curve::G1> {
  using Type = FpAdx;
};
template <>
struct AdxField<curve::G2> {
  using Type = portable::Quadratic<FpAdx>;
};
template <class Curve>
constexpr PointKernels<Curve> kAdx =
    portable::Kernels<Curve, typename AdxField<Curve>::Type>::table(Isa::kAdx);

const std::uint64_t* words(const curve::G1Affine* points) {
  return reinterpret_cast<const std::uint64_t*>(points);
}
const std::uint64_t* words(const curve::G2Affine* points) {
  return reinterpret_cast<const std::uint64_t*>(points);
}

template <class Curve>
const PointKernels<Curve>& ifma_kernels() noexcept;

template <>
const PointKernels<curve::G1>& ifma_kernels<curve::G1>() noexcept {
  static constexpr PointKernels<curve::G1> kTable{
      Isa::kIfma,
      ifma::kStrideG1,
      ifma::kScratchG1,
      [](const curve::G1Affine* in, std::size_t n, std::byte* out) {
        ifma::store_g1(words(in), n, out);
      },
      [](const std::byte* in, std::size_t n, curve::G1Affine* out) {
        ifma::load_g1(in, n, reinterpret_cast<std::uint64_t*>(out));
      },
      &ifma::decode_g1,
      &ifma::copy_g1,
      &ifma::add_g1};
  return kTable;
}
template <>
const PointKernels<curve::G2>& ifma_kernels<curve::G2>() noexcept {
  static constexpr PointKernels<curve::G2> kTable{
      Isa::kIfma,
      ifma::kStrideG2,
      ifma::kScratchG2,
      [](const curve::G2Affine* in, std::size_t n, std::byte* out) {
        ifma::store_g2(words(in), n, out);
      },
      [](const std::byte* in, std::size_t n, curve::G2Affine* out) {
        ifma::load_g2(in, n, reinterpret_cast<std::uint64_t*>(out));
      },
      &ifma::decode_g2,
      &ifma::copy_g2,
      &ifma::add_g2};
  return kTable;
}

#endif

}  // namespace

template <class Curve>
const PointKernels<Curve>& point_kernels(Isa isa) noexcept {
#ifdef __x86_64__
  const Isa available = std::min(isa, best_isa());
  if (available == Isa::kIfma) return ifma_kernels<Curve>();
  if (available == Isa::kAdx) return kAdx<Curve>;
#endif
  return kPortable<Curve>;
}

template const PointKernels<curve::G1>& point_kernels<curve::G1>(Isa) noexcept;
template const PointKernels<curve::G2>& point_kernels<curve::G2>(Isa) noexcept;

namespace ifma {

void invert_eight(std::uint64_t* words) noexcept {
  std::array<Fp, 8> values;
  static_assert(sizeof(values) == 8 * Fp::kLimbs * sizeof(std::uint64_t));
  std::memcpy(static_cast<void*>(values.data()), words, sizeof(values));
  std::array<Fp, 8> scratch;
  field::batch_invert(std::span<Fp>(values), std::span<Fp>(scratch));
  std::memcpy(words, values.data(), sizeof(values));
}

}  // namespace ifma
}  // namespace belfry::msm
