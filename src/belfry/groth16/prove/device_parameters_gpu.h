#pragma once

#include <cstdint>

#include "belfry/base/error.h"
#include "belfry/curve/g1.h"
#include "belfry/curve/g2.h"
#include "belfry/gpu/device_span.h"
#include "belfry/gpu/staged_upload.h"
#include "belfry/gpu/stream.h"
#include "belfry/groth16/prove/host_points.h"

namespace belfry::groth16 {

/// Brings points of the host to a device. Encoded ones are copied and decoded in place, each
/// checked to be a finite point of the curve as SectionSource does; the first bad point of each
/// section has its number on the device until `check`.
///
/// Waits for room in the staging buffers. Throws gpu::CudaError. What it was made from outlives it.
class PointLoader {
 public:
  /// @param first_bad  (sections) words on the device, for the loader alone
  PointLoader(const HostPoints& points, gpu::StagedUpload& upload,
              gpu::DeviceSpan<std::uint64_t> first_bad, gpu::StreamRef stream);

  /// Points [first, first + to.size()) of a section, which is of `Curve`.
  template <class Curve>
  void load(Section section, std::uint64_t first, gpu::DeviceSpan<typename Curve::Affine> to);
  /// Waits. kInvalidInput with file, section, index and offset of the first bad point of the first
  /// bad section.
  [[nodiscard]] Result<void> check() const;

  [[nodiscard]] gpu::StreamRef stream() const noexcept { return stream_; }

 private:
  HostPoints points_;
  gpu::StagedUpload& upload_;
  gpu::DeviceSpan<std::uint64_t> first_bad_;
  gpu::StreamRef stream_;
};

}  // namespace belfry::groth16
