#include "belfry/ntt/tree_plan.h"

#include <algorithm>

namespace belfry::ntt {
namespace {

/// omega_{2^log}
Fr root_of_order(unsigned log) {
  Fr root{field::FrParams::kRootOfUnity};
  for (unsigned i = log; i < Domain::kMaxLogSize; ++i) root = root.square();
  return root;
}

}  // namespace

std::vector<core::TreePass> tree_passes(unsigned log_size) {
  std::vector<core::TreePass> passes;
  unsigned count = std::max(1U, (log_size + core::kMaxPassLog - 1) / core::kMaxPassLog);
  unsigned above = 0;
  for (; count > 0; --count) {
    const unsigned rows = (log_size - above + count - 1) / count;
    passes.push_back({log_size, above, rows});
    above += rows;
  }
  return passes;
}

core::PassConstants pass_constants(const Domain& domain, const core::TreePass& pass,
                                   TreeDirection direction, TreePoints points) {
  const unsigned depth = pass.above_log + pass.rows_log;
  core::PassConstants constants{Fr::one(), root_of_order(depth)};
  if (points == TreePoints::kCoset) {
    constants.shift_power = Domain::shift().pow(std::uint64_t{1} << (domain.log_size() - depth));
  }
  if (direction == TreeDirection::kUp) {
    constants = {constants.shift_power.inverse(), constants.root.inverse()};
  }
  return constants;
}

Fr domain_quotient_factor(const Domain& domain) {
  // The way up leaves a factor of m, the scaling one of 2^-32, and the derivative of x^m - 1 is m.
  return Fr::from_u64(std::uint64_t{1} << 32) * domain.size_inverse().square();
}

}  // namespace belfry::ntt
