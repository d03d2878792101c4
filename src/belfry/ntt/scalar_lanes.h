#pragma once

#include <cstddef>
#include <cstdint>

#include "belfry/field/fr.h"
#include "belfry/ntt/kernels.h"

namespace belfry::ntt {

/// Eight elements one after the other, for strip_core.h: F is a PathField of Fr. Elements are
/// always fully reduced, so `reduce` is nothing.
template <class F>
struct ScalarLanes {
  struct Value {
    F lane[kStrip];  // NOLINT(modernize-avoid-c-arrays): shared with devices
  };
  using Twiddle = F;

  static void prepare(const Fr* constants, std::size_t n, std::uint64_t* out) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < F::kLimbs; ++k) out[i * F::kLimbs + k] = constants[i].limbs[k];
    }
  }
  static Value gather(const Fr* src, std::size_t stride) {
    Value x;
    for (std::size_t k = 0; k < kStrip; ++k) x.lane[k] = F{src[k * stride].limbs};
    return x;
  }
  static void scatter(const Value& x, Fr* dst, std::size_t stride) {
    for (std::size_t k = 0; k < kStrip; ++k) dst[k * stride].limbs = x.lane[k].limbs;
  }
  static Value load(const Fr* src) { return gather(src, 1); }
  static void store(const Value& x, Fr* dst) { scatter(x, dst, 1); }

  static Value product(const Value& x, const Twiddle& w) {
    Value z;
    for (std::size_t k = 0; k < kStrip; ++k) z.lane[k] = x.lane[k] * w;
    return z;
  }
  static Value product(const Value& x, const Value& y) { return multiply(x, y); }
  struct Pair {
    Value first;
    Value second;
  };
  template <class Constant>
  static Pair products(const Value& x, const Constant& w, const Value& y, const Constant& v) {
    return {product(x, w), product(y, v)};
  }
  static Value multiply(const Value& x, const Value& y) {
    Value z;
    for (std::size_t k = 0; k < kStrip; ++k) z.lane[k] = x.lane[k] * y.lane[k];
    return z;
  }
  static Value add(const Value& x, const Value& y) {
    Value z;
    for (std::size_t k = 0; k < kStrip; ++k) z.lane[k] = x.lane[k] + y.lane[k];
    return z;
  }
  template <unsigned K>
  static Value subtract(const Value& x, const Value& y) {
    Value z;
    for (std::size_t k = 0; k < kStrip; ++k) z.lane[k] = x.lane[k] - y.lane[k];
    return z;
  }
  static const Value& reduce(const Value& x) { return x; }
  static const Value& to_factor(const Value& x) { return x; }
  static const Value& to_constant(const Value& x) { return x; }
};

}  // namespace belfry::ntt
