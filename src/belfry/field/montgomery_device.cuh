#pragma once

#include <cstdint>

// Device arithmetic of MontgomeryField, in 32-bit limbs with explicit carry chains: nvcc does not
// find them in the 64-bit text. Included by montgomery.h in device compilation only. Every function
// takes and returns canonical values unless its name says otherwise, so host and device agree bit
// for bit.
//
// The product keeps two accumulators, one for partial products at even and one at odd limb
// positions: then every 32 x 32 -> 64 bit product is added at a place that is aligned to it, a row
// is one chain of wide multiply-adds, and no carry crosses from one chain to the other until the
// end. Source: design of shared/perf/spike_msm.md section 4; Montgomery multiplication by operand
// scanning.

namespace belfry::field::device {

using Word = std::uint32_t;

// One instruction each; the carry flag lives between neighbours, hence volatile.
__device__ __forceinline__ void mad_lo_cc(Word& c, Word a, Word b) {
  asm volatile("mad.lo.cc.u32 %0,%1,%2,%0;" : "+r"(c) : "r"(a), "r"(b));
}
__device__ __forceinline__ void madc_lo_cc(Word& c, Word a, Word b) {
  asm volatile("madc.lo.cc.u32 %0,%1,%2,%0;" : "+r"(c) : "r"(a), "r"(b));
}
__device__ __forceinline__ void madc_hi_cc(Word& c, Word a, Word b) {
  asm volatile("madc.hi.cc.u32 %0,%1,%2,%0;" : "+r"(c) : "r"(a), "r"(b));
}
__device__ __forceinline__ void madc_hi(Word& c, Word a, Word b) {
  asm volatile("madc.hi.u32 %0,%1,%2,%0;" : "+r"(c) : "r"(a), "r"(b));
}
__device__ __forceinline__ void add_cc(Word& c, Word a) {
  asm volatile("add.cc.u32 %0,%0,%1;" : "+r"(c) : "r"(a));
}
__device__ __forceinline__ void addc_cc(Word& c, Word a) {
  asm volatile("addc.cc.u32 %0,%0,%1;" : "+r"(c) : "r"(a));
}
__device__ __forceinline__ void addc(Word& c, Word a) {
  asm volatile("addc.u32 %0,%0,%1;" : "+r"(c) : "r"(a));
}
__device__ __forceinline__ void sub_cc(Word& c, Word a, Word b) {
  asm volatile("sub.cc.u32 %0,%1,%2;" : "=r"(c) : "r"(a), "r"(b));
}
__device__ __forceinline__ void subc_cc(Word& c, Word a, Word b) {
  asm volatile("subc.cc.u32 %0,%1,%2;" : "=r"(c) : "r"(a), "r"(b));
}
__device__ __forceinline__ void subc(Word& c, Word a, Word b) {
  asm volatile("subc.u32 %0,%1,%2;" : "=r"(c) : "r"(a), "r"(b));
}

/// The 32-bit words of a field's constants and the arithmetic on N of them.
template <class Params>
struct Words {
  static constexpr int kWords = 2 * static_cast<int>(Params::kLimbs);
  static constexpr Word kInverse = static_cast<Word>(Params::kMontgomeryInverse);
  using Array = Word[kWords];

  __device__ __forceinline__ static constexpr Word modulus(int i) {
    constexpr auto kCopy = Params::kModulus;  // a static member has no place on the device
    return static_cast<Word>(kCopy[i / 2] >> (32 * (i % 2)));
  }

  /// [0, 2p) -> [0, p)
  __device__ __forceinline__ static void reduce_once(Array& a) {
    Array t;
    Word borrow;
    sub_cc(t[0], a[0], modulus(0));
#pragma unroll
    for (int i = 1; i < kWords; ++i) subc_cc(t[i], a[i], modulus(i));
    subc(borrow, 0, 0);
#pragma unroll
    for (int i = 0; i < kWords; ++i) a[i] = borrow != 0 ? a[i] : t[i];
  }

