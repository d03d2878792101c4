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
    Array even;
    Array odd;
#pragma unroll
    for (int i = 0; i < LazyFp::kWords; ++i) {
      const Word others = other(b.w[i]);
      const Word b0 = odd_lane ? others : b.w[i];
      const Word b1 = odd_lane ? b.w[i] : others;
      if (i == 0) {
        first_row(even, odd, a.w, b0);
      } else {
        LazyFp::Arithmetic::shift(even, odd);
        add_row<true>(even, odd, a.w, b0);
      }
      add_row<false>(even, odd, crossed.w, b1);
      LazyFp::Arithmetic::reduce_row(even, odd);
    }
    return joined(even, odd);
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

 private:
  using Array = LazyFp::Arithmetic::Array;

  /// even, odd = x·y
  __device__ __forceinline__ static void first_row(Array& even, Array& odd, const Array& x,
                                                   Word y) {
#pragma unroll
    for (int j = 0; j < LazyFp::kWords; j += 2) {
      const std::uint64_t e = std::uint64_t{x[j]} * y;
      const std::uint64_t o = std::uint64_t{x[j + 1]} * y;
      even[j] = static_cast<Word>(e);
      even[j + 1] = static_cast<Word>(e >> 32);
      odd[j] = static_cast<Word>(o);
      odd[j + 1] = static_cast<Word>(o >> 32);
    }
  }
  /// even, odd += x·y. With kCarryIn the flag is added to odd[0].
  template <bool kCarryIn>
  __device__ __forceinline__ static void add_row(Array& even, Array& odd, const Array& x, Word y) {
    constexpr int kLast = LazyFp::kWords - 2;
    if constexpr (kCarryIn) {
      field::device::madc_lo_cc(odd[0], x[1], y);
    } else {
      field::device::mad_lo_cc(odd[0], x[1], y);
    }
    field::device::madc_hi_cc(odd[1], x[1], y);
#pragma unroll
    for (int j = 2; j < kLast; j += 2) {
      field::device::madc_lo_cc(odd[j], x[j + 1], y);
      field::device::madc_hi_cc(odd[j + 1], x[j + 1], y);
    }
    field::device::madc_lo_cc(odd[kLast], x[kLast + 1], y);
    field::device::madc_hi(odd[kLast + 1], x[kLast + 1], y);
    LazyFp::Arithmetic::row_even(even, x, y);
    field::device::addc(odd[kLast + 1], 0);
  }
  /// odd + even / 2^32, where even[0] is zero.
  __device__ __forceinline__ static LazyFp joined(const Array& even, Array& odd) {
    LazyFp out;
    field::device::add_cc(odd[0], even[1]);
#pragma unroll
    for (int j = 1; j < LazyFp::kWords - 1; ++j) field::device::addc_cc(odd[j], even[j + 1]);
    field::device::addc(odd[LazyFp::kWords - 1], 0);
#pragma unroll
    for (int j = 0; j < LazyFp::kWords; ++j) out.w[j] = odd[j];
    return out;
  }
};

}  // namespace belfry::msm::device
