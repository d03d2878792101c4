#include "belfry/hash/poseidon_lanes.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "belfry/hash/poseidon_core.h"

namespace belfry::hash {
namespace {

/// What the watcher of the plain hash sees, value by value.
struct Recorder {
  std::vector<Fr> seen;

  void first_round(const poseidon_core::Sbox& sbox) {
    seen.insert(seen.end(), {sbox.square, sbox.fourth, sbox.output});
  }
  void later_round(const poseidon_core::Sbox& sbox) {
    seen.push_back(sbox.base);
    first_round(sbox);
  }
};

struct Traced {
  std::array<std::vector<Fr>, kPoseidonLanes> values;
  PoseidonLaneElements out{};
};

using Elements = std::vector<PoseidonLaneElements>;

std::vector<const PoseidonLaneElements*> views(const Elements& elements) {
  std::vector<const PoseidonLaneElements*> out;
  for (const PoseidonLaneElements& element : elements) out.push_back(&element);
  return out;
}

/// Runs a member of PoseidonLanes; behind each trace stands a value that must stay.
Traced traced(const PoseidonLanes& lanes, decltype(&PoseidonLanes::hash) member, const Fr& tag,
              const Elements& elements) {
  Traced result;
  std::array<Fr*, kPoseidonLanes> to{};
  for (std::size_t k = 0; k < kPoseidonLanes; ++k) {
    result.values[k].assign(lanes.traced() + 1, Fr::from_u64(k));
    to[k] = result.values[k].data();
  }
  (lanes.*member)(tag, views(elements), to, result.out);
  for (std::size_t k = 0; k < kPoseidonLanes; ++k) {
    EXPECT_EQ(result.values[k].back(), Fr::from_u64(k));
    result.values[k].pop_back();
  }
  return result;
}

/// Random elements; every fifth is at an edge of the field.
Elements test_elements(std::size_t arity, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  const auto edge = [&rng] { return rng() % 2 == 0 ? Fr::zero() : -Fr::one(); };
  Elements elements(arity);
  for (PoseidonLaneElements& element : elements) {
    for (Fr& lane : element) {
      const Fr random = Fr::from_u64(rng()) * Fr::from_u64(rng()) * Fr::from_u64(rng()) *
                        Fr::from_u64(rng()) * Fr::from_u64(rng());
      lane = rng() % 5 == 0 ? edge() : random;
    }
  }
  return elements;
}

void expect_plain_hash(const PoseidonLanes& lanes, std::size_t arity, const Fr& tag,
                       const Elements& elements) {
  for (const auto member : {&PoseidonLanes::hash, &PoseidonLanes::hash_one_by_one}) {
    const Traced result = traced(lanes, member, tag, elements);
    for (std::size_t k = 0; k < kPoseidonLanes; ++k) {
      std::vector<Fr> list;
      for (const PoseidonLaneElements& element : elements) list.push_back(element[k]);
      Recorder expected;
      const Fr hash = poseidon_core::permute(poseidon_constants(arity), tag, list, expected);
      ASSERT_EQ(result.values[k], expected.seen) << "lane " << k;
      ASSERT_EQ(result.out[k], hash) << "lane " << k;
      ASSERT_EQ(hash, poseidon_textbook(list, tag));
    }
  }
}

class PoseidonLanesOf : public testing::TestWithParam<std::size_t> {};

TEST_P(PoseidonLanesOf, SeeWhatThePlainHashSees) {
  const PoseidonLanes& lanes = poseidon_lanes(GetParam());
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    expect_plain_hash(lanes, GetParam(), poseidon_tree_tag(GetParam()),
                      test_elements(GetParam(), seed));
  }
}

TEST_P(PoseidonLanesOf, TakeTheLargestElements) {
  const std::size_t arity = GetParam();
  PoseidonLaneElements largest;
  largest.fill(-Fr::one());
  expect_plain_hash(poseidon_lanes(arity), arity, poseidon_tree_tag(arity),
                    Elements(arity, largest));
  // Montgomery forms next to the modulus.
  PoseidonLaneElements raw;
  for (std::size_t k = 0; k < kPoseidonLanes; ++k) {
    raw[k].limbs = field::FrParams::kModulus;
    raw[k].limbs[0] -= k + 1;
  }
  expect_plain_hash(poseidon_lanes(arity), arity, poseidon_tree_tag(arity), Elements(arity, raw));
}

TEST_P(PoseidonLanesOf, TakeAnyTag) {
  expect_plain_hash(poseidon_lanes(GetParam()), GetParam(), poseidon_custom_tag(1),
                    test_elements(GetParam(), 99));
}

TEST_P(PoseidonLanesOf, ChangeTheirOwnLaneAlone) {
  const std::size_t arity = GetParam();
  const PoseidonLanes& lanes = poseidon_lanes(arity);
  const Fr tag = poseidon_tree_tag(arity);
  const Elements elements = test_elements(arity, 5);
  const Traced before = traced(lanes, &PoseidonLanes::hash, tag, elements);
  for (std::size_t changed = 0; changed < kPoseidonLanes; ++changed) {
    Elements other = elements;
    other[arity - 1][changed] += Fr::one();
    const Traced after = traced(lanes, &PoseidonLanes::hash, tag, other);
    for (std::size_t k = 0; k < kPoseidonLanes; ++k) {
      EXPECT_EQ(before.values[k] == after.values[k], k != changed);
      EXPECT_EQ(before.out[k] == after.out[k], k != changed);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Arities, PoseidonLanesOf, testing::Values(1, 2, 3, 4, 8, 11, 16),
                         [](const auto& param) { return std::to_string(param.param); });

TEST(PoseidonLanesDeathTest, RefuseOurOwnMistakes) {
  EXPECT_DEATH((void)poseidon_lanes(0), "1 to 36");
  EXPECT_DEATH((void)poseidon_lanes(kMaxPoseidonArity + 1), "1 to 36");
}

}  // namespace
}  // namespace belfry::hash
