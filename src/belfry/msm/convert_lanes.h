#pragma once

#include "belfry/msm/coordinate_lanes.h"

/// Points into and out of their stored form; included by kernels_ifma_*.cpp only.
namespace belfry::msm::ifma {
namespace {

template <class C>
constexpr std::size_t kStride = 2 * kFpStride * C::kDegree;
/// Fp elements of a point.
template <class C>
constexpr std::size_t kElements = 2 * C::kDegree;

/// Rows of element `index` of eight points; the last point is repeated beyond `left`.
template <class Byte>
BELFRY_LANES void element_rows(Byte* base, std::size_t stride, std::size_t left,
                               Byte* (&rows)[kLanes]) noexcept {
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kLanes; ++i) rows[i] = base + stride * (i < left ? i : left - 1);
}

template <class C>
BELFRY_LANES void store_points(const std::uint64_t* in, std::size_t n, std::byte* out) {
  const auto* bytes = reinterpret_cast<const std::byte*>(in);
  for (std::size_t at = 0; at < n; at += kLanes) {
    for (std::size_t k = 0; k < kElements<C>; ++k) {
      Rows from;
      OutRows to;
      element_rows(bytes + kFpBytes * (kElements<C> * at + k), kFpBytes * kElements<C>, n - at,
                   from);
      element_rows(out + kStride<C> * at + kFpStride * k, kStride<C>, n - at, to);
      field::fp_scatter(to, field::fp_from_portable(field::fp_gather_words(from)));
    }
  }
}

template <class C>
BELFRY_LANES void load_points(const std::byte* in, std::size_t n, std::uint64_t* out) {
  auto* bytes = reinterpret_cast<std::byte*>(out);
  for (std::size_t at = 0; at < n; at += kLanes) {
    for (std::size_t k = 0; k < kElements<C>; ++k) {
      Rows from;
      OutRows to;
      element_rows(in + kStride<C> * at + kFpStride * k, kStride<C>, n - at, from);
      element_rows(bytes + kFpBytes * (kElements<C> * at + k), kFpBytes * kElements<C>, n - at, to);
      field::fp_scatter_words(to,
                              field::fp_canonical(field::fp_to_portable(field::fp_gather(from))));
    }
  }
}

/// b of y² = x³ + b: 4 for G1, 4(1 + u) for G2.
template <class C>
BELFRY_LANES C curve_constant() noexcept {
  C out;
#pragma GCC unroll 2
  for (std::size_t k = 0; k < C::kDegree; ++k) {
    const FpLanes unit = field::fp_one();
    const FpLanes two = field::fp_carry(field::fp_add(unit, unit));
    out.c[k] = field::fp_reduce(field::fp_add(two, two));
  }
  return out;
}

/// Flag bits in the top byte of an encoding, and the one that means infinity.
constexpr std::uint8_t kFlagBits = 0xe0;
constexpr std::uint8_t kInfinityBit = 0x40;
constexpr std::uint8_t kAllBits = 0xff;

/// Decodes eight encodings; false if any is not exactly a finite point of the curve, or infinity in
/// its only encoding.
template <class C>
BELFRY_LANES bool decode_group(const std::uint8_t* in, std::size_t left, std::byte* out) {
  constexpr std::size_t kBytes = kFpBytes * kElements<C>;
  unsigned infinite = 0;
  unsigned refused = 0;
  for (std::size_t i = 0; i < kLanes; ++i) {
    const std::uint8_t flags = in[kBytes * (i < left ? i : left - 1)] & kFlagBits;
    infinite |= static_cast<unsigned>(flags == kInfinityBit) << i;
    refused |= static_cast<unsigned>(flags != 0 && flags != kInfinityBit) << i;
  }
  C coordinate[2];
  __mmask8 bytes_zero = field::kAllLanes;
  for (std::size_t k = 0; k < kElements<C>; ++k) {
    // The wire has the coefficient of u first.
    const std::size_t place = C::kDegree * (k / C::kDegree) + C::kDegree - 1 - k % C::kDegree;
    Rows from;
    element_rows(reinterpret_cast<const std::byte*>(in) + kFpBytes * place, kBytes, left, from);
    const std::uint8_t keep = place == 0 ? static_cast<std::uint8_t>(~kFlagBits) : kAllBits;
    const FpLanes integer = field::fp_gather_big_endian(from, keep);
    refused |= field::fp_out_of_range(integer);
    __m512i any = integer.x.limb[0];
    for (std::size_t i = 1; i < FpLaneParams::kLimbs; ++i) {
      any = _mm512_or_si512(any, integer.x.limb[i]);
    }
    bytes_zero = static_cast<__mmask8>(bytes_zero & _mm512_testn_epi64_mask(any, any));
    coordinate[k / C::kDegree].c[k % C::kDegree] =
        field::fp_mul(integer, field::fp_constant(FpLaneParams::kEncodeLane));
  }
  const C& x = coordinate[0];
  const C& y = coordinate[1];
  const C right = carry(add(mul(square(x), x), curve_constant<C>()));
  const unsigned on_curve = zero_mask(sub(right, square(y), 2));
  if constexpr (C::kDegree == 1) refused |= zero_mask(as_sum(x)) & ~infinite;
  refused |=
      (infinite & ~unsigned{bytes_zero}) | (~infinite & ~on_curve & unsigned{field::kAllLanes});
  for (std::size_t c = 0; c < 2; ++c) {
    const C stored = cleared(coordinate[c], static_cast<__mmask8>(infinite));
    for (std::size_t k = 0; k < C::kDegree; ++k) {
      OutRows to;
      element_rows(out + kFpStride * (C::kDegree * c + k), kStride<C>, left, to);
      field::fp_scatter(to, stored.c[k]);
    }
  }
  return refused == 0;
}

template <class C>
BELFRY_LANES bool decode_points(const std::uint8_t* in, std::size_t n, std::byte* out) {
  constexpr std::size_t kBytes = kFpBytes * kElements<C>;
  bool good = true;
  for (std::size_t at = 0; at < n; at += kLanes) {
    good &= decode_group<C>(in + kBytes * at, n - at, out + kStride<C> * at);
  }
  return good;
}

template <class C>
BELFRY_LANES void copy_point(PointRef from, std::byte* to) {
  const std::byte* const source = stored_at(from);
  const bool negative = (from.bits & 1) != 0;
  for (std::size_t at = 0; at < kStride<C>; at += kFpStride) {
    const __m512i limbs = _mm512_loadu_si512(source + at);
    _mm512_storeu_si512(to + at, limbs);
  }
  if (!negative) return;
  // 2p - y would break the bound, so y goes through lanes and a reduction; infinity stays zero.
  Rows rows;
  OutRows out_rows;
  for (std::size_t i = 0; i < kLanes; ++i) {
    rows[i] = source;
    out_rows[i] = to;
  }
  const C y = gather<C>(rows, 1);
  const C negated = reduce(plus(with_sign(y, field::kAllLanes), 1));
  scatter(out_rows, 1, cleared(negated, all_limbs_zero(y)));
}

}  // namespace
}  // namespace belfry::msm::ifma
