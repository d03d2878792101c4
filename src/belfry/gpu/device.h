#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "belfry/base/error.h"

namespace belfry::gpu {

/// What is known of a card before anything runs on it.
struct DeviceInfo {
  int ordinal = 0;  ///< among the devices that this process may see
  std::string name{};
  std::string uuid{};  ///< "GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", stable across restarts
  unsigned multiprocessors = 0;
  unsigned compute_major = 0;
  unsigned compute_minor = 0;
  std::uint64_t total_bytes = 0;
  std::uint64_t free_bytes = 0;  ///< when asked: other processes count
  /// Set by list_devices alone: why this card can not be used. The ordinal holds then, and whatever
  /// was learnt before the failure.
  std::optional<Error> failure{};
};

/// Every device of this process, those that fail among them with their failure. kNotFound on a
/// machine without a driver; kBackendFailed, with the driver's reason, where there is one and no
/// device at all.
///
/// For reports: to ask a card for its free memory makes a context on it, which costs some hundred
/// megabytes there until this process ends, and takes a card in exclusive mode from all others.
[[nodiscard]] Result<std::vector<DeviceInfo>> list_devices();

/// Makes device `ordinal` that of the calling thread and describes it; no other card is touched.
/// Errors of list_devices; kNotFound, with the range, without such a device.
[[nodiscard]] Result<DeviceInfo> open_device(int ordinal);

/// Makes `ordinal` the device of the calling thread. Once per device worker, at its start.
[[nodiscard]] Result<void> use_device(int ordinal);

}  // namespace belfry::gpu
