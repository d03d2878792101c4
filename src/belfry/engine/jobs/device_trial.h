#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/engine/job_options.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/groth16/prove/device_trial.h"

namespace belfry::engine {

/// What a trial proves, and how often.
struct DeviceTrialChoice {
  unsigned partitions = 0;  ///< the first of them; 0: all of the circuit's, at most 10
  unsigned runs = 1;        ///< of the proof; the best counts
  groth16::CudaOptions cuda;
  groth16::QuotientBasis basis = groth16::QuotientBasis::kDomain;
};

/// What it took.
struct DeviceTrialReport {
  std::string device;
  unsigned partitions = 0;
  double witness_seconds = 0;  ///< of all partitions, on the CPU
  double setup_seconds = 0;    ///< test parameters in the device's memory
  double prove_seconds = 0;    ///< witnesses ready to blinded proofs, parameters resident
  double verify_seconds = 0;   ///< all proofs, on the CPU
  std::vector<groth16::TrialStage> stages;  ///< of the best run
  groth16::Plan plan;
  std::uint64_t peak_device_bytes = 0;  ///< measured; the plan's device_bytes() when all is well
  std::uint64_t peak_host_bytes = 0;
};

/// Proofs of a synthetic sector with test parameters that are made in the memory of a CUDA device:
/// full-size measurements without a parameter file. Every proof of every run is verified on the
/// CPU; kBackendFailed if one is not valid. Otherwise errors of make_device_trial.
[[nodiscard]] Result<DeviceTrialReport> try_porep_on_device(const filecoin::PorepConfig& config,
                                                            const DeviceTrialChoice& choice,
                                                            const JobOptions& options);

}  // namespace belfry::engine
