#pragma once

#include <filesystem>

#include "belfry/base/error.h"
#include "belfry/engine/job_options.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/r1cs/shape.h"

namespace belfry::engine {

/// Synthesises the shape of a circuit. kNotFound for a family whose circuit this version lacks,
/// kCancelled at any time.
/// Costs seconds and up to 1 GiB for the largest circuits.
[[nodiscard]] Result<r1cs::Shape> extract_shape(const filecoin::Circuit& circuit,
                                                const JobOptions& options);

/// Where the cache keeps a circuit's shape: `<cache>/<name>.shape`.
[[nodiscard]] std::filesystem::path shape_path(const filecoin::Circuit& circuit,
                                               const JobOptions& options);

/// The shape of a circuit, mapped from the cache. A file that is damaged, outdated or of another
/// circuit is made anew, logged and counted (`belfry_shapes_replaced_total`), a missing one made;
/// if the cache can not be written, the shape stays in memory and a warning says so. kCancelled
/// while it is made, not while it is written and mapped. Thread-safe, also between processes: files
/// are replaced whole.
[[nodiscard]] Result<r1cs::Shape> load_shape(const filecoin::Circuit& circuit,
                                             const JobOptions& options);

}  // namespace belfry::engine
