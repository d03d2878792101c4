#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/groth16/keygen/keygen.h"
#include "belfry/groth16/params/verifying_key.h"
#include "belfry/groth16/prove/backend.h"
#include "belfry/groth16/prove/cuda_backend.h"
#include "belfry/groth16/prove/prove.h"
#include "belfry/groth16/prove/prover_options.h"
#include "belfry/groth16/prove/query_tail.h"
#include "belfry/groth16/work.h"

namespace belfry::groth16 {

/// What a stage of a trial did.
struct TrialStage {
  std::string name;
  double seconds = 0;  ///< on the device, all runs together
  unsigned runs = 0;
  double floor_seconds = 0;  ///< of all runs, if the multiplier pipe never waited; 0: not known
};

/// How a trial of a device prover is set up.
struct TrialOptions {
  CudaOptions cuda;
  unsigned partitions = 1;  ///< 1 to 10, one pass
  QuotientBasis basis = QuotientBasis::kDomain;
  unsigned lanes = 1;  ///< 2: the witnesses of a second proof have room beside those of the first
};

/// A device prover with test parameters that were made in its memory (under a budget that does not
/// hold them: made there some millions at a time and kept by the host): for measuring proofs of any
/// size without a parameter file. Not thread-safe.
class DeviceTrial {
 public:
  DeviceTrial() = default;
  DeviceTrial(const DeviceTrial&) = delete;
  DeviceTrial& operator=(const DeviceTrial&) = delete;
  virtual ~DeviceTrial() = default;

  [[nodiscard]] virtual const VerifyingKey& key() const noexcept = 0;
  [[nodiscard]] virtual std::string device() const = 0;
  /// Stages and the memory that they use.
  [[nodiscard]] virtual const Plan& plan() const noexcept = 0;
  /// Most bytes of the arena that were lent at once: its own bookkeeping, the plan's when all is
  /// well.
  [[nodiscard]] virtual std::uint64_t peak_bytes() const noexcept = 0;
  /// What the driver says has gone of the card's free memory since before the trial's first
  /// allocation, its context aside: the most of when the prover's memory was taken, when it was set
  /// up, and now. The one allocation counts whole (with all points in place the plan, or what
  /// making them takes if that is more), and so does what other processes took since. Errors of
  /// the device.
  [[nodiscard]] virtual Result<std::uint64_t> device_used_bytes() = 0;
  [[nodiscard]] virtual double setup_seconds() const noexcept = 0;

  /// The heavy half of proofs, one a witness.
  [[nodiscard]] virtual Result<PendingProofs> prove(
      std::span<const r1cs::PackedWitness> witnesses) = 0;
  /// The same in two halves (DeviceProver::upload and prove_lane), of at most `partitions`
  /// witnesses: `upload` may run on one thread while `prove_lane` works on another lane on a
  /// second.
  [[nodiscard]] virtual Result<void> upload(unsigned lane,
                                            std::span<const r1cs::PackedWitness> witnesses) = 0;
  [[nodiscard]] virtual Result<PendingProofs> prove_lane(unsigned lane) = 0;
  /// What the stages of the last call took.
  [[nodiscard]] virtual std::vector<TrialStage> stages() const = 0;

  /// How it lies in the device's memory.
  [[nodiscard]] virtual const DeviceProverOptions& options() const noexcept = 0;
  /// Writes the points as a file of derived parameters (basis kDomain), of no parameters. Waits.
  [[nodiscard]] virtual Result<void> save(const std::filesystem::path& path) = 0;
};

/// What it takes to have a file's points ready on a device.
struct LoadTimes {
  std::uint64_t bytes = 0;
  Residency residency = Residency::kAll;
  double check_seconds = 0;  ///< digests of all points
  double take_seconds = 0;   ///< device memory, shape and tables
  double load_seconds = 0;   ///< points to the device

  [[nodiscard]] double seconds() const noexcept {
    return check_seconds + take_seconds + load_seconds;
  }
};

/// Loads a file of derived parameters as a backend does, checked whole, and forgets it.
/// kInvalidUsage for another basis than kDomain, that of such files; errors of make_cuda_backend
/// and DerivedParameters.
[[nodiscard]] Result<LoadTimes> time_derived_load(const std::filesystem::path& path,
                                                  const r1cs::Shape& shape,
                                                  const TrialOptions& options,
                                                  const WorkView& work);

/// Errors of make_cuda_backend and make_test_parameters. The referents of `work` outlive the trial.
[[nodiscard]] Result<std::unique_ptr<DeviceTrial>> make_device_trial(const TrialOptions& options,
                                                                     const r1cs::Shape& shape,
                                                                     const TestTrapdoor& trapdoor,
                                                                     const WorkView& work);

}  // namespace belfry::groth16
