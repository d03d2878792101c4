#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "belfry/ntt/tree_core.h"
#include "belfry/ntt/tree_plan.h"
#include "support/quotient_rows.h"
#include "support/vectors.h"

namespace belfry::ntt {
namespace {

// Runs transforms as a device does, tile by tile, phase by phase, worker by worker.
class TreeEmulator {
 public:
  explicit TreeEmulator(const Domain& domain)
      : domain_(domain), passes_(tree_passes(domain.log_size())) {}

  void transform(TreeDirection direction, TreePoints points, std::vector<Fr>& data) const {
    const bool down = direction == TreeDirection::kDown;
    for (std::size_t i = 0; i < passes_.size(); ++i) {
      const core::TreePass& pass = passes_[down ? i : passes_.size() - 1 - i];
      if (pass.is_rows()) {
        run_rows(pass, direction, points, {&data}, store);
      } else {
        run_columns(pass, direction, points, false, data);
      }
    }
  }
  // h of DeviceTree::domain_quotient_async.
  [[nodiscard]] std::vector<Fr> domain_quotient(const std::vector<Fr>& a,
                                                const std::vector<Fr>& b) const {
    constexpr auto kPoints = TreePoints::kSubgroup;
    std::vector<Fr> h = a;
    std::vector<Fr> work = b;
    run_rows(passes_.back(), TreeDirection::kUp, kPoints, {&h, &work}, store);
    for (auto* data : {&h, &work}) turn(*data);
    run_rows(passes_.back(), TreeDirection::kDown, kPoints, {&h, &work},
             [&](const core::TreeTile<true>& tile, unsigned worker, const Vectors& vectors) {
               tile.store_pairs(worker, [&](std::size_t place, const Fr& x, const Fr& y) {
                 (*vectors[0])[place] = a[place] * y + b[place] * x;
               });
             });
    return h;
  }

 private:
  static constexpr unsigned kWorkers = 7;  // fits nothing, on purpose
  using Vectors = std::vector<std::vector<Fr>*>;

  template <class Phase>
  static void for_workers(const Phase& phase) {
    for (unsigned worker = 0; worker < kWorkers; ++worker) phase(worker);
  }
  static void store(const core::TreeTile<true>& tile, unsigned worker, const Vectors& vectors) {
    tile.store(worker, [&](std::size_t place, unsigned vector, const Fr& x) {
      (*vectors[vector])[place] = x;
    });
  }
  [[nodiscard]] std::vector<Fr> table(const core::TreePass& pass, TreeDirection direction,
                                      TreePoints points) const {
    const unsigned blocks_log = pass.is_rows() ? 0 : pass.above_log;
    std::vector<Fr> out(std::size_t{1} << (blocks_log + pass.rows_log));
    const auto constants = pass_constants(domain_, pass, direction, points);
    for (std::size_t i = 0; i < out.size(); ++i)
      core::fill_twiddles(i, pass, constants, out.data());
    return out;
  }
  // Everything between the last pass up and the last pass down of the quotient.
  void turn(std::vector<Fr>& data) const {
    constexpr auto kPoints = TreePoints::kSubgroup;
    const std::size_t columns = passes_.size() - 1;
    for (std::size_t i = columns; i-- > 0;) {
      run_columns(passes_[i], TreeDirection::kUp, kPoints, i == 0, data);
    }
    for (std::uint32_t k = 0; columns == 0 && k < data.size(); ++k) {
      data[k] = core::times_word(data[k], k);
    }
    for (std::size_t i = 0; i < columns; ++i) {
      run_columns(passes_[i], TreeDirection::kDown, kPoints, false, data);
    }
  }

