#include "belfry/groth16/aggregate/aggregate.h"

#include <gtest/gtest.h>

#include "belfry/groth16/aggregate/challenges.h"
#include "belfry/groth16/aggregate/folding.h"
#include "belfry/groth16/aggregate/key_polynomial.h"
#include "belfry/groth16/aggregate/pairing_products.h"
#include "belfry/groth16/aggregate/transcript.h"
#include "groth16/aggregate_support.h"

namespace belfry::groth16 {
namespace {

using belfry::test::random_frs;
using test::value_of;

constexpr std::array kVersions{SnarkPackVersion::kV1, SnarkPackVersion::kV2};

// --- Challenges -------------------------------------------------------------------------------

/// SHA-256 over a text and the counters that were tried, as the specification says it.
Fr slow_challenge(test::Bytes text, std::size_t& rejected) {
  for (std::uint64_t counter = 1;; ++counter) {
    for (int shift = 56; shift >= 0; shift -= 8) {
      text.push_back(static_cast<std::uint8_t>(counter >> shift));
    }
    Bytes32 digest = hash::sha256(text);
    digest[31] &= 0x7f;
    if (const auto value = FrBytes::parse_fr(digest)) return *value;
    ++rejected;
  }
}

TEST(Transcript, ElementsEnterWithoutFramingAndDigestsAboveRAreSkipped) {
  std::size_t rejected = 0;
  for (std::uint8_t i = 0; i < 64; ++i) {
    const std::string tag = "tag" + std::to_string(i);
    const std::string text = "snarkpack-v1" + tag;
    test::Bytes bytes(text.begin(), text.end());
    bytes.push_back(i);
    bytes.insert(bytes.end(), 31, 0);
    const test::Bytes framed{2, 0, 0, 0, 0, 0, 0, 0, 0xab, i};
    bytes.insert(bytes.end(), framed.begin(), framed.end());
    EXPECT_EQ(Transcript(tag).add(Fr::from_u64(i)).add(ByteSpan(framed).subspan(8)).challenge(),
              slow_challenge(bytes, rejected));
  }
  EXPECT_GT(rejected, 0U) << "one in ten digests is r or more";
}

// --- Vectors ----------------------------------------------------------------------------------

std::vector<curve::G1Affine> g1_points(std::size_t n, std::uint64_t first) {
  std::vector<curve::G1Affine> out(n);
  for (std::size_t i = 0; i < n; ++i) {
    out[i] = curve::multiply(curve::G1Affine::generator(), first + i).to_affine();
  }
  return out;
}
std::vector<curve::G2Affine> g2_points(std::size_t n, std::uint64_t first) {
  std::vector<curve::G2Affine> out(n);
  for (std::size_t i = 0; i < n; ++i) {
    out[i] = curve::multiply(curve::G2Affine::generator(), first + i).to_affine();
  }
  return out;
}

TEST(PairingProducts, AreProductsOfPairings) {
  const Executor executor(2);
  for (const std::size_t n : {0U, 1U, 7U, 8U, 9U}) {
    auto a = g1_points(n, 3);
    const auto b = g1_points(n, 11);
    const auto first = g2_points(n, 5);
    const auto second = g2_points(n, 23);
    if (n > 1) a[1] = curve::G1Affine::infinity();
    const std::array<std::span<const curve::G2Affine>, 2> q{first, second};
    // Product 1 has two factors, product 2 none.
    const std::array factors{ProductFactor{0, a, 1}, ProductFactor{1, a, 0},
                             ProductFactor{1, b, 1}};
    const auto products = pairing_products(q, factors, 3, executor);
    std::array<curve::Gt, 3> expected;
    for (std::size_t i = 0; i < n; ++i) {
      expected[0] = expected[0] * curve::pairing(a[i], second[i]);
      expected[1] = expected[1] * curve::pairing(a[i], first[i]) * curve::pairing(b[i], second[i]);
    }
    ASSERT_EQ(products.size(), 3U);
    for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(products[j], expected[j]) << n << " " << j;
  }
}

TEST(Folding, HalvesAndWeighs) {
  const Executor executor(2);
  const std::vector<Fr> x = powers(Fr::from_u64(3), 6);
  EXPECT_EQ(x, (std::vector{Fr::from_u64(1), Fr::from_u64(3), Fr::from_u64(9), Fr::from_u64(27),
                            Fr::from_u64(81), Fr::from_u64(243)}));
  auto points = g1_points(6, 1);  // 1 to 6 times the generator
  weigh(points, x, executor);
  EXPECT_EQ(points[5], curve::multiply(curve::G1Affine::generator(), 6 * 243ULL).to_affine());
  points = g1_points(6, 1);
  fold(points, Fr::from_u64(100), executor);
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points[2], curve::multiply(curve::G1Affine::generator(), 603ULL).to_affine());
  std::vector<Fr> values = x;
  fold(values, Fr::from_u64(2));
  EXPECT_EQ(values, (std::vector{Fr::from_u64(55), Fr::from_u64(165), Fr::from_u64(495)}));
}

Fr horner(std::span<const Fr> coefficients, const Fr& point) {
  Fr value = Fr::zero();
  for (std::size_t i = coefficients.size(); i-- > 0;) value = value * point + coefficients[i];
  return value;
}

TEST(KeyPolynomials, AreWhatFoldingDoesToPowers) {
  const std::vector<Fr> secrets = random_frs(2, 1);
  const Fr& alpha = secrets[0];
  const Fr& r = secrets[1];
  for (const std::size_t rounds : {1U, 2U, 5U}) {
    const std::size_t n = std::size_t{1} << rounds;
    std::vector<FoldChallenge> challenges;
    for (const Fr& x : random_frs(rounds, 2)) challenges.push_back({x, x.inverse()});
    // The keys as exponents: α^i, and α^(n+i)·r^-i.
    std::vector<Fr> v = powers(alpha, n);
    std::vector<Fr> w = powers(alpha, 2 * n);
    w.erase(w.begin(), w.begin() + static_cast<std::ptrdiff_t>(n));
    const std::vector<Fr> weights = powers(r.inverse(), n);
    for (std::size_t i = 0; i < n; ++i) w[i] *= weights[i];
    std::vector<Fr> c_weights = powers(r, n);
    for (const FoldChallenge& challenge : challenges) {
      fold(v, challenge.inverse);
      fold(w, challenge.x);
      fold(c_weights, challenge.inverse);
    }
    const KeyPolynomial f_v = vkey_polynomial(challenges);
    const KeyPolynomial f_w = wkey_polynomial(challenges, r);
    EXPECT_EQ(f_v.evaluate(alpha), v[0]);
    EXPECT_EQ(f_w.evaluate(alpha), w[0]);
    EXPECT_EQ(f_v.evaluate(r), c_weights[0]);
    for (const KeyPolynomial* f : {&f_v, &f_w}) {
      const std::vector<Fr> coefficients = f->coefficients();
      EXPECT_EQ(coefficients.size(), f->shift + n);
      EXPECT_EQ(horner(coefficients, alpha), f->evaluate(alpha));
    }
  }
}

TEST(KeyPolynomials, DivideWithoutRemainder) {
  const Fr z = Fr::from_u64(77);
  const Fr at = Fr::from_u64(123456789);
  EXPECT_TRUE(divide_at({}, z).empty());
  for (const std::size_t size : {1U, 2U, 9U}) {
    const std::vector<Fr> f = random_frs(size, 5);
    const std::vector<Fr> quotient = divide_at(f, z);
    ASSERT_EQ(quotient.size(), size - 1);
    EXPECT_EQ(horner(quotient, at) * (at - z) + horner(f, z), horner(f, at));
  }
}

// --- Aggregates -------------------------------------------------------------------------------

/// The product of A and B that proofs of these inputs have, by the sum of their C.
curve::Gt proved_product(const VerifyingKey& key, std::span<const std::vector<Fr>> inputs,
                         const AggregateProof& proof, const Fr& r) {
  Fr total = Fr::zero();
  curve::G1Jacobian acc = curve::G1Jacobian::infinity();
  Fr weight = Fr::one();
  for (std::size_t j = 0; j < proof.proofs(); ++j, weight *= r) {
    total += weight;
    const std::vector<Fr>& x = inputs[std::min(j, inputs.size() - 1)];
    for (std::size_t i = 0; i < x.size(); ++i) {
      acc += curve::multiply(key.ic[i + 1], weight * x[i]);
    }
  }
  acc += curve::multiply(key.ic[0], total);
  return curve::pairing(curve::multiply(key.alpha_g1, total).to_affine(), key.beta_g2) *
         curve::pairing(acc.to_affine(), key.gamma_g2) * curve::pairing(proof.agg_c, key.delta_g2);
}

/// Σ coefficient·power: what a polynomial is at the secret, from public powers.
template <class Affine>
Affine evaluate_in_group(std::span<const Affine> powers, std::span<const Fr> coefficients) {
  auto sum = curve::multiply(powers[0], Fr::zero());
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    sum += curve::multiply(powers[i], coefficients[i]);
  }
  return sum.to_affine();
}

