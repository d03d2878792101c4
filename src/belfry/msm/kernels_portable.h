#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "belfry/curve/encoding.h"
#include "belfry/msm/kernels.h"

namespace belfry::msm::portable {

/// F[u]/(u² + 1) for a field of one instruction set (field/path_field.h); the layout is that of
/// Fp2.
template <class F>
struct Quadratic {
  F c0{};
  F c1{};

  static constexpr Quadratic one() noexcept { return {F::one(), F::zero()}; }
  [[nodiscard]] constexpr bool is_zero() const noexcept { return c0.is_zero() && c1.is_zero(); }
  friend constexpr bool operator==(const Quadratic&, const Quadratic&) noexcept = default;
  friend Quadratic operator+(const Quadratic& a, const Quadratic& b) noexcept {
    return {a.c0 + b.c0, a.c1 + b.c1};
  }
  friend Quadratic operator-(const Quadratic& a, const Quadratic& b) noexcept {
    return {a.c0 - b.c0, a.c1 - b.c1};
  }
  Quadratic operator-() const noexcept { return {-c0, -c1}; }
  friend Quadratic operator*(const Quadratic& a, const Quadratic& b) noexcept {
    const F low = a.c0 * b.c0;
    const F high = a.c1 * b.c1;
    const F cross = (a.c0 + a.c1) * (b.c0 + b.c1);
    return {low - high, cross - low - high};
  }
  [[nodiscard]] Quadratic square() const noexcept {
    return {(c0 + c1) * (c0 - c1), (c0 + c0) * c1};
  }
};

/// The kernels one pair at a time over `F`, a field of one instruction set with the layout of
/// `Curve::Field`: points are stored as `Curve::Affine`.
template <class Curve, class F>
struct Kernels {
  using Affine = typename Curve::Affine;
  using Field = typename Curve::Field;
  struct Point {
    F x;
    F y;
  };
  static_assert(sizeof(Point) == sizeof(Affine));

  /// What the first pass leaves for the second: denominator and product of those before.
  struct Step {
    F denominator;
    F product;
  };

  static F load_field(const std::byte* from) noexcept {
    F out;
    std::memcpy(static_cast<void*>(&out), from, sizeof(F));
    return out;
  }
  static F x_of(PointRef ref) noexcept { return load_field(address(ref)); }
  static F y_of(PointRef ref) noexcept {
    const F y = load_field(address(ref) + sizeof(F));
    return is_negative(ref) ? -y : y;
  }
  static void put(const Point& p, std::byte* out) noexcept { std::memcpy(out, &p, sizeof(p)); }
  /// No point of either curve has y = 0, since both orders are odd: it is the mark of infinity.
  static bool is_infinity(const Point& p) noexcept { return p.y.is_zero(); }

  static F inverse(const F& x) noexcept {
    Field value;
    std::memcpy(static_cast<void*>(&value), &x, sizeof(x));
    value = value.inverse();
    return load_field(reinterpret_cast<const std::byte*>(&value));
  }

  /// True only where the chord formula may fail; infinity has x = 0.
  static bool may_be_special(const F& x1, const F& x2, const F& difference) noexcept {
    return difference.is_zero() || x1.is_zero() || x2.is_zero();
  }
  /// What a special sum divides by: x2 - x1, 2y for equal points, 1 where nothing is divided.
  [[gnu::noinline]] static F special_denominator(const PairSum& pair) noexcept {
    const Point a{x_of(pair.a), y_of(pair.a)};
    const Point b{x_of(pair.b), y_of(pair.b)};
    if (is_infinity(a) || is_infinity(b)) return F::one();
    if (!(a.x == b.x)) return b.x - a.x;
    return a.y == b.y ? a.y + a.y : F::one();
  }
  [[gnu::noinline]] static Point special_sum(const PairSum& pair, const F& inverse) noexcept {
    const Point a{x_of(pair.a), y_of(pair.a)};
    const Point b{x_of(pair.b), y_of(pair.b)};
    if (is_infinity(a)) return b;
    if (is_infinity(b)) return a;
    if (!(a.x == b.x)) return line_sum(a, b.x, (b.y - a.y) * inverse);
    if (!(a.y == b.y)) return {};
    const F xx = a.x.square();
    return line_sum(a, b.x, (xx + xx + xx) * inverse);
  }
  /// The third point of the line of slope s through a, with the other x, negated.
  static Point line_sum(const Point& a, const F& other_x, const F& slope) noexcept {
    const F x = slope.square() - a.x - other_x;
    return {x, slope * (a.x - x) - a.y};
  }

