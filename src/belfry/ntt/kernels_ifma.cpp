#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "belfry/field/fr.h"
#include "belfry/field/fr_lanes.h"
#include "belfry/ntt/ifma_lanes.h"
#include "belfry/ntt/kernels.h"
#include "belfry/ntt/kernels_core.h"

namespace belfry::ntt {
namespace {

constexpr std::size_t kWords = FrLaneParams::kWords;

const std::uint64_t* words_of(const Fr* x) { return reinterpret_cast<const std::uint64_t*>(x); }
std::uint64_t* words_of(Fr* x) { return reinterpret_cast<std::uint64_t*>(x); }

/// Eight elements for strip_core.h. Being in an unnamed namespace it makes the kernels local, too.
struct IfmaLanes {
  static constexpr std::size_t kPerRow = 1;
  using Value = FrLimbs;
  using Twiddle = SharedConstant;

  using Pair = Two;

  BELFRY_LANES static Pair products(const Value& x, const Twiddle& w, const Value& y,
                                    const Twiddle& v) noexcept {
    return times_constants({x, y}, Broadcast{w.w}, Broadcast{w.quotient}, Broadcast{v.w},
                           Broadcast{v.quotient});
  }
  BELFRY_LANES static Pair products(const Value& x, const LaneConstant& w, const Value& y,
                                    const LaneConstant& v) noexcept {
    return times_constants({x, y}, Separate{&w.w}, Separate{&w.quotient}, Separate{&v.w},
                           Separate{&v.quotient});
  }
  /// The twin of one value is the same computation, which the compiler drops.
  template <class Constant>
  BELFRY_LANES static Value product(const Value& x, const Constant& w) noexcept {
    return products(x, w, x, w).first;
  }
  BELFRY_LANES static Value multiply(const Value& x, const Value& factor) noexcept {
    return field::montgomery(settle(x), settle(factor));
  }
  BELFRY_LANES static Value add(const Value& x, const Value& y) noexcept {
    return field::add_limbs(x, y);
  }
  template <unsigned K>
  BELFRY_LANES static Value subtract(const Value& x, const Value& y) noexcept {
    return field::subtract_limbs(x, y, K);
  }
  BELFRY_LANES static Value reduce(const Value& x) noexcept { return reduce_sum(x); }
  BELFRY_LANES static Value to_factor(const Value& x) noexcept {
    return field::fr_prepare({settle(x)}).x;
  }
  BELFRY_LANES static LaneConstant to_constant(const Value& x) noexcept {
    return to_lane_constant(x);
  }

  BELFRY_LANES static void load(Value* row, const Fr* src) noexcept {
    *row = field::fr_load(words_of(src)).x;
  }
  BELFRY_LANES static void store(const Value* row, Fr* dst) noexcept {
    field::fr_store(words_of(dst), {canonical(*row)});
  }
  BELFRY_LANES static void gather(Value* row, const Fr* src, std::size_t stride) noexcept {
    const std::uint64_t* const from = words_of(src);
    const std::size_t step = stride * kWords;
    __m512i words[kWords];
    field::fr_transpose(load_pair(from, from + step), load_pair(from + 2 * step, from + 3 * step),
                        load_pair(from + 4 * step, from + 5 * step),
                        load_pair(from + 6 * step, from + 7 * step), words);
    *row = field::split_words<FrLaneParams>(words);
  }
  BELFRY_LANES static void scatter(const Value* row, Fr* dst, std::size_t stride) noexcept {
    __m512i words[kWords];
    __m512i pairs[kWords];
    field::join_limbs(canonical(*row), words);
    field::fr_untranspose(words, pairs);
    std::uint64_t* const to = words_of(dst);
    const std::size_t step = stride * kWords;
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kWords; ++i) {
      store_pair(to + 2 * i * step, to + (2 * i + 1) * step, pairs[i]);
    }
  }

  static void prepare(const Fr* constants, std::size_t n, std::uint64_t* out) noexcept {
    auto* const table = reinterpret_cast<SharedConstant*>(out);
    for (std::size_t begin = 0; begin < n; begin += kStrip) {
      const std::size_t count = n - begin < kStrip ? n - begin : kStrip;
      std::uint64_t padded[kStrip * kWords] = {};
      for (std::size_t i = 0; i < count * kWords; ++i) {
        padded[i] = words_of(constants)[begin * kWords + i];
      }
      const LaneConstant prepared = to_lane_constant(field::fr_load(padded).x);
      for (std::size_t j = 0; j < kLimbs; ++j) store_limb(prepared, j, table + begin, count);
    }
  }

 private:
  /// Limb j of the first `count` lanes.
  static void store_limb(const LaneConstant& from, std::size_t j, SharedConstant* to,
                         std::size_t count) noexcept {
    std::uint64_t w[kStrip];
    std::uint64_t quotient[kStrip];
    _mm512_storeu_si512(w, from.w.limb[j]);
    _mm512_storeu_si512(quotient, from.quotient.limb[j]);
    for (std::size_t i = 0; i < count; ++i) {
      to[i].w[j] = w[i];
      to[i].quotient[j] = quotient[i];
    }
  }
};

}  // namespace

constinit const Kernels kIfmaKernels = core::KernelsOf<IfmaLanes>::table();

}  // namespace belfry::ntt
