#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/base/executor.h"

namespace belfry {

/// Runs body(i), a Result<void>, for every i in [0, n) as Executor::for_each does. The error of the
/// smallest i that failed, whichever worker was first; the others run all the same.
template <class Body>
[[nodiscard]] Result<void> try_for_each(const Executor& executor, std::size_t n, Body&& body) {
  std::vector<Result<void>> results(n);
  executor.for_each(n, [&](std::size_t i) { results[i] = body(i); });
  for (Result<void>& result : results) BELFRY_CHECK(std::move(result));
  return {};
}

}  // namespace belfry