/// A first-version aggregate of two proofs for inputs that nobody proved, made of what everyone
/// has: the SRS and the key. `any` is an aggregate of something else.
AggregateProof forge(const AggregationKey& srs, const VerifyingKey& key,
                     std::span<const std::vector<Fr>> inputs, AggregateProof any) {
  constexpr SnarkPackVersion kVersion = SnarkPackVersion::kV1;
  const Fr r = recompute_challenges(kVersion, any, test::kBoundTo).r;
  any.ip_ab = proved_product(key, inputs, any, r);
  // No challenge depends on the first round's message, so the keys can be honest before it is.
  const auto [x, inverse] = recompute_challenges(kVersion, any, test::kBoundTo).rounds[0];
  const std::array rounds{FoldChallenge{x, inverse}};
  const std::vector<Fr> v = vkey_polynomial(rounds).coefficients();
  const std::vector<Fr> w = wkey_polynomial(rounds, r).coefficients();
  const std::array h{std::span(srs.h_alpha), std::span(srs.h_beta)};
  const std::array g{std::span(srs.g_alpha), std::span(srs.g_beta)};
  for (std::size_t k = 0; k < 2; ++k) {
    any.final_vkey[k] = evaluate_in_group(h[k], v);
    any.final_wkey[k] = evaluate_in_group(g[k], w);
  }
  const Fr z = recompute_challenges(kVersion, any, test::kBoundTo).z;
  for (std::size_t k = 0; k < 2; ++k) {
    any.vkey_opening[k] = evaluate_in_group(h[k], divide_at(v, z));
    any.wkey_opening[k] = evaluate_in_group(g[k], divide_at(w, z));
  }
  // Each folded value is solved for the left part of the message.
  FoldMessage& m = any.rounds[0];
  const auto solve = [&](const curve::Gt& folded, const curve::Gt& start, const curve::Gt& right) {
    return (folded * (start * right.pow(inverse)).inverse()).pow(inverse);
  };
  m.z_left = solve(curve::pairing(any.final_a, any.final_b), any.ip_ab, m.z_right);
  for (const auto& [part, k] :
       {std::pair(&PairCommitment::t, 0U), std::pair(&PairCommitment::u, 1U)}) {
    m.ab_left.*part = solve(curve::pairing(any.final_a, any.final_vkey[k]) *
                                curve::pairing(any.final_wkey[k], any.final_b),
                            any.com_ab.*part, m.ab_right.*part);
    m.c_left.*part =
        solve(curve::pairing(any.final_c, any.final_vkey[k]), any.com_c.*part, m.c_right.*part);
  }
  curve::G1Jacobian rest = curve::multiply(any.final_c, vkey_polynomial(rounds).evaluate(r));
  rest += curve::multiply(m.sum_right, -inverse);
  rest += -any.agg_c;
  m.sum_left = curve::multiply(rest.to_affine(), inverse).to_affine();
  return any;
}

