#pragma once

#include <cstdint>

#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/field/fr.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/device.h"
#include "belfry/gpu/device_span.h"
#include "belfry/gpu/stream.h"
#include "belfry/msm/batch_add_gpu.h"
#include "belfry/msm/fixed_base_core.h"

namespace belfry::msm {

/// Many multiples of one point on the device: 15 affine additions each, in batches
/// (fixed_base_core.h). For test parameters. `Curve` is curve::G1 or curve::G2.
///
/// Queues work and returns; throws gpu::CudaError. One stream at a time.
template <class Curve>
class DeviceFixedBase {
 public:
  using Affine = typename Curve::Affine;

  /// Takes table, sums and scratch from `arena` (2 GB for G1 and chunks of 2^23) and leaves them as
  /// they are: for a plan, on an arena without memory.
  ///
  /// @param chunk  most scalars of a call, below 2^30
  [[nodiscard]] static Result<DeviceFixedBase> take(std::uint32_t chunk,
                                                    const gpu::DeviceInfo& device,
                                                    gpu::Arena& arena);
  /// The same, and makes the table on the host (half a million multiples) and queues its upload;
  /// waits for it.
  [[nodiscard]] static Result<DeviceFixedBase> create(const Affine& base, std::uint32_t chunk,
                                                      const gpu::DeviceInfo& device,
                                                      gpu::Arena& arena, const Executor& executor,
                                                      gpu::StreamRef stream);

  [[nodiscard]] std::uint32_t chunk() const noexcept {
    return static_cast<std::uint32_t>(pairs_.size());
  }
  /// out[i] = scalars[i]·base, at most chunk() of them; zero gives infinity.
  void multiply_async(gpu::DeviceSpan<const Fr> scalars, gpu::DeviceSpan<Affine> out,
                      gpu::StreamRef stream) const;

 private:
  explicit DeviceFixedBase(const BatchAdder<Curve>& adder) : adder_(adder) {}

  core::FixedBaseLayout layout_ = core::FixedBaseLayout::usual();
  BatchAdder<Curve> adder_;
  gpu::DeviceSpan<Affine> points_;          // (infinity, table, sums)
  gpu::DeviceSpan<core::PointPair> pairs_;  // (chunk)
  gpu::DeviceSpan<std::uint32_t> count_;    // (1)
};

}  // namespace belfry::msm
