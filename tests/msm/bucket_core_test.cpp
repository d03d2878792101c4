// The device's sum, worker by worker on the CPU, against double and add.
#include "belfry/msm/bucket_core.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "belfry/msm/affine_pair_core.h"
#include "belfry/msm/bucket_reduction.h"
#include "belfry/msm/msm.h"
#include "belfry/msm/pattern_core.h"
#include "msm/adversary.h"

namespace belfry::msm {
namespace {

using test::Inputs;

template <class Curve>
class EmulatedDevice {
  using Affine = typename Curve::Affine;
  using Xyzz = typename Curve::Xyzz;
  using Words = std::vector<std::uint32_t>;

 public:
  EmulatedDevice(unsigned window_bits, unsigned copies, unsigned sets_per_pass)
      : digits_(core::DigitPlan::of(window_bits)),
        copies_(copies),
        sets_((digits_.windows + copies - 1) / copies),
        sets_per_pass_(sets_per_pass) {}

  [[nodiscard]] typename Curve::Jacobian multiply(const std::vector<Affine>& points,
                                                  const std::vector<Fr>& scalars) const {
    const auto all = with_copies(points);
    std::vector<std::uint64_t> limbs(Fr::kLimbs * points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      core::store_prepared(i, scalars[i], digits_, points.size(), limbs.data());
    }
    std::vector<Affine> sums;
    for (unsigned set = 0; set < sets_; set += sets_per_pass_) {
      const core::DigitPass pass{digits_, sets_, set, std::min(sets_per_pass_, sets_ - set),
                                 static_cast<std::uint32_t>(points.size())};
      const auto of_pass = accumulate(pass, limbs, all);
      sums.insert(sums.end(), of_pass.begin(), of_pass.end());
    }
    return reduce(sums);
  }

 private:
  [[nodiscard]] std::vector<Affine> with_copies(const std::vector<Affine>& points) const {
    std::vector<Affine> out = points;
    for (std::size_t i = points.size(); i < copies_ * points.size(); ++i) {
      auto point = Curve::Jacobian::from_affine(out[i - points.size()]);
      for (unsigned k = 0; k < digits_.window_bits * sets_; ++k) point = point.doubled();
      out.push_back(point.to_affine());
    }
    return out;
  }

  static Affine sum(const Affine& p, const Affine& q) {
    const core::PairCase pair_case = core::classify(p, q);
    return core::add_with_inverse(pair_case, p, q,
                                  core::slope_denominator(pair_case, p, q).inverse());
  }
  static Affine signed_point(const std::vector<Affine>& points, std::uint32_t index) {
    if (index == core::kNoPoint) return Affine::infinity();
    const Affine& point = points[index & ~core::kNegative];
    return (index & core::kNegative) != 0 ? -point : point;
  }

