#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/filecoin/formats/vanilla_update.h"

namespace {

void parse_as(const char* size, belfry::ByteSpan bytes) {
  const auto sector = belfry::filecoin::find_sector(size);
  if (!sector) std::abort();
  const auto partition = belfry::filecoin::parse_vanilla_update(bytes, **sector, "fuzz");
  if (!partition) return;
  // What was read has the numbers of its size, and is written as it was read.
  if (partition->apex_leaves.size() != (*sector)->update_apex) std::abort();
  if (partition->challenges.size() != (*sector)->update_challenges) std::abort();
  const auto written = belfry::filecoin::write_vanilla_update(*partition, **sector);
  if (written != std::vector<std::uint8_t>(bytes.begin(), bytes.end())) std::abort();
}

}  // namespace

/// Any bytes: a SnapDeals vanilla proof of a partition that is written back the same, or an error.
/// The three sizes have trees of all three shapes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const char* name : {"2KiB", "4KiB", "32KiB"}) parse_as(name, {data, size});
  return 0;
}
