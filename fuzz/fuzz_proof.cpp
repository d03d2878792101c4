#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "belfry/groth16/proof.h"

/// Any bytes: a proof or an error; what was accepted is written back byte for byte.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const belfry::ByteSpan bytes(data, size);
  if (const auto proof = belfry::groth16::parse_proof(bytes)) {
    const auto again = belfry::groth16::encode(*proof);
    if (!std::equal(again.begin(), again.end(), data, data + size)) std::abort();
  }
  const std::size_t count = size / belfry::groth16::kProofBytes;
  if (const auto proofs = belfry::groth16::parse_proofs(bytes, count)) {
    if (proofs->size() != count) std::abort();
  }
  return 0;
}
