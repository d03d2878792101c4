#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "belfry/filecoin/sealing/sector_files.h"

/// Any bytes as t_aux of a 2 KiB sector: rows that the tree has, or an error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace belfry::filecoin;
  static const SectorParams* const sector = find_sector("2KiB").value();
  const auto aux = parse_t_aux({data, size}, *sector, "fuzz");
  // A tree of three rows keeps leaves and root.
  if (aux && aux->discarded_rows > 1) std::abort();
  return 0;
}
