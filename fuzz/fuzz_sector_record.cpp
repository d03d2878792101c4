#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "belfry/filecoin/sealing/sector_record.h"

/// Any bytes: a record that is written and read as itself, or an error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace belfry::filecoin;
  const auto identity = parse_sector_record({data, size}, "fuzz");
  if (!identity) return 0;
  const std::string text = write_sector_record(*identity);
  const auto again = parse_sector_record(belfry::as_bytes(text), "fuzz");
  if (!again || write_sector_record(*again) != text) std::abort();
  return 0;
}
