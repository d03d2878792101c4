#include "belfry/msm/msm.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <string>
#include <vector>

#include "belfry/curve/multiply.h"
#include "belfry/msm/window.h"

namespace belfry::msm {
namespace {

/// Points that are decoded and added at a time: few, since fresh memory costs more (page faults)
/// than passing over the buckets once more, but enough to keep all threads busy between two
/// barriers.
std::size_t chunk_points(unsigned threads) {
  constexpr std::size_t kLeast = std::size_t{1} << 17;
  constexpr std::size_t kMost = std::size_t{1} << 20;
  constexpr std::size_t kPerThread = std::size_t{1} << 16;
  return std::clamp(kPerThread * threads, kLeast, kMost);
}
/// Below this length the inversions of batched additions cost more than they save.
constexpr std::size_t kFewPoints = 256;
constexpr unsigned kMaxWindowBits = 20;

Result<void> expect_length(const char* stage, std::size_t expected, std::size_t found) {
  if (expected == found) return {};
  return fail(invalid(stage, "the lengths of points and scalars differ")
                  .but(std::to_string(expected), std::to_string(found)));
}

/// Minimises additions: every window costs one a point and two a bucket.
unsigned cheapest_window(std::size_t n) {
  unsigned best = 1;
  std::size_t best_cost = std::numeric_limits<std::size_t>::max();
  for (unsigned bits = 1; bits <= kMaxWindowBits; ++bits) {
    const core::DigitPlan plan = core::DigitPlan::of(bits);
    std::size_t cost = plan.windows * n;
    for (unsigned w = 0; w < plan.windows; ++w) cost += 2 * std::size_t{plan.max_digit(w)};
    if (cost < best_cost) {
      best_cost = cost;
      best = bits;
    }
  }
  return best;
}

/// The windows of one multiplication and how they share the threads.
template <class Curve>
class Windows {
 public:
  using Jacobian = typename Curve::Jacobian;

  Windows(const PointKernels<Curve>& kernels, const core::DigitPlan& plan, const Executor& executor)
      : plan_(plan),
        executor_(executor),
        workspaces_(kernels),
        sorted_(executor.threads()),
        sums_(plan.windows) {
    windows_.reserve(plan.windows);
    for (unsigned w = 0; w < plan.windows; ++w) windows_.emplace_back(kernels, plan, w);
  }

  /// Adds a chunk, as many windows at a time as there are threads; the last chunk leaves the sums.
  void add_chunk(const StoredPoints<Curve>& points, const PreparedScalars& prepared, bool last) {
    for (std::size_t from = 0; from < windows_.size(); from += executor_.threads()) {
      const std::size_t to = std::min<std::size_t>(windows_.size(), from + executor_.threads());
      for (std::size_t w = from; w < to; ++w) windows_[w].open(spare_);
      stream(points, prepared, from, to);
      executor_.for_each(to - from,
                         [&](std::size_t i) { windows_[from + i].sort(prepared, sorted_[i]); });
      sum_blocks(points, from, to);
      executor_.for_each(to - from, [&](std::size_t i) { end_chunk(from + i, last); });
      for (std::size_t w = from; last && w < to; ++w) windows_[w].close(spare_);
    }
  }
  /// Σ 2^(c·w)·sum(w)
  [[nodiscard]] Jacobian combine() const {
    Jacobian total = Jacobian::infinity();
    for (std::size_t w = sums_.size(); w-- > 0;) {
      for (unsigned i = 0; i < plan_.window_bits; ++i) total = total.doubled();
      total += sums_[w];
    }
    return total;
  }

