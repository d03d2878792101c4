#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "belfry/gpu/stream.h"

namespace belfry::bench {

/// Median milliseconds, by events, of what `work` queues on the stream, called `repeats` times.
template <class Work>
double median_ms(const gpu::Stream& stream, std::size_t repeats, const Work& work) {
  std::vector<double> times;
  for (std::size_t i = 0; i < repeats; ++i) {
    gpu::Event begin(gpu::Event::Timing::kOn);
    gpu::Event end(gpu::Event::Timing::kOn);
    begin.record(stream);
    work();
    end.record(stream);
    end.synchronize();
    times.push_back(end.milliseconds_since(begin));
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

}  // namespace belfry::bench
