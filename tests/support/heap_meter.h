#pragma once

#include <cstddef>

namespace belfry::test {

/// Counts what `new` takes while it lives: the most bytes that existed at a time beyond those that
/// were there when it was made. A program that links heap_meter.cpp has its own operator new, which
/// counts; one meter at a time.
class HeapMeter {
 public:
  HeapMeter() noexcept;
  [[nodiscard]] std::size_t peak() const noexcept;

 private:
  std::size_t before_;
};

/// The peak of a call.
template <class Body>
std::size_t heap_peak_of(const Body& body) {
  const HeapMeter meter;
  body();
  return meter.peak();
}

}  // namespace belfry::test