/// The equations of spec formats.md 9.5 one after the other, each with pairings of its own.
class SlowVerifier {
 public:
  SlowVerifier(const AggregationVerifyingKey& srs, const VerifyingKey& key,
               const AggregateProof& proof, const AggregateChallenges& challenges)
      : srs_(srs), key_(key), proof_(proof), challenges_(challenges) {}

  void expect_all(std::span<const std::vector<Fr>> inputs) const {
    expect_sum_of_c();
    expect_folded_values();
    expect_openings();
    expect_proofs(inputs);
  }

 private:
  template <class Left, class Right>
  [[nodiscard]] curve::Gt folded(curve::Gt value, const Left& left, const Right& right) const {
    for (std::size_t i = 0; i < proof_.rounds.size(); ++i) {
      const auto& [x, inverse] = challenges_.rounds[i];
      value = value * left(proof_.rounds[i]).pow(x) * right(proof_.rounds[i]).pow(inverse);
    }
    return value;
  }
#define BELFRY_FIELD(field) [](const FoldMessage& m) { return m.field; }
  void expect_sum_of_c() const {
    curve::G1Jacobian sum = curve::G1Jacobian::from_affine(proof_.agg_c);
    for (std::size_t i = 0; i < proof_.rounds.size(); ++i) {
      sum += curve::multiply(proof_.rounds[i].sum_left, challenges_.rounds[i].x);
      sum += curve::multiply(proof_.rounds[i].sum_right, challenges_.rounds[i].inverse);
    }
    const Fr weight = vkey_polynomial(challenges_.rounds).evaluate(challenges_.r);
    EXPECT_EQ(curve::multiply(proof_.final_c, weight), sum);
  }
  void expect_folded_values() const {
    const auto& p = proof_;
    EXPECT_EQ(curve::pairing(p.final_a, p.final_b),
              folded(p.ip_ab, BELFRY_FIELD(z_left), BELFRY_FIELD(z_right)));
    EXPECT_EQ(
        curve::pairing(p.final_a, p.final_vkey[0]) * curve::pairing(p.final_wkey[0], p.final_b),
        folded(p.com_ab.t, BELFRY_FIELD(ab_left.t), BELFRY_FIELD(ab_right.t)));
    EXPECT_EQ(
        curve::pairing(p.final_a, p.final_vkey[1]) * curve::pairing(p.final_wkey[1], p.final_b),
        folded(p.com_ab.u, BELFRY_FIELD(ab_left.u), BELFRY_FIELD(ab_right.u)));
    EXPECT_EQ(curve::pairing(p.final_c, p.final_vkey[0]),
              folded(p.com_c.t, BELFRY_FIELD(c_left.t), BELFRY_FIELD(c_right.t)));
    EXPECT_EQ(curve::pairing(p.final_c, p.final_vkey[1]),
              folded(p.com_c.u, BELFRY_FIELD(c_left.u), BELFRY_FIELD(c_right.u)));
  }
#undef BELFRY_FIELD
  void expect_openings() const {
    const Fr& z = challenges_.z;
    const Fr v = vkey_polynomial(challenges_.rounds).evaluate(z);
    const Fr w = wkey_polynomial(challenges_.rounds, challenges_.r).evaluate(z);
    const auto less = [](const auto& point, const auto& base, const Fr& scalar) {
      return (curve::multiply(base, -scalar) + point).to_affine();
    };
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(curve::pairing(srs_.g, less(proof_.final_vkey[k], srs_.h, v)),
                curve::pairing(less(srs_.g_powers[k], srs_.g, z), proof_.vkey_opening[k]));
      EXPECT_EQ(curve::pairing(less(proof_.final_wkey[k], srs_.g, w), srs_.h),
                curve::pairing(proof_.wkey_opening[k], less(srs_.h_powers[k], srs_.h, z)));
    }
  }
  void expect_proofs(std::span<const std::vector<Fr>> inputs) const {
    EXPECT_EQ(proved_product(key_, inputs, proof_, challenges_.r), proof_.ip_ab);
  }

  const AggregationVerifyingKey& srs_;
  const VerifyingKey& key_;
  const AggregateProof& proof_;
  const AggregateChallenges& challenges_;
};

