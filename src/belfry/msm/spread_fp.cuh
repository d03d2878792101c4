#pragma once

#include "belfry/field/fp.h"
#include "belfry/field/fp2.h"
#include "belfry/msm/batch_add.cuh"
#include "belfry/msm/lazy_fp.cuh"

// Coordinates spread over lanes: each of the neighbouring lanes that work on a pair of points holds
// one coefficient. An element of Fp has one; one of Fp2 has two, c0 in the even lane and c1 in the
// odd one. Sums and differences are each lane's own; a product exchanges the other coefficients. So
// a G2 addition takes a lane no more registers and hardly more code than one of G1.
namespace belfry::msm::device {

/// The lane number, read anew each time: kept in registers it would be spilled.
__device__ __forceinline__ unsigned lane_id() {
  unsigned lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

template <class Field>
struct Spread;

template <>
struct Spread<Fp> {
  static constexpr unsigned kLog = 0;

  __device__ __forceinline__ static LazyFp own(const Fp& value) { return to_lazy(value); }
  __device__ __forceinline__ static Fp gather(const LazyFp& own) { return to_fp(own); }
  __device__ __forceinline__ static bool in_all(bool value) { return value; }
  __device__ __forceinline__ static LazyFp multiply(const LazyFp& a, const LazyFp& b) {
    return device::multiply(a, b);
  }
  __device__ __forceinline__ static LazyFp square(const LazyFp& a) { return device::square(a); }
};

template <>
struct Spread<Fp2> {
  static constexpr unsigned kLog = 1;

  __device__ __forceinline__ static bool is_odd() { return lane_id() % 2 != 0; }
  __device__ __forceinline__ static Word other(Word own) {
    return __shfl_xor_sync(kWholeWarp, own, 1);
  }
  __device__ __forceinline__ static LazyFp other(const LazyFp& own) {
    LazyFp out;
#pragma unroll
    for (int i = 0; i < LazyFp::kWords; ++i) out.w[i] = other(own.w[i]);
    return out;
  }

  /// This lane's coefficient of a value that both know.
  __device__ __forceinline__ static LazyFp own(const Fp2& value) {
    return to_lazy(is_odd() ? value.c1 : value.c0);
  }
  __device__ __forceinline__ static Fp2 gather(const LazyFp& own) {
    const Fp mine = to_fp(own);
    const Fp others = shuffle_xor(mine, 1);
    return is_odd() ? Fp2{others, mine} : Fp2{mine, others};
  }
  __device__ __forceinline__ static bool in_all(bool value) {
    return (other(Word{value}) & Word{value}) != 0;
  }
  /// Operands and result below 2p. c0 is a0·b0 - a1·b1, c1 is a1·b0 + a0·b1: the lane's own
  /// coefficient of a times b0, and the other's, negated in the even lane, times b1. Both products
  /// share one reduction: (2p·2p + 2p·2p)/R + p is below 2p.
  __device__ __forceinline__ static LazyFp multiply(const LazyFp& a, const LazyFp& b) {
    const bool odd_lane = is_odd();
    const LazyFp crossed = other(negated_if<2>(odd_lane, a));
    using Arithmetic = LazyFp::Arithmetic;
    Arithmetic::Array even;
    LazyFp odd;
#pragma unroll
    for (int i = 0; i < LazyFp::kWords; ++i) {
      const Word others = other(b.w[i]);
      const Word b0 = odd_lane ? others : b.w[i];
      const Word b1 = odd_lane ? b.w[i] : others;
      if (i == 0) {
        Arithmetic::first_row(even, odd.w, a.w, b0);
      } else {
        Arithmetic::shift(even, odd.w);
        Arithmetic::add_row<true>(even, odd.w, a.w, b0);
      }
      Arithmetic::add_row<false>(even, odd.w, crossed.w, b1);
      Arithmetic::reduce_row(even, odd.w);
    }
    Arithmetic::join_accumulators(even, odd.w);
    return odd;
  }
  /// Operand and result below 2p: (a0 + a1)·(a0 - a1) and 2·a0·a1.
  __device__ __forceinline__ static LazyFp square(const LazyFp& lazy) {
    const LazyFp a = reduced(lazy);  // the product of two sums of unreduced ones may exceed p·R
    const LazyFp others = other(a);
    const bool odd_lane = is_odd();
    LazyFp sum;
    LazyFp factor = subtract_lazy(a, others);
#pragma unroll
    for (int i = 0; i < LazyFp::kWords; ++i) {
      sum.w[i] = odd_lane ? others.w[i] : a.w[i];
      factor.w[i] = odd_lane ? a.w[i] : factor.w[i];
    }
    return device::multiply(add_lazy(sum, others), factor);
  }
};

}  // namespace belfry::msm::device
