#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "belfry/groth16/params/verifying_key.h"

/// Any bytes: a key or an error; what was accepted is written back byte for byte.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const belfry::ByteSpan bytes(data, size);
  const auto key = belfry::groth16::parse_verifying_key(bytes, "fuzz");
  if (!key) return 0;
  const auto again = belfry::groth16::encode(*key);
  if (again.size() > size || !std::equal(again.begin(), again.end(), data)) std::abort();
  return 0;
}
