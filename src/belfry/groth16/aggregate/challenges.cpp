#include "belfry/groth16/aggregate/challenges.h"

#include <string>

#include "belfry/groth16/aggregate/transcript.h"

namespace belfry::groth16 {
namespace {

Transcript& add(Transcript& transcript, const PairCommitment& value) {
  return transcript.add(value.t).add(value.u);
}

Transcript& add(Transcript& transcript, const FoldMessage& message) {
  transcript.add(message.z_left).add(message.z_right);
  transcript.add(message.sum_left).add(message.sum_right);
  for (const PairCommitment* value :
       {&message.ab_left, &message.ab_right, &message.c_left, &message.c_right}) {
    add(transcript, *value);
  }
  return transcript;
}

Fr commitment_challenge(const PairCommitment& com_ab, const PairCommitment& com_c) {
  Transcript transcript("hcom");
  return add(add(transcript, com_ab), com_c).challenge();
}

}  // namespace

ChallengeChain::ChallengeChain(SnarkPackVersion version, const PairCommitment& com_ab,
                               const PairCommitment& com_c, ByteSpan statement)
    : version_(version),
      hcom_(commitment_challenge(com_ab, com_c)),
      r_(Transcript("random-r").add(hcom_).add(statement).challenge()) {}

void ChallengeChain::begin(const curve::Gt& ip_ab, const curve::G1Affine& agg_c) {
  inverse_ = Transcript("gipa-0").add(hcom_).add(ip_ab).add(agg_c).add(r_).challenge();
}

FoldChallenge ChallengeChain::fold(const FoldMessage& message) {
  // The first version keeps the start value for its first round and so never hashes that message:
  // whoever wants an aggregate of a false statement solves for it (SnarkPackVersion::kV1).
  if (round_ > 0 || version_ == SnarkPackVersion::kV2) {
    Transcript transcript("gipa-" + std::to_string(round_));
    inverse_ = add(transcript.add(inverse_), message).challenge();
  }
  ++round_;
  x_ = inverse_.inverse();
  return {.x = x_, .inverse = inverse_};
}

Fr ChallengeChain::opening_point(const AggregateProof& proof) const {
  const bool links_final_values = version_ == SnarkPackVersion::kV2;
  Transcript transcript("random-z");
  if (links_final_values) {
    Transcript link("gipa-extra-link");
    link.add(x_).add(proof.final_a).add(proof.final_b).add(proof.final_c);
    transcript.add(add(link, proof.rounds.back()).challenge());
  } else {
    transcript.add(x_);
  }
  for (const auto& point : proof.final_vkey) transcript.add(point);
  for (const auto& point : proof.final_wkey) transcript.add(point);
  if (links_final_values) {
    transcript.add(proof.final_a).add(proof.final_b).add(proof.final_c);
  }
  return transcript.challenge();
}

AggregateChallenges recompute_challenges(SnarkPackVersion version, const AggregateProof& proof,
                                         ByteSpan statement) {
  ChallengeChain chain(version, proof.com_ab, proof.com_c, statement);
  AggregateChallenges challenges{.r = chain.r(), .rounds = {}, .z = {}};
  chain.begin(proof.ip_ab, proof.agg_c);
  for (const FoldMessage& message : proof.rounds) challenges.rounds.push_back(chain.fold(message));
  challenges.z = chain.opening_point(proof);
  return challenges;
}

}  // namespace belfry::groth16
