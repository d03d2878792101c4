#include "belfry/engine/jobs/checked_proofs.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/engine/metrics.h"
#include "belfry/groth16/proof.h"
#include "belfry/groth16/verify/verify.h"

namespace belfry::engine {
namespace {

/// Proofs as they would leave, and the derived parameters that had part in them.
struct MadeProofs {
  std::vector<std::uint8_t> bytes;
  std::filesystem::path derived;
};

Result<MadeProofs> make_proofs(const CheckedBatchView& work) {
  BELFRY_TRY(const auto pending, groth16::start(work.backend, work.batch, work.budget_bytes));
  BELFRY_TRY(const auto proofs, work.randomness.empty()
                                    ? groth16::finish(pending)
                                    : groth16::finish(pending, work.randomness));
  return MadeProofs{groth16::encode(proofs), pending.derived()};
}

/// Names the partitions of a batch whose proofs do not verify.
Result<std::string> bad_partitions(const groth16::PreparedVerifyingKey& key,
                                   const CheckedBatchView& work, ByteSpan proofs,
                                   const JobOptions& options) {
  std::string names;
  for (std::size_t k = 0; k < work.public_inputs.size(); ++k) {
    BELFRY_TRY(
        const bool good,
        groth16::verify_bytes(key, proofs.subspan(k * groth16::kProofBytes, groth16::kProofBytes),
                              work.public_inputs.subspan(k, 1), options.executor));
    if (good) continue;
    names += (names.empty() ? "" : ", ") + std::to_string(work.first_partition + k);
    trace::count(options.tracer, kSelfCheckFailures, 1, work.backend.name());
  }
  return names;
}

/// The partitions whose proofs do not verify; empty if all do.
Result<std::string> self_check(const CheckedBatchView& work, ByteSpan proofs,
                               const JobOptions& options) {
  const groth16::PreparedVerifyingKey key(work.batch.parameters.verifying_key());
  BELFRY_TRY(const bool good,
             groth16::verify_bytes(key, proofs, work.public_inputs, options.executor));
  return good ? Result<std::string>(std::string{}) : bad_partitions(key, work, proofs, options);
}

Error withheld(const CheckedBatchView& work, const std::string& partitions) {
  return Error{ErrorCode::kBackendFailed, std::string(kSelfCheckStage),
               "self-check failed: the proof does not verify and is withheld"}
      .in_file(work.batch.parameters.path().string())
      .in_section("partitions " + partitions)
      .with_hint(
          "Check the parameter file with belfry params check, then the memory of this machine");
}

/// There is no room for the proof without the derived parameters of a file: the device's error, for
/// whoever can go on elsewhere.
Error no_room_without(const std::filesystem::path& derived, Error error) {
  error.hint += (error.hint.empty() ? "" : ". ") + ("A proof with " + derived.string()) +
                " did not verify: make it anew with belfry params derive --force";
  return error;
}

/// What one attempt left to do.
struct Attempt {
  std::string bad;                ///< the partitions that do not verify; empty: it is done
  std::filesystem::path derived;  ///< that had part in it
};

/// One attempt: adds its proofs and seconds.
Result<Attempt> attempt(const CheckedBatchView& work, const JobOptions& options,
                        CheckedProofs& result) {
  trace::Span prove(options.tracer, "engine.proof.prove");
  BELFRY_TRY(MadeProofs made, make_proofs(work));
  result.prove_seconds += prove.stop();
  trace::Span verify(options.tracer, kSelfCheckStage);
  BELFRY_TRY(std::string bad, self_check(work, made.bytes, options));
  result.verify_seconds += verify.stop();
  if (!bad.empty()) work.backend.distrust(work.batch.parameters, made.derived);
  result.proofs = std::move(made.bytes);
  return Attempt{std::move(bad), std::move(made.derived)};
}

}  // namespace

Result<CheckedProofs> make_checked_proofs(const CheckedBatchView& work, const JobOptions& options) {
  CheckedProofs result;
  BELFRY_TRY(const Attempt first, attempt(work, options, result));
  const auto& [bad, derived] = first;
  if (bad.empty()) return result;
  if (derived.empty()) return fail(withheld(work, bad));
  trace::count(options.tracer, kDerivedDistrusted);
  trace::write_log(options.tracer, "engine", trace::Level::kError,
                   "a proof with derived parameters does not verify: it is made again without; "
                   "belfry params derive --force makes them anew",
                   {{"file", derived.string()}, {"partitions", bad}});
  const auto again = attempt(work, options, result);
  if (again && again->bad.empty()) return result;
  if (!again) {
    if (again.error().code != ErrorCode::kResourceExhausted) return fail(again.error());
    if (options.backend == BackendPolicy::kAuto) {
      return fail(no_room_without(derived, again.error()));
    }
  }
  // Either there is no room without them, or they are not the cause, or not the only one.
  return fail(withheld(work, again ? again->bad : bad)
                  .with_hint("Make " + derived.string() +
                             " anew with belfry params derive --force, which checks the parameter "
                             "file; then test the memory of this machine" +
                             (again ? "" : ". Without it: " + again.error().describe())));
}

}  // namespace belfry::engine