  void run_columns(const core::TreePass& pass, TreeDirection direction, TreePoints points,
                   bool scaled, std::vector<Fr>& data) const {
    const auto twiddles = table(pass, direction, points);
    const unsigned lanes_log = core::tile_lanes_log(pass, 0);
    const std::size_t halves =
        core::TileMemory::padded_size(std::size_t{1} << (pass.rows_log + lanes_log));
    const bool one = pass.above_log == 0 && points == TreePoints::kSubgroup;
    const unsigned steps = core::step_count(pass.rows_log);
    for (std::size_t lane = 0; lane < (data.size() >> pass.rows_log); lane += 1U << lanes_log) {
      std::vector<core::HalfElement> low(halves);
      std::vector<core::HalfElement> high(halves);
      const std::size_t entries = (lane >> pass.columns_log()) << pass.rows_log;
      const std::size_t column = lane & ((std::size_t{1} << pass.columns_log()) - 1);
      const core::TreeTile<false> tile{pass,
                                       {low.data(), high.data(), nullptr, nullptr},
                                       twiddles.data() + entries,
                                       (entries << pass.columns_log()) + column,
                                       lanes_log,
                                       0,
                                       kWorkers};
      for (unsigned i = 0; i < steps; ++i) {
        const bool last = i + 1 == steps;
        const core::StepOptions options{one, scaled && last, i == 0 ? data.data() : nullptr,
                                        last ? data.data() : nullptr};
        if (direction == TreeDirection::kDown) {
          for_workers([&](unsigned w) { tile.step<true>(w, i, options); });
        } else {
          for_workers([&](unsigned w) { tile.step<false>(w, steps - 1 - i, options); });
        }
      }
    }
  }

  template <class Store>
  void run_rows(const core::TreePass& pass, TreeDirection direction, TreePoints points,
                const Vectors& vectors, const Store& store_tile) const {
    const auto vectors_log = static_cast<unsigned>(vectors.size() - 1);
    const unsigned lanes_log = core::tile_lanes_log(pass, vectors_log);
    const std::size_t blocks = std::size_t{1} << (lanes_log - vectors_log);
    const auto unit = table(pass, direction, points);
    const auto powers = power_tables(direction);
    const bool one = pass.above_log == 0 && points == TreePoints::kSubgroup;
    const unsigned steps = core::step_count(pass.rows_log);
    for (std::size_t first = 0; first < (std::size_t{1} << pass.above_log); first += blocks) {
      std::vector<core::HalfElement> low(
          core::TileMemory::padded_size(std::size_t{1} << (pass.rows_log + lanes_log)));
      std::vector<core::HalfElement> high(low.size());
      std::vector<Fr> twiddles(blocks << pass.rows_log);
      std::vector<Fr> factors(blocks * core::kMaxPassLog);
      const core::TreeTile<true> tile{pass,
                                      {low.data(), high.data(), twiddles.data(), factors.data()},
                                      twiddles.data(),
                                      first,
                                      lanes_log,
                                      vectors_log,
                                      kWorkers};
      for_workers([&](unsigned w) {
        tile.make_factors(
            w, {powers.first.data(), powers.second.data(), power_cut(domain_.log_size()).low_log});
        tile.load(w, [&](std::size_t place, unsigned v) { return (*vectors[v])[place]; });
      });
      for_workers([&](unsigned w) { tile.make_twiddles(w, unit.data()); });
      for (unsigned s = 0; s < steps; ++s) {
        if (direction == TreeDirection::kDown) {
          for_workers([&](unsigned w) { tile.step<true>(w, s, {one}); });
        } else {
          for_workers([&](unsigned w) { tile.step<false>(w, steps - 1 - s, {one}); });
        }
      }
      for_workers([&](unsigned w) { store_tile(tile, w, vectors); });
    }
  }
  [[nodiscard]] std::pair<std::vector<Fr>, std::vector<Fr>> power_tables(
      TreeDirection direction) const {
    const Fr root = pass_constants(domain_, passes_.back(), direction, TreePoints::kSubgroup).root;
    const PowerCut cut = power_cut(domain_.log_size());
    std::vector<Fr> low(std::size_t{1} << cut.low_log);
    std::vector<Fr> high(std::size_t{1} << cut.high_log);
    for (std::size_t i = 0; i < low.size(); ++i) low[i] = root.pow(std::uint64_t{i});
    for (std::size_t i = 0; i < high.size(); ++i)
      high[i] = root.pow(std::uint64_t{i} << cut.low_log);
    return {low, high};
  }

