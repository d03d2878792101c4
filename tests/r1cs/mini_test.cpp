#include <gtest/gtest.h>

#include "belfry/r1cs/aux_values.h"
#include "belfry/r1cs/digest.h"
#include "support/circuits.h"
#include "support/mini_system.h"

namespace belfry::r1cs {
namespace {

class Mini : public ::testing::TestWithParam<std::string_view> {};

/// Digest of the rows, digests of the values and of a, b, c, samples: as the reference recorded
/// them.
TEST_P(Mini, EqualsTheReference) {
  const std::string name(GetParam());
  const test::JsonFile expected("mini/" + name + "/expected.json");
  const auto witness = expected["witness"];
  test::System system = test::run_circuit(test::MiniSystem(name), name);
  const Shape& shape = system.shape;
  EXPECT_EQ(to_hex(r1cs_digest(shape)), std::string_view(expected["r1cs_digest"]));
  EXPECT_EQ(shape.constraints(), std::uint64_t(witness["num_constraints"]));
  EXPECT_EQ(shape.aux(), std::uint64_t(witness["num_aux"]));
  EXPECT_EQ(to_hex(aux_digest(shape, system.witness)), std::string_view(witness["aux_digest"]));
  for (auto* product : {&system.a, &system.b, &system.c}) product->resize(shape.constraints());
  EXPECT_EQ(to_hex(abc_digest(system.a, system.b, system.c)),
            std::string_view(witness["abc_digest"]));
  const WitnessLookupView lookup(shape, system.witness);
  const auto statistics = witness["statistics"];
  const auto is_bit = [](const Fr& value) { return value.is_zero() || value == Fr::one(); };
  std::uint64_t zeros = 0;
  std::uint64_t ones = 0;
  for (std::uint64_t i = 0; i < shape.aux(); ++i) {
    zeros += lookup.aux(i).is_zero() ? 1 : 0;
    ones += lookup.aux(i) == Fr::one() ? 1 : 0;
  }
  EXPECT_EQ(zeros, std::uint64_t(statistics["aux_zero"]));
  EXPECT_EQ(ones, std::uint64_t(statistics["aux_one"]));
  std::uint64_t empty = 0;
  std::uint64_t all_bits = 0;
  for (std::uint64_t row = 0; row < shape.constraints(); ++row) {
    empty += system.a[row].is_zero() && system.b[row].is_zero() ? 1 : 0;
    all_bits += is_bit(system.a[row]) && is_bit(system.b[row]) && is_bit(system.c[row]) ? 1 : 0;
  }
  EXPECT_EQ(empty, std::uint64_t(statistics["rows_a_and_b_zero"]));
  EXPECT_EQ(all_bits, std::uint64_t(statistics["rows_a_b_c_all_bits"]));
  for (const auto sample : witness["aux_samples"].get_array()) {
    EXPECT_EQ(lookup.aux(std::uint64_t(sample["index"])),
              test::fr_from_big_endian(std::string_view(sample["value"])));
  }
}

INSTANTIATE_TEST_SUITE_P(All, Mini, ::testing::ValuesIn(test::kMiniSystems));

}  // namespace
}  // namespace belfry::r1cs
