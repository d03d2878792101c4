#include "belfry/base/random.h"

#include <sys/random.h>

#include <cerrno>
#include <system_error>

namespace belfry {

Result<void> fill_random(std::span<std::uint8_t> out) {
  while (!out.empty()) {
    const ssize_t n = ::getrandom(out.data(), out.size(), 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      return fail(ErrorCode::kInternal, "base.random",
                  "getrandom failed: " + std::generic_category().message(errno));
    }
    out = out.subspan(static_cast<std::size_t>(n));
  }
  return {};
}

}  // namespace belfry
