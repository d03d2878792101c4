#pragma once

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

 private:
  trace::Log log_{trace::Level::kOff, trace::LogFormat::kText};
  trace::Registry metrics_{trace::kTraceMetrics, groth16::kGroth16Metrics, kEngineMetrics};
  trace::Tracer tracer_{log_, metrics_};
};

}  // namespace belfry::engine::test
