#include "belfry/groth16/aggregate/aggregate.h"

#include <string>

#include "belfry/groth16/aggregate/challenges.h"
#include "belfry/groth16/aggregate/folding.h"
#include "belfry/groth16/aggregate/key_polynomial.h"
#include "belfry/groth16/aggregate/pairing_products.h"
#include "belfry/msm/msm.h"
#include "belfry/trace/span.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kAggregateStage = "groth16.aggregate";

using G1Points = std::vector<curve::G1Affine>;
using G2Points = std::vector<curve::G2Affine>;
using G1View = std::span<const curve::G1Affine>;
using G2View = std::span<const curve::G2Affine>;

/// All vectors that the rounds halve; of one length.
struct Vectors {
  G1Points a{}, c{};
  G2Points b{};
  G2Points v_alpha, v_beta;   ///< commitment keys to A and C
  G1Points w_alpha, w_beta;   ///< and to B
  std::vector<Fr> weights{};  ///< of C: powers of r
};

template <class Curve>
Result<curve::Affine<Curve>> sum_points(std::span<const curve::Affine<Curve>> points,
                                        std::span<const Fr> scalars, const Executor& executor) {
  BELFRY_TRY(const auto total, msm::multiply(msm::SpanSource<Curve>(points), scalars, executor));
  return total.to_affine();
}

Vectors load_vectors(const AggregationKey& key, std::span<const Proof> proofs) {
  const std::size_t n = key.proofs();
  Vectors out{.v_alpha = key.h_alpha,
              .v_beta = key.h_beta,
              .w_alpha = {key.g_alpha.begin() + static_cast<std::ptrdiff_t>(n), key.g_alpha.end()},
              .w_beta = {key.g_beta.begin() + static_cast<std::ptrdiff_t>(n), key.g_beta.end()}};
  for (std::size_t i = 0; i < n; ++i) {
    const Proof& proof = proofs[std::min(i, proofs.size() - 1)];
    out.a.push_back(proof.a);
    out.b.push_back(proof.b);
    out.c.push_back(proof.c);
  }
  return out;
}

/// Values and the keys that commit to them. A view.
struct CommittedView {
  G1View a, c;
  G2View b;
  G2View v_alpha, v_beta;
  G1View w_alpha, w_beta;
};

struct CommittedProducts {
  PairCommitment ab;
  PairCommitment c;
  curve::Gt z;  ///< Π e(a_i, b_i)
};

/// Whether the products of A and B are asked for beside the commitments.
enum class Wanted : bool { kCommitments, kProductsToo };

CommittedProducts commit(const CommittedView& view, Wanted wanted, const Executor& executor) {
  enum Product : std::uint8_t { kAbT, kAbU, kCT, kCU, kZ, kProducts };
  enum List : std::uint8_t { kVAlpha, kVBeta, kB };
  const std::array<G2View, 3> q{view.v_alpha, view.v_beta, view.b};
  const std::array factors{
      ProductFactor{kAbT, view.a, kVAlpha}, ProductFactor{kAbT, view.w_alpha, kB},
      ProductFactor{kAbU, view.a, kVBeta},  ProductFactor{kAbU, view.w_beta, kB},
      ProductFactor{kCT, view.c, kVAlpha},  ProductFactor{kCU, view.c, kVBeta},
      ProductFactor{kZ, view.a, kB}};
  const std::size_t used = wanted == Wanted::kProductsToo ? factors.size() : factors.size() - 1;
  const auto products = pairing_products(q, std::span(factors).first(used), kProducts, executor);
  return {.ab = {products[kAbT], products[kAbU]},
          .c = {products[kCT], products[kCU]},
          .z = products[kZ]};
}

CommittedProducts commit_to_all(const Vectors& v, const Executor& executor) {
  return commit({v.a, v.c, v.b, v.v_alpha, v.v_beta, v.w_alpha, v.w_beta}, Wanted::kCommitments,
                executor);
}

/// Weighs B by the powers of r and its keys by those of 1/r: the commitment stays what it was, and
/// the products of A and B become what verification asks for.
void weigh_proofs(Vectors& v, const Fr& r, const Executor& executor) {
  v.weights = powers(r, v.a.size());
  weigh(v.b, v.weights, executor);
  const std::vector<Fr> inverses = powers(r.inverse(), v.a.size());
  weigh(v.w_alpha, inverses, executor);
  weigh(v.w_beta, inverses, executor);
}

Result<FoldMessage> fold_message(const Vectors& v, const Executor& executor) {
  const std::size_t half = v.a.size() / 2;
  const auto left = [half](const auto& vector) { return std::span(vector).first(half); };
  const auto right = [half](const auto& vector) { return std::span(vector).subspan(half); };
  CommittedProducts l;
  CommittedProducts r;
  executor.both(
      [&] {
        l = commit({right(v.a), right(v.c), left(v.b), left(v.v_alpha), left(v.v_beta),
                    right(v.w_alpha), right(v.w_beta)},
                   Wanted::kProductsToo, executor);
      },
      [&] {
        r = commit({left(v.a), left(v.c), right(v.b), right(v.v_alpha), right(v.v_beta),
                    left(v.w_alpha), left(v.w_beta)},
                   Wanted::kProductsToo, executor);
      });
  FoldMessage message{.ab_left = l.ab,
                      .ab_right = r.ab,
                      .c_left = l.c,
                      .c_right = r.c,
                      .z_left = l.z,
                      .z_right = r.z,
                      .sum_left = {},
                      .sum_right = {}};
  BELFRY_TRY(message.sum_left, sum_points<curve::G1>(right(v.c), left(v.weights), executor));
  BELFRY_TRY(message.sum_right, sum_points<curve::G1>(left(v.c), right(v.weights), executor));
  return message;
}

