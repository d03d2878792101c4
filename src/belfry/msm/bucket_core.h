#pragma once

#include <cstddef>
#include <cstdint>

#include "belfry/base/platform.h"
#include "belfry/msm/digits_core.h"

// Bucket accumulation as the device does it. Every function takes a worker index: a kernel calls it
// with its thread, tests on the CPU one worker after the other.
//
// An entry is one non-zero digit: the key is its bucket, the value its signed point. Entries are
// sorted by key. Two neighbours of a bucket make a slot of the first level of a binary tree; slots
// of a bucket lie side by side, and on level l slot r takes in slot r + 2^l for every r that is a
// multiple of 2^(l+1). So the sums stay in place, no two additions of a level meet, and the work of
// a level is a list of slots, cut evenly whatever the sizes of the buckets are.
namespace belfry::msm::core {

/// In a point index: take the negative.
inline constexpr std::uint32_t kNegative = std::uint32_t{1} << 31;
/// Instead of a point index.
inline constexpr std::uint32_t kNoPoint = ~std::uint32_t{0};

/// Two signed point indices; the second may be kNoPoint.
struct PointPair {
  std::uint32_t first = kNoPoint;
  std::uint32_t second = kNoPoint;
};

/// The windows that one pass sorts together. Window w adds to bucket set w % sets and reads copy w
/// / sets of the points, which is 2^(window_bits·sets·(w / sets)) times the points themselves.
struct DigitPass {
  DigitPlan digits;
  unsigned sets = 1;       ///< bucket sets in all
  unsigned first_set = 0;  ///< of this pass
  unsigned set_count = 1;  ///< of this pass
  std::uint32_t points = 0;

