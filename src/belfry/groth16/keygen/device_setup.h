#pragma once

#include <filesystem>
#include <string>

#include "belfry/base/error.h"
#include "belfry/groth16/keygen/keygen.h"
#include "belfry/groth16/prove/cuda_backend.h"
#include "belfry/groth16/work.h"
#include "belfry/r1cs/shape.h"

namespace belfry::groth16 {

/// Whether a card can make test parameters of a shape: it holds all points but those of H at once,
/// beside 6 GB of scratch (PoRep 32 GiB: 39 GB).
///
/// @return kNotFound without a usable device (or in a build without CUDA, which it says);
///         kResourceExhausted, with needed and allowed bytes, if the card or the budget is too
///         small
[[nodiscard]] Result<void> check_device_setup(const r1cs::Shape& shape, const CudaOptions& options);

/// make_test_parameters with points that a card makes: the same files, byte for byte. The
/// polynomials at tau are evaluated on the host, some blocks at a time (at most 5 GB, or one
/// block), their multiples made on the card and downloaded in small tiles.
///
/// Errors of check_device_setup and make_test_parameters, and kDeviceLost or kBackendFailed if the
/// card fails. Bound by the digests of the file, 0.6 GB/s.
[[nodiscard]] Result<SetupReport> make_test_parameters_on_device(
    const r1cs::Shape& shape, const TestTrapdoor& trapdoor, const std::filesystem::path& directory,
    const std::string& stem, const CudaOptions& options, const WorkView& work);

}  // namespace belfry::groth16