  __device__ __forceinline__ static void add(Array& a, const Array& b) {
    add_cc(a[0], b[0]);
#pragma unroll
    for (int i = 1; i < kWords - 1; ++i) addc_cc(a[i], b[i]);
    addc(a[kWords - 1], b[kWords - 1]);
    reduce_once(a);
  }

  __device__ __forceinline__ static void subtract(Array& a, const Array& b) {
    Word borrow;
    sub_cc(a[0], a[0], b[0]);
#pragma unroll
    for (int i = 1; i < kWords; ++i) subc_cc(a[i], a[i], b[i]);
    subc(borrow, 0, 0);
    add_cc(a[0], borrow & modulus(0));
#pragma unroll
    for (int i = 1; i < kWords - 1; ++i) addc_cc(a[i], borrow & modulus(i));
    addc(a[kWords - 1], borrow & modulus(kWords - 1));
  }

  /// even += (words 0, 2, 4, ... of x) · y at even places; the last carry is returned in the flag,
  /// which the caller takes up with addc.
  __device__ __forceinline__ static void row_even(Array& even, const Array& x, Word y) {
    mad_lo_cc(even[0], x[0], y);
    madc_hi_cc(even[1], x[0], y);
#pragma unroll
    for (int j = 2; j < kWords; j += 2) {
      madc_lo_cc(even[j], x[j], y);
      madc_hi_cc(even[j + 1], x[j], y);
    }
  }

