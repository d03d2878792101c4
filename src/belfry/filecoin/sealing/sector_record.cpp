#include "belfry/filecoin/sealing/sector_record.h"

#include <limits>
#include <vector>

#include "belfry/base/assert.h"
#include "belfry/base/file.h"
#include "belfry/filecoin/formats/json_reader.h"
#include "belfry/filecoin/native/ids.h"

namespace belfry::filecoin {
namespace {

constexpr std::string_view kSectorRecordStage = "filecoin.sector_record";
constexpr std::uint64_t kMaxBytes = 1 << 20;

enum RecordField : std::uint8_t { kProofField, kMinerField, kSectorField, kTicketField };

struct SectorRecordReader {
  JsonReader& json;
  SectorIdentity identity{};

  Result<void> operator()(std::size_t field, JsonValue value, const JsonPlace& place) {
    constexpr std::uint64_t kAnyNumber = std::numeric_limits<std::uint64_t>::max();
    switch (field) {
      case kProofField:
        return registered_proof(value, place);
      case kMinerField: {
        BELFRY_TRY(identity.miner, json.read_integer(value, place, kAnyNumber));
        return {};
      }
      case kSectorField: {
        BELFRY_TRY(identity.sector_number, json.read_integer(value, place, kAnyNumber));
        return {};
      }
      default:
        return ticket(value, place);
    }
  }

 private:
  Result<void> registered_proof(JsonValue value, const JsonPlace& place) {
    const std::uint64_t offset = json.offset_of(value);
    BELFRY_TRY(const std::string_view name, json.read_text(value, place));
    const auto proof = find_seal_proof(name);
    if (!proof || proof->name() != name) {
      return fail(json.error_at(offset, place, "there is no registered proof of this name")
                      .but("the name of a seal proof", std::string(name)));
    }
    identity.registered = *proof;
    identity.config = proof->config();
    return {};
  }
  Result<void> ticket(JsonValue value, const JsonPlace& place) {
    const std::uint64_t offset = json.offset_of(value);
    BELFRY_TRY(const std::string_view text, json.read_text(value, place));
    const auto bytes = bytes32_from_hex(text);
    if (!bytes) {
      return fail(json.error_at(offset, place, "a ticket is 32 bytes")
                      .but("64 hex digits", std::string(text)));
    }
    identity.ticket = *bytes;
    return {};
  }
};

}  // namespace

SectorIdentity sector_identity(const SealProof& proof, std::uint64_t miner,
                               std::uint64_t sector_number, const Bytes32& ticket) {
  return {proof.config(), proof, miner, sector_number, ticket};
}

Node replica_id_of(const SectorIdentity& identity, const Node& comm_d) {
  return replica_id({.prover_id = prover_id(identity.miner),
                     .sector_number = identity.sector_number,
                     .ticket = identity.ticket,
                     .comm_d = comm_d,
                     .porep_id = identity.config.porep_id});
}

std::string write_sector_record(const SectorIdentity& identity) {
  BELFRY_ASSERT(identity.registered.has_value(), "a record names its registered proof");
  return "{\"registered_proof\":\"" + identity.registered->name() +
         "\",\"miner\":" + std::to_string(identity.miner) +
         ",\"sector\":" + std::to_string(identity.sector_number) + ",\"ticket\":\"" +
         to_hex(identity.ticket) + "\"}\n";
}

Result<SectorIdentity> parse_sector_record(ByteSpan text, std::string_view file_name) {
  BELFRY_TRY(const auto json, JsonReader::open(text, kSectorRecordStage, file_name));
  SectorRecordReader reader{*json};
  BELFRY_CHECK(json->read_root({{"registered_proof", "miner", "sector", "ticket"}}, reader));
  return reader.identity;
}

Result<SectorIdentity> read_sector_record(const std::filesystem::path& path) {
  BELFRY_TRY(const std::vector<std::uint8_t> text, read_file(path, kMaxBytes));
  return parse_sector_record(text, path.string());
}

}  // namespace belfry::filecoin
