#pragma once

#include <cstdint>
#include <string_view>

#include "belfry/engine/metrics.h"
#include "belfry/groth16/metrics.h"
#include "belfry/trace/span.h"

namespace belfry::engine::test {

/// A tracer that is silent and counts.
class Listener {
 public:
  [[nodiscard]] trace::Tracer* tracer() { return &tracer_; }
  /// The sum over all labels of a counter.
  [[nodiscard]] double counted(std::string_view metric) const {
    double sum = 0;
    for (const trace::MetricSample& sample : metrics_.snapshot()) {
      if (sample.spec.name == metric) sum += sample.value;
    }
    return sum;
  }
  /// How many spans of that name have ended.
  [[nodiscard]] std::uint64_t spans(std::string_view name) const {
    std::uint64_t count = 0;
    for (const trace::MetricSample& sample : metrics_.snapshot()) {
      if (sample.label_value == name) count += sample.count;
    }
    return count;
  }

 private:
  trace::Log log_{trace::Level::kOff, trace::LogFormat::kText};
  trace::Registry metrics_{trace::kTraceMetrics, groth16::kGroth16Metrics, kEngineMetrics};
  trace::Tracer tracer_{log_, metrics_};
};

}  // namespace belfry::engine::test
