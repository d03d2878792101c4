#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/filecoin/formats/vanilla_post.h"

/// Any bytes, behind one that chooses kind and sector size: a vanilla proof that is written back as
/// the same bytes, or an error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace belfry::filecoin;
  if (size == 0) return 0;
  const auto sectors = sector_table();
  const PostConfig config{(data[0] & 1) == 0 ? PostKind::kWinning : PostKind::kWindow,
                          &sectors[(data[0] >> 1) % sectors.size()], ApiVersion::kV1_2};
  const belfry::ByteSpan bytes(data + 1, size - 1);
  const auto parsed = parse_vanilla_post(bytes, config, "fuzz");
  if (!parsed) return 0;
  if (parsed->inclusions.size() != config.vanilla_challenges()) std::abort();
  const std::vector<std::uint8_t> written = write_vanilla_post(*parsed, *config.sector);
  if (!std::ranges::equal(written, bytes)) std::abort();
  return 0;
}
