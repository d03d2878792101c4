#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "belfry/msm/bucket_stream.h"
#include "belfry/msm/kernels.h"
#include "belfry/msm/pair_tree.h"

namespace belfry::msm {

/// Entries of a sorted window that one task sums up. With fewer, inversions and cold
/// first batches weigh more; with more, small sums keep fewer threads busy.
inline constexpr std::size_t kBlockEntries = 65536;

/// What one task needs at a time; made once a thread (see WorkspacePool).
template <class Curve>
struct Workspace {
  explicit Workspace(const PointKernels<Curve>& kernels) : tree(kernels, kBlockEntries) {}

  PairTree<Curve> tree;
  std::vector<PointRef> refs;
  std::vector<Run> runs;
  std::vector<std::uint32_t> keys;  ///< of the runs
  std::vector<PairSum> deposits;
  StreamBuffers stream;
};

/// Lends workspaces to tasks: as many exist as tasks ever ran at once. Thread-safe.
template <class Curve>
class WorkspacePool {
 public:
  explicit WorkspacePool(const PointKernels<Curve>& kernels) : kernels_(kernels) {}

  /// Runs body(workspace) on this thread.
  template <class Body>
  void with(const Body& body) {
    std::unique_ptr<Workspace<Curve>> workspace = take();
    body(*workspace);
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(workspace));
  }

 private:
  std::unique_ptr<Workspace<Curve>> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        auto workspace = std::move(free_.back());
        free_.pop_back();
        return workspace;
      }
    }
    return std::make_unique<Workspace<Curve>>(kernels_);
  }

  const PointKernels<Curve>& kernels_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace<Curve>>> free_;  // guarded by mutex_
};

}  // namespace belfry::msm
