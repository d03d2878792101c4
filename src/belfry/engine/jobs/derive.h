#pragma once

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

/// Makes the derived parameters of a circuit's `.params` on the GPU, unless a good file is there:
/// `NAME.derived` beside it, or in the cache if its folder can not be written. A damaged file is
/// replaced, which is logged and counted. Minutes at 32 GiB.
///
/// @return errors of open_parameters, load_shape and groth16::derive_parameters; kBackendFailed
///         without a GPU
[[nodiscard]] Result<DerivedReport> derive_parameters(const filecoin::Circuit& circuit,
                                                      const JobOptions& options);

}  // namespace belfry::engine
