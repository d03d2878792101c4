#include "belfry/cli/doctor_gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "belfry/cli/machine.h"
#include "belfry/config/size.h"
#include "belfry/groth16/prove/cuda_backend.h"

namespace belfry::cli {
namespace {

using engine::BackendPolicy;

/// Why proofs can not use the card that they would use; nothing if they can.
const Error* failure_of_first(const Devices& devices) {
  if (!devices) return &devices.error();
  const auto& failure = devices->front().failure;
  return failure ? &*failure : nullptr;
}

std::string describe(const gpu::DeviceInfo& device) {
  if (!device.failure) {
    return fmt::format("{}, {} free of {}", device.name,
                       config::approximate_size(device.free_bytes),
                       config::approximate_size(device.total_bytes));
  }
  return fmt::format("card {}{}{} fails: {}", device.ordinal, device.name.empty() ? "" : ", ",
                     device.name, device.failure->message);
}

/// All cards, and the driver.
std::string describe(const Devices& devices) {
  std::string text = devices ? "" : devices.error().message;
  if (devices) {
    for (const gpu::DeviceInfo& device : *devices) {
      text += (text.empty() ? "" : "; ") + describe(device);
    }
  }
  const auto version = nvidia_driver();
  return version ? text + ", driver " + *version : text;
}

/// What it means that no card can prove.
void judge_failure(const Error& failure, BackendPolicy policy, Check& check) {
  if (policy == BackendPolicy::kCuda) {
    check.status = Status::kFailed;
    check.hint = "Use --backend cpu or auto";
  } else if (policy == BackendPolicy::kAuto && failure.code != ErrorCode::kNotFound) {
    check.status = Status::kWarning;
    check.hint = "See whether nvidia-smi finds the card, and whether the driver is recent enough";
  }
}

}  // namespace

std::string_view to_string(Status status) {
  switch (status) {
    case Status::kOk:
      return "ok";
    case Status::kWarning:
      return "warning";
    case Status::kFailed:
      return "failed";
  }
  return "failed";
}

Check check_gpu(const config::Settings& settings, const Devices& devices) {
  Check check{.name = "gpu", .detail = describe(devices)};
  if (const Error* const failure = failure_of_first(devices)) {
    check.detail += ": proofs run on the CPU";
    judge_failure(*failure, settings.backend, check);
  } else if (settings.backend == BackendPolicy::kCpu) {
    check.detail += "; not used with --backend cpu";
  } else if (settings.vram_budget_bytes >
             groth16::usable_device_bytes(devices->front().free_bytes)) {
    check.status = Status::kFailed;
    check.hint = "Lower --vram-budget, or end what else uses the card";
  } else if (std::ranges::any_of(
                 *devices, [](const gpu::DeviceInfo& card) { return card.failure.has_value(); })) {
    check.status = Status::kWarning;
    check.hint = "Proofs run on the first card; see in nvidia-smi what the others lack";
  }
  return check;
}

bool wants_gpu(BackendPolicy policy, const Devices& devices) {
  if (policy == BackendPolicy::kCpu) return false;
  return policy == BackendPolicy::kCuda || failure_of_first(devices) == nullptr;
}

}  // namespace belfry::cli
