#pragma once

#include <cstddef>
#include <cstdint>

#include "belfry/base/platform.h"
#include "belfry/field/fr.h"

// Transforms as a tree of polynomial reductions, the form that devices run. Everything takes a
// worker index: a kernel calls it with its thread, tests on the CPU one worker after the other.
//
// Let p have degree below N = 2^n. The root of the tree stands for p mod (x^N - s^N), s the shift
// of a coset (one for the subgroup itself). A node that stands for p mod (x^2k - w^2), as 2k
// coefficients, has the children p mod (x^k - w) and p mod (x^k + w): low + w·high and low -
// w·high. All columns of a node share its one twiddle w, so passes over columns need no twiddles
// between them, and a coset costs no scaling. Leaf j holds p(s·omega^bitrev(j)): natural order in,
// bit-reversed order out. Going up reverses it, without the division by two a level.
//
// Node j of depth d has the twiddle s^(N/2^(d+1)) · omega^(bitrev_d(j) · N/2^(d+1)).
// Source: the tree view of the FFT (Bernstein, "Multidigit multiplication for mathematicians").
namespace belfry::ntt::core {

/// Most levels of one pass.
inline constexpr unsigned kMaxPassLog = 9;
/// Levels of one step inside a pass: a worker holds 2^3 values.
inline constexpr unsigned kStepLog = 3;

/// The low `bits` bits of `value` in reverse order.
BELFRY_HD constexpr std::uint32_t reverse_low_bits(std::uint32_t value, unsigned bits) noexcept {
  std::uint32_t reversed = 0;
  for (unsigned i = 0; i < bits; ++i) reversed |= ((value >> i) & 1) << (bits - 1 - i);
  return reversed;
}

/// A pass: `rows_log` levels of the tree below depth `above_log`. Each of the 2^above_log blocks of
/// that depth has 2^rows_log rows of 2^columns_log() elements. A lane is one column of one block.
struct TreePass {
  unsigned log_size;
  unsigned above_log;
  unsigned rows_log;

  [[nodiscard]] BELFRY_HD constexpr unsigned columns_log() const noexcept {
    return log_size - above_log - rows_log;
  }
  [[nodiscard]] BELFRY_HD constexpr unsigned lanes_log() const noexcept {
    return log_size - rows_log;
  }
  /// Place of a row of a lane in the array.
  [[nodiscard]] BELFRY_HD constexpr std::size_t element(std::size_t lane,
                                                        unsigned row) const noexcept {
    const std::size_t block = lane >> columns_log();
    const std::size_t column = lane & ((std::size_t{1} << columns_log()) - 1);
    return (((block << rows_log) + row) << columns_log()) + column;
  }
};

/// Twiddles of a pass, split: node j of depth d in block b has unit[2^d + j] · f(b, d), where
/// f(b, rows_log - 1) = deepest[b] and f(b, d) = f(b, d + 1)^2.
struct TwiddleView {
  const Fr* unit;     ///< (2^kMaxPassLog): omega_{2^(d+1)}^bitrev_d(j) at 2^d + j, entry 0 unused
  const Fr* deepest;  ///< (blocks)
};

/// Fills entry `worker` of the unit heap; root = omega_{2^kMaxPassLog}, or its inverse.
BELFRY_HD constexpr void fill_unit_heap(std::size_t worker, const Fr& root, Fr* unit) noexcept {
  unsigned depth = 0;
  while ((worker >> (depth + 1)) != 0) ++depth;
  const auto j = static_cast<std::uint32_t>(worker - (std::size_t{1} << depth));
  const std::uint64_t reversed = reverse_low_bits(j, depth);
  unit[worker] = worker == 0 ? Fr::zero() : root.pow(reversed << (kMaxPassLog - depth - 1));
}

/// Fills deepest[worker] = shift_power · root^bitrev(worker), where e = above_log + rows_log,
/// shift_power = s^(N/2^e) and root = omega_{2^e}, or the inverses of both.
BELFRY_HD constexpr void fill_deepest(std::size_t worker, const TreePass& pass,
                                      const Fr& shift_power, const Fr& root, Fr* deepest) noexcept {
  const std::uint64_t exponent =
      reverse_low_bits(static_cast<std::uint32_t>(worker), pass.above_log);
  deepest[worker] = shift_power * root.pow(exponent);
}

/// Half an element. A tile keeps low and high halves apart, so that neighbouring workers touch
/// neighbouring words of shared memory.
struct alignas(16) HalfElement {
  std::uint64_t words[2];  // NOLINT(modernize-avoid-c-arrays): shared memory of a device
};

/// The memory that the workers of one tile share.
struct TileMemory {
  HalfElement* low;   ///< (rows, lanes)
  HalfElement* high;  ///< (rows, lanes)
  Fr* factors;        ///< (blocks of the tile, kMaxPassLog)
  Fr* near;           ///< (blocks of the tile, 2^near_log): finished twiddles of the upper levels

