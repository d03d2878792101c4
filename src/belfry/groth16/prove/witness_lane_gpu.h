#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/staged_upload.h"
#include "belfry/gpu/stream.h"
#include "belfry/groth16/prove/tiled_sums_gpu.h"
#include "belfry/r1cs/device_shape_gpu.h"
#include "belfry/r1cs/multiply_gpu.h"
#include "belfry/r1cs/packed_witness.h"

namespace belfry::groth16 {

/// Room on the device for the witnesses of one pass, and their way there: a stream of its own, so
/// that copies run beside the sums of another pass.
///
/// One thread at a time; two lanes may be used by two threads. Throws gpu::CudaError.
class WitnessLane {
 public:
  /// Takes the room; makes the stream if there is memory behind the arena.
  [[nodiscard]] static Result<WitnessLane> take(const r1cs::DeviceShape& rows, unsigned masks,
                                                gpu::Arena& arena, ArenaUse use);

  /// Copies witnesses, at most as many as there is room for, through `staging`. Returns when the
  /// host has read them. Whatever read the lane before is done. kInvalidUsage for too many, none,
  /// or those of another shape.
  [[nodiscard]] Result<void> upload(const r1cs::DeviceShape& rows,
                                    std::span<const r1cs::PackedWitness> witnesses,
                                    gpu::StagedUpload& staging);
  /// Work queued on `stream` from now on finds the witnesses in place.
  void order_before(gpu::StreamRef stream) const { way_->arrived.order_before(stream); }

  /// After a failure: waits for copies that are on their way.
  void drain() const noexcept;

  /// Those of the last upload.
  [[nodiscard]] std::span<const r1cs::DeviceWitness> witnesses() const noexcept {
    return std::span(places_).first(count_);
  }

 private:
  struct Way {
    gpu::Stream stream;
    gpu::Event arrived;
  };

  std::vector<r1cs::DeviceWitness> places_;  // (masks)
  std::size_t count_ = 0;
  std::unique_ptr<Way> way_;  // none in a plan
};

}  // namespace belfry::groth16
