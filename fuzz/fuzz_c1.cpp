#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "belfry/filecoin/formats/c1.h"
#include "belfry/filecoin/formats/proof_types.h"

namespace {

void parse_inner(belfry::ByteSpan bytes) {
  const auto sector = belfry::filecoin::find_sector("32KiB");
  if (!sector) std::abort();
  const belfry::filecoin::PorepConfig config{*sector, belfry::filecoin::ApiVersion::kV1_1,
                                             belfry::filecoin::PorepFeature::kInteractive,
                                             belfry::Bytes32{5}};
  (void)belfry::filecoin::parse_c1_inner(bytes, config, "fuzz");
}

}  // namespace

/// Any bytes: a C1 output whose counts are those of its registered proof, or an error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const belfry::ByteSpan bytes(data, size);
  parse_inner(bytes);
  const auto c1 = belfry::filecoin::parse_c1(bytes, "fuzz");
  if (!c1) return 0;
  if (c1->partitions.size() != c1->config.partitions()) std::abort();
  for (const auto& partition : c1->partitions) {
    if (partition.size() != c1->config.sector->challenges) std::abort();
  }
  return 0;
}
