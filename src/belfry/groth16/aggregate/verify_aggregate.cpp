#include "belfry/groth16/aggregate/verify_aggregate.h"

#include <algorithm>
#include <array>
#include <string>

#include "belfry/curve/multiply.h"
#include "belfry/groth16/aggregate/challenges.h"
#include "belfry/groth16/aggregate/folding.h"
#include "belfry/groth16/aggregate/key_polynomial.h"
#include "belfry/groth16/random_scalar.h"
#include "belfry/groth16/verify/public_inputs.h"
#include "belfry/msm/msm.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kVerifyAggregateStage = "groth16.aggregate.verify";

using curve::G1Jacobian;

Result<void> check_statement(const PreparedVerifyingKey& key, const AggregateProof& proof,
                             const AggregateStatementView& statement) {
  const std::size_t count = statement.public_inputs.size();
  if (count == 0 || padded_proofs(count) != proof.proofs()) {
    return fail(
        invalid(std::string(kVerifyAggregateStage), "the aggregate is of another number of proofs")
            .in_section("n")
            .but(std::to_string(count) + " proofs, padded to " +
                     std::to_string(padded_proofs(count)),
                 std::to_string(proof.proofs())));
  }
  for (const auto& inputs : statement.public_inputs) BELFRY_CHECK(check_inputs(key, inputs));
  return {};
}

/// One weight an equation: the claims of section 9.5 that live in the target group.
struct Weights {
  Fr z, t_ab, u_ab, t_c, u_c;
  std::array<Fr, 2> vkey, wkey;
  Fr groth16;
};

Result<Weights> draw_equation_weights() {
  constexpr std::size_t kEquations = 10;
  BELFRY_TRY(const std::vector<Fr> w, draw_weights(kEquations));
  std::size_t next = 0;
  const auto take = [&] { return w[next++]; };
  Weights out;
  for (Fr* weight : {&out.z, &out.t_ab, &out.u_ab, &out.t_c, &out.u_c, &out.vkey[0], &out.vkey[1],
                     &out.wkey[0], &out.wkey[1], &out.groth16}) {
    *weight = take();
  }
  return out;
}

/// Powers in the target group, to be multiplied at the end.
class GtProduct {
 public:
  void add(const curve::Gt& value, const Fr& exponent) {
    values_.push_back(value);
    exponents_.push_back(exponent);
  }
  void add(const PairCommitment& value, const Fr& t_exponent, const Fr& u_exponent) {
    add(value.t, t_exponent);
    add(value.u, u_exponent);
  }
  [[nodiscard]] curve::Gt value(const Executor& executor) const {
    constexpr std::size_t kGrain = 8;
    const std::size_t tasks = (values_.size() + kGrain - 1) / kGrain;
    std::vector<curve::Gt> parts(tasks);
    executor.for_each(tasks, [&](std::size_t task) {
      const std::size_t begin = task * kGrain;
      const std::size_t length = std::min(kGrain, values_.size() - begin);
      parts[task] = curve::multi_power(std::span(values_).subspan(begin, length),
                                       std::span(exponents_).subspan(begin, length));
    });
    curve::Gt product;
    for (const curve::Gt& part : parts) product = product * part;
    return product;
  }

 private:
  std::vector<curve::Gt> values_;
  std::vector<Fr> exponents_;
};

/// The right sides of all equations: what the commitments and products are after folding.
curve::Gt folded_values(const AggregateProof& proof, const AggregateChallenges& challenges,
                        const Weights& weights, const Executor& executor) {
  GtProduct product;
  product.add(proof.ip_ab, weights.z + weights.groth16);
  product.add(proof.com_ab, weights.t_ab, weights.u_ab);
  product.add(proof.com_c, weights.t_c, weights.u_c);
  for (std::size_t i = 0; i < proof.rounds.size(); ++i) {
    const FoldMessage& m = proof.rounds[i];
    const auto& [x, inverse] = challenges.rounds[i];
    product.add(m.z_left, weights.z * x);
    product.add(m.z_right, weights.z * inverse);
    product.add(m.ab_left, weights.t_ab * x, weights.u_ab * x);
    product.add(m.ab_right, weights.t_ab * inverse, weights.u_ab * inverse);
    product.add(m.c_left, weights.t_c * x, weights.u_c * x);
    product.add(m.c_right, weights.t_c * inverse, weights.u_c * inverse);
  }
  return product.value(executor);
}

/// Σ of few scaled points.
struct Scaled {
  const curve::G1Affine& point;
  Fr scalar;
};
curve::G1Affine sum_scaled(std::initializer_list<Scaled> terms) {
  G1Jacobian total = G1Jacobian::infinity();
  for (const Scaled& term : terms) total += curve::multiply(term.point, term.scalar);
  return total.to_affine();
}

/// agg_c and the sums of C, folded, against final_c.
Result<bool> sums_of_c_fold(const AggregateProof& proof, const AggregateChallenges& challenges,
                            const Executor& executor) {
  std::vector<curve::G1Affine> points{proof.agg_c, proof.final_c};
  std::vector<Fr> scalars{Fr::one(), -vkey_polynomial(challenges.rounds).evaluate(challenges.r)};
  for (std::size_t i = 0; i < proof.rounds.size(); ++i) {
    points.insert(points.end(), {proof.rounds[i].sum_left, proof.rounds[i].sum_right});
    scalars.insert(scalars.end(), {challenges.rounds[i].x, challenges.rounds[i].inverse});
  }
  BELFRY_TRY(const G1Jacobian difference,
             msm::multiply(msm::SpanSource<curve::G1>(points), scalars, executor));
  return difference.is_infinity();
}