void fold_all(Vectors& v, const FoldChallenge& challenge, const Executor& executor) {
  fold(v.a, challenge.x, executor);
  fold(v.b, challenge.inverse, executor);
  fold(v.c, challenge.x, executor);
  fold(v.v_alpha, challenge.inverse, executor);
  fold(v.v_beta, challenge.inverse, executor);
  fold(v.w_alpha, challenge.x, executor);
  fold(v.w_beta, challenge.x, executor);
  fold(v.weights, challenge.inverse);
}

/// The quotients of both key polynomials at z under the powers of the SRS.
Result<void> open_keys(const AggregationKey& key, const AggregateChallenges& challenges,
                       AggregateProof& proof, const Executor& executor) {
  const auto quotient = [&challenges](const KeyPolynomial& polynomial) {
    return divide_at(polynomial.coefficients(), challenges.z);
  };
  const std::vector<Fr> v = quotient(vkey_polynomial(challenges.rounds));
  const G2View h_alpha = G2View(key.h_alpha).first(v.size());
  const G2View h_beta = G2View(key.h_beta).first(v.size());
  BELFRY_TRY(proof.vkey_opening[0], sum_points<curve::G2>(h_alpha, v, executor));
  BELFRY_TRY(proof.vkey_opening[1], sum_points<curve::G2>(h_beta, v, executor));
  const std::vector<Fr> w = quotient(wkey_polynomial(challenges.rounds, challenges.r));
  const G1View g_alpha = G1View(key.g_alpha).first(w.size());
  const G1View g_beta = G1View(key.g_beta).first(w.size());
  BELFRY_TRY(proof.wkey_opening[0], sum_points<curve::G1>(g_alpha, w, executor));
  BELFRY_TRY(proof.wkey_opening[1], sum_points<curve::G1>(g_beta, w, executor));
  return {};
}

Result<void> check_request(const AggregationKey& key, std::span<const Proof> proofs) {
  const bool fits = key.g_alpha.size() == 2 * key.proofs() &&
                    key.g_beta.size() == 2 * key.proofs() && key.h_beta.size() == key.proofs();
  if (!proofs.empty() && fits && key.proofs() == padded_proofs(proofs.size())) return {};
  return fail(Error{ErrorCode::kInvalidUsage, std::string(kAggregateStage),
                    "an aggregate has at least one proof and a key for its padded number"}
                  .but("a key for " + std::to_string(padded_proofs(proofs.size())) + " proofs",
                       std::to_string(key.proofs())));
}

}  // namespace

Result<AggregateProof> aggregate(const AggregationKey& key, std::span<const Proof> proofs,
                                 SnarkPackVersion version, ByteSpan statement,
                                 const WorkView& work) {
  const trace::Span span(work.tracer, kAggregateStage);
  BELFRY_CHECK(check_request(key, proofs));
  Vectors v = load_vectors(key, proofs);
  AggregateProof proof;
  const CommittedProducts committed = commit_to_all(v, work.executor);
  proof.com_ab = committed.ab;
  proof.com_c = committed.c;
  ChallengeChain chain(version, proof.com_ab, proof.com_c, statement);
  AggregateChallenges challenges{.r = chain.r(), .rounds = {}, .z = {}};
  weigh_proofs(v, challenges.r, work.executor);
  const std::array<G2View, 1> b{v.b};
  const std::array product{ProductFactor{.product = 0, .p = v.a, .q = 0}};
  proof.ip_ab = pairing_products(b, product, product.size(), work.executor).front();
  BELFRY_TRY(proof.agg_c, sum_points<curve::G1>(v.c, v.weights, work.executor));

  chain.begin(proof.ip_ab, proof.agg_c);
  while (v.a.size() > 1) {
    BELFRY_CHECK(work.cancel.check(std::string(kAggregateStage)));
    BELFRY_TRY(const FoldMessage message, fold_message(v, work.executor));
    challenges.rounds.push_back(chain.fold(message));
    proof.rounds.push_back(message);
    fold_all(v, challenges.rounds.back(), work.executor);
  }
  proof.final_a = v.a.front();
  proof.final_b = v.b.front();
  proof.final_c = v.c.front();
  proof.final_vkey = {v.v_alpha.front(), v.v_beta.front()};
  proof.final_wkey = {v.w_alpha.front(), v.w_beta.front()};
  challenges.z = chain.opening_point(proof);
  BELFRY_CHECK(open_keys(key, challenges, proof, work.executor));
  return proof;
}

}  // namespace belfry::groth16