  BELFRY_HD Fr read(std::size_t i) const noexcept {
    return Fr{{low[i].words[0], low[i].words[1], high[i].words[0], high[i].words[1]}};
  }
  BELFRY_HD void write(std::size_t i, const Fr& x) const noexcept {
    low[i] = {{x.limbs[0], x.limbs[1]}};
    high[i] = {{x.limbs[2], x.limbs[3]}};
  }
};

/// The work of one tile: 2^lanes_log neighbouring lanes of a pass. Its phases are run in the order
/// load, factors, near, the steps, store, with a barrier after each; worker w of `workers` takes
/// every `workers`-th item of a phase.
struct TreeTile {
  TreePass pass;
  TwiddleView twiddles;
  TileMemory memory;
  std::size_t first_lane;
  unsigned tile_log;  ///< lanes of the tile
  unsigned near_log;  ///< levels whose twiddles are finished in `near`, at most rows_log
  unsigned workers;

  /// Blocks that the lanes of a tile belong to.
  [[nodiscard]] BELFRY_HD static constexpr unsigned blocks_log(const TreePass& pass,
                                                               unsigned tile_log) noexcept {
    return tile_log > pass.columns_log() ? tile_log - pass.columns_log() : 0;
  }

  /// Global memory is touched lane by lane where a row has many columns, else row by row.
  template <class Body>
  BELFRY_HD void for_elements(unsigned worker, const Body& body) const noexcept {
    const bool lanes_first = pass.columns_log() >= tile_log;
    for (unsigned i = worker; i < (1U << (pass.rows_log + tile_log)); i += workers) {
      const unsigned lane = lanes_first ? i & ((1U << tile_log) - 1) : i >> pass.rows_log;
      const unsigned row = lanes_first ? i >> tile_log : i & ((1U << pass.rows_log) - 1);
      body(pass.element(first_lane + lane, row), slot(row, lane));
    }
  }
  BELFRY_HD void load(unsigned worker, const Fr* data) const noexcept {
    for_elements(worker, [&](std::size_t at, std::size_t to) { memory.write(to, data[at]); });
  }
  BELFRY_HD void store(unsigned worker, Fr* data) const noexcept {
    for_elements(worker, [&](std::size_t at, std::size_t from) { data[at] = memory.read(from); });
  }

  /// f(b, d) for the blocks of the tile.
  BELFRY_HD void factors(unsigned worker) const noexcept {
    const unsigned count = pass.rows_log << blocks_log(pass, tile_log);
    for (unsigned i = worker; i < count; i += workers) {
      const unsigned block = i / pass.rows_log;
      const unsigned depth = i % pass.rows_log;
      Fr value = twiddles.deepest[(first_lane >> pass.columns_log()) + block];
      for (unsigned d = pass.rows_log - 1; d > depth; --d) value = value.square();
      memory.factors[block * kMaxPassLog + depth] = value;
    }
  }
  /// Twiddles of the first near_log levels.
  BELFRY_HD void near(unsigned worker) const noexcept {
    const unsigned count = 1U << (near_log + blocks_log(pass, tile_log));
    for (unsigned i = worker; i < count; i += workers) {
      const unsigned node = i & ((1U << near_log) - 1);
      if (node == 0) continue;
      unsigned depth = 0;
      while ((node >> (depth + 1)) != 0) ++depth;
      memory.near[i] = twiddles.unit[node] * memory.factors[(i >> near_log) * kMaxPassLog + depth];
    }
  }

