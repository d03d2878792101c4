#include "belfry/gpu/device.h"
#include "belfry/groth16/derived/derive.h"
#include "belfry/groth16/keygen/device_setup.h"
#include "belfry/groth16/prove/cuda_backend.h"
#include "belfry/groth16/prove/device_trial.h"
#include "belfry/groth16/prove/kernel_trial.h"

// The whole of the CUDA backend in a build without CUDA.
namespace belfry::groth16 {

Result<std::vector<gpu::DeviceInfo>> cuda_devices() { return gpu::list_devices(); }

Result<std::unique_ptr<Backend>> make_cuda_backend(const CudaOptions& /*options*/,
                                                   const Executor& /*executor*/) {
  return fail(gpu::list_devices().error());
}

Result<std::unique_ptr<DeviceTrial>> make_device_trial(const TrialOptions& /*options*/,
                                                       const r1cs::Shape& /*shape*/,
                                                       const TestTrapdoor& /*trapdoor*/,
                                                       const WorkView& /*work*/) {
  return fail(gpu::list_devices().error());
}

Result<LoadTimes> time_derived_load(const std::filesystem::path& /*path*/,
                                    const r1cs::Shape& /*shape*/, const TrialOptions& /*options*/,
                                    const WorkView& /*work*/) {
  return fail(gpu::list_devices().error());
}

Result<std::vector<KernelTime>> time_kernels(const CudaOptions& /*options*/, unsigned /*log_size*/,
                                             unsigned /*runs*/, const r1cs::Shape& /*shape*/,
                                             const WorkView& /*work*/) {
  return fail(gpu::list_devices().error());
}

Result<DeriveReport> derive_parameters(const Parameters& /*parameters*/,
                                       const r1cs::Shape& /*shape*/,
                                       const std::filesystem::path& /*target*/,
                                       const CudaOptions& /*options*/, const WorkView& /*work*/) {
  return fail(gpu::list_devices().error());
}

Result<void> check_device_setup(const r1cs::Shape& /*shape*/, const CudaOptions& /*options*/) {
  return fail(gpu::list_devices().error());
}

Result<SetupReport> make_test_parameters_on_device(const r1cs::Shape& /*shape*/,
                                                   const TestTrapdoor& /*trapdoor*/,
                                                   const std::filesystem::path& /*directory*/,
                                                   const std::string& /*stem*/,
                                                   const CudaOptions& /*options*/,
                                                   const WorkView& /*work*/) {
  return fail(gpu::list_devices().error());
}

}  // namespace belfry::groth16
