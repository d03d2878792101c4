#pragma once

#include <cstddef>
#include <cstdint>

#include "belfry/base/platform.h"

// The arithmetic of one strip, the same for every instruction set: `Lanes` says what eight elements
// look like and how to multiply them. A strip is one worker's share of a pass.
//
// A block of size 2h at node n is a polynomial modulo X^(2h) - z^2, z the twiddle of n; the
// butterfly splits it into the remainders modulo X^h - z and X^h + z, the blocks of nodes 2n and
// 2n+1. The twiddle depends on the node only, so all columns of a strip share it. Node 1 is the
// root; node n = 2^s + i has z = w^(bitrev_s(i)), w of order 2^(s+1), times a factor that depends
// on s only where the whole strip is a block of a larger transform. Source: the Cooley-Tukey
// splitting, written as in Bernstein, "Multidigit multiplication for mathematicians" (2001),
// section 4.
//
// A row of a strip is Lanes::kPerRow values: eight elements one by one, or all in one register.
//
// Lanes works lazily: the comments carry the bounds in multiples of the modulus r. `product` is
// below 2r. `carry` makes a sum fit for multiplication, `reduce` brings it below 1.4r; both are
// nothing where elements are always reduced. `subtract<K>(x, y)` is x - y + K·r and needs y <= K·r.
namespace belfry::ntt::core {

/// Two levels of the tree at node n; `quarter` counts values. In and out: below 25r, 4r more on
/// return than on entry.
template <class Lanes>
BELFRY_HD inline void split4(typename Lanes::Value* x, std::size_t quarter, std::size_t node,
                             const typename Lanes::Twiddle* heap) noexcept {
  for (std::size_t i = 0; i < quarter; ++i) {
    auto* const y = x + i;
    const auto [t2, t3] = Lanes::products(y[2 * quarter], heap[node], y[3 * quarter], heap[node]);
    const auto x1 = y[quarter];
    const auto [s1, s3] = Lanes::products(Lanes::add(x1, t3), heap[2 * node],
                                          Lanes::template subtract<2>(x1, t3), heap[2 * node + 1]);
    const auto y0 = Lanes::add(y[0], t2);
    const auto y2 = Lanes::template subtract<2>(y[0], t2);
    y[0] = Lanes::add(y0, s1);
    y[quarter] = Lanes::template subtract<2>(y0, s1);
    y[2 * quarter] = Lanes::add(y2, s3);
    y[3 * quarter] = Lanes::template subtract<2>(y2, s3);
  }
}

/// The same where the twiddles are 1, 1 and the fourth root of unity. In: below 3r; out: 1.4r.
template <class Lanes>
BELFRY_HD inline void split4_unit(typename Lanes::Value* x, std::size_t quarter, std::size_t node,
                                  const typename Lanes::Twiddle* heap) noexcept {
  for (std::size_t i = 0; i < quarter; ++i) {
    auto* const y = x + i;
    const auto y3 = Lanes::template subtract<4>(y[quarter], y[3 * quarter]);
    const auto s3 = Lanes::product(y3, heap[2 * node + 1]);
    const auto y0 = Lanes::add(y[0], y[2 * quarter]);
    const auto y1 = Lanes::add(y[quarter], y[3 * quarter]);
    const auto y2 = Lanes::template subtract<4>(y[0], y[2 * quarter]);
    y[0] = Lanes::reduce(Lanes::add(y0, y1));
    y[quarter] = Lanes::reduce(Lanes::template subtract<8>(y0, y1));
    y[2 * quarter] = Lanes::reduce(Lanes::add(y2, s3));
    y[3 * quarter] = Lanes::reduce(Lanes::template subtract<2>(y2, s3));
  }
}

/// One level, for the odd one at the leaves. 2r more on return than on entry.
template <class Lanes>
BELFRY_HD inline void split2(typename Lanes::Value* x, std::size_t node,
                             const typename Lanes::Twiddle* heap) noexcept {
  for (std::size_t i = 0; i < Lanes::kPerRow; ++i) {
    auto* const y = x + i;
    const auto t = Lanes::product(y[Lanes::kPerRow], heap[node]);
    const auto y0 = y[0];
    y[0] = Lanes::add(y0, t);
    y[Lanes::kPerRow] = Lanes::template subtract<2>(y0, t);
  }
}

/// Two neighbours of split2.
template <class Lanes>
BELFRY_HD inline void split2_twice(typename Lanes::Value* x, std::size_t node,
                                   const typename Lanes::Twiddle* heap) noexcept {
  constexpr std::size_t kRow = Lanes::kPerRow;
  for (std::size_t i = 0; i < kRow; ++i) {
    auto* const y = x + i;
    const auto [t0, t1] = Lanes::products(y[kRow], heap[node], y[3 * kRow], heap[node + 1]);
    const auto y0 = y[0];
    const auto y2 = y[2 * kRow];
    y[0] = Lanes::add(y0, t0);
    y[kRow] = Lanes::template subtract<2>(y0, t0);
    y[2 * kRow] = Lanes::add(y2, t1);
    y[3 * kRow] = Lanes::template subtract<2>(y2, t1);
  }
}

/// 2^log_size values below 3r, natural order, to bit-reversed order: below 25r. Depth first, so
/// that the lower levels run in the level-1 cache.
template <class Lanes>
// NOLINTNEXTLINE(misc-no-recursion): as deep as half the bits of a level, at most six
BELFRY_HD void down(typename Lanes::Value* x, unsigned log_size, std::size_t node,
                    const typename Lanes::Twiddle* heap, bool unit) noexcept {
  if (log_size == 0) return;
  if (log_size == 1) return split2<Lanes>(x, node, heap);
  const std::size_t quarter = Lanes::kPerRow << (log_size - 2);
  if (unit) {
    split4_unit<Lanes>(x, quarter, node, heap);
  } else {
    split4<Lanes>(x, quarter, node, heap);
  }
  if (log_size == 2) return;
  if (log_size == 3) {
    split2_twice<Lanes>(x, 4 * node, heap);
    return split2_twice<Lanes>(x + 4 * Lanes::kPerRow, 4 * node + 2, heap);
  }
  for (std::size_t i = 0; i < 4; ++i) {
    down<Lanes>(x + i * quarter, log_size - 2, 4 * node + i, heap, unit && i == 0);
  }
}

/// The transpose of split4. In and out: below 4r.
template <class Lanes>
BELFRY_HD inline void join4(typename Lanes::Value* x, std::size_t quarter, std::size_t node,
                            const typename Lanes::Twiddle* heap) noexcept {
  for (std::size_t i = 0; i < quarter; ++i) {
    auto* const y = x + i;
    const auto d1 = Lanes::template subtract<4>(y[0], y[quarter]);
    const auto d3 = Lanes::template subtract<4>(y[2 * quarter], y[3 * quarter]);
    const auto [t1, t3] = Lanes::products(d1, heap[2 * node], d3, heap[2 * node + 1]);
    const auto y0 = Lanes::add(y[0], y[quarter]);
    const auto y2 = Lanes::add(y[2 * quarter], y[3 * quarter]);
    y[0] = Lanes::reduce(Lanes::add(y0, y2));
    y[quarter] = Lanes::add(t1, t3);
    const auto d0 = Lanes::template subtract<8>(y0, y2);
    const auto d2 = Lanes::template subtract<2>(t1, t3);
    const auto [s0, s2] = Lanes::products(d0, heap[node], d2, heap[node]);
    y[2 * quarter] = s0;
    y[3 * quarter] = s2;
  }
}

/// The transpose of split4_unit. In: below 4r; out: 1.4r.
template <class Lanes>
BELFRY_HD inline void join4_unit(typename Lanes::Value* x, std::size_t quarter, std::size_t node,
                                 const typename Lanes::Twiddle* heap) noexcept {
  for (std::size_t i = 0; i < quarter; ++i) {
    auto* const y = x + i;
    const auto d3 = Lanes::template subtract<4>(y[2 * quarter], y[3 * quarter]);
    const auto t3 = Lanes::product(d3, heap[2 * node + 1]);
    const auto y0 = Lanes::add(y[0], y[quarter]);
    const auto y1 = Lanes::template subtract<4>(y[0], y[quarter]);
    const auto y2 = Lanes::add(y[2 * quarter], y[3 * quarter]);
    y[0] = Lanes::reduce(Lanes::add(y0, y2));
    y[quarter] = Lanes::reduce(Lanes::add(y1, t3));
    y[2 * quarter] = Lanes::reduce(Lanes::template subtract<8>(y0, y2));
    y[3 * quarter] = Lanes::reduce(Lanes::template subtract<2>(y1, t3));
  }
}

/// The transpose of split2. In: below 4r; out: 2.1r.
template <class Lanes>
BELFRY_HD inline void join2(typename Lanes::Value* x, std::size_t node,
                            const typename Lanes::Twiddle* heap) noexcept {
  for (std::size_t i = 0; i < Lanes::kPerRow; ++i) {
    auto* const y = x + i;
    const auto d = Lanes::template subtract<4>(y[0], y[Lanes::kPerRow]);
    y[0] = Lanes::reduce(Lanes::add(y[0], y[Lanes::kPerRow]));
    y[Lanes::kPerRow] = Lanes::product(d, heap[node]);
  }
}

/// Two neighbours of join2.
template <class Lanes>
BELFRY_HD inline void join2_twice(typename Lanes::Value* x, std::size_t node,
                                  const typename Lanes::Twiddle* heap) noexcept {
  constexpr std::size_t kRow = Lanes::kPerRow;
  for (std::size_t i = 0; i < kRow; ++i) {
    auto* const y = x + i;
    const auto d0 = Lanes::template subtract<4>(y[0], y[kRow]);
    const auto d1 = Lanes::template subtract<4>(y[2 * kRow], y[3 * kRow]);
    const auto [t0, t1] = Lanes::products(d0, heap[node], d1, heap[node + 1]);
    y[0] = Lanes::reduce(Lanes::add(y[0], y[kRow]));
    y[kRow] = t0;
    y[2 * kRow] = Lanes::reduce(Lanes::add(y[2 * kRow], y[3 * kRow]));
    y[3 * kRow] = t1;
  }
}

/// 2^log_size values below 4r, bit-reversed order, to natural order: below 4r.
template <class Lanes>
// NOLINTNEXTLINE(misc-no-recursion): as deep as half the bits of a level, at most six
BELFRY_HD void up(typename Lanes::Value* x, unsigned log_size, std::size_t node,
                  const typename Lanes::Twiddle* heap, bool unit) noexcept {
  if (log_size == 0) return;
  if (log_size == 1) return join2<Lanes>(x, node, heap);
  const std::size_t quarter = Lanes::kPerRow << (log_size - 2);
  if (log_size == 3) {
    join2_twice<Lanes>(x, 4 * node, heap);
    join2_twice<Lanes>(x + 4 * Lanes::kPerRow, 4 * node + 2, heap);
  }
  for (std::size_t i = 0; i < 4 && log_size > 3; ++i) {
    up<Lanes>(x + i * quarter, log_size - 2, 4 * node + i, heap, unit && i == 0);
  }
  if (unit) {
    join4_unit<Lanes>(x, quarter, node, heap);
  } else {
    join4<Lanes>(x, quarter, node, heap);
  }
}

/// x[j] *= start · ratio^j for every kPerRow-th value. In: below 25r; out: below 2.1r. Four chains
/// of powers hide the latency of a multiplication.
template <class Lanes>
BELFRY_HD void twist(typename Lanes::Value* x, std::size_t count,
                     const typename Lanes::Value& start,
                     const typename Lanes::Value& ratio) noexcept {
  constexpr std::size_t kChains = 4;
  typename Lanes::Value power[kChains];  // NOLINT(modernize-avoid-c-arrays): shared with devices
  power[0] = Lanes::to_factor(start);
  const auto step = Lanes::to_factor(ratio);
  for (std::size_t k = 1; k < kChains; ++k) power[k] = Lanes::multiply(power[k - 1], step);
  const auto ratio2 = Lanes::multiply(ratio, step);
  const auto ratio4 = Lanes::to_constant(Lanes::multiply(ratio2, Lanes::to_factor(ratio2)));
  for (std::size_t j = 0; j < count; j += kChains) {
    for (std::size_t k = 0; k < kChains && j + k < count; ++k) {
      auto& y = x[(j + k) * Lanes::kPerRow];
      y = Lanes::multiply(y, power[k]);
      power[k] = Lanes::product(power[k], ratio4);
    }
  }
}

/// Row j *= constants[j]. In: below 25r; out: below 2.1r.
template <class Lanes>
BELFRY_HD void scale(typename Lanes::Value* x, std::size_t count,
                     const typename Lanes::Twiddle* constants) noexcept {
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t i = 0; i < Lanes::kPerRow; ++i) {
      auto& y = x[j * Lanes::kPerRow + i];
      y = Lanes::product(y, constants[j]);
    }
  }
}

}  // namespace belfry::ntt::core
