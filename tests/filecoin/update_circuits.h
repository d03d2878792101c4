#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "belfry/filecoin/update/circuit.h"
#include "filecoin/recorded_circuit.h"
#include "filecoin/recorded_digests.h"
#include "filecoin/small_sector.h"
#include "support/vectors.h"

/// SnapDeals circuits against the figures and digests of circuits.md 7.
namespace belfry::test {

/// The circuit of a name in update-circuits.json: a row of the table, or one of the two sizes that
/// only tests have (circuits.md 1).
inline filecoin::UpdateParams update_params_of(std::string_view name) {
  if (name == "update-1KiB") return {{8, 4, 0}, 32, 1, 10, 8, 1};
  if (name == "update-8KiB") return {{8, 4, 0}, 256, 1, 10, 8, 1};
  return filecoin::update_params(*filecoin::find_circuit(name)->sector);
}

/// Sizes, densities and both digests of a whole circuit; the shape for more, or an empty one.
inline r1cs::Shape expect_update_shape(std::string_view name) {
  const JsonFile golden("filecoin/update-circuits.json");
  for (const auto row : golden["circuits"].get_array()) {
    if (std::string_view(row["circuit"]) != name) continue;
    const auto shape = filecoin::update_shape(name, update_params_of(name));
    if (!shape) break;
    EXPECT_EQ(shape->circuit_id(), name);
    expect_figures(*shape, row);
    expect_digests(*shape, row);
    return *shape;
  }
  ADD_FAILURE() << "no row or no shape of " << name;
  return {};
}

}  // namespace belfry::test
