#pragma once

#include <cstddef>
#include <cstdint>

#include "belfry/field/fr.h"
#include "belfry/ntt/kernels.h"

namespace belfry::ntt {

/// Elements one by one, for strip_core.h: F is a PathField of Fr. They are always fully reduced, so
/// `reduce` is nothing.
template <class F>
struct ScalarLanes {
  static constexpr std::size_t kPerRow = kStrip;
  using Value = F;
  using Twiddle = F;
  struct Pair {
    Value first;
    Value second;
  };

  static void prepare(const Fr* constants, std::size_t n, std::uint64_t* out) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < F::kLimbs; ++k) out[i * F::kLimbs + k] = constants[i].limbs[k];
    }
  }
  static void gather(Value* row, const Fr* src, std::size_t stride) {
    for (std::size_t k = 0; k < kStrip; ++k) row[k] = F{src[k * stride].limbs};
  }
  static void scatter(const Value* row, Fr* dst, std::size_t stride) {
    for (std::size_t k = 0; k < kStrip; ++k) dst[k * stride].limbs = row[k].limbs;
  }
  static void load(Value* row, const Fr* src) { gather(row, src, 1); }
  static void store(const Value* row, Fr* dst) { scatter(row, dst, 1); }

  static Pair products(const Value& x, const Twiddle& w, const Value& y, const Twiddle& v) {
    return {x * w, y * v};
  }
  static Value product(const Value& x, const Twiddle& w) { return x * w; }
  static Value multiply(const Value& x, const Value& y) { return x * y; }
  static Value add(const Value& x, const Value& y) { return x + y; }
  template <unsigned K>
  static Value subtract(const Value& x, const Value& y) {
    return x - y;
  }
  static Value reduce(const Value& x) { return x; }
  static Value to_factor(const Value& x) { return x; }
  static Value to_constant(const Value& x) { return x; }
};

}  // namespace belfry::ntt
