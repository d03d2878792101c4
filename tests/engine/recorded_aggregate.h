#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "belfry/engine/jobs/aggregate.h"
#include "support/temp_dir.h"
#include "support/vectors.h"

namespace belfry::engine::test {

/// Options with the recorded keys and the recorded SRS.
class RecordedKeys {
 public:
  [[nodiscard]] JobOptions options() const {
    return {.params_dir = belfry::test::vector_path("parameters"),
            .cache_dir = dir_.path(),
            .backend = BackendPolicy::kCpu,
            .executor = executor_};
  }

 private:
  belfry::test::TempDir dir_;
  Executor executor_{2};
};

/// Sectors as a verifier knows them, and their proofs.
struct RecordedAggregate {
  std::vector<PorepClaim> claims{};
  std::vector<std::vector<std::uint8_t>> proofs{};
  std::vector<std::string> names{};

  void add(const filecoin::SealProof& type, std::uint64_t number, simdjson::dom::element sector) {
    const auto bytes = [&sector](std::string_view key) {
      return *bytes32_from_hex(std::string_view(sector[key]));
    };
    claims.push_back({.type = type,
                      .comm_r = bytes("comm_r"),
                      .comm_d = bytes("comm_d"),
                      .ticket = bytes("ticket"),
                      .seed = bytes("seed"),
                      .sector = {.miner = 1000, .sector = number}});
    names.push_back("proof of sector " + std::to_string(number));
  }
  [[nodiscard]] filecoin::PorepConfig config() const { return claims.front().type.config(); }
  /// The sectors as their prover knows them.
  [[nodiscard]] std::vector<ProvedSectorView> views() const {
    std::vector<ProvedSectorView> out;
    for (std::size_t i = 0; i < claims.size(); ++i) {
      const auto statement = statement_of(claims[i]);
      EXPECT_TRUE(statement);
      if (statement) out.push_back({*statement, proofs[i], names[i]});
    }
    return out;
  }
};

/// Three interactive sectors.
inline RecordedAggregate recorded_sectors_of_aggregate() {
  const std::string folder = "aggregate-2kib-3sectors/";
  const belfry::test::JsonFile json(folder + "aggregate.json");
  const auto type = *filecoin::find_seal_proof(belfry::test::text(json["registered_proof"]));
  RecordedAggregate out;
  for (const auto sector : json["sectors"].get_array()) {
    const std::uint64_t number = sector["sector_number"].get_uint64().value();
    out.add(type, number, sector);
    out.proofs.push_back(
        belfry::test::read_vector(folder + "proof-" + std::to_string(number) + ".bin"));
  }
  return out;
}

/// One non-interactive sector of thirteen partitions.
inline RecordedAggregate recorded_non_interactive() {
  const std::string folder = "porep-2kib-ni/";
  const belfry::test::JsonFile json(folder + "sector.json");
  RecordedAggregate out;
  out.add(*filecoin::find_seal_proof(belfry::test::text(json["registered_proof"])), 1, json.root());
  out.proofs.push_back(belfry::test::read_vector(folder + "proof.bin"));
  return out;
}

}  // namespace belfry::engine::test
