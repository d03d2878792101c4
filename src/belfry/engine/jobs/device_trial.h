#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/engine/job_options.h"
#include "belfry/field/fr.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/groth16/proof.h"
#include "belfry/groth16/prove/device_trial.h"

namespace belfry::engine {

/// Most partitions of a trial: what shares a pass on a device.
inline constexpr unsigned kMostTrialPartitions = 10;

/// What a trial needs and a machine may lack.
inline constexpr std::string_view kHintOfTrials =
    "This needs a usable NVIDIA card and a build of preset cuda";

/// What a trial proves, and how often.
struct DeviceTrialChoice {
  unsigned partitions = 0;  ///< the first of them, at most 10; 0: usual_partitions of the circuit
  unsigned runs = 1;        ///< of the proof; the best counts
  groth16::CudaOptions cuda;
  groth16::QuotientBasis basis = groth16::QuotientBasis::kDomain;
  /// Where nothing stands yet: the points are written there as derived parameters (basis kDomain),
  /// loading them is timed, and the file is removed, also after a failure. Empty: nothing of that.
  std::filesystem::path scratch_file{};
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
  std::uint64_t peak_device_bytes = 0;  ///< of the arena's ranges: the plan's when all is well
  std::uint64_t device_used_bytes = 0;  ///< DeviceTrial::device_used_bytes, the most of all runs
  std::uint64_t peak_host_bytes = 0;
  groth16::DeviceProverOptions memory;     ///< how the prover lay on the device
  std::optional<groth16::LoadTimes> load;  ///< of the derived file, the best of two times
};

/// Proofs of synthetic sectors with test parameters that are made in the memory of a CUDA device:
/// full-size measurements of any circuit without a parameter file. Every proof of every run is
/// verified on the CPU; kBackendFailed if one is not valid. kInvalidUsage, before any work, for a
/// scratch file where something stands, or with points of another basis. Errors of
/// require_synthetic and require_card, before any work too. Otherwise those of make_device_trial.
[[nodiscard]] Result<DeviceTrialReport> try_on_device(const filecoin::Circuit& circuit,
                                                      const DeviceTrialChoice& choice,
                                                      const JobOptions& options);

/// Whether the CPU agrees with what a device proved: kBackendFailed, of the stage, if a proof, as
/// its bytes are read, does not verify. `public_inputs` has one list a proof.
[[nodiscard]] Result<void> verify_trial(const groth16::VerifyingKey& trial_key,
                                        std::span<const groth16::Proof> proofs,
                                        std::span<const std::vector<Fr>> public_inputs,
                                        const JobOptions& options, const char* stage);

}  // namespace belfry::engine
