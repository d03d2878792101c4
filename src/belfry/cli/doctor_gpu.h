#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/config/settings.h"
#include "belfry/engine/backend_policy.h"
#include "belfry/gpu/device.h"

namespace belfry::cli {

enum class Status : unsigned char { kOk, kWarning, kFailed };

[[nodiscard]] std::string_view to_string(Status status);

/// One finding of `belfry doctor`.
struct Check {
  std::string name;
  Status status = Status::kOk;
  std::string detail{};
  std::string hint{};  ///< what to do; empty where nothing has to be done
};

/// What groth16::cuda_devices answered.
using Devices = Result<std::vector<gpu::DeviceInfo>>;

/// The cards: which there are, which of them fail, and whether the first, which proves, can do what
/// the settings ask of it.
[[nodiscard]] Check check_gpu(const config::Settings& settings, const Devices& devices);

/// Whether the next proofs may run on a GPU.
[[nodiscard]] bool wants_gpu(engine::BackendPolicy policy, const Devices& devices);

}  // namespace belfry::cli
