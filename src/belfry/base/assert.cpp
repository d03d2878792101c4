#include "belfry/base/assert.h"

#include <unistd.h>

#include <cstdlib>
#include <source_location>
#include <string>

namespace belfry::detail {

void assertion_failed(const char* condition, const char* meaning,
                      std::source_location where) noexcept {
  const std::string text = std::string("belfry: broken invariant: ") + meaning + " (" + condition +
                           ") at " + where.file_name() + ":" + std::to_string(where.line()) + "\n";
  (void)!write(STDERR_FILENO, text.data(), text.size());
  std::abort();
}

}  // namespace belfry::detail
