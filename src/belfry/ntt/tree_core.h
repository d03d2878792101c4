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
//
// A pass is some levels of the tree, read and written once. All passes but the last have many
// columns a node: a tile is some columns of one node, and its twiddles come from a table. The last
// pass has one column: a tile is whole nodes, and as each twiddle is used once, they are made from
// smaller tables (shared by two arrays that are transformed together).
// Source: the tree view of the FFT (Bernstein, "Multidigit multiplication for mathematicians").
namespace belfry::ntt::core {

/// Most levels of one pass.
inline constexpr unsigned kMaxPassLog = 9;
/// Levels of one step inside a pass: a worker holds 2^3 values.
inline constexpr unsigned kStepLog = 3;
/// Elements of a tile.
inline constexpr unsigned kTileLog = 10;

/// The low `bits` <= 32 bits of `value` in reverse order.
BELFRY_HD constexpr std::uint32_t reverse_low_bits(std::uint32_t value, unsigned bits) noexcept {
  value = ((value >> 1) & 0x55555555) | ((value & 0x55555555) << 1);
  value = ((value >> 2) & 0x33333333) | ((value & 0x33333333) << 2);
  value = ((value >> 4) & 0x0f0f0f0f) | ((value & 0x0f0f0f0f) << 4);
  value = ((value >> 8) & 0x00ff00ff) | ((value & 0x00ff00ff) << 8);
  const std::uint64_t reversed = (value >> 16) | (value << 16);
  return static_cast<std::uint32_t>(reversed >> (32 - bits));
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
  /// The last pass.
  [[nodiscard]] BELFRY_HD constexpr bool is_rows() const noexcept { return columns_log() == 0; }
};

/// What the twiddles of a pass are computed from, e = above_log + rows_log; inverses for going up.
struct PassConstants {
  Fr shift_power;  ///< s^(N/2^e)
  Fr root;         ///< omega_{2^e}
};

/// Where a block's table has node (node << level) + t of depth `depth` + level, `depth` the first
/// of a step: neighbouring workers of the step, which have neighbouring nodes, read neighbours.
BELFRY_HD constexpr unsigned twiddle_place(unsigned depth, unsigned level, unsigned t,
                                           unsigned node) noexcept {
  return (1U << (depth + level)) + (t << depth) + node;
}
/// The depth of a place, which is above 0.
BELFRY_HD constexpr unsigned depth_of_place(unsigned place) noexcept {
  unsigned depth = 0;
  while ((place >> (depth + 1)) != 0) ++depth;
  return depth;
}

/// Fills entry `worker` of the table of a pass, 2^rows_log entries for each block, the first of
/// them unused.
BELFRY_HD constexpr void fill_twiddles(std::size_t worker, const TreePass& pass,
                                       const PassConstants& constants, Fr* table) noexcept {
  const auto place = static_cast<unsigned>(worker & ((std::size_t{1} << pass.rows_log) - 1));
  if (place == 0) {
    table[worker] = Fr::zero();
    return;
  }
  const unsigned depth = depth_of_place(place);
  const unsigned step = depth - depth % kStepLog;
  const unsigned own = place - (1U << depth);
  const unsigned node = own & ((1U << step) - 1);
  const std::size_t block = worker >> pass.rows_log;
  const std::size_t index = (block << depth) + (node << (depth - step)) + (own >> step);
  const unsigned deeper = pass.rows_log - 1 - depth;
  const std::uint64_t exponent =
      std::uint64_t{reverse_low_bits(static_cast<std::uint32_t>(index), pass.above_log + depth)}
      << deeper;
  table[worker] =
      constants.shift_power.pow(std::uint64_t{1} << deeper) * constants.root.pow(exponent);
}

/// root^i for i < 2^log, from two small tables: low[i mod 2^low_log] · high[i / 2^low_log].
struct PowerView {
  const Fr* low;
  const Fr* high;
  unsigned low_log;

