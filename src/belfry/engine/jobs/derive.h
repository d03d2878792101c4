#pragma once

#include <cstdint>

#include "belfry/base/error.h"
#include "belfry/engine/job_options.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/groth16/derived/derive.h"

namespace belfry::engine {

/// What became of a circuit's derived parameters.
struct DerivedReport {
  groth16::DeriveReport made;  ///< device and seconds are empty if they were there
  bool were_there = false;     ///< a whole file of these very parameters was found
};

/// What becomes of a whole file that is there. Its digests tell nothing of what it was made from.
enum class WholeFile : std::uint8_t { kKeep, kReplace };

/// Makes the derived parameters of a circuit's `.params` on the GPU, unless a whole file is there
/// that is to be kept: `NAME.derived` beside it, or in the cache if its folder can not be written
/// (groth16::derived_paths). A damaged file is replaced, which is logged and counted.
///
/// Points that are made from bad ones look like any others, so the `.params` file is checked first
/// (check_parameter_file; a good verdict of the cache spares the points, not the digest). Minutes
/// at 32 GiB.
///
/// @return errors of open_parameters, load_shape, check_parameter_file and
///         groth16::derive_parameters; kResourceExhausted, with needed and allowed bytes, if the
///         memory budget is too small (before the check); kBackendFailed without a GPU
[[nodiscard]] Result<DerivedReport> derive_parameters(const filecoin::Circuit& circuit,
                                                      const JobOptions& options,
                                                      WholeFile whole = WholeFile::kKeep);

}  // namespace belfry::engine
