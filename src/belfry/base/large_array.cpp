#include "belfry/base/large_array.h"

#include <sys/mman.h>

#include <string>

namespace belfry {

Result<LargePages> LargePages::allocate(std::size_t bytes) {
  if (bytes == 0) return LargePages();
  void* data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) {
    return fail(ErrorCode::kResourceExhausted, "base.large_array",
                "can not allocate " + std::to_string(bytes) + " bytes");
  }
  // Advice: a kernel that has no huge pages ignores it.
  (void)::madvise(data, bytes, MADV_HUGEPAGE);
  return LargePages({static_cast<std::byte*>(data), bytes});
}

LargePages::~LargePages() {
  if (!bytes_.empty()) (void)::munmap(bytes_.data(), bytes_.size());
}

}  // namespace belfry
