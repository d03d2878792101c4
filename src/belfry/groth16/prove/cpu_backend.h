#pragma once

#include <memory>

#include "belfry/base/executor.h"
#include "belfry/groth16/prove/backend.h"

namespace belfry::groth16 {

/// The backend that is always there. The executor outlives it.
[[nodiscard]] std::unique_ptr<Backend> make_cpu_backend(const Executor& executor);

}  // namespace belfry::groth16
