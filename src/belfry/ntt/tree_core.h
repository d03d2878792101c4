#pragma once

#include <cstddef>
#include <cstdint>

#include "belfry/base/platform.h"
#include "belfry/field/fr.h"
#include "belfry/ntt/tree_values.h"

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
/// Elements of a tile.
inline constexpr unsigned kTileLog = 10;

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
    if (step_levels(pass.rows_log, step) == kStepLog) {
      groups<kDown, true>(worker, step, options);
    } else {
      groups<kDown, false>(worker, step, options);
    }
  }

 private:
  /// A group: the rows that one node of a step's first depth joins, in one lane.
  struct Group {
    unsigned lane;
    unsigned node;
    unsigned first_row;
  };
  /// Where the groups of a step lie.
  struct Geometry {
    unsigned depth;
    unsigned levels;
    unsigned offset_log;
    unsigned groups_log;  ///< of one lane
  };

  [[nodiscard]] BELFRY_HD constexpr unsigned row_of(unsigned i) const noexcept {
    return i & ((1U << pass.rows_log) - 1);
  }
  [[nodiscard]] BELFRY_HD constexpr Group group(unsigned i, const Geometry& at) const noexcept {
    const unsigned lane = kRows ? i >> at.groups_log : i & ((1U << lanes_log) - 1);
    const unsigned own = kRows ? i & ((1U << at.groups_log) - 1) : i >> lanes_log;
    const unsigned node = own >> at.offset_log;
    return {lane, node,
            (node << (at.levels + at.offset_log)) + (own & ((1U << at.offset_log) - 1))};
  }
  [[nodiscard]] BELFRY_HD Fr load_row(unsigned row, unsigned lane,
                                      const Fr* source) const noexcept {
    return !kRows && source != nullptr ? load_element(source + element(row, lane))
                                       : read(row, lane);
  }
  BELFRY_HD void store_row(unsigned row, unsigned lane, const Fr& x, Fr* target) const noexcept {
    if (!kRows && target != nullptr) {
      store_element(target + element(row, lane), x);
    } else {
      write(row, lane, x);
    }
  }
  /// What a worker holds at once: one group of eight rows (kFull), or as many smaller ones as make
  /// eight, number `part` being `items` further; those past the end repeat the last.
  template <bool kFull>
  struct Item {
    const TreeTile& tile;
    Geometry geometry;
    Group whole;
    unsigned i;
    unsigned items;
    unsigned count;

    [[nodiscard]] BELFRY_HD constexpr Group group_of(unsigned part) const noexcept {
      const unsigned at = i + part * items;
      return kFull ? whole : tile.group(at < count ? at : count - 1, geometry);
    }
    /// Group and row of value k.
    [[nodiscard]] BELFRY_HD constexpr Group group_of_value(unsigned k) const noexcept {
      return group_of(k >> (kFull ? kStepLog : geometry.levels));
    }
    [[nodiscard]] BELFRY_HD constexpr unsigned row(unsigned k, const Group& own) const noexcept {
      const unsigned mask = (1U << (kFull ? kStepLog : geometry.levels)) - 1;
      return own.first_row + ((k & mask) << geometry.offset_log);
    }
    [[nodiscard]] BELFRY_HD Fr twiddle(unsigned level, unsigned t, unsigned part) const noexcept {
      const Group own = group_of(part);
      const std::size_t block = kRows ? own.lane >> tile.vectors_log : 0;
      return load_element(tile.twiddles + (block << tile.pass.rows_log) +
                          twiddle_place(geometry.depth, level, t, own.node));
    }
  };
  template <bool kFull>
  BELFRY_HD void load_item(const Item<kFull>& item, const Fr* source, Fr* x) const noexcept {
    BELFRY_UNROLL
    for (unsigned k = 0; k < 2 * kPairs; ++k) {
      const Group own = item.group_of_value(k);
      x[k] = load_row(item.row(k, own), own.lane, source);
    }
  }
  template <bool kFull>
  BELFRY_HD void store_item(const Item<kFull>& item, const StepOptions& options,
                            Fr* x) const noexcept {
    BELFRY_UNROLL
    for (unsigned k = 0; k < 2 * kPairs; ++k) {
      const Group own = item.group_of_value(k);
      const unsigned row = item.row(k, own);
      if (options.scaled) {
        x[k] = times_word(x[k], static_cast<std::uint32_t>(element(row, own.lane)));
      }
      store_row(row, own.lane, x[k], options.target);
    }
  }
  template <bool kDown, bool kFull>
  BELFRY_HD void groups(unsigned worker, unsigned step, const StepOptions& options) const noexcept {
    const unsigned levels = kFull ? kStepLog : step_levels(pass.rows_log, step);
    const unsigned depth = step * kStepLog;
    const unsigned skipped = kStepLog - levels;
    const Geometry geometry{depth, levels, pass.rows_log - depth - levels, pass.rows_log - levels};
    const unsigned count = 1U << (geometry.groups_log + lanes_log);
    const unsigned items = count >> skipped == 0 ? 1 : count >> skipped;
    for (unsigned i = worker; i < items; i += workers) {
      const Item<kFull> item{*this, geometry, group(i, geometry), i, items, count};
      Fr x[2 * kPairs];  // NOLINT(modernize-avoid-c-arrays): registers of a device
      load_item(item, options.source, x);
      butterflies<kDown>(x, skipped, options.first_is_one && depth == 0,
                         [&](unsigned level, unsigned t, unsigned part) {
                           return item.twiddle(level, t, part & ((1U << skipped) - 1));
                         });
      store_item(item, options, x);
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