  /// even, odd = x·y
  __device__ __forceinline__ static void first_row(Array& even, Array& odd, const Array& x,
                                                   Word y) {
#pragma unroll
    for (int j = 0; j < kWords; j += 2) {
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
    if constexpr (kCarryIn) {
      madc_lo_cc(odd[0], x[1], y);
    } else {
      mad_lo_cc(odd[0], x[1], y);
    }
    madc_hi_cc(odd[1], x[1], y);
#pragma unroll
    for (int j = 2; j < kWords - 2; j += 2) {
      madc_lo_cc(odd[j], x[j + 1], y);
      madc_hi_cc(odd[j + 1], x[j + 1], y);
    }
    madc_lo_cc(odd[kWords - 2], x[kWords - 1], y);
    madc_hi(odd[kWords - 1], x[kWords - 1], y);
    row_even(even, x, y);
    addc(odd[kWords - 1], 0);
  }
  /// odd += even / 2^32, where even[0] is zero.
  __device__ __forceinline__ static void join_accumulators(const Array& even, Array& odd) {
    add_cc(odd[0], even[1]);
#pragma unroll
    for (int j = 1; j < kWords - 1; ++j) addc_cc(odd[j], even[j + 1]);
    addc(odd[kWords - 1], 0);
  }

  /// One step of the reduction: adds q·p with the q that clears even[0]. With kCarryIn the flag is
  /// added to odd[0].
  template <bool kCarryIn = false>
  __device__ __forceinline__ static void reduce_row(Array& even, Array& odd) {
    // Fr begins with the words 1 and 2^32 - 1: q is a negation, and the two products with them are
    // additions, which leaves one multiplication in eight to the adder.
    constexpr bool kPlainLowWords = modulus(0) == 1 && modulus(1) == ~Word{0};
    Word q;
    if constexpr (kPlainLowWords) {
      static_assert(!kCarryIn, "the additions below would lose it");
      Word high;
      sub_cc(q, 0, even[0]);
      sub_cc(high, 0, q);
      subc(high, q, 0);  // q·(2^32 - 1) = 2^32·(q - [q != 0]) + (-q), and -q is even[0]
      add_cc(odd[0], even[0]);
      addc_cc(odd[1], high);
    } else {
      q = even[0] * kInverse;
      if constexpr (kCarryIn) {
        madc_lo_cc(odd[0], modulus(1), q);
      } else {
        mad_lo_cc(odd[0], modulus(1), q);
      }
      madc_hi_cc(odd[1], modulus(1), q);
    }
#pragma unroll
    for (int j = 2; j < kWords - 2; j += 2) {
      madc_lo_cc(odd[j], modulus(j + 1), q);
      madc_hi_cc(odd[j + 1], modulus(j + 1), q);
    }
    madc_lo_cc(odd[kWords - 2], modulus(kWords - 1), q);
    madc_hi(odd[kWords - 1], modulus(kWords - 1), q);
    if constexpr (kPlainLowWords) {
      add_cc(even[0], q);
      addc_cc(even[1], 0);
    } else {
      mad_lo_cc(even[0], modulus(0), q);
      madc_hi_cc(even[1], modulus(0), q);
    }
#pragma unroll
    for (int j = 2; j < kWords; j += 2) {
      madc_lo_cc(even[j], modulus(j), q);
      madc_hi_cc(even[j + 1], modulus(j), q);
    }
    addc(odd[kWords - 1], 0);
  }

  /// Swaps the roles of the accumulators after even[0] became zero: a shift by one word. The word
  /// even[1] is added to the new even[0], and its carry stays in the flag.
  __device__ __forceinline__ static void shift(Array& even, Array& odd) {
    const Word low = even[1];
#pragma unroll
    for (int j = 0; j < kWords; ++j) {
      const Word next = j < kWords - 2 ? even[j + 2] : 0;
      even[j] = odd[j];
      odd[j] = next;
    }
    add_cc(even[0], low);
  }

  /// a·b/R for a·b < p·R: a value below 2p. For Fp, whose R is more than four times p, both may be
  /// below 2p; for Fr they are canonical.
  __device__ __forceinline__ static void multiply_lazy(Array& out, const Array& a, const Array& b) {
    Array even;
    Array odd;
    first_row(even, odd, a, b[0]);
    reduce_row(even, odd);
#pragma unroll
    for (int i = 1; i < kWords; ++i) {
      const Word y = b[i];
      shift(even, odd);
      add_row<true>(even, odd, a, y);
      reduce_row(even, odd);
    }
    join_accumulators(even, odd);
#pragma unroll
    for (int j = 0; j < kWords; ++j) out[j] = odd[j];
  }

  /// a²/R for a below 2p, a value below 2p; for Fp only. Products of different words are formed
  /// once and doubled: a fifth cheaper than multiply_lazy.
  __device__ __forceinline__ static void square_lazy(Array& out, const Array& a) {
    Word square[2 * kWords];
    cross_products(square, a);
    add_cc(square[0], square[0]);
#pragma unroll
    for (int i = 1; i < 2 * kWords - 1; ++i) addc_cc(square[i], square[i]);
    addc(square[2 * kWords - 1], square[2 * kWords - 1]);
    mad_lo_cc(square[0], a[0], a[0]);
    madc_hi_cc(square[1], a[0], a[0]);
#pragma unroll
    for (int i = 1; i < kWords - 1; ++i) {
      madc_lo_cc(square[2 * i], a[i], a[i]);
      madc_hi_cc(square[2 * i + 1], a[i], a[i]);
    }
    madc_lo_cc(square[2 * kWords - 2], a[kWords - 1], a[kWords - 1]);
    madc_hi(square[2 * kWords - 1], a[kWords - 1], a[kWords - 1]);
    reduce_wide(out, square);
  }

 private:
  using Wide = Word[2 * kWords];

  /// Σ a[i]·a[j]·2^(32(i+j)) over i < j, in two accumulators by the parity of i + j, so that each
  /// row is one chain.
  __device__ __forceinline__ static void cross_products(Wide& out, const Array& a) {
    Word even[2 * kWords + 2];
    Word odd[2 * kWords + 2];
#pragma unroll
    for (int i = 0; i < 2 * kWords + 2; ++i) even[i] = odd[i] = 0;
#pragma unroll
    for (int i = 0; i < kWords - 1; ++i) {
      cross_row(odd, a, i, i + 1);
      if (i + 2 < kWords) cross_row(even, a, i, i + 2);
    }
#pragma unroll
    for (int i = 0; i < 2 * kWords; ++i) out[i] = odd[i];
    add_cc(out[2], even[2]);
#pragma unroll
    for (int i = 3; i < 2 * kWords - 1; ++i) addc_cc(out[i], even[i]);
    addc(out[2 * kWords - 1], even[2 * kWords - 1]);
  }
  /// Adds a[i]·a[j] for j = first, first + 2, ...
  __device__ __forceinline__ static void cross_row(Word (&sum)[2 * kWords + 2], const Array& a,
                                                   int i, int first) {
    mad_lo_cc(sum[i + first], a[i], a[first]);
    madc_hi_cc(sum[i + first + 1], a[i], a[first]);
    int end = i + first + 2;
#pragma unroll
    for (int j = first + 2; j < kWords; j += 2) {
      madc_lo_cc(sum[i + j], a[i], a[j]);
      madc_hi_cc(sum[i + j + 1], a[i], a[j]);
      end = i + j + 2;
    }
    addc(sum[end], 0);
  }
  /// wide/R for a value below 4p²: below 2p.
  __device__ __forceinline__ static void reduce_wide(Array& out, const Wide& wide) {
    Array even;
    Array odd;
#pragma unroll
    for (int j = 0; j < kWords; ++j) {
      even[j] = wide[j];
      odd[j] = 0;
    }
    reduce_row(even, odd);
#pragma unroll
    for (int i = 1; i < kWords; ++i) {
      shift(even, odd);
      reduce_row<true>(even, odd);
    }
    join_accumulators(even, odd);
    add_cc(odd[0], wide[kWords]);
#pragma unroll
    for (int j = 1; j < kWords - 1; ++j) addc_cc(odd[j], wide[kWords + j]);
    addc(odd[kWords - 1], wide[2 * kWords - 1]);
#pragma unroll
    for (int j = 0; j < kWords; ++j) out[j] = odd[j];
  }
};

/// The words of an element, and back. Free: registers keep their place.
template <class Limbs, int N>
__device__ __forceinline__ void split(const Limbs& limbs, Word (&words)[N]) {
#pragma unroll
  for (int i = 0; i < N; ++i) words[i] = static_cast<Word>(limbs[i / 2] >> (32 * (i % 2)));
}
template <class Limbs, int N>
__device__ __forceinline__ Limbs join(const Word (&words)[N]) {
  Limbs limbs{};
#pragma unroll
  for (int i = 0; i < N; i += 2) {
    limbs[i / 2] = std::uint64_t{words[i]} | (std::uint64_t{words[i + 1]} << 32);
  }
  return limbs;
}

template <class Params, class Limbs>
__device__ __forceinline__ Limbs multiply(const Limbs& a, const Limbs& b) {
  using W = Words<Params>;
  typename W::Array x;
  typename W::Array y;
  typename W::Array z;
  split(a, x);
  split(b, y);
  W::multiply_lazy(z, x, y);
  W::reduce_once(z);
  return join<Limbs>(z);
}

template <class Params, class Limbs>
__device__ __forceinline__ Limbs add(const Limbs& a, const Limbs& b) {
  using W = Words<Params>;
  typename W::Array x;
  typename W::Array y;
  split(a, x);
  split(b, y);
  W::add(x, y);
  return join<Limbs>(x);
}

template <class Params, class Limbs>
__device__ __forceinline__ Limbs subtract(const Limbs& a, const Limbs& b) {
  using W = Words<Params>;
  typename W::Array x;
  typename W::Array y;
  split(a, x);
  split(b, y);
  W::subtract(x, y);
  return join<Limbs>(x);
}

}  // namespace belfry::field::device
