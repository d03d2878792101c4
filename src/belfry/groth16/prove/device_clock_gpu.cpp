#include "belfry/groth16/prove/device_clock_gpu.h"

#include <algorithm>

namespace belfry::groth16 {

void DeviceClock::record(gpu::StreamRef stream) {
  if (used_ == events_.size()) events_.emplace_back(gpu::Event::Timing::kOn);
  events_[used_++].record(stream);
}

void DeviceClock::start(gpu::StreamRef stream) {
  used_ = 0;
  names_.clear();
  record(stream);
}

void DeviceClock::mark(std::string_view name, gpu::StreamRef stream) {
  names_.push_back(name);
  record(stream);
}

std::vector<StageTime> DeviceClock::times() const {
  constexpr double kMillisecond = 1e-3;
  std::vector<StageTime> out;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    auto stage = std::find_if(out.begin(), out.end(),
                              [&](const StageTime& time) { return time.name == names_[i]; });
    if (stage == out.end()) stage = out.insert(out.end(), StageTime{std::string(names_[i])});
    stage->seconds += events_[i + 1].milliseconds_since(events_[i]) * kMillisecond;
    ++stage->runs;
  }
  return out;
}

}  // namespace belfry::groth16
