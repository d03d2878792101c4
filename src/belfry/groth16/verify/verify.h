#pragma once

#include <span>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/curve/pairing.h"
#include "belfry/field/fr.h"
#include "belfry/groth16/params/verifying_key.h"
#include "belfry/groth16/proof.h"

namespace belfry::groth16 {

/// A key with what does not change from proof to proof. A value; const calls are thread-safe.
struct PreparedVerifyingKey {
  explicit PreparedVerifyingKey(const VerifyingKey& key);

  /// Number of public inputs without ONE.
  [[nodiscard]] std::size_t num_public_inputs() const noexcept { return ic.size() - 1; }

  curve::G1Affine alpha;
  curve::G2Prepared beta;
  curve::G2Prepared minus_gamma;
  curve::G2Prepared minus_delta;
  curve::Gt alpha_beta;  ///< e(alpha, beta)
  std::vector<curve::G1Affine> ic;
};

/// Whether e(A, B)·e(ic(x), −gamma)·e(C, −delta) = e(alpha, beta) (spec formats.md 2.5).
/// `public_inputs` are without ONE; another number than the key's is kInvalidInput ("malformed
/// verifying key"). The proof's points are in their subgroups (parse_proof has checked): what lies
/// beside G1 weighs nothing in a pairing, so a proof that others refuse would hold. A few
/// milliseconds.
[[nodiscard]] Result<bool> verify(const PreparedVerifyingKey& key, const Proof& proof,
                                  std::span<const Fr> public_inputs, const Executor& executor);

/// Whether all proofs hold under one key: one equation with random 128-bit weights from the
/// operating system, so false proofs pass with probability below 2^-127. One list of inputs a proof
/// (kInvalidInput). One proof takes the single form, none is kInvalidUsage.
[[nodiscard]] Result<bool> verify_batch(const PreparedVerifyingKey& key,
                                        std::span<const Proof> proofs,
                                        std::span<const std::vector<Fr>> public_inputs,
                                        const Executor& executor);

/// Whether bytes (192 a proof) are proofs that hold, as whoever gets them finds out: parse_proofs,
/// then verify_batch. What does not parse is false. For proofs that were computed, before they
/// leave.
[[nodiscard]] Result<bool> verify_bytes(const PreparedVerifyingKey& key, ByteSpan bytes,
                                        std::span<const std::vector<Fr>> public_inputs,
                                        const Executor& executor);

}  // namespace belfry::groth16
