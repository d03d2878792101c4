#pragma once

#include <cstddef>
#include <cstring>

#include "belfry/curve/encoding.h"
#include "belfry/msm/kernels.h"

namespace belfry::msm::portable {

/// The kernels in plain C++ over `Curve::Field`: points are stored as `Curve::Affine`.
template <class Curve>
struct Kernels {
  using Affine = typename Curve::Affine;
  using Field = typename Curve::Field;

  /// What the first pass leaves for the second: denominator and product of those before it.
  struct Step {
    Field denominator;
    Field product;
  };

  static Affine point(PointRef ref) noexcept {
    Affine p;
    std::memcpy(static_cast<void*>(&p), address(ref), sizeof(p));
    return is_negative(ref) ? -p : p;
  }
  static void put(const Affine& p, std::byte* out) noexcept { std::memcpy(out, &p, sizeof(p)); }

  /// What the sum divides by: x2 - x1, 2y for equal points, 1 where nothing is divided.
  static Field denominator(const Affine& a, const Affine& b) noexcept {
    if (a.is_infinity() || b.is_infinity()) return Field::one();
    if (a.x != b.x) return b.x - a.x;
    return a.y == b.y && !a.y.is_zero() ? a.y.doubled() : Field::one();
  }
  static Affine sum(const Affine& a, const Affine& b, const Field& inverse) noexcept {
    if (a.is_infinity()) return b;
    if (b.is_infinity()) return a;
    Field numerator = b.y - a.y;
    if (a.x == b.x) {
      if (a.y != b.y || a.y.is_zero()) return Affine::infinity();
      const Field xx = a.x.square();
      numerator = xx.doubled() + xx;
    }
    const Field slope = numerator * inverse;
    const Field x = slope.square() - a.x - b.x;
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
      put(*p, out + i * sizeof(Affine));
    }
    return true;
  }
  static void copy(PointRef from, std::byte* to) { put(point(from), to); }

  static constexpr std::size_t kBatch = 1024;  ///< pairs that share an inversion

  static void add(const PairSum* pairs, std::size_t n, std::byte* scratch) {
    for (std::size_t at = 0; at < n; at += kBatch) {
      add_batch(pairs + at, n - at < kBatch ? n - at : kBatch, scratch);
    }
  }
  /// Points come from random places in memory, and one addition is longer than the window in which
  /// a CPU looks ahead by itself.
  static void prefetch(PointRef ref) noexcept {
    constexpr std::size_t kCacheLine = 64;
    for (std::size_t at = 0; at < sizeof(Affine); at += kCacheLine) {
      __builtin_prefetch(address(ref) + at);
    }
  }
  static void add_batch(const PairSum* pairs, std::size_t n, std::byte* scratch) {
    constexpr std::size_t kAhead = 8;
    auto* steps = reinterpret_cast<Step*>(scratch);
    Field product = Field::one();
    for (std::size_t i = 0; i < n; ++i) {
      if (i + kAhead < n) {
        prefetch(pairs[i + kAhead].a);
        prefetch(pairs[i + kAhead].b);
      }
      const Field d = denominator(point(pairs[i].a), point(pairs[i].b));
      steps[i] = {d, product};
      product = product * d;
    }
    Field inverse = product.inverse();
    for (std::size_t i = n; i-- > 0;) {
      const Field own = inverse * steps[i].product;
      inverse = inverse * steps[i].denominator;
      put(sum(point(pairs[i].a), point(pairs[i].b), own), pairs[i].out);
    }
  }

  static constexpr PointKernels<Curve> table(Isa isa) {
    return {isa, sizeof(Affine), kBatch * sizeof(Step), &store, &load, &decode, &copy, &add};
  }
};

}  // namespace belfry::msm::portable
