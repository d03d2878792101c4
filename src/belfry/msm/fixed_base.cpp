#include "belfry/msm/fixed_base.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "belfry/curve/batch.h"
#include "belfry/msm/digits_core.h"
#include "belfry/msm/pair_tree.h"
#include "belfry/msm/stored_points.h"
#include "belfry/msm/workspace.h"

namespace belfry::msm {
namespace {

/// Scalars that one task takes at a time: their sums and the scratch stay in the second-level
/// cache.
constexpr std::size_t kTaskScalars = 4096;

/// A table entry costs about as much as one addition.
unsigned cheapest_table_window(std::size_t expected) {
  constexpr unsigned kMaxWindowBits = 16;
  unsigned best = 1;
  std::size_t best_cost = std::numeric_limits<std::size_t>::max();
  for (unsigned bits = 1; bits <= kMaxWindowBits; ++bits) {
    const core::DigitPlan plan = core::DigitPlan::of(bits);
    std::size_t cost = plan.windows * expected;
    for (unsigned w = 0; w < plan.windows; ++w) cost += plan.max_digit(w);
    if (cost < best_cost) {
      best_cost = cost;
      best = bits;
    }
  }
  return best;
}

}  // namespace

/// Multiples 1 ... max_digit(w) of 2^(c·w)·B, window after window, in stored form.
template <class Curve>
struct FixedBase<Curve>::Table {
  Table(const PointKernels<Curve>& table_kernels, const core::DigitPlan& digit_plan)
      : kernels(table_kernels), plan(digit_plan) {
    std::size_t count = 0;
    for (unsigned w = 0; w < plan.windows; ++w) {
      starts.push_back(count);
      count += plan.max_digit(w);
    }
    points = AlignedBytes(count * kernels.stride);
  }

  [[nodiscard]] std::byte* entry(unsigned w, std::size_t digit) noexcept {
    return points.data() + kernels.stride * (starts[w] + digit - 1);
  }
  [[nodiscard]] PointRef multiple(unsigned w, std::int32_t digit) const noexcept {
    const auto magnitude = static_cast<std::size_t>(digit < 0 ? -digit : digit);
    return point_ref(points.data() + kernels.stride * (starts[w] + magnitude - 1), digit < 0);
  }
  /// Multiples of one window from its first: each pass doubles how many there are.
  void fill_window(unsigned w, PairTree<Curve>& tree) {
    const std::size_t count = plan.max_digit(w);
    std::vector<PairSum> pairs;
    for (std::size_t known = 1; known < count; known *= 2) {
      pairs.clear();
      for (std::size_t d = 1; d <= known && known + d <= count; ++d) {
        pairs.push_back({point_ref(entry(w, known)), point_ref(entry(w, d)), entry(w, known + d)});
      }
      tree.add(pairs);
    }
  }
  /// The multiples that one task makes.
  struct Sums {
    AlignedBytes points;  ///< stored; where `started` is not set, not written yet
    std::vector<core::Scalar> prepared;
    std::vector<bool> started;
    std::vector<PairSum> pairs;
  };
  /// Pairs every sum with its multiple of window w; a first multiple is copied at once.
  void add_window(unsigned w, Sums& sums) const;
  void multiply(std::span<const Fr> scalars, std::span<Affine> out, PairTree<Curve>& tree) const;

  const PointKernels<Curve>& kernels;
  core::DigitPlan plan;
  std::vector<std::size_t> starts;
  AlignedBytes points;
};

template <class Curve>
void FixedBase<Curve>::Table::add_window(unsigned w, Sums& sums) const {
  sums.pairs.clear();
  for (std::size_t i = 0; i < sums.prepared.size(); ++i) {
    const std::int32_t digit = core::digit(sums.prepared[i], plan, w);
    if (digit == 0) continue;
    std::byte* const sum = sums.points.data() + i * kernels.stride;
    if (sums.started[i]) {
      sums.pairs.push_back({point_ref(sum), multiple(w, digit), sum});
      continue;
    }
    kernels.copy(multiple(w, digit), sum);
    sums.started[i] = true;
  }
}

template <class Curve>
void FixedBase<Curve>::Table::multiply(std::span<const Fr> scalars, std::span<Affine> out,
                                       PairTree<Curve>& tree) const {
  const std::size_t n = scalars.size();
  Sums sums{
      AlignedBytes(n * kernels.stride), std::vector<core::Scalar>(n), std::vector<bool>(n), {}};
  for (std::size_t i = 0; i < n; ++i) sums.prepared[i] = core::prepare_scalar(scalars[i], plan);
  for (unsigned w = 0; w < plan.windows; ++w) {
    add_window(w, sums);
    tree.add(sums.pairs);
  }
  kernels.load(sums.points.data(), n, out.data());
  for (std::size_t i = 0; i < n; ++i) {
    if (!sums.started[i]) out[i] = Affine::infinity();
  }
}

template <class Curve>
FixedBase<Curve>::FixedBase(const Affine& base, std::size_t expected, const Executor& executor,
                            Isa isa) {
  using Jacobian = typename Curve::Jacobian;
  const auto& kernels = point_kernels<Curve>(isa);
  const auto plan = core::DigitPlan::of(cheapest_table_window(expected));
  auto table = std::make_unique<Table>(kernels, plan);
  std::vector<Jacobian> powers(plan.windows);
  Jacobian power = Jacobian::from_affine(base);
  for (Jacobian& p : powers) {
    p = power;
    for (unsigned i = 0; i < plan.window_bits; ++i) power = power.doubled();
  }
  std::vector<Affine> firsts(plan.windows);
  curve::batch_to_affine<Curve>(std::span<const Jacobian>(powers), std::span<Affine>(firsts));
  for (unsigned w = 0; w < plan.windows; ++w) kernels.store(&firsts[w], 1, table->entry(w, 1));
  WorkspacePool<Curve> workspaces(kernels);
  executor.for_each(plan.windows, [&](std::size_t w) {
    workspaces.with([&](Workspace<Curve>& workspace) {
      table->fill_window(static_cast<unsigned>(w), workspace.tree);
    });
  });
  table_ = std::move(table);
}

template <class Curve>
FixedBase<Curve>::~FixedBase() = default;
template <class Curve>
FixedBase<Curve>::FixedBase(FixedBase&&) noexcept = default;
template <class Curve>
FixedBase<Curve>& FixedBase<Curve>::operator=(FixedBase&&) noexcept = default;

template <class Curve>
Result<void> FixedBase<Curve>::multiply(std::span<const Fr> scalars, std::span<Affine> out,
                                        const Executor& executor) const {
  if (scalars.size() != out.size()) {
    return fail(invalid("msm.fixed_base", "the lengths of scalars and results differ")
                    .but(std::to_string(scalars.size()), std::to_string(out.size())));
  }
  WorkspacePool<Curve> workspaces(table_->kernels);
  const std::size_t tasks = (scalars.size() + kTaskScalars - 1) / kTaskScalars;
  executor.for_each(tasks, [&](std::size_t task) {
    const std::size_t from = task * kTaskScalars;
    const std::size_t n = std::min(kTaskScalars, scalars.size() - from);
    workspaces.with([&](Workspace<Curve>& workspace) {
      table_->multiply(scalars.subspan(from, n), out.subspan(from, n), workspace.tree);
    });
  });
  return {};
}

template class FixedBase<curve::G1>;
template class FixedBase<curve::G2>;

}  // namespace belfry::msm
