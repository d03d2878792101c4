#pragma once

#include <cstdint>
#include <string>

#include "belfry/base/error.h"
#include "belfry/engine/job_options.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/groth16/prove/cuda_backend.h"
#include "belfry/groth16/prove/prover_options.h"

namespace belfry::engine {

struct InterlockChoice {
  unsigned proofs = 4;      ///< in a row
  unsigned partitions = 0;  ///< of each, at most 10; 0: usual_partitions of the circuit
  groth16::CudaOptions cuda;
};

/// What two proofs in flight bring. Seconds of one proof, means of all.
struct InterlockReport {
  std::string device;
  unsigned proofs = 0;
  unsigned partitions = 0;
  // One after the other:
  double witness_seconds = 0;  ///< checks and witnesses, on the CPU
  double upload_seconds = 0;   ///< until the host may forget the witnesses
  double prove_seconds = 0;    ///< on the device, blinding included
  double alone_seconds = 0;    ///< wall time: all three
  // While the device proves one, the next is made and uploaded:
  double interlocked_seconds = 0;  ///< wall time
  /// What both sides worked at the same time: their spans, less the wall time.
  double overlap_seconds = 0;
  std::uint64_t peak_device_bytes = 0;  ///< of the arena's ranges
  std::uint64_t device_used_bytes = 0;  ///< DeviceTrial::device_used_bytes

  /// Of the work that could have been hidden behind the other side's, the smaller of the two, how
  /// much was: 1 is perfect.
  [[nodiscard]] double hidden_share() const noexcept;
};

/// kResourceExhausted, with both numbers, unless a lane holds all partitions of a proof.
[[nodiscard]] Result<void> check_one_pass(const groth16::DeviceProverOptions& options,
                                          unsigned partitions);

/// Proves a synthetic sector several times in a row, first one after the other, then with two
/// proofs in flight: a second thread checks claims, makes witnesses and brings them to the lane
/// that is free (DeviceProver::upload) while this one proves. Every proof is verified.
/// kBackendFailed if one is not valid; otherwise errors of check_one_pass and try_on_device.
[[nodiscard]] Result<InterlockReport> interlock_on_device(const filecoin::Circuit& circuit,
                                                          const InterlockChoice& choice,
                                                          const JobOptions& options);

}  // namespace belfry::engine
