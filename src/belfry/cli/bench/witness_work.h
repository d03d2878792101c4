#pragma once

#include <cstdint>
#include <map>

#include "belfry/cli/bench/floor.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/r1cs/packed_witness.h"

/// What the witness of a circuit is made of, by formula, and the least time that it can take.
namespace belfry::cli::bench {

/// The hashes that one partition's witness computes.
struct WitnessWork {
  std::map<std::uint32_t, std::uint64_t> poseidon;  ///< how many hashes of each arity
  std::uint64_t compressions = 0;                   ///< of SHA-256
};

/// Of a circuit with all slots filled. Source: spec circuits.md 2.4, 3.4, 4.5.
[[nodiscard]] WitnessWork witness_work(const filecoin::Circuit& circuit);

/// The least time of a witness: the Poseidon hashes; 540 cycles for a compression in 32-bit words
/// (2,160 integer instructions, four a cycle); a cycle for each 32 bits that are put in their
/// place; and all of it written once at the rate at which this memory is read in order. What
/// decompositions compute and fresh pages cost is not in it. `bytes_per_second` is that of one
/// core.
[[nodiscard]] double witness_seconds(const FloorModel& floor, const WitnessWork& work,
                                     const r1cs::WitnessLayout& layout, double bytes_per_second);

/// The least time of the checks that come before a PoRep's witness: the same hashes, those of
/// SHA-256 by the CPU's instructions in one chain of 128 cycles a compression.
[[nodiscard]] double checks_seconds(const FloorModel& floor, const WitnessWork& work);

}  // namespace belfry::cli::bench
