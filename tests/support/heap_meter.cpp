#include "support/heap_meter.h"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

// NOLINTBEGIN(cppcoreguidelines-owning-memory): these functions are what owners are made of
namespace {

// operator new has no other place to count in.
// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<std::size_t> live_bytes;
std::atomic<std::size_t> peak_bytes;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

void* counted(void* memory) {
  if (memory == nullptr) return nullptr;
  const std::size_t live = live_bytes += malloc_usable_size(memory);
  std::size_t peak = peak_bytes;
  while (live > peak && !peak_bytes.compare_exchange_weak(peak, live)) {
  }
  return memory;
}

void* counted_or_throw(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return counted(memory);
}

void release(void* memory) noexcept {
  if (memory != nullptr) live_bytes -= malloc_usable_size(memory);
  std::free(memory);
}

void* aligned(std::size_t size, std::align_val_t alignment) noexcept {
  const auto bytes = static_cast<std::size_t>(alignment);
  return std::aligned_alloc(bytes, (std::max<std::size_t>(size, 1) + bytes - 1) / bytes * bytes);
}

}  // namespace

// All forms: those of a sanitizer's library would not call these.
void* operator new(std::size_t size) { return counted_or_throw(std::malloc(size)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted_or_throw(aligned(size, alignment));
}
void* operator new[](std::size_t size) { return counted_or_throw(std::malloc(size)); }
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return counted_or_throw(aligned(size, alignment));
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return counted(aligned(size, alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return counted(aligned(size, alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return counted(std::malloc(size));
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return counted(std::malloc(size));
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { release(memory); }
// NOLINTEND(cppcoreguidelines-owning-memory)

namespace belfry::test {

HeapMeter::HeapMeter() noexcept : before_(live_bytes) { peak_bytes = before_; }

std::size_t HeapMeter::peak() const noexcept { return peak_bytes - before_; }

}  // namespace belfry::test
