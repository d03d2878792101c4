#include "belfry/filecoin/formats/vanilla_post.h"

#include <string>

#include "belfry/filecoin/formats/bincode.h"

namespace belfry::filecoin {
namespace {

constexpr std::string_view kPostBytesStage = "filecoin.vanilla_post";

}  // namespace

Result<std::uint64_t> vanilla_post_sector(ByteSpan bytes, std::string_view file_name) {
  return BincodeReader(bytes, kPostBytesStage, file_name).number("sector_number");
}

Result<VanillaPostSector> parse_vanilla_post(ByteSpan bytes, const PostConfig& config,
                                             std::string_view file_name) {
  const PathShape tree = path_shape(config.sector->tree, config.sector->nodes());
  BincodeReader reader(bytes, kPostBytesStage, file_name);
  VanillaPostSector out;
  BELFRY_TRY(out.sector_number, reader.number("sector_number"));
  BELFRY_TRY(out.comm_r, reader.node("comm_r"));
  // The list around the paths is a relic: always one entry.
  BELFRY_CHECK(reader.count(1, "vanilla_proof"));
  BELFRY_CHECK(reader.count(config.vanilla_challenges(), "inclusion_proofs"));
  for (std::uint32_t i = 0; i < config.vanilla_challenges(); ++i) {
    if (auto done = reader.merkle_proof(out.inclusions.emplace_back(), tree); !done) {
      return fail(inside("inclusion_proofs[" + std::to_string(i) + "]", std::move(done.error())));
    }
  }
  BELFRY_TRY(out.comm_c, reader.node("comm_c"));
  BELFRY_TRY(out.comm_r_last, reader.node("comm_r_last"));
  BELFRY_CHECK(reader.finish());
  return out;
}

std::vector<std::uint8_t> write_vanilla_post(const VanillaPostSector& sector,
                                             const SectorParams& size) {
  const PathShape tree = path_shape(size.tree, size.nodes());
  BincodeWriter writer;
  writer.number(sector.sector_number);
  writer.node(sector.comm_r);
  writer.number(std::uint64_t{1});
  writer.number(std::uint64_t{sector.inclusions.size()});
  for (const MerkleProof& inclusion : sector.inclusions) writer.merkle_proof(inclusion, tree);
  writer.node(sector.comm_c);
  writer.node(sector.comm_r_last);
  return writer.take();
}

}  // namespace belfry::filecoin
