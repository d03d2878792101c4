#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <vector>

#include "belfry/base/cpu.h"
#include "belfry/field/fp.h"
#include "belfry/field/fr.h"
#include "field/lanes_probe.h"

namespace belfry {
namespace {

constexpr std::size_t kEight = 8;

template <class F>
using Block = std::array<F, kEight>;

template <class F, class Params>
F below_modulus(std::mt19937_64& rng) {
  F x;
  for (auto& limb : x.limbs) limb = rng();
  x.limbs.back() %= Params::kModulus[F::kLimbs - 1];
  return x;
}

/// 0, 1, p - 1, values around limb boundaries and the largest patterns that stay below p.
template <class F, class Params>
std::vector<F> edge_values() {
  std::vector<F> out{F::zero(), F::one(), F{Params::kModulus}};
  out[2].limbs[0] -= 1;
  for (std::size_t bit = 0; bit < Params::kModulusBits - 1; ++bit) {
    F power;
    power.limbs[bit / 64] = std::uint64_t{1} << (bit % 64);
    out.push_back(power);
    F ones = power;
    for (std::size_t i = 0; i < bit / 64; ++i) ones.limbs[i] = ~std::uint64_t{0};
    ones.limbs[bit / 64] |= power.limbs[bit / 64] - 1;
    out.push_back(ones);
  }
  return out;
}

/// Pairs of random and edge values, in blocks of eight.
template <class F, class Params>
void for_blocks(const std::function<void(const Block<F>&, const Block<F>&)>& check) {
  std::mt19937_64 rng(7);
  const auto edges = edge_values<F, Params>();
  const auto pick = [&](bool edge) {
    return edge ? edges[rng() % edges.size()] : below_modulus<F, Params>(rng);
  };
  for (int round = 0; round < 1000; ++round) {
    Block<F> a;
    Block<F> b;
    for (std::size_t i = 0; i < kEight; ++i) {
      a[i] = pick(rng() % 2 == 0);
      b[i] = pick(rng() % 2 == 0);
    }
    check(a, b);
  }
}

template <class F>
const std::uint64_t* words(const Block<F>& block) {
  static_assert(sizeof(F) == F::kLimbs * sizeof(std::uint64_t));
  return block[0].limbs.data();
}
template <class F>
std::uint64_t* words(Block<F>& block) {
  return block[0].limbs.data();
}

class Lanes : public testing::Test {
 protected:
  void SetUp() override {
    if (best_isa() < Isa::kIfma) GTEST_SKIP() << "this CPU has no AVX-512 IFMA";
  }
};
using FrLanes = Lanes;
using FpLanes = Lanes;

void expect_fr(test::FrOperation operation, const std::function<Fr(const Fr&, const Fr&)>& want) {
  for_blocks<Fr, field::FrParams>([&](const Block<Fr>& a, const Block<Fr>& b) {
    Block<Fr> got;
    test::run_fr(operation, words(a), words(b), words(got));
    for (std::size_t i = 0; i < kEight; ++i) ASSERT_EQ(got[i], want(a[i], b[i]));
  });
}
void expect_fp(test::FpOperation operation, const std::function<Fp(const Fp&, const Fp&)>& want) {
  for_blocks<Fp, field::FpParams>([&](const Block<Fp>& a, const Block<Fp>& b) {
    Block<Fp> got;
    test::run_fp(operation, words(a), words(b), words(got));
    for (std::size_t i = 0; i < kEight; ++i) ASSERT_EQ(got[i], want(a[i], b[i]));
  });
}

TEST_F(FrLanes, Multiply) {
  expect_fr(test::FrOperation::kMul, [](const Fr& a, const Fr& b) { return a * b; });
}
TEST_F(FrLanes, MultiplyPrepared) {
  expect_fr(test::FrOperation::kMulPrepared, [](const Fr& a, const Fr& b) { return a * b; });
}
TEST_F(FrLanes, Add) {
  expect_fr(test::FrOperation::kAdd, [](const Fr& a, const Fr& b) { return a + b; });
}
TEST_F(FrLanes, Subtract) {
  expect_fr(test::FrOperation::kSub, [](const Fr& a, const Fr& b) { return a - b; });
}
TEST_F(FrLanes, ReduceOfFifteenFold) {
  const Fr fifteen = Fr::from_u64(15);
  expect_fr(test::FrOperation::kReduce, [&](const Fr& a, const Fr&) { return a * fifteen; });
}
TEST_F(FrLanes, BroadcastTakesTheFirstElement) {
  for_blocks<Fr, field::FrParams>([&](const Block<Fr>& a, const Block<Fr>& b) {
    Block<Fr> got;
    test::run_fr(test::FrOperation::kBroadcast, words(a), words(b), words(got));
    for (std::size_t i = 0; i < kEight; ++i) ASSERT_EQ(got[i], a[i] * b[0]);
  });
}
// Vector passes keep values below 2r in memory, so x + r must work wherever x does.
TEST_F(FrLanes, UnreducedOperands) {
  for_blocks<Fr, field::FrParams>([&](const Block<Fr>& a, const Block<Fr>& b) {
    Block<Fr> lifted = a;
    for (Fr& x : lifted) {
      field::Uint128 sum = 0;
      for (std::size_t i = 0; i < Fr::kLimbs; ++i) {
        sum += field::Uint128{x.limbs[i]} + field::FrParams::kModulus[i];
        x.limbs[i] = static_cast<std::uint64_t>(sum);
        sum >>= 64;
      }
    }
    Block<Fr> got;
    test::run_fr(test::FrOperation::kMul, words(lifted), words(b), words(got));
    for (std::size_t i = 0; i < kEight; ++i) ASSERT_EQ(got[i], a[i] * b[i]);
    test::run_fr(test::FrOperation::kReduce, words(lifted), words(b), words(got));
    for (std::size_t i = 0; i < kEight; ++i) ASSERT_EQ(got[i], a[i] * Fr::from_u64(15));
  });
}

TEST_F(FpLanes, Multiply) {
  expect_fp(test::FpOperation::kMul, [](const Fp& a, const Fp& b) { return a * b; });
}
TEST_F(FpLanes, Square) {
  expect_fp(test::FpOperation::kSquare, [](const Fp& a, const Fp&) { return a * a; });
}
TEST_F(FpLanes, Add) {
  expect_fp(test::FpOperation::kAdd, [](const Fp& a, const Fp& b) { return a + b; });
}
TEST_F(FpLanes, Subtract) {
  expect_fp(test::FpOperation::kSub, [](const Fp& a, const Fp& b) { return a - b; });
}
TEST_F(FpLanes, ReduceOfThirtyOneFold) {
  const Fp factor = Fp::from_u64(31);
  expect_fp(test::FpOperation::kReduce, [&](const Fp& a, const Fp&) { return a * factor; });
}
TEST_F(FpLanes, RoundTrip) {
  expect_fp(test::FpOperation::kRoundTrip, [](const Fp& a, const Fp&) { return a; });
}

TEST_F(FpLanes, ZeroMask) {
  Block<Fp> block;
  for (std::size_t i = 0; i < kEight; ++i) block[i] = Fp::one();
  block[1] = Fp::zero();
  block[4] = Fp{field::FpParams::kModulus};
  block[6].limbs.back() = 0;
  block[7] = Fp{field::FpParams::kModulus};
  block[7].limbs[0] -= 1;
  EXPECT_EQ(test::zero_fp(words(block)), (1U << 1) | (1U << 4));
}

TEST_F(FpLanes, DecodesBigEndianAndRefusesExactlyWhatIsTooLarge) {
  for_blocks<Fp, field::FpParams>([&](const Block<Fp>& a, const Block<Fp>& b) {
    constexpr std::size_t kBytes = 48;
    constexpr std::uint8_t kFlags = 0xe0;
    std::array<std::uint8_t, kEight * kBytes> bytes{};
    std::uint8_t too_large = 0;
    for (std::size_t i = 0; i < kEight; ++i) {
      Fp::Limbs integer = a[i].limbs;
      if ((b[i].limbs[0] & 1) != 0) {  // the modulus itself and what follows
        integer = field::FpParams::kModulus;
        integer[0] += b[i].limbs[0] & 2;
        too_large = static_cast<std::uint8_t>(too_large | (1U << i));
      }
      for (std::size_t k = 0; k < kBytes; ++k) {
        bytes[i * kBytes + kBytes - 1 - k] =
            static_cast<std::uint8_t>(integer[k / 8] >> (8 * (k % 8)));
      }
      bytes[i * kBytes] = static_cast<std::uint8_t>(bytes[i * kBytes] | (b[i].limbs[1] & kFlags));
    }
    Block<Fp> got;
    ASSERT_EQ(test::decode_fp(bytes.data(), kFlags, words(got)), too_large);
    for (std::size_t i = 0; i < kEight; ++i) {
      if (((too_large >> i) & 1) == 0) {
        ASSERT_EQ(got[i], Fp::from_canonical(a[i].limbs));
      }
    }
  });
}

}  // namespace
}  // namespace belfry