class Aggregates : public testing::Test {
 protected:
  [[nodiscard]] AggregateProof make(const test::TinyProofs& tiny, SnarkPackVersion version) const {
    const auto key = value_of(srs_.proving_key(padded_proofs(tiny.proofs.size()), executor_));
    return value_of(aggregate(key, tiny.proofs, version, test::kBoundTo, {executor_}));
  }
  [[nodiscard]] bool holds(const AggregateProof& proof, std::span<const std::vector<Fr>> inputs,
                           SnarkPackVersion version) const {
    return value_of(verify_aggregate(
        verifier_, PreparedVerifyingKey(key_), proof,
        {.version = version, .public_inputs = inputs, .bound_to = test::kBoundTo}, executor_));
  }

  Executor executor_{2};
  AggregationSrs srs_ = test::SmallSrs(16).open();
  AggregationVerifyingKey verifier_ = value_of(srs_.verifying_key());
  VerifyingKey key_ = test::open_mini("tiny").verifying_key();
};

TEST_F(Aggregates, HoldByEveryEquationAlone) {
  for (const std::size_t count : {1U, 3U, 8U}) {
    for (const SnarkPackVersion version : kVersions) {
      const test::TinyProofs tiny(count);
      const AggregateProof proof = make(tiny, version);
      EXPECT_EQ(proof.proofs(), padded_proofs(count));
      const auto challenges = recompute_challenges(version, proof, test::kBoundTo);
      SlowVerifier(verifier_, key_, proof, challenges).expect_all(tiny.inputs);
      EXPECT_TRUE(holds(proof, tiny.inputs, version)) << count;
      EXPECT_EQ(value_of(encode(proof)).size(), aggregate_bytes(padded_proofs(count)));
    }
  }
}

