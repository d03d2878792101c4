#pragma once

#include <cstdint>
#include <functional>

#include "belfry/base/cancel.h"
#include "belfry/base/executor.h"

namespace belfry::filecoin {

/// What long work gets from its caller. A view: the executor outlives the call.
struct WorkView {
  const Executor& executor;
  CancelToken cancel{};
  /// Told the number of further nodes or records now and then, from any thread.
  std::function<void(std::uint64_t)> done = [](std::uint64_t) {};
};

}  // namespace belfry::filecoin
