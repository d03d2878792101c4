#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "belfry/base/error.h"

namespace belfry::gpu {

/// What is known of a card before anything runs on it.
struct DeviceInfo {
  int ordinal = 0;  ///< among the devices that this process may see
  std::string name;
  std::string uuid;  ///< "GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", stable across restarts
  unsigned multiprocessors = 0;
  unsigned compute_major = 0;
  unsigned compute_minor = 0;
  std::uint64_t total_bytes = 0;
  std::uint64_t free_bytes = 0;  ///< when asked: other processes count
};

/// The usable devices. kNotFound on a machine without a driver; kBackendFailed, with the driver's
/// reason, where there is one and no device can be used.
[[nodiscard]] Result<std::vector<DeviceInfo>> list_devices();

/// Makes `ordinal` the device of the calling thread. Once per device worker, at its start.
[[nodiscard]] Result<void> use_device(int ordinal);

}  // namespace belfry::gpu