  static void store(const Affine* in, std::size_t n, std::byte* out) {
    if (n != 0) std::memcpy(static_cast<void*>(out), in, n * sizeof(Affine));
  }
  static void load(const std::byte* in, std::size_t n, Affine* out) {
    if (n != 0) std::memcpy(static_cast<void*>(out), in, n * sizeof(Affine));
  }
  static bool decode(const std::uint8_t* in, std::size_t n, std::byte* out) {
    constexpr std::size_t kBytes = curve::kUncompressedSize<Affine>;
    for (std::size_t i = 0; i < n; ++i) {
      const auto p = curve::decode_unchecked<Affine>(
          std::span<const std::uint8_t, kBytes>(in + i * kBytes, kBytes));
      if (!p) return false;
      store(&*p, 1, out + i * sizeof(Affine));
    }
    return true;
  }
  static void copy(PointRef from, std::byte* to) { put({x_of(from), y_of(from)}, to); }

  static constexpr std::size_t kBatch = 1024;  ///< pairs that share an inversion

  static void add(const PairSum* pairs, std::size_t n, std::byte* scratch) {
    for (std::size_t at = 0; at < n; at += kBatch) {
      add_batch(pairs + at, n - at < kBatch ? n - at : kBatch, scratch);
    }
  }
  /// Points come from random places in memory, and one addition is longer than the window in which
  /// a CPU looks ahead by itself. Half a point is a coordinate; the first may end in the second's
  /// cache line.
  static void prefetch(PointRef ref, std::size_t coordinate) noexcept {
    constexpr std::size_t kCacheLine = 64;
    const std::byte* const from = address(ref) + coordinate * sizeof(F);
    for (std::size_t at = 0; at < sizeof(F); at += kCacheLine) __builtin_prefetch(from + at);
    __builtin_prefetch(from + sizeof(F) - 1);
  }
  static constexpr std::size_t kAheadOne = 16;
  static constexpr std::size_t kAheadTwo = 4;

  /// Flat: as calls, the differences alone take two thirds of the time of the products, and GCC
  /// leaves them calls where a unit has several kernels (docs/perf/msm_cpu.md).
  [[gnu::flatten]] static void add_batch(const PairSum* pairs, std::size_t n, std::byte* scratch) {
    auto* const steps = reinterpret_cast<Step*>(scratch);
    auto* const special = scratch + kBatch * sizeof(Step);
    F product = F::one();
    for (std::size_t i = 0; i < n; ++i) {
      if (i + kAheadOne < n) {
        prefetch(pairs[i + kAheadOne].a, 0);
        prefetch(pairs[i + kAheadOne].b, 0);
      }
      const F x1 = x_of(pairs[i].a);
      const F x2 = x_of(pairs[i].b);
      F d = x2 - x1;
      const bool rare = may_be_special(x1, x2, d);
      if (rare) [[unlikely]]
        d = special_denominator(pairs[i]);
      special[i] = static_cast<std::byte>(rare);
      steps[i] = {d, product};
      product = product * d;
    }
    F inverse_left = inverse(product);
    for (std::size_t i = n; i-- > 0;) {
      if (i >= kAheadTwo) {
        prefetch(pairs[i - kAheadTwo].a, 1);
        prefetch(pairs[i - kAheadTwo].b, 1);
      }
      const F own = inverse_left * steps[i].product;
      inverse_left = inverse_left * steps[i].denominator;
      if (special[i] != std::byte{0}) [[unlikely]] {
        put(special_sum(pairs[i], own), pairs[i].out);
        continue;
      }
      const Point a{x_of(pairs[i].a), y_of(pairs[i].a)};
      const F slope = (y_of(pairs[i].b) - a.y) * own;
      put(line_sum(a, x_of(pairs[i].b), slope), pairs[i].out);
    }
  }

  static constexpr PointKernels<Curve> table(Isa isa) {
    return {isa, sizeof(Affine), kBatch * (sizeof(Step) + 1), &store, &load, &decode, &copy, &add};
  }
};

}  // namespace belfry::msm::portable
