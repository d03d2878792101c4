#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/base/executor.h"
#include "belfry/base/file.h"
#include "belfry/filecoin/native/fr32.h"
#include "belfry/filecoin/sealing/seal.h"
#include "belfry/filecoin/sealing/sector_files.h"
#include "belfry/hash/sha256.h"
#include "support/vectors.h"

/// Sectors as the vectors describe them.
namespace belfry::test {

/// Unpadded data: byte i = bits 24..31 of ((i + shift)·2654435761) mod 2^32.
inline std::vector<std::uint8_t> sector_data(std::uint64_t bytes, std::uint64_t shift) {
  std::vector<std::uint8_t> data(bytes);
  for (std::uint64_t i = 0; i < bytes; ++i) {
    data[i] =
        static_cast<std::uint8_t>(static_cast<std::uint32_t>((i + shift) * 2654435761U) >> 24U);
  }
  return data;
}
inline std::vector<std::uint8_t> sector_data(const filecoin::SectorParams& sector,
                                             std::uint64_t shift) {
  return sector_data(filecoin::unpadded_size(sector.bytes), shift);
}

/// Any seal proof by name.
inline filecoin::SealProof seal_proof(std::string_view name) {
  const auto proof = filecoin::find_seal_proof(name);
  EXPECT_TRUE(proof) << name;
  return *proof;
}

/// The identity that a sector.json of the vectors describes.
inline filecoin::SectorIdentity vector_identity(simdjson::dom::element json) {
  Bytes32 ticket{};
  std::ranges::copy(hex_bytes(json["ticket"]), ticket.begin());
  return filecoin::sector_identity(seal_proof(text(json["registered_proof"])),
                                   std::uint64_t(json["miner"]),
                                   std::uint64_t(json["sector_number"]), ticket);
}

inline std::string file_digest(const std::filesystem::path& path) {
  const auto file = MappedFile::open(path);
  EXPECT_TRUE(file) << path;
  return file ? to_hex(hash::sha256(file->bytes())) : "";
}

inline std::vector<std::uint8_t> file_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}
inline void overwrite(const std::filesystem::path& path, const std::vector<std::uint8_t>& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}
/// Changes one byte of a file.
inline void damage(const std::filesystem::path& path, std::size_t offset) {
  auto bytes = file_bytes(path);
  ASSERT_LT(offset, bytes.size());
  bytes[offset] ^= 1U;
  overwrite(path, bytes);
}

}  // namespace belfry::test
