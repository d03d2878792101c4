#pragma once

#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/field/fr.h"
#include "belfry/groth16/aggregate/aggregate_proof.h"

namespace belfry::groth16 {

/// What values are folded with in one round: left + x·right, or left + x⁻¹·right.
struct FoldChallenge {
  Fr x;
  Fr inverse;
};

/// The challenges of one aggregate in the order in which prover and verifier meet them: each one
/// follows from all messages before it (spec formats.md 9.3). One thread at a time.
class ChallengeChain {
 public:
  /// After the commitments. `statement` is what the aggregate is bound to beside the proofs.
  ChallengeChain(SnarkPackVersion version, const PairCommitment& com_ab,
                 const PairCommitment& com_c, ByteSpan statement);

  /// The powers of r weigh the proofs.
  [[nodiscard]] const Fr& r() const noexcept { return r_; }
  /// After the products of the weighed proofs; before the first round.
  void begin(const curve::Gt& ip_ab, const curve::G1Affine& agg_c);
  /// After the next round's message.
  FoldChallenge fold(const FoldMessage& message);
  /// After the final values and keys of `proof`, whose last round was the last one folded: the
  /// point z at which the keys are opened.
  [[nodiscard]] Fr opening_point(const AggregateProof& proof) const;

 private:
  SnarkPackVersion version_;
  Fr hcom_;
  Fr r_;
  std::size_t round_ = 0;
  Fr inverse_;  // of the last round, at first the start value
  Fr x_;
};

/// All challenges of an aggregate, as a verifier recomputes them.
struct AggregateChallenges {
  Fr r;
  std::vector<FoldChallenge> rounds;  // (log2 n), first round first
  Fr z;
};
[[nodiscard]] AggregateChallenges recompute_challenges(SnarkPackVersion version,
                                                       const AggregateProof& proof,
                                                       ByteSpan statement);

}  // namespace belfry::groth16
