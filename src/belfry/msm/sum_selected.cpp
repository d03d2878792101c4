#include <algorithm>
#include <bit>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "belfry/msm/msm.h"
#include "belfry/msm/stored_points.h"
#include "belfry/msm/workspace.h"

namespace belfry::msm {
namespace {

constexpr std::size_t kWordBits = 64;
/// Points that one task looks at; all of them may be selected, so they fit a workspace.
constexpr std::size_t kTaskPoints = 16384;
static_assert(kTaskPoints <= kBlockEntries);

/// Numbers of the set bits among bits from ... to - 1; `from` is a multiple of 64.
std::vector<std::uint32_t> set_bits(std::span<const std::uint64_t> mask, std::size_t from,
                                    std::size_t to) {
  std::vector<std::uint32_t> out;
  out.reserve(to - from);
  for (std::size_t at = from; at < to; at += kWordBits) {
    std::uint64_t word = mask[at / kWordBits];
    if (to - at < kWordBits) word &= (std::uint64_t{1} << (to - at)) - 1;
    for (; word != 0; word &= word - 1) {
      out.push_back(static_cast<std::uint32_t>(at + static_cast<unsigned>(std::countr_zero(word))));
    }
  }
  return out;
}

/// The sum of some points as one tree.
template <class Curve>
Result<typename Curve::Affine> sum_points(const PointKernels<Curve>& kernels,
                                          const PointSource<Curve>& source,
                                          std::span<const std::uint32_t> indices,
                                          Workspace<Curve>& workspace) {
  StoredPoints<Curve> points(kernels, indices.size());
  BELFRY_CHECK(fetch_indexed(kernels, source, indices)(0, indices.size(), points.at(0)));
  workspace.refs.clear();
  for (std::size_t i = 0; i < indices.size(); ++i) workspace.refs.push_back(points.ref(i));
  workspace.runs.assign(1, {0, indices.size()});
  workspace.tree.reduce(workspace.refs, workspace.runs);
  typename Curve::Affine sum;
  kernels.load(address(workspace.refs[0]), 1, &sum);
  return sum;
}

/// What the tasks add to.
template <class Curve>
class Total {
 public:
  void add(const Result<typename Curve::Affine>& sum) {
    const std::lock_guard lock(mutex_);
    if (sum) {
      total_ += *sum;
    } else if (!error_) {
      error_ = sum.error();
    }
  }
  /// When all tasks are done.
  [[nodiscard]] Result<typename Curve::Jacobian> take() {
    if (error_) return fail(std::move(*error_));
    return total_;
  }

 private:
  std::mutex mutex_;
  std::optional<Error> error_;        // guarded by mutex_
  typename Curve::Jacobian total_{};  // guarded by mutex_
};

}  // namespace

template <class Curve>
Result<typename Curve::Jacobian> sum_selected(const PointSource<Curve>& source,
                                              std::span<const std::uint64_t> mask,
                                              const Executor& executor, const Options& options) {
  const std::size_t n = source.size();
  const std::size_t words = (n + kWordBits - 1) / kWordBits;
  if (mask.size() != words) {
    return fail(invalid("msm.sum_selected", "the mask does not have one bit a point")
                    .but(std::to_string(words) + " words", std::to_string(mask.size())));
  }
  const auto& kernels = point_kernels<Curve>(options.isa);
  WorkspacePool<Curve> workspaces(kernels);
  Total<Curve> total;
  executor.for_each((n + kTaskPoints - 1) / kTaskPoints, [&](std::size_t task) {
    const auto indices = set_bits(mask, task * kTaskPoints, std::min(n, (task + 1) * kTaskPoints));
    if (indices.empty()) return;
    workspaces.with([&](Workspace<Curve>& workspace) {
      total.add(sum_points(kernels, source, indices, workspace));
    });
  });
  return total.take();
}

template Result<curve::G1Jacobian> sum_selected(const PointSource<curve::G1>&,
                                                std::span<const std::uint64_t>, const Executor&,
                                                const Options&);
template Result<curve::G2Jacobian> sum_selected(const PointSource<curve::G2>&,
                                                std::span<const std::uint64_t>, const Executor&,
                                                const Options&);

}  // namespace belfry::msm
