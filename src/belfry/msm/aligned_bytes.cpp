#include "belfry/msm/aligned_bytes.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace belfry::msm {
namespace {

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kHugePage = std::size_t{1} << 21;

}  // namespace

AlignedBytes::AlignedBytes(std::size_t size) : size_(size) {
  const std::size_t alignment = size >= kHugePage ? kHugePage : kCacheLine;
  const std::size_t rounded =
      (std::max<std::size_t>(size, 1) + alignment - 1) / alignment * alignment;
  auto* const bytes = static_cast<std::byte*>(::operator new(rounded, std::align_val_t{alignment}));
  bytes_ = std::unique_ptr<std::byte, AlignedRelease>(bytes, AlignedRelease{alignment});
  // A refusal changes nothing but speed.
  if (alignment == kHugePage) static_cast<void>(madvise(bytes, rounded, MADV_HUGEPAGE));
}

void AlignedRelease::operator()(std::byte* bytes) const noexcept {
  ::operator delete(bytes, std::align_val_t{alignment});
}

}  // namespace belfry::msm
