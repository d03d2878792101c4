#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "belfry/base/error.h"
#include "belfry/curve/g1.h"
#include "belfry/curve/g2.h"
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

/// Where made points go that are not to stay on the device: host memory, section by section.
struct HostPlaces {
  std::span<curve::G1Affine> h;
  std::span<curve::G1Affine> l;
  std::span<curve::G1Affine> a;
  std::span<curve::G1Affine> b_g1;
  std::span<curve::G2Affine> b_g2;
};

/// Where points are when they are made.
enum class MadeIn : std::uint8_t {
  kDevice,
  kHost,  ///< some millions at a time are on the device, on their way
};

/// Takes from `arena` what making points takes beside those that stay there, and gives it back: for
/// a plan.
[[nodiscard]] Result<void> take_device_keygen(const gpu::DeviceInfo& device, gpu::Arena& arena,
                                              MadeIn made_in = MadeIn::kDevice);

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

/// The same, with points that go to the host: the device needs what take_device_keygen says and no
/// more, whatever the circuit.
[[nodiscard]] Result<VerifyingKey> make_host_points(const PreparedShape& shape,
                                                    const TestTrapdoor& trapdoor,
                                                    const HostPlaces& points,
                                                    const DevicePlaceView& place,
                                                    const WorkView& work);

/// Makes the points of H some millions at a time and hands them to `take`, in order; each time they
/// are its until it returns. Memory and errors as make_device_points, and those of `take`.
[[nodiscard]] Result<void> make_device_h(
    const PreparedShape& shape, const TestTrapdoor& trapdoor, const DevicePlaceView& place,
    const WorkView& work,
    const std::function<Result<void>(gpu::DeviceSpan<const curve::G1Affine>)>& take);

}  // namespace belfry::groth16
