#include "belfry/filecoin/formats/manifest.h"

#include <limits>

#include "belfry/filecoin/circuits.h"
#include "belfry/filecoin/formats/json_reader.h"
#include "belfry/filecoin/formats/parameters.h"

namespace belfry::filecoin {
namespace {

constexpr std::size_t kDigestDigits = 32;

/// The sector of each known name, without its extension.
using KnownNames = std::map<std::string, const SectorParams*, std::less<>>;

KnownNames known_names() {
  KnownNames names;
  for (const CircuitKind kind : circuit_families()) {
    for (const Circuit& circuit : circuits(kind)) {
      names.emplace(parameter_stem(circuit), circuit.sector);
    }
  }
  return names;
}

/// The sector size of a known `.params` or `.vk`; null for other names.
const SectorParams* sector_of(const KnownNames& names, std::string_view file) {
  const auto known = names.find(file.substr(0, file.rfind('.')));
  return known == names.end() ? nullptr : known->second;
}

/// `sector` is what the entry must be of, if its name is known.
Result<ManifestEntry> read_entry(JsonReader& json, JsonValue value, const JsonPlace& place,
                                 const SectorParams* sector) {
  enum Field : std::uint8_t { kCid, kDigest, kSectorSize };
  ManifestEntry entry;
  std::uint64_t digest_offset = 0;
  BELFRY_CHECK(json.read_object(
      value, place, {{"cid", "digest", "sector_size"}},
      [&](std::size_t which, JsonValue inner, const JsonPlace& at) -> Result<void> {
        if (which == kSectorSize) {
          const std::uint64_t offset = json.offset_of(inner);
          BELFRY_TRY(entry.sector_size,
                     json.read_integer(inner, at, std::numeric_limits<std::uint64_t>::max()));
          if (sector == nullptr || sector->bytes == entry.sector_size) return {};
          return fail(
              json.error_at(offset, at, "the sector size is not that of the circuit")
                  .but(std::to_string(sector->bytes) + " (" + std::string(sector->name) + ")",
                       std::to_string(entry.sector_size)));
        }
        if (which == kDigest) digest_offset = json.offset_of(inner);
        BELFRY_TRY(const std::string_view text, json.read_text(inner, at));
        (which == kCid ? entry.cid : entry.digest) = text;
        return {};
      }));
  const auto digest = from_hex(entry.digest);
  if (!digest || entry.digest.size() != kDigestDigits) {
    const JsonPlace at = place.key("digest");
    return fail(json.error_at(digest_offset, at, "no digest").but("32 hex digits", entry.digest));
  }
  entry.digest = to_hex(*digest);  // lower case
  return entry;
}

}  // namespace

Result<Manifest> parse_manifest(ByteSpan json, std::string_view file_name) {
  BELFRY_TRY(const auto reader, JsonReader::open(json, "filecoin.manifest", file_name));
  const KnownNames names = known_names();
  Manifest manifest;
  BELFRY_CHECK(reader->read_root_map(
      [&](std::string_view name, JsonValue value, const JsonPlace& place) -> Result<void> {
        BELFRY_TRY(ManifestEntry entry, read_entry(*reader, value, place, sector_of(names, name)));
        manifest.emplace(std::string(name), std::move(entry));
        return {};
      }));
  return manifest;
}

}  // namespace belfry::filecoin