  [[nodiscard]] BELFRY_HD constexpr Fr power(std::uint64_t i) const noexcept {
    return low[i & ((std::uint64_t{1} << low_log) - 1)] * high[i >> low_log];
  }
};

/// Half an element. A tile keeps low and high halves apart, so that neighbouring workers touch
/// neighbouring words of shared memory.
struct alignas(16) HalfElement {
  std::uint64_t words[2];  // NOLINT(modernize-avoid-c-arrays): shared memory of a device
};

/// An element of global memory, in two accesses of a device.
BELFRY_HD inline Fr load_element(const Fr* from) noexcept {
#ifdef __CUDA_ARCH__
  const auto* const halves = reinterpret_cast<const ulonglong2*>(from);
  const ulonglong2 low = halves[0];
  const ulonglong2 high = halves[1];
  return Fr{{low.x, low.y, high.x, high.y}};
#else
  return *from;
#endif
}
BELFRY_HD inline void store_element(Fr* to, const Fr& x) noexcept {
#ifdef __CUDA_ARCH__
  auto* const halves = reinterpret_cast<ulonglong2*>(to);
  halves[0] = {x.limbs[0], x.limbs[1]};
  halves[1] = {x.limbs[2], x.limbs[3]};
#else
  *to = x;
#endif
}

/// x·k / 2^32: what a word of a factor costs, an eighth of a product.
BELFRY_HD inline Fr times_word(const Fr& x, std::uint32_t k) noexcept {
#ifdef __CUDA_ARCH__
  using Words = field::device::Words<field::FrParams>;
  typename Words::Array words;
  typename Words::Array even;
  typename Words::Array odd;
  field::device::split(x.limbs, words);
#pragma unroll
  for (int j = 0; j < Words::kWords; j += 2) {
    const std::uint64_t e = std::uint64_t{words[j]} * k;
    const std::uint64_t o = std::uint64_t{words[j + 1]} * k;
    even[j] = static_cast<std::uint32_t>(e);
    even[j + 1] = static_cast<std::uint32_t>(e >> 32);
    odd[j] = static_cast<std::uint32_t>(o);
    odd[j + 1] = static_cast<std::uint32_t>(o >> 32);
  }
  Words::reduce_row(even, odd);
  field::device::add_cc(odd[0], even[1]);
#pragma unroll
  for (int j = 1; j < Words::kWords - 1; ++j) field::device::addc_cc(odd[j], even[j + 1]);
  field::device::addc(odd[Words::kWords - 1], 0);
  Words::reduce_once(odd);
  return Fr{field::device::join<Fr::Limbs>(odd)};
#else
  // k·2^-32 has the limbs k·2^224 mod r.
  return x * (Fr::from_u64(k) * Fr{{0, 0, 0, std::uint64_t{1} << 32}});
#endif
}

/// The memory that the workers of one tile share. Every ninth place is left free: then neither
/// neighbouring rows nor rows eight apart meet in one bank.
struct TileMemory {
  HalfElement* low;   ///< (padded_size(elements))
  HalfElement* high;  ///< likewise
  Fr* twiddles;       ///< last pass: (blocks of the tile, 2^rows_log)
  Fr* factors;        ///< last pass: (blocks of the tile, kMaxPassLog)

