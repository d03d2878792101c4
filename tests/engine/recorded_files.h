#pragma once

#include <string>
#include <vector>

#include "belfry/engine/jobs/post.h"
#include "filecoin/recorded_post.h"

namespace belfry::engine::test {

/// The recorded vanilla proofs as files, and views of them.
class RecordedFiles {
 public:
  explicit RecordedFiles(const belfry::test::RecordedPost& post) : bytes_(post.vanilla) {
    for (const std::uint64_t number : post.numbers) {
      names_.push_back("vanilla-" + std::to_string(number) + ".bin");
    }
  }
  [[nodiscard]] std::vector<VanillaFileView> views() const {
    std::vector<VanillaFileView> views;
    for (std::size_t i = 0; i < bytes_.size(); ++i) views.push_back({bytes_[i], names_[i]});
    return views;
  }

 private:
  std::vector<std::vector<std::uint8_t>> bytes_;
  std::vector<std::string> names_;
};

/// The request that a recorded PoSt answers.
inline PostRequest recorded_request(const std::string& folder) {
  const belfry::test::JsonFile json(folder + "/post.json");
  PostRequest request{.type = *filecoin::find_post_proof(belfry::test::text(json["post_proof"]))};
  request.randomness = bytes32_from_hex(std::string_view(json["randomness"])).value();
  return request;
}

/// The sectors of a recorded PoSt as a verifier knows them.
inline std::vector<ClaimedSector> recorded_sectors(const std::string& folder) {
  const belfry::test::JsonFile json(folder + "/post.json");
  std::vector<ClaimedSector> sectors;
  for (const auto sector : json["sectors"].get_array()) {
    sectors.push_back({belfry::test::number(sector["sector_number"]),
                       bytes32_from_hex(std::string_view(sector["comm_r"])).value()});
  }
  return sectors;
}

}  // namespace belfry::engine::test
