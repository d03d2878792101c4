#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "belfry/base/error.h"
#include "belfry/groth16/params/params.h"
#include "belfry/groth16/prove/cuda_backend.h"
#include "belfry/groth16/work.h"
#include "belfry/r1cs/shape.h"

namespace belfry::groth16 {

/// What making derived parameters took.
struct DeriveReport {
  std::filesystem::path file;
  std::uint64_t bytes = 0;
  std::string device{};
  double seconds = 0;
  double transform_seconds = 0;  ///< of them, both transforms of the group
  double check_seconds = 0;      ///< likewise, check_derived_points
};

/// Points that move at once while parameters are derived.
inline constexpr std::uint64_t kDeriveTile = std::uint64_t{1} << 20;

/// The most host memory that derive_parameters holds beside the mapped files: matrix C by columns,
/// and either the points of L and of slots or a tile of points of G2, and two buffers of the
/// upload; or what the check takes.
[[nodiscard]] std::uint64_t derive_host_bytes(const r1cs::Shape& shape);

/// Makes derived parameters (derived_file.h) on a CUDA device: the points of H become those of the
/// quotient's values on the domain, by a transform of the group, and what matrix C adds moves from
/// a second one into L; the other sections are decoded. Two transforms of the domain's size: about
/// thirteen minutes for 2^27 rows on an H200 (docs/perf/gpu_proof.md).
///
/// The points lie in the group of order r (check_points). Checks what it wrote
/// (check_derived_points) before the file gets its name: until then no other process sees it.
///
/// @return errors of make_cuda_backend; kInvalidInput for parameters that do not fit the shape or
///         hold a bad point, with file, section and index; kResourceExhausted, with needed and free
///         bytes (96 a row and less than 3 GB beside them); kBackendFailed if the check finds that
///         the device was wrong; kCancelled
[[nodiscard]] Result<DeriveReport> derive_parameters(const Parameters& parameters,
                                                     const r1cs::Shape& shape,
                                                     const std::filesystem::path& target,
                                                     const CudaOptions& options,
                                                     const WorkView& work);

}  // namespace belfry::groth16
