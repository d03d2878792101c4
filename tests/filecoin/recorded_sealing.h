#pragma once

#include <gtest/gtest.h>
#include <simdjson.h>

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "belfry/filecoin/native/fr32.h"
#include "belfry/filecoin/native/ids.h"
#include "belfry/filecoin/native/pieces.h"
#include "belfry/filecoin/sealing/seal.h"
#include "filecoin/sealed_sector.h"
#include "support/vectors.h"

/// Compares sealed sectors with the recorded ones (tests/vectors: sector.json, the sectors of
/// post.json, the old sector of update.json).
namespace belfry::test {

/// Every file that the reference wrote, and no other but ours. `t_aux` holds paths, and so has
/// another size in another folder.
inline void expect_recorded_files(const filecoin::SectorPaths& paths,
                                  simdjson::dom::element files) {
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(paths.cache())) {
    found.insert(entry.path().filename().string());
  }
  for (const auto [key, file] : simdjson::dom::object(files)) {
    const std::string name(key);
    if (name == "staged") continue;  // the padded data, which the replica is made from
    const auto path = name == "sealed" ? paths.sealed() : paths.cache() / name;
    ASSERT_TRUE(std::filesystem::exists(path)) << name;
    found.erase(name);
    if (name == "t_aux") continue;
    EXPECT_EQ(std::filesystem::file_size(path), number(file["bytes"])) << name;
    EXPECT_EQ(file_digest(path), text(file["sha256"])) << name;
  }
  // Recorded for registered proofs only.
  found.erase("t_aux");
  EXPECT_EQ(found, std::set<std::string>{});
}

inline void expect_recorded_commitments(const filecoin::SealedCommitments& sealed,
                                        simdjson::dom::element json) {
  EXPECT_EQ(to_hex(sealed.comm_d.bytes()), text(json["comm_d"]));
  EXPECT_EQ(to_hex(sealed.comm_c.bytes()), text(json["comm_c"]));
  EXPECT_EQ(to_hex(sealed.comm_r_last.bytes()), text(json["comm_r_last"]));
  EXPECT_EQ(to_hex(sealed.comm_r.bytes()), text(json["comm_r"]));
}

/// The data of the sector: its padded form, the pieces that it is, and what they commit to.
inline void expect_recorded_data(const std::vector<std::uint8_t>& data,
                                 const filecoin::SectorParams& sector,
                                 simdjson::dom::element json) {
  std::vector<filecoin::Node> padded(sector.nodes());
  filecoin::fr32_pad(data, 0, padded);
  std::vector<std::uint8_t> bytes;
  for (const filecoin::Node& node : padded) {
    bytes.insert(bytes.end(), node.bytes().begin(), node.bytes().end());
  }
  EXPECT_EQ(bytes.size(), number(json["files"]["staged"]["bytes"]));
  EXPECT_EQ(to_hex(hash::sha256(bytes)), text(json["files"]["staged"]["sha256"]));

  const Executor executor(2);
  std::vector<filecoin::Piece> pieces;
  std::size_t begin = 0;
  for (const auto piece : json["pieces"].get_array()) {
    const std::uint64_t size = number(piece["unpadded_bytes"]);
    ASSERT_LE(begin + size, data.size());
    const auto commitment =
        filecoin::piece_commitment(ByteSpan(data).subspan(begin, size), {.executor = executor});
    ASSERT_TRUE(commitment) << commitment.error().describe();
    EXPECT_EQ(to_hex(commitment->bytes()), text(piece["commitment"]));
    pieces.push_back({*commitment, size});
    begin += size;
  }
  EXPECT_EQ(begin, data.size());
  const auto comm_d = filecoin::comm_d_of_pieces(sector, pieces);
  ASSERT_TRUE(comm_d) << comm_d.error().describe();
  EXPECT_EQ(to_hex(comm_d->bytes()), text(json["comm_d"]));
  EXPECT_EQ(to_hex(filecoin::prover_id(number(json["miner"]))), text(json["prover_id"]));
}

}  // namespace belfry::test
