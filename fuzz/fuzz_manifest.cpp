#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "belfry/filecoin/formats/manifest.h"

/// Any bytes: a manifest whose digests have 32 digits, or an error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kDigits = 32;
  const auto manifest = belfry::filecoin::parse_manifest({data, size}, "fuzz");
  if (!manifest) return 0;
  for (const auto& [name, entry] : *manifest) {
    if (entry.digest.size() != kDigits) std::abort();
  }
  return 0;
}
