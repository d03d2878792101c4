#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "belfry/ntt/tree_core.h"
#include "belfry/ntt/tree_plan.h"
#include "support/vectors.h"

namespace belfry::ntt {
namespace {

// Runs one pass as a device does, tile by tile, phase by phase, worker by worker.
class PassEmulator {
 public:
  PassEmulator(const Domain& domain, TreeDirection direction, TreePoints points, unsigned tile_log,
               unsigned near_log)
      : domain_(domain),
        direction_(direction),
        points_(points),
        tile_log_(tile_log),
        near_log_(near_log),
        unit_(std::size_t{1} << core::kMaxPassLog) {
    const Fr root = unit_heap_root(direction);
    for (std::size_t i = 0; i < unit_.size(); ++i) core::fill_unit_heap(i, root, unit_.data());
  }

  void run(const core::TreePass& pass, std::vector<Fr>& data) const {
    std::vector<Fr> deepest(std::size_t{1} << pass.above_log);
    const PassConstants constants = pass_constants(domain_, pass, direction_, points_);
    for (std::size_t b = 0; b < deepest.size(); ++b) {
      core::fill_deepest(b, pass, constants.shift_power, constants.root, deepest.data());
    }
    const unsigned tile_log = std::min(tile_log_, pass.lanes_log());
    for (std::size_t tile = 0; tile < (std::size_t{1} << (pass.lanes_log() - tile_log)); ++tile) {
      run_tile(pass, deepest, tile << tile_log, tile_log, data);
    }
  }

 private:
  static constexpr unsigned kWorkers = 7;  // fits nothing, on purpose

  template <class Phase>
  static void for_workers(const Phase& phase) {
    for (unsigned worker = 0; worker < kWorkers; ++worker) phase(worker);
  }

  void run_tile(const core::TreePass& pass, const std::vector<Fr>& deepest, std::size_t first_lane,
                unsigned tile_log, std::vector<Fr>& data) const {
    const unsigned near_log = std::min(near_log_, pass.rows_log);
    const std::size_t blocks = std::size_t{1} << core::TreeTile::blocks_log(pass, tile_log);
    std::vector<core::HalfElement> low(std::size_t{1} << (pass.rows_log + tile_log));
    std::vector<core::HalfElement> high(low.size());
    std::vector<Fr> factors(blocks * core::kMaxPassLog);
    std::vector<Fr> near(blocks << near_log);
    const core::TreeTile tile{pass,
                              {unit_.data(), deepest.data()},
                              {low.data(), high.data(), factors.data(), near.data()},
                              first_lane,
                              tile_log,
                              near_log,
                              kWorkers};
    for_workers([&](unsigned w) { tile.load(w, data.data()); });
    for_workers([&](unsigned w) { tile.factors(w); });
    for_workers([&](unsigned w) { tile.near(w); });
    const unsigned steps = core::step_count(pass.rows_log);
    for (unsigned s = 0; s < steps; ++s) {
      if (direction_ == TreeDirection::kDown) {
        for_workers([&](unsigned w) { core::tree_step<true>(tile, w, s); });
      } else {
        for_workers([&](unsigned w) { core::tree_step<false>(tile, w, steps - 1 - s); });
      }
    }
    for_workers([&](unsigned w) { tile.store(w, data.data()); });
  }

  const Domain& domain_;
  TreeDirection direction_;
  TreePoints points_;
  unsigned tile_log_;
  unsigned near_log_;
  std::vector<Fr> unit_;
};

void transform(const Domain& domain, TreeDirection direction, TreePoints points, unsigned tile_log,
               unsigned near_log, std::vector<Fr>& data) {
  const PassEmulator emulator(domain, direction, points, tile_log, near_log);
  auto passes = tree_passes(domain.log_size());
  if (direction == TreeDirection::kUp) std::reverse(passes.begin(), passes.end());
  for (const auto& pass : passes) emulator.run(pass, data);
}

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
  const auto coefficients = test::random_frs(domain->size(), log_size);
  for (const TreePoints points : {TreePoints::kSubgroup, TreePoints::kCoset}) {
    for (const auto& [tile_log, near_log] :
         {std::pair{2U, 9U}, std::pair{3U, 6U}, std::pair{0U, 0U}}) {
      auto data = coefficients;
      transform(*domain, TreeDirection::kDown, points, tile_log, near_log, data);
      ASSERT_EQ(data, evaluations(*domain, points, coefficients)) << tile_log << " " << near_log;
      transform(*domain, TreeDirection::kUp, points, tile_log, near_log, data);
      for (Fr& x : data) x *= domain->size_inverse();
      ASSERT_EQ(data, coefficients) << tile_log << " " << near_log;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, TreeTransform, testing::Values(0, 1, 2, 3, 4, 5, 8, 9, 10));

// Three passes: too long for Horner, so the transform of a sparse polynomial is taken instead.
TEST(TreeTransformLong, ThreePassesOfASparsePolynomial) {
  constexpr unsigned kLogSize = 19;  // the least that takes three passes
  const auto domain = Domain::of_log_size(kLogSize);
  ASSERT_TRUE(domain);
  const auto values = test::random_frs(3, 1);
  const std::size_t places[] = {1, 777, (std::size_t{1} << kLogSize) - 2};
  std::vector<Fr> data(domain->size());
  for (std::size_t k = 0; k < 3; ++k) data[places[k]] = values[k];
  const auto original = data;
  transform(*domain, TreeDirection::kDown, TreePoints::kCoset, 2, 6, data);
  for (std::uint32_t j = 0; j < data.size(); j += 12345) {
    const Fr x =
        Domain::shift() * domain->omega().pow(std::uint64_t{core::reverse_low_bits(j, kLogSize)});
    Fr expected;
    for (std::size_t k = 0; k < 3; ++k) expected += values[k] * x.pow(std::uint64_t{places[k]});
    ASSERT_EQ(data[j], expected) << j;
  }
  transform(*domain, TreeDirection::kUp, TreePoints::kCoset, 2, 6, data);
  for (Fr& x : data) x *= domain->size_inverse();
  EXPECT_EQ(data, original);
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