 private:
  /// With more threads than windows each window's buckets are shared out.
  void stream(const StoredPoints<Curve>& points, const PreparedScalars& prepared, std::size_t from,
              std::size_t to) {
    const std::size_t parts = (executor_.threads() + to - from - 1) / (to - from);
    for (std::size_t i = 0; i < to - from; ++i) sorted_[i].left.resize(parts);
    executor_.for_each((to - from) * parts, [&](std::size_t task) {
      const std::size_t i = task / parts;
      const std::size_t part = task % parts;
      workspaces_.with([&](Workspace<Curve>& workspace) {
        windows_[from + i].stream(prepared, points, {part, parts}, workspace,
                                  sorted_[i].left[part]);
      });
    });
  }
  void end_chunk(std::size_t w, bool last) {
    workspaces_.with([&](Workspace<Curve>& workspace) {
      windows_[w].merge(workspace);
      if (last) sums_[w] = windows_[w].finish(workspace);
    });
  }
  void sum_blocks(const StoredPoints<Curve>& points, std::size_t from, std::size_t to) {
    struct Task {
      std::size_t window;
      std::size_t block;
    };
    std::vector<Task> tasks;
    for (std::size_t w = from; w < to; ++w) {
      for (std::size_t block = 0; block < sorted_[w - from].blocks(); ++block) {
        tasks.push_back({w, block});
      }
    }
    executor_.for_each(tasks.size(), [&](std::size_t i) {
      workspaces_.with([&](Workspace<Curve>& workspace) {
        windows_[tasks[i].window].sum_block(tasks[i].block, sorted_[tasks[i].window - from], points,
                                            workspace);
      });
    });
  }

  core::DigitPlan plan_;
  const Executor& executor_;
  WorkspacePool<Curve> workspaces_;
  std::vector<Window<Curve>> windows_;
  std::vector<SortedEntries> sorted_;  ///< of the windows in work
  std::vector<AlignedBytes> spare_;    ///< memory of buckets
  std::vector<Jacobian> sums_;
};

/// Limb k goes to to[k·stride].
void store_scalar(const core::Scalar& scalar, std::uint64_t* to, std::size_t stride) noexcept {
  for (std::size_t k = 0; k < scalar.size(); ++k) to[k * stride] = scalar[k];
}

template <class Curve>
Result<typename Curve::Jacobian> multiply_windowed(const PointKernels<Curve>& kernels,
                                                   const Fetch& fetch, std::span<const Fr> scalars,
                                                   const Executor& executor, unsigned window_bits) {
  const core::DigitPlan plan = core::DigitPlan::of(window_bits);
  const std::size_t capacity = std::min(chunk_points(executor.threads()), scalars.size());
  StoredPoints<Curve> points(kernels, capacity);
  AlignedBytes memory(capacity * sizeof(core::Scalar));
  auto* const limbs = reinterpret_cast<std::uint64_t*>(memory.data());
  Windows<Curve> windows(kernels, plan, executor);
  for (std::size_t at = 0; at < scalars.size(); at += capacity) {
    const std::size_t n = std::min(capacity, scalars.size() - at);
    BELFRY_CHECK(points.fill(fetch, at, n, executor));
    constexpr std::size_t kGrain = 4096;
    executor.parallel_for(n, kGrain, [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i)
        store_scalar(core::prepare_scalar(scalars[at + i], plan), limbs + i, capacity);
    });
    windows.add_chunk(points, {limbs, capacity, n}, at + n == scalars.size());
  }
  return windows.combine();
}

/// Pippenger with XYZZ buckets on one thread: no inversions, for lengths where these would weigh.
template <class Curve>
Result<typename Curve::Jacobian> multiply_few(const PointKernels<Curve>& kernels,
                                              const Fetch& fetch, std::span<const Fr> scalars) {
  using Jacobian = typename Curve::Jacobian;
  using Xyzz = typename Curve::Xyzz;
  const std::size_t n = scalars.size();
  AlignedBytes stored(n * kernels.stride);
  BELFRY_CHECK(fetch(0, n, stored.data()));
  std::vector<typename Curve::Affine> points(n);
  kernels.load(stored.data(), n, points.data());
  const core::DigitPlan plan = core::DigitPlan::of(cheapest_window(n));
  std::vector<core::Scalar> prepared(n);
  for (std::size_t i = 0; i < n; ++i) prepared[i] = core::prepare_scalar(scalars[i], plan);
  Jacobian total = Jacobian::infinity();
  for (unsigned w = plan.windows; w-- > 0;) {
    std::vector<Xyzz> buckets(std::size_t{plan.max_digit(w)} + 1);
    for (std::size_t i = 0; i < n; ++i) {
      const std::int32_t digit = core::digit(prepared[i], plan, w);
      if (digit > 0) buckets[static_cast<std::size_t>(digit)] += points[i];
      if (digit < 0) buckets[static_cast<std::size_t>(-digit)] += -points[i];
    }
    for (unsigned i = 0; i < plan.window_bits; ++i) total = total.doubled();
    Xyzz running = Xyzz::infinity();
    Xyzz sum = Xyzz::infinity();
    for (std::size_t key = buckets.size(); key-- > 1;) {
      running += buckets[key];
      sum += running;
    }
    total += sum.to_jacobian();
  }
  return total;
}

template <class Curve>
Result<typename Curve::Jacobian> multiply_fetched(const PointKernels<Curve>& kernels,
                                                  const Fetch& fetch, std::span<const Fr> scalars,
                                                  const Executor& executor,
                                                  const Options& options) {
  if (scalars.empty()) return Curve::Jacobian::infinity();
  if (options.window_bits > kMaxWindowBits) {
    return fail(ErrorCode::kInvalidUsage, "msm.multiply", "the window has more than 20 bits");
  }
  if (options.window_bits == 0 && scalars.size() < kFewPoints) {
    return multiply_few(kernels, fetch, scalars);
  }
  const unsigned bits =
      options.window_bits != 0 ? options.window_bits : cheapest_window(scalars.size());
  return multiply_windowed(kernels, fetch, scalars, executor, bits);
}

}  // namespace

