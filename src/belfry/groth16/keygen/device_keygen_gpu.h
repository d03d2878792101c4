#pragma once

#include "belfry/base/error.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/device.h"
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

/// Makes the points of test parameters in their place on the device, as the basis of `shape` wants
/// them: those that make_test_parameters writes, without a file. Returns the key.
///
/// The polynomials at tau are computed on the host, some blocks at a time (memory: 5 GB, or that of
/// one block), the multiples of the generators on the device. Errors of make_test_parameters,
/// except for those of files, and kResourceExhausted. Waits. Throws gpu::CudaError.
[[nodiscard]] Result<VerifyingKey> make_device_points(const PreparedShape& shape,
                                                      const TestTrapdoor& trapdoor,
                                                      const DevicePoints& points,
                                                      const DevicePlaceView& place,
                                                      const WorkView& work);

}  // namespace belfry::groth16
