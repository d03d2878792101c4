#include "belfry/engine/backend_policy.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "belfry/engine/metrics.h"
#include "belfry/gpu/device.h"
#include "belfry/groth16/prove/cpu_backend.h"
#include "belfry/groth16/prove/cuda_backend.h"

namespace belfry::engine {
namespace {

constexpr std::array kPolicies{BackendPolicy::kAuto, BackendPolicy::kCpu, BackendPolicy::kCuda};

}  // namespace

std::string_view to_string(BackendPolicy policy) noexcept {
  switch (policy) {
    case BackendPolicy::kAuto:
      return "auto";
    case BackendPolicy::kCpu:
      return "cpu";
    case BackendPolicy::kCuda:
      return "cuda";
  }
  return "auto";
}

Result<BackendPolicy> parse_backend_policy(std::string_view text) {
  for (const BackendPolicy policy : kPolicies) {
    if (to_string(policy) == text) return policy;
  }
  return fail(Error{ErrorCode::kInvalidUsage, "engine.backend", "no such backend"}.but(
      "auto, cpu or cuda", std::string(text)));
}

Result<std::unique_ptr<groth16::Backend>> choose_backend(BackendPolicy policy,
                                                         const Executor& executor,
                                                         trace::Tracer* tracer,
                                                         std::uint64_t vram_budget_bytes,
                                                         const std::filesystem::path& cache_dir) {
  if (policy == BackendPolicy::kCpu) return groth16::make_cpu_backend(executor);
  auto cuda = groth16::make_cuda_backend(
      {.vram_budget_bytes = vram_budget_bytes, .cache_dir = cache_dir}, executor);
  if (cuda) return cuda;
  if (policy == BackendPolicy::kCuda) return fail(refusal_of_cuda(std::move(cuda).error()));
  report_fallback(cuda.error(), tracer);
  return groth16::make_cpu_backend(executor);
}

Error refusal_of_cuda(Error error, std::string_view hint) {
  if (error.code == ErrorCode::kNotFound) error.code = ErrorCode::kBackendFailed;
  if (error.hint.empty()) error.hint = hint;
  return error;
}

Result<void> require_card(std::string_view hint) {
  auto card = gpu::open_device(groth16::CudaOptions{}.ordinal);
  if (!card) return fail(refusal_of_cuda(std::move(card).error(), hint));
  return {};
}

void report_fallback(const Error& reason, trace::Tracer* tracer, std::string_view what) {
  // No card, or a build without CUDA, is what such a machine is; a card that can not is a loss.
  const auto level =
      reason.code == ErrorCode::kNotFound ? trace::Level::kInfo : trace::Level::kWarning;
  trace::write_log(tracer, "engine", level, what, {{"reason", reason.describe()}});
  trace::count(tracer, kBackendFallbacks, 1, to_string(reason.code));
}

}  // namespace belfry::engine
