#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "belfry/filecoin/update/circuit.h"
#include "belfry/filecoin/update/job.h"
#include "filecoin/recorded_witness.h"
#include "filecoin/small_update.h"
#include "support/vectors.h"

/// SnapDeals witnesses against the hand-made ones of circuits.md 7.5.
namespace belfry::test {

/// The numbers that are drawn from the commitments, and the public inputs.
inline void expect_update_randomness(simdjson::dom::element row, const SmallUpdate& sector,
                                     std::uint32_t partition) {
  const auto value = [&](const char* key) { return fr_from_big_endian(text(row[key])); };
  const filecoin::UpdateParams params = filecoin::update_params(*sector.sector);
  const filecoin::UpdateStatement& statement = sector.statement;
  const Fr phi = filecoin::update_phi(statement.comm_d_new, statement.comm_r_old);
  EXPECT_EQ(phi, value("phi"));
  EXPECT_EQ(filecoin::update_rho(phi, 0), value("rho_0"));
  EXPECT_EQ(sector.tree_r(sector.old_nodes).root().to_fr(), value("root_r_old"));
  EXPECT_EQ(sector.tree_r(sector.new_nodes).root().to_fr(), value("root_r_new"));
  std::vector<std::uint64_t> challenges;
  for (const auto element : row["challenges"].get_array()) challenges.push_back(number(element));
  EXPECT_EQ(filecoin::update_challenges(params, statement.comm_r_new, partition), challenges);
  const auto inputs = filecoin::update_public_inputs(params, statement, partition);
  ASSERT_TRUE(inputs);
  const std::vector<Fr> expected{Fr::from_u64(number(row["input_1"])), value("input_2"),
                                 value("input_3"), value("input_4")};
  EXPECT_EQ(*inputs, expected);
}

/// Everything that update-circuits.json says about the sector of a circuit.
inline void expect_update_by_hand(std::string_view circuit) {
  const Executor executor;
  const JsonFile golden("filecoin/update-circuits.json");
  for (const auto row : golden["witnesses"].get_array()) {
    if (std::string_view(row["circuit"]) != circuit) continue;
    const SmallUpdate sector = make_small_update(filecoin::find_circuit(circuit)->sector->name);
    const auto partition = static_cast<std::uint32_t>(number(row["partition"]));
    expect_update_randomness(row, sector, partition);
    const auto shape = filecoin::update_shape(*sector.sector);
    ASSERT_TRUE(shape);
    const auto prepared =
        filecoin::prepare_update_partition(shape->layout(), sector.prove(), partition, executor);
    ASSERT_TRUE(prepared) << prepared.error().describe();
    EXPECT_TRUE(std::ranges::equal(prepared->public_inputs, prepared->witness.inputs().subspan(1)));
    EXPECT_EQ(to_hex(r1cs::aux_digest(*shape, prepared->witness)), text(row["aux_digest"]));
    EXPECT_EQ(checked_abc_digest(*shape, prepared->witness, executor), text(row["abc_digest"]));
    return;
  }
  FAIL() << "no row of " << circuit;
}

}  // namespace belfry::test
