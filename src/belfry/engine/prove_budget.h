#pragma once

#include <cstddef>
#include <cstdint>

#include "belfry/base/error.h"
#include "belfry/engine/job_options.h"
#include "belfry/groth16/prove/backend.h"
#include "belfry/r1cs/packed_witness.h"
#include "belfry/r1cs/shape.h"

namespace belfry::engine {

/// Bytes that the witnesses of a batch hold from the first witness to the last proof:
/// partitions · (32·(inputs + fields) + 8·words). Equals PackedWitness::memory_bytes, summed.
[[nodiscard]] std::uint64_t witness_bytes(const r1cs::WitnessLayout& layout,
                                          std::size_t partitions) noexcept;

/// What a backend may use for a batch while the witnesses of all its partitions are held:
/// the asked budget, or, without one, what is left of the machine's, less `witness_bytes`.
///
/// Asked before the witnesses are made, so that a request that can not be served costs nothing.
///
/// @return kResourceExhausted, with needed and allowed bytes (witnesses included on both sides),
///         when no plan of the backend fits; otherwise a budget with which `Backend::plan` succeeds
///
/// Costs a file read. Thread-safe.
[[nodiscard]] Result<std::uint64_t> prove_budget(const groth16::Backend& backend,
                                                 const r1cs::Shape& shape, std::size_t partitions,
                                                 const JobOptions& options);

}  // namespace belfry::engine
