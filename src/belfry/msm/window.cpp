#include "belfry/msm/window.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "belfry/msm/weighted_sum.h"

namespace belfry::msm {
namespace {

/// Entries from ... to - 1 as references, and the runs of equal keys among them.
template <class Curve>
void collect_runs(const SortedEntries& sorted, std::size_t from, std::size_t to,
                  const StoredPoints<Curve>& points, Workspace<Curve>& workspace) {
  workspace.refs.clear();
  workspace.runs.clear();
  workspace.keys.clear();
  for (std::size_t i = from; i < to; ++i) {
    workspace.refs.push_back(points.ref(sorted.entries[i] / 2, sorted.entries[i] % 2 != 0));
  }
  auto next = std::upper_bound(sorted.starts.begin(), sorted.starts.end(), from);
  for (std::size_t at = from; at < to;) {
    while (*next <= at) ++next;
    const std::size_t end = std::min<std::size_t>(*next, to);
    workspace.keys.push_back(static_cast<std::uint32_t>(next - sorted.starts.begin() - 1));
    workspace.runs.push_back({at - from, end - at});
    at = end;
  }
}

}  // namespace

template <class Curve>
Window<Curve>::Window(const PointKernels<Curve>& kernels, const core::DigitPlan& plan,
                      unsigned index)
    : kernels_(kernels), plan_(plan), index_(index) {
  states_.resize(plan.max_digit(index), BucketState::kEmpty);
}

template <class Curve>
void Window<Curve>::open(std::vector<AlignedBytes>& spare) {
  if (buckets_.data() != nullptr) return;
  const std::size_t bytes = states_.size() * kernels_.stride;
  if (!spare.empty() && spare.back().size() >= bytes) {
    buckets_ = std::move(spare.back());
    spare.pop_back();
  } else {
    buckets_ = AlignedBytes(bytes);
  }
}

template <class Curve>
void Window<Curve>::stream(const PreparedScalars& prepared, const StoredPoints<Curve>& points,
                           Part part, Workspace<Curve>& workspace,
                           std::vector<std::uint32_t>& left) {
  constexpr std::size_t kBlock = 512;
  const std::size_t from = states_.size() * part.index / part.count;
  const std::size_t to = states_.size() * (part.index + 1) / part.count;
  const bool few = to - from < BucketStream<Curve>::kLeastBuckets;
  left.clear();
  BucketStream<Curve> stream(kernels_, points, {buckets_.data(), states_}, workspace.stream,
                             workspace.tree, left);
  std::array<BucketEntry, kBlock> block;
  for (std::size_t at = 0; at < prepared.count; at += kBlock) {
    std::size_t count = 0;
    for (std::size_t i = at; i < std::min(at + kBlock, prepared.count); ++i) {
      const std::int32_t digit = prepared.digit(i, plan_, index_);
      const auto key = static_cast<std::uint32_t>(std::abs(digit));
      block[count] = {key, static_cast<std::uint32_t>(2 * i + (digit < 0 ? 1U : 0U))};
      // A zero is not in any part; there is no branch here, since digits can not be foretold.
      count += static_cast<std::size_t>(std::size_t{key} - 1 - from < to - from);
    }
    const std::span entries = std::span(block).first(count);
    if (few) {
      for (const BucketEntry entry : entries) left.push_back(entry.entry);
    } else {
      stream.add(entries);
    }
  }
  stream.finish(from, to);
}

template <class Curve>
void Window<Curve>::sort(const PreparedScalars& prepared, SortedEntries& sorted) {
  const std::size_t keys = states_.size() + 1;
  auto& [left, entries, starts, next] = sorted;
  const auto key_of = [&](std::uint32_t entry) {
    return static_cast<std::size_t>(std::abs(prepared.digit(entry / 2, plan_, index_)));
  };
  // starts[key + 1] counts first, then becomes the place where the entries of key + 1 begin.
  starts.assign(keys + 1, 0);
  for (const auto& part : left) {
    for (const std::uint32_t entry : part) ++starts[key_of(entry) + 1];
  }
  for (std::size_t key = 1; key <= keys; ++key) starts[key] += starts[key - 1];
  entries.resize(starts[keys]);
  next.assign(starts.begin(), starts.end() - 1);
  for (const auto& part : left) {
    for (const std::uint32_t entry : part) entries[next[key_of(entry)]++] = entry;
  }
  partial_points_ = AlignedBytes(2 * sorted.blocks() * kernels_.stride);
  partials_.assign(2 * sorted.blocks(), {});
}

template <class Curve>
void Window<Curve>::deposit(std::uint32_t key, PointRef sum, Workspace<Curve>& workspace) {
  if (states_[key - 1] == BucketState::kEmpty) {
    states_[key - 1] = BucketState::kFilled;
    kernels_.copy(sum, bucket(key));
    return;
  }
  workspace.deposits.push_back({point_ref(bucket(key)), sum, bucket(key)});
}

template <class Curve>
void Window<Curve>::keep_partial(std::size_t place, std::uint32_t key, PointRef sum) {
  kernels_.copy(sum, partial_points_.data() + place * kernels_.stride);
  partials_[place] = {true, key};
}

template <class Curve>
void Window<Curve>::sum_block(std::size_t block, const SortedEntries& sorted,
                              const StoredPoints<Curve>& points, Workspace<Curve>& workspace) {
  const std::size_t from = block * kBlockEntries;
  const std::size_t to = std::min(sorted.entries.size(), from + kBlockEntries);
  collect_runs(sorted, from, to, points, workspace);
  workspace.tree.reduce(workspace.refs, workspace.runs);
  workspace.deposits.clear();
  for (std::size_t i = 0; i < workspace.keys.size(); ++i) {
    const std::uint32_t key = workspace.keys[i];
    const PointRef sum = workspace.refs[workspace.runs[i].begin];
    if (sorted.starts[key] < from) {
      keep_partial(2 * block, key, sum);
    } else if (sorted.starts[key + 1] > to) {
      keep_partial(2 * block + 1, key, sum);
    } else {
      deposit(key, sum, workspace);
    }
  }
  workspace.tree.add(workspace.deposits);
}

template <class Curve>
void Window<Curve>::merge(Workspace<Curve>& workspace) {
  for (std::size_t at = 0; at < partials_.size(); at += kBlockEntries) {
    merge_partials(at, std::min(partials_.size(), at + kBlockEntries), workspace);
  }
  partials_ = {};
  partial_points_ = {};
}

template <class Curve>
void Window<Curve>::merge_partials(std::size_t from, std::size_t to, Workspace<Curve>& workspace) {
  workspace.refs.clear();
  workspace.runs.clear();
  workspace.keys.clear();
  // Partials of one key are neighbours, because blocks follow each other.
  for (std::size_t i = from; i < to; ++i) {
    if (!partials_[i].used) continue;
    if (workspace.keys.empty() || workspace.keys.back() != partials_[i].key) {
      workspace.keys.push_back(partials_[i].key);
      workspace.runs.push_back({workspace.refs.size(), 0});
    }
    ++workspace.runs.back().count;
    workspace.refs.push_back(point_ref(partial_points_.data() + i * kernels_.stride));
  }
  workspace.tree.reduce(workspace.refs, workspace.runs);
  workspace.deposits.clear();
  for (std::size_t i = 0; i < workspace.keys.size(); ++i) {
    deposit(workspace.keys[i], workspace.refs[workspace.runs[i].begin], workspace);
  }
  workspace.tree.add(workspace.deposits);
}

template <class Curve>
typename Curve::Jacobian Window<Curve>::finish(Workspace<Curve>& workspace) {
  std::vector<WeightedPoint> points;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (states_[i] == BucketState::kEmpty) continue;
    const auto weight = static_cast<std::uint32_t>(i + 1);
    points.push_back({weight, point_ref(bucket(weight))});
  }
  return weighted_sum(kernels_, points, workspace);
}

template class Window<curve::G1>;
template class Window<curve::G2>;

}  // namespace belfry::msm
