#pragma once

#include <cstdint>
#include <filesystem>

#include "belfry/base/cancel.h"
#include "belfry/base/executor.h"
#include "belfry/engine/backend_policy.h"
#include "belfry/groth16/work.h"
#include "belfry/trace/span.h"

namespace belfry::engine {

/// What every job gets from above. The executor and the tracer outlive the job.
struct JobOptions {
  std::filesystem::path params_dir;  ///< `.params` and `.vk` files by their usual names
  std::filesystem::path cache_dir;   ///< shapes and check verdicts; made when needed
  BackendPolicy backend = BackendPolicy::kAuto;
  std::uint64_t memory_budget_bytes = 0;  ///< beside mapped files; 0: what is to be had
  std::uint64_t vram_budget_bytes = 0;    ///< of a GPU; 0: what is free there
  std::filesystem::path srs_file{};       ///< of SnarkPack; empty: its usual name in params_dir
  const Executor& executor;
  trace::Tracer* tracer = nullptr;  ///< null: nobody listens
  CancelToken cancel{};

  [[nodiscard]] groth16::WorkView work() const { return {executor, tracer, cancel}; }
};

}  // namespace belfry::engine