  [[nodiscard]] BELFRY_HD static constexpr std::size_t padded_size(std::size_t elements) noexcept {
    return elements + elements / 8;
  }
  [[nodiscard]] BELFRY_HD Fr read(std::size_t i) const noexcept {
    const std::size_t at = padded_size(i);
    return Fr{{low[at].words[0], low[at].words[1], high[at].words[0], high[at].words[1]}};
  }
  BELFRY_HD void write(std::size_t i, const Fr& x) const noexcept {
    const std::size_t at = padded_size(i);
    low[at] = {{x.limbs[0], x.limbs[1]}};
    high[at] = {{x.limbs[2], x.limbs[3]}};
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

/// kLog levels of 2^kLog values in the registers of one worker. `twiddle(level, t)` is that of node
/// t of a level; with `first_is_one` the twiddle of node 0 is one on each level.
template <bool kDown, unsigned kLog, class Twiddle>
BELFRY_HD void butterflies(Fr* x, bool first_is_one, const Twiddle& twiddle) noexcept {
  BELFRY_UNROLL
  for (unsigned i = 0; i < kLog; ++i) {
    const unsigned level = kDown ? i : kLog - 1 - i;
    const unsigned half = (1U << kLog) >> (level + 1);
    BELFRY_UNROLL
    for (unsigned t = 0; t < (1U << level); ++t) {
      Fr* const low = x + std::size_t{2} * half * t;
      Fr* const high = low + half;
      if (t == 0 && first_is_one) {
        BELFRY_UNROLL
        for (unsigned k = 0; k < half; ++k) {
          const Fr other = high[k];
          high[k] = low[k] - other;
          low[k] = low[k] + other;
        }
        continue;
      }
      const Fr w = twiddle(level, t);
      BELFRY_UNROLL
      for (unsigned k = 0; k < half; ++k) {
        if constexpr (kDown) {
          const Fr product = high[k] * w;
          high[k] = low[k] - product;
          low[k] = low[k] + product;
        } else {
          const Fr difference = low[k] - high[k];
          low[k] = low[k] + high[k];
          high[k] = difference * w;
        }
      }
    }
  }
}

/// What a step of a tile does beside its levels.
struct StepOptions {
  bool first_is_one = false;   ///< the pass begins at the root of the subgroup's tree
  bool scaled = false;         ///< afterwards element k of the array is multiplied by k / 2^32
  const Fr* source = nullptr;  ///< columns: the array to read; null: the memory of the tile
  Fr* target = nullptr;        ///< columns: the array to write; null: the memory of the tile
};

/// The work of one tile. Columns: 2^lanes_log neighbouring columns of one block. Rows, the last
/// pass: lanes are the nodes of 2^(lanes_log - vectors_log) blocks of each of 2^vectors_log arrays,
/// array by array within a block. Worker w of `workers` takes every `workers`-th item of a phase;
/// between phases is a barrier.
template <bool kRows>
struct TreeTile {
  TreePass pass;
  TileMemory memory;
  const Fr* twiddles;  ///< columns: the block's entries of the pass's table; rows: those in memory
  std::size_t first;   ///< columns: the place of row 0, lane 0 in the array; rows: the first block
  unsigned lanes_log;
  unsigned vectors_log;
  unsigned workers;

  /// Place of an element in its array.
  [[nodiscard]] BELFRY_HD constexpr std::size_t element(unsigned row,
                                                        unsigned lane) const noexcept {
    if constexpr (kRows) {
      return ((first + (lane >> vectors_log)) << pass.rows_log) + row;
    } else {
      return first + (std::size_t{row} << pass.columns_log()) + lane;
    }
  }
  [[nodiscard]] BELFRY_HD constexpr unsigned vector(unsigned lane) const noexcept {
    return lane & ((1U << vectors_log) - 1);
  }
  /// Place of an element in the memory of the tile.
  [[nodiscard]] BELFRY_HD constexpr std::size_t slot(unsigned row, unsigned lane) const noexcept {
    return kRows ? (std::size_t{lane} << pass.rows_log) + row
                 : (std::size_t{row} << lanes_log) + lane;
  }
  [[nodiscard]] BELFRY_HD Fr read(unsigned row, unsigned lane) const noexcept {
    return memory.read(slot(row, lane));
  }
  BELFRY_HD void write(unsigned row, unsigned lane, const Fr& x) const noexcept {
    memory.write(slot(row, lane), x);
  }

  /// Rows: fills the memory, from(place in its array, which array). All elements of a worker are
  /// asked for before the first is needed.
  template <class From>
  BELFRY_HD void load(unsigned worker, const From& from) const noexcept {
    constexpr unsigned kBatch = 1U << kStepLog;
    const unsigned count = 1U << (pass.rows_log + lanes_log);
    for (unsigned i = worker; i < count; i += kBatch * workers) {
      Fr x[kBatch];  // NOLINT(modernize-avoid-c-arrays): registers of a device
      BELFRY_UNROLL
      for (unsigned k = 0; k < kBatch; ++k) {
        const unsigned at = i + k * workers;
        const unsigned lane = at >> pass.rows_log;
        if (at < count) x[k] = from(element(row_of(at), lane), vector(lane));
      }
      BELFRY_UNROLL
      for (unsigned k = 0; k < kBatch; ++k) {
        const unsigned at = i + k * workers;
        if (at < count) write(row_of(at), at >> pass.rows_log, x[k]);
      }
    }
  }
  /// Rows: the part of the twiddles that depends on the block, one for each depth. `roots` are the
  /// powers of omega, or of its inverse.
  BELFRY_HD void make_factors(unsigned worker, const PowerView& roots) const noexcept {
    const unsigned count = pass.rows_log << (lanes_log - vectors_log);
    for (unsigned i = worker; i < count; i += workers) {
      const unsigned block = i / pass.rows_log;
      const unsigned depth = i % pass.rows_log;
      const std::uint64_t exponent =
          reverse_low_bits(static_cast<std::uint32_t>(first + block), pass.above_log);
      memory.factors[block * kMaxPassLog + depth] =
          roots.power(exponent << (pass.rows_log - 1 - depth));
    }
  }
  /// Rows: all twiddles of the tile; `unit` is the table of block 0.
  BELFRY_HD void make_twiddles(unsigned worker, const Fr* unit) const noexcept {
    const unsigned count = 1U << (pass.rows_log + lanes_log - vectors_log);
    for (unsigned i = worker; i < count; i += workers) {
      const unsigned place = row_of(i);
      if (place == 0) continue;
      memory.twiddles[i] =
          load_element(unit + place) *
          memory.factors[(i >> pass.rows_log) * kMaxPassLog + depth_of_place(place)];
    }
  }

  /// Rows: empties the memory, to(place in its array, which array, value).
  template <class To>
  BELFRY_HD void store(unsigned worker, const To& to) const noexcept {
    for (unsigned i = worker; i < (1U << (pass.rows_log + lanes_log)); i += workers) {
      const unsigned lane = i >> pass.rows_log;
      to(element(row_of(i), lane), vector(lane), read(row_of(i), lane));
    }
  }
  /// Rows of two arrays: to(place, value of the first, value of the second).
  template <class To>
  BELFRY_HD void store_pairs(unsigned worker, const To& to) const noexcept {
    for (unsigned i = worker; i < (1U << (pass.rows_log + lanes_log - 1)); i += workers) {
      const unsigned lane = (i >> pass.rows_log) << 1;
      to(element(row_of(i), lane), read(row_of(i), lane), read(row_of(i), lane + 1));
    }
  }

  /// Step `step` of the pass, down or up, in the memory of the tile; columns may come from and go
  /// to arrays instead.
  template <bool kDown>
  BELFRY_HD void step(unsigned worker, unsigned step, const StepOptions& options) const noexcept {
    const unsigned levels = step_levels(pass.rows_log, step);
    const unsigned depth = step * kStepLog;
    if (levels == kStepLog) {
      groups<kDown, kStepLog>(worker, depth, options);
    } else if (levels == 2) {
      groups<kDown, 2>(worker, depth, options);
    } else {
      groups<kDown, 1>(worker, depth, options);
    }
  }

 private:
  [[nodiscard]] BELFRY_HD constexpr unsigned row_of(unsigned i) const noexcept {
    return i & ((1U << pass.rows_log) - 1);
  }
  /// The groups of 2^kLog rows that one node of `depth` joins.
  template <bool kDown, unsigned kLog>
  BELFRY_HD void groups(unsigned worker, unsigned depth,
                        const StepOptions& options) const noexcept {
    const unsigned offset_log = pass.rows_log - depth - kLog;
    const unsigned groups_log = pass.rows_log - kLog;
    const bool first_is_one = options.first_is_one && depth == 0;
    for (unsigned i = worker; i < (1U << (groups_log + lanes_log)); i += workers) {
      const unsigned lane = kRows ? i >> groups_log : i & ((1U << lanes_log) - 1);
      const unsigned group = kRows ? i & ((1U << groups_log) - 1) : i >> lanes_log;
      const unsigned node = group >> offset_log;
      const unsigned first_row = (node << (kLog + offset_log)) + (group & ((1U << offset_log) - 1));
      Fr x[1U << kLog];  // NOLINT(modernize-avoid-c-arrays): registers of a device
      if (!kRows && options.source != nullptr) {
        BELFRY_UNROLL
        for (unsigned k = 0; k < (1U << kLog); ++k) {
          x[k] = load_element(options.source + element(first_row + (k << offset_log), lane));
        }
      } else {
        BELFRY_UNROLL
        for (unsigned k = 0; k < (1U << kLog); ++k) {
          x[k] = read(first_row + (k << offset_log), lane);
        }
      }
      const Fr* const own =
          twiddles + (std::size_t{kRows ? lane >> vectors_log : 0} << pass.rows_log);
      butterflies<kDown, kLog>(x, first_is_one, [&](unsigned level, unsigned t) {
        return load_element(own + twiddle_place(depth, level, t, node));
      });
      finish<kLog>(x, first_row, offset_log, lane, options);
    }
  }
  template <unsigned kLog>
  BELFRY_HD void finish(Fr* x, unsigned first_row, unsigned offset_log, unsigned lane,
                        const StepOptions& options) const noexcept {
    if (options.scaled) {
      BELFRY_UNROLL
      for (unsigned k = 0; k < (1U << kLog); ++k) {
        x[k] = times_word(x[k],
                          static_cast<std::uint32_t>(element(first_row + (k << offset_log), lane)));
      }
    }
    if (!kRows && options.target != nullptr) {
      BELFRY_UNROLL
      for (unsigned k = 0; k < (1U << kLog); ++k) {
        store_element(options.target + element(first_row + (k << offset_log), lane), x[k]);
      }
    } else {
      BELFRY_UNROLL
      for (unsigned k = 0; k < (1U << kLog); ++k) write(first_row + (k << offset_log), lane, x[k]);
    }
  }
};

/// Lanes of a tile: as many as make 2^kTileLog elements, or all that there are.
BELFRY_HD constexpr unsigned tile_lanes_log(const TreePass& pass, unsigned vectors_log) noexcept {
  const unsigned all = pass.is_rows() ? pass.above_log + vectors_log : pass.columns_log();
  const unsigned wanted = kTileLog - pass.rows_log;
  return all < wanted ? all : wanted;
}

}  // namespace belfry::ntt::core
