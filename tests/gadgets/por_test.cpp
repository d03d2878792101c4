#include "belfry/gadgets/por.h"

#include <gtest/gtest.h>

#include <map>

#include "support/gadget_cases.h"

namespace belfry::test {
namespace {

using gadgets::AllocatedNumber;
using gadgets::NodeHash;
using gadgets::Root;
using gadgets::RootVisibility;

constexpr std::uint64_t kChallenge = 123456789;

/// The parts of a golden row's name:
/// [por_no_challenge_input_]<hash>_<base>_<sub>_<top>_<leaves>[_...].
struct RowName {
  explicit RowName(std::string_view name) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at != std::string_view::npos;) {
      const std::size_t end = name.find('_', at);
      words.emplace_back(name.substr(at, end - at));
      at = end == std::string_view::npos ? end : end + 1;
    }
    no_challenge = words[1] == "no";
    const std::size_t first = no_challenge ? 4 : 1;
    hash = words[first] == "sha256" ? NodeHash::kSha256 : NodeHash::kPoseidon;
    const auto part = [&](std::size_t i) { return std::stoull(words[first + i]); };
    leaves = part(4);
    arities = path_arities(static_cast<std::uint32_t>(part(1)), static_cast<std::uint32_t>(part(2)),
                           static_cast<std::uint32_t>(part(3)), leaves);
    visibility = words.back() == "private" ? RootVisibility::kPrivate : RootVisibility::kPublic;
  }

  bool no_challenge;
  NodeHash hash;
  std::vector<std::uint32_t> arities;
  std::uint64_t leaves;
  RootVisibility visibility;
};

auto retrievable(const GoldenPath& path, RootVisibility visibility) {
  return [&path, visibility](auto& cs) {
    using Cs = CsOf<decltype(cs)>;
    gadgets::prove_retrievable<Cs>(
        cs, path.hash(), Root<Cs>::value(cs.given([] { return GoldenPath::leaf(); })), path.view(),
        Root<Cs>::value(cs.given([&] { return path.root(); })), visibility);
  };
}

auto checked_path(const GoldenPath& path) {
  return [&path](auto& cs) {
    using Cs = CsOf<decltype(cs)>;
    const auto view = path.view();
    const auto root = AllocatedNumber<Cs>::alloc(cs, cs.given([&] { return path.root(); }));
    const auto leaf = AllocatedNumber<Cs>::alloc(cs, cs.given([] { return GoldenPath::leaf(); }));
    std::size_t bit_count = 0;
    for (const std::uint32_t arity : view.arities) bit_count += log2_of(arity);
    const auto bits = index_bits(cs, path.index(), bit_count);
    gadgets::Numbers<Cs> siblings;
    for (const FrBytes& sibling : view.siblings) {
      siblings.push_back(AllocatedNumber<Cs>::alloc(cs, cs.given([&] { return sibling.to_fr(); })));
    }
    gadgets::check_path<Cs>(cs, path.hash(), leaf, {view.arities, bits, siblings}, root);
  };
}

void check_row(const std::string& name) {
  const RowName row(name);
  const GoldenPath path(row.hash, row.arities, kChallenge % row.leaves);
  if (row.no_challenge) {
    test::golden().check(name, checked_path(path));
    return;
  }
  const System system = test::golden().check(name, retrievable(path, row.visibility));
  EXPECT_EQ(system.witness.inputs()[1], Fr::from_u64(path.index()));
  if (row.visibility == RootVisibility::kPrivate) return;
  const auto expected = test::golden().row(name);
  EXPECT_EQ(system.witness.inputs()[1], fr_from_big_endian(text(expected["challenge"])));
  EXPECT_EQ(system.witness.inputs()[2], fr_from_big_endian(text(expected["root"])));
}

TEST(Por, MatchesTheReference) {
  const JsonFile file("gadgets/golden.json");
  std::size_t rows = 0;
  for (const auto row : file.root().get_array()) {
    const std::string name = text(row["name"]);
    if (!name.starts_with("por_")) continue;
    check_row(name);
    ++rows;
  }
  EXPECT_EQ(rows, 34U);
}

/// Every leaf of small trees, roots given as numbers: the form inside other circuits.
TEST(Por, IncludesEveryLeaf) {
  for (const auto& arities : {std::vector<std::uint32_t>{8, 2}, {2, 4}, {4, 2, 2}}) {
    std::uint64_t leaves = 1;
    for (const std::uint32_t arity : arities) leaves *= arity;
    for (std::uint64_t index = 0; index < leaves; ++index) {
      const GoldenPath path(NodeHash::kPoseidon, arities, index);
      const System system = run_gadget(
          [&](auto& cs) {
            const auto values = given_numbers(cs, {path.leaf(), path.root()});
            gadgets::prove_inclusion(cs, path.hash(), values[0], path.view(), values[1]);
          },
          "inclusion");
      EXPECT_EQ(system.shape.inputs(), 2U);
      EXPECT_EQ(system.witness.inputs()[1], Fr::from_u64(index));
    }
  }
}

TEST(Por, WrongRootSatisfiesNothing) {
  const GoldenPath path(NodeHash::kPoseidon, {8, 8}, 21);
  System system = run_gadget(retrievable(path, RootVisibility::kPrivate), "por");
  system.witness.header_slice().fields.back() += Fr::one();
  multiply_all(system);
  EXPECT_LT(first_unsatisfied(system), system.a.size());
}

TEST(PorDeathTest, RefusesOurOwnMistakes) {
  using Cs = r1cs::WitnessBuilder;
  const auto run = [](std::vector<std::uint32_t> arities) {
    Cs cs(r1cs::WitnessSlice{});
    const auto numbers = counting_numbers(cs, 0, 8);
    const auto bits = index_bits(cs, 0, 3);
    gadgets::check_path<Cs>(cs, NodeHash::kPoseidon, numbers[0], {arities, bits, numbers},
                            numbers[0]);
  };
  EXPECT_DEATH(run({3}), "power of two");
  EXPECT_DEATH(run({1}), "power of two");
  EXPECT_DEATH(run({8, 2}), "all its levels");
}

}  // namespace
}  // namespace belfry::test
