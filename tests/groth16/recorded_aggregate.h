#pragma once

#include <string>
#include <vector>

#include "belfry/groth16/aggregate/aggregate.h"
#include "belfry/groth16/aggregate/srs.h"
#include "belfry/groth16/aggregate/verify_aggregate.h"
#include "belfry/hash/sha256.h"
#include "groth16/support.h"

/// The recorded aggregates and what they were made of.
namespace belfry::groth16::test {

inline const std::string kPorepKey =
    "parameters/v28-stacked-proof-of-replication-merkletree-poseidon_hasher-8-0-0-sha256_hasher-"
    "032d3138d22506ec0082ed72b2dcba18df18477904e35bafee82b3793b06832f.vk";

inline AggregationSrs recorded_srs() {
  return value_of(
      AggregationSrs::open(belfry::test::vector_path("parameters/v28-fil-inner-product-v1.srs")));
}

/// Proofs in their order, and what an aggregate of them is bound to.
struct RecordedProofs {
  std::vector<Proof> proofs;
  Bytes32 bound_to{};
  std::vector<std::vector<Fr>> public_inputs{};  ///< where they are recorded
};

/// The thirteen partitions of the non-interactive PoRep.
inline RecordedProofs thirteen_partitions() {
  const belfry::test::JsonFile sector("porep-2kib-ni/sector.json");
  RecordedProofs out{
      value_of(parse_proofs(belfry::test::read_vector("porep-2kib-ni/proof.bin"), 13)),
      hash::sha256(belfry::test::hex_bytes(sector["comm_r"]))};
  for (const auto list : sector["public_inputs"].get_array()) {
    out.public_inputs.emplace_back();
    for (const auto value : list.get_array()) {
      out.public_inputs.back().push_back(belfry::test::fr_from_big_endian(value));
    }
  }
  return out;
}

/// Three interactive sectors of one partition.
inline RecordedProofs three_sectors() {
  const belfry::test::JsonFile json("aggregate-2kib-3sectors/aggregate.json");
  RecordedProofs out;
  hash::Sha256 bound_to;
  for (const auto sector : json["sectors"].get_array()) {
    const std::string number = std::to_string(out.proofs.size() + 1);
    out.proofs.push_back(value_of(parse_proof(
        belfry::test::read_vector("aggregate-2kib-3sectors/proof-" + number + ".bin"))));
    bound_to.update(belfry::test::hex_bytes(sector["seed"]));
    bound_to.update(belfry::test::hex_bytes(sector["comm_r"]));
  }
  out.bound_to = bound_to.finish();
  return out;
}

}  // namespace belfry::groth16::test