/// The powers of r for all proofs of the statement; those of the padding go to the last.
std::vector<Fr> proof_weights(const Fr& r, std::size_t count, std::size_t padded) {
  std::vector<Fr> weights = powers(r, padded);
  for (std::size_t i = count; i < padded; ++i) weights[count - 1] += weights[i];
  weights.resize(count);
  return weights;
}

/// Pairs whose G2 points are prepared when they are added. Adding does not move what was prepared.
class Pairs {
 public:
  explicit Pairs(std::size_t most) { prepared_.reserve(most); }
  void add(const curve::G1Affine& p, const curve::G2Affine& q) {
    prepared_.emplace_back(q);
    add(p, prepared_.back());
  }
  void add(const curve::G1Affine& p, const curve::G2Prepared& q) { terms_.push_back({p, &q}); }
  [[nodiscard]] curve::Gt product() const { return curve::multi_pairing(terms_); }

 private:
  std::vector<curve::G2Prepared> prepared_;
  std::vector<curve::PairingTerm> terms_;
};

/// The left sides that concern folded values and keys: equations 3 and 4, joined by their points of
/// G2.
void add_folded_pairs(Pairs& pairs, const AggregationVerifyingKey& srs, const AggregateProof& proof,
                      const AggregateChallenges& challenges, const Weights& w) {
  const Fr& z = challenges.z;
  const Fr v_at_z = vkey_polynomial(challenges.rounds).evaluate(z);
  const Fr w_at_z = wkey_polynomial(challenges.rounds, challenges.r).evaluate(z);
  pairs.add(
      sum_scaled(
          {{proof.final_a, w.z}, {proof.final_wkey[0], w.t_ab}, {proof.final_wkey[1], w.u_ab}}),
      proof.final_b);
  pairs.add(sum_scaled({{proof.final_a, w.t_ab}, {proof.final_c, w.t_c}, {srs.g, w.vkey[0]}}),
            proof.final_vkey[0]);
  pairs.add(sum_scaled({{proof.final_a, w.u_ab}, {proof.final_c, w.u_c}, {srs.g, w.vkey[1]}}),
            proof.final_vkey[1]);
  for (std::size_t k = 0; k < 2; ++k) {
    // e(g, vkey - v(z)·h) = e(x·g - z·g, opening), with x the secret of this key.
    pairs.add(sum_scaled({{srs.g_powers[k], -w.vkey[k]}, {srs.g, z * w.vkey[k]}}),
              proof.vkey_opening[k]);
    // e(wkey - w(z)·g, h) = e(opening, x·h - z·h): the part with x·h here, that with h below.
    pairs.add(sum_scaled({{proof.wkey_opening[k], -w.wkey[k]}}), srs.h_powers[k]);
  }
  const Fr times_g = -(w.vkey[0] + w.vkey[1]) * v_at_z - (w.wkey[0] + w.wkey[1]) * w_at_z;
  pairs.add(sum_scaled({{srs.g, times_g},
                        {proof.final_wkey[0], w.wkey[0]},
                        {proof.final_wkey[1], w.wkey[1]},
                        {proof.wkey_opening[0], z * w.wkey[0]},
                        {proof.wkey_opening[1], z * w.wkey[1]}}),
            srs.h);
}

}  // namespace

Result<bool> verify_aggregate(const AggregationVerifyingKey& srs, const PreparedVerifyingKey& key,
                              const AggregateProof& proof, const AggregateStatementView& statement,
                              const Executor& executor) {
  BELFRY_CHECK(check_statement(key, proof, statement));
  const AggregateChallenges challenges =
      recompute_challenges(statement.version, proof, statement.bound_to);
  BELFRY_TRY(const bool c_folds, sums_of_c_fold(proof, challenges, executor));
  if (!c_folds) return false;

  BELFRY_TRY(const Weights weights, draw_equation_weights());
  // Equation 5: e(S·alpha, beta)·e(ic, gamma)·e(agg_c, delta), the key's points with their signs.
  const std::vector<Fr> scalars =
      weigh_inputs(proof_weights(challenges.r, statement.public_inputs.size(), proof.proofs()),
                   statement.public_inputs);
  BELFRY_TRY(const curve::G1Affine inputs, combine_inputs(key, scalars, executor));
  constexpr std::size_t kMostPairs = 11;
  Pairs pairs(kMostPairs);
  pairs.add(sum_scaled({{key.alpha, weights.groth16 * scalars[0]}}), key.beta);
  pairs.add(sum_scaled({{inputs, -weights.groth16}}), key.minus_gamma);
  pairs.add(sum_scaled({{proof.agg_c, -weights.groth16}}), key.minus_delta);
  add_folded_pairs(pairs, srs, proof, challenges, weights);
  return pairs.product() == folded_values(proof, challenges, weights, executor);
}

}  // namespace belfry::groth16
