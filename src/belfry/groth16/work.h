#pragma once

#include "belfry/base/cancel.h"
#include "belfry/base/executor.h"
#include "belfry/trace/span.h"

namespace belfry::groth16 {

/// What long work gets from above: where to run, whom to tell, when to stop. A view: the referents
/// outlive the call. Stages ask `cancel` between each other (kCancelled).
struct WorkView {
  const Executor& executor;
  trace::Tracer* tracer = nullptr;  ///< null: nobody listens
  CancelToken cancel{};
};

}  // namespace belfry::groth16
