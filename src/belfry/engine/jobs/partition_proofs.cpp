#include "belfry/engine/jobs/partition_proofs.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "belfry/engine/backend_policy.h"
#include "belfry/engine/jobs/checked_proofs.h"
#include "belfry/engine/prove_budget.h"
#include "belfry/field/fr.h"
#include "belfry/groth16/prove/cpu_backend.h"

namespace belfry::engine {
namespace {

/// Partitions [first, first + count).
struct PartitionRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// The witnesses and public inputs of a range of partitions, in order.
struct Prepared {
  std::vector<r1cs::PackedWitness> witnesses;
  std::vector<std::vector<Fr>> public_inputs;
  double seconds = 0;
};

Result<Prepared> prepare(const JobPartsView& parts, const PartitionRange& range,
                         const JobOptions& options) {
  trace::Span span(options.tracer, "engine.proof.witness");
  span.expect(range.count, "partitions");
  Prepared prepared;
  for (std::uint32_t k = range.first; k < range.first + range.count; ++k) {
    BELFRY_CHECK(options.cancel.check("engine.proof.witness"));
    BELFRY_TRY(auto partition, parts.job.prepare(parts.shape.layout(), k));
    prepared.witnesses.push_back(std::move(partition.witness));
    prepared.public_inputs.push_back(std::move(partition.public_inputs));
    span.advance(1);
  }
  prepared.seconds = span.stop();
  return prepared;
}

/// Prepares every partition and lets it go: finds what is wrong with the last one before the first
/// is proved. The seconds that it took.
Result<double> prepare_for_nothing(const JobPartsView& parts, const JobOptions& options) {
  double seconds = 0;
  for (std::uint32_t k = 0; k < parts.job.partitions; ++k) {
    BELFRY_TRY(const Prepared prepared, prepare(parts, {k, 1}, options));
    seconds += prepared.seconds;
  }
  return seconds;
}

/// Who proves, and how many partitions at a time.
struct Prover {
  std::unique_ptr<groth16::Backend> backend;
  ProveBudget budget;
};

/// Whether a backend failed of itself. Bad input, a stop and a proof that does not verify are the
/// same wherever the work is done, or something to be looked at.
bool is_of_the_device(const Error& error) {
  switch (error.code) {
    case ErrorCode::kResourceExhausted:
    case ErrorCode::kDeviceLost:
      return true;
    case ErrorCode::kBackendFailed:
      return error.stage != kSelfCheckStage;
    default:
      return false;
  }
}

/// The CPU in the place of a device that failed with `reason`, where the policy lets it and its
/// memory holds a partition; else the reason.
Result<Prover> replace(std::unique_ptr<groth16::Backend> failed, Error reason,
                       const JobPartsView& parts, const JobOptions& options) {
  const bool may_fall_back = options.backend == BackendPolicy::kAuto && failed->name() != "cpu";
  if (!may_fall_back || !is_of_the_device(reason)) return fail(std::move(reason));
  failed.reset();  // what it holds of the memory is the CPU's to use
  auto cpu = groth16::make_cpu_backend(options.executor);
  const auto budget =
      prove_budget(*cpu, parts.shape, parts.job.partitions, options, &parts.parameters);
  if (!budget) {
    std::string why = budget.error().describe();
    why.pop_back();  // the full stop, which stands behind the hint too
    reason.hint += (reason.hint.empty() ? "" : ". ") + ("The CPU can not do it either: " + why);
    return fail(std::move(reason));
  }
  report_fallback(reason, options.tracer);
  return Prover{std::move(cpu), *budget};
}

/// The prover of a backend, if there is a plan; else that which takes its place.
Result<Prover> place(std::unique_ptr<groth16::Backend> backend, const JobPartsView& parts,
                     const JobOptions& options) {
  auto budget =
      prove_budget(*backend, parts.shape, parts.job.partitions, options, &parts.parameters);
  if (budget) return Prover{std::move(backend), *budget};
  return replace(std::move(backend), std::move(budget.error()), parts, options);
}

/// Prepares, proves and verifies one batch, and appends its proofs to the result.
Result<void> prove_range(const Prover& prover, const JobPartsView& parts,
                         const PartitionRange& range, const JobOptions& options,
                         VerifiedProof& result) {
  BELFRY_TRY(const Prepared prepared, prepare(parts, range, options));
  result.seconds.witness += prepared.seconds;

  const groth16::ProveBatchView batch{.parameters = parts.parameters,
                                      .shape = parts.shape,
                                      .witnesses = prepared.witnesses,
                                      .tracer = options.tracer,
                                      .cancel = options.cancel};
  const auto randomness = parts.randomness.empty()
                              ? parts.randomness
                              : parts.randomness.subspan(range.first, range.count);
  BELFRY_TRY(const auto made,
             make_checked_proofs({*prover.backend, batch, randomness, prepared.public_inputs,
                                  range.first, prover.budget.backend_bytes},
                                 options));
  result.seconds.prove += made.prove_seconds;
  result.seconds.verify += made.verify_seconds;
  result.proof.insert(result.proof.end(), made.proofs.begin(), made.proofs.end());
  return {};
}

}  // namespace

Result<VerifiedProof> prove_partitions(std::unique_ptr<groth16::Backend> backend,
                                       const JobPartsView& parts, const JobOptions& options) {
  BELFRY_TRY(Prover prover, place(std::move(backend), parts, options));
  VerifiedProof result;
  result.partitions = parts.job.partitions;
  result.test_randomness = !parts.randomness.empty();
  if (!parts.job.claims_checked && prover.budget.partitions < parts.job.partitions) {
    BELFRY_TRY(result.seconds.witness, prepare_for_nothing(parts, options));
  }
  for (std::uint32_t first = 0; first < parts.job.partitions;) {
    const auto most = static_cast<std::uint32_t>(prover.budget.partitions);
    const PartitionRange range{first, std::min(most, parts.job.partitions - first)};
    auto proved = prove_range(prover, parts, range, options, result);
    if (proved) {
      first += range.count;
      continue;
    }
    BELFRY_TRY(prover,
               replace(std::move(prover.backend), std::move(proved.error()), parts, options));
  }
  result.backend = prover.backend->name();
  result.device = prover.backend->device();
  return result;
}

}  // namespace belfry::engine
