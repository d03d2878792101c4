#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/groth16/prove/backend.h"
#include "belfry/trace/span.h"

namespace belfry::engine {

/// Who may prove. There is no silent way from one to another.
enum class BackendPolicy : std::uint8_t {
  kAuto,  ///< the GPU where one is usable, else the CPU: a fallback is logged and counted
  kCpu,
  kCuda,  ///< the GPU or an error
};

/// "auto", "cpu", "cuda".
[[nodiscard]] std::string_view to_string(BackendPolicy policy) noexcept;
/// kInvalidUsage for any other word.
[[nodiscard]] Result<BackendPolicy> parse_backend_policy(std::string_view text);

/// The backend that a policy leads to in this build, on this machine.
///
/// kBackendFailed, with the reason and what to do, when `kCuda` can not be had; kResourceExhausted
/// if the card has less memory than `vram_budget_bytes` (0: what is free). Derived parameters are
/// looked for beside the file and in `cache_dir`. A fallback of `kAuto` is told by report_fallback.
/// The executor outlives the backend.
[[nodiscard]] Result<std::unique_ptr<groth16::Backend>> choose_backend(
    BackendPolicy policy, const Executor& executor, trace::Tracer* tracer,
    std::uint64_t vram_budget_bytes = 0, const std::filesystem::path& cache_dir = {});

/// What `kCuda` answers where `kAuto` would do without a card: kBackendFailed instead of kNotFound,
/// and what to do where the error does not say it.
[[nodiscard]] Error refusal_of_cuda(Error error,
                                    std::string_view hint = "Use --backend cpu or auto");

/// refusal_of_cuda if this build or machine has no card to work on. Touches no other card.
[[nodiscard]] Result<void> require_card(std::string_view hint);

/// Tells that policy `kAuto` goes on with the CPU, because the GPU can not for this reason: one log
/// line that says `what` is done there, a warning unless there is no GPU to be used (kNotFound),
/// and one count of `belfry_backend_fallbacks_total`.
void report_fallback(const Error& reason, trace::Tracer* tracer,
                     std::string_view what = "proving on the CPU");

}  // namespace belfry::engine
