#pragma once

#include <functional>

#include "belfry/base/error.h"
#include "belfry/curve/g1.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/device.h"
#include "belfry/gpu/device_span.h"
#include "belfry/gpu/staged_upload.h"
#include "belfry/gpu/stream.h"
#include "belfry/groth16/keygen/keygen.h"
#include "belfry/groth16/params/verifying_key.h"
#include "belfry/groth16/prove/device_prover_gpu.h"
#include "belfry/groth16/work.h"

namespace belfry::groth16 {

/// Where points are made.
struct DevicePlaceView {
  const gpu::DeviceInfo& device;
  gpu::Arena& arena;  ///< lends about 6 GB while points are made
  gpu::StagedUpload& upload;
  gpu::StreamRef stream;
};

/// Takes from `arena` what making points takes beside them, and gives it back: for a plan.
[[nodiscard]] Result<void> take_device_keygen(const gpu::DeviceInfo& device, gpu::Arena& arena);

/// Makes the points of test parameters in their place on the device, as the basis of `shape` wants
/// them: those that make_test_parameters writes, without a file. Returns the key. Without a place
/// for H (`points.h` is empty) none of H are made.
///
/// The polynomials at tau are computed on the host, some blocks at a time (memory: 5 GB, or that of
/// one block), the multiples of the generators on the device. Errors of make_test_parameters,
/// except for those of files, and kResourceExhausted. Waits. Throws gpu::CudaError.
[[nodiscard]] Result<VerifyingKey> make_device_points(const PreparedShape& shape,
                                                      const TestTrapdoor& trapdoor,
                                                      const DevicePoints& points,
                                                      const DevicePlaceView& place,
                                                      const WorkView& work);

/// Makes the points of H some millions at a time and hands them to `take`, in order; each time they
/// are its until it returns. Memory and errors as make_device_points, and those of `take`.
[[nodiscard]] Result<void> make_device_h(
    const PreparedShape& shape, const TestTrapdoor& trapdoor, const DevicePlaceView& place,
    const WorkView& work,
    const std::function<Result<void>(gpu::DeviceSpan<const curve::G1Affine>)>& take);

}  // namespace belfry::groth16
