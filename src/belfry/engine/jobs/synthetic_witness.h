#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/engine/job_options.h"
#include "belfry/engine/jobs/proof_job.h"
#include "belfry/field/fr.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/filecoin/prepared_partition.h"
#include "belfry/r1cs/packed_witness.h"

namespace belfry::engine {

/// Witnesses that satisfy a circuit, of sectors that never were, and what a verifier knows of them.
struct SyntheticWitnesses {
  std::vector<r1cs::PackedWitness> values;
  std::vector<std::vector<Fr>> public_inputs;  ///< without ONE
};

/// How many proofs of a circuit belong together: the partitions of a PoRep. A PoSt has one; more of
/// a WindowPoSt are the partitions of a larger deadline.
[[nodiscard]] unsigned usual_partitions(const filecoin::Circuit& circuit);

/// kNotFound for a circuit that has no SyntheticSector: SnapDeals, whose challenges depend on all
/// of the replica. For whoever has other work before.
[[nodiscard]] Result<void> require_synthetic(const filecoin::Circuit& circuit);

/// The first partitions of a sector, or of a deadline, that follows from nothing but the circuit:
/// its vanilla proofs, from which witnesses are made as often as one likes. For measurements and
/// tests. Thread-safe.
class SyntheticSector {
 public:
  /// Errors of require_synthetic. A WinningPoSt has one partition. Cost at 32 GiB: about a second.
  [[nodiscard]] static Result<SyntheticSector> create(const filecoin::Circuit& circuit,
                                                      unsigned partitions,
                                                      const JobOptions& options);

  [[nodiscard]] unsigned partitions() const noexcept { return partitions_; }
  /// All claims checked, as proofs do it.
  ///
  /// @param layout  of the circuit's shape
  ///
  /// kCancelled between partitions. Memory: 84 MB a partition of a 32 GiB PoRep, 4.1 GB one of a 32
  /// GiB WindowPoSt. Parallel.
  [[nodiscard]] Result<SyntheticWitnesses> witnesses(const r1cs::WitnessLayout& layout,
                                                     const JobOptions& options) const;
  /// The proof of its partitions as a job makes it, verified; errors as run_proof_job.
  [[nodiscard]] Result<VerifiedProof> prove(const JobOptions& options) const;

 private:
  using Prepare = std::function<Result<filecoin::PreparedPartition>(
      const r1cs::WitnessLayout& layout, std::uint32_t partition, const Executor& executor)>;

  [[nodiscard]] static SyntheticSector of_porep(const filecoin::Circuit& circuit,
                                                unsigned partitions, const Executor& executor);
  [[nodiscard]] static SyntheticSector of_post(const filecoin::Circuit& circuit,
                                               unsigned partitions, const Executor& executor);
  SyntheticSector(const filecoin::Circuit& circuit, unsigned partitions, Prepare prepare)
      : circuit_(circuit), partitions_(partitions), prepare_(std::move(prepare)) {}

  filecoin::Circuit circuit_;
  unsigned partitions_;
  Prepare prepare_;
};

}  // namespace belfry::engine
