#include "belfry/gpu/arena.h"

#include <string>

namespace belfry::gpu {

Error Arena::exhausted(std::uint64_t needed, std::string_view what) const {
  return Error{ErrorCode::kResourceExhausted, "gpu.arena",
               "the device memory plan does not hold " + std::string(what)}
      .but("at most " + std::to_string(bytes_) + " bytes", std::to_string(needed) + " bytes");
}

}  // namespace belfry::gpu
