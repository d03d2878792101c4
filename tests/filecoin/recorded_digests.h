#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/r1cs/digest.h"
#include "belfry/r1cs/shape.h"
#include "filecoin/small_sector.h"
#include "support/vectors.h"

namespace belfry::test {

/// The R1CS digest and the CS hash of a whole circuit against its recorded row.
inline void expect_digests(const r1cs::Shape& shape, simdjson::dom::element row) {
  EXPECT_EQ(to_hex(r1cs::r1cs_digest(shape)), text(row["r1cs_digest"])) << shape.circuit_id();
  EXPECT_EQ(to_hex(r1cs::cs_hash(shape)), text(row["cs_hash"])) << shape.circuit_id();
}

/// `tree` of a recorded row: three arities.
inline filecoin::TreeShape recorded_tree(simdjson::dom::element row) {
  std::array<std::uint32_t, 3> tree{};
  std::size_t level = 0;
  for (const auto arity : row["tree"].get_array()) {
    tree.at(level++) = static_cast<std::uint32_t>(number(arity));
  }
  return {tree[0], tree[1], tree[2]};
}

}  // namespace belfry::test
