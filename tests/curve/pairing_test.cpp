#include "belfry/curve/pairing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "belfry/curve/gt_encoding.h"
#include "belfry/curve/multiply.h"
#include "support/points.h"

namespace belfry::curve {
namespace {

G1Affine g1_times(const Fr& k) { return multiply(G1Affine::generator(), k).to_affine(); }
G2Affine g2_times(const Fr& k) { return multiply(G2Affine::generator(), k).to_affine(); }

Fp12 random_fp12(std::mt19937_64& rng) { return test::random_element<Fp12>(rng); }

TEST(Pairing, IsBilinear) {
  std::mt19937_64 rng(51);
  const Gt base = pairing(G1Affine::generator(), G2Affine::generator());
  EXPECT_FALSE(base.is_one());
  for (int i = 0; i < 5; ++i) {
    const Fr a = test::random_fr(rng);
    const Fr b = test::random_fr(rng);
    const G1Affine p = g1_times(a);
    const G2Affine q = g2_times(b);
    EXPECT_EQ(pairing(p, q), base.pow(a * b));
    EXPECT_EQ(pairing(g1_times(a * b), G2Affine::generator()), pairing(p, q));
    EXPECT_EQ(pairing(-p, q), pairing(p, q).inverse());
    EXPECT_EQ(pairing(p, -q), pairing(p, q).inverse());
    EXPECT_EQ(pairing(g1_times(a + b), q), pairing(p, q) * pairing(g1_times(b), q));
  }
}

TEST(Pairing, InfinityGivesOne) {
  EXPECT_TRUE(pairing(G1Affine::infinity(), G2Affine::generator()).is_one());
  EXPECT_TRUE(pairing(G1Affine::generator(), G2Affine::infinity()).is_one());
  EXPECT_TRUE(pairing(G1Affine::infinity(), G2Affine::infinity()).is_one());
  EXPECT_TRUE(multi_pairing({}).is_one());
}

TEST(Pairing, ProductsShareOneLoop) {
  std::mt19937_64 rng(52);
  std::vector<G2Prepared> prepared;
  std::vector<PairingTerm> terms;
  Gt expected;
  for (std::size_t n = 0; n < 6; ++n) {
    EXPECT_EQ(multi_pairing(terms), expected) << n;
    const G1Affine p = n == 3 ? G1Affine::infinity() : g1_times(test::random_fr(rng));
    const G2Affine q = n == 4 ? G2Affine::infinity() : g2_times(test::random_fr(rng));
    expected = expected * pairing(p, q);
    prepared.emplace_back(q);
    terms.push_back({p, nullptr});
    for (std::size_t i = 0; i < terms.size(); ++i) terms[i].q = &prepared[i];
  }
}

// The shape of every verification equation: e(aP, Q)·e(-P, aQ) = 1, and not for a + 1.
TEST(Pairing, EquationsHoldOnlyWhenTrue) {
  std::mt19937_64 rng(53);
  const Fr a = test::random_fr(rng);
  const G2Prepared q(G2Affine::generator());
  const G2Prepared aq(g2_times(a));
  const G1Affine p = G1Affine::generator();
  EXPECT_TRUE(multi_pairing(std::vector<PairingTerm>{{g1_times(a), &q}, {-p, &aq}}).is_one());
  EXPECT_FALSE(
      multi_pairing(std::vector<PairingTerm>{{g1_times(a + Fr::one()), &q}, {-p, &aq}}).is_one());
}

TEST(Gt, PowersFollowTheExponent) {
  const Gt base = pairing(G1Affine::generator(), G2Affine::generator());
  Gt expected;
  for (std::uint64_t k = 0; k < 20; ++k, expected = expected * base) {
    EXPECT_EQ(base.pow(Fr::from_u64(k)), expected);
  }
  EXPECT_EQ(base.pow(-Fr::one()), base.inverse());
}

TEST(Gt, ProductsOfPowersEqualSquareAndMultiply) {
  const Gt base = pairing(G1Affine::generator(), G2Affine::generator());
  std::vector<Gt> values{base, base.inverse(), base * base, base * base * base, Gt()};
  std::vector<Fr> exponents = test::random_frs(values.size(), 55);
  exponents[1] = Fr::zero();
  exponents[2] = -Fr::one();
  for (std::size_t n = 0; n <= values.size(); ++n) {
    Gt expected;
    for (std::size_t k = 0; k < n; ++k) {
      Gt power;
      const auto limbs = exponents[k].to_canonical();
      for (std::size_t bit = 64 * limbs.size(); bit-- > 0;) {
        power = power * power;
        if (((limbs[bit / 64] >> (bit % 64)) & 1) != 0) power = power * values[k];
      }
      expected = expected * power;
    }
    EXPECT_EQ(multi_power(std::span(values).first(n), std::span(exponents).first(n)), expected);
  }
}

TEST(Gt, TakesOnlyTheGroupOfOrderR) {
  std::mt19937_64 rng(54);
  const Gt base = pairing(G1Affine::generator(), G2Affine::generator());
  EXPECT_EQ(Gt::from_value(base.value()), base);
  EXPECT_EQ(Gt::from_value(Fp12::one()), Gt());
  EXPECT_FALSE(Gt::from_value(Fp12::zero()).has_value());
  EXPECT_FALSE(Gt::from_value(random_fp12(rng)).has_value());
  // In the cyclotomic subgroup, whose order is r times a large cofactor.
  const Fp12 f = random_fp12(rng);
  const Fp12 unitary = f.conjugate() * f.inverse();
  EXPECT_FALSE(Gt::from_value(unitary).has_value());
  EXPECT_FALSE(Gt::from_value(unitary.frobenius().frobenius() * unitary).has_value());
  EXPECT_FALSE(Gt::from_value(base.value() * unitary).has_value());
}

TEST(GtEncoding, RoundTripsAndRefuses) {
  std::mt19937_64 rng(55);
  const Gt value = pairing(g1_times(test::random_fr(rng)), G2Affine::generator());
  auto bytes = encode_compressed(value).value();
  EXPECT_EQ(decode_gt_compressed(bytes), value);
  for (std::size_t at = 0; at < kGtCompressedSize; at += FpBytes::kSize) {
    auto changed = bytes;
    changed[at] ^= 1;
    EXPECT_FALSE(decode_gt_compressed(changed).has_value());
    changed = bytes;
    changed[at + FpBytes::kSize - 1] = 0xff;
    EXPECT_FALSE(decode_gt_compressed(changed).has_value());
  }
  EXPECT_FALSE(encode_compressed(Gt()).has_value());
  EXPECT_FALSE(decode_gt_compressed(std::array<std::uint8_t, kGtCompressedSize>{}).has_value());
}

// spec formats.md 9.1.
TEST(GtEncoding, GeneratorsGiveTheWellKnownValue) {
  const Gt value = pairing(G1Affine::generator(), G2Affine::generator());
  const auto transcript = encode(value);
  EXPECT_EQ(to_hex(std::span(transcript).first<FpBytes::kSize>()),
            "b68917caaa0543a808c53908f694d1b6e7b38de90ce9d83d505ca1ef1b442d2727d7d06831d8b2a7920afc"
            "71d8eb5012");
  auto last = std::span(transcript).last<FpBytes::kSize>();
  auto expected_last = FpBytes(value.value().c1.c2.c1).bytes();
  std::ranges::reverse(expected_last);
  EXPECT_TRUE(std::ranges::equal(last, expected_last));
  EXPECT_EQ(to_hex(encode_compressed(value).value()),
            "fe845c0922104880e35a07e1ce8278b6b2b6e2612253ae980a0a118d1a951294ccd8896c288dba3162e3b4"
            "2dced54600"
            "cef7d158d8fe4f1125c77e7da5f036c7fc0eee37360e9f2d5540594bfd009656ddd0d21b7b877a4119b88c"
            "44544a290f"
            "6c2e5f73351eaa7346ba0db48b412766ab2a0375fcd301c6def5617b19b2d976ba11a318fc5a1964574886"
            "82d424b411"
            "3b4b3e16cd0c9ba6d352f0b4d40c643fe5fe53b08a39ac05db6e55e623888b07244b6193c85eb8274e9284"
            "83bf157319"
            "5d4ed573f50d0bfe2ed7b39a0b8b3a0af0103d752f82a5e43144e2123e4ccad9dff6e71dae2ed58ad8d7eb"
            "08966c230c"
            "421fc9fc19e8739215b7164ff8624c2d6df6c53bddcac48484388a17c468fbbf5a414ca27f8a3ead078315"
            "ebf44b9c05");
}

}  // namespace
}  // namespace belfry::curve
