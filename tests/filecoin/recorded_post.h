#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "belfry/filecoin/post/job.h"
#include "filecoin/small_sector.h"
#include "support/vectors.h"

/// The recorded PoSts of tests/vectors.
namespace belfry::test {

inline filecoin::Node node_from_hex(simdjson::dom::element element) {
  const auto bytes = bytes32_from_hex(std::string_view(element));
  return FrBytes::parse(bytes.value()).value();
}

/// One recorded PoSt: its registered proof, randomness, the bytes of its vanilla proofs by
/// ascending sector number.
struct RecordedPost {
  filecoin::PostConfig config;
  filecoin::Node randomness;
  std::vector<std::uint64_t> numbers;
  std::vector<std::vector<std::uint8_t>> vanilla;

  [[nodiscard]] filecoin::VanillaPost parsed() const {
    filecoin::VanillaPost post{.config = config, .randomness = randomness, .sectors = {}};
    for (const auto& bytes : vanilla) {
      auto sector = filecoin::parse_vanilla_post(bytes, config, "vanilla.bin");
      EXPECT_TRUE(sector) << (sector ? "" : sector.error().describe());
      if (sector) post.sectors.push_back(*std::move(sector));
    }
    return post;
  }
};

inline RecordedPost read_recorded_post(const std::string& folder) {
  const JsonFile json(folder + "/post.json");
  const auto type = filecoin::find_post_proof(text(json["post_proof"]));
  RecordedPost post{type->config(), node_from_hex(json["randomness"]), {}, {}};
  for (const auto sector : json["sectors"].get_array()) {
    post.numbers.push_back(number(sector["sector_number"]));
  }
  std::ranges::sort(post.numbers);
  for (const std::uint64_t sector : post.numbers) {
    post.vanilla.push_back(read_vector(folder + "/vanilla-" + std::to_string(sector) + ".bin"));
  }
  return post;
}

/// The WindowPoSt of the 32 KiB sector, a size without registered proofs.
inline RecordedPost read_recorded_32kib_post() {
  const JsonFile json("porep-32kib/sector.json");
  const filecoin::PostConfig config{filecoin::PostKind::kWindow, *filecoin::find_sector("32KiB"),
                                    filecoin::ApiVersion::kV1_2};
  return {config,
          node_from_hex(json["window"]["randomness"]),
          {1},
          {read_vector("porep-32kib/window/vanilla-1.bin")}};
}

}  // namespace belfry::test