  [[nodiscard]] BELFRY_HD constexpr unsigned log_buckets() const noexcept {
    return digits.window_bits - 1;
  }
  /// Buckets of the pass; also the key of a zero digit.
  [[nodiscard]] BELFRY_HD constexpr std::uint32_t buckets() const noexcept {
    return std::uint32_t{set_count} << log_buckets();
  }
  /// The k-th window of the pass, or one past the last window.
  [[nodiscard]] BELFRY_HD constexpr unsigned window(unsigned k) const noexcept {
    const unsigned w = k / set_count * sets + first_set + k % set_count;
    return w < digits.windows ? w : digits.windows;
  }
  [[nodiscard]] BELFRY_HD constexpr unsigned windows() const noexcept {
    unsigned k = 0;
    while (window(k) < digits.windows) ++k;
    return k;
  }
};

/// Worker i: limb k of scalar i, ready to be cut into digits, goes to limbs[k·count + i].
BELFRY_HD constexpr void store_prepared(std::size_t i, const Fr& scalar, const DigitPlan& plan,
                                        std::size_t count, std::uint64_t* limbs) noexcept {
  const Scalar prepared = prepare_scalar(scalar, plan);
  BELFRY_UNROLL
  for (std::size_t k = 0; k < Fr::kLimbs; ++k) limbs[k * count + i] = prepared[k];
}

/// Worker (k, i): the entry of point i in the pass's k-th window.
BELFRY_HD constexpr void make_entry(unsigned k, std::size_t i, const DigitPass& pass,
                                    const std::uint64_t* limbs, std::uint32_t* keys,
                                    std::uint32_t* values) noexcept {
  const unsigned w = pass.window(k);
  const std::int32_t d =
      digit_of([&](std::size_t limb) { return limbs[limb * pass.points + i]; }, pass.digits, w);
  const auto magnitude = static_cast<std::uint32_t>(d < 0 ? -d : d);
  const std::uint32_t set = (k % pass.set_count) << pass.log_buckets();
  const std::size_t at = std::size_t{k} * pass.points + i;
  const auto point = static_cast<std::uint32_t>(std::size_t{w / pass.sets} * pass.points + i);
  keys[at] = d == 0 ? pass.buckets() : set + magnitude - 1;
  values[at] = d < 0 ? point | kNegative : point;
}

/// The number of entries whose key is below `key`; keys ascend.
BELFRY_HD constexpr std::uint32_t entries_below(std::uint32_t key, const std::uint32_t* keys,
                                                std::uint32_t count) noexcept {
  std::uint32_t begin = 0;
  while (count > 0) {
    const std::uint32_t half = count / 2;
    if (keys[begin + half] < key) {
      begin += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return begin;
}

/// Slots of the first level for a bucket of `entries`.
BELFRY_HD constexpr std::uint32_t slots_for(std::uint32_t entries) noexcept {
  return entries / 2 + entries % 2;
}

/// Sorted entries and where the buckets begin.
struct BucketView {
  const std::uint32_t* keys;         // (entries)
  const std::uint32_t* values;       // (entries)
  const std::uint32_t* entry_begin;  // (buckets + 1)
  const std::uint32_t* slot_begin;   // (buckets + 1)
  std::uint32_t buckets;
};

/// No bucket has 2^31 slots, since point indices have 31 bits.
inline constexpr unsigned kMaxHeight = 31;

/// What an entry of even rank in its bucket opens.
struct Placement {
  std::uint32_t slot = 0;
  PointPair pair;
  unsigned height = 0;  ///< levels above the first on which the slot takes in another
};

/// Worker i: true if entry i opens a slot.
BELFRY_HD constexpr bool place_entry(std::size_t i, const BucketView& view,
                                     Placement& out) noexcept {
  const std::uint32_t bucket = view.keys[i];
  if (bucket >= view.buckets) return false;
  const std::uint32_t begin = view.entry_begin[bucket];
  const std::uint32_t end = view.entry_begin[bucket + 1];
  const auto rank = static_cast<std::uint32_t>(i - begin);
  if (rank % 2 != 0) return false;
  const std::uint32_t row = rank / 2;
  out.slot = view.slot_begin[bucket] + row;
  out.pair = {view.values[i], i + 1 < end ? view.values[i + 1] : kNoPoint};
  // Levels l with 2^(l+1) | row and row + 2^l below the number of slots.
  const std::uint32_t after = slots_for(end - begin) - row;
  out.height = 0;
  while (out.height < kMaxHeight && (row >> out.height) % 2 == 0 &&
         (std::uint32_t{1} << out.height) < after) {
    ++out.height;
  }
  return true;
}

/// The most slots that `entries` in `buckets` can need.
BELFRY_HD constexpr std::uint64_t max_slots(std::uint64_t entries, std::uint64_t buckets) noexcept {
  const std::uint64_t odd = entries < buckets ? entries : buckets;
  return (entries + odd) / 2;
}
/// The longest list of level l: a bucket needs 2^l + 1 slots for its first addition there.
BELFRY_HD constexpr std::uint64_t max_list(std::uint64_t slots, unsigned level) noexcept {
  return slots / ((std::uint64_t{1} << level) + 1);
}

/// Pairs at regular distances: pair j is (i, i + offset) with i made of j's low bits and, shifted,
/// the others. The sum goes to the same pattern with its own shift.
struct RegularPairs {
  unsigned low_bits = 0;
  unsigned in_shift = 0;
  unsigned out_shift = 0;
  std::uint32_t offset = 0;

  [[nodiscard]] BELFRY_HD constexpr std::uint32_t low(std::uint32_t j) const noexcept {
    return j & ((std::uint32_t{1} << low_bits) - 1);
  }
  [[nodiscard]] BELFRY_HD constexpr std::uint32_t first(std::uint32_t j) const noexcept {
    return ((j >> low_bits) << in_shift) + low(j);
  }
  [[nodiscard]] BELFRY_HD constexpr std::uint32_t second(std::uint32_t j) const noexcept {
    return first(j) + offset;
  }
  [[nodiscard]] BELFRY_HD constexpr std::uint32_t out(std::uint32_t j) const noexcept {
    return ((j >> low_bits) << out_shift) + low(j);
  }
};

}  // namespace belfry::msm::core