// A non-interactive PoRep of 32 GiB: 126 partitions, padded to 128, seven rounds.
TEST_F(Aggregates, HoldAtTheSizeOfANonInteractiveSector) {
  constexpr std::size_t kPartitions = 126;
  constexpr SnarkPackVersion kVersion = SnarkPackVersion::kV2;
  srs_ = test::SmallSrs(2 * padded_proofs(kPartitions)).open();
  verifier_ = value_of(srs_.verifying_key());
  test::TinyProofs tiny(kPartitions);
  const auto proof =
      value_of(parse_aggregate(value_of(encode(make(tiny, kVersion))), "seven rounds"));
  EXPECT_EQ(proof.proofs(), 128U);
  EXPECT_TRUE(holds(proof, tiny.inputs, kVersion));
  tiny.inputs.back()[0] += Fr::one();
  EXPECT_FALSE(holds(proof, tiny.inputs, kVersion)) << "the last one counts, and all its copies";
}

TEST_F(Aggregates, OfAFalseProofDoNotHold) {
  for (const SnarkPackVersion version : kVersions) {
    for (const std::size_t bad : {0U, 2U, 3U}) {
      test::TinyProofs tiny(4);
      tiny.proofs[bad].c = -tiny.proofs[bad].c;
      EXPECT_FALSE(holds(make(tiny, version), tiny.inputs, version)) << bad;
    }
  }
}

TEST_F(Aggregates, BindTheVersion) {
  const test::TinyProofs tiny(2);
  EXPECT_FALSE(holds(make(tiny, SnarkPackVersion::kV1), tiny.inputs, SnarkPackVersion::kV2));
  EXPECT_FALSE(holds(make(tiny, SnarkPackVersion::kV2), tiny.inputs, SnarkPackVersion::kV1));
}

// A known property of that version, which its bytes can not lose: it proves nothing by itself.
TEST_F(Aggregates, OfTheFirstVersionAnyoneForges) {
  const test::TinyProofs tiny(2);
  const std::vector<std::vector<Fr>> unproved(2, {Fr::from_u64(91)});
  const auto srs = value_of(srs_.proving_key(2, executor_));
  const AggregateProof honest = make(tiny, SnarkPackVersion::kV1);
  EXPECT_FALSE(holds(honest, unproved, SnarkPackVersion::kV1));
  const AggregateProof forged = forge(srs, key_, unproved, honest);
  EXPECT_TRUE(holds(forged, unproved, SnarkPackVersion::kV1));
  EXPECT_FALSE(holds(forged, unproved, SnarkPackVersion::kV2));
}

TEST_F(Aggregates, NeedProofsAndAKeyForThem) {
  const auto key = value_of(srs_.proving_key(4, executor_));
  for (const std::size_t count : {0U, 2U, 5U}) {
    const test::TinyProofs tiny(count);
    const auto refused =
        aggregate(key, tiny.proofs, SnarkPackVersion::kV2, test::kBoundTo, {executor_});
    ASSERT_FALSE(refused) << count;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidUsage);
  }
}

TEST_F(Aggregates, StopWhenAsked) {
  CancelSource source;
  source.cancel();
  const auto key = value_of(srs_.proving_key(2, executor_));
  const auto stopped =
      aggregate(key, test::TinyProofs(2).proofs, SnarkPackVersion::kV2, test::kBoundTo,
                {.executor = executor_, .tracer = nullptr, .cancel = source.token()});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace belfry::groth16
