#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "belfry/base/error.h"

namespace belfry {

/// A question that long work asks between its stages: shall I go on? Copies share one answer.
///
/// A token made by itself never asks to stop. Thread-safe; asking costs one relaxed load.
class CancelToken {
 public:
  CancelToken() = default;

  [[nodiscard]] bool cancelled() const noexcept {
    return flag_ != nullptr && flag_->load(std::memory_order_relaxed);
  }
  /// kCancelled once somebody asked to stop; `stage` says where the work ended.
  [[nodiscard]] Result<void> check(std::string stage) const {
    if (!cancelled()) return {};
    return fail(ErrorCode::kCancelled, std::move(stage), "the work was cancelled");
  }

 private:
  friend class CancelSource;
  explicit CancelToken(std::shared_ptr<const std::atomic<bool>> flag) : flag_(std::move(flag)) {}
  std::shared_ptr<const std::atomic<bool>> flag_;
};

/// The side that asks to stop. `cancel` may be called from any thread and from a signal handler.
class CancelSource {
 public:
  CancelSource() : flag_(std::make_shared<std::atomic<bool>>(false)) {}

  void cancel() noexcept { flag_->store(true, std::memory_order_relaxed); }
  [[nodiscard]] CancelToken token() const { return CancelToken(flag_); }

 private:
  std::shared_ptr<std::atomic<bool>> flag_;
};

}  // namespace belfry
