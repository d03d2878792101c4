#include "belfry/engine/backend_policy.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "belfry/engine/metrics.h"
#include "belfry/groth16/prove/cpu_backend.h"

namespace belfry::engine {
namespace {

constexpr std::array kPolicies{BackendPolicy::kAuto, BackendPolicy::kCpu, BackendPolicy::kCuda};
constexpr std::string_view kNoCuda = "this build has no CUDA backend";

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
                                                         trace::Tracer* tracer) {
  if (policy == BackendPolicy::kCuda) {
    return fail(Error{ErrorCode::kBackendFailed, "engine.backend", std::string(kNoCuda)}.with_hint(
        "Use --backend cpu or auto"));
  }
  if (policy == BackendPolicy::kAuto) {
    trace::write_log(tracer, "engine", trace::Level::kInfo, "proving on the CPU",
                     {{"reason", kNoCuda}});
    trace::count(tracer, kBackendFallbacks);
  }
  return groth16::make_cpu_backend(executor);
}

}  // namespace belfry::engine
