#include "belfry/ntt/tree_plan.h"

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
  unsigned count = (log_size + core::kMaxPassLog - 1) / core::kMaxPassLog;
  unsigned above = 0;
  for (; count > 0; --count) {
    const unsigned rows = (log_size - above + count - 1) / count;
    passes.push_back({log_size, above, rows});
    above += rows;
  }
  return passes;
}

PassConstants pass_constants(const Domain& domain, const core::TreePass& pass,
                             TreeDirection direction, TreePoints points) {
  const unsigned depth = pass.above_log + pass.rows_log;
  PassConstants constants{Fr::one(), root_of_order(depth)};
  if (points == TreePoints::kCoset) {
    constants.shift_power = Domain::shift().pow(std::uint64_t{1} << (domain.log_size() - depth));
  }
  if (direction == TreeDirection::kUp) {
    constants = {constants.shift_power.inverse(), constants.root.inverse()};
  }
  return constants;
}

Fr unit_heap_root(TreeDirection direction) {
  const Fr root = root_of_order(core::kMaxPassLog);
  return direction == TreeDirection::kUp ? root.inverse() : root;
}

}  // namespace belfry::ntt
