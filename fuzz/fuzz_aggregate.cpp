#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "belfry/groth16/aggregate/aggregate_proof.h"

/// Any bytes: an aggregate or an error; what was accepted is written back byte for byte.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto proof = belfry::groth16::parse_aggregate({data, size}, "fuzz");
  if (!proof) return 0;
  const auto again = belfry::groth16::encode(*proof);
  if (!again || !std::equal(again->begin(), again->end(), data, data + size)) std::abort();
  return 0;
}