  static std::vector<Affine> accumulate(const core::DigitPass& pass,
                                        const std::vector<std::uint64_t>& limbs,
                                        const std::vector<Affine>& points) {
    const auto entries = std::uint32_t{pass.windows()} * pass.points;
    Words keys(entries);
    Words values(entries);
    for (unsigned k = 0; k < pass.windows(); ++k) {
      for (std::uint32_t i = 0; i < pass.points; ++i) {
        core::make_entry(k, i, pass, limbs.data(), keys.data(), values.data());
      }
    }
    sort_by_key(keys, values);
    Words entry_begin(pass.buckets() + 1);
    Words slot_begin(pass.buckets() + 1);
    for (std::uint32_t b = 0; b <= pass.buckets(); ++b) {
      entry_begin[b] = core::entries_below(b, keys.data(), entries);
      if (b > 0) {
        slot_begin[b] = slot_begin[b - 1] + core::slots_for(entry_begin[b] - entry_begin[b - 1]);
      }
    }
    const core::BucketView view{keys.data(), values.data(), entry_begin.data(), slot_begin.data(),
                                pass.buckets()};
    return run_tree(view, entries, points);
  }
  static void sort_by_key(Words& keys, Words& values) {
    Words order(keys.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](auto a, auto b) { return keys[a] != keys[b] ? keys[a] < keys[b] : a < b; });
    const Words old_keys = keys;
    const Words old_values = values;
    for (std::size_t i = 0; i < order.size(); ++i) {
      keys[i] = old_keys[order[i]];
      values[i] = old_values[order[i]];
    }
  }
  static std::vector<Affine> run_tree(const core::BucketView& view, std::uint32_t entries,
                                      const std::vector<Affine>& points) {
    const std::uint32_t slot_count = view.slot_begin[view.buckets];
    EXPECT_LE(slot_count, core::max_slots(entries, view.buckets));
    std::vector<Affine> slots(slot_count);
    std::vector<Words> lists(32);
    std::size_t opened = 0;
    for (std::uint32_t i = 0; i < entries; ++i) {
      core::Placement placement;
      if (!core::place_entry(i, view, placement)) continue;
      ++opened;
      slots[placement.slot] = sum(signed_point(points, placement.pair.first),
                                  signed_point(points, placement.pair.second));
      for (unsigned level = 0; level < placement.height; ++level) {
        lists[level].push_back(placement.slot);
      }
    }
    EXPECT_EQ(opened, slot_count);
    for (unsigned level = 0; level < lists.size(); ++level) {
      EXPECT_LE(lists[level].size(), core::max_list(slot_count, level));
      for (const std::uint32_t slot : lists[level]) {
        slots[slot] = sum(slots[slot], slots[slot + (std::uint32_t{1} << level)]);
      }
    }
    std::vector<Affine> sums(view.buckets);
    for (std::uint32_t b = 0; b < view.buckets; ++b) {
      if (view.slot_begin[b] != view.slot_begin[b + 1]) sums[b] = slots[view.slot_begin[b]];
    }
    return sums;
  }

  [[nodiscard]] typename Curve::Jacobian reduce(std::vector<Affine> sums) const {
    const unsigned log_buckets = digits_.window_bits - 1;
    const ReductionShape shape = ReductionShape::of(log_buckets);
    std::vector<Affine> rows(sums.size() / 2);
    for (const ReductionStep& step : reduction_steps(log_buckets, sets_)) {
      const auto& in = step.reads_rows ? rows : sums;
      auto& out = step.writes_rows ? rows : sums;
      for (std::uint32_t j = 0; j < step.count; ++j) {
        out[step.pairs.out(j)] = sum(in[step.pairs.first(j)], in[step.pairs.second(j)]);
      }
    }
    std::vector<Xyzz> bit_sums;
    for (std::size_t set = 0; set < sets_; ++set) {
      const Affine* const columns = sums.data() + (set << log_buckets);
      for (unsigned t = 0; t <= shape.low_bits; ++t) {
        const std::uint32_t mask = t < shape.low_bits ? 1u << t : 0;
        bit_sums.push_back(by_bit(columns, 1, 1u << shape.low_bits, mask));
      }
      for (unsigned t = 0; t < shape.high_bits; ++t) {
        bit_sums.push_back(by_bit(rows.data() + (set << (log_buckets - 1)),
                                  std::size_t{1} << (shape.low_bits - 1), 1u << shape.high_bits,
                                  1u << t));
      }
    }
    return combine_bit_sums<Curve>(bit_sums, digits_.window_bits, shape);
  }
  static Xyzz by_bit(const Affine* points, std::size_t stride, std::uint32_t count,
                     std::uint32_t mask) {
    auto total = Xyzz::infinity();
    for (std::uint32_t i = 0; i < count; ++i) {
      if ((i & mask) == mask) total += points[i * stride];
    }
    return total;
  }