  /// Levels `depth` to `depth + kLog - 1` from the root to the leaves.
  template <unsigned kLog>
  BELFRY_HD void down(unsigned worker, unsigned depth) const noexcept {
    for_groups<kLog>(worker, depth, [&](Fr* x, unsigned node, unsigned block) {
      BELFRY_UNROLL
      for (unsigned level = 0; level < kLog; ++level) {
        BELFRY_UNROLL
        for (unsigned j = 0; j < (1U << level); ++j) {
          const Fr w = twiddle(block, depth + level, (node << level) + j);
          const unsigned half = (1U << kLog) >> (level + 1);
          BELFRY_UNROLL
          for (unsigned i = 0; i < half; ++i) {
            Fr& low = x[2 * half * j + i];
            Fr& high = x[2 * half * j + half + i];
            const Fr product = high * w;
            high = low - product;
            low = low + product;
          }
        }
      }
    });
  }
  /// The same levels from the leaves to the root, with inverse twiddles.
  template <unsigned kLog>
  BELFRY_HD void up(unsigned worker, unsigned depth) const noexcept {
    for_groups<kLog>(worker, depth, [&](Fr* x, unsigned node, unsigned block) {
      BELFRY_UNROLL
      for (unsigned level = kLog; level-- > 0;) {
        BELFRY_UNROLL
        for (unsigned j = 0; j < (1U << level); ++j) {
          const Fr w = twiddle(block, depth + level, (node << level) + j);
          const unsigned half = (1U << kLog) >> (level + 1);
          BELFRY_UNROLL
          for (unsigned i = 0; i < half; ++i) {
            Fr& low = x[2 * half * j + i];
            Fr& high = x[2 * half * j + half + i];
            const Fr difference = low - high;
            low = low + high;
            high = difference * w;
          }
        }
      }
    });
  }

 private:
  [[nodiscard]] BELFRY_HD std::size_t slot(unsigned row, unsigned lane) const noexcept {
    return (std::size_t{row} << tile_log) + lane;
  }
  [[nodiscard]] BELFRY_HD Fr twiddle(unsigned block, unsigned depth, unsigned node) const noexcept {
    const unsigned at = (1U << depth) + node;
    if (depth < near_log) return memory.near[(block << near_log) + at];
    return twiddles.unit[at] * memory.factors[block * kMaxPassLog + depth];
  }
  /// Calls body(values, node, block) for the groups of 2^kLog rows that one node of `depth` joins.
  template <unsigned kLog, class Body>
  BELFRY_HD void for_groups(unsigned worker, unsigned depth, const Body& body) const noexcept {
    const unsigned offset_log = pass.rows_log - depth - kLog;
    const unsigned groups = 1U << (pass.rows_log - kLog + tile_log);
    for (unsigned i = worker; i < groups; i += workers) {
      const unsigned lane = i & ((1U << tile_log) - 1);
      const unsigned group = i >> tile_log;
      const unsigned node = group >> offset_log;
      const unsigned offset = group & ((1U << offset_log) - 1);
      const unsigned block = lane >> (tile_log - blocks_log(pass, tile_log));
      Fr x[1U << kLog];  // NOLINT(modernize-avoid-c-arrays): registers of a device
      BELFRY_UNROLL
      for (unsigned k = 0; k < (1U << kLog); ++k) {
        x[k] = memory.read(slot((((node << kLog) + k) << offset_log) + offset, lane));
      }
      body(x, node, block);
      BELFRY_UNROLL
      for (unsigned k = 0; k < (1U << kLog); ++k) {
        memory.write(slot((((node << kLog) + k) << offset_log) + offset, lane), x[k]);
      }
    }
  }
};

/// Levels of step `step` of a pass of `rows_log` levels: kStepLog each, the last one what is left.
BELFRY_HD constexpr unsigned step_levels(unsigned rows_log, unsigned step) noexcept {
  const unsigned done = step * kStepLog;
  return rows_log - done < kStepLog ? rows_log - done : kStepLog;
}
BELFRY_HD constexpr unsigned step_count(unsigned rows_log) noexcept {
  return (rows_log + kStepLog - 1) / kStepLog;
}

/// One step of a pass, whichever number of levels it has. Step s covers the levels from 3·s on; a
/// pass down runs them ascending, a pass up descending.
template <bool kDown>
BELFRY_HD void tree_step(const TreeTile& tile, unsigned worker, unsigned step) noexcept {
  const unsigned depth = step * kStepLog;
  const unsigned levels = step_levels(tile.pass.rows_log, step);
  if (levels == kStepLog) {
    kDown ? tile.template down<kStepLog>(worker, depth) : tile.template up<kStepLog>(worker, depth);
  } else if (levels == 2) {
    kDown ? tile.template down<2>(worker, depth) : tile.template up<2>(worker, depth);
  } else {
    kDown ? tile.template down<1>(worker, depth) : tile.template up<1>(worker, depth);
  }
}

}  // namespace belfry::ntt::core
