#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/groth16/prove/cuda_backend.h"
#include "belfry/groth16/work.h"
#include "belfry/r1cs/shape.h"

namespace belfry::groth16 {

/// What one kernel, or a few that belong together, took on a device: the best of several runs.
struct KernelTime {
  std::string name;
  double items = 0;
  std::string unit;  ///< of an item
  double seconds = 0;
  double floor_seconds = 0;  ///< if the multiplier pipe, or the memory, never waited
};

/// Measures what proofs are made of on a CUDA device: products in Fp and Fr, transforms and
/// quotients of 2^log_size rows, sums of 2^log_size points of G1 and (2^(log_size − 2)) of G2 with
/// full scalars and by ten masks, A·w and B·w of `shape`. Sums are compared with what they must be.
///
/// @return kBackendFailed for a sum that is wrong; kInvalidInput for a size that is not 10 to 27;
///         otherwise as make_cuda_backend
[[nodiscard]] Result<std::vector<KernelTime>> time_kernels(const CudaOptions& options,
                                                           unsigned log_size, unsigned runs,
                                                           const r1cs::Shape& shape,
                                                           const WorkView& work);

}  // namespace belfry::groth16
