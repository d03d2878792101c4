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

/// Bytes of memory that a job may take beside mapped files: what was asked for, else what other
/// processes leave of machine and groups at this moment (base::available_memory_bytes).
[[nodiscard]] std::uint64_t allowed_memory_bytes(const JobOptions& options);

/// How the partitions of a proof are cut into batches, and what a backend may use for one of them.
struct ProveBudget {
  std::size_t partitions = 0;       ///< of a batch; the last may have fewer
  std::uint64_t backend_bytes = 0;  ///< beside the witnesses of the batch
};

/// The largest equal batches for which the witnesses, which are held from the first to the last
/// proof of a batch, and a plan of the backend fit into the asked budget, or, without one, into
/// what is left of the machine's memory.
///
/// @param parameters  what will be proved with, if that is known: Backend::plan_with
///
/// Asked before the witnesses are made, so that a request that can not be served costs nothing.
///
/// @return kResourceExhausted, with needed and allowed bytes (witness included on both sides), when
///         not even one partition fits; otherwise budgets with which `Backend::plan` succeeds
///
/// Costs a file read and a plan, without memory for all at once some more. Thread-safe.
[[nodiscard]] Result<ProveBudget> prove_budget(const groth16::Backend& backend,
                                               const r1cs::Shape& shape, std::size_t partitions,
                                               const JobOptions& options,
                                               const groth16::Parameters* parameters = nullptr);

}  // namespace belfry::engine
