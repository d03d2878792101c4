#pragma once

#include <cstddef>
#include <string_view>

#include "belfry/groth16/keygen/keygen.h"
#include "belfry/groth16/prove/prove.h"
#include "support/vectors.h"

/// What tests/vectors fixes instead of drawing it: the trapdoor of the parameters and the blinding
/// of the proofs.
namespace belfry::groth16::test {

/// The fixed toxic waste of trapdoor.json.
inline TestTrapdoor recorded_trapdoor() {
  const belfry::test::JsonFile file("trapdoor.json");
  const auto element = [&file](std::string_view key) {
    return belfry::test::fr_from_big_endian(file[key]);
  };
  return {element("alpha"), element("beta"), element("gamma"), element("delta"), element("tau")};
}
/// That of a mini system: tiny has its own (spec formats.md 2.6).
inline TestTrapdoor recorded_trapdoor(std::string_view mini) {
  if (mini != "tiny") return recorded_trapdoor();
  return {Fr::from_u64(5), Fr::from_u64(7), Fr::from_u64(11), Fr::from_u64(13),
          Fr::from_u64(0x1234567)};
}

/// r[k] and s[k] of trapdoor.json, for partition k.
inline ProofRandomness recorded_randomness(std::size_t partition) {
  const belfry::test::JsonFile file("trapdoor.json");
  const auto element = [&file, partition](std::string_view key) {
    return belfry::test::fr_from_big_endian(file[key].at(partition).value());
  };
  return {element("r"), element("s")};
}
}  // namespace belfry::groth16::test