  core::DigitPlan digits_;
  unsigned copies_;
  unsigned sets_;
  unsigned sets_per_pass_;
};

template <class Curve>
class BucketCore : public testing::Test {
 protected:
  static void check(const EmulatedDevice<Curve>& device, std::size_t n, Inputs inputs) {
    const auto problem = test::problem<Curve>(n, inputs, n + 1);
    const auto expected = multiply_reference<Curve>(
        SpanSource<Curve>(std::span<const typename Curve::Affine>(problem.points)),
        problem.scalars);
    ASSERT_TRUE(expected);
    ASSERT_EQ(device.multiply(problem.points, problem.scalars), *expected)
        << n << " points, kind " << static_cast<int>(inputs);
  }
};
using Curves = testing::Types<curve::G1, curve::G2>;
TYPED_TEST_SUITE(BucketCore, Curves);

TYPED_TEST(BucketCore, AgreesForAllKindsOfInputs) {
  const EmulatedDevice<TypeParam> device(6, 1, 5);
  for (const Inputs inputs :
       {Inputs::kRandom, Inputs::kMixed, Inputs::kOneBucket, Inputs::kInfinite, Inputs::kZero}) {
    this->check(device, 37, inputs);
  }
}

TYPED_TEST(BucketCore, AgreesForAllLengths) {
  const EmulatedDevice<TypeParam> device(4, 1, 64);
  for (const std::size_t n : {1U, 2U, 3U, 31U, 64U}) this->check(device, n, Inputs::kMixed);
}

TYPED_TEST(BucketCore, AgreesWithCopiesAndPasses) {
  this->check(EmulatedDevice<TypeParam>(7, 4, 3), 20, Inputs::kMixed);   // 37 windows, 10 sets
  this->check(EmulatedDevice<TypeParam>(8, 32, 1), 20, Inputs::kMixed);  // one set
}

std::uint32_t pattern_of(const std::vector<std::uint64_t>& words, std::size_t stride,
                         unsigned masks, std::size_t i) {
  std::uint32_t pattern = 0;
  for (unsigned m = 0; m < masks; ++m) {
    if ((words[m * stride + i / 64] >> (i % 64)) % 2 != 0) pattern += 1U << m;
  }
  return pattern;
}

TEST(PatternEntry, HasTheBitsOfAllMasks) {
  constexpr std::size_t kPoints = 130;
  constexpr std::size_t kWords = 3;
  std::mt19937_64 rng(5);
  std::vector<std::uint64_t> words(core::kMaxMasks * kWords);
  for (auto& word : words) word = rng() & rng() & rng();
  for (const unsigned masks : {1U, 3U, core::kMaxMasks}) {
    const core::MaskView view{words.data(), kWords, masks};
    std::vector<std::uint32_t> keys(kPoints);
    std::vector<std::uint32_t> values(kPoints);
    for (std::size_t i = 0; i < kPoints; ++i) {
      core::make_pattern_entry(i, view, keys.data(), values.data());
      const std::uint32_t pattern = pattern_of(words, kWords, masks, i);
      ASSERT_EQ(keys[i], pattern != 0 ? pattern : 1U << masks);
      ASSERT_EQ(values[i], i);
    }
  }
}

std::vector<int> times_covered(const core::DigitPlan& digits, unsigned sets) {
  std::vector<int> seen(digits.windows);
  for (unsigned set = 0; set < sets; set += 2) {
    const core::DigitPass pass{digits, sets, set, std::min(2U, sets - set), 1};
    for (unsigned k = 0; k < pass.windows(); ++k) ++seen[pass.window(k)];
  }
  return seen;
}

TEST(DigitPass, CoversEveryWindowOnce) {
  for (const unsigned bits : {4U, 7U, 22U, 24U}) {
    const auto digits = core::DigitPlan::of(bits);
    const std::vector<int> once(digits.windows, 1);
    for (const unsigned sets : {1U, 3U, digits.windows}) {
      EXPECT_EQ(times_covered(digits, sets), once) << bits << " " << sets;
    }
  }
}

}  // namespace
}  // namespace belfry::msm
