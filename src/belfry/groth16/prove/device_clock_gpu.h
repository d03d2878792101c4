#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "belfry/gpu/stream.h"

namespace belfry::groth16 {

/// What one kind of stage took in all.
struct StageTime {
  std::string name;
  double seconds = 0;
  unsigned runs = 0;
};

/// Measures stages on a stream by events between them. Events are kept and used again, so after the
/// first proof of a size nothing is created. Throws gpu::CudaError.
class DeviceClock {
 public:
  /// Forgets all marks and makes the first.
  void start(gpu::StreamRef stream);
  /// Everything queued since the last mark was the stage `name`, which outlives the clock's use.
  void mark(std::string_view name, gpu::StreamRef stream);
  /// Seconds by stage, in the order of first appearance. All marks have been reached.
  [[nodiscard]] std::vector<StageTime> times() const;

 private:
  void record(gpu::StreamRef stream);

  std::vector<gpu::Event> events_;
  std::vector<std::string_view> names_;  // of the stage that ends at event i + 1
  std::size_t used_ = 0;
};

}  // namespace belfry::groth16
