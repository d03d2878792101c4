#pragma once

#include <memory>
#include <span>

#include "belfry/base/error.h"
#include "belfry/engine/job_options.h"
#include "belfry/engine/jobs/proof_job.h"
#include "belfry/groth16/params/params.h"
#include "belfry/groth16/prove/backend.h"
#include "belfry/groth16/prove/prove.h"
#include "belfry/r1cs/shape.h"

namespace belfry::engine {

/// What the partitions of a job are proved with. A view.
struct JobPartsView {
  const ProofJob& job;
  const groth16::Parameters& parameters;
  const r1cs::Shape& shape;
  std::span<const groth16::ProofRandomness> randomness;  ///< empty: drawn; else one a partition
};

/// Proves and verifies all partitions of a job with the backend that its policy led to, batch by
/// batch where memory does not hold all at once (prove_budget.h).
///
/// Under policy `kAuto` a device that can not do it does not end the job. If no plan fits the card,
/// or if it fails while it proves (its memory went to another process, a call failed, it is lost),
/// the CPU proves what is not proved yet, and report_fallback tells. So it does where derived
/// parameters are bad and the card has no room without them. A proof that does not verify without
/// them is no such failure: it is withheld.
///
/// @return proofs, backend (that of the last batch), device and seconds; errors of the job's
///         `prepare`, prove_budget and make_checked_proofs. If neither device nor CPU can do it,
///         the device's, with the CPU's in the hint
///
/// Waits; all threads of the executor work.
[[nodiscard]] Result<VerifiedProof> prove_partitions(std::unique_ptr<groth16::Backend> backend,
                                                     const JobPartsView& parts,
                                                     const JobOptions& options);

}  // namespace belfry::engine