  const Domain& domain_;
  std::vector<core::TreePass> passes_;
};

// The definition: the polynomial at s·omega^bitrev(j), by Horner.
std::vector<Fr> evaluations(const Domain& domain, TreePoints points, const std::vector<Fr>& p) {
  const Fr shift = points == TreePoints::kCoset ? Domain::shift() : Fr::one();
  std::vector<Fr> out(p.size());
  for (std::uint32_t j = 0; j < out.size(); ++j) {
    const Fr x =
        shift * domain.omega().pow(std::uint64_t{core::reverse_low_bits(j, domain.log_size())});
    for (std::size_t i = p.size(); i-- > 0;) out[j] = out[j] * x + p[i];
  }
  return out;
}

class TreeTransform : public testing::TestWithParam<unsigned> {};

TEST_P(TreeTransform, DownEvaluatesAndUpInterpolates) {
  const unsigned log_size = GetParam();
  const auto domain = Domain::of_log_size(log_size);
  ASSERT_TRUE(domain);
  const TreeEmulator tree(*domain);
  const auto coefficients = test::random_frs(domain->size(), log_size);
  for (const TreePoints points : {TreePoints::kSubgroup, TreePoints::kCoset}) {
    auto data = coefficients;
    tree.transform(TreeDirection::kDown, points, data);
    ASSERT_EQ(data, evaluations(*domain, points, coefficients));
    tree.transform(TreeDirection::kUp, points, data);
    for (Fr& x : data) x *= domain->size_inverse();
    ASSERT_EQ(data, coefficients);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, TreeTransform, testing::Values(0, 1, 2, 3, 4, 5, 8, 9, 10, 11));

// Three passes: too long for Horner, so the transform of a sparse polynomial is taken instead.
TEST(TreeTransformLong, ThreePassesOfASparsePolynomial) {
  constexpr unsigned kLogSize = 19;  // the least that takes three passes
  const auto domain = Domain::of_log_size(kLogSize);
  ASSERT_TRUE(domain);
  const TreeEmulator tree(*domain);
  const auto values = test::random_frs(3, 1);
  const std::size_t places[] = {1, 777, (std::size_t{1} << kLogSize) - 2};
  std::vector<Fr> data(domain->size());
  for (std::size_t k = 0; k < 3; ++k) data[places[k]] = values[k];
  const auto original = data;
  tree.transform(TreeDirection::kDown, TreePoints::kCoset, data);
  for (std::uint32_t j = 0; j < data.size(); j += 12345) {
    const Fr x =
        Domain::shift() * domain->omega().pow(std::uint64_t{core::reverse_low_bits(j, kLogSize)});
    Fr expected;
    for (std::size_t k = 0; k < 3; ++k) expected += values[k] * x.pow(std::uint64_t{places[k]});
    ASSERT_EQ(data[j], expected) << j;
  }
  tree.transform(TreeDirection::kUp, TreePoints::kCoset, data);
  for (Fr& x : data) x *= domain->size_inverse();
  EXPECT_EQ(data, original);
}

class DomainQuotient : public testing::TestWithParam<unsigned> {};

// f·h - D(c)/m are the values of the quotient that the reference computes.
TEST_P(DomainQuotient, IsTheQuotientWithoutC) {
  const unsigned log_size = GetParam();
  const auto domain = Domain::of_log_size(log_size);
  ASSERT_TRUE(domain);
  auto rows = test::random_quotient_rows(log_size);
  const auto h =
      TreeEmulator(*domain).domain_quotient(test::bit_reversed(rows.a), test::bit_reversed(rows.b));
  EXPECT_EQ(test::with_c(*domain, h, rows.c), test::quotient_values(*domain, rows));
}

INSTANTIATE_TEST_SUITE_P(Sizes, DomainQuotient, testing::Values(0, 1, 2, 5, 9, 10, 13, 19));

TEST(TreeCore, TimesWordDividesByTheRadix) {
  const Fr radix = Fr::from_u64(std::uint64_t{1} << 32);
  for (const Fr& x : test::random_frs(20, 5)) {
    for (const std::uint32_t k : {0U, 1U, 2U, 0x80000000U, 0xffffffffU}) {
      EXPECT_EQ(core::times_word(x, k) * radix, x * Fr::from_u64(k));
    }
  }
}

TEST(TreePasses, CoverEveryLevelOnce) {
  for (unsigned log_size = 0; log_size <= Domain::kMaxLogSize; ++log_size) {
    unsigned above = 0;
    for (const auto& pass : tree_passes(log_size)) {
      EXPECT_EQ(pass.above_log, above);
      EXPECT_LE(pass.rows_log, core::kMaxPassLog);
      above += pass.rows_log;
    }
    EXPECT_EQ(above, log_size);
  }
}

}  // namespace
}  // namespace belfry::ntt
