#pragma once

#include <cstdint>

#include "belfry/field/fp.h"

// Fp in 32-bit words with results below 2p where that is enough.
namespace belfry::msm::device {

using field::device::Word;

struct LazyFp {
  using Arithmetic = field::device::Words<field::FpParams>;
  static constexpr int kWords = Arithmetic::kWords;

  typename Arithmetic::Array w;
};

/// From and to memory in pieces of 16 bytes, `stride` bytes from one to the next.
__device__ __forceinline__ LazyFp load_fp(const void* from, unsigned stride = sizeof(uint4)) {
  LazyFp out;
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    const uint4 v = *reinterpret_cast<const uint4*>(static_cast<const char*>(from) + k * stride);
    out.w[4 * k] = v.x;
    out.w[4 * k + 1] = v.y;
    out.w[4 * k + 2] = v.z;
    out.w[4 * k + 3] = v.w;
  }
  return out;
}
__device__ __forceinline__ void store_fp(void* to, const LazyFp& a,
                                         unsigned stride = sizeof(uint4)) {
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    *reinterpret_cast<uint4*>(static_cast<char*>(to) + k * stride) =
        make_uint4(a.w[4 * k], a.w[4 * k + 1], a.w[4 * k + 2], a.w[4 * k + 3]);
  }
}

__device__ __forceinline__ bool is_zero(const LazyFp& a) {
  Word any = 0;
#pragma unroll
  for (int i = 0; i < LazyFp::kWords; ++i) any |= a.w[i];
  return any == 0;
}
/// Operands and result below 2p.
__device__ __forceinline__ LazyFp multiply(const LazyFp& a, const LazyFp& b) {
  LazyFp out;
  LazyFp::Arithmetic::multiply_lazy(out.w, a.w, b.w);
  return out;
}
__device__ __forceinline__ LazyFp square(const LazyFp& a) {
  LazyFp out;
  LazyFp::Arithmetic::square_lazy(out.w, a.w);
  return out;
}
/// Below p from below 2p.
__device__ __forceinline__ LazyFp reduced(LazyFp a) {
  LazyFp::Arithmetic::reduce_once(a.w);
  return a;
}
/// Canonical from canonical operands.
__device__ __forceinline__ LazyFp subtract(LazyFp a, const LazyFp& b) {
  LazyFp::Arithmetic::subtract(a.w, b.w);
  return a;
}
/// a - b + p for operands up to p: below 2p and more than zero unless a = 0 and b = p.
__device__ __forceinline__ LazyFp subtract_lazy(const LazyFp& a, const LazyFp& b) {
  using field::device::add_cc;
  using field::device::addc;
  using field::device::addc_cc;
  using field::device::sub_cc;
  using field::device::subc;
  using field::device::subc_cc;
  LazyFp out;
  sub_cc(out.w[0], a.w[0], b.w[0]);
#pragma unroll
  for (int i = 1; i < LazyFp::kWords - 1; ++i) subc_cc(out.w[i], a.w[i], b.w[i]);
  subc(out.w[LazyFp::kWords - 1], a.w[LazyFp::kWords - 1], b.w[LazyFp::kWords - 1]);
  add_cc(out.w[0], LazyFp::Arithmetic::modulus(0));
#pragma unroll
  for (int i = 1; i < LazyFp::kWords - 1; ++i) addc_cc(out.w[i], LazyFp::Arithmetic::modulus(i));
  addc(out.w[LazyFp::kWords - 1], LazyFp::Arithmetic::modulus(LazyFp::kWords - 1));
  return out;
}
/// a + b without a reduction.
__device__ __forceinline__ LazyFp add_lazy(LazyFp a, const LazyFp& b) {
  field::device::add_cc(a.w[0], b.w[0]);
#pragma unroll
  for (int i = 1; i < LazyFp::kWords - 1; ++i) field::device::addc_cc(a.w[i], b.w[i]);
  field::device::addc(a.w[LazyFp::kWords - 1], b.w[LazyFp::kWords - 1]);
  return a;
}
/// a, or kMultiple·p - a for a up to that; kMultiple is 1 or 2. From a = 0 it is kMultiple·p
/// itself.
template <unsigned kMultiple = 1>
__device__ __forceinline__ LazyFp negated_if(bool negative, const LazyFp& a) {
  using field::device::sub_cc;
  using field::device::subc;
  using field::device::subc_cc;
  constexpr int kLast = LazyFp::kWords - 1;
  const auto multiple = [](int i) {
    const Word below = i == 0 ? 0 : LazyFp::Arithmetic::modulus(i - 1) >> 31;
    const Word own = LazyFp::Arithmetic::modulus(i);
    return kMultiple == 1 ? own : own << 1 | below;
  };
  LazyFp out;
  sub_cc(out.w[0], multiple(0), a.w[0]);
#pragma unroll
  for (int i = 1; i < kLast; ++i) subc_cc(out.w[i], multiple(i), a.w[i]);
  subc(out.w[kLast], multiple(kLast), a.w[kLast]);
#pragma unroll
  for (int i = 0; i < LazyFp::kWords; ++i) out.w[i] = negative ? out.w[i] : a.w[i];
  return out;
}

__device__ __forceinline__ Fp to_fp(const LazyFp& a) {
  return {field::device::join<Fp::Limbs>(reduced(a).w)};
}
__device__ __forceinline__ LazyFp to_lazy(const Fp& a) {
  LazyFp out;
  field::device::split(a.limbs, out.w);
  return out;
}

}  // namespace belfry::msm::device