template <class Curve>
Result<typename Curve::Jacobian> multiply(const PointSource<Curve>& source,
                                          std::span<const Fr> scalars, const Executor& executor,
                                          const Options& options) {
  BELFRY_CHECK(expect_length("msm.multiply", source.size(), scalars.size()));
  const auto& kernels = point_kernels<Curve>(options.isa);
  return multiply_fetched(kernels, fetch_all(kernels, source), scalars, executor, options);
}

template <class Curve>
Result<typename Curve::Jacobian> multiply_gathered(const PointSource<Curve>& source,
                                                   std::span<const std::uint32_t> indices,
                                                   std::span<const Fr> scalars,
                                                   const Executor& executor,
                                                   const Options& options) {
  BELFRY_CHECK(expect_length("msm.multiply_gathered", indices.size(), scalars.size()));
  const auto largest = std::max_element(indices.begin(), indices.end());
  if (largest != indices.end() && *largest >= source.size()) {
    return fail(invalid("msm.multiply_gathered", "an index is beyond the last point")
                    .but("below " + std::to_string(source.size()), std::to_string(*largest)));
  }
  const auto& kernels = point_kernels<Curve>(options.isa);
  return multiply_fetched(kernels, fetch_indexed(kernels, source, indices), scalars, executor,
                          options);
}

template <class Curve>
Result<typename Curve::Jacobian> multiply_reference(const PointSource<Curve>& source,
                                                    std::span<const Fr> scalars) {
  using Jacobian = typename Curve::Jacobian;
  BELFRY_CHECK(expect_length("msm.multiply_reference", source.size(), scalars.size()));
  Jacobian total = Jacobian::infinity();
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    std::array<typename Curve::Affine, 1> point;
    BELFRY_CHECK(source.read(i, point));
    const Fr::Limbs scalar = scalars[i].to_canonical();
    Jacobian product = Jacobian::infinity();
    for (std::size_t bit = 64 * scalar.size(); bit-- > 0;) {
      product = product.doubled();
      if (((scalar[bit / 64] >> (bit % 64)) & 1) != 0) product += point[0];
    }
    total += product;
  }
  return total;
}

template Result<curve::G1Jacobian> multiply(const PointSource<curve::G1>&, std::span<const Fr>,
                                            const Executor&, const Options&);
template Result<curve::G2Jacobian> multiply(const PointSource<curve::G2>&, std::span<const Fr>,
                                            const Executor&, const Options&);
template Result<curve::G1Jacobian> multiply_gathered(const PointSource<curve::G1>&,
                                                     std::span<const std::uint32_t>,
                                                     std::span<const Fr>, const Executor&,
                                                     const Options&);
template Result<curve::G2Jacobian> multiply_gathered(const PointSource<curve::G2>&,
                                                     std::span<const std::uint32_t>,
                                                     std::span<const Fr>, const Executor&,
                                                     const Options&);
template Result<curve::G1Jacobian> multiply_reference(const PointSource<curve::G1>&,
                                                      std::span<const Fr>);
template Result<curve::G2Jacobian> multiply_reference(const PointSource<curve::G2>&,
                                                      std::span<const Fr>);

}  // namespace belfry::msm
